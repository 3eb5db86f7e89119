"""Notes on the link between an operator and a robot: a press that does not count, a pause of driving."""

from __future__ import annotations

from farhand.lane.intake.ages import DISTANT_S, DRAWN_S, Ages, Link
from farhand.lane.modes.mode_machine import WatchdogSpec
from farhand.types import Note, Quantity, Reading

__all__ = ["UNECHOED", "never_drives", "refused_press", "why_late", "why_slow"]

UNECHOED = Note("link.unechoed", "stop")
MEASURING = Note("link.press.measuring", "stop")
BUSY = Note("cell.busy")


def never_drives(reading: Reading) -> bool:
    """Return whether a reading from outside holds the deadman but echoes no tick."""
    return reading.arrival is not None and reading.tick < 0 and reading.deadman


def why_late(ages: Ages, watchdog: WatchdogSpec) -> Note | None:
    """Return the reason that a reading received in time does not count; None if it does, or if none comes."""
    if ages.gap > watchdog.pause:
        return None
    if ages.echo - ages.baseline > watchdog.pause:
        return Note("link.late", quantities=_late(ages))
    return Note("link.blind", quantities=_blind(ages)) if ages.blind else None


def refused_press(ages: Ages, link: Link, watchdog: WatchdogSpec) -> Note:
    """Return the note on a press that does not count because of its age."""
    most = watchdog.baseline + watchdog.pause
    if ages.blind and ages.beyond <= watchdog.pause:
        return Note("link.press.blind", "stop", quantities=_blind(ages))
    if ages.echo > most:
        quantities = (Quantity("age", ages.echo, "s"), Quantity("allowed", most, "s"))
        return Note("link.press.slow", "stop", quantities=quantities)
    return Note("link.press.late", "stop", quantities=_late(ages)) if link.measured else MEASURING


def why_slow(factor: float, link: Link) -> Note | None:
    """Return the reason that a robot must hold while its cell runs slow, or None."""
    if factor == 0.0:
        return BUSY
    if factor < 1.0 and link.baseline > DISTANT_S:
        return Note("link.distant", quantities=(Quantity("usual", link.baseline, "s"),))
    return None


def _late(ages: Ages) -> tuple[Quantity, ...]:
    return (Quantity("age", ages.echo, "s"), Quantity("usual", ages.baseline, "s"))


def _blind(ages: Ages) -> tuple[Quantity, ...]:
    return (Quantity("age", ages.drawn, "s"), Quantity("allowed", ages.baseline + DRAWN_S, "s"))
