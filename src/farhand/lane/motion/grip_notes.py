"""The note on a gripper whose jaws do not open. Jaws that do not close need none: they hold an object."""

from __future__ import annotations

from farhand.types import GripRate, GripTo, Motion, Note, Setpoint

__all__ = ["grip_notes"]

JAMMED = Note("gripper.jammed", "slow")
JAMMED_SHARE = 0.9  # of the largest lead of the set-point over the measured opening


def grip_notes(motion: Motion | None, told: Setpoint, measured: float, lead: float) -> tuple[Note, ...]:
    """Return the note on jammed jaws, if they are jammed.

    Args:
        motion: Demanded motion of the gripper.
        told: Set-point of the opening.
        measured: Measured opening, m.
        lead: Largest lead of the set-point, m.
    """
    if told.positions[0] - measured < JAMMED_SHARE * lead:
        return ()
    opens = isinstance(motion, GripRate) and motion.rate > 0.0
    opens = opens or (isinstance(motion, GripTo) and motion.opening > measured)
    return (JAMMED,) if opens else ()
