"""What comes out of a tick: what the lanes did and why, the whole of it, and what goes back to a master."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from farhand.types.demands import Demand, Setpoint
from farhand.types.events.commands import Trajectory
from farhand.types.events.plans import PlanRequest
from farhand.types.notes import Note
from farhand.types.quantities import Wrench
from farhand.types.state import State

__all__ = ["BaseWord", "Feedback", "LaneReport", "Mode", "Tick"]

Mode = Literal["off", "powering", "idle", "teleoperation", "autonomous", "paused", "stopped", "fault"]
BaseWord = Literal["standing", "driving", "slipping", "stuck", "tipped"]


class LaneReport(Struct, frozen=True):
    """What one robot's lane did in a tick.

    Args:
        mode: Who is in charge of the robot.
        demand: What was asked after the filters.
        setpoints: What the drives were told, by group.
        speed_level: The chosen speed level, counted from 1.
        mapping: The chosen mapping.
        age: Seconds since the last good reading of this robot's master; None before the first.
        notes: Everything that altered the command, in order.
        heard: Sequence number of the last good reading.
        waiting: An interrupted move waits to be continued.
        off: What is switched off to find a fault: names of filters, "feed-forward".
        generating: A signal generator stands in for the hand.
        felt: What the hand shall feel, in the axes of the master's base.
        scale: How far the robot goes for a way of the hand, times what the mapping has.
        contact: What the surroundings do to the tip, world axes, as far as the robot can tell: by its wrist sensor,
            weights subtracted, or where it has none as the physics has it.
        payload: Kilograms that the wrist sensor has weighed in the gripper or on the hook; None while there are none.
        lesson: How many points of a trajectory have been taught so far; -1 while nothing is taught.
        recording: It is taught by recording, not point by point.
        taught: A trajectory whose teaching ended in this tick.
        parked: The parking brake of a robot on tracks is set.
        deflected: The chosen mapping is led by deflections.
        powered: There is power, or it is coming; also while a stop is latched.
        baseline: Seconds; the usual delay of the link to its master, by which readings may be older.
        planning: The motion around what is in the way that a planner is to find; None while none is asked for.
    """

    mode: Mode
    demand: Demand
    setpoints: dict[str, Setpoint]
    speed_level: int
    mapping: str
    age: float | None
    notes: tuple[Note, ...] = ()
    heard: int = -1
    waiting: bool = False
    off: tuple[str, ...] = ()
    generating: bool = False
    felt: Wrench = Wrench()
    scale: float = 1.0
    contact: Wrench = Wrench()
    payload: float | None = None
    lesson: int = -1
    recording: bool = False
    taught: Trajectory | None = None
    parked: bool = False
    deflected: bool = False
    powered: bool = True
    baseline: float = 0.0
    planning: PlanRequest | None = None


class Tick(Struct, frozen=True):
    """One step of the cell: its number, its time, what was measured, what the lanes did, notes on the whole cell."""

    number: int
    time: float
    state: State
    lanes: dict[str, LaneReport]
    notes: tuple[Note, ...] = ()


class Feedback(Struct, frozen=True):
    """What a master gets back each tick.

    Args:
        tick: The newest tick's number, to be echoed.
        wrench: What the surroundings do to the tip it drives, in world axes, as measured.
        felt: What the hand shall feel of it, at the master's tip in the axes of the master's base: filtered, scaled,
            and turned as the mapping turns motions. A master with force saturates it to what it can do.
        driving: The robot follows this master just now.
        deflected: The robot is led by deflections: they are meant for it, not for a device that they could move.
        stopped: The robot stands until a reset: a protective stop or a fault is latched.
    """

    tick: int
    wrench: Wrench = Wrench()
    felt: Wrench = Wrench()
    driving: bool = False
    deflected: bool = False
    stopped: bool = False
