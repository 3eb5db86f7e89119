"""Changing settings of a running robot: nothing jumps, unchanged parts keep their memory, no limit relaxes in use."""

import math
from random import Random

import msgspec
import pytest
from hands import Hand
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from worded import worded

from farhand import Run
from farhand.cell import Cell, CellSnapshot, Checkpoint, checkpoint_of, find_cell, read_cell
from farhand.filters import Scale, Smooth, Workspace
from farhand.types import (
    Continue,
    Event,
    FreeMe,
    HoldHere,
    Inputs,
    MoveJoints,
    Reconfigure,
    RemoveObject,
    SelectMapping,
    SetSpeed,
    SwitchFilter,
    Tick,
    TipTwist,
)
from farhand.world import CellWorker

BOX = {"lower": [-0.75, -0.75, 0.02], "upper": [0.75, 0.75, 1.2]}


def plain_cell() -> Cell:
    """Return the default cell with the filters that most have, and an arm that keeps clear of nothing."""
    spec, path = read_cell(find_cell("irb120")), find_cell("irb120")
    filters = ({"kind": "scale"}, {"kind": "smooth"}, {"kind": "workspace", **BOX})
    arm = replace(spec.robots["arm"], filters=filters, avoid=None)
    return Cell(replace(spec, robots={"arm": arm}), path)


@pytest.fixture
def cell() -> Cell:
    return plain_cell()


def tell(hand: Hand, *events: object) -> list[str]:
    hand.send(*events)  # type: ignore[arg-type] # events
    hand.tick = hand.run.tick()
    return [worded(note) for note in hand.tick.notes if note.code == "cell.refused"]


def names(cell: Cell) -> tuple[str, ...]:
    return cell.lanes["arm"].filter_names


def driving(cell: Cell, *axes: float) -> Hand:
    hand = Hand(cell, "base axes")
    hand.drive(0.3, *axes)
    assert hand.mode == "teleoperation"
    return hand


def change(part: str, name: str = "", settings: dict[str, object] | None = None, before: str = "") -> Reconfigure:
    return Reconfigure("arm", part, name, settings, before)  # type: ignore[arg-type] # some are wrong on purpose


# ── What can be changed ──────────────────────────────────────────────────────────────────────────────────────────


def test_filters_are_added_altered_and_taken_out(cell: Cell) -> None:
    hand = Hand(cell)
    assert tell(hand, change("filter", "", {"kind": "smooth", "speed": 0.1})) == []
    assert names(cell) == ("scale", "smooth", "workspace", "smooth 2")
    assert tell(hand, change("filter", "compliance", {"threshold": 20.0}, before="smooth")) == []
    assert names(cell) == ("scale", "compliance", "smooth", "workspace", "smooth 2")
    assert tell(hand, change("filter", "smooth", {"speed": 0.3})) == []
    assert tell(hand, change("filter", "smooth")) == []
    assert names(cell) == ("scale", "compliance", "workspace", "smooth")
    assert cell.lanes["arm"].filters[3] == Smooth(speed=0.1)
    assert len(cell.memory["arm"].filters) == 4


