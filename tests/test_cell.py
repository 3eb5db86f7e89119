"""The cell: the same inputs give the same ticks, it follows, it stops, and it says why."""

import math
import pickle
from itertools import pairwise
from random import Random
from unittest.mock import patch

import msgspec
import pytest
from msgspec.structs import replace

from farhand import poses
from farhand.cell import Cell
from farhand.kernels import uncompiled
from farhand.loop import Run
from farhand.masters import Manual
from farhand.poses import Pose
from farhand.types import (
    AddObject,
    ClearLoad,
    Continue,
    Event,
    GripRate,
    HoldHere,
    Inputs,
    JointRates,
    Load,
    Motion,
    MoveJoints,
    MoveObject,
    ObjectSpec,
    Reading,
    RemoveObject,
    Reset,
    ResetObjects,
    ResetRobot,
    RobotState,
    SelectMapping,
    SetSpeed,
    Stop,
    Tick,
    TipTwist,
)
from farhand.world import Workshop

BOX = ObjectSpec(name="extra", size=(0.05, 0.05, 0.05), position=(0.5, 0.3, 0.7))


@pytest.fixture
def cell() -> Cell:
    return Cell.load("irb120")


class Hand:
    """A run with a hand that tests move, and short words for what they look at."""

    def __init__(self, cell: Cell, mapping: str = "joints", speed: int = 5) -> None:
        self.cell, self.hand = cell, Manual()
        self.run = Run(cell, {"hand": self.hand})
        self.send(SelectMapping("arm", mapping), SetSpeed("arm", speed))
        self.tick = self.run.tick()

    def send(self, *events: Event) -> None:
        for event in events:
            self.run.send(event)

    def drive(self, seconds: float, *axes: float) -> Tick:
        """Hold axes for some time; without any, hold nothing."""
        self.hand.set(axes=axes, deadman=bool(axes))
        self.tick = self.run.run(seconds)
        return self.tick

    @property
    def joints(self) -> tuple[float, ...]:
        return self.tick.state.robots["arm"].groups["arm"].positions

    @property
    def tip(self) -> Pose:
        return self.tick.state.robots["arm"].T_base_tip

    @property
    def mode(self) -> str:
        return self.tick.lanes["arm"].mode

    @property
    def codes(self) -> list[str]:
        return [note.code for note in self.tick.lanes["arm"].notes]


def random_inputs(ticks: int, seed: int) -> list[Inputs]:
    """Return readings and events of every kind at random, as a restless operator would send them."""
    random, inputs = Random(seed), []
    axes: tuple[float, ...] = (0.0,) * 7
    held = False
    for number in range(1, ticks + 1):
        if random.random() < 0.004:
            held = not held
        if random.random() < 0.01:
            axes = tuple(random.choice((-1.0, 0.0, 0.0, 1.0)) for _ in range(7))
        readings = {}
        if random.random() < 0.95:
            readings["hand"] = Reading(sequence=number, deadman=held, axes=axes, tick=number - 1)
        events: list[Event] = []
        if random.random() < 0.004:
            events.append(random.choice(_EVENTS))
        inputs.append(Inputs(readings, tuple(events)))
    return inputs


_EVENTS: list[Event] = [
    SelectMapping("arm", "joints"),
    SelectMapping("arm", "base axes"),
    SelectMapping("arm", "tool axes"),
    SetSpeed("arm", 3),
    SetSpeed("arm", 5),
    MoveJoints("arm"),
    HoldHere("arm"),
    Continue("arm"),
    Stop(),
    Reset(),
    Reset(),
    AddObject(BOX),
    RemoveObject("extra"),
    MoveObject("cube", Pose((0.4, 0.1, 0.8))),
    ResetObjects(),
    ResetRobot("arm"),
    Load("arm", (0.0, 5.0, -10.0)),
    ClearLoad("arm"),
]


def test_the_same_inputs_give_the_same_ticks_to_the_bit() -> None:
    inputs = random_inputs(10_000, seed=5)
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
    # The inputs were of some use: the arm moved, was stopped, and objects came and went.
    modes = {tick.lanes["arm"].mode for tick in ticks}
    assert {"idle", "teleoperation", "autonomous", "stopped"} <= modes
    assert len({len(tick.state.objects) for tick in ticks}) > 1


