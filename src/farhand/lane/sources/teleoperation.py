"""Teleoperation: the hand, or a signal generator in its place, through the chosen mapping."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from farhand.lane.intake.presence import undeflected
from farhand.lane.modes.fault_finding import GENERATOR, Finding, generated_reading
from farhand.lane.motion.pacing import paced
from farhand.lane.sources.source import SOURCES, Kind, SourceConfig, SourceView, Step
from farhand.mapping import HasNotes
from farhand.types import Demand, JointTrack, Motion, Note, Vector

__all__ = ["HandMemory", "Teleoperation"]

Notes = tuple[Note, ...]


class HandMemory(Struct, frozen=True):
    """The memory of teleoperation.

    Args:
        latch: The memory of the mapping; None restarts it.
        finding: The signal generator in place of the hand, if there is one.
    """

    latch: Any
    finding: Finding


@SOURCES.register("hand")
class Teleoperation:
    """Turns readings of one robot's master into demands.

    Args:
        config: The robot and its mappings.
    """

    kind: Kind = "hand"

    def __init__(self, config: SourceConfig) -> None:
        self._mappings, self._dt = config.mappings, config.dt
        self._noting = {name: mapping for name, mapping in self._mappings.items() if isinstance(mapping, HasNotes)}
        self._led_by = {name: mapping.led_by for name, mapping in self._mappings.items()}
        self._top = tuple(joint.velocity for joint in config.joints)

    def step(self, view: SourceView, memory: HandMemory) -> Step:
        """Return the demand of the hand in this tick."""
        reading, source, finding = view.reading, view.mapping, memory.finding
        if finding.generator:
            source = GENERATOR
            reading, finding = generated_reading(
                finding.generator, finding, reading, view.tick, self._dt, engaged=view.engaged
            )
        latch = None if view.engaged else memory.latch
        motions, latch = self._mappings[view.mapping](reading, view.robot, latch, view.scale)
        said = self._noting[view.mapping].notes(latch) if view.mapping in self._noting else ()
        if self._led_by[view.mapping] == "axes":
            said += undeflected(reading)
        motions, behind = self._paced(motions, view.setpoint.positions, view.speed)
        return Demand(source, motions), HandMemory(latch, finding), "running", (*said, *behind)

    def _paced(self, motions: dict[str, Motion], told: Vector, speed: float) -> tuple[dict[str, Motion], Notes]:
        """Limit an arm that is driven joint by joint to the speed level."""
        track = motions.get("arm")
        if not isinstance(track, JointTrack) or len(track.positions) != len(self._top):
            return motions, ()
        track, notes = paced(track, told, self._top, speed)
        return {**motions, "arm": track}, notes