def test_mappings_speeds_scales_watchdog_and_feedback_too(cell: Cell) -> None:
    hand = Hand(cell)
    assert tell(hand, change("mapping", "fine", {"kind": "jog-tip", "speed": 0.02}), SelectMapping("arm", "fine")) == []
    assert hand.tick.lanes["arm"].mapping == "fine"
    assert tell(hand, change("mapping", "fine")) == []
    assert hand.tick.lanes["arm"].mapping == "base axes"
    said = "The control mode 'fine' was removed while in use; 'base axes' is selected instead."
    assert [worded(note) for note in hand.tick.lanes["arm"].notes] == [said]
    assert hand.run.tick().lanes["arm"].notes == ()  # once
    assert tell(hand, change("speeds", settings={"values": [0.1, 0.2]})) == []
    assert hand.tick.lanes["arm"].speed_level == 2
    assert tell(hand, change("scales", settings={"values": [0.5, 0.25]})) == []
    assert tell(hand, change("watchdog", settings={"pause": 0.05})) == []
    assert tell(hand, change("feedback", settings={"scale": 0.5})) == []
    lane = cell.lanes["arm"]
    assert (lane.scales, lane.watchdog.pause, lane.reflection.scale) == ((0.5, 0.25), 0.05, 0.5)
    for part in ("speeds", "scales", "watchdog", "feedback"):  # back to what the file says
        assert tell(hand, change(part)) == []
    assert cell.robots["arm"] == cell.spec.robots["arm"]


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (change("filter", "smooth", {"speed": 0.0}), "speed: expected a number of at least 0.001 (found 0.0)"),
        (change("filter", "smooth", {"sped": 1.0}), "has no field 'sped'"),
        (change("filter", "smooth", {"speed": math.nan}), "expected a finite number"),
        (change("filter", "smooth", {"kind": "workspace", **BOX}), "the filter 'smooth' is a smooth"),
        (change("filter", "", {"kind": "magic"}), "no filter is called 'magic'"),
        (change("filter", "", {}), "kind: is missing"),
        (change("filter", "nothing"), "no filter is called 'nothing'"),
        (change("filter", "scale"), "the speed level cannot be removed"),
        (change("filter", "compliance", {}, before="nothing"), "no filter is called 'nothing'"),
        (change("filter", "workspace", {**BOX, "lower": [1.0, 0.0, 0.0]}), "lower x (1.0) must be below upper x"),
        (change("mapping", "new", {"kind": "jog-tip", "speed": 99.0}), "mappings.new.speed"),
        (change("mapping", "/", {"kind": "jog-tip"}), "is not a valid name"),
        (change("mapping", "nothing"), "no control mode is called 'nothing'"),
        (change("speeds", settings={"values": [0.5, 0.1]}), "expected rising values"),
        (change("speeds", settings={"values": []}), "values: "),
        (change("scales", settings={"values": [1.0, 1.0]}), "expected different values"),
        (change("watchdog", settings={"pause": 0.5}), "pause: expected a number of at most 0.2"),
        (change("magic", settings={}), "no part is called 'magic'"),
        (change("drive", settings={"kind": "magic"}), "kind: "),
        (change("drive", settings={"damping": [1e9] * 6}), "Turn would oscillate at every step; "),
        (change("drive", settings={"stiffness": [1.0] * 6}), "too soft for Shoulder"),
        (change("drive", settings={"kind": "pid"}), "found 0 sets"),
        (change("avoid", settings={"keep": 1.0}), "keep: expected a number of at most 0.2"),
        (change("avoid", settings={"keep": 0.2}), "avoid.keep: found 0.2, but at home forearm is 187 mm from turret"),
        (change("filter", "workspace", {**BOX, "braking": 1e-9}), "braking: expected a number of at least 0.01"),
        (change("avoid", settings={"never": ["nothing"]}), "there is no link, object or robot 'nothing'"),
        (change("avoid", settings={"never": ["table"], "may": ["table"]}), "'table' cannot be both never and may"),
        (Reconfigure("leg", "speeds"), "no robot is called 'leg'"),
    ],
)
def test_invalid_changes_are_refused_and_change_nothing(cell: Cell, event: Reconfigure, said: str) -> None:
    hand, lane = Hand(cell), cell.lanes["arm"]
    (text,) = tell(hand, event)
    assert said in text
    assert cell.lanes["arm"] is lane


def test_the_last_mapping_stays(cell: Cell) -> None:
    hand = Hand(cell)
    for name in ("joints", "tool axes", "pointer"):
        assert tell(hand, change("mapping", name)) == []
    assert tell(hand, change("mapping", "base axes")) == ["Refused: the last control mode cannot be removed."]


# ── In the middle of a motion ────────────────────────────────────────────────────────────────────────────────────


