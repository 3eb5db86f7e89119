"""What the modes look at in a tick, gathered from requests, readings and what is measured."""

from __future__ import annotations

from farhand.lane.memory import LaneMemory
from farhand.lane.modes import HANDED_OVER, Signals
from farhand.lane.requests import Requests

__all__ = ["signals_from"]

HANDED_ON = "Control passed to someone else."


def signals_from(
    requests: Requests, memory: LaneMemory, age: float | None, beyond: str | None, blind: str | None
) -> Signals:
    """Return the signals of a tick; of several reasons to stop the first counts.

    Args:
        requests: What this tick's events ask of the robot.
        memory: Of the last tick, with this tick's reading.
        age: Seconds, of the newest good reading.
        beyond: Which measured joint is beyond its limits, if one is; stops when that begins.
        blind: Why a robot must stand that cannot feel, if it must.
    """
    inbox, mode = memory.inbox, memory.mode.mode
    stop = requests.stop or inbox.bad or (beyond if beyond and not memory.violating else None) or blind
    if inbox.epoch_changed and mode in HANDED_OVER:
        stop = stop or HANDED_ON
    return Signals(
        held=inbox.reading.deadman and memory.lost is None,
        pressed=inbox.pressed,
        age=age,
        stop=stop,
        fault=requests.fault,
        reset=requests.reset,
        hold=requests.hold,
        arrived=mode == "autonomous" and memory.move is None,
        held_up=requests.held_up,
        power=requests.power,
    )
