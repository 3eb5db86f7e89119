"""Axis tables, which turn vectors in the master's axes into the robot's axes and back."""

from __future__ import annotations

from farhand.config import ConfigError
from farhand.poses import Quaternion, Vec3, rotate
from farhand.types import Wrench
from farhand.vectors import times

__all__ = [
    "SAME_AXES",
    "ZERO",
    "Table",
    "axes_table",
    "handedness",
    "to_master_axes",
    "to_robot_axes",
    "view_table",
    "wrench_to_master",
]

ZERO: Vec3 = (0.0, 0.0, 0.0)

Table = tuple[Vec3, Vec3, Vec3]
"""Rows of an orthogonal matrix: robot vector = table · master vector."""
SAME_AXES: Table = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
LEVEL_SINE = 0.3  # sine of the angle to the vertical: for a steeper view "away" is towards the top of the picture


def axes_table(names: tuple[str, str, str]) -> Table:
    """Return the table for the axes of the robot along which the master's x, y and z point.

    Example:
        ``axes_table(("y", "-z", "-x"))``: the master's x, y and z lie along the robot's y, -z and -x.

    Raises:
        ConfigError: If a name is not an axis, or two names share an axis.
    """
    columns = []
    for i, name in enumerate(names):
        axis = name.removeprefix("-")
        if axis not in ("x", "y", "z"):
            raise ConfigError(f"axes[{i}]", f"found {name!r}, expected one of x, y, z, -x, -y, -z")
        sign = -1.0 if name.startswith("-") else 1.0
        columns.append([sign * (axis == each) + 0.0 for each in "xyz"])
    if len({name.removeprefix("-") for name in names}) < 3:
        raise ConfigError("axes", f"found {', '.join(names)}; expected x, y and z once each")
    return tuple((columns[0][i], columns[1][i], columns[2][i]) for i in range(3))  # type: ignore[return-value] # three


def to_robot_axes(table: Table, v: Vec3) -> Vec3:
    """Return a vector, given in the master's axes, in the robot's axes."""
    x, y, z = v
    a, b, c = table
    return (a[0] * x + a[1] * y + a[2] * z, b[0] * x + b[1] * y + b[2] * z, c[0] * x + c[1] * y + c[2] * z)


def to_master_axes(table: Table, v: Vec3) -> Vec3:
    """Return a vector, given in the robot's axes, in the master's axes."""
    (a, b, c), (x, y, z) = table, v
    return (a[0] * x + b[0] * y + c[0] * z, a[1] * x + b[1] * y + c[1] * z, a[2] * x + b[2] * y + c[2] * z)


def handedness(table: Table) -> float:
    """Return 1, or -1 for a table that mirrors, so that rotations change their sign."""
    a, b, c = table
    minors = (b[1] * c[2] - b[2] * c[1], b[0] * c[2] - b[2] * c[0], b[0] * c[1] - b[1] * c[0])
    return 1.0 if a[0] * minors[0] - a[1] * minors[1] + a[2] * minors[2] > 0.0 else -1.0


def wrench_to_master(table: Table, wrench: Wrench) -> Wrench:
    """Return a wrench at the robot's tip in the master's axes."""
    return Wrench(to_master_axes(table, wrench.force), times(handedness(table), to_master_axes(table, wrench.torque)))


def view_table(view: Quaternion, *, tilted: bool) -> Table:
    """Return the table for an operator who looks through a camera: x points away from them, y to their left, z up.

    Args:
        view: Rotation of the camera in the robot's base: its x is right, y up, z towards the operator.
        tilted: Take "away" and "up" from the picture; otherwise they are level and upright, whatever the tilt.
    """
    right, up, near = (rotate(view, axis) for axis in SAME_AXES)
    if tilted:
        away, left = times(-1.0, near), times(-1.0, right)
    else:
        away = _level(times(-1.0, near)) or _level(up) or (1.0, 0.0, 0.0)
        left, up = (-away[1], away[0], 0.0), (0.0, 0.0, 1.0)
    return tuple((away[i], left[i], up[i]) for i in range(3))  # type: ignore[return-value] # three rows


def _level(v: Vec3) -> Vec3 | None:
    """Return the level direction of a unit vector, or None if it is too steep."""
    length = (v[0] * v[0] + v[1] * v[1]) ** 0.5
    return (v[0] / length, v[1] / length, 0.0) if length >= LEVEL_SINE else None