def test_tighter_limits_apply_at_once_and_relaxed_ones_after_a_fresh_press(cell: Cell) -> None:
    hand = driving(cell, 0.0, 1.0)
    assert tell(hand, change("filter", "smooth", {"speed": 0.05})) == []
    assert hand.mode == "teleoperation"
    hand.drive(0.3, 0.0, 1.0)
    twist = hand.tick.lanes["arm"].demand.motions["arm"]
    assert isinstance(twist, TipTwist)
    assert math.hypot(*twist.linear) == pytest.approx(0.05)
    assert tell(hand, change("filter", "smooth", {"speed": 1.0})) == []
    assert hand.mode == "idle"
    hand.drive(0.3, 0.0, 1.0)
    assert hand.mode == "idle"  # he still holds on
    hand.drive(0.1)
    hand.drive(0.3, 0.0, 1.0)
    assert hand.mode == "teleoperation"


LOOSER = [
    change("filter", "smooth"),
    change("filter", "workspace", {"lower": [-0.8, -0.75, 0.02], "upper": [0.75, 0.75, 1.2]}),
    change("watchdog", settings={"pause": 0.2}),
    change("speeds", settings={"values": [0.1, 0.2, 0.3, 0.4, 1.0]}),
    change("feedback", settings={"scale": 2.0}),
    change("mapping", "base axes", {"speed": 1.0}),
    change("mapping", "base axes"),
]
TIGHTER = [
    change("filter", "", {"kind": "smooth", "speed": 0.1}),
    change("filter", "smooth", {"speed": 0.5, "braking": 2.0}),
    change("filter", "workspace", {"lower": [-0.7, -0.75, 0.02], "upper": [0.75, 0.7, 1.2]}),
    change("watchdog", settings={"pause": 0.05}),
    change("speeds", settings={"values": [0.1, 0.2, 0.3]}),
    change("scales", settings={"values": [2.0, 1.0]}),
    change("mapping", "joints", {"share": 1.0}),
    change("mapping", "joints"),
    change("mapping", "another", {"kind": "jog-joints"}),
]


@pytest.mark.parametrize("event", LOOSER)
def test_a_change_that_may_relax_a_limit_releases_the_robot(cell: Cell, event: Reconfigure) -> None:
    hand = Hand(cell, "base axes", speed=4)
    hand.drive(0.1, 0.0, 1.0)
    if event.part == "speeds":
        tell(hand, SetSpeed("arm", 2))
        event = change("speeds", settings={"values": [0.05, 0.11]})
    assert tell(hand, event) == []
    assert hand.mode == "idle"


@pytest.mark.parametrize("event", TIGHTER)
def test_a_change_that_only_tightens_limits_does_not_release_it(cell: Cell, event: Reconfigure) -> None:
    hand = driving(cell, 0.0, 1.0)
    assert tell(hand, event) == []
    assert hand.mode == "teleoperation"


CLEAR: dict[str, object] = {"keep": 0.02, "contact_speed": 0.02, "never": ["brick"], "may": ["elbow"]}
LESS_CLEAR: list[dict[str, object] | None] = [
    {**CLEAR, "keep": 0.01},
    {**CLEAR, "contact_speed": 0.03},
    {"keep": 0.02, "never": ["brick"], "may": ["elbow"]},
    {**CLEAR, "never": []},
    {**CLEAR, "may": ["elbow", "wrist"]},
    {**CLEAR, "may": []},  # what it says of itself counts then, and that may be less
    {**CLEAR, "force": 5.0},
    {**CLEAR, "surroundings": False},
    None,
]
CLEARER: list[dict[str, object] | None] = [
    CLEAR,
    {**CLEAR, "keep": 0.03},
    {**CLEAR, "contact_speed": 0.01},
    {**CLEAR, "never": ["brick", "can"]},
    {**CLEAR, "never": ["brick", "elbow"], "may": []},
]


@pytest.mark.parametrize("table", [*LESS_CLEAR, *CLEARER])
def test_stricter_avoidance_applies_at_once_and_relaxed_avoidance_after_a_fresh_press(
    cell: Cell, table: dict[str, object] | None
) -> None:
    hand = Hand(cell)
    assert tell(hand, change("avoid", settings=CLEAR)) == []
    hand = driving(cell, 0.0, 1.0)
    assert tell(hand, change("avoid", settings=table)) == []
    assert hand.mode == ("idle" if table in LESS_CLEAR else "teleoperation")
    assert (cell.lanes["arm"].arena is None) == (table is None)


