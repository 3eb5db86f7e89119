"""Who is in charge of a robot: one pure state machine.

::

    idle ──fresh press──▶ teleoperation ──no reading for 100 ms──▶ paused ──1 s──▶ stopped
     ▲  ◀──released─────────┘   ▲  └──readings return, still held──┘
     │                          │ fresh press takes over
     ├──move──▶ autonomous ─────┘
     └──reset── stopped ◀── stop or bad reading, from anywhere; new lease, while driving
     └──reset── fault ◀── the physics ran away, from anywhere

A stop is latched: reset brings it back to idle, and motion needs a fresh press after that. Reset never starts one.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from farhand.types import Mode, Note

__all__ = ["ModeMemory", "Signals", "WatchdogSpec", "advance"]


class WatchdogSpec(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """When readings count as lost. Cannot be switched off.

    Args:
        pause: Seconds without a fresh reading before the robot brakes and holds.
        stop: Seconds in pause before the stop is latched.
    """

    pause: Annotated[float, Meta(ge=0.01, le=0.2)] = 0.1
    stop: Annotated[float, Meta(ge=0.0, le=5.0)] = 1.0


class Signals(Struct, frozen=True):
    """What the state machine looks at in one tick.

    Args:
        held: The deadman is held in the newest good reading.
        pressed: It was freshly pressed in this tick.
        age: Seconds, of the newest good reading.
        stop: Why the robot must stop now, or empty.
        fault: What is broken, or empty.
        reset: The latch is to be cleared.
        hold: Whatever moves shall end and hold.
        move: An autonomous move is to start.
        arrived: The autonomous move has reached its goal.
    """

    held: bool
    pressed: bool
    age: float
    stop: str = ""
    fault: str = ""
    reset: bool = False
    hold: bool = False
    move: bool = False
    arrived: bool = False


class ModeMemory(Struct, frozen=True):
    """The mode, for how long (seconds), and why, where it needs a reason."""

    mode: Mode = "idle"
    since: float = 0.0
    reason: str = ""


def advance(memory: ModeMemory, now: Signals, watchdog: WatchdogSpec, dt: float) -> ModeMemory:
    """Return the mode of this tick."""
    mode, reason = _next(memory, now, watchdog)
    if mode == memory.mode:
        return ModeMemory(mode, memory.since + dt, reason)
    return ModeMemory(mode, 0.0, reason)


def _next(memory: ModeMemory, now: Signals, watchdog: WatchdogSpec) -> tuple[Mode, str]:
    mode = memory.mode
    if now.fault:
        return "fault", now.fault
    if now.stop:
        return "stopped", (memory.reason if mode == "stopped" else now.stop)
    if mode in ("stopped", "fault"):
        return ("idle", "") if now.reset else (mode, memory.reason)
    if now.hold:
        return "idle", ""
    fresh = now.age <= watchdog.pause
    if now.pressed and fresh:
        return "teleoperation", ""
    if now.move:
        return "autonomous", ""
    if mode == "teleoperation":
        if not fresh:
            return "paused", f"No fresh reading from the master for {watchdog.pause * 1e3:.0f} ms."
        return ("teleoperation", "") if now.held else ("idle", "")
    if mode == "paused":
        if fresh:
            return ("teleoperation", "") if now.held else ("idle", "")
        if memory.since >= watchdog.stop:
            return "stopped", f"The master was lost for more than {watchdog.stop:g} s."
        return mode, memory.reason
    if mode == "autonomous" and now.arrived:
        return "idle", ""
    return mode, memory.reason


def mode_note(memory: ModeMemory) -> tuple[Note, ...]:
    """Return why the robot does not move, if it is kept from moving."""
    if memory.mode == "paused":
        return (Note("mode.paused", f"Paused: {memory.reason}", "stop", "Readings must return while you hold on."),)
    if memory.mode == "stopped":
        return (Note("mode.stopped", f"Stopped: {memory.reason}", "stop", "Reset, then press anew to go on."),)
    if memory.mode == "fault":
        return (Note("mode.fault", f"Fault: {memory.reason}", "fault", "Mend the cause, then reset."),)
    return ()
