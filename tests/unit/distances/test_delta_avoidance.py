"""An arm beside a Delta sees platform and arms where these are, whether it stands itself or drives."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import msgspec
import mujoco
import numpy as np
import pytest
from msgspec.structs import replace
from worded import worded

from farhand import Cell
from farhand.cell.cell_spec import CellSpec
from farhand.distances.compiled_shapes import link_shapes
from farhand.distances.packed_scene import CAPSULE, SOLID
from farhand.kernels import Floats
from farhand.kinematics import Delta
from farhand.types import GroupState, Inputs, Reading, Tick, Vector

OTHER, SEER = "delta", "arm"
LOOKED = 0.25  # m within which distances are compared
WASTE = 0.06  # m by which an arm's own capsules may be nearer than it is itself
ROUNDED = 0.02  # m by which the platform and its tool may be, too
PARTS = {f"{OTHER}/platform": f"platform of {OTHER}", f"{OTHER}/base": f"base of {OTHER}"}  # by body
for _k in "123":
    PARTS[f"{OTHER}/upper{_k}"] = f"upper arm {_k} of {OTHER}"
    PARTS |= {f"{OTHER}/{body}": f"lower arm {_k} of {OTHER}" for body in (f"elbow{_k}", f"lower{_k}a", f"lower{_k}b")}
HELD = {
    f"{OTHER}/{body}": f"gripper of {OTHER}"
    for body in ("platform", "tool_palm", "tool_left_finger", "tool_right_finger")
}
STANDS = {"model": "irb120", "tool": "two-finger", "position": [0.0, 0.0, 0.6]}
DRIVES = {"model": "telemax", "position": [0.0, 0.0, 0.0]}
AXES = {"tip": {"kind": "jog-tip", "frame": "base", "speed": 0.25}}
COMPLIANT = [{"kind": "scale"}, {"kind": "smooth"}, {"kind": "compliance", "threshold": 60}]


def cell_of(seer: dict[str, Any], avoid: dict[str, Any] | None = None, **delta: Any) -> Cell:
    """Return a cell with an arm that keeps clear and, before it, a Delta on its stand."""
    robots = {
        SEER: {**seer, "master": "a", "mappings": AXES, "avoid": avoid or {}, "filters": COMPLIANT},
        OTHER: {"model": "delta", "position": [0.85, 0.0, 1.3], "master": "b", "mappings": AXES, **delta},
    }
    masters = {name: {"kind": "manual"} for name in "ab"}
    table = {"name": "beside", "speeds": [1.0], "speed_level": 1, "robots": robots, "masters": masters}
    return Cell(msgspec.convert(table, CellSpec), Path("beside.toml"))


class Beside:
    """An arm and a Delta that can be put anywhere, as the physics has them and as they are measured."""

    def __init__(self, seer: dict[str, Any], **delta: Any) -> None:
        self.cell = cell_of(seer, **delta)
        compiled, arena = self.cell.world.compiled, self.cell.lanes[SEER].arena
        mechanism = compiled.chains[OTHER]
        assert arena is not None
        assert isinstance(mechanism, Delta)
        self.arena, self.model, self.delta, self.data = arena, compiled.model, mechanism, mujoco.MjData(compiled.model)
        self.data.qpos[:] = compiled.qpos_start
        self.states = dict(self.cell.state.robots)
        self.parts = PARTS | HELD if "tool" in delta else PARTS
        self.at = {name: compiled.index.robots[name] for name in (OTHER, SEER)}

    def put(self, name: str, q: Floats) -> None:
        self.data.qpos[self.at[name].arm.qpos] = q
        if name == OTHER:
            self.data.qpos[self.at[name].undriven.qpos] = self.delta.undriven(q)
        positions: Vector = tuple(q.tolist())
        groups = {**self.states[name].groups, "arm": GroupState(positions, positions, positions)}
        self.states[name] = replace(self.states[name], groups=groups)

    def look(self, before: dict[str, Any] | None = None) -> None:
        told = self.states[SEER].groups["arm"].positions
        self.arena.look(told, self.states[SEER], {}, {}, self.states, before or self.states)

    def seen(self) -> dict[str, float]:
        """Return how far the arm is from each part of the Delta, as the arena sees it."""
        self.look()
        found: dict[str, float] = {}
        for pair in self.arena.clearance.near(self.states[SEER].groups["arm"].positions, LOOKED):
            found[pair.second] = min(found.get(pair.second, math.inf), pair.distance)
        return found

    def true(self) -> dict[str, float]:
        """Return the same as MuJoCo has it, from shape to shape."""
        mujoco.mj_kinematics(self.model, self.data)
        joints = [f"{SEER}/{joint.name}" for joint in self.cell.lanes[SEER].model.arm.joints]
        shapes = link_shapes(self.model, f"{SEER}/base", joints)
        links = [g for link, geoms in shapes.items() if link >= 0 for g in geoms]
        found = dict.fromkeys(self.parts.values(), math.inf)
        for geom in link_shapes(self.model, f"{OTHER}/base", ())[-1]:
            name = self.parts[self.model.body(self.model.geom_bodyid[geom]).name]
            gaps = [mujoco.mj_geomDistance(self.model, self.data, g, geom, 1.0, None) for g in links]
            found[name] = min([found[name], *gaps])
        return found

    def places(self, before: dict[str, Any] | None = None) -> tuple[Floats, Floats]:
        """Return middles and ways of the capsules of the Delta, in the arm's frame, and their motion."""
        self.look(before)
        clearance = self.arena.clearance
        joints, capsules = clearance.chain.n, len(clearance.capsules)
        solids, motions = 12 * (joints + 1) + CAPSULE * capsules, 1 + joints + capsules + len(clearance.solids)
        (rows,) = self.arena.neighbour_rows()
        spots = [clearance.flat[solids + SOLID * row :][[0, 1, 2, 5, 8, 11]].copy() for row in rows]
        moves = [self.arena.servo.around[motions + 6 * row :][:6].copy() for row in rows]
        return np.array(spots), np.array(moves)


