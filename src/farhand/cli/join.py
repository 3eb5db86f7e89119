"""``farhand join``: drive a robot of a running server with a master that is here."""

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

# What a modelled device does that nobody holds: it goes round, so that there is something to see.
ROUND = {"kind": "path", "shape": "circle", "axis": "z", "amplitude": 0.03, "period": 4.0, "delay": 1.0, "ease": 1.0}


def main(options: argparse.Namespace) -> int:
    """Make the master, and drive until Ctrl-C."""
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
        door=_door(options.door),
        reset=options.reset,
        language=options.language,
        ended=lambda: ended,
        say=lambda text: print(text, flush=True),
    )
    return 130


def make_master(name: str) -> Master:
    """Return a master by the name of its kind or device, or from a file.

    Raises:
        FarhandError: If there is none, or the file is not what it should be.
    """
    path = Path(name)
    if path.suffix == ".py":
        return _registered(path)
    if path.suffix == ".toml":
        return _described(path)
    if name in DEVICES:
        return MASTERS["modelled"]({"device": name, "intent": ROUND}, Path())
    if name not in MASTERS:
        raise UnknownNameError("master", name, sorted({*MASTERS, *DEVICES}))
    try:
        return MASTERS[name]({}, Path())
    except ConfigError as error:
        raise CommandError(f"{name} needs settings: write them into a .toml file and name that ({error})") from error


def _described(path: Path) -> Master:
    """Return the master that a file describes as a cell file would: its kind, and its settings."""
    table = read_toml(path, FileError)
    kind = table.pop("kind", None)
    if not isinstance(kind, str) or kind not in MASTERS:
        raise FileError(path, f"found {kind!r}, expected one of: {', '.join(MASTERS)}", field="kind")
    try:
        return MASTERS[kind](table, path.parent)
    except ConfigError as error:
        raise error.in_file(path, FileError) from error


def _registered(path: Path) -> Master:
    """Return the master whose kind a Python file registers; of several the last one."""
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


def _door(text: str) -> tuple[str, int] | None:
    if not text:
        return None
    host, _, port = text.rpartition(":")
    if not host or not port.isdigit() or not 0 < int(port) < 65536:
        raise CommandError(f"{text!r} is no HOST:PORT")
    return host.strip("[]"), int(port)