def test_avoidance_can_be_switched_on_and_off(cell: Cell) -> None:
    hand = Hand(cell, "base axes", speed=5)
    hand.drive(0.1)
    started = cell.snapshot()
    lowest = []
    tables: tuple[dict[str, object] | None, ...] = ({"never": ["table", "gripper"], "keep": 0.1}, None)
    for table in tables:
        tell(hand, change("avoid", settings=table))
        hand.drive(0.1)
        hand.drive(3.0, 0.0, 0.0, -1.0)
        lowest.append(hand.tick.state.robots["arm"].T_base_tip.position[2])
        near = any(note.code == "avoid.near" for note in hand.tick.lanes["arm"].notes)
        assert near == (table is not None)
        hand.drive(0.1)
    assert lowest[0] > lowest[1] + 0.05
    # Whoever goes back goes back to how it kept clear.
    cell.restore(started)
    assert cell.lanes["arm"].arena is None
    assert cell.lanes["arm"].servo.avoiding is None


def test_snapshots_and_checkpoints_keep_the_settings_of_avoidance(cell: Cell) -> None:
    hand = Hand(cell)
    tell(hand, change("avoid", settings=CLEAR))
    saved, kept = cell.snapshot(), msgspec.msgpack.encode(checkpoint_of(cell))
    first = [cell.step() for _ in range(20)]
    tell(hand, change("avoid", settings={"keep": 0.05}))
    cell.restore(saved)
    assert cell.lanes["arm"].arena is not None
    assert cell.lanes["arm"].arena.servo.keep == 0.02
    assert [cell.step() for _ in range(20)] == first
    anew = plain_cell()
    anew.resume(msgspec.msgpack.decode(kept, type=Checkpoint))
    assert anew.robots == cell.robots
    assert anew.lanes["arm"].arena is not None
    assert anew.lanes["arm"].arena.servo.keep == 0.02
    anew.resume(checkpoint_of(plain_cell()))
    assert anew.lanes["arm"].arena is None


PID: dict[str, object] = {"kind": "pid", "gains": [[2000.0, 100.0, 60.0]] * 3 + [[300.0, 10.0, 5.0]] * 3}


def test_another_drive_at_rest_causes_no_jump(cell: Cell) -> None:
    hand = Hand(cell, "base axes")
    soft: dict[str, object] = {"stiffness": [5000.0, 9000.0, 5000.0, 900.0, 900.0, 300.0]}
    tables: tuple[dict[str, object] | None, ...] = (PID, {"kind": "velocity"}, soft, None)
    for table in tables:
        hand.drive(0.3, 0.0, 0.3)
        hand.drive(0.5)
        before = hand.tick.state.robots["arm"].groups["arm"].positions
        assert tell(hand, change("drive", settings=table)) == []
        hand.drive(0.5)
        after = hand.tick.state.robots["arm"].groups["arm"]
        assert after.positions == pytest.approx(before, abs=1e-4)
        kind = (table or {}).get("kind", "position")
        assert cell.world.rig("arm").placement.drive.kind == kind
        assert cell.robots["arm"].drive.kind == kind
    hand.drive(0.3, 0.0, 0.3)
    assert hand.mode == "teleoperation"


def test_a_drive_is_not_changed_under_a_hand_that_drives(cell: Cell) -> None:
    hand = driving(cell, 0.0, 1.0)
    (text,) = tell(hand, change("drive", settings=PID))
    assert text.startswith(
        "Refused: arm cannot change its drive: it is being driven; it must be holding, stopped or off"
    )
    assert cell.world.rig("arm").placement.drive.kind == "position"


def test_another_drive_is_held_by_snapshots_and_checkpoints_and_outlasts_edits(cell: Cell) -> None:
    hand, first = Hand(cell), cell.snapshot()
    tell(hand, change("drive", settings=PID))
    tell(hand, RemoveObject("can"))
    assert cell.world.rig("arm").placement.drive.kind == "pid"
    saved, kept = cell.snapshot(), msgspec.msgpack.encode(checkpoint_of(cell))
    leads = cell.lanes["arm"]._leads
    ticks = [cell.step() for _ in range(20)]
    cell.restore(first)
    assert cell.world.rig("arm").placement.drive.kind == "position"
    cell.restore(saved)
    assert [cell.step() for _ in range(20)] == ticks
    anew = plain_cell()
    anew.resume(msgspec.msgpack.decode(kept, type=Checkpoint))
    assert anew.robots == cell.robots
    assert anew.world.rig("arm").placement.drive.kind == "pid"
    assert anew.lanes["arm"]._leads == leads
    anew.resume(checkpoint_of(plain_cell()))
    assert anew.world.rig("arm").placement.drive.kind == "position"


