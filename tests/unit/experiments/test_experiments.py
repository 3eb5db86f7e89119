"""Experiments meet their bars, repeat to the bit, and write readable data and plots."""

from __future__ import annotations

import csv
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from paths import ROOT

from farhand.cli import main
from farhand.errors import CommandError
from farhand.experiments import EXPERIMENTS, Figure, Level, Outcome, Panel, PlotLine, drawing, table
from farhand.experiments.velocity import BLOCKED, STROKE_S, _stroke, _track

SHORT = {
    "velocity": 6.0,
    "contact": 4.0,
    "isomorphic": 4.0,
    "isomeric": 4.0,
    "telemax-steps": 1.6,
    "telemax-spiral": 3.0,
    "telemax-paths": 3.0,
}
LONG = {"telemax-paths"}  # even so
DOCS = ROOT / "docs/results.md"
SVG = "{http://www.w3.org/2000/svg}"


def value(outcome: Outcome, name: str) -> float:
    return next(figure.value for figure in outcome.figures if figure.name == name)


def test_there_is_a_short_run_for_each() -> None:
    assert sorted(SHORT) == list(EXPERIMENTS)


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.slow) if n in LONG else n for n in SHORT])
def test_an_experiment_meets_its_bars(name: str) -> None:
    outcome = EXPERIMENTS[name](SHORT[name])
    assert [figure for figure in outcome.figures if not figure.met] == []
    assert sum(figure.bar is not None for figure in outcome.figures) >= 2
    assert len({len(column) for column in outcome.columns.values()}) == 1
    assert all(np.isfinite(column).all() for column in outcome.columns.values())
    assert len(outcome.panels) >= 4
    if name == "velocity":  # a robot that stood still with its hand would have no error either
        for arm in ("IRB 120", "UR5e", "PUMA"):
            assert np.ptp(outcome.columns[f"{arm}, circle: tip y (m)"]) == pytest.approx(0.12, abs=0.002)
            assert np.ptp(outcome.columns[f"{arm}, strokes: tip y (m)"]) == pytest.approx(0.16, abs=0.005)


def test_motions_are_as_large_as_expected() -> None:
    """A robot that stood still would have no error either."""
    assert value(EXPERIMENTS["isomeric"](6.5), "size of the path") == pytest.approx(120.0, abs=2.0)
    assert value(EXPERIMENTS["isomorphic"](4.0), "largest joint angle") > 10.0


def test_it_repeats_to_the_bit() -> None:
    first, second = EXPERIMENTS["isomeric"](2.0), EXPERIMENTS["isomeric"](2.0)
    assert first.figures == second.figures
    assert all((first.columns[name] == second.columns[name]).all() for name in first.columns)


@pytest.mark.slow
@pytest.mark.parametrize("name", list(SHORT))
def test_at_full_length_it_meets_its_bars_and_agrees_with_the_docs(name: str) -> None:
    assert main(["experiment", name, "--check", "--docs", str(DOCS)]) == 0


@pytest.mark.slow
def test_the_shift_of_a_blocked_tip_does_not_depend_on_rounding() -> None:
    """With a straight wrist too it did: 92 to 132 mm, another figure on every processor."""
    homes = [tuple(q + shift for q in BLOCKED.singular) for shift in (0.0, 1e-10)]
    first, second = (_track(BLOCKED.model, home, _stroke(BLOCKED.axis), STROKE_S, 12.0) for home in homes)
    assert first.off > 10.0
    assert second.off == pytest.approx(first.off, rel=1e-4)


def test_a_run_that_is_too_short_is_refused() -> None:
    with pytest.raises(CommandError, match="needs at least 6 s to show anything, found 1"):
        EXPERIMENTS["velocity"](1.0)


# ── The command line ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_without_a_name_they_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["experiment"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == sorted(SHORT)
    assert all(line.endswith(".") for line in lines)


def test_data_and_a_drawing_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["experiment", "isomeric", "--seconds", "2", "--out", str(tmp_path / "new")]) == 0
    out = capsys.readouterr().out
    assert "largest distance from the mapped path" in out
    assert "at most 0.5 mm" in out
    with (tmp_path / "new/isomeric.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 1000
    assert float(rows[-1]["time (s)"]) == pytest.approx(2.0)
    ElementTree.parse(tmp_path / "new/isomeric.svg")


def test_a_bar_that_is_not_met_is_an_exit_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = Outcome("Bad.", (Figure("error", 2.0, "mm", 1.0),), {"time (s)": np.zeros(2)}, ())
    monkeypatch.setitem(EXPERIMENTS._items, "isomeric", lambda _: bad)
    assert main(["experiment", "isomeric", "--out", str(tmp_path)]) == 1
    assert "NOT MET" in capsys.readouterr().out


def test_an_unknown_experiment_and_a_folder_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["experiment", "contct"]) == 2
    assert "no experiment is called 'contct' (did you mean 'contact'?)" in capsys.readouterr().err
    (tmp_path / "file").write_text("")
    assert main(["experiment", "isomeric", "--seconds", "2", "--out", str(tmp_path / "file")]) == 2
    assert "cannot be written to" in capsys.readouterr().err


# ── Drawing ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_drawing_shows_every_line_peak_and_bar() -> None:
    x = np.linspace(0.0, 1.0, 100_000)
    y = np.zeros_like(x)
    y[54_321] = 1.0  # a peak of one sample
    panel = Panel(
        "A <b> & c", "time (s)", "mm", (PlotLine("y", x, y), PlotLine("asked", x, y, asked=True)), (Level("bar", 2.0),)
    )
    root = ElementTree.fromstring(drawing("Title", [panel]))
    lines = root.findall(f"{SVG}polyline")
    assert len(lines) == 2
    assert [float(line.attrib["stroke-width"]) > 5.0 for line in lines] == [True, False]  # the command lies below
    heights = [float(point.split(",")[1]) for point in lines[1].attrib["points"].split()]
    assert max(heights) - min(heights) > 50.0  # the peak was not thinned away
    assert len(heights) < 1300
    texts = {text.text for text in root.iter(f"{SVG}text")}
    assert {"Title", "A <b> & c", "time (s)", "mm", "y", "asked", "bar"} <= texts


def test_a_path_is_drawn_with_equal_axes() -> None:
    angle = np.linspace(0.0, 2.0 * np.pi, 200)
    circle = PlotLine("circle", np.cos(angle), np.sin(angle))
    root = ElementTree.fromstring(drawing("", [Panel("", "", "", (circle,), square=True)]))
    line = root.find(f"{SVG}polyline")
    assert line is not None
    points = np.array([[float(v) for v in point.split(",")] for point in line.attrib["points"].split()])
    assert np.ptp(points[:, 0]) == pytest.approx(np.ptp(points[:, 1]), abs=0.2)


def test_a_line_that_never_changes_can_be_drawn() -> None:
    flat = PlotLine("flat", np.array([0.0, 1.0]), np.zeros(2))
    ElementTree.fromstring(drawing("", [Panel("", "", "", (flat,))]))


def test_a_table_says_what_is_asked_and_whether_it_is_met() -> None:
    text = table([Figure("energy", -2.0, "mJ", -1.0, "at least"), Figure("told", 1.0, "s")])
    assert text.splitlines() == [
        "energy          -2 mJ     at least -1 mJ      NOT MET",
        "told             1 s",
    ]
