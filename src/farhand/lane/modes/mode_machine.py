"""The mode of a robot: one pure state machine; its diagram in docs/modes.md is generated from this file.

A stop is latched: reset returns the robot to idle, and driving then needs a fresh press. Reset never starts a motion.
Without a first reading there is no signal to lose: a cell without a master may move by itself. A robot with a power
switch starts off and takes some time to power up; an interruption of that switches it off again.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from farhand.lane.intake.ages import seconds
from farhand.types import Mode, Note, Quantity

__all__ = ["HANDED_OVER", "ModeMemory", "ModeSignals", "PowerSpec", "WatchdogSpec", "advance", "may_move", "mode_note"]

HANDED_OVER: tuple[Mode, ...] = ("teleoperation", "autonomous", "paused")
"""Modes that end with a stop when the lease passes to another person; a robot at rest keeps its mode."""

UNRESTRAINED: tuple[Mode, ...] = ("idle", "teleoperation", "autonomous")
STOPPED, UNPOWERED = Note("move.stopped"), Note("move.unpowered")
DRIVEN, ABSENT = Note("move.driven"), Note("move.absent")
UNKNOWN = Note("lane.held")
OFF, POWERING = Note("mode.off", "stop"), Note("mode.powering", "slow")


class WatchdogSpec(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Time limits of the readings, and speed limits over distant links. The watchdog cannot be switched off.

    Args:
        pause: Seconds without a fresh reading before the robot brakes and holds.
        stop: Seconds in pause before the stop is latched.
        baseline: Greatest usual delay of a link that the watchdog allows for, s.
        tip_overrun: Distance (m) that the tip may overrun over a link older than 100 ms; bounds its speed.
        base_overrun: The same for the base of a robot on tracks.
        bounded: False to leave the speed over such links unbounded, for studies.
    """

    pause: Annotated[float, Meta(ge=0.01, le=0.2)] = 0.1
    stop: Annotated[float, Meta(ge=0.0, le=1.0)] = 1.0
    baseline: Annotated[float, Meta(ge=0.0, le=1.0)] = 0.5
    tip_overrun: Annotated[float, Meta(gt=0.0, le=1.0)] = 0.05
    base_overrun: Annotated[float, Meta(gt=0.0, le=1.0)] = 0.1
    bounded: bool = True


class PowerSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """The power switch of a robot that must be powered up before it moves.

    Args:
        seconds: Time to power up: pumps build up pressure, brakes open.
    """

    seconds: Annotated[float, Meta(ge=0.0, le=60.0)] = 3.0


class ModeSignals(Struct, frozen=True):
    """The inputs of the state machine in one tick.

    Args:
        held: True if the newest valid reading holds the deadman and the signal that drives the robot is not lost.
        pressed: True if the deadman was freshly pressed in this tick.
        age: Age (s) of the newest valid reading beyond its link's baseline; None before the first.
        late: The reason that a reading received in time does not count, or None.
        slow: The reason that the robot must hold while its cell runs slower than real time, or None.
        stop: The reason that the robot must stop now, or None.
        fault: The fault, or None.
        reset: True to clear the latch.
        hold: True to end the motion and hold.
        move: True to start an autonomous move.
        resume: True to resume an interrupted move.
        arrived: True if the autonomous move has reached its goal.
        lead: Milliseconds that wall time gained before this tick.
        held_up: Seconds for which the cell itself stood still before this tick.
        power: True to switch the power on, False to switch it off, or None.
    """

    held: bool
    pressed: bool
    age: float | None
    stop: Note | None = None
    fault: Note | None = None
    reset: bool = False
    hold: bool = False
    move: bool = False
    resume: bool = False
    arrived: bool = False
    lead: int = 0
    held_up: float = 0.0
    late: Note | None = None
    slow: Note | None = None
    power: bool | None = None


class ModeMemory(Struct, frozen=True):
    """The mode and its state.

    Args:
        mode: The mode.
        since: Seconds for which it has lasted, by ticks.
        lead: Milliseconds that wall time gained meanwhile.
        reason: The reason of a pause, stop or fault.
        paused: The mode that a pause has interrupted.
        powered: True if the robot has power or is powering up.
    """

    mode: Mode = "idle"
    since: float = 0.0
    reason: Note | None = None
    paused: Mode = "idle"
    powered: bool = True
    lead: int = 0

    @property
    def lasted(self) -> float:
        """Seconds for which the mode has lasted: the greater of ticks and wall time."""
        return self.since + seconds(0, self.lead, 0.0)


def advance(
    memory: ModeMemory, now: ModeSignals, watchdog: WatchdogSpec, dt: float, power: PowerSpec | None = None
) -> ModeMemory:
    """Return the mode of this tick.

    Args:
        memory: The mode of the last tick.
        now: Signals of this tick.
        watchdog: Time limits of the readings.
        dt: Seconds per tick.
        power: Settings of the power switch, for a robot that has one.
    """
    mode, reason = _next(memory, now, watchdog, power)
    powered = power is None or _powered(memory, now, mode)
    if mode == "paused" and now.slow and _fresh(now, watchdog):  # no signal is lost: the pause starts afresh
        paused = "teleoperation" if now.pressed else memory.paused if memory.mode == "paused" else memory.mode
        return ModeMemory(mode, 0.0, reason, paused, powered)
    if mode == memory.mode:
        return ModeMemory(mode, memory.since + dt, reason, memory.paused, powered, memory.lead + now.lead)
    return ModeMemory(mode, 0.0, reason, memory.mode if mode == "paused" else "idle", powered)


