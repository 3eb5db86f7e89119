"""Step responses in the physics: a joint's set-point jumps, the others hold."""

from __future__ import annotations

import mujoco
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from farhand.formats.model import JointSpec
from farhand.kernels import Floats, compile_all
from farhand.kernels.notice import NOT_IN_A_TICK
from farhand.types import Setpoint, Vector
from farhand.world import Blueprint, DriveSpec, Placement, Posture, World, compile_world

__all__ = ["StepBench", "StepResponse"]

HINGE, SLIDE = 0.05, 0.01  # rad and m of a step
SHARE = 0.1  # of a joint's range that a step may be at most
BAND = 0.02  # of the step: within it a joint has settled
SECONDS = 1.0
PARKED = 1e9  # kg and kg·m²: a base that nothing moves, though nothing is below it


class StepResponse(Struct, frozen=True):
    """The response of one joint.

    Args:
        joint: Which one.
        size: Of the step, rad or m.
        time: (m,) seconds after the jump.
        way: (m,) how far it came, as a share of the step.
        effort: (m,) Nm or N of its drive.
    """

    joint: JointSpec
    size: float
    time: Floats
    way: Floats
    effort: Floats

    @property
    def overshoot(self) -> float:
        """How far it went beyond, as a share of the step."""
        return max(0.0, float(self.way.max()) - 1.0)

    @property
    def settled(self) -> float:
        """Seconds until it stays within 2 % of the step; infinite if it never does."""
        outside = np.flatnonzero(np.abs(self.way - 1.0) > BAND)
        if not outside.size:
            return 0.0
        last = int(outside[-1])
        return float(self.time[last + 1]) if last + 1 < len(self.time) else float("inf")

    @property
    def peak(self) -> float:
        """The largest effort, Nm or N."""
        return float(np.abs(self.effort).max())


class StepBench:
    """A robot alone in the physics, without anything to touch, driven by some gains; tracks and flippers stand.

    Args:
        placement: The robot.
        drive: Its gains.

    Raises:
        DriveError: If they are not stable.
    """

    def __init__(self, placement: Placement, drive: DriveSpec) -> None:
        compile_all(without=NOT_IN_A_TICK)
        compiled = compile_world(Blueprint(robots=(replace(placement, drive=drive),), floor=False))
        compiled.model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
        tracks = compiled.index.robots[placement.name].tracks
        if tracks:
            compiled.model.dof_armature[tracks.base_dof : tracks.base_dof + 6] = PARKED
        self._world, self._name = World(compiled), placement.name
        self.home = self._world.rig(placement.name).posture()
        self._joints = placement.model.arm.joints

    def step(self, number: int, posture: Posture, seconds: float = SECONDS) -> StepResponse:
        """Return the response of a joint from a posture, at rest there."""
        world, joint = self._world, self._joints[number]
        world.put({self._name: posture}, {})
        size = _size(joint, posture.arm[number])
        goal = tuple(at + size * (i == number) for i, at in enumerate(posture.arm))
        told = {self._name: {"arm": _at_rest(goal)} | self._carriers()}
        count = round(seconds / world.dt)
        way, effort = np.zeros(count + 1), np.zeros(count + 1)
        for tick in range(1, count + 1):
            state, _ = world.step(told)
            arm = state.robots[self._name].groups["arm"]
            way[tick], effort[tick] = (arm.positions[number] - posture.arm[number]) / size, arm.efforts[number]
        effort[0] = effort[1]
        return StepResponse(joint, size, world.dt * np.arange(count + 1, dtype=np.float64), way, effort)

    def _carriers(self) -> dict[str, Setpoint]:
        """Return what tells belts and flippers to stay as they are; nothing for a robot that stands."""
        tracks = self._world.rig(self._name).tracks
        return {"base": _at_rest((0.0, 0.0)), "flippers": _at_rest(tracks.flippers().positions)} if tracks else {}


def _at_rest(positions: Vector) -> Setpoint:
    still = (0.0,) * len(positions)
    return Setpoint(positions, still, still)


def _size(joint: JointSpec, here: float) -> float:
    """Return how far a joint shall jump: towards the side where there is more room."""
    size = min(HINGE if joint.kind == "hinge" else SLIDE, SHARE * (joint.upper - joint.lower))
    return size if joint.upper - here >= here - joint.lower else -size
