"""Finding a fault: parts of a lane are switched off and replaced, it is said all the time, and nothing ever jumps."""

import math
from itertools import pairwise

import pytest
from hands import Hand
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from worded import worded

from farhand.cell import Cell
from farhand.lane.modes.fault_finding import deflection
from farhand.loop import Run
from farhand.masters import Manual
from farhand.poses import Pose
from farhand.types import (
    Continue,
    Event,
    Generate,
    Generator,
    HoldHere,
    Inputs,
    JointRates,
    MoveJoints,
    Power,
    Reading,
    Reconfigure,
    Reset,
    ResetObjects,
    ResetRobot,
    SelectMapping,
    SetSpeed,
    Stop,
    SwitchFeedforward,
    SwitchFilter,
    Tick,
    TipTwist,
    Wave,
)

WAVES: tuple[Wave, ...] = ("sine", "square", "triangle", "constant")
generators = st.builds(
    Generator,
    axis=st.integers(0, 6),
    wave=st.sampled_from(WAVES),
    amplitude=st.floats(0.0, 1.0),
    frequency=st.floats(0.01, 20.0),
)


@pytest.fixture
def cell() -> Cell:
    return Cell.load("irb120")


def with_filters(cell: Cell, *tables: dict[str, object]) -> Cell:
    robots = {"arm": replace(cell.spec.robots["arm"], filters=tables)}
    return Cell(replace(cell.spec, robots=robots), cell.path)


def texts(tick: Tick) -> list[str]:
    return [worded(note) for note in tick.lanes["arm"].notes]


def off(hand: Hand) -> tuple[str, ...]:
    return hand.tick.lanes["arm"].off


def smoothly(hand: Hand, ticks: int) -> list[tuple[float, ...]]:
    """Go on for some ticks and return the arm's set-points; none of them jumps, in place or in speed."""
    joints, dt, told = hand.cell.lanes["arm"].model.arm.joints, hand.cell.dt, []
    for _ in range(ticks):
        last = hand.tick.lanes["arm"].setpoints["arm"]
        hand.tick = hand.run.tick()
        now = hand.tick.lanes["arm"].setpoints["arm"]
        for i, joint in enumerate(joints):
            assert abs(now.positions[i] - last.positions[i]) <= joint.velocity * dt * (1.0 + 1e-9)
            assert abs(now.rates[i] - last.rates[i]) <= joint.acceleration * dt * (1.0 + 1e-9)
        told.append(now.positions)
    return told


# ── Filters ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_filters_are_named_by_their_kind_and_number(cell: Cell) -> None:
    assert cell.lanes["arm"].filter_names == ("scale", "smooth", "workspace", "compliance")
    more = with_filters(cell, {"kind": "smooth"}, {"kind": "scale"}, {"kind": "smooth"}, {"kind": "smooth"})
    assert more.lanes["arm"].filter_names == ("smooth", "scale", "smooth 2", "smooth 3")
    assert with_filters(cell).lanes["arm"].filter_names == ("scale",)


def test_without_its_work_space_the_tip_goes_further_and_comes_back_without_a_jump(cell: Cell) -> None:
    hand = Hand(cell, "base axes")
    hand.drive(2.0, 0.0, 0.0, 1.0)
    hand.send(SwitchFilter("arm", "workspace", on=False))
    hand.drive(0.1)
    assert off(hand) == ("workspace",)
    assert "The workspace filter is switched off for fault finding." in texts(hand.tick)
    hand.drive(3.0, 0.0, 0.0, -1.0)
    assert hand.tip.position[2] < 0.02 - 0.003  # beyond the lower face, down to what stands there
    assert not any(code.startswith("servo.wall") for code in hand.codes)
    hand.send(SwitchFilter("arm", "workspace", on=True))
    smoothly(hand, 200)
    assert off(hand) == ()
    assert "servo.wall.beyond" in hand.codes
    hand.drive(1.0, 0.0, 0.0, 1.0)
    assert hand.tip.position[2] > 0.05


