"""Warnings of a cell about the set-up of its robots."""

import math
from pathlib import Path
from typing import Any

import msgspec
import pytest
from worded import worded

from farhand.cell import Cell
from farhand.cell.cell_spec import CellSpec
from farhand.cli.robot_lines import Reporter
from farhand.server.cell_process.frame_publisher import FramePublisher
from farhand.server.protocol.internal_messages import Frame
from farhand.types import Inputs, Reading, Vector

COMPLIANCE: dict[str, Any] = {"kind": "compliance", "threshold": 40}
UNSLOWED = (
    "Compliance yields above 40 N, but does not slow the approach: "
    "at full speed the first push may be many times harder. "
)

SLAB = {"name": "slab", "size": [0.6, 0.6, 0.1], "position": [0.0, 0.0, 0.4], "mass": 0.0}


def cell_of(model: str, *objects: dict[str, Any], **more: Any) -> Cell:
    robot = {"model": model, "position": [0.0, 0.0, 1.0], "filters": [{"kind": "scale"}, COMPLIANCE], **more}
    table = {"name": "test", "speeds": [1.0], "speed_level": 1, "robots": {"arm": robot}, "world": {"objects": objects}}
    return Cell(msgspec.convert(table, CellSpec), Path("test.toml"))


@pytest.mark.parametrize(
    ("model", "way_out"),
    [
        ("irb120", "With `avoid` the arm approaches slowly."),
        ("delta", "`avoid` is for arms whose joints form a chain; for this arm, `limits` can keep every motion slow."),
    ],
)
def test_compliance_alone_is_warned_of_because_it_does_not_slow_the_approach(
    model: str, way_out: str, capsys: pytest.CaptureFixture[str]
) -> None:
    cell = cell_of(model)
    (note,) = [note for note in cell.notes()["arm"] if note.code.startswith("cell.unslowed")]
    assert worded(note) == UNSLOWED + way_out
    Reporter(cell).introduce()
    assert f"  note: {worded(note)}\n" in capsys.readouterr().out
    (entry,) = FramePublisher(cell, 1, list[Frame]().append).note_log.since(0)
    assert (entry.robot, worded(entry.note)) == ("arm", worded(note))


@pytest.mark.parametrize("more", [{"avoid": {}}, {"filters": [{"kind": "scale"}]}], ids=["avoid", "no compliance"])
def test_there_is_no_warning_about_an_arm_with_avoidance_or_without_compliance(more: dict[str, Any]) -> None:
    cell = cell_of("irb120", **more)
    assert not cell.notes()["arm"]
    assert not FramePublisher(cell, 1, list[Frame]().append).note_log.since(0)


@pytest.mark.parametrize(
    ("more", "warned"),
    [
        ({}, True),
        ({"feedback": {"scale": 0.0}}, False),
        ({"avoid": {}}, False),
        ({"filters": [{"kind": "scale"}, COMPLIANCE], "avoid": {}}, False),
        ({"master": "keys"}, False),
    ],
    ids=["plain", "no feedback", "avoid", "both", "no force"],
)
def test_force_feedback_without_protection_is_warned_of(more: dict[str, Any], warned: bool) -> None:
    masters = {
        "touch": {"kind": "modelled", "device": "touch", "intent": {"kind": "manual"}},
        "keys": {"kind": "manual"},
    }
    robot = {"model": "irb120", "position": [0.0, 0.0, 1.0], "master": "touch", "filters": [{"kind": "scale"}], **more}
    table = {"name": "test", "speeds": [1.0], "speed_level": 1, "robots": {"arm": robot}, "masters": masters}
    cell = Cell(msgspec.convert(table, CellSpec), Path("test.toml"))
    codes = [note.code for note in cell.notes()["arm"]]
    assert codes == (["cell.unprotected"] if warned else [])
    assert [worded(entry.note) for entry in FramePublisher(cell, 1, list[Frame]().append).note_log.since(0)] == [
        worded(note) for note in cell.notes()["arm"]
    ]


def hardest(cell: Cell, axes: Vector) -> float:
    """Return the force (N) with which a tip is pressed onto something at most, jogged at full speed."""
    found, after = 0.0, 0
    while after < 600:
        hand = Reading(sequence=cell.number + 1, tick=cell.number, deadman=cell.number > 1, axes=axes)
        found = max(found, math.hypot(*cell.step(Inputs({"hand": hand})).state.robots["arm"].contact.force))
        after += found > 0.0
    return found


@pytest.mark.parametrize(
    ("mapping", "axes"),
    [({"kind": "jog-tip", "speed": 0.25}, (0.0, 0.0, -1.0)), ({"kind": "jog-joints", "share": 0.5}, (-1.0,) * 3)],
    ids=["tip", "joints"],
)
def test_the_warning_about_a_delta_is_true_and_its_advice_helps(mapping: dict[str, Any], axes: Vector) -> None:
    usual = [{"kind": "scale"}, {"kind": "smooth"}]
    slow = [*usual, {"kind": "limits", "speed": 0.1}]
    forces = [
        hardest(cell_of("delta", SLAB, mappings={"jog": mapping}, filters=[*filters, COMPLIANCE]), axes)
        for filters in (usual, slow)
    ]
    assert forces[0] > 1.5 * COMPLIANCE["threshold"]
    assert forces[1] < 1.1 * COMPLIANCE["threshold"]
