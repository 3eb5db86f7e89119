"""The confirmation of a spoken command: a frozen value, and pure functions of it.

A phrase that starts a motion, or permits one, does nothing by itself. The speaker confirms it within three seconds, by
the phrase that confirms this command alone, or with the page's Confirm button. Any other utterance cancels it, and so
do a stop, a change of control and a change of the robot's mode.
"""

from __future__ import annotations

from msgspec import Struct

from farhand.voice.vocabulary import CONFIRMATIONS, Meant

__all__ = [
    "CONFIRM_S",
    "NOTHING_PENDING",
    "STOPPED",
    "Pending",
    "RobotStatus",
    "cancelled",
    "mismatch",
    "question",
    "refusal",
]

CONFIRM_S = 3.0
"""Seconds within which the confirming phrase must begin, or Confirm be pressed."""
NOTHING_PENDING = "No command is waiting for a confirmation. Say the command again first."
IDLE = "idle"  # a change to this mode cancels no command: the speaker may release the motion keys
STOPPED = "Cancelled by Stop."


class RobotStatus(Struct, frozen=True):
    """The lease epoch and mode of a robot; a change of either cancels a waiting command."""

    epoch: int = 0
    mode: str = ""


class Pending(Struct, frozen=True, kw_only=True):
    """A command that waits for its confirmation.

    Args:
        id: Number of the utterance.
        robot: Name of the robot.
        phrase: The recognised phrase.
        meaning: Event of the phrase, and sentences about it.
        since: Time at which the speaker was asked to confirm, monotonic s.
        status: Epoch and mode at that time.
    """

    id: int
    robot: str
    phrase: str
    meaning: Meant
    since: float
    status: RobotStatus


def question(pending: Pending) -> str:
    """Return the sentence that asks to confirm a command."""
    return f"{pending.meaning.will} Say “{CONFIRMATIONS[pending.phrase]}” or press Confirm."


def mismatch(pending: Pending, said: str) -> str:
    """Return the reason why a phrase does not confirm a command; empty if it does."""
    return "" if said == CONFIRMATIONS[pending.phrase] else f"“{said}” confirms another command."


def refusal(pending: Pending, at: float, status: RobotStatus) -> str:
    """Return the reason why a command can no longer be confirmed; empty if it can.

    Args:
        pending: The command.
        at: Time at which the confirming phrase began or Confirm was pressed, monotonic s.
        status: Present epoch and mode.
    """
    if status.epoch != pending.status.epoch:
        return f"Cancelled: control of {pending.robot} has changed."
    if status.mode not in (pending.status.mode, IDLE):
        return f"Cancelled: the mode of {pending.robot} changed from {pending.status.mode} to {status.mode}."
    if at - pending.since > CONFIRM_S:
        return f"Cancelled: not confirmed within {CONFIRM_S:g} s."
    return ""


def cancelled(pending: Pending, why: str) -> str:
    """Return the sentence that cancels a command, with the reason in front."""
    return f"{why} “{pending.phrase}” is cancelled."
