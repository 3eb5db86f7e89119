"""Published figures: kept in a file with date, code and machine, and written to the docs from it.

`farhand bench NAME --write` keeps the rows in ``benchmarks/results/NAME.json`` and writes a table to the page that
contains ``<!-- farhand bench NAME -->`` and ``<!-- end -->``. A test compares pages and files, so no figure is typed.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from farhand.errors import CommandError
from farhand_bench.rows import Row

__all__ = ["Kept", "block", "code_version", "keep", "page_of", "read_kept", "write_block"]

END = "<!-- end -->"
HEAD = "| | median | p99 | | target |\n|---|---|---|---|---|"
LAST_QUANTITY = re.compile(r"^(?P<name>.+), (?P<amount>-?\d+(?:\.\d+)?) (?P<unit>\S+)$")


class Kept(Struct, frozen=True, kw_only=True):
    """A kept run of a benchmark.

    Args:
        name: Name of the benchmark.
        date: Date of the run.
        code: Version of the code, by git.
        machine: Processor, cores, load and Python.
        rows: Its rows.
    """

    name: str
    date: str
    code: str
    machine: str
    rows: tuple[Row, ...]


def keep(folder: Path, kept: Kept) -> None:
    """Write a run to its file."""
    folder.mkdir(parents=True, exist_ok=True)
    text = msgspec.json.format(msgspec.json.encode(kept), indent=1).decode()
    (folder / f"{kept.name}.json").write_text(text + "\n", encoding="utf-8")


def read_kept(path: Path) -> Kept:
    """Return the run in a file.

    Raises:
        CommandError: If there is none.
    """
    try:
        return msgspec.json.decode(path.read_bytes(), type=Kept)
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}") from error
    except msgspec.MsgspecError as error:
        raise CommandError(f"{path} contains no run of a benchmark: {error}") from error


def page_of(docs: Path, name: str) -> Path:
    """Return the page with the markers of a benchmark.

    Raises:
        CommandError: If no page has one.
    """
    for path in sorted(docs.glob("*.md")):
        if _begin(name) in path.read_text(encoding="utf-8"):
            return path
    raise CommandError(
        f"no page in {docs} has markers for {name!r}: put {_begin(name)} and {END} on lines of their own"
    )


def write_block(page: str, kept: Kept) -> str:
    """Return a page with the figures of a run between their markers.

    Raises:
        CommandError: If the page has no markers for them.
    """
    before, found, rest = page.partition(_begin(kept.name))
    _, closed, after = rest.partition(END)
    if not found or not closed:
        raise CommandError(f"the page has no markers for {kept.name!r}: put {_begin(kept.name)} and {END} there")
    return f"{before}{_begin(kept.name)}\n{block(kept)}\n{END}{after}"


def block(kept: Kept) -> str:
    """Return the figures of a run as Markdown; rows that differ only in their last quantity share one line."""
    about = f"`farhand bench {kept.name}` on {kept.date}: code {kept.code}, {kept.machine}."
    return "\n".join([about, "", HEAD, *[_line(name, rows) for name, rows in _grouped(kept.rows).items()]])


def code_version(folder: Path) -> str:
    """Return the version of the code in a folder, by git; "unknown" without git."""
    command = ["git", "-C", str(folder), "describe", "--always", "--dirty=+", "--exclude=*"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def _begin(name: str) -> str:
    return f"<!-- farhand bench {name} -->"


def _grouped(rows: Sequence[Row]) -> Mapping[str, list[Row]]:
    """Return rows by their titles: "understood, 30 dB" and "understood, 6 dB" are "understood: 30, 6 dB"."""
    groups: dict[tuple[str, str, str, str], list[tuple[str, Row]]] = {}
    for k, row in enumerate(rows):
        found = LAST_QUANTITY.match(row.name)
        key = (found["name"], found["unit"], row.unit, row.bar) if found else (row.name, "", str(k), row.bar)
        groups.setdefault(key, []).append((found["amount"] if found else "", row))
    titled: dict[str, list[Row]] = {}
    for (name, unit, _, _), members in groups.items():
        amounts = ", ".join(amount for amount, _ in members)
        titled[f"{name}: {amounts} {unit}" if unit else f"{name}\0{len(titled)}"] = [row for _, row in members]
    return titled


def _line(title: str, rows: Sequence[Row]) -> str:
    name, first = title.partition("\0")[0], rows[0]
    alone = all(row.median == row.p99 for row in rows)
    p99 = "" if alone else ", ".join(_number(row.p99) for row in rows)
    mark = " **not met**" if any(row.met is False for row in rows) else ""
    indent = "· " if name.startswith(" ") else ""
    medians = ", ".join(_number(row.median) for row in rows)
    return f"| {indent}{name.strip()} | {medians} | {p99} | {first.unit} | {first.bar or 'control'}{mark} |"


def _number(value: float) -> str:
    """Return a number with three digits, or as an integer if it has more."""
    text = f"{value:.3g}" if abs(value) < 1000.0 else f"{value:,.0f}"
    return text.replace("-", "−")
