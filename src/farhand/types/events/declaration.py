"""The table of events: each declares its scope, the right its sender needs, and its cost.

Validation, routing, permissions, time-outs, the page's types and docs/events.md are made from this table. An event is
declared beside its struct; its check and its handlers are registered where they are written (`Handlers`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeVar

from msgspec import Struct

from farhand.errors import CommandError, FarhandError
from farhand.types.events.rights import Right

__all__ = [
    "COMPILE_S",
    "EVENTS",
    "Declaration",
    "EventStruct",
    "Handlers",
    "Scope",
    "concerns",
    "declaration_of",
    "declare",
    "is_urgent",
    "needs_world",
    "robot_of",
    "time_out_of",
]

Scope = Literal["robot", "cell", "person"]
USUAL_S = 5.0  # for an event that enters the next tick
COMPILE_S = 30.0  # for an event that needs a newly compiled world

F = TypeVar("F", bound=Callable[..., Any])
K = TypeVar("K", bound="type[EventStruct]")


class EventStruct(Struct, frozen=True, tag=True):
    """The base class of all events; a subclass takes effect once it is declared."""


class Declaration(Struct, frozen=True):
    """The declaration of an event.

    Args:
        kind: Struct of the event.
        scope: "robot": the robot that its field `robot` names; "cell": the whole cell; "person": only the sender, with
            or without control.
        right: Right that its sender needs.
        every: An empty `robot` means every robot.
        new_world: It needs a world compiled in the background; a function if that depends on its fields.
        time_out: Seconds after which an answer is no longer expected.
        urgent: It never waits for other events and is never dropped.
    """

    kind: type[EventStruct]
    scope: Scope
    right: Right
    every: bool = False
    new_world: bool | Callable[[Any], bool] = False
    time_out: float = USUAL_S
    urgent: bool = False

    @property
    def name(self) -> str:
        """The name of the event on the wire."""
        return self.kind.__name__


EVENTS: dict[type[EventStruct], Declaration] = {}
"""Every event, by its struct."""


def declare(
    *,
    scope: Scope,
    right: Right,
    every: bool = False,
    new_world: bool | Callable[[Any], bool] = False,
    time_out: float = USUAL_S,
    urgent: bool = False,
) -> Callable[[K], K]:
    """Return a decorator that adds an event to the table; see `Declaration` for the arguments.

    Raises:
        FarhandError: If the name is taken, or an event with the scope "robot" has no field `robot`.
    """

    def file(kind: K) -> K:
        if any(known.name == kind.__name__ for known in EVENTS.values()):
            raise FarhandError(f"two events are called {kind.__name__!r}; names are unique")
        if scope == "robot" and "robot" not in kind.__struct_fields__:
            raise FarhandError(f"{kind.__name__} is for a robot, but has no field `robot`")
        EVENTS[kind] = Declaration(kind, scope, right, every, new_world, time_out, urgent)
        return kind

    return file


class Handlers(dict[type[EventStruct], F]):
    """Functions by the event that each handles, filled by a decorator.

    Args:
        noun: Name of such a function in messages, e.g. "cell handler".
    """

    def __init__(self, noun: str) -> None:
        super().__init__()
        self.noun = noun

    def register(self, *kinds: type[EventStruct]) -> Callable[[F], F]:
        """Return a decorator that registers a function for some events.

        Raises:
            FarhandError: If one of them is not declared, or has such a function already.
        """

        def file(function: F) -> F:
            for kind in kinds:
                if kind not in EVENTS:
                    raise FarhandError(f"{kind.__name__} is not declared")
                if kind in self:
                    raise FarhandError(f"{kind.__name__} has a {self.noun} already")
                self[kind] = function
            return function

        return file


def declaration_of(event: object) -> Declaration:
    """Return the declaration of an event.

    Raises:
        CommandError: If it is not an event.
    """
    kind: type = type(event)
    if kind not in EVENTS:
        raise CommandError(f"{event!r} is not an event; send a value such as Stop() or MoveJoints('arm')")
    return EVENTS[kind]


def robot_of(event: EventStruct) -> str:
    """Return the robot that an event is for; empty if it is for all robots, for the cell or for a person."""
    robot: str = getattr(event, "robot", "") if EVENTS[type(event)].scope == "robot" else ""
    return robot


def concerns(event: EventStruct, robot: str) -> bool:
    """Return whether an event concerns a robot, alone or among others."""
    declared = EVENTS[type(event)]
    if declared.scope != "robot":
        return declared.scope == "cell"
    named = robot_of(event)
    return named == robot or (declared.every and not named)


def needs_world(event: EventStruct) -> bool:
    """Return whether an event needs a world compiled in the background."""
    needs = EVENTS[type(event)].new_world
    return needs if isinstance(needs, bool) else needs(event)


def time_out_of(event: object) -> float:
    """Return the seconds after which an answer is no longer expected; also for messages that are not events."""
    kind: type = type(event)
    return EVENTS[kind].time_out if kind in EVENTS else USUAL_S


def is_urgent(event: object) -> bool:
    """Return whether an event is urgent, so that it never waits and is never dropped: a stop."""
    kind: type = type(event)
    return kind in EVENTS and EVENTS[kind].urgent
