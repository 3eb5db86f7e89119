"""What can be said, and which event each phrase is: the same events that the page's buttons send."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from msgspec import Struct

from farhand.errors import CommandError
from farhand.types import (
    Continue,
    Event,
    FreeMe,
    HoldHere,
    MoveJoints,
    Power,
    Reset,
    SelectMapping,
    SetScale,
    SetSpeed,
    Stop,
)

__all__ = ["MOVING_PHRASES", "PHRASES", "STOP_PHRASE", "Meant", "Situation", "meant"]

STOP_PHRASE = "stop"
NUMBERS = ("one", "two", "three", "four", "five")
SCALES = 4  # that have a phrase; a robot may offer fewer


class Situation(Struct, frozen=True, kw_only=True):
    """What a phrase is said about.

    Args:
        robot: The one in front of the speaker.
        scales: Of the hand's motion, which it offers.
        speeds: How many speed levels it has.
        level: The present one, counted from 1.
        mappings: Ways to drive that the speaker can lead, in order.
        mapping: The present one.
        switch: It has a power switch.
    """

    robot: str
    scales: tuple[float, ...] = ()
    speeds: int = 0
    level: int = 1
    mappings: tuple[str, ...] = ()
    mapping: str = ""
    switch: bool = False


class Meant(Struct, frozen=True):
    """The event of a phrase, and a sentence for when it has been done."""

    event: Event
    done: str


Meaning = Callable[[Situation], Meant]


def meant(phrase: str, now: Situation) -> Meant:
    """Return what a phrase means in a situation.

    Raises:
        CommandError: If it is none of ours, or means nothing for this robot; as a sentence.
    """
    if phrase not in _MEANINGS:
        raise CommandError(f"{phrase!r} is no command.")
    return _MEANINGS[phrase](now)


def _plain(make: Callable[[str], Event], done: str) -> Meaning:
    return lambda now: Meant(make(now.robot), done)


def _stop(now: Situation) -> Meant:
    del now  # every robot of the cell stops
    return Meant(Stop(), "Stopped.")


def _power(now: Situation, *, on: bool) -> Meant:
    if not now.switch:
        raise CommandError(f"{now.robot} has no power switch.")
    return Meant(Power(now.robot, on), "Powering up." if on else "The power is off.")


def _scale(now: Situation, *, number: int) -> Meant:
    if number > len(now.scales):
        raise CommandError(f"{now.robot} has {_count(len(now.scales), 'scale')} of the hand's motion.")
    return Meant(SetScale(now.robot, now.scales[number - 1]), f"Scale {number} of {len(now.scales)}.")


def _speed(now: Situation, *, number: int) -> Meant:
    if number > now.speeds:
        raise CommandError(f"{now.robot} has {_count(now.speeds, 'speed level')}.")
    return Meant(SetSpeed(now.robot, number), f"Speed {number} of {now.speeds}.")


def _change_speed(now: Situation, *, by: int) -> Meant:
    if not 1 <= now.level + by <= now.speeds:
        raise CommandError(f"It is {'fastest' if by > 0 else 'slowest'} already: speed {now.level} of {now.speeds}.")
    return _speed(now, number=now.level + by)


def _next_mapping(now: Situation) -> Meant:
    if not now.mappings:
        raise CommandError(f"{now.robot} has no other way to drive.")
    at = now.mappings.index(now.mapping) if now.mapping in now.mappings else -1
    name = now.mappings[(at + 1) % len(now.mappings)]
    return Meant(SelectMapping(now.robot, name), f"Driven by {name}.")


def _count(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"


# Whatever starts a motion, or lets one start: long, and unlike "stop".
_MOVING: dict[str, Meaning] = {
    "reset and be ready": _plain(Reset, "Reset. Press anew to drive."),
    "carry on with the move": _plain(Continue, "Going on."),
    "free me from here": _plain(FreeMe, "Backing out."),
    "move to home position": _plain(MoveJoints, "Moving home."),
    "power up the robot": partial(_power, on=True),
}
_MEANINGS: dict[str, Meaning] = {
    STOP_PHRASE: _stop,
    "hold here": _plain(HoldHere, "Holding."),
    **_MOVING,
    "power down": partial(_power, on=False),
    **{f"scale {word}": partial(_scale, number=k + 1) for k, word in enumerate(NUMBERS[:SCALES])},
    **{f"speed {word}": partial(_speed, number=k + 1) for k, word in enumerate(NUMBERS)},
    "faster": partial(_change_speed, by=1),
    "slower": partial(_change_speed, by=-1),
    "next mapping": _next_mapping,
}

PHRASES: tuple[str, ...] = tuple(_MEANINGS)
"""All that can be said."""
MOVING_PHRASES = frozenset(_MOVING)
"""Those that start a motion, or let one start: a stop must never be taken for one of them."""
