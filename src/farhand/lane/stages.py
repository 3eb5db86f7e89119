"""The stages of a lane that depend on the robot alone; they keep no state between ticks."""

from __future__ import annotations

from farhand.kinematics.serial.tip_pose import TipReader
from farhand.lane.motion.base_stage import BaseStage
from farhand.lane.motion.gripper_stage import GripperStage
from farhand.lane.motion.guard_stage import GuardStage
from farhand.lane.motion.servo_stage import ServoStage
from farhand.lane.motion.validity import LimitWatch
from farhand.lane.paths.trail import Trail
from farhand.lane.robot_config import RobotConfig

__all__ = ["Stages"]


class Stages:
    """The stages of one robot, shared by lanes that differ only in their set-up or surroundings.

    Args:
        config: The robot.
    """

    def __init__(self, config: RobotConfig) -> None:
        model, dt = config.model, config.dt
        joints, tracks, gripper = model.arm.joints, model.tracks, model.gripper
        self.tip, self.watch, self.trail = TipReader(config.chain), LimitWatch(joints), Trail(joints)
        self.servo = ServoStage(config.chain, joints, dt, yields=tracks is not None)
        self.guard = GuardStage(joints, config.leads, dt)
        self.gripper = GripperStage(gripper, config.grip_lead, dt) if gripper else None
        self.tracks = BaseStage(tracks, config.flipper_leads, dt) if tracks else None