@pytest.mark.parametrize("name", ["smooth", "workspace"])
def test_switching_in_the_middle_of_a_motion_never_jumps_and_starts_anew(cell: Cell, name: str) -> None:
    hand = Hand(cell, "base axes")
    hand.drive(0.3, 0.0, 1.0, 0.0)
    place = cell.lanes["arm"].filter_names.index(name)
    for on in (False, True) * 3:
        hand.send(SwitchFilter("arm", name, on=on))
        smoothly(hand, 40)
        if not on:
            assert cell.snapshot().lanes["arm"].filters[place] is None
            hand.hand.set(deadman=False)
            smoothly(hand, 5)
            hand.hand.set(deadman=True)
            smoothly(hand, 40)
    assert hand.mode == "teleoperation"


@pytest.mark.parametrize(
    ("off", "on"),
    [
        (SwitchFilter("arm", "compliance", on=False), SwitchFilter("arm", "compliance", on=True)),
        (SwitchFeedforward("arm", on=False), SwitchFeedforward("arm", on=True)),
    ],
)
def test_what_is_switched_off_makes_whoever_drives_let_go(cell: Cell, off: Event, on: Event) -> None:
    hand = Hand(cell, "base axes")
    hand.drive(0.3, 0.0, 1.0, 0.0)
    hand.send(off)
    hand.tick = hand.run.tick()
    assert hand.mode == "idle"
    assert "lane.press" in hand.codes
    hand.drive(0.3, 0.0, 1.0, 0.0)  # holding on is not enough
    assert hand.mode == "idle"
    hand.drive(0.1)
    hand.drive(0.3, 0.0, 1.0, 0.0)
    assert hand.mode == "teleoperation"
    hand.send(off)  # it is off already
    hand.drive(0.1, 0.0, 1.0, 0.0)
    assert hand.mode == "teleoperation"
    hand.send(on)  # what protects more takes effect under the hand
    hand.drive(0.1, 0.0, 1.0, 0.0)
    assert hand.mode == "teleoperation"


def test_what_is_switched_off_makes_a_move_wait_for_continue(cell: Cell) -> None:
    hand = Hand(cell)
    hand.send(MoveJoints("arm", (0.5, *hand.joints[1:])))
    hand.drive(0.2)
    hand.send(SwitchFilter("arm", "workspace", on=False))
    hand.drive(0.5)
    assert (hand.mode, hand.tick.lanes["arm"].waiting) == ("idle", True)
    hand.send(Continue("arm"))
    hand.drive(0.1)
    assert hand.mode == "autonomous"


def test_a_filter_that_was_off_remembers_nothing_of_before(cell: Cell) -> None:
    hand = Hand(cell, "base axes")
    hand.drive(0.3, 0.0, 1.0, 0.0)
    hand.send(SwitchFilter("arm", "smooth", on=False))
    hand.drive(0.1)
    hand.drive(0.3, 0.0, 1.0, 0.0)
    hand.send(SwitchFilter("arm", "smooth", on=True))
    hand.tick = hand.run.tick()
    twist = hand.tick.lanes["arm"].demand.motions["arm"]
    assert isinstance(twist, TipTwist)
    assert twist.linear[1] == pytest.approx(2.5 * cell.dt)  # it begins to ramp up, from rest


def test_switching_on_what_is_on_changes_nothing(cell: Cell) -> None:
    hand, other = Hand(cell, "base axes"), Hand(Cell.load("irb120"), "base axes")
    for h in (hand, other):
        h.drive(0.1, 0.0, 1.0, 0.0)
    hand.send(SwitchFilter("arm", "smooth", on=True), SwitchFeedforward("arm", on=True), Generate("arm"))
    assert hand.drive(0.1, 0.0, 1.0, 0.0) == other.drive(0.1, 0.0, 1.0, 0.0)


