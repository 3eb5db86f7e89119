"""What the events of one tick ask of one robot, gathered from their ordered list."""

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
        argument: What it needs to begin, e.g. a goal.
    """

    source: str
    argument: Any = None


class Requests(Struct, frozen=True):
    """Requests to one robot in one tick; a stop in the same tick wins over everything.

    Args:
        stop: Why to stop, or None.
        fault: What is broken, or None.
        reset: Clear the latch.
        hold: End what moves.
        start: The autonomous source to start, if not None.
        resume: Take the interrupted one up again.
        plan: The answer of a planner, if there is one.
        move_number: Number of the event that asks for a motion.
        power: Switch it on or off, if not None.
        zero: Number of the event that zeroes the wrist sensor, or None.
        events: All events for the robot, in order and with their numbers; choices are taken from them (`CHOICES`).
        wall_lead: Milliseconds that wall time gained on ticks before this one.
        time_factor: Share of real time at which the cell runs; 0: it cannot keep up.
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
        """Whether a motion is to start that needs no hand."""
        return self.start is not None or self.resume or self.plan is not None


NO_REQUESTS = Requests()
REQUESTS: Handlers[Callable[[Requests, Any, int], Requests]] = Handlers("request")
"""What an event of a number adds to the requests of its tick, for those that modes, moves and sensors take up."""


def requests_for(
    robot: str, events: Iterable[Numbered], fault: Note | None = None, wall_lead: int = 0, time_factor: float = 1.0
) -> Requests:
    """Return what a tick's events ask of a robot; later ones of a kind win, except that a stop stays."""
    own = tuple([(number, event) for number, event in events if concerns(event, robot)])
    asked = Requests(fault=fault, events=own, wall_lead=wall_lead, time_factor=time_factor)
    for number, event in own:
        add = REQUESTS.get(type(event))
        asked = add(asked, event, number) if add else asked
    return asked


def refused(cause: Note, answers: int = -1) -> tuple[Note, ...]:
    """Return the note of a request that is not carried out, for the event of a number."""
    return (Note("lane.refused", cause=cause, answers=answers),)


def start_source(asked: Requests, number: int, source: str, argument: Any = None) -> Requests:
    """Return the requests with the start of a source in place of motions before it.

    Args:
        asked: Requests of the events before.
        number: Of the event that asks for it.
        source: Its name.
        argument: What it needs to begin.
    """
    return _moving(asked, number, start=Start(source, argument))


def _why_stop(event: Stop) -> Note:
    """Return why a robot is stopped, as far as its event says."""
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
    """Take a plan, unless something is commanded in the same tick."""
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


def _moving(asked: Requests, number: int, **what: Any) -> Requests:
    """Return the requests with one motion in place of those before it."""
    nothing: dict[str, Any] = {"start": None, "resume": False, "hold": False, "plan": None}
    return replace(asked, move_number=number, **{**nothing, **what})
