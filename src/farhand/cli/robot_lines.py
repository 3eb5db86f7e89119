"""Print the state of the robots: lines for a person, or JSON for a program."""

from __future__ import annotations

import math

import msgspec

from farhand.cell import Cell
from farhand.formats.model import JointSpec
from farhand.notes import render
from farhand.poses import compose
from farhand.types import Inputs, LaneReport, Note, RobotState, Tick

__all__ = ["Reporter"]

LINE_S = 0.5  # between two lines
REPEAT_S = 1.0  # without a note, after which it is printed again
MOVED_M = 0.005  # beyond which an object counts as moved


class Reporter:
    """A listener that prints a line per robot twice a second, and every new note at once.

    Args:
        cell: The running cell.
        json: Print one JSON object per line instead.
        driven: A script moves the masters of kind "manual".
    """

    def __init__(self, cell: Cell, *, json: bool = False, driven: bool = False) -> None:
        self._cell, self._json, self._driven = cell, json, driven
        self._every = max(1, round(LINE_S / cell.dt))
        self._said: dict[tuple[str, str], float] = {}
        self._objects = cell.state.objects
        self._encoder = msgspec.json.Encoder()

    def introduce(self) -> None:
        """Print the cell, its robots, the assumptions made about them, and warnings about their set-up."""
        if self._json:
            return
        spec = self._cell.spec
        print(f"{spec.name}: {spec.summary}" if spec.summary else spec.name)
        notes = self._cell.notes()
        for placement in self._cell.world.blueprint.robots:
            joints = placement.model.arm.joints
            print(f"{placement.name}: {placement.model.name}, {_count(len(joints))}: {', '.join(map(_label, joints))}")
            for note in notes[placement.name]:
                print(f"  note: {render(note).text}")
        for robot in self._cell.lanes:
            master = self._cell.master_of(robot)
            if self._cell.spec.masters[master].get("kind") == "manual" and not self._driven:
                print(f"{robot} stands still: only a program can move its master {master!r} (see examples/01_jog.py)")
        print(f"\n{'time':>6}  {'robot':<8} {'mode':<14} {'tip x, y, z (m, world)':<24} joints (degrees, mm)")

    def __call__(self, inputs: Inputs, tick: Tick) -> None:
        """Print the lines that are due."""
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
        """Print notes that are new or were absent for `REPEAT_S`, except notes about the gentle start of a motion."""
        for note in notes:
            key = (robot, note.code)
            quiet = note.level == "info" and not note.code.startswith(("lane.", "cell."))
            if not quiet and tick.time - self._said.get(key, -math.inf) > REPEAT_S:
                said = render(note)
                print(f"{tick.time:6.2f}  {robot:<8} {said.text} {said.free}".rstrip())
            self._said[key] = tick.time

    def _tell_objects(self, tick: Tick) -> None:
        """Print the positions of objects that have moved since they were last printed."""
        for name, pose in tick.state.objects.items():
            if name not in self._objects or math.dist(pose.position, self._objects[name].position) > MOVED_M:
                self._objects = {**self._objects, name: pose}
                print(f"{'':>6}  {name} is at {', '.join(_signed(x, 3) for x in pose.position)}")

    def _line(self, tick: Tick, name: str, report: LaneReport, robot: RobotState) -> str:
        T_world_tip = compose(self._cell.world.rig(name).T_world_base, robot.T_base_tip)
        tip = ", ".join(_signed(x, 3) for x in T_world_tip.position)
        joints = self._cell.lanes[name].model.arm.joints
        values = [_shown(joint, q) for joint, q in zip(joints, robot.groups["arm"].positions, strict=True)]
        if "gripper" in robot.groups:
            values.append(f"grip {robot.groups['gripper'].positions[0] * 1e3:.0f} mm")
        touch = f"  touching, {math.hypot(*robot.contact.force):.0f} N" if robot.touching else ""
        return f"{tick.time:6.2f}  {name:<8} {report.mode:<14} {tip:<24} {' '.join(values)}{touch}"


def _count(joints: int) -> str:
    return "1 joint" if joints == 1 else f"{joints} joints"


def _label(joint: JointSpec) -> str:
    return joint.label or joint.name


def _shown(joint: JointSpec, value: float) -> str:
    return _signed(math.degrees(value), 1) if joint.kind == "hinge" else f"{_signed(value * 1e3, 0)}mm"


def _signed(value: float, digits: int) -> str:
    """Return a number with its sign; negative zero becomes +0, so that the sign does not flicker."""
    return f"{round(value, digits) + 0.0:+.{digits}f}"
