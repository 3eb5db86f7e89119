"""All that enters a tick: what the masters say, and events."""

from __future__ import annotations

from msgspec import Struct

from farhand.poses import Pose, Quaternion
from farhand.types.events import Event
from farhand.types.quantities import Twist, Vector

__all__ = ["Inputs", "Reading"]


class Reading(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a master says at one instant.

    Args:
        sequence: Counts up with every reading of this master and epoch; an old or repeated one is refused.
        epoch: The lease under which it was sent; a new one always needs a fresh press of the deadman.
        tick: The newest tick the sender had seen, or -1 if it sees none; old echoes reveal a queue on the way.
        deadman: True while the operator enables motion.
        axes: Deflections from -1 to 1 (held keys, sticks), in the order the mapping expects.
        joints: Joint positions of a master that has joints.
        pose: Where the master's tip is, in the master's own base frame.
        twist: How it moves there, if the master knows; otherwise it is told from one reading to the next.
        view: How the camera is turned that the operator looks through, in the robot's base frame: x right, y up,
            z towards the operator.
        grip: Gripper trigger from 0 (open) to 1 (closed), if the master has one.
        presses: How often each button has been pressed so far; counters survive lost readings, edges do not. "deadman"
            enables, "scale" goes on to the next scale of the hand's motion, "stop" and "reset" do so for a master that
            has joined from elsewhere.
    """

    sequence: int = 0
    epoch: int = 0
    tick: int = -1
    deadman: bool = False
    axes: Vector = ()
    joints: Vector = ()
    pose: Pose | None = None
    twist: Twist | None = None
    view: Quaternion | None = None
    grip: float | None = None
    presses: dict[str, int] = {}


class Inputs(Struct, frozen=True, omit_defaults=True):
    """All that enters a tick.

    Args:
        readings: New ones, by master name.
        events: In order.
        held_up: Seconds for which the cell stood still before this tick, though time went on outside.
    """

    readings: dict[str, Reading] = {}
    events: tuple[Event, ...] = ()
    held_up: float = 0.0
