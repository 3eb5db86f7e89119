"""Who is in charge of a robot: one pure state machine; its diagram is in docs/modes.md, made from this file.

A stop is latched: reset brings it back to idle, and motion needs a fresh press after that. Reset never starts one.
An operator who has never been there cannot be lost: a cell without a master may move by itself. A robot that has a
power switch starts off, and takes its time to power up; whatever interrupts that switches it off again.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from farhand.types import Mode, Note

__all__ = ["HANDED_OVER", "ModeMemory", "PowerSpec", "Signals", "WatchdogSpec", "advance", "may_move", "mode_note"]

HANDED_OVER: tuple[Mode, ...] = ("teleoperation", "autonomous", "paused")
"""Modes that end with a stop when control passes to someone else; a robot that stands stays as it is."""

HOLD_ON = "Readings must return while you hold on."


class WatchdogSpec(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """When readings count as lost. Cannot be switched off.

    Args:
        pause: Seconds without a fresh reading before the robot brakes and holds.
        stop: Seconds in pause before the stop is latched.
    """

    pause: Annotated[float, Meta(ge=0.01, le=0.2)] = 0.1
    stop: Annotated[float, Meta(ge=0.0, le=1.0)] = 1.0


class PowerSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """A robot that must be powered up before it moves.

    Args:
        seconds: How long that takes: pumps that build up pressure, brakes that open.
    """

    seconds: Annotated[float, Meta(ge=0.0, le=60.0)] = 3.0


class Signals(Struct, frozen=True):
    """What the state machine looks at in one tick.

    Args:
        held: The deadman is held in the newest good reading, and what leads the robot is not lost.
        pressed: It was freshly pressed in this tick.
        age: Seconds, of the newest good reading; None before the first.
        stop: Why the robot must stop now, or None.
        fault: What is broken, or None.
        reset: The latch is to be cleared.
        hold: Whatever moves shall end and hold.
        move: An autonomous move is to start.
        go_on: An interrupted one is to be taken up again.
        arrived: The autonomous move has reached its goal.
        held_up: Seconds for which the cell stood still before this tick: nobody saw what happened meanwhile.
        power: The power is switched on or off, or None.
    """

    held: bool
    pressed: bool
    age: float | None
    stop: str | None = None
    fault: str | None = None
    reset: bool = False
    hold: bool = False
    move: bool = False
    go_on: bool = False
    arrived: bool = False
    held_up: float = 0.0
    power: bool | None = None


class ModeMemory(Struct, frozen=True):
    """The mode and what goes with it.

    Args:
        mode: Who is in charge.
        since: Seconds for which that has been so.
        reason: Why, where it needs a reason.
        paused: What a pause has interrupted.
        powered: There is power, or it is coming.
    """

    mode: Mode = "idle"
    since: float = 0.0
    reason: str = ""
    paused: Mode = "idle"
    powered: bool = True


def advance(
    memory: ModeMemory, now: Signals, watchdog: WatchdogSpec, dt: float, power: PowerSpec | None = None
) -> ModeMemory:
    """Return the mode of this tick.

    Args:
        memory: Of the last tick.
        now: What is looked at.
        watchdog: When readings count as lost.
        dt: Seconds per tick.
        power: For a robot with a power switch.
    """
    mode, reason = _next(memory, now, watchdog, power)
    powered = power is None or _powered(memory, now, mode)
    if mode == memory.mode:
        return ModeMemory(mode, memory.since + dt, reason, memory.paused, powered)
    return ModeMemory(mode, 0.0, reason, memory.mode if mode == "paused" else "idle", powered)


def _powered(memory: ModeMemory, now: Signals, mode: Mode) -> bool:
    """Return whether there is power after this tick: a stop while it comes up takes it away again."""
    if mode in ("stopped", "fault"):
        return memory.powered and now.power is not False and memory.mode != "powering"
    return mode != "off"


def _next(memory: ModeMemory, now: Signals, watchdog: WatchdogSpec, power: PowerSpec | None) -> tuple[Mode, str]:
    mode = memory.mode
    if now.fault is not None:
        return "fault", now.fault
    if now.stop is not None:  # a fault is a stop already, and says what to mend
        return (mode, memory.reason) if mode in ("stopped", "fault") else ("stopped", now.stop)
    if mode in ("stopped", "fault"):
        return ("idle" if memory.powered else "off", "") if now.reset else (mode, memory.reason)
    if power is not None and (now.power is False or mode in ("off", "powering")):
        return _powering(memory, now, power), ""
    if now.hold:
        return "idle", ""
    if now.held_up > watchdog.pause and mode in ("teleoperation", "autonomous", "paused"):
        stood = f"The cell stood still for {now.held_up:.1f} s."
        return ("stopped" if now.held_up > watchdog.pause + watchdog.stop else "paused"), stood
    fresh = now.age is not None and now.age <= watchdog.pause
    if now.pressed and fresh:  # by a hand that is lost it ends what moves, and starts nothing
        return ("teleoperation" if now.held else "idle"), ""
    if mode == "teleoperation":
        return _driving(now, watchdog, fresh=fresh)
    if mode == "paused":
        return _paused(memory, now, watchdog, fresh=fresh)
    present = fresh or now.age is None
    if present and (now.move or now.go_on):
        return "autonomous", ""
    if mode == "autonomous":
        if now.arrived:
            return "idle", ""
        return (mode, "") if present else ("paused", _lost(watchdog))
    return mode, memory.reason


def _powering(memory: ModeMemory, now: Signals, power: PowerSpec) -> Mode:
    if now.power is False:
        return "off"
    if memory.mode == "off":
        return "powering" if now.power else "off"
    return "idle" if memory.since >= power.seconds else "powering"


def _driving(now: Signals, watchdog: WatchdogSpec, *, fresh: bool) -> tuple[Mode, str]:
    if not fresh:
        return "paused", _lost(watchdog)
    return ("teleoperation" if now.held else _released(now)), ""


def _paused(memory: ModeMemory, now: Signals, watchdog: WatchdogSpec, *, fresh: bool) -> tuple[Mode, str]:
    if not fresh:
        if memory.since >= watchdog.stop:
            return "stopped", f"The master was lost for more than {watchdog.stop:g} s."
        return "paused", memory.reason
    if memory.paused == "autonomous" or not now.held:
        return _released(now), ""
    return "teleoperation", ""


def _released(now: Signals) -> Mode:
    """Return the mode of a robot that nobody leads any more: it holds, or starts what was asked for in this tick."""
    return "autonomous" if now.move or now.go_on else "idle"


def _lost(watchdog: WatchdogSpec) -> str:
    return f"No fresh reading from the master for {watchdog.pause * 1e3:.0f} ms."


def may_move(memory: ModeMemory, now: Signals, watchdog: WatchdogSpec) -> str:
    """Return why an autonomous move cannot start now, or an empty text."""
    if memory.mode in ("stopped", "fault"):
        return "the robot is stopped; reset it first"
    if memory.mode in ("off", "powering"):
        return "the robot has no power yet"
    if memory.mode == "teleoperation" and now.held:
        return "somebody is driving; let go first"
    if now.age is not None and now.age > watchdog.pause:
        return "the operator is not there"
    return ""


def mode_note(memory: ModeMemory) -> tuple[Note, ...]:
    """Return why the robot does not move, if it is kept from moving."""
    if memory.mode == "paused":
        hint = "Continue the move when readings return." if memory.paused == "autonomous" else HOLD_ON
        return (Note("mode.paused", f"Paused: {memory.reason}", "stop", hint),)
    if memory.mode == "stopped":
        hint = "Reset, then press anew to go on." if memory.powered else "Reset, then power it up."
        return (Note("mode.stopped", f"Stopped: {memory.reason}", "stop", hint),)
    if memory.mode == "fault":
        return (Note("mode.fault", f"Fault: {memory.reason}", "fault", "Mend the cause, then reset."),)
    if memory.mode == "off":
        return (Note("mode.off", "The robot is off.", "stop", "Power it up to drive it."),)
    if memory.mode == "powering":
        return (Note("mode.powering", "The robot is powering up.", "slow", "It can be driven in a moment."),)
    return ()
