"""The requests of one tick's events to one robot, gathered from their ordered list."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from farhand.types import (
    Continue,
    Event,
    HoldHere,
    Note,
    PlanFound,
    Power,
    Reset,
    Stop,
    Subject,
    ZeroWrist,
)
from farhand.types.events.declaration import Handlers, concerns

__all__ = [
    "NO_REQUESTS",
    "REFUSED",
    "REQUESTS",
    "RESTARTED",
    "Numbered",
    "Requests",
    "Start",
    "refused",
    "requests_for",
    "start_source",
]


REFUSED = "lane.refused"
PRESSED = Note("stop.pressed")
RESTARTED = Note("cell.restarted")
Numbered = tuple[int, Event]
"""An event and its number."""


class Start(Struct, frozen=True):
    """A request to start an autonomous source.

    Args:
        source: Its name.
        argument: Its argument, such as a goal.
    """

    source: str
    argument: Any = None


class Requests(Struct, frozen=True):
    """Requests to one robot in one tick; a stop in the same tick wins over everything.

    Args:
        stop: The reason to stop, or None.
        fault: The fault, or None.
        reset: True to clear the latch.
        hold: True to end the motion and hold.
        start: The autonomous source to start, or None.
        resume: True to resume the interrupted source.
        plan: The answer of a planner, if there is one.
        move_number: Number of the event that requests a motion.
        power: True to switch the power on, False to switch it off, or None.
        zero: Number of the event that zeroes the wrist sensor, or None.
        events: All events for the robot, in order and with their numbers; choices are taken from them (`CHOICES`).
        wall_lead: Milliseconds that wall time gained before this tick.
        time_factor: Share of real time at which the cell runs; 0 if it cannot keep up.
    """

    stop: Note | None = None
    fault: Note | None = None
    reset: bool = False
    hold: bool = False
    start: Start | None = None
    resume: bool = False
    plan: PlanFound | None = None
    move_number: int = -1
    power: bool | None = None
    zero: int | None = None
    events: tuple[Numbered, ...] = ()
    wall_lead: int = 0
    time_factor: float = 1.0

    @property
    def moves(self) -> bool:
        """True if an autonomous motion is to start."""
        return self.start is not None or self.resume or self.plan is not None


NO_REQUESTS = Requests()
REQUESTS: Handlers[Callable[[Requests, Any, int], Requests]] = Handlers("request")
"""Functions that add an event, with its number, to the requests of its tick."""


def requests_for(
    robot: str, events: Iterable[Numbered], fault: Note | None = None, wall_lead: int = 0, time_factor: float = 1.0
) -> Requests:
    """Return the requests of a tick's events to a robot; later ones replace earlier ones, but a stop stays."""
    own = tuple([(number, event) for number, event in events if concerns(event, robot)])
    asked = Requests(fault=fault, events=own, wall_lead=wall_lead, time_factor=time_factor)
    for number, event in own:
        add = REQUESTS.get(type(event))
        asked = add(asked, event, number) if add else asked
    return asked


def refused(cause: Note, answers: int = -1) -> tuple[Note, ...]:
    """Return the note on a refused request, as the answer to the event of a number."""
    return (Note("lane.refused", cause=cause, answers=answers),)


def start_source(asked: Requests, number: int, source: str, argument: Any = None) -> Requests:
    """Return the requests with the start of a source in place of earlier motions.

    Args:
        asked: Requests of the earlier events.
        number: Number of the event that requests the source.
        source: Name of the source.
        argument: Its argument.
    """
    return _moving(asked, number, start=Start(source, argument))


def _why_stop(event: Stop) -> Note:
    """Return the reason of a stop, as far as its event gives one."""
    if event.how == "restarted":
        return RESTARTED
    if event.reason:
        return Note("stop.reason", about=(Subject("detail", event.reason),))
    if not event.by:
        return PRESSED
    about = (Subject("person", event.by),)
    return Note("stop.said", about=about) if event.how == "said" else Note("stop.pressed", about=about)


@REQUESTS.register(Stop)
def _stop(asked: Requests, event: Stop, _: int) -> Requests:
    return replace(asked, stop=asked.stop or _why_stop(event))


@REQUESTS.register(Reset)
def _reset(asked: Requests, _: Reset, __: int) -> Requests:
    return replace(asked, reset=True)


@REQUESTS.register(PlanFound)
def _plan(asked: Requests, event: PlanFound, number: int) -> Requests:
    """Take a plan, unless a motion is commanded in the same tick."""
    return asked if asked.moves or asked.hold else _moving(asked, number, plan=event)


@REQUESTS.register(HoldHere)
def _hold(asked: Requests, _: HoldHere, number: int) -> Requests:
    return _moving(asked, number, hold=True)


@REQUESTS.register(Continue)
def _resume(asked: Requests, _: Continue, number: int) -> Requests:
    return _moving(asked, number, resume=True)


@REQUESTS.register(Power)
def _power(asked: Requests, event: Power, _: int) -> Requests:
    return replace(asked, power=event.on)


@REQUESTS.register(ZeroWrist)
def _zero(asked: Requests, _: ZeroWrist, number: int) -> Requests:
    return replace(asked, zero=number)


def _moving(asked: Requests, number: int, **motion: Any) -> Requests:
    """Return the requests with one motion in place of earlier ones."""
    nothing: dict[str, Any] = {"start": None, "resume": False, "hold": False, "plan": None}
    return replace(asked, move_number=number, **{**nothing, **motion})
