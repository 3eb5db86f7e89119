"""A lane: everything between one robot's inputs and its drives, as stages over explicit memory.

``inbox → modes → arbiter (hand, autonomous source, hold) → filters → servo → guard``
"""

from farhand.lane.contact.force_feedback import ReflectionSpec
from farhand.lane.intake.inbox import Inbox
from farhand.lane.lane import Lane
from farhand.lane.memory import LaneMemory
from farhand.lane.modes.mode_machine import ModeMemory, PowerSpec, WatchdogSpec
from farhand.lane.robot_config import RobotConfig

__all__ = [
    "Inbox",
    "Lane",
    "LaneMemory",
    "ModeMemory",
    "PowerSpec",
    "ReflectionSpec",
    "RobotConfig",
    "WatchdogSpec",
]
