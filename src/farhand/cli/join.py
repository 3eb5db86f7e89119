"""``farhand join``: drive a robot of a running server with a master on this machine."""

from __future__ import annotations

import argparse
import platform
import runpy
import signal
from pathlib import Path
from types import FrameType

from farhand.config import ConfigError, read_toml
from farhand.devices import DEVICES
from farhand.errors import CommandError, FarhandError, FileError, UnknownNameError
from farhand.extras import require_extra
from farhand.masters import MASTERS, Master

__all__ = ["main", "make_master"]

# Intent of a modelled device without an operator: it moves in a circle, so that you see it work.
CIRCLE = {"kind": "path", "shape": "circle", "axis": "z", "amplitude": 0.03, "period": 4.0, "delay": 1.0, "ease": 1.0}


def main(options: argparse.Namespace) -> int:
    """Make the master, and drive with it until Ctrl-C."""
    require_extra("server", "joining a running server needs the server's packages")
    from farhand.client.joining import join

    ended = False

    def end(number: int, frame: FrameType | None) -> None:
        nonlocal ended
        del number, frame
        ended = True

    master = make_master(options.master)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)
    join(
        options.url,
        master,
        cell=options.cell,
        robot=options.robot,
        name=options.name or f"{Path(options.master).stem} on {platform.node()}",
        rate=options.rate,
        master_address=_address(options.master_address),
        reset=options.reset,
        language=options.language,
        ended=lambda: ended,
        say=lambda text: print(text, flush=True),
    )
    return 130


def make_master(name: str) -> Master:
    """Return a master, by the name of its kind or device or from a file.

    Raises:
        FarhandError: If there is no such master, or the file is not valid.
    """
    path = Path(name)
    if path.suffix == ".py":
        return _registered(path)
    if path.suffix == ".toml":
        return _described(path)
    if name in DEVICES:
        return MASTERS["modelled"]({"device": name, "intent": CIRCLE}, Path())
    if name not in MASTERS:
        raise UnknownNameError("master", name, sorted({*MASTERS, *DEVICES}))
    try:
        return MASTERS[name]({}, Path())
    except ConfigError as error:
        raise CommandError(
            f"{name} needs settings: write them into a .toml file and pass that file ({error})"
        ) from error


def _described(path: Path) -> Master:
    """Return the master of a TOML file, with the same fields as a master's table in a cell file."""
    table = read_toml(path, FileError)
    kind = table.pop("kind", None)
    if not isinstance(kind, str) or kind not in MASTERS:
        raise FileError(path, f"found {kind!r}, expected one of: {', '.join(MASTERS)}", field="kind")
    try:
        return MASTERS[kind](table, path.parent)
    except ConfigError as error:
        raise error.in_file(path, FileError) from error


def _registered(path: Path) -> Master:
    """Return the master that a Python file registers; the last one if there are several."""
    before = set(MASTERS)
    try:
        runpy.run_path(str(path))
    except OSError as error:
        raise FileError(path, f"cannot be read: {error.strerror}") from error
    except FarhandError:
        raise
    except Exception as error:
        raise FileError(path, f"does not run: {type(error).__name__}: {error}") from error
    fresh = [kind for kind in MASTERS if kind not in before]
    if not fresh:
        raise FileError(path, 'registers no master: put @MASTERS.register("name") before a function that makes one')
    return MASTERS[fresh[-1]]({}, path.parent)


def _address(text: str) -> tuple[str, int] | None:
    if not text:
        return None
    host, _, port = text.rpartition(":")
    if not host or not port.isdigit() or not 0 < int(port) < 65536:
        raise CommandError(f"found {text!r}, expected HOST:PORT")
    return host.strip("[]"), int(port)
