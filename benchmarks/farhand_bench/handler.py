"""An operator who handles objects: a driver who also jogs the arm's tip and the gripper, through the usual axes."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from farhand.cell import Cell
from farhand.kernels import Floats
from farhand.mapping.jog import JogTip
from farhand.poses import Vec3, rotate
from farhand.types import SelectMapping, Vector
from farhand_bench.courts import ROBOT
from farhand_bench.driver import Driver

__all__ = ["ABOVE", "AHEAD", "DRIVE", "TIP", "Handler", "facing"]

DRIVE, TIP = "drive", "arm tip"
AHEAD, ABOVE = 0.5 * math.pi, math.pi  # pitch of the claw: ahead, down
SEEDS: dict[float, Vector] = {
    AHEAD: (0.0, -1.2, 2.1, 0.05, 0.0, -0.8, 0.0),
    ABOVE: (0.0, -1.1, 1.4, 0.07, 0.0, 1.2, 0.0),
}
TIME_OUT = 2.0  # as a multiple of the expected time
BRAKING = 0.008  # m that the jaws still travel when released at full speed
STALLED = 0.004  # m/s: slower fingers are blocked
STALL_S = 0.15  # for which they must be slower
# A gentle grasp closes in stages: shares of the jaws' speed, each up to some metres before contact.
SLOWER, GENTLY = ((1.0, 0.020), (0.2, 0.002)), 0.01
EASING, SLACK = 0.05, 0.04  # share of the jaws' speed, and of their effort


class Handler(Driver):
    """Drives, jogs the tip in base axes, opens and closes the gripper.

    Args:
        cell: With the mappings "drive" (`drive-tracks`) and "arm tip" (`jog-tip`).
    """

    def __init__(self, cell: Cell) -> None:
        super().__init__(cell)
        mapping = cell.lanes[ROBOT].mappings[TIP]
        assert isinstance(mapping, JogTip)
        self.tip_speed = mapping.speed
        gripper = cell.lanes[ROBOT].model.gripper
        assert gripper is not None
        self.gripper = gripper

    @property
    def opening(self) -> float:
        """Distance between the jaws, m."""
        return self.robot.groups["gripper"].positions[0]

    @property
    def squeeze(self) -> float:
        """Effort of the gripper's motors, as a share of their limit."""
        return self.robot.groups["gripper"].efforts[0] / self.gripper.effort

    @property
    def heading(self) -> float:
        """Heading of the robot, rad to the left of the world's x axis."""
        assert self.robot.T_world_base is not None
        x, y, _ = rotate(self.robot.T_world_base.rotation, (1.0, 0.0, 0.0))
        return math.atan2(y, x)

    def choose(self, mapping: str) -> None:
        """Select another mapping, with no axis deflected."""
        if self.tick.lanes[ROBOT].mapping != mapping:
            self.say(())
            self.send(SelectMapping(ROBOT, mapping))
            self.say(())

    def reach_tip(self, position: Vec3, pitch: float, yaw: float = 0.0) -> bool:
        """Move the arm's tip to a position in base axes by command; return whether it is in reach and arrived."""
        found = self.cell.lanes[ROBOT].chain.inverse(facing(position, pitch, yaw), np.array(SEEDS[pitch]))
        return found.reached and self.reach(tuple(found.q.tolist()))

    def jog(self, velocity: Vec3, seconds: float) -> None:
        """Jog the tip in base axes, m/s."""
        self.choose(TIP)
        axes = tuple([v / self.tip_speed for v in velocity])
        for _ in range(round(seconds / self.cell.dt)):
            self.say(axes)

    def rest(self, seconds: float) -> None:
        """Release the deadman for a while."""
        for _ in range(round(seconds / self.cell.dt)):
            self.say(())

    def close(self, share: float = 1.0, width: float = 0.0, seconds: float = 8.0) -> None:
        """Close the gripper until its motors reach an effort.

        Args:
            share: Share of their full effort.
            width: Width of the object, m; a gentle grasp slows down just before contact.
            seconds: Time-out, s.
        """
        if share < 1.0:
            for pace, near in SLOWER:
                self._move_jaws(-pace, partial(self._narrower, width + near), seconds)
            # an object that was heavy to push, or askew, was pressed too hard: open a little, and start again
            if self.squeeze > share:
                self._move_jaws(EASING, lambda: self.squeeze < SLACK, seconds)
            self._press(share)
            return
        pressed = [0]

        def stalled() -> bool:
            slow = abs(self.robot.groups["gripper"].rates[0]) < STALLED
            pressed[0] = pressed[0] + 1 if slow and self.squeeze > 0.98 else 0
            return pressed[0] * self.cell.dt > STALL_S

        self._move_jaws(-1.0, stalled, seconds)

    def narrow(self, opening: float, seconds: float = 4.0) -> None:
        """Close the gripper to an opening, m, if it is wider."""
        if self.opening > opening + BRAKING:
            self._move_jaws(-1.0, partial(self._narrower, opening + BRAKING), seconds)

    def _narrower(self, opening: float) -> bool:
        return self.opening < opening

    def _press(self, share: float, tries: int = 12) -> None:
        """Close in small steps: an object that settles presses back less, so measure again after each step."""
        for _ in range(tries):
            self._move_jaws(-GENTLY, lambda: self.squeeze > share, 8.0)
            self.rest(0.15)
            if self.squeeze > 0.95 * share:
                return

    def open(self, opening: float, seconds: float = 4.0) -> None:
        """Open the gripper to an opening, m, or as far as it goes."""
        self._move_jaws(1.0, lambda: self.opening > min(opening, 0.98 * self.gripper.opening), seconds)

    def _move_jaws(self, pace: float, done: Callable[[], bool], seconds: float) -> None:
        self.choose(TIP)
        for _ in range(round(seconds / self.cell.dt)):
            self.say((0.0, 0.0, 0.0, 0.0, 0.0, 0.0, pace))
            if done():
                break
        self.say(())

    def turn_to(self, heading: float, rate: float = 0.8, seconds: float = 12.0) -> None:
        """Turn in place to a heading, rad."""
        self.choose(DRIVE)
        for _ in range(round(seconds / self.cell.dt)):
            away = math.remainder(heading - self.heading, math.tau)
            if abs(away) < 0.02:
                break
            self.step(0.0, math.copysign(min(rate, 2.0 * abs(away) + 0.1), away), (0.0,) * 4)
        self.rest(0.4)

    def go(self, distance: float, speed: float, heading: float) -> None:
        """Drive straight on, or back for a negative distance, keeping the heading.

        Args:
            distance: Metres.
            speed: m/s.
            heading: rad.
        """
        self.choose(DRIVE)
        braking = 0.5 * speed * speed / 1.5
        begun, forward = self.place, math.copysign(speed, distance)
        for _ in range(round(TIME_OUT * abs(distance) / speed / self.cell.dt)):
            if math.dist(self.place, begun) >= abs(distance) - braking:
                break
            turn = min(max(1.5 * math.remainder(heading - self.heading, math.tau), -0.3), 0.3)
            self.step(forward, turn, (0.0,) * 4)
        self.rest(0.8)

    @property
    def place(self) -> Vec3:
        """Position of the robot's base."""
        assert self.robot.T_world_base is not None
        return self.robot.T_world_base.position


def facing(position: Vec3, pitch: float, yaw: float = 0.0) -> Floats:
    """Return a pose (4, 4) of the tip with the claw pitched down from upright and turned about the vertical."""
    s, c = math.sin(pitch), math.cos(pitch)
    a, b = math.cos(yaw), math.sin(yaw)
    T = np.eye(4)
    T[:3, :3] = np.array([[a, -b, 0.0], [b, a, 0.0], [0.0, 0.0, 1.0]]) @ np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    T[:3, 3] = position
    return T
