"""What a gripper's operator must be told: that its jaws do not open. That they do not close is how they hold."""

from __future__ import annotations

from farhand.types import GripRate, GripTo, Motion, Note, Setpoint

__all__ = ["grip_notes"]

JAMMED = Note("gripper.jammed", "slow")
NEAR = 0.9  # of the most that a wanted opening may lead the measured one


def grip_notes(motion: Motion | None, told: Setpoint, measured: float, lead: float) -> tuple[Note, ...]:
    """Return what is to be said of a gripper.

    Args:
        motion: What is asked of it.
        told: The opening it was told.
        measured: The opening it has.
        lead: How far the one may be ahead of the other, m.
    """
    if told.positions[0] - measured < NEAR * lead:
        return ()
    opens = isinstance(motion, GripRate) and motion.rate > 0.0
    opens = opens or (isinstance(motion, GripTo) and motion.opening > measured)
    return (JAMMED,) if opens else ()
