"""The robot models of a cell: each is read once, and a record keeps them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from farhand.cell.cell_spec import RobotSpec
from farhand.formats.model import RobotModel
from farhand.robots import load_robot

__all__ = ["ModelKey", "ModelStore"]


class ModelKey(Struct, frozen=True):
    """What decides a robot's model: its name or path in the cell file, tip, base and tool.

    A robot that was given a model of its own has its name in `robot`.
    """

    model: str
    tip: str | None = None
    base: str | None = None
    tool: str | None = None
    robot: str = ""


class ModelStore:
    """Robot models that have been read.

    Args:
        models: Those that are known already.
    """

    def __init__(self, models: Iterable[tuple[ModelKey, RobotModel]] = ()) -> None:
        self._models = dict(models)

    @classmethod
    def of(cls, models: ModelStore | Mapping[str, RobotModel] | None, robots: Mapping[str, RobotSpec]) -> ModelStore:
        """Return a store of models that were given by robot; a store itself is returned as it is.

        Args:
            models: The models.
            robots: The robots' tables.
        """
        if isinstance(models, ModelStore):
            return models
        known = {name: robots[name] for name in models or () if name in robots}
        return cls(
            (ModelKey(robot.model, robot.tip, robot.base, robot.tool, name), models[name])
            for name, robot in known.items()
            if models
        )

    def load(self, key: ModelKey, cell_file: Path, robot: str = "") -> RobotModel:
        """Return a model; it is read if it is not known yet.

        Args:
            key: What decides it.
            cell_file: The cell file; relative paths start from its folder.
            robot: The robot that it is for; one that was given a model of its own gets that.

        Raises:
            UnknownNameError: If no robot or tool has this name.
            RobotFileError: If its file is wrong.
        """
        found = self._models.get(replace(key, robot=robot)) or self._models.get(key)
        if found is None:
            found = load_robot(_path_or_name(key.model, cell_file), tip=key.tip, base=key.base, tool=key.tool)
            self._models[key] = found
        return found

    @property
    def contents(self) -> tuple[tuple[ModelKey, RobotModel], ...]:
        """All models that have been read, with their keys."""
        return tuple(self._models.items())


def _path_or_name(model: str, cell_file: Path) -> str:
    """Return a path relative to the cell file as one that can be opened; names of the catalogue unchanged."""
    try:
        path = cell_file.parent / model
        return str(path) if path.is_file() else model
    except (OSError, ValueError):  # too long, or no path at all: then it can only be a name
        return model