REFUSED: list[tuple[Event, str]] = [
    (SwitchFilter("arm", "scale", on=False), "the speed level cannot be switched off; choose another level."),
    (
        SwitchFilter("arm", "guard", on=False),
        "arm has no filter 'guard'; there are: scale, smooth, workspace, compliance.",
    ),
    (
        SwitchFilter("arm", "watchdog", on=False),
        "arm has no filter 'watchdog'; there are: scale, smooth, workspace, compliance.",
    ),
    (
        SwitchFilter("arm", "stop", on=False),
        "arm has no filter 'stop'; there are: scale, smooth, workspace, compliance.",
    ),
    (SwitchFilter("arm", "feed-forward", on=False), "arm has no filter 'feed-forward'"),
    (SwitchFilter("arn", "smooth", on=False), "no robot is called 'arn' (did you mean 'arm'?)"),
    (SwitchFeedforward("arn", on=False), "no robot is called 'arn'"),
    (Generate("arn"), "no robot is called 'arn'"),
    (Generate("arm", Generator(7)), "no axis 8 for a generator; there are: x, y, z, roll"),
    (Generate("arm", Generator(-1)), "a generator's axis is counted from 0, found -1"),
    (Generate("arm", Generator(1.0)), "a generator's axis is counted from 0, found 1.0"),  # type: ignore[arg-type] # on purpose
    (Generate("arm", Generator(0, amplitude=1.1)), "a generator's amplitude is from 0 to 1, found 1.1"),
    (Generate("arm", Generator(0, amplitude=-0.1)), "a generator's amplitude is from 0 to 1, found -0.1"),
    (Generate("arm", Generator(0, amplitude=math.nan)), "a generator's amplitude is from 0 to 1, found nan"),
    (Generate("arm", Generator(0, frequency=0.001)), "frequency is from 0.01 to 20 Hz, found 0.001"),
    (Generate("arm", Generator(0, frequency=20.5)), "frequency is from 0.01 to 20 Hz, found 20.5"),
    (Generate("arm", Generator(0, frequency=math.nan)), "frequency is from 0.01 to 20 Hz, found nan"),
    (Generate("arm", Generator(0, frequency=math.inf)), "frequency is from 0.01 to 20 Hz, found inf"),
    (Generate("arm", Generator(0, wave="saw")), "no wave is called 'saw'; there are: sine, square"),  # type: ignore[arg-type] # on purpose
]


@pytest.mark.parametrize(("event", "sentence"), REFUSED)
def test_what_cannot_be_switched_is_refused_and_changes_nothing(cell: Cell, event: Event, sentence: str) -> None:
    tick = cell.step(Inputs(events=(event,)))
    notes = (*tick.notes, *tick.lanes["arm"].notes)
    assert [note.code for note in notes] in (["cell.refused"], ["lane.refused"])
    assert sentence in worded(notes[0])
    calm = Cell.load("irb120").step()
    assert replace(tick, notes=(), lanes={"arm": replace(tick.lanes["arm"], notes=())}) == calm


def test_a_second_speed_level_cannot_be_switched_off_either(cell: Cell) -> None:
    twice = with_filters(cell, {"kind": "scale"}, {"kind": "scale"})
    tick = twice.step(Inputs(events=(SwitchFilter("arm", "scale 2", on=False),)))
    assert "the speed level cannot be switched off" in texts(tick)[0]
    assert tick.lanes["arm"].off == ()


# ── Feed-forward ─────────────────────────────────────────────────────────────────────────────────────────────────

STIFF, SOFT = (4e3, 0.0, 250.0), (4e2, 0.0, 12.0)
GAINS = (STIFF, STIFF, (3e3, 0.0, 150.0), SOFT, SOFT, (2e2, 0.0, 5.0))


def driven_by(kind: str) -> Cell:
    cell = Cell.load("irb120")
    robot = cell.spec.robots["arm"]
    drive = replace(robot.drive, kind=kind, gains=GAINS if kind == "pid" else ())
    return Cell(replace(cell.spec, robots={"arm": replace(robot, drive=drive)}), cell.path)


