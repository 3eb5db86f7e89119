"""Make the masters of a cell file, and other parts from its tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from farhand.cell.cell_files import kind_of, settings_of
from farhand.cell.cell_spec import CellSpec
from farhand.cell.model_store import ModelKey, ModelStore
from farhand.config import ConfigError
from farhand.devices import Device
from farhand.errors import CellFileError, FarhandError
from farhand.masters import MASTERS, Master

__all__ = ["devices_of", "made_from", "masters_of"]

T = TypeVar("T")


def masters_of(spec: CellSpec, path: Path, models: ModelStore) -> dict[str, Master]:
    """Return the masters of a cell file, by name.

    Args:
        spec: The content of the cell file.
        path: The cell file.
        models: Robot models that are already read; others are read and added.

    Raises:
        CellFileError: If a master's settings do not fit.
    """
    return {
        name: _in_file(
            lambda t: MASTERS[kind_of(t, MASTERS, "")](settings_of(_with_model(t, path, models)), path.parent),
            table,
            path,
            f"masters.{name}",
        )
        for name, table in spec.masters.items()
    }


def devices_of(masters: Mapping[str, Master]) -> dict[str, Device]:
    """Return the devices of masters that have joints, by the masters' names."""
    devices = {name: getattr(master, "device", None) for name, master in masters.items()}
    return {name: device for name, device in devices.items() if device is not None}


def _with_model(table: dict[str, Any], path: Path, models: ModelStore) -> dict[str, Any]:
    """Return a master's table with the model in place of the robot's name: masters do not know the catalogue."""
    settings = table.get("settings")
    name = settings.get("model") if isinstance(settings, dict) else None
    if not isinstance(settings, dict) or not isinstance(name, str):
        return table
    try:
        model = models.load(ModelKey(name), path)
    except FarhandError as error:
        raise ConfigError("settings.model", str(error)) from error
    return {**table, "settings": {**settings, "model": model}}


def made_from(make: Callable[[dict[str, Any]], T], table: dict[str, Any], field: str) -> T:
    """Make a part from its table.

    Raises:
        ConfigError: If the table does not fit; names the field.
    """
    try:
        return make(table)
    except ConfigError as error:
        raise error.within(field) from error
    except FarhandError as error:
        raise ConfigError(field, str(error)) from error


def _in_file(make: Callable[[dict[str, Any]], T], table: dict[str, Any], path: Path, field: str) -> T:
    try:
        return made_from(make, table, field)
    except ConfigError as error:
        raise error.in_file(path, CellFileError) from error
