"""A campaign against avoidance: random jogs and moves into tables, walls, the arm itself and moving boxes.

Everything runs through a whole cell in virtual time, and MuJoCo decides what touches, not our own distances. After each
jog the way back is tried on a copy of the cell: the reverse of the motion must be free.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, Literal

import msgspec
import mujoco
import numpy as np
from msgspec import Struct

from farhand.cell import Cell
from farhand.cell.cell_spec import CellSpec
from farhand.filters.compliance import contact_speed
from farhand.kernels import Floats
from farhand.poses import Pose, Vec3, from_matrix, rotation_vector
from farhand.surroundings.arenas import LIGHT_SPEED
from farhand.types import (
    Event,
    HoldHere,
    Inputs,
    LaneReport,
    MoveObject,
    Reading,
    Reset,
    ResetObjects,
    ResetRobot,
    SelectMapping,
    Tick,
    Vector,
)
from farhand_bench.straight import straight_to

__all__ = ["Findings", "campaign", "campaign_cell"]

BACK = 0.5  # s within which the way back must be free
LEAST_WAY, LEAST_SHIFT = 0.01, 0.005  # rad of joints and metres of the tip: smaller motions are ignored
TIP_SPEED, TURN_SPEED = 0.5, 1.5  # m/s and rad/s at full deflection
BOX_SPEED, BOX_PERIOD = 0.12, 2.5  # m/s and s: a sine, with 0.3 m/s² at most
GRIPPER = ("link_6", "flange", "tool_palm", "tool_left_finger", "tool_right_finger")
NEVER_TOUCH = ("wall", "pillar", "ceiling", "mover")
THRESHOLD, CONTACT_SPEED = 100.0, contact_speed(100.0)  # N, m/s
FREE_FOR = 0.1  # s without contact after which a contact is a new touch
KNOCK = 0.05  # s for which the force of a touch by an arm that sprang is recorded
FIFTH = 0.2
LONG_JOG = 0.2  # share of jogs that last two seconds
DOWN = 0.3  # share of jogs towards the table
PRESSED = 3.0  # s for which the last jog presses the table
DAMPED = ("servo.singular", "servo.fold")
Kind = Literal["joints", "base axes", "tool axes", "move"]
KINDS: tuple[Kind, ...] = ("joints", "base axes", "tool axes", "move")


class Findings(Struct, frozen=True):
    """Results of a campaign.

    Args:
        jogs: Number of jogs.
        touches: Touches of pairs that must never touch, by the arm's own approach.
        rammed: The same, while the arm did not approach: an object moved into it.
        fastest: Largest speed of an allowed touch, as a share of its contact speed.
        sprung: The same by an arm that slipped off another object and moved on faster than commanded.
        knocked: Largest force of such a touch, as a share of the threshold.
        least: Least distance between pairs that must never touch, at the ends of jogs, measured by MuJoCo, metres.
        tried: Ways back that were tried.
        shut: Ways back that opened to less than half of a fifth of full speed (a tenth of it where a singularity
            damps): the surface that the arm has just left is near, and bounds the way back.
        trapped: Jogs of which no way back, neither of the joints nor of the tip, opened to half of the speed of the jog
            either.
        taken: Jogs whose ways back are blocked because the moving box has come there since.
        stuck: Jogs and moves at whose end a constraint bounded the arm: how often it was in a corner.
    """

    jogs: int
    touches: int
    rammed: int
    fastest: float
    sprung: float
    knocked: float
    least: float
    tried: int
    shut: int
    trapped: int
    taken: int
    stuck: int


def campaign_cell(seed: int = 0) -> Cell:
    """Return the cell of the campaign: the IRB 120 with a table, walls, a pillar, a moving box, and cubes."""
    solid = {"mass": 0.0, "colour": [0.4, 0.42, 0.45, 1.0]}
    objects: list[dict[str, Any]] = [
        {"name": "table", "size": [1.4, 1.2, 0.6], "position": [0.3, 0.0, 0.3], **solid},
        {"name": "wall", "size": [0.05, 1.2, 0.9], "position": [0.72, 0.0, 1.05], "touch": "never", **solid},
        {"name": "pillar", "shape": "cylinder", "size": [0.05, 0.5], "position": [0.2, 0.45, 0.85],
         "touch": "never", **solid},
        {"name": "ceiling", "size": [1.0, 1.0, 0.05], "position": [0.2, 0.0, 1.5], "touch": "never", **solid},
        {"name": "mover", "size": [0.12, 0.12, 0.12], "position": [0.35, -0.5, 0.9], "mass": 1.0, "touch": "never"},
        {"name": "cube", "size": [0.05, 0.05, 0.05], "position": [0.45, 0.1, 0.6255], "mass": 0.15},
    ]  # fmt: skip
    table = {
        "name": "campaign",
        "speeds": [0.25, 1.0],
        "speed_level": 2,
        "robots": {
            "arm": {
                "model": "irb120",
                "tool": "two-finger",
                "position": [0.0, 0.0, 0.6],
                "avoid": {"keep": 0.01, "contact_speed": CONTACT_SPEED},
                "filters": [{"kind": "scale"}, {"kind": "smooth"}, {"kind": "compliance", "threshold": THRESHOLD}],
                "mappings": {
                    "joints": {"kind": "jog-joints", "share": 1.0},
                    "base axes": {"kind": "jog-tip", "frame": "base", "speed": TIP_SPEED, "turn_speed": TURN_SPEED},
                    "tool axes": {"kind": "jog-tip", "frame": "tool", "speed": TIP_SPEED, "turn_speed": TURN_SPEED},
                },
            }
        },
        "world": {"objects": objects},
    }
    return Cell(msgspec.convert(table, CellSpec), Path("campaign.toml"), seed)


class _Tried(Struct, frozen=True):
    """The degree to which a way back opened, whether a singularity damped it, and whether the moving box blocked it."""

    opened: float
    damped: bool
    by_mover: bool

    @property
    def is_open(self) -> bool:
        """True if it opened far enough."""
        return self.opened >= (0.1 if self.damped else 0.5)


class _Way(Struct, frozen=True, kw_only=True):
    """Result of a way back: whether it is blocked, a trap, or taken by the moving box."""

    shut: bool
    trap: bool
    taken: bool


class _Driver:
    """Drives the cell of the campaign and records contacts."""

    def __init__(self, cell: Cell, seed: int) -> None:
        self.cell, self.random = cell, np.random.default_rng(seed)
        self.sequence = 0
        self.touches = self.rammed = 0
        self.fastest = self.sprung = self.knocked = 0.0
        self._sprang = -1.0  # time of the last spring
        self.stuck = 0
        self._touched: dict[tuple[bool, str], float] = {}  # time of the last contact of gripper or arm with each object
        model = cell.world._model
        bodies = [str(model.body(int(b)).name) for b in model.geom_bodyid]
        moving = [bool(model.body_weldid[int(b)]) for b in model.geom_bodyid]
        self._links = [name.removeprefix("arm/") for name in bodies]
        solid = [g for g in range(model.ngeom) if model.geom_contype[g] or model.geom_conaffinity[g]]
        # the first link stands on the base, which stands on the table
        self._arm = [g for g in solid if bodies[g].startswith("arm/") and moving[g] and self._links[g] != "link_1"]
        self._others = [g for g in solid if not bodies[g].startswith("arm/")]
        self._home = np.array([0.35, -0.5, 0.9])
        self._aim_mover()

    def _aim_mover(self) -> None:
        """Choose the direction in which the box moves to and fro."""
        way = self.random.normal(size=3) * (1.0, 1.0, 0.5)
        self._way = way / np.linalg.norm(way) * BOX_SPEED * BOX_PERIOD / math.tau

    def step(self, axes: Vector, *events: Event, held: bool = True, looked_at: bool = True) -> Tick:
        """Advance by one tick, the box with it."""
        self.sequence += 1
        phase = math.tau * self.cell.time / BOX_PERIOD
        x, y, z = (self._home + self._way * math.sin(phase)).tolist()
        reading = Reading(sequence=self.sequence, deadman=held, axes=axes)
        moved = MoveObject("mover", Pose((x, y, z)))
        self._last = tick = self.cell.step(Inputs({"hand": reading}, (*events, moved)))
        if looked_at:
            self._look()
        return tick

    def _look(self) -> None:
        world = self.cell.world
        if not world.touched_by("arm"):
            return
        now = self.cell.time
        if now - self._sprang < KNOCK:
            force = math.hypot(*self.cell.state.robots["arm"].contact.force)
            self.knocked = max(self.knocked, force / THRESHOLD)
        model, data = world._model, world._data
        others = {name for (_, name), at in self._touched.items() if now - at < FREE_FOR}
        for k in range(data.ncon):
            contact = data.contact[k]
            bodies = [int(model.geom_bodyid[g]) for g in contact.geom]
            names = [str(model.body(b).name) or "floor" for b in bodies]
            mine = [i for i in (0, 1) if names[i].startswith("arm/")]
            if not mine:
                continue
            i = mine[0]
            link, other = names[i].partition("/")[2], names[1 - i]
            normal = np.array(contact.frame[:3]) * (1.0 if i == 0 else -1.0)  # from the arm to the other
            since, self._touched[link in GRIPPER, other] = self._touched.get((link in GRIPPER, other), -1.0), now
            if now - since < FREE_FOR:
                continue
            approach = float(normal @ _velocity(model, data, data.qvel, bodies[i], contact.pos))
            if link not in GRIPPER or other in NEVER_TOUCH or other.startswith("arm/"):
                own = approach > 1e-3
                self.touches += own
                self.rammed += not own
            else:
                most = LIGHT_SPEED if other == "cube" else CONTACT_SPEED
                told = float(normal @ _velocity(model, data, self._rates_told(data), bodies[i], contact.pos))
                if approach > most >= told and others - {other}:
                    self.sprung, self._sprang = max(self.sprung, approach / most), now
                else:
                    self.fastest = max(self.fastest, approach / most)

    def _rates_told(self, data: Any) -> Floats:
        """Return the rates of all joints, with the arm's commanded rates and fingers at rest."""
        rates: Floats = data.qvel.copy()
        index = self.cell.world.compiled.index.robots["arm"]
        rates[index.arm.dofs] = self._last.lanes["arm"].setpoints["arm"].rates
        rates[index.gripper.dofs] = 0.0
        return rates

    # ── A jog and its way back ───────────────────────────────────────────────────────────────────────────────────

    def jog(self) -> list[Floats]:
        """Drive a random jog or move; return the arm's set-points."""
        kind = KINDS[self.random.integers(len(KINDS))]
        way: list[Floats] = []
        if kind == "move":
            low, high = self.cell.lanes["arm"].chain.lower, self.cell.lanes["arm"].chain.upper
            goal = tuple(self.random.uniform(np.maximum(low, -2.8), np.minimum(high, 2.8)).tolist())
            tick = self.step((), straight_to(self.cell, "arm", goal), held=False)
            for _ in range(int(self.random.integers(150, 500))):
                tick = self.step((), held=False)
                way.append(_told(tick.lanes["arm"]))
                if tick.lanes["arm"].mode != "autonomous":
                    break
            return way
        axes = self.random.uniform(-1.0, 1.0, 6) * (self.random.random(6) < 0.6)
        if kind == "base axes" and self.random.random() < DOWN:
            axes[2] = -1.0
        deflected = tuple(axes.tolist())
        self.step((), SelectMapping("arm", kind), held=False)
        ticks = 1000 if self.random.random() < LONG_JOG else int(self.random.integers(150, 400))
        for _ in range(ticks):
            tick = self.step(deflected)
            way.append(_told(tick.lanes["arm"]))
        self.stuck += any(note.code == "avoid.near" for note in tick.lanes["arm"].notes)
        return way

    def press_down(self) -> None:
        """Move straight down from home until the gripper presses on the table, which it may touch."""
        self.clean_up()
        self.step((), SelectMapping("arm", "base axes"), held=False)
        for _ in range(round(PRESSED / self.cell.dt)):
            self.step((0.0, 0.0, -1.0))

    def ways_back(self, way: list[Floats]) -> list[_Way]:
        """Return the results of the reversed motion, in the joints and of the tip.

        They are tried on copies of the cell. There is none if the arm did not move.
        """
        lane, last = self.cell.lanes["arm"], way[-1]
        top = np.array([joint.velocity for joint in lane.model.arm.joints])
        found = []
        for k, there in enumerate(way[::-1]):
            back = there - last
            if np.abs(back).max() > LEAST_WAY:
                share = float(np.abs(back / top).max())
                found.append(self._judged("joints", back / top / share, top, share / (k * self.cell.dt)))
                break
        top = np.array([TIP_SPEED] * 3 + [TURN_SPEED] * 3)
        for k, there in enumerate(way[::-1]):
            shift = lane.chain.forward(there)[:3, 3] - lane.chain.forward(last)[:3, 3]
            if np.linalg.norm(shift) > LEAST_SHIFT:
                back = np.concatenate((shift, _turn(lane.chain.forward(last), lane.chain.forward(there))))
                share = float(np.abs(back / top).max())
                found.append(self._judged("base axes", back / top / share, top, share / (k * self.cell.dt)))
                break
        return found

    def _judged(self, mapping: str, way: Floats, top: Floats, came: float) -> _Way:
        """Try a way back at a fifth of full speed; if that is blocked, at the speed of the jog."""
        first = self._try(mapping, FIFTH * way, top)
        if first.is_open:
            return _Way(shut=False, trap=False, taken=False)
        again = self._try(mapping, min(came, FIFTH) * way, top)
        return _Way(shut=True, trap=not again.is_open, taken=not again.is_open and again.by_mover)

    def _try(self, mapping: str, axes: Floats, top: Floats) -> _Tried:
        kept, sequence = self.cell.snapshot(), self.sequence
        self.step((), HoldHere("arm"), SelectMapping("arm", mapping), held=False, looked_at=False)
        while any(self.step((), held=False, looked_at=False).lanes["arm"].setpoints["arm"].rates):
            continue
        best, damped, by_mover, lane = 0.0, False, False, self.cell.lanes["arm"]
        for _ in range(int(BACK / self.cell.dt)):
            report = self.step(tuple(axes.tolist()), looked_at=False).lanes["arm"]
            moved = np.array(report.setpoints["arm"].rates)
            if mapping != "joints":
                moved = lane.chain.jacobian(_told(report)) @ moved
            best = max(best, float((moved / top) @ axes / (axes @ axes)))
            damped = damped or any(note.code in DAMPED for note in report.notes)
            by_mover = any(note.code == "avoid.near" and note.about[1].name == "mover" for note in report.notes)
        self.cell.restore(kept)
        self.sequence = sequence
        return _Tried(best, damped, by_mover)

    def least(self) -> float:
        """Return the least distance of pairs that must never touch, as MuJoCo measures it; at most 0.1 m."""
        model, data = self.cell.world._model, self.cell.world._data
        found, nothing = 0.1, np.zeros(6)
        for mine in self._arm:
            for other in self._others:
                if self._links[mine] in GRIPPER and self._links[other] not in NEVER_TOUCH:
                    continue
                found = min(found, float(mujoco.mj_geomDistance(model, data, mine, other, 0.1, nothing)))
        return found

    def clean_up(self) -> None:
        """Reset robot and objects."""
        self._aim_mover()
        self.step((), Reset(), ResetRobot("arm"), ResetObjects(), held=False, looked_at=False)
        self.step((), held=False, looked_at=False)
        self._touched = {}


