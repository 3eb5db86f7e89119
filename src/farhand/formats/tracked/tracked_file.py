"""The fields of a ``robot.toml`` with a ``[tracks]`` table, decoded and checked once. Metres, kilograms, seconds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

from farhand.errors import RobotFileError
from farhand.formats.camera_tables import CameraFile
from farhand.formats.dh.dh_file import ShapeFile, Triple
from farhand.formats.model import WristSpec
from farhand.formats.tomltext import converted, toml_values

__all__ = ["BodyFile", "FlipperFile", "TrackedRobotFile", "TracksFile", "decode"]

Positive = Annotated[float, Meta(gt=0.0)]
Share = Annotated[float, Meta(ge=0.0, le=1.0)]
MIN_MARGIN = 0.005  # m: least length beyond the difference of the radii


class BodyFile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The body on the tracks. Its frame lies on the ground below its middle: x forward, y to the left.

    Args:
        mass: Of all shapes together.
        shapes: Its shapes; those that collide can get caught.
        friction: Of its belly, Coulomb's coefficient.
        colour: Of shapes without a colour of their own.
    """

    mass: Positive
    shapes: tuple[ShapeFile, ...]
    friction: Positive = 0.3
    colour: Triple = (0.85, 0.85, 0.87)


class FlipperFile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The four flippers, all alike; the rear ones point back. Zero is level, positive angles raise the tip.

    Args:
        hub: Radius of the wheel about which a flipper turns.
        tip: Radius of the wheel at its end.
        length: From axle to axle.
        width: Of its belt.
        mass: Of one of them.
        velocity: Top rate, rad/s.
        acceleration: Top acceleration, rad/s².
        jerk: Top jerk, rad/s³.
        effort: Top torque, Nm.
        armature: Inertia of the rotor at the flipper, kg·m².
        damping: Viscous friction, Nm·s.
        front_deg: Angle of the front ones at home.
        rear_deg: Angle of the rear ones at home.
    """

    hub: Positive
    tip: Positive
    length: Positive
    width: Positive
    mass: Positive
    velocity: Positive
    acceleration: Positive
    jerk: Positive
    effort: Positive
    armature: Positive
    damping: Positive
    front_deg: float = 0.0
    rear_deg: float = 0.0


class TracksFile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The belts.

    Args:
        wheelbase: From the front hubs to the rear ones.
        gauge: From the left flippers' middle to that of the right ones.
        belt: Width of the belts between the hubs, inside the flippers; 0 for none.
        grip: Friction of a belt on its ground, Coulomb's coefficient.
        speed: Top speed, m/s.
        acceleration: Top acceleration, m/s².
        jerk: Top jerk, m/s³.
        force: Greatest force of the motor of one side, N.
        gain: Force of the motor for each m/s that its belt is too slow, N·s/m.
        inertia: Apparent inertia of the belt and motor of one side, kg.
        scrub: Ease with which belts slide sideways in a turn of the robot, 0 to 1.
        flipper: The flippers.
    """

    wheelbase: Positive
    gauge: Positive
    belt: Annotated[float, Meta(ge=0.0)] = 0.0
    grip: Positive = 1.2
    speed: Positive
    acceleration: Positive
    jerk: Positive
    force: Positive
    gain: Positive
    inertia: Positive
    scrub: Share
    flipper: FlipperFile


class TrackedRobotFile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A whole file.

    Args:
        tracks: The tracks.
        body: The vehicle's body.
        arm: File of its arm, in the same folder.
        mount: Position of the arm's base on the body.
        name: Name of the robot.
        summary: One sentence about it.
        cameras: Its cameras.
        wrist: Its force sensor between wrist and tool, if it has one of its own.
    """

    tracks: TracksFile
    body: BodyFile
    arm: str
    mount: Triple = (0.0, 0.0, 0.0)
    name: str = ""
    summary: str = ""
    cameras: tuple[CameraFile, ...] = ()
    wrist: WristSpec | None = None


def decode(data: bytes, path: Path) -> TrackedRobotFile:
    """Return the file.

    Raises:
        RobotFileError: If it is not TOML, a field is unknown or missing, a value is wrong, or wheels overlap.
    """
    file = converted(toml_values(data, path), TrackedRobotFile, path, "")
    tracks, flipper = file.tracks, file.tracks.flipper
    if flipper.length <= abs(flipper.hub - flipper.tip) + MIN_MARGIN:
        problem = f"must be more than hub − tip = {flipper.hub - flipper.tip:g}, found {flipper.length:g}"
        raise RobotFileError(path, problem, field="tracks.flipper.length")
    inside = tracks.gauge - flipper.width
    if inside <= 2.0 * tracks.belt:
        problem = f"leaves {inside:g} m between the flippers, too little for two belts of {tracks.belt:g} m"
        raise RobotFileError(path, problem, field="tracks.gauge")
    if not file.body.shapes:
        raise RobotFileError(path, "needs at least one shape", field="body.shapes")
    return file
