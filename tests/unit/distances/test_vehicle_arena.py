"""An arm beside a robot on tracks sees body and flippers where these are, whether it stands itself or drives."""

from __future__ import annotations

import math
from pathlib import Path

import mujoco
import numpy as np
import pytest
from msgspec.structs import replace
from worded import worded

from farhand import Cell
from farhand.cell.cell_spec import CellSpec, RobotSpec
from farhand.distances.compiled_shapes import link_shapes
from farhand.distances.packed_scene import CAPSULE, SOLID
from farhand.kernels import Floats
from farhand.poses import Pose, Vec3, compose, from_rotation_vector, from_rpy
from farhand.surroundings import AvoidSpec
from farhand.types import GroupState, Inputs, Reading, Tick, Twist, Vector

OTHER, SEER = "other", "seer"
LOOKED = 0.25  # m within which distances are compared
WASTE = 0.06  # m by which an arm's own capsules may be nearer than it is itself; nothing else is rounded up
FLIPPERS = ("front_left", "front_right", "rear_left", "rear_right")
PARTS = {f"{OTHER}/{place}": f"{place.replace('_', ' ')} flipper of {OTHER}" for place in FLIPPERS}  # by body
PARTS[f"{OTHER}/base"] = f"body of {OTHER}"
STANDS = RobotSpec(model="irb120", tool="two-finger", mappings={"tip": {"kind": "jog-tip", "frame": "base"}})
DRIVES = RobotSpec(model="telemax", position=(-1.0, 0.0, 0.0))
STILL, REST = (0.0,) * 4, Twist()


class Beside:
    """An arm that keeps clear and, before it and turned towards it, a robot on tracks; both can be put anywhere."""

    def __init__(self, seer: RobotSpec) -> None:
        other = RobotSpec(model="telemax", position=(1.05, -0.165, 0.0), rotation=(0.0, 0.0, 0.0, 1.0))
        robots = {
            OTHER: replace(other, master="a", mappings={"drive": {"kind": "drive-tracks"}}),
            SEER: replace(seer, master="b", avoid=AvoidSpec()),
        }
        masters = {name: {"kind": "manual"} for name in "ab"}
        spec = CellSpec(name="beside", speeds=(1.0,), speed_level=1, robots=robots, masters=masters)
        self.cell, self.number = Cell(spec, Path("beside.toml")), 0
        arena = self.cell.lanes[SEER].arena
        assert arena is not None
        self.arena, self.model = arena, self.cell.world.compiled.model
        self.data = mujoco.MjData(self.model)
        self.data.qpos[:] = self.cell.world.compiled.qpos_start
        self.states = dict(self.cell.state.robots)
        self.joints = [f"{SEER}/{joint.name}" for joint in self.cell.lanes[SEER].model.arm.joints]
        self.q: Vector = self.states[SEER].groups["arm"].positions

    def put(self, robot: str, base: Pose, angles: Vector, rates: Vector = STILL, twist: Twist = REST) -> None:
        """Put a robot on tracks somewhere, as the physics has it and as it is measured."""
        self.data.joint(f"{robot}/base").qpos[:] = base.position + base.rotation
        for place, angle in zip(FLIPPERS, angles, strict=True):
            self.data.joint(f"{robot}/{place}").qpos[0] = angle
        state = self.states[robot]
        groups = {**state.groups, "flippers": GroupState(angles, rates, STILL)}
        self.states[robot] = replace(state, T_world_base=base, base_twist=twist, groups=groups)

    def bend(self, q: Vector) -> None:
        """Put the arm that keeps clear to some joints."""
        self.q = q
        for name, position in zip(self.joints, q, strict=True):
            self.data.joint(name).qpos[0] = position
        rest = (0.0,) * len(q)
        groups = {**self.states[SEER].groups, "arm": GroupState(q, rest, rest)}
        self.states[SEER] = replace(self.states[SEER], groups=groups)

    def look(self) -> None:
        self.arena.look(self.q, self.states[SEER], {}, {}, self.states, self.states)

    def seen(self) -> dict[str, float]:
        """Return how far the arm is from each part of the other's vehicle, as the arena sees it."""
        self.look()
        found: dict[str, float] = {}
        for pair in self.arena.clearance.near(self.q, LOOKED):
            found[pair.second] = min(found.get(pair.second, math.inf), pair.distance)
        return found

    def true(self) -> dict[str, float]:
        """Return the same as MuJoCo has it, from shape to shape."""
        mujoco.mj_kinematics(self.model, self.data)
        shapes = link_shapes(self.model, f"{SEER}/base", self.joints)
        links = [g for link, geoms in shapes.items() if link >= 0 for g in geoms]
        found = dict.fromkeys(PARTS.values(), math.inf)
        for geom in link_shapes(self.model, f"{OTHER}/base", ())[-1]:
            name = PARTS.get(self.model.body(self.model.geom_bodyid[geom]).name)
            if name is not None:
                gaps = [mujoco.mj_geomDistance(self.model, self.data, g, geom, 1.0, None) for g in links]
                found[name] = min([found[name], *gaps])
        return found

    def places(self) -> tuple[Floats, Floats]:
        """Return centres and turns of the solids of the other's vehicle, in the arm's frame, and their motion."""
        self.look()
        clearance = self.arena.clearance
        joints, capsules = clearance.chain.n, len(clearance.capsules)
        solids, motions = 12 * (joints + 1) + CAPSULE * capsules, 1 + joints + capsules + len(clearance.solids)
        (of_other,) = self.arena.neighbour_rows()
        rows = [row for row in of_other.tolist() if clearance.names(0, row)[1] in PARTS.values()]
        spots = [clearance.flat[solids + SOLID * row :][:12].copy() for row in rows]
        moves = [self.arena.servo.around[motions + 6 * row :][:6].copy() for row in rows]
        return np.array(spots), np.array(moves)


