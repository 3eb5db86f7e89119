"""The cell: the same inputs give the same ticks, invalid events are refused, and the world can change."""

import math
import pickle
from unittest.mock import patch

import msgspec
import pytest
from hands import BOX, Hand, random_inputs
from msgspec.structs import replace
from worded import worded

from farhand.cell import Cell
from farhand.kernels import compiled, uncompiled
from farhand.kernels.notice import NOT_IN_A_TICK
from farhand.loop import Run
from farhand.masters import Manual
from farhand.poses import Pose
from farhand.types import (
    AddObject,
    Event,
    Inputs,
    Load,
    MoveJoints,
    MoveObject,
    RemoveObject,
    Reset,
    ResetObjects,
    ResetRobot,
    SelectMapping,
    SetSpeed,
    Tick,
)
from farhand.world import CellWorker


@pytest.fixture
def cell() -> Cell:
    return Cell.load("irb120")


def test_the_same_inputs_give_the_same_ticks_to_the_bit() -> None:
    inputs = random_inputs(10_000, seed=6)
    first, second = Cell.load("irb120", seed=3), Cell.load("irb120", seed=3)
    ticks = [first.step(i) for i in inputs]
    middle = None
    for number, (given, tick) in enumerate(zip(inputs, ticks, strict=True)):
        if number == 5000:
            middle = second.snapshot()
        assert second.step(given) == tick
    # Once more from the middle, in a cell that has been elsewhere since.
    assert middle is not None
    first.restore(middle)
    for given, tick in zip(inputs[5000:], ticks[5000:], strict=True):
        assert first.step(given) == tick
    # The inputs were of some use: the arm moved, was stopped, objects came and went, and faults were looked for.
    modes = {tick.lanes["arm"].mode for tick in ticks}
    assert {"idle", "teleoperation", "autonomous", "stopped"} <= modes
    assert len({len(tick.state.objects) for tick in ticks}) > 1
    driving = [tick.lanes["arm"] for tick in ticks if tick.lanes["arm"].mode == "teleoperation"]
    assert {"joints", "base axes", "tool axes", "pointer", "generator"} <= {report.demand.source for report in driving}
    assert {"smooth", "workspace", "feed-forward"} <= {name for report in driving for name in report.off}


def test_the_seed_scatters_objects(cell: Cell) -> None:
    spec = replace(cell.spec, world=replace(cell.spec.world, scatter=0.02))
    one, same, other = (Cell(spec, cell.path, seed).state.objects["cube"] for seed in (1, 1, 2))
    assert one == same
    assert one != other
    assert math.dist(one.position, cell.state.objects["cube"].position) < 0.03


def test_no_kernel_compiles_in_the_middle_of_a_tick(cell: Cell) -> None:
    before = compiled()
    for given in random_inputs(1500, seed=11):
        cell.step(given)
    assert uncompiled(NOT_IN_A_TICK) == ()
    assert compiled() == before


def test_a_snapshot_is_a_plain_value_for_the_lanes(cell: Cell) -> None:
    hand = Hand(cell, "base axes")
    hand.send(MoveJoints("arm", (0.5, 0.2, 0.2, 0.3, 0.8, -0.4)))
    hand.drive(0.1)
    lanes = cell.snapshot().lanes
    assert pickle.loads(pickle.dumps(lanes["arm"].active)) == lanes["arm"].active


def test_a_tick_survives_json(cell: Cell) -> None:
    for given in random_inputs(300, seed=2):
        tick = cell.step(given)
        assert msgspec.json.decode(msgspec.json.encode(tick), type=Tick) == tick
        assert msgspec.msgpack.decode(msgspec.msgpack.encode(given), type=Inputs) == given
    first = Cell.load("irb120").step()
    assert msgspec.json.decode(msgspec.json.encode(first), type=Tick) == first


# ── What is refused ──────────────────────────────────────────────────────────────────────────────────────────────────


REFUSED: list[tuple[Event, str]] = [
    (MoveJoints("arm", (1.0,)), "Refused: arm has 6 joints, the goal has 1 numbers."),
    (MoveJoints("arm", (9.0, 0, 0, 0, 0, 0)), "Refused: Turn cannot go to 9; its range is -2.879 to 2.879."),
    (MoveJoints("arn"), "Refused: no robot is called 'arn' (did you mean 'arm'?); there are: arm."),
    (RemoveObject("cubes"), "no object is called 'cubes' (did you mean 'cube'?)"),
    (AddObject(replace(BOX, name="cube")), "the name 'cube' is taken in this world; names are unique"),
    (AddObject(replace(BOX, name="world")), "the name 'world' is taken in this world"),
    (AddObject(replace(BOX, name="floor")), "the name 'floor' is taken in this world"),
    (AddObject(replace(BOX, size=(0.0, 1.0, 1.0))), "every size must be between 0.0001 and 1000 m"),
    (MoveObject("cube", Pose((math.nan, 0.0, 0.0))), "that is not a valid pose"),
    (Load("arm", (math.inf, 0.0, 0.0)), "must be three forces of at most 100000 N"),
]


