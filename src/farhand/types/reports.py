"""Results of a tick: the report of each lane, the tick itself, and the feedback to a master."""

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
    """The report of one robot's lane on a tick.

    Args:
        mode: The lane's mode.
        demand: Demand after the filters.
        setpoints: Setpoints of the drives, by group.
        speed_level: The chosen speed level, counted from 1.
        mapping: The chosen mapping.
        age: Seconds since the last valid reading of this robot's master; None before the first.
        notes: Notes on everything that altered the command, in order.
        heard: Sequence number of the last valid reading.
        waiting: An interrupted move waits for `Continue`.
        off: Names of the filters switched off to find a fault, and "feed-forward".
        generating: A signal generator replaces the hand.
        felt: Force feedback to the hand, in the axes of the master's base.
        scale: Robot motion per hand motion, as a factor on the mapping's own scale.
        contact: Contact wrench on the tip, in world axes, as far as the robot can measure it: by its wrist sensor with
            the weights subtracted, or from the physics if it has none.
        payload: Mass in the gripper or on the hook, weighed by the wrist sensor, kg; None without payload.
        lesson: Number of points taught so far; -1 while no trajectory is taught.
        recording: The trajectory is taught by recording, not point by point.
        taught: Trajectory whose teaching ended in this tick.
        parked: The parking brake of a tracked robot is set.
        deflected: The chosen mapping needs deflections.
        powered: The robot has power or is powering up; also while a stop is latched.
        baseline: Usual delay of the link to the master, s; readings may be older by it.
        planning: Request to a planner for a motion around an obstacle; None without one.
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
    """One tick of the cell: number, time (s), measured state, lane reports, and notes on the whole cell."""

    number: int
    time: float
    state: State
    lanes: dict[str, LaneReport]
    notes: tuple[Note, ...] = ()


class Feedback(Struct, frozen=True):
    """Feedback to a master, each tick.

    Args:
        tick: Number of the newest tick, to be echoed.
        wrench: Contact wrench on the tip that it drives, in world axes, as measured.
        felt: Force feedback to the hand, at the master's tip in the axes of the master's base: filtered, scaled, and
            turned as the mapping turns motions. A master with force limits it to its own range.
        driving: The robot follows this master in this tick.
        deflected: The robot's mapping needs deflections: they are meant for it, and not for a device that they could
            move.
        stopped: The robot stands until a reset: a protective stop or a fault is latched.
    """

    tick: int
    wrench: Wrench = Wrench()
    felt: Wrench = Wrench()
    driving: bool = False
    deflected: bool = False
    stopped: bool = False