def _powered(memory: ModeMemory, now: ModeSignals, mode: Mode) -> bool:
    """Return whether the robot has power after this tick: a stop while it powers up switches it off."""
    if mode in ("stopped", "fault"):
        return memory.powered and now.power is not False and memory.mode != "powering"
    return mode != "off"


def _next(
    memory: ModeMemory, now: ModeSignals, watchdog: WatchdogSpec, power: PowerSpec | None
) -> tuple[Mode, Note | None]:
    mode = memory.mode
    if now.fault is not None:
        return "fault", now.fault
    if now.stop is not None:  # a fault is a stop already, and names its cause
        return (mode, memory.reason) if mode in ("stopped", "fault") else ("stopped", now.stop)
    if mode in ("stopped", "fault"):
        return ("idle" if memory.powered else "off", None) if now.reset else (mode, memory.reason)
    if power is not None and (now.power is False or mode in ("off", "powering")):
        return _powering(memory, now, power), None
    if now.hold:
        return "idle", None
    if now.held_up > watchdog.pause and mode in HANDED_OVER:
        return "paused", Note("cell.held-up", quantities=(Quantity("time", now.held_up, "s"),))
    fresh = _fresh(now, watchdog)
    if now.slow and fresh:
        return _slowed(memory, now)
    if now.pressed and fresh:  # with a lost signal it only ends the motion
        return ("teleoperation" if now.held else "idle"), None
    if mode == "teleoperation":
        return _driving(now, watchdog, fresh=fresh)
    if mode == "paused":
        return _paused(memory, now, watchdog, fresh=fresh)
    present = (fresh or now.age is None) and not now.slow
    if present and (now.move or now.resume):
        return "autonomous", None
    if mode == "autonomous":
        if now.arrived:
            return "idle", None
        return (mode, None) if present else ("paused", _lost(now, watchdog))
    return mode, memory.reason


def _powering(memory: ModeMemory, now: ModeSignals, power: PowerSpec) -> Mode:
    if now.power is False:
        return "off"
    if memory.mode == "off":
        return "powering" if now.power else "off"
    return "idle" if memory.since >= power.seconds else "powering"


def _driving(now: ModeSignals, watchdog: WatchdogSpec, *, fresh: bool) -> tuple[Mode, Note | None]:
    if not fresh:
        return "paused", _lost(now, watchdog)
    return ("teleoperation" if now.held else _released(now)), None


def _paused(memory: ModeMemory, now: ModeSignals, watchdog: WatchdogSpec, *, fresh: bool) -> tuple[Mode, Note | None]:
    if not fresh:
        if memory.lasted >= watchdog.stop:
            lost = (Quantity("time", watchdog.stop, "s"),)
            return "stopped", Note("input.stale" if now.late else "input.lost", quantities=lost)
        return "paused", memory.reason
    if memory.paused == "autonomous" or not now.held:
        return _released(now), None
    return "teleoperation", None


def _released(now: ModeSignals) -> Mode:
    """Return the mode after a release: the robot holds, or starts a move requested in this tick."""
    return "autonomous" if now.move or now.resume else "idle"


def _slowed(memory: ModeMemory, now: ModeSignals) -> tuple[Mode, Note | None]:
    """Hold a robot while its cell cannot keep up; a press of the deadman meanwhile still counts."""
    if now.pressed:
        return ("paused" if now.held else "idle"), now.slow if now.held else None
    if memory.mode not in HANDED_OVER:
        return memory.mode, memory.reason
    driven = memory.mode == "teleoperation" or (memory.mode == "paused" and memory.paused != "autonomous")
    return ("idle", None) if driven and not now.held else ("paused", now.slow)


def _fresh(now: ModeSignals, watchdog: WatchdogSpec) -> bool:
    return now.age is not None and now.age <= watchdog.pause and not now.late


def _lost(now: ModeSignals, watchdog: WatchdogSpec) -> Note:
    return now.slow or now.late or Note("input.none", quantities=(Quantity("time", watchdog.pause, "s"),))


def may_move(memory: ModeMemory, now: ModeSignals, watchdog: WatchdogSpec) -> Note | None:
    """Return the reason that an autonomous move cannot start now, or None."""
    if memory.mode in ("stopped", "fault"):
        return STOPPED
    if memory.mode in ("off", "powering"):
        return UNPOWERED
    if memory.mode == "teleoperation" and now.held:
        return DRIVEN
    if now.age is not None and not _fresh(now, watchdog):
        return ABSENT
    return now.slow


def mode_note(memory: ModeMemory) -> tuple[Note, ...]:
    """Return the note on a mode that prevents motion; none in the other modes."""
    if memory.mode in UNRESTRAINED:
        return ()
    cause = memory.reason or UNKNOWN
    if memory.mode == "paused":
        out = "continue" if memory.paused == "autonomous" else "hold-on"
        return (Note("mode.paused", "stop", free=(out,), cause=cause),)
    if memory.mode == "stopped":
        return (Note("mode.stopped", "stop", free=("reset" if memory.powered else "reset-power",), cause=cause),)
    if memory.mode == "fault":
        return (Note("mode.fault", "fault", free=("fix",), cause=cause),)
    if memory.mode == "off":
        return (OFF,)
    return (POWERING,) if memory.mode == "powering" else ()
