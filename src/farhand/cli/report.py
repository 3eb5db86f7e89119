"""What the robots do, as lines for a person or for a program."""

from __future__ import annotations

import math

import msgspec

from farhand.cell import Cell
from farhand.formats.model import JointSpec
from farhand.types import Inputs, LaneReport, Note, RobotState, Tick

__all__ = ["Reporter"]

EVERY = 0.5  # seconds between two lines
MOVED = 0.005  # metres after which an object has moved


class Reporter:
    """A listener that prints a line per robot twice a second, and every new note at once.

    Args:
        cell: The cell that is run.
        json: Print one JSON object per line instead.
    """

    def __init__(self, cell: Cell, *, json: bool = False) -> None:
        self._cell, self._json = cell, json
        self._every = max(1, round(EVERY / cell.dt))
        self._seen: dict[str, tuple[str, ...]] = {}
        self._objects = cell.state.objects
        self._encoder = msgspec.json.Encoder()

    def introduce(self) -> None:
        """Print what the cell is and what had to be assumed about its robots."""
        if self._json:
            return
        spec = self._cell.spec
        print(f"{spec.name}: {spec.summary}" if spec.summary else spec.name)
        for placement in self._cell.world.blueprint.robots:
            joints = placement.model.arm.joints
            print(f"{placement.name}: {placement.model.name}, {len(joints)} joints: {', '.join(map(_label, joints))}")
            for note in placement.model.notes:
                print(f"  note: {note.text}")
        print(f"\n{'time':>6}  {'robot':<8} {'mode':<14} {'tip x, y, z (m)':<24} joints (degrees, mm)")

    def __call__(self, inputs: Inputs, tick: Tick) -> None:
        """Print what is due."""
        del inputs
        if self._json:
            if tick.number % self._every == 0:
                print(self._encoder.encode(tick).decode())
            return
        for name, report in tick.lanes.items():
            if tick.number % self._every == 0:
                print(self._line(tick, name, report, tick.state.robots[name]))
            self._tell(tick, name, (*tick.notes, *report.notes))
        if tick.number % self._every == 0:
            self._tell_objects(tick)

    def _tell(self, tick: Tick, robot: str, notes: tuple[Note, ...]) -> None:
        codes = tuple(sorted({note.code for note in notes}))
        for note in notes:
            if note.code not in self._seen.get(robot, ()):
                print(f"{tick.time:6.2f}  {robot:<8} {note.text} {note.free}".rstrip())
        self._seen[robot] = codes

    def _tell_objects(self, tick: Tick) -> None:
        """Say where objects are that have moved since they were last spoken of."""
        for name, pose in tick.state.objects.items():
            if name not in self._objects or math.dist(pose.position, self._objects[name].position) > MOVED:
                self._objects = {**self._objects, name: pose}
                print(f"{'':>6}  {name} is at {', '.join(f'{x:+.3f}' for x in pose.position)}")

    def _line(self, tick: Tick, name: str, report: LaneReport, robot: RobotState) -> str:
        tip = ", ".join(f"{x:+.3f}" for x in robot.T_base_tip.position)
        joints = self._cell.lanes[name].model.arm.joints
        values = [_shown(joint, q) for joint, q in zip(joints, robot.groups["arm"].positions, strict=True)]
        if "gripper" in robot.groups:
            values.append(f"grip {robot.groups['gripper'].positions[0] * 1e3:.0f} mm")
        touch = f"  touching, {math.hypot(*robot.contact.force):.0f} N" if robot.touching else ""
        return f"{tick.time:6.2f}  {name:<8} {report.mode:<14} {tip:<24} {' '.join(values)}{touch}"


def _label(joint: JointSpec) -> str:
    return joint.label or joint.name


def _shown(joint: JointSpec, value: float) -> str:
    return f"{math.degrees(value):+.1f}" if joint.kind == "hinge" else f"{value * 1e3:+.0f}mm"