def test_the_seed_scatters_objects(cell: Cell) -> None:
    spec = replace(cell.spec, world=replace(cell.spec.world, scatter=0.02))
    one, same, other = (Cell(spec, cell.path, seed).state.objects["cube"] for seed in (1, 1, 2))
    assert one == same
    assert one != other
    assert math.dist(one.position, cell.state.objects["cube"].position) < 0.03


def test_no_kernel_compiles_in_the_middle_of_a_tick(cell: Cell) -> None:
    for given in random_inputs(1500, seed=11):
        cell.step(given)
    assert uncompiled() == ()


# ── Jogging ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_joint_jog_turns_each_joint_and_only_that(cell: Cell) -> None:
    hand = Hand(cell)
    for joint in range(6):
        start = hand.joints
        axes = tuple(0.4 if i == joint else 0.0 for i in range(6))
        hand.drive(0.5, *axes)
        hand.drive(0.5)
        moved = [b - a for a, b in zip(start, hand.joints, strict=True)]
        top = cell.lanes["arm"].model.arm.joints[joint].velocity
        assert moved[joint] == pytest.approx(0.4 * 0.5 * top * 0.5, rel=0.35)
        assert max(abs(m) for i, m in enumerate(moved) if i != joint) < 1e-3


@pytest.mark.parametrize(("mapping", "axis"), [(m, a) for m in ("base axes", "tool axes") for a in range(6)])
def test_tip_jog_follows_its_axis_straight(cell: Cell, mapping: str, axis: int) -> None:
    hand = Hand(cell, mapping)
    start = hand.tip
    hand.drive(0.4, *[0.6 if i == axis else 0.0 for i in range(6)])
    hand.drive(0.5)
    frame = poses.IDENTITY.rotation if mapping == "base axes" else start.rotation
    unit = poses.rotate(frame, (float(axis % 3 == 0), float(axis % 3 == 1), float(axis % 3 == 2)))
    shift = tuple(b - a for a, b in zip(start.position, hand.tip.position, strict=True))
    turn = poses.rotation_vector(poses.multiply(hand.tip.rotation, poses.conjugate(start.rotation)))
    along, aside = (shift, turn) if axis < 3 else (turn, shift)
    size = sum(a * u for a, u in zip(along, unit, strict=True))
    assert size > 0.03
    # Straight within half a millimetre, and nothing but that: a turn leaves the tip in place, a shift its direction.
    assert math.dist(along, tuple(size * u for u in unit)) < (5e-4 if axis < 3 else 2e-3)
    assert math.hypot(*aside) < (2e-3 if axis < 3 else 5e-4)


def test_speed_levels_scale_the_motion(cell: Cell) -> None:
    ways = []
    for level in (1, 3, 5):
        hand = Hand(Cell.load("irb120"), "base axes", level)
        start = hand.tip
        hand.drive(1.0, 0.0, 0.0, 1.0)
        ways.append(math.dist(start.position, hand.tip.position))
    assert ways[1] / ways[0] == pytest.approx(5.0, rel=0.1)
    assert ways[2] / ways[1] == pytest.approx(4.0, rel=0.15)


def test_the_target_is_the_last_target_not_the_sagging_joint(cell: Cell) -> None:
    hand = Hand(cell)
    start = hand.joints
    hand.send(Load("arm", (0.0, 0.0, -30.0)))
    for _ in range(20):  # tap by tap: a target taken from the measured joint would sink with every tap
        hand.drive(0.02, 0.1)
        hand.drive(0.05)
    assert hand.joints[1] == pytest.approx(start[1], abs=math.radians(0.1))


