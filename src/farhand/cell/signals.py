"""All signals of a cell that can be plotted, as functions of one tick.

Names are stable: ``arm/joint 1/position``, ``arm/tip/x``, ``arm/tip/force``, ``cube/z``, ``cell/contacts``. Each signal
names its unit; angles are in degrees. A value that a tick lacks (a removed object, the age before the first reading) is
NaN.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TypeVar

from msgspec import Struct

from farhand.cell.cell import Cell
from farhand.formats.model import JointSpec
from farhand.lane.motion.base_notes import attitude_of
from farhand.poses import Quaternion, Vec3
from farhand.types import LaneReport, RobotState, Tick, Vector
from farhand.world import loose

__all__ = ["Read", "Signal", "signals_of"]

Read = Callable[[Tick], float]
"""Returns one number of a tick; cheap, and never raises."""

T = TypeVar("T")
DEGREES = 180.0 / math.pi
AXES = (("x", 0), ("y", 1), ("z", 2))


class Signal(Struct, frozen=True):
    """A quantity that can be plotted.

    Args:
        name: Unique in its cell, and the same in every run.
        label: The operator's name for it, below its heading.
        unit: Unit of the values; empty for a plain number.
        group: The heading.
        read: Returns the value of a tick.
    """

    name: str
    label: str
    unit: str
    group: str
    read: Read


def signals_of(cell: Cell) -> tuple[Signal, ...]:
    """Return all signals of a cell in its present world; call it again after an edit."""
    found: list[Signal] = []
    for name, lane in cell.lanes.items():
        found += _tip(name)
        for i, joint in enumerate(lane.model.arm.joints):
            found += _joint(name, i, joint)
        if lane.gripper:
            found += _gripper(name)
        if lane.wrist:
            found += _wrist(name)
        if lane.tracks:
            found += _tracks(name, lane.tracks.tracks.flippers)
        found += _control(name)
    for item in cell.world.blueprint.objects:
        if loose(item):
            found += _object(item.name)
        elif item.joint:
            found.append(_joint_of(item.name, item.joint.kind))
    found.append(Signal("cell/contacts", "contacts", "", "cell", lambda tick: float(tick.state.contacts)))
    return tuple(found)


# ── Joints and gripper ───────────────────────────────────────────────────────────────────────────────────────────


def _joint(robot: str, i: int, joint: JointSpec) -> Iterator[Signal]:
    hinge = joint.kind == "hinge"
    unit, scale, effort = ("°", DEGREES, "Nm") if hinge else ("m", 1.0, "N")
    setpoint = _setpoint(robot, "arm", i, scale)
    measured = _measured(robot, "arm", lambda group: group.positions, i, scale)
    rows: tuple[tuple[str, str, Read], ...] = (
        ("position", unit, measured),
        ("set-point", unit, setpoint),
        ("following error", unit, lambda tick: setpoint(tick) - measured(tick)),
        ("rate", f"{unit}/s", _measured(robot, "arm", lambda group: group.rates, i, scale)),
        ("effort", effort, _measured(robot, "arm", lambda group: group.efforts, i, 1.0)),
    )
    title = joint.label or joint.name
    for quantity, unit_of, read in rows:
        yield Signal(f"{robot}/joint {i + 1}/{quantity}", f"{title} {quantity}", unit_of, f"{robot} joints", read)


def _gripper(robot: str) -> Iterator[Signal]:
    rows: tuple[tuple[str, str, Read], ...] = (
        ("opening", "mm", _measured(robot, "gripper", lambda group: group.positions, 0, 1e3)),
        ("set-point", "mm", _setpoint(robot, "gripper", 0, 1e3)),
        ("effort", "N", _measured(robot, "gripper", lambda group: group.efforts, 0, 1.0)),
    )
    for quantity, unit, read in rows:
        yield Signal(f"{robot}/gripper/{quantity}", quantity, unit, f"{robot} gripper", read)


def _measured(robot: str, group: str, values: Callable[..., Vector], i: int, scale: float) -> Read:
    def read(tick: Tick) -> float:
        measured = tick.state.robots[robot].groups.get(group)  # a gripper may have been removed
        return math.nan if measured is None else values(measured)[i] * scale

    return read


def _setpoint(robot: str, group: str, i: int, scale: float) -> Read:
    def read(tick: Tick) -> float:
        setpoint = tick.lanes[robot].setpoints.get(group)
        return math.nan if setpoint is None else setpoint.positions[i] * scale

    return read


# ── Tip ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _tip(robot: str) -> Iterator[Signal]:
    for axis, i in AXES:
        yield _of_tip(robot, axis, axis, "m", _taken(lambda r: r.T_base_tip.position, i))
    for turn, angle in (("roll", _roll), ("pitch", _pitch), ("yaw", _yaw)):
        yield _of_tip(robot, turn, turn, "°", _turned(angle))
    rows: tuple[tuple[str, str, Callable[[RobotState], Vec3]], ...] = (
        ("force", "N", lambda r: r.contact.force),
        ("torque", "Nm", lambda r: r.contact.torque),
    )
    for quantity, unit, vector in rows:
        yield _of_tip(robot, quantity, f"contact {quantity}", unit, _size(vector))
        for axis, i in AXES:
            yield _of_tip(robot, f"{quantity} {axis}", f"contact {quantity} {axis}", unit, _taken(vector, i))
    yield from _contact_estimate(robot)


def _contact_estimate(robot: str) -> Iterator[Signal]:
    """Yield the contact as the robot estimates it, which compliance uses; `force` and `torque` are the physics' own."""
    rows: tuple[tuple[str, str, Callable[[LaneReport], Vec3]], ...] = (
        ("force", "N", lambda lane: lane.contact.force),
        ("torque", "Nm", lambda lane: lane.contact.torque),
    )
    for quantity, unit, vector in rows:
        yield _of_lane(robot, f"estimated {quantity}", unit, _size(vector))
        for axis, i in AXES:
            yield _of_lane(robot, f"estimated {quantity} {axis}", unit, _taken(vector, i))


