"""Parse the arguments of every verb, run the verb, and print errors as sentences."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

from farhand import __version__
from farhand.processes.python_start import use_safe_path

__all__ = ["main"]

BENCHES = (
    "tick",
    "ik",
    "servo",
    "distance",
    "plan",
    "protection",
    "telemax",
    "grasp",
    "edit",
    "clock",
    "start",
    "live",
    "recovery",
    "flood",
    "cameras",
    "page",
    "voice",
    "decoys",
    "records",
    "all",
)
EXPORTS = ("csv", "parquet")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    use_safe_path()
    arguments = list(sys.argv[1:] if argv is None else argv)
    parser = _parser()
    options = parser.parse_args(arguments or ["run"])
    try:
        return _do(options)
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader of our output has gone.
        sys.stderr.close()
        return 141


def _do(options: argparse.Namespace) -> int:
    from farhand.errors import FarhandError

    verb: Callable[[argparse.Namespace], int] = import_module(f"farhand.cli.{options.module}").main
    try:
        return verb(options)
    except FarhandError as error:
        print(f"farhand: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="farhand",
        description="Drive any robot from any master, in a physics simulation.",
        epilog="Without a verb, farhand runs the default cell.",
    )
    parser.add_argument("--version", action="version", version=f"farhand {__version__}")
    verbs = parser.add_subparsers(metavar="VERB", required=True)
    _add_run(verbs.add_parser("run", help="run work cells and serve their page"))
    _add_join(verbs.add_parser("join", help="drive a robot of a running server with a master on this machine"))
    _add_list(verbs.add_parser("list", help="list robots, tools, masters, control modes, cells and more"))
    _add_experiment(verbs.add_parser("experiment", help="repeat a published experiment, and write its data and plots"))
    _add_replay(verbs.add_parser("replay", help="replay the record of a run in the page"))
    _add_records(verbs.add_parser("records", help="list, check, repair, re-simulate and export records of runs"))
    _add_tune(verbs.add_parser("tune", help="find the gains of a robot's drive, and plot its step responses"))
    compile_ = verbs.add_parser("compile", help="compile the kernels ahead of their first use")
    compile_.set_defaults(module="compile")
    _add_bench(verbs.add_parser("bench", help="run a benchmark; the exit code is 1 if a row misses its bar"))
    return parser


def _add_run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("cell", nargs="*", metavar="CELL", help="names of cells, or paths of cell files")
    parser.add_argument(
        "--robot", metavar="PATH", help="run this robot in a plain cell instead (URDF, MJCF or TOML file)"
    )
    parser.add_argument("--tip", metavar="NAME", help="with --robot: the end effector to drive")
    parser.add_argument("--base", metavar="NAME", help="with --robot: the body that is the base")
    parser.add_argument("--tool", metavar="NAME", help="with --robot: a tool to mount at the tip")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of all random numbers (default 0)")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen at (default: this machine only)")
    parser.add_argument(
        "--port", type=_port, metavar="PORT", default=8090, help="port of the page (default 8090, or the next free one)"
    )
    parser.add_argument(
        "--master-port",
        type=_port,
        metavar="PORT",
        default=0,
        help="port for masters on other machines (default: any free one)",
    )
    parser.add_argument(
        "--exam", action="store_true", help="add a link for a trainee, who sees camera pictures but no poses"
    )
    parser.add_argument(
        "--no-spare",
        dest="spare",
        action="store_false",
        help="keep no standby processes: saves memory, but a crashed process restarts slowly",
    )
    parser.add_argument(
        "--record", action=argparse.BooleanOptionalAction, default=True, help="record every run (default), or do not"
    )
    parser.add_argument(
        "--records-gb",
        type=_gigabytes,
        metavar="GB",
        default=10.0,
        help="room that recorded runs may take; the oldest that nobody keeps go first (default 10)",
    )
    parser.add_argument("--no-browser", dest="browser", action="store_false", help="do not open a browser")
    parser.add_argument("--headless", action="store_true", help="run without a page and print how the robots move")
    parser.add_argument(
        "--seconds",
        type=_seconds,
        metavar="S",
        help="with --headless: duration (default: that of the masters' scripts, or 10)",
    )
    parser.add_argument(
        "--fast", action="store_true", help="with --headless: run as fast as possible instead of in real time"
    )
    parser.add_argument("--json", action="store_true", help="with --headless: print one JSON object per line")
    parser.set_defaults(module="run")


def _add_join(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("url", metavar="URL", help="the link that farhand run printed, with its token")
    parser.add_argument(
        "--master",
        required=True,
        metavar="NAME",
        help="a kind of master or a device (see farhand list), a .toml file with a master's table, or a .py file that "
        "registers a master",
    )
    parser.add_argument("--cell", default="", metavar="NAME", help="name of the cell, if the server has several")
    parser.add_argument("--robot", default="", metavar="NAME", help="name of the robot, if the cell has several")
    parser.add_argument(
        "--name", default="", metavar="NAME", help="name that others see (default: the master's name and this host)"
    )
    parser.add_argument("--rate", type=_rate, metavar="HZ", default=500.0, help="readings per second (default 500)")
    parser.add_argument(
        "--master-address",
        default="",
        metavar="HOST:PORT",
        help="host and port for masters, if you reach the server through a tunnel",
    )
    parser.add_argument("--language", default="en", metavar="CODE", help="language of notes: en or de (default en)")
    parser.add_argument(
        "--reset", action="store_true", help="reset the robot once if it is stopped; then press the deadman to drive"
    )
    parser.set_defaults(module="join")


def _add_list(parser: argparse.ArgumentParser) -> None:
    kinds = ("robots", "tools", "masters", "devices", "mappings", "filters", "pieces", "surfaces", "cells")
    parser.add_argument("kind", choices=kinds, metavar="|".join(kinds))
    parser.add_argument("--json", action="store_true", help="print a JSON list")
    parser.set_defaults(module="list")


def _add_experiment(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "name", nargs="?", default="", metavar="NAME", help="name of the experiment; without a name: list all"
    )
    parser.add_argument(
        "--seconds", type=_seconds, metavar="S", help="duration in virtual time (default: the experiment's own)"
    )
    docs = parser.add_mutually_exclusive_group()
    docs.add_argument(
        "--write", action="store_true", help="write the figures into the docs page; without a name: of all experiments"
    )
    docs.add_argument(
        "--check", action="store_true", help="compare the docs page with a new run; without a name: all experiments"
    )
    parser.add_argument(
        "--docs", metavar="FILE", default="docs/results.md", help="the docs page (default: docs/results.md)"
    )
    parser.add_argument(
        "--out", metavar="FOLDER", default="experiments", help="folder for data and plot (default: experiments)"
    )
    parser.set_defaults(module="experiment")


def _add_replay(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("record", metavar="RECORD", help="a file, or the name of a run in the data folder")
    parser.add_argument("--folder", type=Path, metavar="FOLDER", help="the data folder (default: your own)")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen at (default: this machine only)")
    parser.add_argument(
        "--port", type=_port, metavar="PORT", default=8090, help="port of the page (default 8090, or the next free one)"
    )
    parser.add_argument("--no-browser", dest="browser", action="store_false", help="do not open a browser")
    parser.set_defaults(module="replay")


def _add_records(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(module="records")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)

    def add(name: str, text: str, *, record: bool = True) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=text)
        if record:
            command.add_argument("record", metavar="RECORD", help="a file, or the name of a run in the data folder")
        command.add_argument("--folder", type=Path, metavar="FOLDER", help="the data folder (default: your own)")
        return command

    listed = add("list", "list the runs of the data folder, the newest first", record=False)
    listed.add_argument("--search", metavar="TEXT", help="only runs with this text in title, tags, outcome or cell")
    listed.add_argument("--limit", type=int, default=50, metavar="N", help="number of runs at most (default 50)")
    listed.add_argument("--json", action="store_true", help="print a JSON list")
    show = add("show", "show what a record holds")
    show.add_argument("--signals", action="store_true", help="also list the paths of all signals")
    show.add_argument("--json", action="store_true", help="print a JSON object")
    check = add("check", "check every byte; the exit code is 1 if one is damaged")
    check.add_argument("--json", action="store_true", help="print a JSON object")
    repair = add("repair", "write what can be read of a damaged or unfinished record to a new file")
    repair.add_argument("--to", type=Path, metavar="FILE", help="the new file (default: beside the old one)")
    resim = add("resim", "compute the run again and compare; the exit code is 1 if a value differs")
    resim.add_argument("--start", type=_seconds, metavar="S", help="begin at the last snapshot before this second")
    resim.add_argument("--end", type=_seconds, metavar="S", help="stop at this second")
    resim.add_argument(
        "--set", action="append", default=[], metavar="PATH=VALUE", help="change the cell file: what if? (repeatable)"
    )
    resim.add_argument("--json", action="store_true", help="print a JSON object")
    export = add("export", "write a record in another format")
    export.add_argument("--to", required=True, choices=EXPORTS, help="the format")
    export.add_argument("--output", type=Path, metavar="FILE", help="the new file (default: beside the record)")
    prune = add("prune", "delete the oldest runs that nobody has kept", record=False)
    prune.add_argument("--to-gb", type=float, required=True, metavar="GB", help="room that all runs may take")
    prune.add_argument("--dry-run", action="store_true", help="only say which")


def _add_tune(parser: argparse.ArgumentParser) -> None:
    drives = ("position", "pid", "velocity")
    parser.add_argument("robot", metavar="ROBOT", help="a robot of the catalogue, or the path of a robot file")
    parser.add_argument("--drive", choices=drives, default="position", help="kind of drive (default: position)")
    parser.add_argument(
        "--pace",
        metavar="SHARE",
        type=_share,
        default=1.0,
        help="response of the drive, from 0.01 to 1: the fastest stable one (default 1)",
    )
    parser.add_argument("--tool", metavar="NAME", help="a tool to mount at the tip")
    parser.add_argument("--tip", metavar="NAME", help="the end effector, if there are several")
    parser.add_argument("--base", metavar="NAME", help="the body that is the base, if not the root")
    parser.add_argument(
        "--name", default="arm", metavar="NAME", help="the robot's name in the cell file (default: arm)"
    )
    parser.add_argument("--write", metavar="FILE", help="also write the gains into this file")
    parser.add_argument("--out", metavar="FOLDER", default="tuning", help="folder for the plot (default: tuning)")
    parser.set_defaults(module="tune")


def _add_bench(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", choices=BENCHES, metavar="|".join(BENCHES))
    parser.add_argument("--peers", action="store_true", help="also measure other libraries, in the same run")
    parser.add_argument(
        "--json", action="store_true", help="print a JSON list; `met` tells you whether a row meets its bar"
    )
    parser.add_argument(
        "--write", action="store_true", help="save the rows in benchmarks/results and write them into the docs"
    )
    parser.set_defaults(module="bench")


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.0 < value <= 1e7:
        raise argparse.ArgumentTypeError(f"found {text}, expected a number of seconds above 0")
    return value


def _gigabytes(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.0 < value <= 1e6:
        raise argparse.ArgumentTypeError(f"found {text}, expected a number of gigabytes above 0")
    return value


def _share(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.01 <= value <= 1.0:
        raise argparse.ArgumentTypeError(f"found {text}, expected a number from 0.01 to 1")
    return value


def _rate(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 10.0 <= value <= 1000.0:
        raise argparse.ArgumentTypeError(f"found {text}, expected 10 to 1000 readings per second")
    return value


def _port(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= 65535:
        raise argparse.ArgumentTypeError(f"found {text}, expected a port from 1 to 65535")
    return int(text)
