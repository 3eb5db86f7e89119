"""``farhand records``: list, show, check, repair, re-simulate, export and delete the records of runs."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from farhand.extras import require_extra

__all__ = ["main"]

Progress = Callable[[int, int], None]


def main(options: argparse.Namespace) -> int:
    """Carry out one command on records and return an exit code."""
    require_extra("records", "records of runs need packages of their own")
    command: Callable[[argparse.Namespace], int] = COMMANDS[options.command]
    return command(options)


def _list(options: argparse.Namespace) -> int:
    """Print the runs of the data folder, the newest first."""
    from farhand.records.data_folder import room, runs_folder
    from farhand.records.index import RunIndex

    folder = runs_folder(options.folder)
    index = RunIndex(folder)
    index.refresh(_bar("Reading records"))
    found = index.runs(options.search or "", limit=options.limit)
    if options.json:
        print(json.dumps([msgspec.to_builtins(summary) for summary in found], indent=2))
        return 0
    for summary in found:
        marks = [word for word, holds in (("kept", summary.kept), ("unfinished", not summary.finished)) if holds]
        line = f"{_shown(summary.run):<36}  {_duration(summary.duration):>8}  {summary.size / 1e6:7.1f} MB"
        print(f"{line}  {', '.join(marks):<10}  {_shown(summary.title)}".rstrip())
    for name, reason in index.unreadable.items():
        print(f"{_shown(name)}: {reason}", file=sys.stderr)
    free = room(folder)
    print(f"{index.count()} runs in {folder}, {free.used / 1e9:.2f} GB; room for {free.left / 1e9:.1f} GB more.")
    return 0


def _show(options: argparse.Namespace) -> int:
    """Print what a record holds."""
    from farhand.records import open as open_record
    from farhand.records.build_info import build_differences

    with open_record(_path(options)) as record:
        table: dict[str, Any] = {
            **msgspec.to_builtins(record.info),
            "duration": record.duration,
            "last": record.last,
            "finished": record.finished,
            "complete": record.complete,
            "problems": list(record.problems),
            "gaps": msgspec.to_builtins(record.gaps),
            "episodes": msgspec.to_builtins(record.episodes),
            "bookmarks": msgspec.to_builtins(record.bookmarks),
            "notes": len(record.notes),
            "contacts": sum(entry.kind == "begin" for entry in record.contacts),
            "snapshots": [saved.number for saved in record.snapshots()],
            "differences": list(build_differences(record.info)),
        }
        if options.signals:
            table["signals"] = list(record.signals())
    if options.json:
        print(json.dumps(table, indent=2))
        return 0
    table["started"] = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(table["started"] / 1e9))
    for key, value in table.items():
        if isinstance(value, list):
            print(f"{key:<12} {len(value)}")
            for item in value:
                print(f"  {_shown(item)}")
        elif value not in ("", None):
            print(f"{key:<12} {_shown(value)}")
    return 0


def _check(options: argparse.Namespace) -> int:
    """Check every byte of a record; the exit code is 1 if it is damaged."""
    from farhand.records import check

    report = check(_path(options), _bar("Checking"))
    if options.json:
        print(json.dumps(msgspec.to_builtins(report), indent=2))
    else:
        _print_report(report.problems, report.gaps)
        state = "finished" if report.finished else "not finished (a run that is recorded now, or broke off)"
        print(f"{'No damage found' if report.good else 'DAMAGED'}: {report.chunks} chunks, {state}.")
    return 0 if report.good else 1


def _repair(options: argparse.Namespace) -> int:
    """Write what can be read of a damaged or unfinished record to a new file."""
    from farhand.records import repair

    path = _path(options)
    target = options.to or path.with_name(f"{path.stem}-repaired.mcap")
    if target.exists():
        print(f"farhand: {target} exists; name another file with --to", file=sys.stderr)
        return 2
    report = repair(path, target, _bar("Repairing"))
    _print_report(report.problems, ())
    print(f"Written to {target}; the old file is unchanged.")
    return 0


def _resim(options: argparse.Namespace) -> int:
    """Compute a run again and compare it with the record; the exit code is 1 if a value differs."""
    from farhand.records import open as open_record
    from farhand.records import resimulate

    with open_record(_path(options)) as record:
        start = None if options.start is None else record.first + round(options.start / record.info.timestep)
        end = None if options.end is None else record.first + round(options.end / record.info.timestep)
        found = resimulate(record, start, end, _bar("Computing"), tuple(options.set))
    if options.json:
        print(json.dumps(msgspec.to_builtins(found), indent=2))
        return 0 if found.equal or options.set else 1
    for sentence in found.build:
        print(f"Another build: {_shown(sentence)}.")
    span = f"ticks {found.first} to {found.last}, {found.compared} compared"
    if found.difference is None:
        print(f"Equal to the bit: {span}.")
        return 0
    first = found.difference
    print(f"Differs from tick {first.tick} on ({span}).")
    if first.path:
        was, now = _shown(first.kept), _shown(first.again)
        print(f"First value, at tick {first.path_tick}: {_shown(first.path)} was {was}, is {now}.")
    return 0 if options.set else 1


def _export(options: argparse.Namespace) -> int:
    """Write a record in another format."""
    from farhand.records import open as open_record
    from farhand.records.exporters import EXPORTERS

    path = _path(options)
    exporter = EXPORTERS[options.to]
    target = options.output or path.with_suffix(f".{options.to}")
    if target.exists():
        print(f"farhand: {target} exists; name another file with --output", file=sys.stderr)
        return 2
    with open_record(path) as record:
        exporter(record, target, _bar("Writing"))
    print(f"Written to {target}.")
    return 0


def _prune(options: argparse.Namespace) -> int:
    """Delete the oldest runs that nobody has kept, until the rest fits."""
    from farhand.records.data_folder import Stored, prunable, runs_folder
    from farhand.records.index import RunIndex

    folder = runs_folder(options.folder)
    index = RunIndex(folder)
    index.refresh(_bar("Reading records"))
    files = [Stored(folder / run.file, run.size, run.kept) for run in index.runs(limit=10**9)]
    gone = prunable(files, 0, round(options.to_gb * 1e9))
    for path in gone:
        print(f"{'Would delete' if options.dry_run else 'Deleting'} {_shown(path.name)}")
        if not options.dry_run:
            path.unlink(missing_ok=True)
    print(f"{len(gone)} of {len(files)} runs {'would be ' if options.dry_run else ''}deleted.")
    return 0


COMMANDS = {
    "list": _list,
    "show": _show,
    "check": _check,
    "repair": _repair,
    "resim": _resim,
    "export": _export,
    "prune": _prune,
}


def _path(options: argparse.Namespace) -> Path:
    """Return the path of a record: a file, or a run of the data folder."""
    from farhand.records.data_folder import runs_folder

    path = Path(options.record)
    if path.exists() or path.suffix:
        return path
    return runs_folder(options.folder) / f"{options.record}.mcap"


def _print_report(problems: tuple[str, ...], gaps: tuple[str, ...]) -> None:
    for sentence in (*problems, *gaps):
        print(f"- {_shown(sentence)}")


def _shown(value: object) -> str:
    """Return a value as one line without control characters: a record may come from a stranger."""
    from farhand.records.errors import printable

    return printable(str(value), 200)


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}" if minutes >= 60 else f"{minutes}:{rest:02}"


def _bar(title: str) -> Progress | None:
    """Return what draws a bar in a terminal; None elsewhere."""
    if not sys.stderr.isatty():
        return None
    width = max(10, min(40, shutil.get_terminal_size().columns - len(title) - 10))

    def draw(done: int, whole: int) -> None:
        share = done / whole if whole else 1.0
        filled = round(width * share)
        end = "\n" if done >= whole else ""
        print(
            f"\r{title} {'█' * filled}{'░' * (width - filled)} {100 * share:3.0f} %",
            end=end,
            file=sys.stderr,
            flush=True,
        )

    return draw
