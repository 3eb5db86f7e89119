"""The fields of a ``robot.toml``, decoded and checked once.

Lengths are metres, angles radians; a field that ends in ``_deg`` is in degrees.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from farhand.errors import RobotFileError
from farhand.formats.camera_tables import CameraFile
from farhand.formats.model import WristSpec
from farhand.formats.tomltext import converted, toml_values

__all__ = ["BaseFile", "DhFile", "DhRobotFile", "RowFile", "ShapeFile", "decode"]

Triple = tuple[float, float, float]

_MOST_ROWS = 50
_TURNS = 10 * math.tau  # a larger angle was surely meant in degrees


class ShapeFile(Struct, frozen=True, forbid_unknown_fields=True, rename={"start": "from"}):
    """A shape of a link, in the frame that turns with the link's joint (z along the joint's axis).

    Args:
        kind: "box", "cylinder", "capsule" or "sphere".
        at: Middle of a box, sphere, or of a cylinder given by `length`.
        start: One end of a cylinder or capsule (``from`` in the file).
        to: Its other end.
        size: Full edges of a box.
        radius: Of a cylinder, capsule or sphere.
        rpy_deg: Turn of a box about its fixed x, y, z axes.
        colour: Red, green, blue from 0 to 1.
        collides: Whether it collides.
    """

    kind: Literal["box", "cylinder", "capsule", "sphere"]
    at: Triple = (0.0, 0.0, 0.0)
    start: Triple | None = None
    to: Triple | None = None
    size: Triple | None = None
    radius: float | None = None
    rpy_deg: Triple = (0.0, 0.0, 0.0)
    colour: Triple | None = None
    collides: bool = True


class RowFile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One row of the table: the joint, the step to the next one, and the link in between.

    Args:
        name: The joint's name.
        label: Name on the operator's page.
        link: The operator's name of the link that it moves, e.g. "forearm".
        joint: "revolute" or "prismatic".
        a: Length along x.
        alpha: Turn about x.
        alpha_deg: The same in degrees.
        d: Offset along z.
        theta: Turn about z at joint position zero.
        theta_deg: The same in degrees.
        lower: Lower limit; without limits a revolute joint is continuous.
        lower_deg: The same in degrees.
        upper: Upper limit.
        upper_deg: The same in degrees.
        velocity: Top rate.
        velocity_deg: The same in degrees per second.
        acceleration: Top acceleration.
        jerk: Top jerk.
        effort: Top torque or force.
        home: Position at home.
        home_deg: The same in degrees.
        mass: Of the link; without it the rest of the robot's `mass` is shared by volume.
        armature: Inertia of the rotor at the joint.
        damping: Viscous friction.
        radius: Of the drawn link, if there are no `shapes`.
        colour: Of the link.
        shapes: Shapes of the link; without any it is drawn from the table.
    """

    name: str = ""
    label: str = ""
    link: str = ""
    joint: Literal["revolute", "prismatic"] = "revolute"
    a: float = 0.0
    alpha: float | None = None
    alpha_deg: float | None = None
    d: float = 0.0
    theta: float | None = None
    theta_deg: float | None = None
    lower: float | None = None
    lower_deg: float | None = None
    upper: float | None = None
    upper_deg: float | None = None
    velocity: float | None = None
    velocity_deg: float | None = None
    acceleration: float | None = None
    jerk: float | None = None
    effort: float | None = None
    home: float | None = None
    home_deg: float | None = None
    mass: float | None = None
    armature: float | None = None
    damping: float | None = None
    radius: float | None = None
    colour: Triple | None = None
    shapes: tuple[ShapeFile, ...] = ()


class BaseFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A part that is fixed to its neighbour: the foot of the robot, or its flange.

    Args:
        mass: Kilograms.
        colour: Red, green, blue from 0 to 1.
        shapes: Its shapes.
    """

    mass: float | None = None
    colour: Triple | None = None
    shapes: tuple[ShapeFile, ...] = ()


class DhFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The table.

    Args:
        convention: "standard" (Denavit and Hartenberg, Paul) or "modified" (Craig).
        rows: From base to tip.
    """

    convention: Literal["standard", "modified"] = "standard"
    rows: list[dict[str, Any]] = []


class DhRobotFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A whole file.

    Args:
        dh: The table.
        name: Name of the robot.
        summary: One sentence about it.
        mass: Of the whole robot.
        colour: Of links without a colour of their own.
        base: The foot.
        flange: The part at the tip.
        cameras: Its cameras.
        wrist: Its force sensor between wrist and tool, if it has one of its own.
    """

    dh: DhFile
    name: str = ""
    summary: str = ""
    mass: float | None = None
    colour: Triple = (0.85, 0.85, 0.87)
    base: BaseFile = BaseFile()
    flange: BaseFile = BaseFile()
    cameras: tuple[CameraFile, ...] = ()
    wrist: WristSpec | None = None


def decode(data: bytes, path: Path) -> tuple[DhRobotFile, list[RowFile]]:
    """Return the file and the rows of its table.

    Raises:
        RobotFileError: If it is not TOML, a field is unknown or missing, a value has the wrong kind, or a number is not
            finite.
    """
    file = converted(toml_values(data, path), DhRobotFile, path, "")
    if not 0 < len(file.dh.rows) <= _MOST_ROWS:
        raise RobotFileError(path, f"expected 1 to {_MOST_ROWS} rows, found {len(file.dh.rows)}", field="dh.rows")
    rows = [converted(row, RowFile, path, f"dh.rows[{i}]") for i, row in enumerate(file.dh.rows)]
    for i, row in enumerate(rows):
        _check_angles(row, path, f"dh.rows[{i}]")
    return file, rows


def _check_angles(row: RowFile, path: Path, field: str) -> None:
    """Refuse an angle that is given twice, or in radians where degrees were surely meant."""
    for key in ("alpha", "theta", "lower", "upper", "velocity", "home"):
        value, degrees = getattr(row, key), getattr(row, f"{key}_deg")
        if degrees is not None and value not in (None, 0.0):
            raise RobotFileError(path, f"{key} and {key}_deg are both given; expected one of them", field=field)
        if row.joint == "revolute" and value is not None and abs(value) > _TURNS:
            problem = f"found {value:g} rad, which is {abs(value) / math.tau:.0f} turns; use {key}_deg for degrees"
            raise RobotFileError(path, problem, field=f"{field}.{key}")


def angle(row: RowFile, field: str) -> float | None:
    """Return an angle of a row in radians, from radians or degrees in the file."""
    degrees: float | None = getattr(row, f"{field}_deg")
    value: float | None = getattr(row, field)
    return math.radians(degrees) if degrees is not None else value
