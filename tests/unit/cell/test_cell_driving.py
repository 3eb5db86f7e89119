"""Driving a cell: the robot follows the hand, keeps its limits, and can always move back."""

import math
from random import Random

import pytest
from hands import Hand, rough_cell, wall_ahead
from msgspec.structs import replace
from worded import worded

from farhand import poses
from farhand.cell import Cell
from farhand.poses import Vec3
from farhand.types import (
    AddObject,
    Load,
    ObjectSpec,
    RemoveObject,
    SetSpeed,
)


@pytest.fixture
def cell() -> Cell:
    return Cell.load("irb120")


@pytest.fixture
def rough() -> Cell:
    return rough_cell()


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


@pytest.mark.parametrize("level", [3, 5])
@pytest.mark.parametrize("axes", [(1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, 1.0)], ids=["ahead", "right", "up"])
def test_a_tip_that_is_led_on_where_the_arm_ends_stays_by_its_way(axes: tuple[float, ...], level: int) -> None:
    hand = Hand(Cell.load("irb120"), "base axes", level)
    start = hand.tip.position
    hand.drive(7.0, *axes)
    shift = [b - a for a, b in zip(start, hand.tip.position, strict=True)]
    along = sum(a * b for a, b in zip(shift, axes, strict=True))
    assert along > 0.15
    # no further aside than its target leads, where it would have slid along the edge of what it reaches by decimetres
    assert math.dist(shift, [along * a for a in axes]) < (0.012 if level == 3 else 0.04)
    before = hand.joints
    hand.drive(0.5, *axes)
    assert math.dist(before, hand.joints) < 2e-3  # it stands
    hand.drive(1.0, *[-a for a in axes])
    assert math.dist(start, hand.tip.position) < along - 0.03


def _aside(start: Vec3, end: Vec3, axes: tuple[float, ...]) -> float:
    """Return how far a tip is beside the way that it was led."""
    size, shift = math.hypot(*axes[:3]), [b - a for a, b in zip(start, end, strict=True)]
    way = [a / size for a in axes[:3]]
    along = sum(a * b for a, b in zip(shift, way, strict=True))
    return math.dist(shift, [along * a for a in way])


LED_ON = [
    (0.0, 0.0, 1.0),
    (0.0, -1.0, 0.5),
    (1.0, -0.8, 1.0),
    (-0.8, 1.0, 0.2),
    (0.5, 0.9, 1.0),
    (1.0, 0.0, 0.0, 0.0, 1.0, 0.0),
    (0.0, 0.0, 1.0, 0.0, 0.5, 0.0),
]


@pytest.mark.parametrize("axes", LED_ON, ids=str)
def test_an_arm_that_is_led_on_for_long_stands_by_its_way_and_says_why(axes: tuple[float, ...]) -> None:
    hand = Hand(rough_cell(), "base axes")
    start = hand.tip.position
    hand.drive(8.0, *axes)
    assert _aside(start, hand.tip.position, axes) < 0.06
    told, notes = [], 0
    for _ in range(200):
        hand.drive(0.002, *axes)
        told.append(hand.tick.lanes["arm"].setpoints["arm"].positions)
        notes += bool(hand.tick.lanes["arm"].notes)
    assert max(max(joint) - min(joint) for joint in zip(*told, strict=True)) < 1e-2
    assert notes == len(told)


@pytest.mark.slow
def test_a_hundred_random_jogs_that_are_held_stay_by_their_way() -> None:
    random, asides = Random(0), []
    for _ in range(100):
        hand = Hand(rough_cell(), "base axes")
        way = [random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(0.0, 1.0)]  # not to the table
        axes = tuple(a / max(map(abs, way)) for a in way)
        asides.append(_aside(hand.tip.position, hand.drive(5.0, *axes).state.robots["arm"].T_base_tip.position, axes))
        assert hand.codes  # it has come to an end, and says why
    assert sorted(asides)[90] < 0.055
    assert max(asides) < 0.1


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