@pytest.mark.parametrize("seer", [STANDS, DRIVES], ids=["stands", "drives"])
@pytest.mark.parametrize("delta", [{}, {"tool": "two-finger"}], ids=["bare", "with a gripper"])
def test_nothing_of_the_delta_is_nearer_than_it_is_seen_and_little_is_seen_nearer_than_it_is(
    seer: dict[str, Any], delta: dict[str, Any]
) -> None:
    beside, random, near = Beside(seer, position=[0.62, 0.0, 1.3], **delta), np.random.default_rng(5), set[str]()
    chain, low = beside.arena.clearance.chain, beside.delta.lower
    for _ in range(400):
        beside.put(OTHER, random.uniform(low, beside.delta.upper))
        beside.put(SEER, random.uniform(np.maximum(chain.lower, -3.0), np.minimum(chain.upper, 3.0)))
        seen, true = beside.seen(), beside.true()
        for name, distance in true.items():
            at = seen.get(name, LOOKED)
            assert at <= max(distance, 0.0) + 1e-4, name
            if 0.0 < distance < LOOKED:
                assert at >= distance - WASTE - ROUNDED, name
                near.add(name)
    assert near == set(beside.parts.values())


def test_each_part_comes_as_fast_as_its_place_changes() -> None:
    beside, random, h = Beside(STANDS), np.random.default_rng(3), 1e-4
    for _ in range(6):
        q, rates = random.uniform(beside.delta.lower + 0.3, beside.delta.upper - 0.3), random.uniform(-1.0, 1.0, 3)
        beside.put(OTHER, q - h * rates)
        before, _ = beside.places()
        beside.put(OTHER, q + h * rates)
        after, _ = beside.places()
        beside.put(OTHER, q - beside.arena.dt * rates)
        then = dict(beside.states)
        beside.put(OTHER, q)
        now, motion = beside.places(then)
        change = (after - before) / (2.0 * h)
        np.testing.assert_allclose(motion[:, :3], change[:, :3], atol=2e-3)  # it was measured over a tick
        np.testing.assert_allclose(np.cross(motion[:, 3:], now[:, 3:]), change[:, 3:], atol=1e-2)
        assert beside.arena.servo.around[0] >= np.linalg.norm(motion[:, :3], axis=1).max() > 0.05