def test_reengaging_does_not_jump(cell: Cell) -> None:
    hand = Hand(cell, "base axes")
    hand.drive(0.5, 0.5, 0.2, -0.3)
    hand.drive(1.0)
    before = hand.tick.lanes["arm"].setpoints["arm"].positions
    for _ in range(10):
        hand.drive(0.01, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        hand.hand.set(deadman=True)
        hand.tick = hand.run.tick()
    after = hand.tick.lanes["arm"].setpoints["arm"].positions
    assert max(abs(a - b) for a, b in zip(before, after, strict=True)) < 1e-4


def test_the_gripper_grasps_and_lifts(cell: Cell) -> None:
    hand = Hand(Cell.load("irb120-grasp"), "base axes", 3)
    hand.drive(0.2)
    hand.drive(1.05, 0.0, 0.0, -1.0)
    hand.drive(0.3)
    hand.drive(1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0)
    hand.drive(0.8, 0.0, 0.0, 1.0)
    hand.drive(1.0)
    assert hand.tick.state.objects["cube"].position[2] > 0.75
    assert hand.tick.state.robots["arm"].touching
    held = hand.tip.position[2] - hand.tick.state.objects["cube"].position[2]
    hand.drive(5.0)
    assert hand.tip.position[2] - hand.tick.state.objects["cube"].position[2] == pytest.approx(held, abs=5e-4)


# ── Limits ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_joint_stops_at_its_limit_and_says_so_and_comes_back(cell: Cell) -> None:
    hand = Hand(cell)
    hand.drive(4.0, 0.0, 0.0, 0.0, 0.0, 1.0)
    upper = cell.lanes["arm"].model.arm.joints[4].upper
    assert hand.joints[4] == pytest.approx(upper, abs=2e-3)
    assert "servo.limit" in hand.codes
    assert any(note.text == "Wrist is at its upper limit." for note in hand.tick.lanes["arm"].notes)
    hand.drive(0.4, 0.0, 0.0, 0.0, 0.0, -1.0)
    assert hand.joints[4] < upper - 0.1
    assert "servo.limit" not in hand.codes


def test_the_work_space_is_not_left_and_can_be_slid_along(cell: Cell) -> None:
    hand = Hand(cell, "base axes")
    box = next(f for f in cell.lanes["arm"].filters if type(f).__name__ == "Workspace")
    hand.drive(3.0, 0.0, 0.0, -1.0)
    assert hand.tip.position[2] >= box.lower[2] - 1e-3  # type: ignore[attr-defined]
    before = hand.tip.position
    hand.drive(1.0, 0.0, 1.0, 0.0)
    assert hand.tip.position[1] - before[1] > 0.1


def test_a_blocked_arm_waits_for_itself_and_says_so(cell: Cell) -> None:
    hand = Hand(cell, "base axes")
    hand.send(AddObject(ObjectSpec(name="wall", size=(0.1, 1.0, 1.0), position=(0.52, 0.0, 1.1), mass=0.0)))
    hand.drive(3.0, 1.0)
    assert "guard.lag" in hand.codes
    lead = [abs(a - b) for a, b in zip(hand.tick.lanes["arm"].setpoints["arm"].positions, hand.joints, strict=True)]
    assert max(lead) < math.radians(0.8)
    assert hand.tick.state.robots["arm"].touching
    assert hand.tick.state.robots["arm"].contact.force[0] < -1.0
    blocked = hand.tip.position[0]
    hand.drive(0.6, -1.0)
    assert hand.tip.position[0] < blocked - 0.05


def test_straight_out_is_slowed_never_frozen(cell: Cell) -> None:
    hand = Hand(cell, "base axes")
    hand.drive(4.0, 1.0, 0.0, 0.5)
    far = hand.tip.position
    assert math.hypot(*far) > 0.5
    hand.drive(1.0, -1.0, 0.0, -0.5)
    assert math.dist(far, hand.tip.position) > 0.05


# ── Stopping ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_stop_is_latched_and_needs_reset_and_a_fresh_press(cell: Cell) -> None:
    hand = Hand(cell)
    hand.drive(0.5, 0.5)
    hand.send(Stop())
    hand.drive(0.3, 0.5)
    stopped = hand.joints
    assert hand.mode == "stopped"
    assert "Stopped: Stop was pressed." in [note.text for note in hand.tick.lanes["arm"].notes]
    hand.drive(0.5, 0.5)
    hand.send(Reset())
    hand.drive(0.5, 0.5)
    assert hand.mode == "idle"
    assert hand.joints == pytest.approx(stopped, abs=1e-3)
    hand.drive(0.1)
    hand.drive(0.3, 0.5)
    assert hand.mode == "teleoperation"
    assert hand.joints[0] > stopped[0] + 0.05


def test_a_stop_brakes_within_the_limits(cell: Cell) -> None:
    hand = Hand(cell)
    hand.drive(0.6, 1.0, 0.5)
    joint = cell.lanes["arm"].model.arm.joints[0]
    rate = hand.tick.lanes["arm"].setpoints["arm"].rates[0]
    hand.send(Stop())
    ticks = 0
    while any(hand.tick.lanes["arm"].setpoints["arm"].rates):
        hand.tick = hand.run.tick()
        ticks += 1
        assert abs(hand.tick.lanes["arm"].setpoints["arm"].accelerations[0]) <= joint.acceleration + 1e-9
        assert ticks < 500
    assert ticks * cell.dt < rate / joint.acceleration + 2 * joint.acceleration / joint.jerk + 0.02


def silent(hand: Hand, seconds: float) -> None:
    for _ in range(round(seconds / hand.cell.dt)):
        hand.tick = hand.cell.step()


def test_silence_pauses_and_a_short_one_goes_on(cell: Cell) -> None:
    hand = Hand(cell)
    hand.drive(0.5, 0.5)
    silent(hand, 0.3)
    assert hand.mode == "paused"
    assert not any(hand.tick.lanes["arm"].setpoints["arm"].rates)
    hand.run._feedback["hand"] = replace(hand.run._feedback["hand"], tick=hand.cell.number)
    hand.drive(0.3, 0.5)
    assert hand.mode == "teleoperation"


def test_a_long_silence_stops(cell: Cell) -> None:
    hand = Hand(cell)
    hand.drive(0.5, 0.5)
    silent(hand, 1.2)
    assert hand.mode == "stopped"
    hand.run._feedback["hand"] = replace(hand.run._feedback["hand"], tick=hand.cell.number)
    hand.drive(0.3, 0.5)
    assert hand.mode == "stopped"


def test_a_broken_reading_stops(cell: Cell) -> None:
    hand = Hand(cell)
    hand.drive(0.5, 0.5)
    tick = cell.step(Inputs({"hand": Reading(sequence=10_000, deadman=True, axes=(math.nan,))}))
    assert tick.lanes["arm"].mode == "stopped"


def test_the_wrong_master_moves_nothing(cell: Cell) -> None:
    for number in range(1, 200):
        tick = cell.step(Inputs({"stranger": Reading(sequence=number, deadman=number > 5, axes=(1.0,))}))
    assert tick.lanes["arm"].mode == "idle"


# ── Autonomous moves ─────────────────────────────────────────────────────────────────────────────────────────────


def test_home_brings_the_arm_home_exactly(cell: Cell) -> None:
    hand = Hand(cell)
    hand.drive(0.8, 0.5, -0.3, 0.2, 0.5)
    hand.drive(0.2)
    hand.send(MoveJoints("arm"))
    hand.tick = hand.run.tick()
    assert hand.mode == "autonomous"
    hand.tick = hand.run.run(5.0, until=lambda t: t.lanes["arm"].mode == "idle")
    assert hand.mode == "idle"
    hand.drive(0.3)
    assert hand.joints == pytest.approx(cell.lanes["arm"].home, abs=2e-3)


def test_a_press_takes_over_without_a_jump_and_continue_resumes(cell: Cell) -> None:
    hand = Hand(cell, "base axes")
    goal = (1.0, 0.2, 0.2, 0.3, 0.8, -0.4)
    hand.send(MoveJoints("arm", goal))
    hand.drive(0.25)
    assert hand.mode == "autonomous"
    rates = [hand.tick.lanes["arm"].setpoints["arm"].rates]
    hand.hand.set(deadman=True, axes=(0.0, 0.0, 0.5))
    for _ in range(100):
        hand.tick = hand.run.tick()
        rates.append(hand.tick.lanes["arm"].setpoints["arm"].rates)
    assert hand.mode == "teleoperation"
    jumps = [
        abs(b - a) / joint.acceleration
        for before, after in pairwise(rates)
        for a, b, joint in zip(before, after, cell.lanes["arm"].model.arm.joints, strict=True)
    ]
    assert max(jumps) <= cell.dt + 1e-9
    hand.drive(1.0)
    assert hand.mode == "idle"
    assert max(abs(a - b) for a, b in zip(hand.joints, goal, strict=True)) > 0.1
    hand.send(Continue("arm"))
    hand.drive(0.1)
    assert hand.mode == "autonomous"
    hand.drive(4.0)
    assert hand.joints == pytest.approx(goal, abs=2e-3)


REFUSED: list[tuple[Event, str]] = [
    (MoveJoints("arm", (1.0,)), "Refused: arm has 6 joints, the goal has 1 numbers."),
    (MoveJoints("arm", (9.0, 0, 0, 0, 0, 0)), "Refused: Turn cannot go to 9; its range is -2.879 to 2.879."),
    (MoveJoints("arn"), "Refused: no robot is called 'arn' (did you mean 'arm'?); there are: arm."),
    (RemoveObject("cubes"), "no object is called 'cubes' (did you mean 'cube'?)"),
    (AddObject(replace(BOX, name="cube")), "the world already has something called 'cube'; names are unique"),
    (AddObject(replace(BOX, name="world")), "the world already has something called 'world'"),
    (AddObject(replace(BOX, name="floor")), "the world already has something called 'floor'"),
    (AddObject(replace(BOX, size=(0.0, 1.0, 1.0))), "every size must be between 0.0001 and 1000 m"),
    (MoveObject("cube", Pose((math.nan, 0.0, 0.0))), "that is no pose"),
    (Load("arm", (math.inf, 0.0, 0.0)), "is not a force of sensible size"),
]


@pytest.mark.parametrize(("event", "sentence"), REFUSED)
def test_what_does_not_fit_is_refused_and_changes_nothing(cell: Cell, event: Event, sentence: str) -> None:
    other = Cell.load("irb120")
    tick = cell.step(Inputs(events=(event,)))
    assert sentence in tick.notes[0].text
    assert tick.notes[0].code == "cell.refused"
    calm = other.step()
    assert replace(tick, notes=()) == calm


def test_unknown_mappings_and_speeds_are_refused_by_the_lane(cell: Cell) -> None:
    tick = cell.step(Inputs(events=(SelectMapping("arm", "nonsense"), SetSpeed("arm", 9))))
    texts = [note.text for note in tick.lanes["arm"].notes]
    assert texts == [
        "arm has no mapping 'nonsense'; there are: joints, base axes, tool axes.",
        "Speed 9 is not one of 1 to 5.",
    ]


# ── Worlds that change ───────────────────────────────────────────────────────────────────────────────────────────


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


def test_a_runaway_freezes_the_cell_until_reset(cell: Cell) -> None:
    hand = Hand(cell)
    hand.drive(0.3, 0.2)
    cell.world._qvel[-1] = 1e12
    hand.tick = hand.run.tick()
    assert "ran away" in hand.tick.notes[0].text
    hand.drive(0.1, 0.2)
    assert hand.mode == "fault"
    assert any("ran away" in note.text for note in hand.tick.lanes["arm"].notes)
    hand.send(ResetObjects(), Reset())
    hand.drive(0.1)
    assert hand.mode == "idle"
    assert hand.tick.notes == ()


def test_reset_robot_puts_it_home_at_once(cell: Cell) -> None:
    hand = Hand(cell)
    hand.drive(0.8, 0.5, 0.3)
    hand.send(ResetRobot("arm"))
    hand.drive(0.004)
    assert hand.joints == pytest.approx(cell.lanes["arm"].home, abs=1e-3)
    hand.drive(0.5)
    assert hand.joints == pytest.approx(cell.lanes["arm"].home, abs=1e-4)


# ── What a fresh reader of the rules would try ───────────────────────────────────────────────────────────────────


def wall_ahead(hand: Hand) -> None:
    hand.send(AddObject(ObjectSpec(name="wall", size=(0.1, 1.0, 1.0), position=(0.52, 0.0, 1.1), mass=0.0)))


def test_nothing_is_chased_after_letting_go(cell: Cell) -> None:
    hand = Hand(cell, "base axes")
    wall_ahead(hand)
    hand.drive(2.0, 1.0)
    hand.drive(3.0)
    assert hand.mode == "idle"
    before = hand.tip.position[0]
    told = hand.tick.lanes["arm"].setpoints["arm"].positions
    hand.send(RemoveObject("wall"))
    hand.drive(2.0)
    # What the stiff drive was bent by springs back; nothing is driven.
    assert hand.tick.lanes["arm"].setpoints["arm"].positions == pytest.approx(told, abs=1e-6)
    assert hand.tip.position[0] - before < 0.012


@pytest.mark.parametrize("level", [1, 3, 5])
def test_the_way_out_of_a_work_space_face_is_free_at_once(cell: Cell, level: int) -> None:
    hand = Hand(cell, "base axes")
    hand.drive(3.0, 0.0, 0.0, -1.0)
    hand.send(SetSpeed("arm", level))
    hand.drive(1.0, 0.0, 0.0, -1.0)
    low = hand.tip.position[2]
    hand.drive(0.5, 0.0, 0.0, 1.0)
    share = (0.05, 0.1, 0.25, 0.5, 1.0)[level - 1]
    assert hand.tip.position[2] - low > 0.25 * share * 0.2


def test_a_turn_that_ends_at_a_joint_limit_does_not_drag_the_tip(cell: Cell) -> None:
    hand = Hand(cell, "tool axes")
    hand.drive(0.3)
    start = hand.tip.position
    hand.drive(9.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)
    assert "servo.limit" in hand.codes
    assert math.dist(start, hand.tip.position) < 0.03
    turned = hand.tip.rotation
    hand.drive(0.5, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0)
    assert poses.angle_between(turned, hand.tip.rotation) > 0.2


def test_a_stop_without_a_reason_stops(cell: Cell) -> None:
    hand = Hand(cell)
    hand.drive(0.3, 0.5)
    hand.send(Stop(reason=""))
    hand.drive(0.1, 0.5)
    assert hand.mode == "stopped"


def test_a_broken_event_loses_no_stop_and_leaves_nothing_half_done(cell: Cell) -> None:
    hand = Hand(cell)
    hand.drive(0.3, 0.5)
    broken = MoveObject("cube", Pose((0.0, 0.0, 1.0), (1.0, 0.0, 0.0)))  # type: ignore[arg-type] # on purpose
    hand.send(broken, Load("arm", (1.0,)), Stop())  # type: ignore[arg-type] # on purpose
    hand.drive(0.002, 0.5)
    assert hand.mode == "stopped"
    assert [note.code for note in hand.tick.notes] == ["cell.refused", "cell.refused"]
    hand.drive(0.1)


NONSENSE: list[tuple[str, Motion]] = [
    ("is not a number", JointRates((math.nan,) * 6)),
    ("is not a number", TipTwist((math.nan, 0.0, 0.0), (0.0, 0.0, 0.0))),
    ("is not a number", TipTwist((0.0, 0.0, 0.0), (0.0, math.inf, 0.0))),
    ("has 1 joint rates; the arm has 6 joints", JointRates((1.0,))),
    ("is nothing it can do", GripRate(0.1)),
]


@pytest.mark.parametrize(("words", "motion"), NONSENSE)
def test_a_mapping_that_asks_for_nonsense_stops_its_robot(cell: Cell, words: str, motion: Motion) -> None:
    hand = Hand(cell)
    with patch.dict(cell.lanes["arm"].mappings, {"joints": Always(motion)}):
        hand.drive(0.2, 0.5)
    assert hand.mode == "stopped"
    assert any(words in note.text for note in hand.tick.lanes["arm"].notes)
    hand.send(Reset())
    hand.drive(0.1)
    start = hand.joints[0]
    hand.drive(0.4, 0.5)
    assert hand.joints[0] > start + 0.05


class Always:
    """A mapping that always asks for the same."""

    feel = "Odd."

    def __init__(self, motion: Motion) -> None:
        self.motion = motion

    def __call__(self, reading: Reading, robot: RobotState, memory: object) -> tuple[dict[str, Motion], object]:
        del reading, robot
        return {"arm": self.motion}, memory


def test_a_stage_that_breaks_stops_its_robot_and_no_other(cell: Cell) -> None:
    robots = {name: replace(cell.spec.robots["arm"], position=(0.0, y, 0.6)) for name, y in (("a", 0.0), ("b", 3.0))}
    two = Cell(replace(cell.spec, robots=robots), cell.path)
    hand = Manual()
    run = Run(two, {"hand": hand})
    run.run(0.1)
    two.lanes["b"].mappings["joints"] = None  # type: ignore[assignment] # on purpose
    hand.set(deadman=True, axes=(0.5,))
    tick = run.run(0.5)
    assert (tick.lanes["a"].mode, tick.lanes["b"].mode) == ("teleoperation", "fault")
    assert tick.state.robots["a"].groups["arm"].positions[0] > 0.05
    assert "a stage of b broke (TypeError" in tick.lanes["b"].notes[0].text
    assert tick.number == two.number


def test_a_lost_operator_pauses_a_move(cell: Cell) -> None:
    hand = Hand(cell, speed=3)
    hand.send(MoveJoints("arm", (1.0, 0.2, 0.2, 0.3, 0.8, -0.4)))
    hand.drive(0.2)
    assert hand.mode == "autonomous"
    silent(hand, 0.3)
    assert hand.mode == "paused"
    silent(hand, 1.0)
    assert hand.mode == "stopped"


def test_moves_that_cannot_start_are_refused_with_a_reason(cell: Cell) -> None:
    hand = Hand(cell)
    hand.send(Continue("arm"))
    hand.drive(0.002)
    assert hand.tick.lanes["arm"].notes[0].text == "arm cannot move by itself: there is no move to continue."
    hand.drive(0.2, 0.5)
    hand.send(MoveJoints("arm"))
    hand.drive(0.002, 0.5)
    assert hand.tick.lanes["arm"].notes[0].text == "arm cannot move by itself: somebody is driving; let go first."
    assert hand.mode == "teleoperation"
    hand.send(Stop(), MoveJoints("arm"))
    hand.drive(0.1)
    assert hand.mode == "stopped"


def test_the_speed_level_counts_in_the_middle_of_a_move(cell: Cell) -> None:
    hand = Hand(cell)
    hand.send(MoveJoints("arm", (2.5, 0.2, 0.2, 0.3, 0.8, -0.4)))
    hand.drive(0.3)
    hand.send(SetSpeed("arm", 1))
    hand.drive(0.5)
    assert hand.mode == "autonomous"
    rate = max(map(abs, hand.tick.state.robots["arm"].groups["arm"].rates))
    assert 0.0 < rate < 0.06 * 4.36


def test_a_move_that_cannot_get_on_is_given_up(cell: Cell) -> None:
    hand = Hand(cell)
    hand.send(MoveJoints("arm", (0.0, 1.5, 0.6, 0.0, 0.5, 0.0)))  # below the work space
    seen = set()
    for _ in range(3000):
        hand.tick = hand.run.tick()
        seen |= set(hand.codes)
        if hand.mode == "idle":
            break
    assert hand.mode == "idle"
    assert "lane.stuck" in seen


def test_a_snapshot_is_a_plain_value_for_the_lanes(cell: Cell) -> None:
    hand = Hand(cell, "base axes")
    hand.send(MoveJoints("arm", (0.5, 0.2, 0.2, 0.3, 0.8, -0.4)))
    hand.drive(0.1)
    lanes = cell.snapshot().lanes
    assert pickle.loads(pickle.dumps(lanes["arm"].move)) == lanes["arm"].move


def test_reset_robot_needs_a_fresh_press(cell: Cell) -> None:
    hand = Hand(cell)
    hand.drive(0.5, 0.5)
    hand.send(ResetRobot("arm"))
    hand.drive(0.3, 0.5)
    assert hand.mode == "idle"
    assert hand.joints == pytest.approx(cell.lanes["arm"].home, abs=1e-3)


def test_thawing_does_not_lunge(cell: Cell) -> None:
    hand = Hand(cell)
    hand.drive(0.6, 1.0)
    cell.world._qvel[-1] = 1e12
    hand.drive(0.05, 1.0)
    frozen = hand.joints
    hand.send(ResetObjects(), Reset())
    hand.drive(0.5)
    assert hand.joints == pytest.approx(frozen, abs=0.01)


def test_a_robot_pushed_beyond_its_limits_stops(cell: Cell) -> None:
    hand = Hand(cell)
    hand.drive(0.1)
    hand.send(Load("arm", (0.0, 3000.0, 0.0)))
    hand.drive(0.5)
    assert hand.mode == "stopped"
    assert any("was pushed" in note.text for note in hand.tick.lanes["arm"].notes)


def test_an_empty_list_of_filters_keeps_the_speed_level(cell: Cell) -> None:
    robots = {"arm": replace(cell.spec.robots["arm"], filters=())}
    hand = Hand(Cell(replace(cell.spec, robots=robots), cell.path), speed=1)
    hand.drive(1.0, 1.0)
    assert abs(hand.tick.lanes["arm"].setpoints["arm"].rates[0]) == pytest.approx(0.05 * 0.5 * 4.36, rel=0.01)


def test_the_gripper_opens_at_once_after_pressing_long(cell: Cell) -> None:
    hand = Hand(Cell.load("irb120-grasp"), "base axes", 3)
    hand.drive(0.2)
    hand.drive(1.05, 0.0, 0.0, -1.0)
    hand.drive(0.3)
    hand.drive(2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0)
    held = hand.tick.state.robots["arm"].groups["gripper"].positions[0]
    hand.drive(0.15, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)
    assert hand.tick.state.robots["arm"].groups["gripper"].positions[0] > held + 0.005


def test_refused_readings_and_strangers_are_said(cell: Cell) -> None:
    cell.step(Inputs({"hand": Reading(sequence=5)}))
    tick = cell.step(Inputs({"hand": Reading(sequence=5), "hnad": Reading(sequence=1)}))
    assert [note.code for note in tick.lanes["arm"].notes] == ["lane.reading"]
    assert tick.notes[0].text == "No robot is driven by a master called 'hnad'; its readings are ignored."


def test_a_tick_survives_json(cell: Cell) -> None:
    for given in random_inputs(300, seed=2):
        tick = cell.step(given)
        assert msgspec.json.decode(msgspec.json.encode(tick), type=Tick) == tick
        assert msgspec.msgpack.decode(msgspec.msgpack.encode(given), type=Inputs) == given
    first = Cell.load("irb120").step()
    assert msgspec.json.decode(msgspec.json.encode(first), type=Tick) == first


def test_edits_enter_a_run_once_they_are_compiled_aside(cell: Cell) -> None:
    with Workshop.open() as shop:
        shop.warm_up()
        run = Run(cell, {"hand": Manual()}, workshop=shop)
        run.send(AddObject(BOX))
        run.send(RemoveObject("cube"))
        run.send(RemoveObject("nothing"))
        refused, within = [], patch("farhand.cell.cell.compile_world", side_effect=AssertionError("within the tick"))
        with within:
            for _ in range(500_000):
                refused += [note.text for note in run.tick().notes]
                if refused and "extra" in cell.state.objects and "cube" not in cell.state.objects:
                    break
    assert "extra" in cell.state.objects
    assert "cube" not in cell.state.objects
    assert "no object is called 'nothing'" in refused[0]


def test_why_nothing_moves_is_said(cell: Cell) -> None:
    hand = Hand(cell)
    hand.hand.set(axes=(0.5,))
    hand.tick = hand.run.tick()
    assert hand.codes == ["lane.deadman"]
    other = Hand(Cell.load("irb120"))
    other.send(Stop())
    other.drive(0.05, 0.5)
    other.send(Reset())
    other.drive(0.05, 0.5)
    assert other.codes == ["lane.press"]