def test_a_drive_is_compiled_aside(cell: Cell) -> None:
    with CellWorker.open() as shop:
        run = Run(cell, worker=shop)
        run.send(change("drive", settings=PID))
        run.send(change("drive", settings={"damping": [1e9] * 6}))
        refused: list[str] = []
        while not refused:
            refused += [worded(note) for note in run.tick().notes if note.code == "cell.refused"]
        assert "oscillate at every step" in refused[0]
        assert cell.world.rig("arm").placement.drive.kind == "pid"


def test_a_move_waits_to_be_continued_after_something_was_loosened(cell: Cell) -> None:
    hand = Hand(cell)
    tell(hand, MoveJoints("arm", (0.5,) * 6))
    hand.drive(0.1)
    tell(hand, change("filter", "smooth", {"speed": 0.5}))
    assert hand.mode == "autonomous"
    tell(hand, change("filter", "workspace"))
    assert hand.mode == "idle"
    assert hand.tick.lanes["arm"].waiting
    tell(hand, Continue("arm"))
    assert hand.mode == "autonomous"


def test_unchanged_parts_keep_their_memory(cell: Cell) -> None:
    hand = driving(cell, 0.0, 1.0)
    scale, smooth, _ = cell.lanes["arm"].filters
    before = cell.memory["arm"].filters
    cell.step(Inputs(events=(change("filter", "", {"kind": "compliance"}, before="scale"),)))
    stages, memories = cell.lanes["arm"].filters, cell.memory["arm"].filters
    assert stages[1] is scale
    assert stages[2] is smooth
    assert memories[2][1] == pytest.approx(before[1][1])  # the velocity it has come to
    assert isinstance(stages[1], Scale)
    assert isinstance(stages[3], Workspace)
    del hand


def test_a_filter_that_was_off_stays_off_under_its_new_name(cell: Cell) -> None:
    hand = Hand(cell)
    tell(hand, change("filter", "", {"kind": "smooth", "speed": 0.1}), SwitchFilter("arm", "smooth 2", on=False))
    tell(hand, change("filter", "smooth"))
    assert list(hand.tick.lanes["arm"].off) == ["smooth"]
    tell(hand, change("filter", "smooth"))
    assert list(hand.tick.lanes["arm"].off) == []


def test_a_filter_that_takes_over_the_name_of_one_that_was_off_is_on(cell: Cell) -> None:
    hand = Hand(cell)
    tell(hand, change("filter", "", {"kind": "smooth", "speed": 0.1}), SwitchFilter("arm", "smooth", on=False))
    tell(hand, change("filter", "smooth"))  # the second one is called "smooth" now
    assert list(hand.tick.lanes["arm"].off) == []


def test_a_filter_that_is_altered_while_it_is_off_stays_off(cell: Cell) -> None:
    hand = Hand(cell)
    tell(hand, SwitchFilter("arm", "smooth", on=False))
    tell(hand, change("filter", "smooth", {"speed": 0.1}))
    assert list(hand.tick.lanes["arm"].off) == ["smooth"]


# ── Whatever is changed whenever ─────────────────────────────────────────────────────────────────────────────────

CHANGES: list[Event] = [
    *LOOSER,
    *TIGHTER,
    change("filter", "smooth 2"),
    change("filter", "compliance", {"threshold": 5.0}),
    change("filter", "limits", {"speed": 0.2}),
    change("filter", "limits"),
    change("avoid", settings={"keep": 0.02, "never": ["table"]}),
    change("avoid", settings={"keep": 0.02}),
    change("avoid"),
    change("drive", settings=PID),
    change("drive"),
]
OTHER: list[Event] = [
    HoldHere("arm"),
    FreeMe("arm"),
    MoveJoints("arm"),
    SelectMapping("arm", "base axes"),
    SetSpeed("arm", 5),
]