class Hands:
    """Deflects the axes of both masters, and records contacts and set-points of the arm."""

    def __init__(self, cell: Cell) -> None:
        self.cell, self.number, self.touched, self.notes = cell, 0, set[str](), dict[str, str]()
        self.fastest = 0.0

    def jog(self, ticks: int, arm: Vector = (), delta: Vector = ()) -> Tick:
        for k in range(ticks):
            self.number += 1
            hands = {
                master: Reading(sequence=self.number, tick=self.cell.number, deadman=k > 1 and any(axes), axes=axes)
                for master, axes in (("a", arm), ("b", delta))
            }
            before = self.cell.state.robots[SEER].T_base_tip.position
            tick = self.cell.step(Inputs(readings=hands))
            speed = math.dist(before, tick.state.robots[SEER].T_base_tip.position) / self.cell.dt
            touched = set(self.cell.world.touched_by(SEER))
            if touched and not self.touched:
                self.fastest = speed
            self.touched |= touched
            self.notes |= {worded(note): note.code for note in tick.lanes[SEER].notes}
        return tick

    def told(self, *words: str) -> bool:
        return any(all(word in text for word in words) for text in self.notes)


TOWARDS, AWAY = (-1.0, 0.0, 0.0), (1.0, 0.0, 0.0)


@pytest.mark.parametrize("avoid", [{}, {"never": [OTHER]}], ids=["by itself", "named"])
def test_an_arm_does_not_touch_a_delta_that_has_come_towards_it(avoid: dict[str, Any]) -> None:
    hands = Hands(cell_of(STANDS, avoid))
    hands.jog(450, delta=TOWARDS)
    hands.jog(2000, arm=(1.0, 0.0, 0.1))
    assert not hands.touched
    assert hands.told("is 10 mm from", f"of {OTHER} and must not touch it")
    assert not hands.told("/")


def test_an_arm_goes_where_a_delta_was_that_has_gone_away() -> None:
    ends = []
    for way in (AWAY, TOWARDS):
        hands = Hands(cell_of(STANDS))
        hands.jog(450, delta=way)
        ends.append(hands.jog(1000, arm=(1.0, 0.0, 0.1)).state.robots[SEER].T_base_tip.position[0])
    assert ends[0] > ends[1] + 0.03


def test_a_delta_that_may_be_touched_is_touched_gently() -> None:
    hands = Hands(cell_of(STANDS, {"may": [OTHER]}))
    hands.jog(450, delta=TOWARDS)
    hands.jog(2500, arm=(1.0, 0.0, 0.1))
    assert hands.touched == {OTHER}
    assert hands.fastest < 0.05
    assert hands.told("Slowing to ", f"of {OTHER}.")


def test_a_driven_arm_retreats_from_a_delta_and_a_holding_arm_does_not() -> None:
    gone = []
    for arm in ((0.0, 0.02, 0.0), ()):
        hands = Hands(cell_of(STANDS))
        hands.jog(450, delta=AWAY)
        start = hands.jog(800, arm=(1.0, 0.0, 0.1)).state.robots[SEER].T_base_tip.position
        end = hands.jog(1000, arm=arm, delta=TOWARDS).state.robots[SEER].T_base_tip.position
        gone.append(math.dist(start, end))
        assert (OTHER in hands.touched) == (not arm)
    driven, holding = gone
    assert driven > 0.02
    assert holding < 0.02
