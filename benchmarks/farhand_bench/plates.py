"""A campaign against compliance: a plate is pressed from anywhere, by every kind of motion, straight and oblique.

Everything runs through a whole cell in virtual time, at full speed. The true contact force is judged.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from farhand.cell import Cell
from farhand.cell.cell_files import find_cell, read_cell
from farhand.kernels import Floats
from farhand.poses import Pose, Vec3, from_matrix, from_rotation_vector, matrix, multiply
from farhand.types import Event, Inputs, ObjectSpec, Reading, Reset, ResetRobot, SelectMapping
from farhand_bench.straight import straight_to

__all__ = ["KINDS", "Kind", "Pressing", "campaign"]

Kind = Literal["tip", "turning tip", "one joint", "two joints", "all joints", "hand", "move"]
KINDS: tuple[Kind, ...] = ("tip", "turning tip", "one joint", "two joints", "all joints", "hand", "move")
TOP = 0.75  # m: the plate's face
THRESHOLD = 60.0  # N
ASLANT = 1.0  # largest angle of a direction from straight down, rad
TILT = 0.4  # largest tilt of the gripper, rad
HAND = 0.25  # m/s of a hand that leads steadily
SECONDS = 3.0  # s for which each motion presses


class Pressing(Struct, frozen=True):
    """Result of one press.

    Args:
        kind: Kind of motion.
        peak: Largest force, as a share of the threshold.
        over: Ticks with more than one and a half times the threshold.
        slid: Travel of the tip in the last second, metres.
        chatter: Largest change of force from tick to tick in that second, as a share of the threshold.
    """

    kind: Kind
    peak: float
    over: int
    slid: float
    chatter: float


def plate_cell(stiffness: float, mass: float, threshold: float = THRESHOLD) -> Cell:
    """Return the IRB 120 above a plate; stiffness 0 means rigid."""
    path = find_cell("irb120")
    spec = read_cell(path)
    plate = ObjectSpec(
        name="plate",
        size=(0.5, 0.8, 0.1),
        position=(0.395, 0.0, TOP - 0.05),
        mass=mass if stiffness else 0.0,
        stiffness=stiffness,
    )
    arm = spec.robots["arm"]
    filters = ({"kind": "scale"}, {"kind": "smooth"}, {"kind": "compliance", "threshold": threshold})
    mappings = {
        "tip": {"kind": "jog-tip", "frame": "base", "speed": 0.5, "turn_speed": 1.5},
        "joints": {"kind": "jog-joints", "share": 1.0},
        "hand": {"kind": "clutch", "lead": 0.05},
    }
    arm = replace(arm, filters=filters, mappings=mappings)
    world = replace(spec.world, objects=(plate,))
    return Cell(replace(spec, robots={"arm": arm}, world=world, speeds=(1.0,), speed_level=1), path)


class _Presser:
    """Brings the arm above the plate and drives it down."""

    def __init__(self, cell: Cell) -> None:
        self.cell, self.sequence = cell, 0
        self.tips: list[Vec3] = []
        self.home = cell.state.robots["arm"].groups["arm"].positions
        self.above = from_matrix(cell.lanes["arm"].chain.forward(self.home))

    def step(self, *events: Event, held: bool = False, axes: tuple[float, ...] = (), pose: Pose | None = None) -> float:
        """Advance by one tick; return the force at the tip, as a share of the threshold."""
        self.sequence += 1
        reading = Reading(sequence=self.sequence, deadman=held, axes=axes, pose=pose)
        tick = self.cell.step(Inputs({"hand": reading}, events))
        self.report = tick.lanes["arm"]
        self.tips.append(tick.state.robots["arm"].T_base_tip.position)
        return math.hypot(*tick.state.robots["arm"].contact.force) / THRESHOLD

    def start(self) -> Floats:
        """Bring the gripper, tilted and turned at random, to a position above the plate; return the joints there."""
        self.step(Reset(), ResetRobot("arm"))
        self.step()
        chain = self.cell.lanes["arm"].chain
        while True:
            x, y, z = self.random.uniform((0.27, -0.3, 0.19), (0.45, 0.3, 0.26)).tolist()
            a, b, c = (self.random.uniform(-TILT, TILT, 3) * (1.0, 1.0, 3.0)).tolist()
            turned = Pose((x, y, z), multiply(from_rotation_vector((a, b, c)), self.above.rotation))
            found = chain.inverse(matrix(turned), self.home)
            if not found.reached:
                continue
            goal = tuple(found.q.tolist())
            self.step(straight_to(self.cell, "arm", goal))
            pressed = self.step()
            while self.report.mode == "autonomous":
                pressed = max(pressed, self.step())
            told = np.array(self.report.setpoints["arm"].positions)
            if pressed == 0.0 and np.abs(told - found.q).max() < 1e-3:
                return told

    def way(self) -> Floats:
        """Return a direction down to the plate, somewhat oblique."""
        aside, round_ = ASLANT * math.sqrt(self.random.random()), math.tau * self.random.random()
        s = math.sin(aside)
        return np.array((s * math.cos(round_), s * math.sin(round_), -math.cos(aside)))

    def joints(self, q: Floats, count: int) -> Floats:
        """Return random shares of the joints' top speeds that bring the tip down."""
        jacobian = self.cell.lanes["arm"].chain.jacobian(q)
        top = np.array([joint.velocity for joint in self.cell.lanes["arm"].model.arm.joints])
        while True:
            shares = np.zeros(6)
            which = self.random.choice(6, count, replace=False)
            shares[which] = self.random.uniform(-1.0, 1.0, count)
            shares /= np.abs(shares).max()
            v = jacobian[:3] @ (shares * top)
            if -v[2] > math.cos(1.2) * math.hypot(*v.tolist()):
                return shares if v[2] < -0.05 else -shares

    def press(self, kind: Kind, seed: tuple[int, int]) -> Pressing:
        """Press once; the seed sets all random choices."""
        self.random = np.random.default_rng(seed)
        q = self.start()
        self.tips.clear()
        ticks = round(SECONDS / self.cell.dt)
        if kind == "move":
            forces = self._move(q, ticks)
        elif kind == "hand":
            forces = self._lead(ticks)
        elif kind in ("tip", "turning tip"):
            turn = self.random.uniform(-0.5, 0.5, 3) if kind == "turning tip" else np.zeros(3)
            forces = self._jog("tip", np.concatenate((self.way(), turn)), ticks)
        else:
            count = {"one joint": 1, "two joints": 2, "all joints": 6}[kind]
            forces = self._jog("joints", self.joints(q, count), ticks)
        late = round(1.0 / self.cell.dt)
        slid = math.dist(self.tips[-late], self.tips[-1])
        chatter = float(np.abs(np.diff(forces[-late:])).max())
        return Pressing(kind, max(forces), sum(force > 1.5 for force in forces), slid, chatter)

    def _jog(self, mapping: str, axes: Floats, ticks: int) -> list[float]:
        self.step(SelectMapping("arm", mapping))
        led = tuple(axes.tolist())
        return [self.step(held=True, axes=led) for _ in range(ticks)]

    def _lead(self, ticks: int) -> list[float]:
        self.step(SelectMapping("arm", "hand"), pose=Pose((0.0, 0.0, 0.0)))
        way, dt = self.way(), self.cell.dt
        return [self.step(held=True, pose=Pose(tuple((HAND * dt * k * way).tolist()))) for k in range(ticks)]

    def _move(self, q: Floats, ticks: int) -> list[float]:
        chain = self.cell.lanes["arm"].chain
        there = chain.forward(q)
        there[:3, 3] += 0.2 * self.way()
        goal = tuple(chain.inverse(there, q).q.tolist())
        forces = [self.step(straight_to(self.cell, "arm", goal))]
        return forces + [self.step() for _ in range(ticks)]


def campaign(
    count: int, seed: int = 0, stiffness: float = 0.0, mass: float = 2.0, kinds: tuple[Kind, ...] = KINDS
) -> list[Pressing]:
    """Return the results of pressing a plate.

    Args:
        count: Number of presses.
        seed: Seed of all random choices.
        stiffness: Stiffness of the plate, N/m; 0: rigid.
        mass: Mass of a plate that yields, kg.
        kinds: Kinds of motion, in turns.
    """
    presser = _Presser(plate_cell(stiffness, mass))
    return [presser.press(kinds[k % len(kinds)], (seed, k)) for k in range(count)]
