"""Step responses in the physics: the set-point of one joint jumps, the others hold."""

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

HINGE_STEP, SLIDE_STEP = 0.05, 0.01  # rad, m
MAX_SHARE = 0.1  # of a joint's range for a step
BAND = 0.02  # share of the step within which a joint has settled
SECONDS = 1.0
FIXED_BASE = 1e9  # kg and kg·m²: holds the base of a tracked robot without ground


class StepResponse(Struct, frozen=True):
    """The response of one joint.

    Args:
        joint: The joint.
        size: The step, rad or m.
        time: (m,) time after the jump, s.
        travel: (m,) travel, as a share of the step.
        effort: (m,) effort of its drive, Nm or N.
    """

    joint: JointSpec
    size: float
    time: Floats
    travel: Floats
    effort: Floats

    @property
    def overshoot(self) -> float:
        """Overshoot, as a share of the step."""
        return max(0.0, float(self.travel.max()) - 1.0)

    @property
    def settled(self) -> float:
        """Time until it stays within 2 % of the step, s; infinite if it never does."""
        outside = np.flatnonzero(np.abs(self.travel - 1.0) > BAND)
        if not outside.size:
            return 0.0
        last = int(outside[-1])
        return float(self.time[last + 1]) if last + 1 < len(self.time) else float("inf")

    @property
    def peak(self) -> float:
        """The largest effort, Nm or N."""
        return float(np.abs(self.effort).max())


class StepBench:
    """A robot alone in the physics, without contacts; tracks and flippers stand still.

    Args:
        placement: The robot.
        drive: The gains to test.

    Raises:
        DriveError: If the gains are not stable.
    """

    def __init__(self, placement: Placement, drive: DriveSpec) -> None:
        compile_all(without=NOT_IN_A_TICK)
        compiled = compile_world(Blueprint(robots=(replace(placement, drive=drive),), floor=False))
        compiled.model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
        tracks = compiled.index.robots[placement.name].tracks
        if tracks:
            compiled.model.dof_armature[tracks.base_dof : tracks.base_dof + 6] = FIXED_BASE
        self._world, self._name = World(compiled), placement.name
        self.home = self._world.rig(placement.name).posture()
        self._joints = placement.model.arm.joints

    def step(self, number: int, posture: Posture, seconds: float = SECONDS) -> StepResponse:
        """Return the step response of a joint, from rest in a posture."""
        world, joint = self._world, self._joints[number]
        world.put({self._name: posture}, {})
        size = _size(joint, posture.arm[number])
        goal = tuple(at + size * (i == number) for i, at in enumerate(posture.arm))
        setpoints = {self._name: {"arm": _at_rest(goal)} | self._carriers()}
        count = round(seconds / world.dt)
        travel, effort = np.zeros(count + 1), np.zeros(count + 1)
        for tick in range(1, count + 1):
            state, _ = world.step(setpoints)
            arm = state.robots[self._name].groups["arm"]
            travel[tick], effort[tick] = (arm.positions[number] - posture.arm[number]) / size, arm.efforts[number]
        effort[0] = effort[1]
        return StepResponse(joint, size, world.dt * np.arange(count + 1, dtype=np.float64), travel, effort)

    def _carriers(self) -> dict[str, Setpoint]:
        """Return the set-points that hold belts and flippers; none for a fixed robot."""
        tracks = self._world.rig(self._name).tracks
        return {"base": _at_rest((0.0, 0.0)), "flippers": _at_rest(tracks.flippers().positions)} if tracks else {}


def _at_rest(positions: Vector) -> Setpoint:
    still = (0.0,) * len(positions)
    return Setpoint(positions, still, still)


def _size(joint: JointSpec, here: float) -> float:
    """Return the step of a joint, towards the side with the larger range."""
    size = min(HINGE_STEP if joint.kind == "hinge" else SLIDE_STEP, MAX_SHARE * (joint.upper - joint.lower))
    return size if joint.upper - here >= here - joint.lower else -size