def _of_lane(robot: str, quantity: str, unit: str, read: Callable[[LaneReport], float]) -> Signal:
    label = f"{quantity}, weights subtracted"
    return Signal(f"{robot}/tip/{quantity}", label, unit, f"{robot} tip", lambda tick: read(tick.lanes[robot]))


def _of_tip(robot: str, quantity: str, label: str, unit: str, read: Callable[[RobotState], float]) -> Signal:
    return Signal(f"{robot}/tip/{quantity}", label, unit, f"{robot} tip", lambda tick: read(tick.state.robots[robot]))


def _taken(vector: Callable[[T], Vec3], i: int) -> Callable[[T], float]:
    return lambda of: vector(of)[i]


def _size(vector: Callable[[T], Vec3]) -> Callable[[T], float]:
    return lambda of: math.hypot(*vector(of))


def _turned(angle: Callable[[Quaternion], float]) -> Callable[[RobotState], float]:
    return lambda robot: angle(robot.T_base_tip.rotation) * DEGREES


# R = Rz(yaw)·Ry(pitch)·Rx(roll); near a pitch of ±90° only the sum or difference of roll and yaw is defined.


def _roll(q: Quaternion) -> float:
    w, x, y, z = q
    return math.atan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y))


def _pitch(q: Quaternion) -> float:
    w, x, y, z = q
    return math.asin(min(max(2.0 * (w * y - x * z), -1.0), 1.0))


def _yaw(q: Quaternion) -> float:
    w, x, y, z = q
    return math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))


# ── Wrist sensor ─────────────────────────────────────────────────────────────────────────────────────────────────


def _wrist(robot: str) -> Iterator[Signal]:
    """Yield the sensor's readings, in its own axes, and the payload it has weighed."""
    for quantity, unit in (("force", "N"), ("torque", "Nm")):
        for axis, i in AXES:
            label = f"wrist {quantity} {axis}"
            yield Signal(f"{robot}/wrist/{quantity} {axis}", label, unit, f"{robot} wrist", _sensed(robot, quantity, i))
    yield Signal(f"{robot}/wrist/payload", "payload", "kg", f"{robot} wrist", _payload(robot))


def _sensed(robot: str, quantity: str, i: int) -> Read:
    def read(tick: Tick) -> float:
        wrench = tick.state.robots[robot].wrist
        return math.nan if wrench is None else (wrench.force if quantity == "force" else wrench.torque)[i]

    return read


def _payload(robot: str) -> Read:
    return lambda tick: tick.lanes[robot].payload or 0.0


# ── Tracks ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _tracks(robot: str, flippers: tuple[JointSpec, ...]) -> Iterator[Signal]:
    """Yield attitude, speed, belts and flippers of a tracked robot."""
    rows: list[tuple[str, str, Read]] = [
        ("pitch", "°", _base(robot, lambda r: _attitude(r)[0] * DEGREES)),
        ("roll", "°", _base(robot, lambda r: _attitude(r)[1] * DEGREES)),
        ("speed", "m/s", _base(robot, lambda r: r.base_twist.linear[0] if r.base_twist else 0.0)),
        ("turn rate", "°/s", _base(robot, lambda r: r.base_twist.angular[2] * DEGREES if r.base_twist else 0.0)),
    ]
    for i, side in enumerate(("left", "right")):
        rows.append((f"{side} belt", "m/s", _measured(robot, "base", lambda group: group.rates, i, 1.0)))
        rows.append((f"{side} load", "N", _measured(robot, "base", lambda group: group.efforts, i, 1.0)))
    for i, joint in enumerate(flippers):
        at = _measured(robot, "flippers", lambda group: group.positions, i, DEGREES)
        rows.append((joint.label or joint.name, "°", at))
    for quantity, unit, read in rows:
        yield Signal(f"{robot}/base/{quantity.lower()}", quantity, unit, f"{robot} base", read)


def _attitude(robot: RobotState) -> tuple[float, float]:
    return attitude_of(robot.T_world_base.rotation) if robot.T_world_base else (0.0, 0.0)


def _base(robot: str, read: Callable[[RobotState], float]) -> Read:
    return lambda tick: read(tick.state.robots[robot])


# ── Control and objects ──────────────────────────────────────────────────────────────────────────────────────────


def _control(robot: str) -> Iterator[Signal]:
    def age(tick: Tick) -> float:
        seconds = tick.lanes[robot].age
        return math.nan if seconds is None else seconds * 1e3

    group = f"{robot} control"
    yield Signal(f"{robot}/reading age", "age of the reading", "ms", group, age)
    yield Signal(f"{robot}/speed level", "speed level", "", group, lambda tick: float(tick.lanes[robot].speed_level))


def _object(name: str) -> Iterator[Signal]:
    for axis, i in AXES:
        yield Signal(f"{name}/{axis}", f"{name} {axis}", "m", "objects", _place(name, i))


def _place(name: str, i: int) -> Read:
    def read(tick: Tick) -> float:
        pose = tick.state.objects.get(name)
        return math.nan if pose is None else pose.position[i]

    return read


def _joint_of(name: str, kind: str) -> Signal:
    """Return the position of an object on a joint."""
    unit, scale = ("°", DEGREES) if kind == "hinge" else ("m", 1.0)
    return Signal(
        f"{name}/joint", f"{name} position", unit, "objects", lambda tick: tick.state.joints.get(name, math.nan) * scale
    )