@pytest.mark.parametrize("kind", ["position", "pid"])
def test_without_feedforward_the_arm_sags_and_its_set_point_stays(kind: str) -> None:
    hand = Hand(driven_by(kind))
    hand.drive(0.5)
    told, high = hand.tick.lanes["arm"].setpoints["arm"].positions, hand.tip.position[2]
    hand.send(SwitchFeedforward("arm", on=False))
    hand.drive(1.0)
    assert hand.tip.position[2] < high - 1e-4
    assert hand.tick.lanes["arm"].setpoints["arm"].positions == told
    assert off(hand) == ("feed-forward",)
    assert texts(hand.tick) == ["The feed-forward is switched off for fault finding: the arm sags."]
    assert hand.tick.lanes["arm"].notes[0].level == "info"
    hand.send(SwitchFeedforward("arm", on=True))
    hand.drive(1.0)
    assert hand.tip.position[2] == pytest.approx(high, abs=2e-5)
    assert hand.tick.lanes["arm"].setpoints["arm"].positions == told
    assert (off(hand), texts(hand.tick)) == ((), [])


def test_a_drive_that_has_no_feedforward_says_so(cell: Cell) -> None:
    robot = cell.spec.robots["arm"]
    bare = replace(robot, drive=replace(robot.drive, feedforward=False))
    tick = Cell(replace(cell.spec, robots={"arm": bare}), cell.path).step(
        Inputs(events=(SwitchFeedforward("arm", on=True),))
    )
    assert worded(tick.notes[0]) == "Refused: the drive of arm has no feed-forward to switch."


# ── The signal generator ─────────────────────────────────────────────────────────────────────────────────────────


@given(generators, st.floats(0.0, 1000.0))
def test_a_deflection_never_exceeds_its_amplitude(generator: Generator, seconds: float) -> None:
    assert abs(deflection(generator, seconds)) <= generator.amplitude


@given(generators, st.floats(0.0, 3.0), st.integers(1, 5))
def test_a_wave_repeats_and_its_halves_cancel(generator: Generator, periods: float, more: int) -> None:
    period, wave = 1.0 / generator.frequency, generator.wave
    now = deflection(generator, periods * period)
    # Away from the edges of a square, where rounding decides.
    if wave != "square" or abs(periods * 2.0 - round(periods * 2.0)) > 1e-6:
        assert deflection(generator, (periods + more) * period) == pytest.approx(now, abs=1e-6)
        half = deflection(generator, (periods + 0.5) * period)
        assert half == pytest.approx(now if wave == "constant" else -now, abs=1e-6)


@given(generators)
def test_every_wave_starts_upwards_and_reaches_its_amplitude(generator: Generator) -> None:
    quarter = 0.25 / generator.frequency
    assert deflection(generator, quarter) == pytest.approx(generator.amplitude)
    start = deflection(generator, 0.0)
    assert start == (generator.amplitude if generator.wave in ("square", "constant") else 0.0)
    assert deflection(generator, 0.1 * quarter) >= start


def rates_of(hand: Hand, ticks: int) -> list[float]:
    """Return what is asked of the first joint, tick by tick, after all filters."""
    asked = []
    for _ in range(ticks):
        hand.tick = hand.run.tick()
        motion = hand.tick.lanes["arm"].demand.motions["arm"]
        assert isinstance(motion, JointRates)
        assert not any(motion.rates[1:])
        asked.append(motion.rates[0])
    return asked


