"""Figures of benchmarks in the docs: written from the files that runs have kept, and from nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from paths import ROOT

from farhand.cli import main
from farhand.errors import CommandError
from farhand_bench.published import Kept, block, keep, page_of, read_kept, write_block
from farhand_bench.rows import Row

PLACE = re.compile(r"<!-- farhand bench (\S+) -->")
KEPT = Kept(
    name="ears",
    date="1 May 2026",
    code="abc1234",
    machine="a machine",
    rows=(
        Row("understood, 30 dB", 97.25, 97.25, "%", "reported"),
        Row("understood, 6 dB", 41.0, 41.0, "%", "reported"),
        Row("time", 120.0, 300.0, "ms", "≤ 100 ms"),
        Row("  bare", 1234.5, 1300.0, "ms"),
    ),
)
BLOCK = """`farhand bench ears` on 1 May 2026: code abc1234, a machine.

| | median | p99 | | target |
|---|---|---|---|---|
| understood: 30, 6 dB | 97.2, 41 |  | % | reported |
| time | 120 | 300 | ms | ≤ 100 ms **not met** |
| · bare | 1,234 | 1,300 | ms | control |"""


def places() -> list[tuple[Path, str]]:
    return [(path, name) for path in sorted((ROOT / "docs").glob("*.md")) for name in PLACE.findall(path.read_text())]


def test_every_place_in_the_docs_holds_the_run_that_is_kept() -> None:
    found = places()
    assert {name for _, name in found} == {path.stem for path in (ROOT / "benchmarks/results").glob("*.json")}
    for path, name in found:
        kept = read_kept(ROOT / f"benchmarks/results/{name}.json")
        assert write_block(path.read_text(), kept) == path.read_text(), f"`farhand bench {name} --write`"


def test_rows_that_differ_in_their_last_quantity_share_a_line_and_a_bar_that_is_not_met_is_marked() -> None:
    assert block(KEPT) == BLOCK


def test_a_run_is_kept_and_written_into_its_place(tmp_path: Path) -> None:
    keep(tmp_path / "results", KEPT)
    assert read_kept(tmp_path / "results/ears.json") == KEPT
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- farhand bench ears -->\nold\n<!-- end -->\nafter\n<!-- end -->\n")
    assert page_of(tmp_path, "ears") == page
    assert write_block(page.read_text(), KEPT) == (
        f"before\n<!-- farhand bench ears -->\n{BLOCK}\n<!-- end -->\nafter\n<!-- end -->\n"
    )


def test_a_missing_place_is_said_before_anything_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "docs").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("farhand_bench.voice.measure", lambda: pytest.fail("it measures"))
    assert main(["bench", "voice", "--write"]) == 2
    assert "no page in docs has markers for 'voice': put <!-- farhand bench voice --> and" in capsys.readouterr().err


def test_a_file_that_holds_no_run_is_said(tmp_path: Path) -> None:
    (tmp_path / "ears.json").write_text("{}")
    with pytest.raises(CommandError, match=r"ears\.json contains no run of a benchmark: Object missing required field"):
        read_kept(tmp_path / "ears.json")
    with pytest.raises(CommandError, match="cannot be read: No such file"):
        read_kept(tmp_path / "eyes.json")


def test_write_keeps_the_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/page.md").write_text("<!-- farhand bench voice -->\n<!-- end -->\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("farhand_bench.voice.measure", lambda: list(KEPT.rows[:2]))
    assert main(["bench", "voice", "--write"]) == 0
    assert read_kept(tmp_path / "benchmarks/results/voice.json").rows == KEPT.rows[:2]
    assert "| understood: 30, 6 dB | 97.2, 41 |" in (tmp_path / "docs/page.md").read_text()