def _told(report: LaneReport) -> Floats:
    return np.array(report.setpoints["arm"].positions)


def _turn(T: Floats, to: Floats) -> Vec3:
    """Return the rotation vector from one pose to another, base axes."""
    step = np.eye(4)
    step[:3, :3] = to[:3, :3] @ T[:3, :3].T
    return rotation_vector(from_matrix(step).rotation)


def _velocity(model: Any, data: Any, rates: Floats, body: int, point: Floats) -> Floats:
    """Return the velocity of a point of a body at given rates of all joints, world axes."""
    jacobian = np.zeros((3, model.nv))
    mujoco.mj_jac(model, data, jacobian, None, np.array(point), body)
    moved: Floats = jacobian @ rates
    return moved


def campaign(jogs: int, seed: int = 0, *, back: bool = True) -> Findings:
    """Return the results of random jogs and moves, and of a last jog onto the table.

    A few random jogs may happen to touch nothing; the last one must touch the table.

    Args:
        jogs: Number of jogs; every tenth starts from home.
        seed: Seed of all random choices.
        back: Try the ways back too, which takes most of the time. They run on copies and change nothing else.
    """
    driver = _Driver(campaign_cell(), seed)
    tried, shut, trapped, taken, least = 0, 0, 0, 0, math.inf
    for k in range(jogs):
        if k % 10 == 0:
            driver.clean_up()
        way = driver.jog()
        least = min(least, driver.least())
        found = driver.ways_back(way) if back else []
        tried, shut = tried + len(found), shut + sum(one.shut for one in found)
        if found and all(one.trap for one in found):
            barred = any(one.taken for one in found)
            trapped, taken = trapped + (not barred), taken + barred
    driver.press_down()
    touched = driver.touches, driver.rammed, driver.fastest, driver.sprung, driver.knocked
    return Findings(jogs, *touched, least, tried, shut, trapped, taken, driver.stuck)
