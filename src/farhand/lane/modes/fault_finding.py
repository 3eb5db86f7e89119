"""Fault finding: a filter or the feed-forward is switched off, or a signal generator replaces the hand.

A part that is switched off stays off until it is switched on again, and every tick has a note on it. The speed level,
the guard, the watchdog and the stop cannot be switched off.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from farhand.filters import Filter, Scale
from farhand.lane.intake.requests import refused
from farhand.types import Generator, Note, Quantity, Reading, Subject, SwitchFilter

__all__ = ["FEEDFORWARD", "GENERATOR", "FaultFinder", "Finding", "deflection", "generated_reading"]

Notes = tuple[Note, ...]
FEEDFORWARD = "feed-forward"
"""Name of a drive's feed-forward in lists of parts that are switched off."""
GENERATOR = "generator"
"""Source of a robot that a signal generator drives."""
SAGS = Note("fault-finding.feedforward")
ALWAYS_ON = Note("refused.level")


class Finding(Struct, frozen=True):
    """The parts that are switched off or replaced at present.

    Args:
        off: Names of filters, and `FEEDFORWARD`, in the lane's order.
        generator: The generator that replaces the hand, if there is one.
        since: First tick of the generator's phase; None before it moves the robot.
    """

    off: tuple[str, ...] = ()
    generator: Generator | None = None
    since: int | None = None


NOTHING = Finding()


class FaultFinder:
    """Switches parts of one robot's lane off and on.

    Args:
        robot: The robot's name.
        filters: The lane's filters by name, in order.
    """

    def __init__(self, robot: str, filters: Mapping[str, Filter]) -> None:
        self.robot, self.filters = robot, dict(filters)
        self._notes = {name: _off_note(name) for name in filters} | {FEEDFORWARD: SAGS}

    def switch(self, event: SwitchFilter, memory: Finding) -> tuple[Finding, Notes]:
        """Return the finding after a filter is switched off or on, and the note on a refusal.

        Args:
            event: The event, which names the filter.
            memory: The finding of the last tick.
        """
        problem = self._problem(event)
        if problem:
            return memory, refused(problem)
        return self.switched(memory, event.filter, on=event.on), ()

    def _problem(self, switch: SwitchFilter) -> Note | None:
        if switch.filter not in self.filters:
            known = [Subject("known", name) for name in self.filters]
            about = (Subject("robot", self.robot), Subject("filter", switch.filter), *known)
            return Note("refused.filter", about=about)
        if isinstance(self.filters[switch.filter], Scale) and not switch.on:
            return ALWAYS_ON
        return None

    def switched(self, memory: Finding, name: str, *, on: bool) -> Finding:
        """Return the finding after one part is switched off or on."""
        off = {*memory.off, name} - ({name} if on else set())
        return replace(memory, off=tuple(known for known in self._notes if known in off))

    def generate(self, generator: Generator | None, axes: tuple[str, ...], memory: Finding) -> tuple[Finding, Notes]:
        """Return the finding with a generator in place of the hand, or without one, and the note on a refusal.

        Args:
            generator: The generator, or None.
            axes: Axes of the chosen mapping; a generator deflects one of them.
            memory: The finding of the last tick.
        """
        if generator is not None and generator.axis >= len(axes):
            there = tuple([Subject("known", axis) for axis in axes])
            return memory, refused(Note("refused.axis", about=there, quantities=_number(generator)))
        return replace(memory, generator=generator, since=None), ()

    def live(self, memory: Finding) -> tuple[Filter | None, ...]:
        """Return the filters in order, with None for those that are switched off."""
        return tuple([None if name in memory.off else stage for name, stage in self.filters.items()])

    def notes(self, memory: Finding, axes: tuple[str, ...]) -> Notes:
        """Return the notes that every tick has while a part is off or replaced."""
        if memory is NOTHING:
            return ()
        notes = tuple([self._notes[name] for name in memory.off])
        return (*notes, _generator_note(memory.generator, axes)) if memory.generator else notes


def generated_reading(
    generator: Generator, memory: Finding, reading: Reading, tick: int, dt: float, *, engaged: bool
) -> tuple[Reading, Finding]:
    """Return a reading with the generator's deflection in place of the hand's; grip trigger and buttons stay.

    Args:
        generator: The generator.
        memory: The finding, with the start of the generator's phase.
        reading: The reading of the hand.
        tick: Number of this tick.
        dt: Seconds per tick.
        engaged: True if driving starts in this tick: the phase begins.
    """
    since = tick if engaged or memory.since is None else memory.since
    axes = (*(0.0,) * generator.axis, deflection(generator, (tick - since) * dt))
    return replace(reading, axes=axes, pose=None, joints=()), replace(memory, since=since)


def deflection(generator: Generator, seconds: float) -> float:
    """Return a generator's deflection after some seconds; every wave starts upwards, sine and triangle from zero."""
    phase = math.fmod(seconds * generator.frequency, 1.0)
    return generator.amplitude * _WAVES[generator.wave](phase)


def _triangle(phase: float) -> float:
    return 4.0 * phase if phase < 0.25 else 2.0 - 4.0 * phase if phase < 0.75 else 4.0 * phase - 4.0


_WAVES: dict[str, Callable[[float], float]] = {
    "sine": lambda phase: math.sin(2.0 * math.pi * phase),
    "square": lambda phase: 1.0 if phase < 0.5 else -1.0,
    "triangle": _triangle,
    "constant": lambda _: 1.0,
}


def _off_note(name: str) -> Note:
    return Note("fault-finding.filter", about=(Subject("filter", name),))


def _generator_note(generator: Generator, axes: tuple[str, ...]) -> Note:
    if generator.axis >= len(axes):
        return Note("fault-finding.generator.axis", quantities=_number(generator))
    about = (Subject("wave", generator.wave), Subject("axis", axes[generator.axis]))
    beat = () if generator.wave == "constant" else (Quantity("frequency", generator.frequency, "Hz"),)
    amplitude = Quantity("amplitude", generator.amplitude, "share")
    return Note("fault-finding.generator", about=about, quantities=(amplitude, *beat))


def _number(generator: Generator) -> tuple[Quantity, ...]:
    """Return the axis of a generator, counted from 1."""
    return (Quantity("number", generator.axis + 1, "count"),)