def test_a_generator_stands_in_for_the_hand_through_every_filter(cell: Cell) -> None:
    hand = Hand(cell, speed=4)
    hand.send(Generate("arm", Generator(0, "sine", 0.4, 2.0)))
    hand.drive(0.1)
    assert hand.mode == "idle"
    assert hand.tick.lanes["arm"].generating
    sentence = "A signal generator replaces the hand: sine of 40 % on joint:0 at 2 Hz."
    assert sentence in texts(hand.tick)
    start = hand.joints
    hand.drive(0.5)
    assert hand.joints == pytest.approx(start, abs=1e-6)  # without the deadman it moves nothing
    hand.hand.set(deadman=True, axes=(0.0, 1.0, -1.0))  # what the hand does otherwise does not count
    asked = rates_of(hand, 1000)
    top = cell.lanes["arm"].model.arm.joints[0].velocity
    for i, rate in enumerate(asked):
        if i * cell.dt > 0.25:  # after the gentle start
            assert rate == pytest.approx(0.5 * 0.5 * top * 0.4 * math.sin(2.0 * math.pi * 2.0 * i * cell.dt), abs=1e-9)
    assert hand.tick.lanes["arm"].demand.source == "generator"
    assert max(abs(a - b) for a, b in pairwise(asked)) < 0.1
    # Each engagement begins the wave anew.
    hand.drive(0.137)
    hand.hand.set(deadman=True)
    again = rates_of(hand, 500)
    assert again == pytest.approx(asked[:500], abs=1e-12)
    # Taking it away gives the hand back, gently.
    hand.send(Generate("arm"))
    hand.hand.set(axes=(0.0, 1.0))
    hand.tick = hand.run.tick()
    motion = hand.tick.lanes["arm"].demand.motions["arm"]
    assert isinstance(motion, JointRates)
    assert motion.rates[1] == pytest.approx(0.5 * 0.5 * cell.lanes["arm"].model.arm.joints[1].velocity * 0.01)
    assert not hand.tick.lanes["arm"].generating


@pytest.mark.parametrize("wave", WAVES)
def test_a_generator_never_makes_a_jump(cell: Cell, wave: Wave) -> None:
    hand = Hand(cell, "base axes")
    hand.drive(0.3, 0.0, 1.0, 0.0)
    for generator in (Generator(2, wave, 1.0, 3.0), Generator(0, wave, 1.0, 20.0), None):
        hand.send(Generate("arm", generator))
        smoothly(hand, 200)
    assert hand.mode == "teleoperation"


def test_a_generator_without_its_axis_moves_nothing_and_says_so(cell: Cell) -> None:
    hand = Hand(cell, "base axes")
    hand.send(Generate("arm", Generator(5, "constant", 1.0)))
    hand.drive(0.1)
    hand.send(SelectMapping("arm", "pointer"))
    before = hand.tip
    hand.hand.set(deadman=True, pose=Pose((0.3, 0.3, 0.3)))
    hand.tick = hand.run.run(0.5)
    assert hand.mode == "teleoperation"
    assert math.dist(before.position, hand.tip.position) < 1e-4
    assert "A signal generator replaces the hand, but this control mode has no axis 6." in texts(hand.tick)


def test_a_generator_has_no_axis_of_a_mapping_that_is_led_by_a_pose(cell: Cell) -> None:
    tick = cell.step(Inputs(events=(SelectMapping("arm", "pointer"), Generate("arm", Generator(0)))))
    assert "has no axes for a generator; it follows a pose." in texts(tick)[0]
    assert not tick.lanes["arm"].generating


# ── Whatever else happens ────────────────────────────────────────────────────────────────────────────────────────

OTHER: list[Event] = [
    Stop(),
    Reset(),
    HoldHere("arm"),
    ResetRobot("arm"),
    ResetObjects(),
    MoveJoints("arm"),
    SelectMapping("arm", "base axes"),
]


def all_off(cell: Cell, mapping: str = "joints") -> Hand:
    hand = Hand(cell, mapping)
    hand.send(SwitchFilter("arm", "workspace", on=False), SwitchFilter("arm", "smooth", on=False))
    hand.send(SwitchFeedforward("arm", on=False), Generate("arm", Generator(0, "constant", 0.5)))
    hand.drive(0.02)
    return hand


