"""Compliance: on walls of any stiffness the contact force settles at the threshold, and the tip leaves freely."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hands import rough_cell
from msgspec.structs import replace
from worded import worded

from farhand import Cell, Run
from farhand.filters.compliance import contact_speed
from farhand.formats.model import WristSpec
from farhand.masters import Manual
from farhand.poses import Pose
from farhand.surroundings import AvoidSpec
from farhand.types import Load, MoveJoints, ObjectSpec, Power, Reconfigure, SelectMapping, Tick
from farhand_bench.plates import campaign

PLAIN = rough_cell()
THRESHOLD = 30.0
SPEED = 0.02  # m/s, four times the speed at which the hardest wall may be touched
JOG = 0.25  # m/s of a jog at full speed
FACE = 0.44  # m, where the wall begins
WALLS = {"1 kN/m": 1e3, "10 kN/m": 1e4, "100 kN/m": 1e5}


def cell_with(stiffness: float, speed: float = SPEED, mass: float = 2.0) -> Cell:
    """Return the plain cell with a wall before the fingers, a compliant arm and a slow jog; 0: a rigid wall."""
    wall = ObjectSpec(
        name="wall",
        size=(0.1, 0.3, 0.24),
        position=(FACE + 0.05, 0.0, 0.765),
        mass=mass if stiffness else 0.0,
        stiffness=stiffness,
    )
    arm = PLAIN.spec.robots["arm"]
    filters = ({"kind": "compliance", "threshold": THRESHOLD}, *arm.filters)
    arm = replace(arm, filters=filters, mappings={**arm.mappings, "clutch": {"kind": "clutch", "lead": 0.05}})
    world = replace(PLAIN.spec.world, objects=(wall,))
    return Cell(
        replace(PLAIN.spec, robots={"arm": arm}, world=world, speeds=(speed / JOG, 1.0), speed_level=1), PLAIN.path
    )


class Bench:
    """Such a cell with a hand."""

    def __init__(self, cell: Cell, mapping: str = "base axes") -> None:
        self.run = Run(cell)
        hand = self.run.masters["hand"]
        assert isinstance(hand, Manual)
        self.hand = hand
        self.run.send(SelectMapping("arm", mapping))
        self.run.tick()

    def go(self, seconds: float, **reading: object) -> list[Tick]:
        self.hand.set(**reading)
        return [self.run.tick() for _ in range(round(seconds / self.run.cell.dt))]


def forces(ticks: list[Tick]) -> list[float]:
    return [math.hypot(*tick.state.robots["arm"].contact.force) for tick in ticks]


def check(pressed: list[float]) -> None:
    """Check the law: never beyond half as much again, and within a second at the threshold, without chatter."""
    assert max(pressed) <= 1.5 * THRESHOLD
    first = next(i for i, force in enumerate(pressed) if force > 0.9 * THRESHOLD)
    settled = pressed[first + 500 :]
    assert len(settled) > 400
    assert min(settled) >= 0.9 * THRESHOLD
    assert max(settled) <= 1.1 * THRESHOLD
    late = settled[250:]
    assert max(late) - min(late) < 0.05 * THRESHOLD
    # Not from one tick to the next either: a heavy wall would answer that with its inertia.
    assert max([abs(b - a) for a, b in pairwise(late)]) < 0.01 * THRESHOLD


@pytest.mark.parametrize("stiffness", WALLS.values(), ids=WALLS)
def test_a_jog_comes_to_the_threshold_and_stays_there(stiffness: float) -> None:
    bench = Bench(cell_with(stiffness))
    ticks = bench.go(0.045 / SPEED + THRESHOLD / stiffness / SPEED + 2.5, deadman=True, axes=(1.0, 0.0, 0.0))
    check(forces(ticks))
    assert any(note.code == "compliance.yields" for note in ticks[-1].lanes["arm"].notes)
    along = bench.go(1.0, axes=(0.0, 1.0, 0.0))
    assert along[-1].state.robots["arm"].T_base_tip.position[1] > 0.5 * SPEED  # sliding is free
    here = along[-1].state.robots["arm"].T_base_tip.position[0]
    back = bench.go(1.0, axes=(-1.0, 0.0, 0.0))
    assert back[-1].state.robots["arm"].T_base_tip.position[0] < here - 0.5 * SPEED


def test_a_rigid_wall_is_touched_gently_at_the_contact_speed() -> None:
    speed = contact_speed(THRESHOLD)
    bench = Bench(cell_with(0.0, speed))
    check(forces(bench.go(0.045 / speed + 2.5, deadman=True, axes=(1.0, 0.0, 0.0))))


@pytest.mark.parametrize("aside", [(0.0, 0.0, 0.0), (0.3, -0.4, 0.5)], ids=["here", "elsewhere"])
@pytest.mark.parametrize("stiffness", [0.0, 1e5], ids=["rigid", "100 kN/m"])
def test_a_jog_at_full_speed_that_avoidance_slows_comes_to_the_threshold(
    stiffness: float, aside: tuple[float, float, float]
) -> None:
    """What keeps the tip from going in is no reason to slide along a wall that friction tilts."""
    plate = ObjectSpec(
        name="plate",
        size=(0.5, 0.5, 0.1),
        position=(0.395, 0.0, 0.7),
        mass=2.0 if stiffness else 0.0,
        stiffness=stiffness,
    )
    arm = PLAIN.spec.robots["arm"]
    arm = replace(arm, avoid=AvoidSpec(), filters=({"kind": "compliance", "threshold": THRESHOLD}, *arm.filters))
    world = replace(PLAIN.spec.world, objects=(plate,))
    bench = Bench(Cell(replace(PLAIN.spec, robots={"arm": arm}, world=world, speeds=(1.0,), speed_level=1), PLAIN.path))
    x, y, turn = aside
    bench.go(0.3, deadman=True, axes=(x, y, 0.0, 0.0, 0.0, turn))
    bench.go(0.3, deadman=False)
    check(forces(bench.go(6.0, deadman=True, axes=(0.0, 0.0, -1.0))))


@pytest.mark.parametrize("mass", [2.0, 10.0])
@pytest.mark.parametrize("stiffness", WALLS.values(), ids=WALLS)
def test_a_hand_that_leads_further_and_further_presses_no_harder(stiffness: float, mass: float) -> None:
    bench = Bench(cell_with(stiffness, mass=mass), "clutch")
    bench.go(0.1, deadman=True, pose=Pose((0.0, 0.0, 0.0)))
    ticks = []
    for i in range(2200 + round(THRESHOLD / stiffness / SPEED / 0.002)):
        ticks += bench.go(0.002, pose=Pose((min(SPEED * 0.002 * i, 0.1), 0.0, 0.0)))
    check(forces(ticks))


def test_a_hand_that_is_drawn_along_a_wall_takes_the_tip_along() -> None:
    bench = Bench(cell_with(1e4), "clutch")
    bench.go(0.1, deadman=True, pose=Pose((0.0, 0.0, 0.0)))
    for i in range(1200):
        bench.go(0.002, pose=Pose((SPEED * 0.002 * i, 0.0, 0.0)))
    held = bench.go(0.2)[-1].state.robots["arm"].T_base_tip.position
    for i in range(1500):
        along = bench.go(0.002, pose=Pose((SPEED * 0.002 * 1200, SPEED * 0.002 * i, 0.0)))
    there = along[-1].state.robots["arm"].T_base_tip.position
    assert abs(held[1]) < 1e-3  # friction holds what is led straight in
    assert there[1] > 0.5 * SPEED * 3.0
    assert forces(along)[-1] <= 1.1 * THRESHOLD


@pytest.mark.parametrize("stiffness", WALLS.values(), ids=WALLS)
def test_a_move_by_itself_presses_no_harder_either(stiffness: float) -> None:
    bench = Bench(cell_with(stiffness, 0.01))
    joints = bench.run.cell.state.robots["arm"].groups["arm"].positions
    chain = bench.run.cell.lanes["arm"].chain
    further = chain.forward(joints)
    further[0, 3] += 0.06 + 2.0 * THRESHOLD / stiffness
    bench.run.send(MoveJoints("arm", tuple(chain.inverse(further, joints).q.tolist())))
    ticks = bench.go(6.0 + 60.0 * THRESHOLD / stiffness)
    assert ticks[300].lanes["arm"].mode == "autonomous"
    check(forces(ticks))
    y = [tick.state.robots["arm"].T_base_tip.position[1] for tick in ticks]
    assert max(map(abs, y)) < 1e-3  # it keeps to its way, and does not slide about


def test_a_joint_that_is_jogged_presses_no_harder_and_takes_no_other_along() -> None:
    bench = Bench(cell_with(1e4, 0.01), "joints")
    ticks = bench.go(5.0, deadman=True, axes=(0.0, 0.0, 0.0, 0.0, -1.0, 0.0))
    check(forces(ticks))
    first, last = (tick.lanes["arm"].setpoints["arm"].positions for tick in (ticks[0], ticks[-1]))
    assert last[4] < first[4] - 0.1
    assert last[:4] + last[5:] == pytest.approx(first[:4] + first[5:], abs=3e-3)


def clamped_bench(threshold: float) -> Bench:
    """Return an arm whose jaws have closed around a bar that does not move."""
    bar = ObjectSpec(name="bar", size=(0.04, 0.04, 0.1), position=(0.374, 0.0, 0.65), mass=0.0)
    arm = PLAIN.spec.robots["arm"]
    mappings = {"turn": {"kind": "jog-tip", "frame": "base", "speed": 0.5, "turn_speed": 1.5}}
    filters = ({"kind": "scale"}, {"kind": "smooth"}, {"kind": "compliance", "threshold": threshold})
    arm = replace(
        arm, avoid=AvoidSpec(), filters=filters, mappings={**arm.mappings, **mappings}, wrist=WristSpec(payload=3.0)
    )
    world = replace(PLAIN.spec.world, objects=(bar,))
    cell = Cell(replace(PLAIN.spec, robots={"arm": arm}, world=world, speeds=(1.0,), speed_level=1), PLAIN.path)
    bench = Bench(cell, "turn")
    for axis, sign, there in ((0, -0.1, 0.374), (2, -0.3, 0.074)):
        while abs(cell.state.robots["arm"].T_base_tip.position[axis] - there) > 1e-3:
            bench.go(0.002, deadman=True, axes=(sign, 0.0, 0.0) if axis == 0 else (0.0, 0.0, sign))
        bench.go(0.5, deadman=False)
    assert not cell.state.robots["arm"].clamped
    assert bench.go(2.0, deadman=True, axes=(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0))[-1].state.robots["arm"].clamped
    return bench


WAYS = {
    "turn": (0.0, 0.0, 0.0, 0.0, 0.0, 0.3),
    "turn fast": (0.0, 0.0, 0.0, 0.0, 0.0, 1.0),
    "tilt": (0.0, 0.0, 0.0, 0.0, 0.3, 0.0),
    "pull": (0.0, 0.2, 0.0, 0.0, 0.0, 0.0),
    "pull and turn": (0.0, 0.1, 0.0, 0.0, 0.0, 0.3),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_jaws_that_hold_on_to_what_cannot_move_pull_and_turn_no_harder_than_allowed(way: tuple[float, ...]) -> None:
    most = 60.0
    ticks = clamped_bench(most).go(1.5, axes=(*way, -0.2))
    force, torque = (
        [math.hypot(*vector) for vector in found]
        for found in zip(*[(t.lanes["arm"].contact.force, t.lanes["arm"].contact.torque) for t in ticks], strict=True)
    )
    assert max(force) < 1.5 * most
    assert max(torque) < 1.5 * 0.15 * most
    assert max(force[-250:]) < 1.1 * most


def test_a_torque_of_its_own_is_kept_and_said() -> None:
    bench = clamped_bench(60.0)
    bench.run.send(Reconfigure("arm", "filter", "compliance", {"threshold": 60.0, "torque": 0.5}))
    bench.go(0.1, deadman=False)
    ticks = bench.go(2.0, deadman=True, axes=(0.0, 0.0, 0.0, 0.0, 0.0, 0.3, -0.2))
    torque = [math.hypot(*tick.lanes["arm"].contact.torque) for tick in ticks]
    assert 0.25 < max(torque) < 0.55  # without, it comes to 2.9
    bench.run.send(Reconfigure("arm", "filter", "compliance", {"threshold": 60.0, "torque": 0.25}))
    bench.go(0.1, deadman=False)
    ticks = bench.go(2.0, deadman=True, axes=(0.0, 0.0, 0.0, 0.0, 0.0, 0.3, -0.2))
    assert math.hypot(*ticks[-1].lanes["arm"].contact.torque) < 0.3  # it has turned back
    said = {worded(note) for tick in ticks for note in tick.lanes["arm"].notes if note.code == "compliance.turns"}
    assert any(text.endswith("the tip yields above 0.25 Nm.") for text in said)


# ── From anywhere ────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("stiffness", [0.0, 1e5], ids=["rigid", "100 kN/m"])
def test_a_plate_is_pressed_aslant_from_anywhere_and_no_harder(stiffness: float) -> None:
    found = campaign(10, 1, stiffness, kinds=("tip", "two joints", "hand", "move"))
    assert sum(one.peak > 0.0 for one in found) >= 5
    assert max(one.peak for one in found) < 1.5


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("stiffness", [0.0, 1e3, 1e4, 1e5], ids=["rigid", *WALLS])
def test_by_whatever_moves_it(stiffness: float, seed: int) -> None:
    found = campaign(140, 10 + seed, stiffness)
    assert sum(one.peak > 1.5 for one in found) <= 1
    assert max(one.peak for one in found) < 2.0


def test_without_contact_compliance_does_nothing() -> None:
    ticks = Bench(cell_with(1e4)).go(0.5, deadman=True, axes=(-1.0, 0.0, 0.0))
    assert all(tick.lanes["arm"].demand.walls == () for tick in ticks[200:])


def test_a_holding_arm_reports_the_contact_force_and_does_not_yield() -> None:
    cell = Cell.load("titan3-cyberimpact")  # whose wrist feels what pulls
    run = Run(cell, {"grip": (hand := Manual())})
    run.send(Power("arm", on=True))
    run.send(SelectMapping("arm", "base axes"))
    run.run(3.2)
    run.send(Load("arm", (0.0, 0.0, 300.0)))
    held = run.run(1.0).lanes["arm"]
    assert (held.mode, [(note.code, note.level) for note in held.notes]) == ("idle", [("compliance.pressed", "info")])
    assert worded(held.notes[0]) in {f"The contact force at the tip is {force} N." for force in range(290, 311)}
    hand.set(deadman=True, axes=(0.0, 0.3, 0.0))
    driven = run.run(0.1).lanes["arm"]
    assert "compliance.yields" in [note.code for note in driven.notes]
