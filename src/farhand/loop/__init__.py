"""The loop that runs a cell: masters in, ticks out, at the pace of a clock given as an argument."""

from farhand.loop.clock import Clock, Pace, VirtualClock, WallClock
from farhand.loop.governor import Governor
from farhand.loop.run import Listener, Run, calm_collector, feedback_of
from farhand.loop.sent import Sent

__all__ = [
    "Clock",
    "Governor",
    "Listener",
    "Pace",
    "Run",
    "Sent",
    "VirtualClock",
    "WallClock",
    "calm_collector",
    "feedback_of",
]
