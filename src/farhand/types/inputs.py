"""Inputs of a tick: readings of the masters, and events."""

from __future__ import annotations

from msgspec import Struct

from farhand.poses import Pose, Quaternion
from farhand.types.events import Event
from farhand.types.quantities import Twist, Vector

__all__ = ["Arrival", "Inputs", "Reading"]


class Arrival(Struct, frozen=True, omit_defaults=True):
    """The arrival of a reading from outside, written by the cell's own edge and never by the sender.

    Args:
        waited: Whole milliseconds since the server received it; -1 if not known.
        steady: Milliseconds before that during which readings came without a gap of 0.1 s.
        taken: Tick in which it entered the cell, if a modelled device delays it; -1: this tick.
    """

    waited: int = -1
    steady: int = 0
    taken: int = -1


class Reading(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A reading of a master at one instant.

    Args:
        sequence: Counter of the readings of this master and epoch; an old or repeated one is refused.
        epoch: The lease under which it was sent; after a change of epoch the deadman must be pressed again.
        tick: The newest tick that the sender had seen, or -1 if it sees none; old echoes reveal a queue in the network.
        deadman: True while the operator enables motion.
        axes: Deflections from -1 to 1 (held keys, sticks), in the order the mapping expects.
        joints: Joint positions of a master that has joints.
        pose: Pose of the master's tip, in the master's own base frame.
        twist: Velocity of that tip, if the master measures it; otherwise it is computed from successive readings.
        view: Rotation of the operator's camera, in the robot's base frame: x right, y up, z towards the operator.
        grip: Gripper trigger from 0 (open) to 1 (closed), if the master has one.
        presses: Number of presses of each button so far; counters survive lost readings, edges do not. "deadman"
            enables, "scale" selects the next scale of the hand's motion, "stop" and "reset" serve a master that joined
            over the network.
        drawn: Tick of the newest picture that the operator's page has drawn; -1 if it draws none.
        arrival: Arrival of a reading from outside; None for readings made in the cell's own process.
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
    """All inputs of a tick.

    Args:
        readings: New readings, by master name.
        events: Events, in order.
        wall_lead: Whole milliseconds that passed on the machine's clock since the tick before, beyond one tick;
            negative while ticks catch up. Always 0 in virtual time.
        time_factor: Share of real time at which the clock runs the cell; 0: it cannot keep up even at the lowest share.
        numbers: Numbers of the events, by which notes answer them (`Note.answers`); empty: their places in this tick,
            from 0.
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
