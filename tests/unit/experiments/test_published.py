"""A run writes the figures in the docs, and a table shows the differences of a later run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from paths import ROOT

from farhand.cli import main
from farhand.errors import CommandError
from farhand.experiments import EXPERIMENTS, Figure, Outcome
from farhand.experiments.published import differences, published, rows_of, write

PLACE = "<!-- farhand experiment isomeric -->\n| figure | value | bar |\n|---|---|---|\n<!-- end -->\n"
PAGE = f"# Measured\n\n{PLACE}More.\n"
FIGURES = (
    Figure("circle: error", 0.1912, "mm", 2.0),
    Figure("eight: error", 0.2, "mm", 2.0),
    Figure("energy", -0.21, "mJ", -1.0, "at least"),
    *[Figure(f"joint {k}: effort", 4.0 * k, "%", 100.0) for k in range(1, 8)],
    Figure("over", 10.0, "s"),
)


def test_figures_of_the_same_kind_share_a_row() -> None:
    assert [row.text for row in rows_of(FIGURES)] == [
        "| error: circle, eight | 0.191, 0.2 mm | ≤ 2 mm |",
        "| energy | −0.21 mJ | ≥ −1 mJ |",
        "| effort: joint 1 to joint 7, range | 4 to 28 % | ≤ 100 % |",
        "| over | 10 s | reported |",
    ]


def test_a_page_gives_back_what_was_written_and_keeps_the_rest() -> None:
    rows = rows_of(FIGURES)
    page = write(PAGE, "isomeric", rows)
    assert published(page, "isomeric") == rows
    assert page.startswith("# Measured\n")
    assert page.endswith("<!-- end -->\nMore.\n")
    assert write(page, "isomeric", rows) == page
    with pytest.raises(CommandError, match="no place for 'velocity': put <!-- farhand experiment velocity -->"):
        published(page, "velocity")


def test_differences_are_a_table_and_last_digits_are_none() -> None:
    old, new = rows_of(FIGURES), rows_of((Figure("circle: error", 0.1935, "mm", 2.0), *FIGURES[1:]))
    assert differences({"isomeric": (old, new)}) == ""
    new = rows_of((Figure("circle: error", 0.25, "mm", 2.0), *FIGURES[1:-1]))
    told = [line.split("  ") for line in differences({"isomeric": (old, new)}).splitlines()]
    assert [[text.strip() for text in line if text.strip()] for line in told] == [
        ["experiment", "figure", "in the docs", "now"],
        ["isomeric", "error: circle, eight", "0.191, 0.2 mm (≤ 2 mm)", "0.25, 0.2 mm (≤ 2 mm)"],
        ["isomeric", "over", "10 s (reported)", "missing"],
    ]


def test_the_command_writes_checks_and_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page, value = tmp_path / "results.md", [0.5]
    page.write_text(PAGE)

    def run(_: float | None) -> Outcome:
        return Outcome("x", (Figure("error", value[0], "mm", 1.0),), {"time (s)": np.zeros(2)}, ())

    monkeypatch.setitem(EXPERIMENTS._items, "isomeric", run)
    command = ["experiment", "isomeric", "--docs", str(page)]
    assert main([*command, "--check"]) == 1  # nothing is written yet
    assert main([*command, "--write"]) == 0
    assert "| error | 0.5 mm | ≤ 1 mm |" in page.read_text()
    assert main([*command, "--check"]) == 0
    value[0] = 0.6
    capsys.readouterr()
    assert main([*command, "--check"]) == 1
    assert "0.5 mm (≤ 1 mm)  0.6 mm (≤ 1 mm)" in capsys.readouterr().out
    assert main(["experiment", "--check", "--docs", str(tmp_path / "none.md")]) == 2
    assert main(["experiment", "isomerc", "--check", "--docs", str(page)]) == 2
    assert "did you mean 'isomeric'?" in capsys.readouterr().err


def test_the_docs_have_a_place_with_figures_for_every_experiment() -> None:
    page = (ROOT / "docs/results.md").read_text()
    for name in EXPERIMENTS:
        assert published(page, name), name
