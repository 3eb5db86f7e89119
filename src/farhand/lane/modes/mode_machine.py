"""Who is in charge of a robot: one pure state machine; its diagram is in docs/modes.md, made from this file.

A stop is latched: reset brings it back to idle, and motion needs a fresh press after that. Reset never starts one.
An operator who has never been there cannot be lost: a cell without a master may move by itself. A robot that has a
power switch starts off, and takes its time to power up; whatever interrupts that switches it off again.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from farhand.lane.intake.ages import seconds
from farhand.types import Mode, Note, Quantity

__all__ = ["HANDED_OVER", "ModeMemory", "ModeSignals", "PowerSpec", "WatchdogSpec", "advance", "may_move", "mode_note"]

HANDED_OVER: tuple[Mode, ...] = ("teleoperation", "autonomous", "paused")
"""Modes that end with a stop when control passes to someone else; a robot that stands stays as it is."""

UNHELD: tuple[Mode, ...] = ("idle", "teleoperation", "autonomous")
STOPPED, UNPOWERED = Note("move.stopped"), Note("move.unpowered")
DRIVEN, ABSENT = Note("move.driven"), Note("move.absent")
UNKNOWN = Note("lane.held")
OFF, POWERING = Note("mode.off", "stop"), Note("mode.powering", "slow")


class WatchdogSpec(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """When readings count as lost. Cannot be switched off.

    Args:
        pause: Seconds without a fresh reading before the robot brakes and holds.
        stop: Seconds in pause before the stop is latched.
        baseline: Seconds; the greatest delay of a link that the watchdog makes allowance for.
        tip_overrun: Metres that the tip may go on over a link older than 100 ms; bounds its speed.
        base_overrun: Likewise for the base of a robot on tracks.
        bounded: False: the speed over such links is not bounded, for studies of that.
    """

    pause: Annotated[float, Meta(ge=0.01, le=0.2)] = 0.1
    stop: Annotated[float, Meta(ge=0.0, le=1.0)] = 1.0
    baseline: Annotated[float, Meta(ge=0.0, le=1.0)] = 0.5
    tip_overrun: Annotated[float, Meta(gt=0.0, le=1.0)] = 0.05
    base_overrun: Annotated[float, Meta(gt=0.0, le=1.0)] = 0.1
    bounded: bool = True


class PowerSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """A robot that must be powered up before it moves.

    Args:
        seconds: How long that takes: pumps that build up pressure, brakes that open.
    """

    seconds: Annotated[float, Meta(ge=0.0, le=60.0)] = 3.0


class ModeSignals(Struct, frozen=True):
    """What the state machine looks at in one tick.

    Args:
        held: The deadman is held in the newest good reading, and what leads the robot is not lost.
        pressed: It was freshly pressed in this tick.
        age: Seconds, of the newest good reading, beyond its link's baseline; None before the first.
        late: Why it does not count though it came in time, if it does not.
        slow: Why the robot must stand while its cell runs slower than real time, if it must.
        stop: Why the robot must stop now, or None.
        fault: What is broken, or None.
        reset: The latch is to be cleared.
        hold: Whatever moves shall end and hold.
        move: An autonomous move is to start.
        resume: An interrupted one is to be taken up again.
        arrived: The autonomous move has reached its goal.
        lead: Milliseconds that wall time gained on ticks before this one.
        held_up: Seconds for which the cell itself stood still before this tick, if that was longer than a pause.
        power: The power is switched on or off, or None.
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
    """The mode and what goes with it.

    Args:
        mode: Who is in charge.
        since: Seconds for which that has been so, by ticks.
        lead: Milliseconds that wall time gained on ticks meanwhile.
        reason: Why, where it needs a reason.
        paused: What a pause has interrupted.
        powered: There is power, or it is coming.
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
        memory: Of the last tick.
        now: What is looked at.
        watchdog: When readings count as lost.
        dt: Seconds per tick.
        power: For a robot with a power switch.
    """
    mode, reason = _next(memory, now, watchdog, power)
    powered = power is None or _powered(memory, now, mode)
    if mode == "paused" and now.slow and _fresh(now, watchdog):  # nothing is lost: the pause's own second begins anew
        paused = "teleoperation" if now.pressed else memory.paused if memory.mode == "paused" else memory.mode
        return ModeMemory(mode, 0.0, reason, paused, powered)
    if mode == memory.mode:
        return ModeMemory(mode, memory.since + dt, reason, memory.paused, powered, memory.lead + now.lead)
    return ModeMemory(mode, 0.0, reason, memory.mode if mode == "paused" else "idle", powered)


def _powered(memory: ModeMemory, now: ModeSignals, mode: Mode) -> bool:
    """Return whether there is power after this tick: a stop while it comes up takes it away again."""
    if mode in ("stopped", "fault"):
        return memory.powered and now.power is not False and memory.mode != "powering"
    return mode != "off"


def _next(
    memory: ModeMemory, now: ModeSignals, watchdog: WatchdogSpec, power: PowerSpec | None
) -> tuple[Mode, Note | None]:
    mode = memory.mode
    if now.fault is not None:
        return "fault", now.fault
    if now.stop is not None:  # a fault is a stop already, and says what to mend
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
    if now.pressed and fresh:  # by a hand that is lost it ends what moves, and starts nothing
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
    """Return the mode of a robot that nobody leads any more: it holds, or starts what was asked for in this tick."""
    return "autonomous" if now.move or now.resume else "idle"


def _slowed(memory: ModeMemory, now: ModeSignals) -> tuple[Mode, Note | None]:
    """Hold a robot whose cell cannot keep up, until it can; what was pressed meanwhile is not lost."""
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
    """Return why an autonomous move cannot start now, or None."""
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
    """Return why the robot does not move, if it is kept from moving."""
    if memory.mode in UNHELD:
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
