"""The configuration of one robot in its world, from which its lane is made."""

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
    """The configuration of one robot.

    Args:
        name: The robot's name.
        model: The robot.
        chain: Its kinematics.
        dt: Seconds per tick.
        home: Joint positions of "home".
        leads: Largest lead of each joint's set-point over its measured position (rad, m).
        grip_lead: The same for the gripper's opening, m.
        flipper_leads: The same for each flipper of a robot on tracks, rad.
        base: Orientation of the robot's base in the world.
        driven: The part of the robot that mappings use.
        setup: The part of the configuration that can be changed while the cell runs.
        power: Settings of the power switch, for a robot that has one; it starts off.
        wrist: Reader of the wrist sensor, for a robot that has one.
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
