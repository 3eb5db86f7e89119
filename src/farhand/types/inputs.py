"""All that enters a tick: what the masters say, and events."""

from __future__ import annotations

from msgspec import Struct

from farhand.poses import Pose, Quaternion
from farhand.types.events import Event
from farhand.types.quantities import Twist, Vector

__all__ = ["Arrival", "Inputs", "Reading"]


class Arrival(Struct, frozen=True, omit_defaults=True):
    """How a reading came to the cell from outside; the cell's own edge says so, whatever was said outside.

    Args:
        waited: Whole milliseconds since it came to the server; -1 if that is not known.
        steady: Milliseconds before that for which readings have come without a break of a tenth of a second.
        taken: Tick in which it entered the cell, where a modelled device passes it on later; -1: in this one.
    """

    waited: int = -1
    steady: int = 0
    taken: int = -1


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
        drawn: Tick of the newest picture that the operator's page has drawn; -1 where it draws none.
        arrival: How it came in, for readings from outside; None for those made in the cell's own process.
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
    drawn: int = -1
    arrival: Arrival | None = None


class Inputs(Struct, frozen=True, omit_defaults=True):
    """All that enters a tick.

    Args:
        readings: New ones, by master name.
        events: In order.
        wall_lead: Whole milliseconds by which more than one tick has passed on the machine's clock since the tick
            before; negative where ticks catch up. Always 0 in virtual time.
        time_factor: Share of real time at which the clock runs the cell; 0: it cannot keep up even at the least one.
        numbers: Of the events, by which notes answer them (`Note.answers`); none: their places in this tick, from 0.
    """

    readings: dict[str, Reading] = {}
    events: tuple[Event, ...] = ()
    wall_lead: int = 0
    time_factor: float = 1.0
    numbers: tuple[int, ...] = ()

    @property
    def numbered(self) -> tuple[tuple[int, Event], ...]:
        """The events in order, each with its number."""
        return tuple(zip(self.numbers or range(len(self.events)), self.events, strict=True))
