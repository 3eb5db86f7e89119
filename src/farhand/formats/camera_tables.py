"""Camera tables of robot files and cell files: position, view direction and head."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated

import numpy as np
from msgspec import Meta, Struct

from farhand.config import ConfigError
from farhand.errors import RobotFileError
from farhand.formats.model import CameraSpec, HeadSpec
from farhand.poses import Quaternion, Vec3, from_matrix

__all__ = ["CameraFile", "HeadFile", "cameras_of", "cameras_of_file"]

Angle = Annotated[float, Meta(ge=-180.0, le=180.0)]
Pixels = Annotated[int, Meta(ge=16, le=1920)]
MIN_ANGLE = math.radians(1.0)  # least angle between "up" and the view direction


class HeadFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The head of a camera.

    Args:
        pan_deg: Limits to the right (negative) and to the left.
        tilt_deg: Limits down (negative) and up.
        zoom: Greatest zoom factor.
        rate_deg: Top rate of both axes, degrees a second.
    """

    pan_deg: tuple[Angle, Angle] = (0.0, 0.0)
    tilt_deg: tuple[Angle, Angle] = (0.0, 0.0)
    zoom: Annotated[float, Meta(ge=1.0, le=50.0)] = 1.0
    rate_deg: Annotated[float, Meta(ge=1.0, le=360.0)] = 60.0


class CameraFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A camera.

    Args:
        name: Unique on its robot, a word: it is part of an address.
        label: The operator's name for it; left out: its name.
        link: A joint of the arm, for that joint's link, or a body; left out: the base.
        at: Position of its lens in the link's frame, metres.
        towards: View direction, in the link's axes.
        up: Direction that is up in its picture, in the link's axes.
        fov_deg: Vertical field of view.
        width: Pixels.
        height: Pixels.
        head: Its head; left out: it is fixed.
    """

    name: Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9_-]{0,31}$")]
    label: Annotated[str, Meta(max_length=64)] = ""
    link: Annotated[str, Meta(max_length=64)] = ""
    at: Vec3 = (0.0, 0.0, 0.0)
    towards: Vec3 = (1.0, 0.0, 0.0)
    up: Vec3 = (0.0, 0.0, 1.0)
    fov_deg: Annotated[float, Meta(ge=1.0, le=150.0)] = 60.0
    width: Pixels = 640
    height: Pixels = 480
    head: HeadFile | None = None


def cameras_of(files: tuple[CameraFile, ...], taken: frozenset[str] = frozenset()) -> tuple[CameraSpec, ...]:
    """Return the cameras of a file.

    Args:
        files: The tables in the file.
        taken: Names of other cameras of the robot.

    Raises:
        ConfigError: If a name is used twice, or a direction or limit is not valid.
    """
    found: dict[str, CameraSpec] = {}
    for i, file in enumerate(files):
        try:
            if file.name in taken or file.name in found:
                raise ConfigError("name", f"this robot already has a camera {file.name!r}; names are unique")
            found[file.name] = _camera(file)
        except ConfigError as error:
            raise error.within(f"cameras[{i}]") from None
    return tuple(found.values())


def cameras_of_file(files: tuple[CameraFile, ...], path: Path) -> tuple[CameraSpec, ...]:
    """Return the cameras of a robot file.

    Raises:
        RobotFileError: If a table is not valid; see `cameras_of`.
    """
    try:
        return cameras_of(files)
    except ConfigError as error:
        raise error.in_file(path, RobotFileError) from None


def _camera(file: CameraFile) -> CameraSpec:
    return CameraSpec(
        name=file.name,
        label=file.label or file.name,
        link=file.link,
        position=file.at,
        rotation=_turned(file.towards, file.up),
        fov=math.radians(file.fov_deg),
        width=file.width,
        height=file.height,
        head=_head(file.head) if file.head else None,
    )


def _head(file: HeadFile) -> HeadSpec:
    for field, (lower, upper) in (("pan_deg", file.pan_deg), ("tilt_deg", file.tilt_deg)):
        if not lower <= 0.0 <= upper:
            problem = f"straight ahead, 0, must lie between the limits, found {lower:g} and {upper:g}"
            raise ConfigError(f"head.{field}", problem)
    (right, left), (down, up) = file.pan_deg, file.tilt_deg
    return HeadSpec(
        pan=(math.radians(right), math.radians(left)),
        tilt=(math.radians(down), math.radians(up)),
        zoom=file.zoom,
        rate=math.radians(file.rate_deg),
    )


def _turned(towards: Vec3, up: Vec3) -> Quaternion:
    """Return the rotation of a camera that looks along -z with x to the right and y up."""
    back, high = -np.array(towards), np.array(up)
    right = np.cross(high, back)
    sizes = float(np.linalg.norm(back) * np.linalg.norm(high))
    if sizes == 0.0:
        raise ConfigError("towards", "towards and up must be directions, not all zero")
    if float(np.linalg.norm(right)) < MIN_ANGLE * sizes:
        raise ConfigError("up", "must not be parallel to towards; give the direction that is up in the picture")
    z, x = back / np.linalg.norm(back), right / np.linalg.norm(right)
    T = np.eye(4)
    T[:3, 0], T[:3, 1], T[:3, 2] = x, np.cross(z, x), z
    return from_matrix(T).rotation
