"""The phrases, and the event of each: the same events that the page's buttons send."""

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

__all__ = [
    "COMMANDS",
    "CONFIRMATIONS",
    "CONFIRM_PHRASES",
    "GUARDED_PHRASES",
    "MOVING_PHRASES",
    "PHRASES",
    "STOP_PHRASE",
    "Meant",
    "Situation",
    "meant",
]

STOP_PHRASE = "stop"
NUMBERS = ("one", "two", "three", "four", "five")
SCALES = 4  # scales with a phrase; a robot may have fewer


class Situation(Struct, frozen=True, kw_only=True):
    """The state of the robot when a phrase is said.

    Args:
        robot: The robot on the speaker's page.
        scales: Its scales of the hand's motion.
        speeds: Its number of speed levels.
        level: The present speed level, counted from 1.
        mappings: The control modes that the speaker's device can use, in order.
        mapping: The present control mode.
        switch: Whether it has a power switch.
    """

    robot: str
    scales: tuple[float, ...] = ()
    speeds: int = 0
    level: int = 1
    mappings: tuple[str, ...] = ()
    mapping: str = ""
    switch: bool = False


class Meant(Struct, frozen=True):
    """The event of a phrase, and its sentences for the speaker.

    Args:
        event: The event.
        done: The sentence after the event was carried out.
        will: For a phrase that must be confirmed, the sentence that announces the motion; otherwise empty.
    """

    event: Event
    done: str
    will: str = ""


Meaning = Callable[[Situation], Meant]


def meant(phrase: str, now: Situation) -> Meant:
    """Return the meaning of a phrase in a situation.

    Raises:
        CommandError: If it is not a command, or does not suit this robot; the message is a sentence.
    """
    if phrase not in _MEANINGS:
        raise CommandError(f"{phrase!r} is not a command.")
    return _MEANINGS[phrase](now)


def _plain(make: Callable[[str], Event], done: str, will: str = "") -> Meaning:
    return lambda now: Meant(make(now.robot), done, will.format(robot=now.robot))


def _stop(now: Situation) -> Meant:
    del now  # every robot of the cell stops
    return Meant(Stop(), "Stopped.")


def _power(now: Situation, *, on: bool) -> Meant:
    if not now.switch:
        raise CommandError(f"{now.robot} has no power switch.")
    if on:
        return Meant(Power(now.robot, on), "Powering up.", f"{now.robot} will power up.")
    return Meant(Power(now.robot, on), "The power is off.")


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
        raise CommandError(f"This is the {'fastest' if by > 0 else 'slowest'} speed: {now.level} of {now.speeds}.")
    return _speed(now, number=now.level + by)


def _next_mapping(now: Situation) -> Meant:
    if not now.mappings:
        raise CommandError(f"{now.robot} has no other control mode.")
    at = now.mappings.index(now.mapping) if now.mapping in now.mappings else -1
    name = now.mappings[(at + 1) % len(now.mappings)]
    return Meant(SelectMapping(now.robot, name), f"Control mode: {name}.")


def _count(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"


# Phrases that start a motion, or allow one to start: long, and unlike "stop".
_MOVING: dict[str, Meaning] = {
    "reset and be ready": _plain(Reset, "Reset. Press a key to drive.", "The stop of {robot} will be cleared."),
    "carry on with the move": _plain(Continue, "Continuing the move.", "{robot} will continue its interrupted move."),
    "free me from here": _plain(FreeMe, "Backing out.", "{robot} will back out along the path it came."),
    "move to home position": _plain(MoveJoints, "Moving home.", "{robot} will move to its home position."),
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

CONFIRMATIONS: dict[str, str] = {
    "reset and be ready": "authorize the reset",
    "carry on with the move": "authorize carrying on",
    "free me from here": "authorize backing out",
    "move to home position": "authorize home position",
    "power up the robot": "authorize robot power",
}
"""The confirmation of each phrase that starts a motion. They were chosen by measurement: docs/voice.md."""
CONFIRM_PHRASES = frozenset(CONFIRMATIONS.values())
COMMANDS: tuple[str, ...] = tuple(_MEANINGS)
"""The phrases that are commands."""
PHRASES: tuple[str, ...] = (*COMMANDS, *CONFIRMATIONS.values())
"""All phrases."""
MOVING_PHRASES = frozenset(_MOVING)
"""Phrases that start a motion, or allow one to start: each must be confirmed, and a stop is never taken for one."""
GUARDED_PHRASES = MOVING_PHRASES | CONFIRM_PHRASES
"""Phrases that the recogniser accepts only if they fit best."""