@pytest.mark.parametrize(("event", "sentence"), REFUSED)
def test_invalid_events_are_refused_and_change_nothing(cell: Cell, event: Event, sentence: str) -> None:
    other = Cell.load("irb120")
    tick = cell.step(Inputs(events=(event,)))
    assert sentence in worded(tick.notes[0])
    assert tick.notes[0].code == "cell.refused"
    calm = other.step()
    assert replace(tick, notes=()) == calm


def test_unknown_mappings_and_speeds_are_refused_by_the_lane(cell: Cell) -> None:
    tick = cell.step(Inputs(events=(SelectMapping("arm", "nonsense"), SetSpeed("arm", 9))))
    texts = [worded(note) for note in tick.lanes["arm"].notes]
    assert texts == [
        "Refused: arm has no control mode 'nonsense'; there are: base axes, tool axes, joints, pointer.",
        "Refused: speed 9 is not one of 1 to 5.",
    ]


# ── Worlds that change ───────────────────────────────────────────────────────────────────────────────────────────────


def test_objects_come_and_go_while_the_arm_moves(cell: Cell) -> None:
    hand = Hand(cell)
    hand.drive(0.4, 0.3, 0.2)
    lagging = []
    for event in (AddObject(BOX), MoveObject("table", Pose((0.3, 0.0, 0.29))), RemoveObject("extra")):
        hand.send(event)
        for _ in range(50):
            hand.tick = hand.run.tick()
            told = hand.tick.lanes["arm"].setpoints["arm"].positions
            lagging.append(max(abs(a - b) for a, b in zip(told, hand.joints, strict=True)))
    assert max(lagging) < math.radians(0.1)
    assert "extra" not in hand.tick.state.objects


def test_edits_enter_a_run_once_they_are_compiled_aside(cell: Cell) -> None:
    with CellWorker.open() as shop:
        shop.warm_up()
        run = Run(cell, {"hand": Manual()}, worker=shop)
        run.send(AddObject(BOX))
        run.send(RemoveObject("cube"))
        run.send(RemoveObject("nothing"))
        refused, within = [], patch("farhand.cell.runtime.compile_world", side_effect=AssertionError("within the tick"))
        with within:
            for _ in range(500_000):
                refused += [worded(note) for note in run.tick().notes]
                changed = "extra" in cell.state.objects and "cube" not in cell.state.objects
                if changed and any("nothing" in text for text in refused):
                    break
    assert "extra" in cell.state.objects
    assert "cube" not in cell.state.objects
    assert any("no object is called 'nothing'" in text for text in refused)


@pytest.mark.parametrize(
    ("name", "joint", "called"),
    [("irb120", 4, "wrist"), ("delta-scara", 3, "forearm"), ("delta-delta", 0, "upper arm 1")],
)
def test_a_diverging_link_has_the_operators_name_for_it(name: str, joint: int, called: str) -> None:
    cell = Cell.load(name)
    cell.world._qvel[cell.world.compiled.index.robots["arm"].arm.dofs[joint]] = 1e12
    (note,) = cell.step().notes
    said = f"The physics of the {called} of arm became unstable; the cell is frozen at its last good state."
    assert worded(note) == said


def test_a_runaway_freezes_the_cell_until_reset(cell: Cell) -> None:
    hand = Hand(cell)
    hand.drive(0.3, 0.2)
    cell.world._qvel[-1] = 1e12
    hand.tick = hand.run.tick()
    assert "became unstable" in worded(hand.tick.notes[0])
    hand.drive(0.1, 0.2)
    assert hand.mode == "fault"
    assert any("became unstable" in worded(note) for note in hand.tick.lanes["arm"].notes)
    hand.send(ResetObjects(), Reset())
    hand.drive(0.1)
    assert hand.mode == "idle"
    assert hand.tick.notes == ()


def test_thawing_does_not_lunge(cell: Cell) -> None:
    hand = Hand(cell)
    hand.drive(0.6, 1.0)
    cell.world._qvel[-1] = 1e12
    hand.drive(0.05, 1.0)
    frozen = hand.joints
    hand.send(ResetObjects(), Reset())
    hand.drive(0.5)
    assert hand.joints == pytest.approx(frozen, abs=0.01)


def test_reset_robot_puts_it_home_at_once(cell: Cell) -> None:
    hand = Hand(cell)
    hand.drive(0.8, 0.5, 0.3)
    hand.send(ResetRobot("arm"))
    hand.drive(0.004)
    assert hand.joints == pytest.approx(cell.lanes["arm"].home, abs=1e-3)
    hand.drive(0.5)
    assert hand.joints == pytest.approx(cell.lanes["arm"].home, abs=1e-4)
