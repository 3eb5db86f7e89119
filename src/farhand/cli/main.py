"""Arguments of every verb, and errors as sentences."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib import import_module

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
    "all",
)


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
        # The reader of our output went away; there is nobody left to tell.
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
        epilog="Without a verb: run the default cell.",
    )
    parser.add_argument("--version", action="version", version=f"farhand {__version__}")
    verbs = parser.add_subparsers(metavar="VERB", required=True)
    _add_run(verbs.add_parser("run", help="run a work cell"))
    _add_join(verbs.add_parser("join", help="drive a robot of a running server with a master that is here"))
    _add_list(verbs.add_parser("list", help="list robots, tools, masters, devices, mappings, filters, pieces or cells"))
    _add_experiment(verbs.add_parser("experiment", help="run a published experiment again, with plots and data"))
    _add_tune(verbs.add_parser("tune", help="find the gains of a robot's drive, and plot its step responses"))
    compile_ = verbs.add_parser("compile", help="compile the kernels ahead of their first use")
    compile_.set_defaults(module="compile")
    _add_bench(verbs.add_parser("bench", help="measure, beside a control; exits with 1 if a row is not as asked for"))
    return parser


def _add_run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("cell", nargs="*", metavar="CELL", help="names of cells, or paths of cell files")
    parser.add_argument("--robot", metavar="PATH", help="run a plain cell around this robot instead (URDF, MJCF, TOML)")
    parser.add_argument("--tip", metavar="NAME", help="with --robot: which end effector to drive")
    parser.add_argument("--base", metavar="NAME", help="with --robot: which body is the base")
    parser.add_argument("--tool", metavar="NAME", help="with --robot: a tool to mount at the tip")
    parser.add_argument("--seed", type=int, default=0, help="decides everything random (default 0)")
    parser.add_argument("--host", default="127.0.0.1", help="address to serve the page at (default: this machine only)")
    parser.add_argument("--port", type=_port, default=8090, help="port of the page (default 8090, or the next free)")
    parser.add_argument("--door", type=_port, default=0, help="port for masters elsewhere (default: any free one)")
    parser.add_argument("--exam", action="store_true", help="print a second link: a page with pictures and no poses")
    parser.add_argument(
        "--no-spare",
        dest="spare",
        action="store_false",
        help="keep no loaded process in reserve: less memory, slow recovery",
    )
    parser.add_argument("--no-browser", dest="browser", action="store_false", help="do not open a browser")
    parser.add_argument("--headless", action="store_true", help="without a page: print what the robots do")
    parser.add_argument(
        "--seconds",
        type=_seconds,
        help="with --headless: how long (default: as long as the masters' scripts last, or 10)",
    )
    parser.add_argument("--fast", action="store_true", help="with --headless: as fast as can be, not in real time")
    parser.add_argument("--json", action="store_true", help="with --headless: print one JSON object per line")
    parser.set_defaults(module="run")


def _add_join(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("url", metavar="URL", help="the address that farhand run printed, with its token")
    parser.add_argument(
        "--master",
        required=True,
        metavar="NAME",
        help="a kind of master or a device (see farhand list), a .toml file with a master's table, or a .py file that "
        "registers one",
    )
    parser.add_argument("--cell", default="", metavar="NAME", help="which cell, if the server has several")
    parser.add_argument("--robot", default="", metavar="NAME", help="which robot, if the cell has several")
    parser.add_argument("--name", default="", help="what the others see (default: the master's name and this host)")
    parser.add_argument("--rate", type=_rate, default=500.0, help="readings a second (default 500)")
    parser.add_argument("--door", default="", metavar="HOST:PORT", help="where the server's door is, behind a tunnel")
    parser.add_argument("--language", default="en", metavar="CODE", help="the language of notes: en, de (default en)")
    parser.add_argument("--reset", action="store_true", help="reset the robot once if it is stopped, then press afresh")
    parser.set_defaults(module="join")


def _add_list(parser: argparse.ArgumentParser) -> None:
    kinds = ("robots", "tools", "masters", "devices", "mappings", "filters", "pieces", "surfaces", "cells")
    parser.add_argument("kind", choices=kinds, metavar="|".join(kinds))
    parser.add_argument("--json", action="store_true", help="print a JSON list")
    parser.set_defaults(module="list")


def _add_experiment(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", default="", metavar="NAME", help="which one; left out: list them")
    parser.add_argument("--seconds", type=_seconds, help="virtual seconds to run for (default: the experiment's own)")
    docs = parser.add_mutually_exclusive_group()
    docs.add_argument("--write", action="store_true", help="write the figures into the docs; without a name: all")
    docs.add_argument("--check", action="store_true", help="compare the docs with a new run; without a name: all")
    parser.add_argument(
        "--docs", metavar="FILE", default="docs/results.md", help="which page (default: docs/results.md)"
    )
    parser.add_argument("--out", metavar="FOLDER", default="experiments", help="where to write (default: experiments)")
    parser.set_defaults(module="experiment")


def _add_tune(parser: argparse.ArgumentParser) -> None:
    drives = ("position", "pid", "velocity")
    parser.add_argument("robot", metavar="ROBOT", help="a name of the catalogue, or the path of a robot's file")
    parser.add_argument("--drive", choices=drives, default="position", help="which kind of drive (default: position)")
    parser.add_argument(
        "--pace", type=_share, default=1.0, help="how brisk, from 0 to 1, which is as brisk as can be (the default)"
    )
    parser.add_argument("--tool", metavar="NAME", help="a tool to mount at the tip")
    parser.add_argument("--tip", metavar="NAME", help="which end effector, if there are several")
    parser.add_argument("--base", metavar="NAME", help="which body is the base, if not the root")
    parser.add_argument("--name", default="arm", help="the robot's name in the cell file (default: arm)")
    parser.add_argument("--write", metavar="FILE", help="write the gains there, too")
    parser.add_argument("--out", metavar="FOLDER", default="tuning", help="where the plot goes (default: tuning)")
    parser.set_defaults(module="tune")


def _add_bench(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", choices=BENCHES, metavar="|".join(BENCHES))
    parser.add_argument("--peers", action="store_true", help="measure other libraries beside ours, in the same run")
    parser.add_argument("--json", action="store_true", help="print a JSON list, with `met` for each row")
    parser.add_argument(
        "--write", action="store_true", help="keep the rows in benchmarks/results, write them into docs"
    )
    parser.set_defaults(module="bench")


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.0 < value <= 1e7:
        raise argparse.ArgumentTypeError(f"{text} is not a number of seconds above 0")
    return value


def _share(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.01 <= value <= 1.0:
        raise argparse.ArgumentTypeError(f"{text} is not a share from 0.01 to 1")
    return value


def _rate(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 10.0 <= value <= 1000.0:
        raise argparse.ArgumentTypeError(f"{text} is not a rate from 10 to 1000 a second")
    return value


def _port(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= 65535:
        raise argparse.ArgumentTypeError(f"{text} is not a port, a number from 1 to 65535")
    return int(text)