def test_the_gripper_opens_at_once_after_pressing_long(cell: Cell) -> None:
    hand = Hand(Cell.load("irb120-grasp"), "base axes", 3)
    hand.drive(0.2)
    hand.drive(1.05, 0.0, 0.0, -1.0)
    hand.drive(0.3)
    hand.drive(2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0)
    held = hand.tick.state.robots["arm"].groups["gripper"].positions[0]
    hand.drive(0.15, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)
    assert hand.tick.state.robots["arm"].groups["gripper"].positions[0] > held + 0.005


def test_an_empty_list_of_filters_keeps_the_speed_level(cell: Cell) -> None:
    robots = {"arm": replace(cell.spec.robots["arm"], filters=())}
    hand = Hand(Cell(replace(cell.spec, robots=robots), cell.path), speed=1)
    hand.drive(1.0, 1.0)
    assert abs(hand.tick.lanes["arm"].setpoints["arm"].rates[0]) == pytest.approx(0.05 * 0.5 * 4.36, rel=0.01)


# ── Limits ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_joint_stops_at_its_limit_and_says_so_and_comes_back(cell: Cell) -> None:
    hand = Hand(cell)
    hand.drive(4.0, 0.0, 0.0, 0.0, 0.0, 1.0)
    upper = cell.lanes["arm"].model.arm.joints[4].upper
    assert hand.joints[4] == pytest.approx(upper, abs=2e-3)
    assert "servo.limit" in hand.codes
    assert any(worded(note) == "The wrist is at its upper limit." for note in hand.tick.lanes["arm"].notes)
    hand.drive(0.4, 0.0, 0.0, 0.0, 0.0, -1.0)
    assert hand.joints[4] < upper - 0.1
    assert "servo.limit" not in hand.codes


def test_the_work_space_is_not_left_and_can_be_slid_along(rough: Cell) -> None:
    hand = Hand(rough, "base axes")
    box = next(f for f in rough.lanes["arm"].filters if type(f).__name__ == "Workspace")
    hand.drive(3.0, 0.0, 0.0, -1.0)
    assert hand.tip.position[2] >= box.lower[2] - 1e-3  # type: ignore[attr-defined]
    before = hand.tip.position
    hand.drive(1.0, 0.0, 1.0, 0.0)
    assert hand.tip.position[1] - before[1] > 0.1


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


def test_a_blocked_arm_waits_for_itself_and_says_so(rough: Cell) -> None:
    hand = Hand(rough, "base axes")
    hand.send(AddObject(ObjectSpec(name="wall", size=(0.1, 1.0, 1.0), position=(0.52, 0.0, 1.2), mass=0.0)))
    hand.drive(3.0, 1.0)
    lagging = [worded(note) for note in hand.tick.lanes["arm"].notes if note.code == "guard.lag"]
    assert lagging
    assert all(text.endswith(" is stuck: the wall is in the way, or the load is too heavy.") for text in lagging)
    lead = [abs(a - b) for a, b in zip(hand.tick.lanes["arm"].setpoints["arm"].positions, hand.joints, strict=True)]
    assert max(lead) < math.radians(0.8)
    assert hand.tick.state.robots["arm"].touching
    assert hand.tick.state.robots["arm"].contact.force[0] < -1.0
    blocked = hand.tip.position[0]
    hand.drive(0.6, -1.0)
    assert hand.tip.position[0] < blocked - 0.05


def test_a_load_that_is_too_heavy_names_no_obstacle(cell: Cell) -> None:
    hand = Hand(cell)
    hand.send(Load("arm", (0.0, 0.0, -250.0)))
    lagging: set[str] = set()
    for _ in range(500):
        hand.drive(cell.dt, 0.0, -0.1)
        lagging |= {worded(note) for note in hand.tick.lanes["arm"].notes if note.code == "guard.lag"}
        if lagging:
            break
    assert lagging == {"The elbow is stuck: an obstacle is in the way, or the load is too heavy."}


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


def test_straight_out_is_slowed_never_frozen(cell: Cell) -> None:
    hand = Hand(cell, "base axes")
    hand.drive(4.0, 1.0, 0.0, 0.5)
    far = hand.tip.position
    assert math.hypot(*far) > 0.5
    hand.drive(1.0, -1.0, 0.0, -0.5)
    assert math.dist(far, hand.tip.position) > 0.05


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