def no_jump(cell: Cell, last: Tick, now: Tick) -> None:
    joints = cell.lanes["arm"].model.arm.joints
    a, b = last.lanes["arm"].setpoints["arm"], now.lanes["arm"].setpoints["arm"]
    for i, joint in enumerate(joints):
        assert abs(b.positions[i] - a.positions[i]) <= joint.velocity * cell.dt * (1.0 + 1e-9)
        assert abs(b.rates[i] - a.rates[i]) <= joint.acceleration * cell.dt * (1.0 + 1e-9)
        assert abs(b.accelerations[i] - a.accelerations[i]) <= joint.jerk * cell.dt * (1.0 + 1e-6)


@settings(max_examples=12)
@example(4409)  # a drive was changed in the tick in which the arm started
@given(st.integers(0, 2**32))
def test_no_change_causes_a_jump(seed: int) -> None:
    random, cell = Random(seed), LOADED.setdefault("cell", Cell.load("irb120"))
    cell.restore(STARTED.setdefault("snapshot", cell.snapshot()))
    hand = Hand(cell, random.choice(["base axes", "joints"]))
    for _ in range(500):
        if random.random() < 0.03:
            held = random.random() < 0.8
            hand.hand.set(deadman=held, axes=tuple(random.choice((-1.0, 0.0, 1.0)) for _ in range(6)))
        if random.random() < 0.06:
            hand.send(random.choice(CHANGES + OTHER))
        last, hand.tick = hand.tick, hand.run.tick()
        no_jump(cell, last, hand.tick)


LOADED: dict[str, Cell] = {}
STARTED: dict[str, CellSnapshot] = {}


def test_a_snapshot_and_a_checkpoint_hold_how_it_is_driven(cell: Cell) -> None:
    hand = driving(cell, 0.0, 1.0)
    tell(hand, change("filter", "smooth", {"speed": 0.05}), change("mapping", "fine", {"kind": "jog-tip"}))
    tell(hand, SelectMapping("arm", "fine"))
    saved, kept = cell.snapshot(), msgspec.msgpack.encode(checkpoint_of(cell))
    inputs = [Inputs()] * 50
    first = [cell.step(each) for each in inputs]
    fresh = plain_cell()
    fresh.restore(saved)
    assert [fresh.step(each) for each in inputs] == first
    anew = plain_cell()
    anew.resume(msgspec.msgpack.decode(kept, type=Checkpoint))
    assert anew.lanes["arm"].filters[1] == Smooth(speed=0.05)
    assert anew.step().lanes["arm"].mapping == "fine"
    assert anew.robots == cell.robots
    other = plain_cell()
    other.resume(checkpoint_of(plain_cell()))
    assert other.robots["arm"] is other.spec.robots["arm"]


def test_a_tip_outside_a_smaller_box_gets_a_note_with_the_free_directions(cell: Cell) -> None:
    hand = Hand(cell, "base axes")
    tell(hand, change("filter", "workspace", {"lower": [-0.75, -0.75, 0.02], "upper": [0.2, 0.75, 1.2]}))
    hand.drive(0.3, 1.0, 0.0, 0.0)
    note = next(note for note in hand.tick.lanes["arm"].notes if note.code == "servo.wall.beyond")
    assert worded(note) == "The tip is beyond the front of its work area."
    assert note.free == ("inside", "along")


def test_a_softer_arm_touches_more_gently_at_once() -> None:
    """How fast things may be touched follows from compliance, so a change of it changes what keeps clear too."""
    cell = Cell.load("irb120")

    def touch_speeds() -> float:
        arena = cell.lanes["arm"].arena
        assert arena is not None
        first = 1 + arena.clearance.chain.n + len(arena.clearance.capsules)
        return float(arena.servo.around[first : first + len(arena.clearance.solids)].sum())

    before = touch_speeds()
    cell.step(Inputs(events=(change("filter", "compliance", {"threshold": 20.0}),)))
    assert 0.0 < touch_speeds() < before