@pytest.mark.parametrize("event", OTHER)
def test_only_their_own_events_end_it_and_it_is_said_in_every_tick(cell: Cell, event: Event) -> None:
    hand = all_off(cell)
    hand.send(event)
    for _ in range(100):
        hand.tick = hand.run.tick()
        report = hand.tick.lanes["arm"]
        assert report.off == ("smooth", "workspace", "feed-forward")
        assert report.generating
        assert sum(note.code.startswith("fault-finding.") for note in report.notes) == 4


def test_a_runaway_does_not_end_it_either(cell: Cell) -> None:
    hand = all_off(cell)
    cell.world._qvel[-1] = 1e12
    hand.drive(0.05)
    assert hand.mode == "fault"
    hand.send(ResetObjects(), Reset())
    hand.drive(0.05)
    assert hand.mode == "idle"
    assert off(hand) == ("smooth", "workspace", "feed-forward")
    assert hand.tick.lanes["arm"].generating


def test_a_broken_stage_does_not_end_it_either(cell: Cell) -> None:
    hand = all_off(cell)
    cell.lanes["arm"].mappings["joints"] = None  # type: ignore[assignment] # on purpose
    hand.drive(0.1, 0.5)
    assert hand.mode == "fault"
    assert off(hand) == ("smooth", "workspace", "feed-forward")
    assert hand.tick.lanes["arm"].generating


def test_stop_watchdog_and_limits_hold_with_everything_off(cell: Cell) -> None:
    hand = all_off(cell)
    hand.drive(3.0, 0.0)
    joint = cell.lanes["arm"].model.arm.joints[0]
    assert hand.mode == "teleoperation"
    assert hand.joints[0] == pytest.approx(joint.upper, abs=0.02)
    assert hand.joints[0] < joint.upper + 0.01
    for _ in range(200):
        hand.tick = cell.step()
    assert hand.mode == "paused"
    for _ in range(600):
        hand.tick = cell.step()
    assert hand.mode == "stopped"
    hand = all_off(Cell.load("irb120"))
    hand.drive(0.3, 0.0)
    hand.send(Stop())
    hand.drive(0.3, 0.0)
    assert hand.mode == "stopped"
    assert not any(hand.tick.lanes["arm"].setpoints["arm"].rates)


def test_a_snapshot_holds_what_is_switched_off(cell: Cell) -> None:
    hand = all_off(cell)
    hand.hand.set(deadman=True)
    hand.run.run(0.2)
    saved, number = cell.snapshot(), cell.number
    inputs = [Inputs({"hand": Reading(sequence=n, deadman=True, tick=n - 1)}) for n in range(number + 1, number + 200)]
    first = [cell.step(given) for given in inputs]
    assert first[-1].lanes["arm"].demand.source == "generator"
    fresh = Cell.load("irb120")
    fresh.restore(saved)
    assert [fresh.step(given) for given in inputs] == first


@pytest.mark.parametrize(
    "gone", [SwitchFilter("arm", "compliance", on=False), Reconfigure("arm", "filter", "compliance")]
)
def test_an_arm_that_presses_presses_no_harder_when_compliance_is_gone(gone: Event) -> None:
    cell, hand, forces = Cell.load("titan3-cyberimpact"), Manual(), []
    run = Run(cell, {"grip": hand})
    for event in (Power("arm", on=True), SelectMapping("arm", "base axes"), SetSpeed("arm", 4)):
        run.send(event)
    run.run(3.2)
    for seconds, axes in ((0.8, (0.0, 0.6, 0.0)), (0.5, ()), (5.0, (0.0, 0.0, -1.0))):
        hand.set(deadman=bool(axes), axes=axes)
        tick = run.run(seconds)
    assert math.hypot(*tick.state.robots["arm"].contact.force) > 200.0
    run.send(gone)
    for _ in range(500):
        tick = run.tick()
        forces.append(math.hypot(*tick.state.robots["arm"].contact.force))
    assert tick.lanes["arm"].mode == "idle"
    assert max(forces) < 300.0
