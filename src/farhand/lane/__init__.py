"""A lane: everything between one robot's inputs and its drives, as stages over explicit memory.

``inbox → modes → arbiter (hand, autonomous source, hold) → filters → servo → guard``
"""

from farhand.lane.config import RobotConfig
from farhand.lane.inbox import Inbox
from farhand.lane.lane import Lane
from farhand.lane.memory import LaneMemory
from farhand.lane.modes import ModeMemory, PowerSpec, WatchdogSpec
from farhand.lane.reflection import ReflectionSpec

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
