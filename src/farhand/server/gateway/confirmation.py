"""A spoken command that waits for its confirmation: a value, and pure functions that judge it.

A phrase that starts a motion, or lets one start, does nothing by itself. The speaker confirms it within three seconds,
by the phrase that confirms this command and no other, or by the page's Confirm button. Any other utterance, a stop, a
change of control and a robot that begins something else cancel it.
"""

from __future__ import annotations

from msgspec import Struct

from farhand.voice.vocabulary import CONFIRMATIONS, Meant

__all__ = [
    "CONFIRM_S",
    "NOTHING_PENDING",
    "STOPPED",
    "Pending",
    "Standing",
    "cancelled",
    "mismatch",
    "question",
    "refusal",
]

CONFIRM_S = 3.0
"""Seconds in which the confirming phrase must begin, or Confirm be pressed."""
NOTHING_PENDING = "Nothing is waiting for a confirmation. Say the command again first."
STILL = "idle"  # the mode of a robot that does nothing: letting go of the motion keys cancels no command
STOPPED = "Cancelled by Stop."


class Standing(Struct, frozen=True):
    """The state that must last while a command waits: who controls the robot, and its mode."""

    epoch: int = 0
    mode: str = ""


class Pending(Struct, frozen=True, kw_only=True):
    """A command that waits.

    Args:
        id: Of the utterance.
        robot: Whom it was said to.
        phrase: What was said.
        meaning: Its event, and what will happen.
        since: When the speaker was asked to confirm, monotonic seconds.
        standing: How things were then.
    """

    id: int
    robot: str
    phrase: str
    meaning: Meant
    since: float
    standing: Standing


def question(pending: Pending) -> str:
    """Return the sentence that asks to confirm a command."""
    return f"{pending.meaning.will} Say “{CONFIRMATIONS[pending.phrase]}” or press Confirm."


def mismatch(pending: Pending, said: str) -> str:
    """Return why a confirming phrase does not confirm a command, or an empty text."""
    return "" if said == CONFIRMATIONS[pending.phrase] else f"“{said}” confirms another command."


def refusal(pending: Pending, at: float, standing: Standing) -> str:
    """Return why a command can no longer be confirmed, or an empty text.

    Args:
        pending: The command.
        at: When the confirming phrase began, or Confirm was pressed.
        standing: How things are now.
    """
    if standing.epoch != pending.standing.epoch:
        return f"Cancelled: control of {pending.robot} has changed."
    if standing.mode not in (pending.standing.mode, STILL):
        return f"Cancelled: {pending.robot} went from {pending.standing.mode} to {standing.mode}."
    if at - pending.since > CONFIRM_S:
        return f"Cancelled: not confirmed within {CONFIRM_S:g} s."
    return ""


def cancelled(pending: Pending, why: str) -> str:
    """Return the sentence about an utterance that did not confirm a command."""
    return f"{why} “{pending.phrase}” is cancelled."