@pytest.fixture(scope="module", params=[STANDS, DRIVES], ids=["stands", "drives"])
def both(request: pytest.FixtureRequest) -> Beside:
    return Beside(request.param)


def strewn(random: np.random.Generator, low: Vec3, high: Vec3) -> Pose:
    """Return a pose between two corners, heading anywhere, as tilted as on stairs."""
    x, y, z = random.uniform(low, high).tolist()
    roll, pitch = random.uniform(-0.6, 0.6, 2).tolist()
    return Pose((x, y, z), from_rpy(roll, pitch, random.uniform(-math.pi, math.pi)))


def angles(random: np.random.Generator) -> Vector:
    return tuple(random.uniform(-math.pi, math.pi, 4).tolist())


def test_nothing_of_the_other_is_nearer_than_it_is_seen_and_little_is_seen_nearer_than_it_is(both: Beside) -> None:
    random, near, chain = np.random.default_rng(7), 0, both.arena.clearance.chain
    for _ in range(300):
        T_world_seer = Pose((0.0, 0.0, 0.0))
        if both.arena.drives:
            T_world_seer = strewn(random, (-2.0, -2.0, 0.0), (2.0, 2.0, 0.5))
            both.put(SEER, T_world_seer, angles(random))
        around = strewn(random, (-0.8, -0.8, 0.0), (0.8, 0.8, 0.8))
        both.put(OTHER, compose(T_world_seer, around), angles(random))
        both.bend(tuple(random.uniform(chain.lower, chain.upper).tolist()))
        seen, true = both.seen(), both.true()
        for name, distance in true.items():
            at = seen.get(name, LOOKED)
            assert at <= max(distance, 0.0) + 1e-4, name
            if 0.0 < distance < LOOKED:
                assert at >= distance - WASTE, name
                near += 1
    assert near > 300


def test_a_flipper_comes_as_fast_as_it_turns_and_is_driven(both: Beside) -> None:
    """The motions in the scene match the changes of the poses, with everything moving."""
    h, random = 1e-4, np.random.default_rng(3)
    for _ in range(6):
        starts = {name: strewn(random, (-1.0, -1.0, 0.0), (1.0, 1.0, 0.5)) for name in (OTHER, SEER)}
        turned = {name: (random.uniform(-2.0, 2.0, 4), random.uniform(-1.0, 1.0, 4)) for name in (OTHER, SEER)}
        twists = {name: random.uniform(-0.4, 0.4, 6) for name in (OTHER, SEER)}
        found = []
        for t in (-h, h, 0.0):
            for name in (OTHER, SEER) if both.arena.drives else (OTHER,):
                (x, y, z, a, b, c), (at, rates) = (t * twists[name]).tolist(), turned[name]
                base = compose(starts[name], Pose((x, y, z), from_rotation_vector((a, b, c))))
                u, v, w, d, e, f = twists[name].tolist()
                angle, rate = tuple((at + t * rates).tolist()), tuple(rates.tolist())
                both.put(name, base, angle, rate, Twist((u, v, w), (d, e, f)))
            found.append(both.places())
        (before, _), (after, _), (now, motion) = found
        change = (after - before) / (2.0 * h)
        np.testing.assert_allclose(motion[:, :3], change[:, :3], atol=1e-5)
        for spot, moved, moves in zip(now, change, motion, strict=True):
            turn = moved[3:].reshape(3, 3) @ spot[3:].reshape(3, 3).T
            np.testing.assert_allclose(moves[3:], (turn[2, 1], turn[0, 2], turn[1, 0]), atol=1e-5)
        fastest = np.linalg.norm(motion[:, :3], axis=1).max()
        assert both.arena.servo.around[0] >= fastest > 0.1


def jog(beside: Beside, ticks: int, tracked: Vector = (), arm: Vector = ()) -> Tick:
    """Deflect the axes of both masters for a while."""
    cell = beside.cell
    for k in range(ticks):
        beside.number += 1
        hands = {
            master: Reading(sequence=beside.number, tick=cell.number, deadman=k > 1 and any(axes), axes=axes)
            for master, axes in (("a", tracked), ("b", arm))
        }
        tick = cell.step(Inputs(readings=hands))
        assert OTHER not in cell.world.touched_by(SEER)
    return tick


def test_an_arm_stops_before_a_flipper_retreats_as_it_comes_down_and_returns() -> None:
    beside = Beside(STANDS)

    def ahead(tick: Tick) -> float:
        return tick.state.robots[SEER].T_base_tip.position[0]

    tick = jog(beside, 700, arm=(1.0, 0.0, 0.0))
    stopped = ahead(tick)
    (note, *_) = [note for note in tick.lanes[SEER].notes if note.code == "avoid.near"]
    assert f"front right flipper of {OTHER}" in worded(note)
    assert tick.state.robots[OTHER].groups["flippers"].positions[1] == pytest.approx(math.pi / 3.0, abs=0.01)
    tick = jog(beside, 580, tracked=(0.0, 0.0, -1.0), arm=(0.0, 0.02, 0.0))
    assert ahead(tick) < stopped - 0.1
    assert ahead(jog(beside, 700, arm=(1.0, 0.0, 0.0))) > stopped + 0.08
