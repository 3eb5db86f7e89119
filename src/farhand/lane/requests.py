"""What the events of one tick ask of one robot, gathered from their ordered list."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from farhand.types import (
    Continue,
    Event,
    FreeMe,
    Generate,
    HoldHere,
    MoveJoints,
    Note,
    Park,
    Power,
    Replay,
    Reset,
    SelectMapping,
    SetScale,
    SetSpeed,
    Stop,
    SwitchFeedforward,
    SwitchFilter,
    Teach,
    Trajectory,
    Vector,
    ZeroWrist,
)

__all__ = ["NO_REQUESTS", "Requests", "refused", "requests_for"]


class Requests(Struct, frozen=True):
    """Requests to one robot in one tick; a stop in the same tick wins over everything.

    Args:
        stop: Why to stop, or None.
        fault: What is broken, or None.
        reset: Clear the latch.
        hold: End what moves.
        goal: Start a move there; empty means home.
        replay: Start to follow it, if not None.
        free: Start to back out along the way in.
        go_on: Take the interrupted move up again.
        power: Switch it on or off, if not None.
        park: Set the parking brake or release it, if not None.
        speed_level: Choose it, if not None.
        scale: Choose it, if not None.
        mapping: Choose it, if not None.
        switches: Filters to switch off or on, in order.
        feedforward: Switch it off or on, if not None.
        generate: Put a generator in place of the hand or take it away, if not None.
        zero: Zero the wrist sensor.
        teach: What to do with the lesson, in order.
        held_up: Seconds for which the cell stood still before this tick.
    """

    stop: str | None = None
    fault: str | None = None
    reset: bool = False
    hold: bool = False
    goal: Vector | None = None
    replay: Trajectory | None = None
    free: bool = False
    go_on: bool = False
    power: bool | None = None
    park: bool | None = None
    speed_level: int | None = None
    scale: float | None = None
    mapping: str | None = None
    switches: tuple[SwitchFilter, ...] = ()
    feedforward: bool | None = None
    generate: Generate | None = None
    zero: bool = False
    teach: tuple[Teach, ...] = ()
    held_up: float = 0.0

    @property
    def moves(self) -> bool:
        """Whether a motion is to start that needs no hand."""
        return self.goal is not None or self.replay is not None or self.free or self.go_on


NO_REQUESTS = Requests()


def requests_for(robot: str, events: Iterable[Event], fault: str | None = None, held_up: float = 0.0) -> Requests:
    """Return what a tick's events ask of a robot; later ones of a kind win, except that a stop stays."""
    asked = Requests(fault=fault, held_up=held_up) if fault or held_up else NO_REQUESTS
    for event in events:
        if isinstance(event, Stop):
            asked = replace(asked, stop=asked.stop or event.reason or "Stop was pressed.")
        elif isinstance(event, Reset):
            asked = replace(asked, reset=True) if event.robot in ("", robot) else asked
        elif isinstance(event, Addressed) and event.robot == robot:
            asked = _with(asked, event)
    return asked


def refused(text: str) -> tuple[Note, ...]:
    """Return the note of a request that is not carried out."""
    return (Note("lane.refused", text),)


Addressed = (
    MoveJoints
    | Replay
    | Teach
    | FreeMe
    | HoldHere
    | Continue
    | Power
    | Park
    | SetSpeed
    | SetScale
    | SelectMapping
    | SwitchFilter
    | SwitchFeedforward
    | Generate
    | ZeroWrist
)


def _with(asked: Requests, event: Addressed) -> Requests:
    if isinstance(event, MoveJoints):
        return _moving(asked, goal=event.goal)
    if isinstance(event, Replay):
        return _moving(asked, replay=event.trajectory)
    if isinstance(event, FreeMe):
        return _moving(asked, free=True)
    if isinstance(event, HoldHere):
        return _moving(asked, hold=True)
    if isinstance(event, Continue):
        return _moving(asked, go_on=True)
    if isinstance(event, Teach):
        return replace(asked, teach=(*asked.teach, event))
    if isinstance(event, Power | Park):
        return replace(asked, power=event.on) if isinstance(event, Power) else replace(asked, park=event.on)
    if isinstance(event, SetSpeed):
        return replace(asked, speed_level=event.level)
    if isinstance(event, SetScale):
        return replace(asked, scale=event.scale)
    if isinstance(event, SwitchFilter):
        return replace(asked, switches=(*asked.switches, event))
    if isinstance(event, SwitchFeedforward):
        return replace(asked, feedforward=event.on)
    if isinstance(event, ZeroWrist):
        return replace(asked, zero=True)
    if isinstance(event, Generate):
        return replace(asked, generate=event)
    return replace(asked, mapping=event.mapping)


def _moving(asked: Requests, **what: Any) -> Requests:
    """Return the requests with one motion in place of those before it."""
    nothing: dict[str, Any] = {"goal": None, "replay": None, "free": False, "go_on": False, "hold": False}
    return replace(asked, **{**nothing, **what})
