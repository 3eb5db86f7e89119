"""All that a lane is made of, as one value: what comes of a robot's table in the world that it stands in."""

from __future__ import annotations

from msgspec import Struct

from farhand.filters.wrist_wrench import Wrist
from farhand.formats.model import RobotModel
from farhand.kinematics import Mechanism
from farhand.lane.lane_setup import LaneSetup
from farhand.lane.modes.mode_machine import PowerSpec
from farhand.mapping import DrivenRobot
from farhand.poses import Quaternion
from farhand.types import Vector

__all__ = ["RobotConfig"]


class RobotConfig(Struct, frozen=True):
    """One robot, ready to be driven.

    Args:
        name: The robot's name.
        model: The robot.
        chain: Its kinematics.
        dt: Seconds per tick.
        home: Joint positions of "home".
        leads: How far each set-point may lead its measured joint.
        grip_lead: How far the gripper's may, metres.
        flipper_leads: How far each flipper's may, for a robot on tracks.
        base: How the robot's base is turned in the world.
        driven: What mappings must know of the robot.
        setup: How it is driven; what can be changed while it runs.
        power: For a robot that must be powered up; it starts off.
        wrist: Makes sense of the wrist sensor, for a robot that has one.
    """

    name: str
    model: RobotModel
    chain: Mechanism
    dt: float
    home: Vector
    leads: Vector
    grip_lead: float
    flipper_leads: Vector
    base: Quaternion
    driven: DrivenRobot
    setup: LaneSetup
    power: PowerSpec | None = None
    wrist: Wrist | None = None
