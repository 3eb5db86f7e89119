"""A robot that is driven: what the hand, or a signal generator in its place, asks for by the chosen mapping."""

from __future__ import annotations

from collections.abc import Mapping as Names

from msgspec import Struct
from msgspec.structs import replace

from farhand.lane.faults import GENERATOR, stand_in
from farhand.lane.memory import LaneMemory
from farhand.lane.pacing import paced
from farhand.lane.presence import undeflected
from farhand.mapping import LedBy, Mapping, Remarks
from farhand.types import Demand, JointTrack, Motion, Note, RobotState, Vector

__all__ = ["HandStage"]

Notes = tuple[Note, ...]


class HandStage(Struct, frozen=True):
    """Turns readings of one robot's master into demands.

    Args:
        mappings: Ways to drive it, by name.
        remarks: Those of them that have something to say, by name.
        led_by: What leads each of them, by name.
        top: Top rate of each joint of the arm.
        dt: Seconds per tick.
    """

    mappings: Names[str, Mapping]
    remarks: Names[str, Remarks]
    led_by: Names[str, LedBy]
    top: Vector
    dt: float

    def ask(self, tick: int, robot: RobotState, speed: float, memory: LaneMemory) -> tuple[Demand, LaneMemory, Notes]:
        """Return what is asked for in this tick.

        Args:
            tick: This tick's number.
            robot: As measured.
            speed: The chosen share of full speed.
            memory: Of the last tick, with this tick's mode and reading.
        """
        engaged = memory.mode.since == 0.0 or memory.stopping  # who drives on begins where a stop ends
        reading, source, finding = memory.inbox.reading, memory.mapping, memory.finding
        if finding.generator:
            source = GENERATOR
            reading, finding = stand_in(finding.generator, finding, reading, tick, self.dt, engaged=engaged)
        latch = None if engaged else memory.mapping_memory
        motions, latch = self.mappings[memory.mapping](reading, robot, latch, memory.scale)
        said = self.remarks[memory.mapping].remarks(latch) if memory.mapping in self.remarks else ()
        if self.led_by[memory.mapping] == "axes":
            said += undeflected(reading)
        motions, behind = self._paced(motions, memory.setpoints["arm"].positions, speed)
        return Demand(source, motions), replace(memory, mapping_memory=latch, finding=finding), (*said, *behind)

    def _paced(self, motions: dict[str, Motion], told: Vector, speed: float) -> tuple[dict[str, Motion], Notes]:
        """Hold an arm that is led joint by joint to the speed level."""
        track = motions.get("arm")
        if not isinstance(track, JointTrack) or len(track.positions) != len(self.top):
            return motions, ()
        track, notes = paced(track, told, self.top, speed)
        return {**motions, "arm": track}, notes
