"""The tables of a cell file, with a sentence per field; see `cell_files.py` for checks across fields."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from farhand.formats.camera_tables import CameraFile
from farhand.lane import PowerSpec, ReflectionSpec, WatchdogSpec
from farhand.lane.intake.hand_scales import LARGEST, SCALES, SMALLEST
from farhand.poses import Quaternion
from farhand.surroundings import AvoidSpec
from farhand.types import ObjectSpec, Vector
from farhand.world import AttachSpec, DriveSpec, WristSpec

__all__ = ["CellSpec", "ChangeableSpec", "RobotSpec", "WorldSpec"]

Share = Annotated[float, Meta(gt=0.0, le=1.0)]
Shares = Annotated[tuple[Share, ...], Meta(min_length=1, max_length=9)]
Scales = Annotated[tuple[Annotated[float, Meta(ge=SMALLEST, le=LARGEST)], ...], Meta(min_length=1, max_length=9)]
Metres = Annotated[float, Meta(ge=-1000.0, le=1000.0)]
DEFAULT_MAPPINGS: dict[str, dict[str, Any]] = {
    "joints": {"kind": "jog-joints"},
    "base axes": {"kind": "jog-tip", "frame": "base"},
    "tool axes": {"kind": "jog-tip", "frame": "tool"},
    "pointer": {"kind": "drag-tip"},
}
DEFAULT_FILTERS: tuple[dict[str, Any], ...] = ({"kind": "scale"}, {"kind": "smooth"})


class WorldSpec(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The world around the robots.

    Args:
        floor: Whether there is an endless floor at z = 0.
        surface: Name of the floor's surface; empty for dry concrete.
        friction: Coulomb's coefficient of the floor, instead of a surface.
        scatter: Largest random offset (m) of loose objects at the start, in x and y; the seed decides.
        objects: Fixed objects, loose objects, and objects on joints.
        pieces: Stairs, ramps, mazes and so on, each with its kind and settings; made of objects.
    """

    floor: bool = True
    scatter: Annotated[float, Meta(ge=0.0, le=10.0)] = 0.0
    objects: tuple[ObjectSpec, ...] = ()
    pieces: Annotated[tuple[dict[str, Any], ...], Meta(max_length=200)] = ()
    surface: str = ""
    friction: float | None = None


class RobotSpec(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A robot, its control modes and its protection.

    Args:
        model: A name of the catalogue, or the path of a URDF, MJCF or robot.toml file, relative to the cell file.
        tool: A tool of the catalogue, mounted at the tip.
        tools: Tools that it can change to while the cell runs; without them it keeps its tool.
        attach: Shapes with masses, fixed to its links.
        tip: The end effector, if the file has several.
        base: The base body, if not the root.
        position: Position of the base, m, world frame.
        rotation: Orientation of the base, quaternion wxyz.
        home: Joint positions of "home"; by default the model's own.
        master: Name of its master; by default the only one.
        mappings: Its control modes, by the name that the operator sees, each with its kind and settings.
        filters: The filters that each command passes, in order.
        drive: The controller of its joints.
        watchdog: The times after which readings count as lost.
        feedback: The force feedback to the hand.
        avoid: Collision avoidance of the whole arm; none without it.
        wrist: A force sensor between wrist and tool; by default that of its model.
        power: For a robot that must be powered up before it moves, such as a hydraulic one; by default it has power.
        scales: Scales of the hand's motion, which a button steps through.
        speeds: Speed levels as shares of full speed; by default those of the cell.
        cameras: Cameras in addition to those of its model.
    """

    model: str
    tool: str | None = None
    tools: tuple[str, ...] = ()
    attach: Annotated[tuple[AttachSpec, ...], Meta(max_length=64)] = ()
    tip: str | None = None
    base: str | None = None
    position: tuple[Metres, Metres, Metres] = (0.0, 0.0, 0.0)
    rotation: Quaternion = (1.0, 0.0, 0.0, 0.0)
    home: Vector = ()
    master: str = ""
    mappings: dict[str, dict[str, Any]] = field(default_factory=lambda: dict(DEFAULT_MAPPINGS))
    filters: tuple[dict[str, Any], ...] = DEFAULT_FILTERS
    drive: DriveSpec = DriveSpec()
    watchdog: WatchdogSpec = WatchdogSpec()
    feedback: ReflectionSpec = ReflectionSpec()
    avoid: AvoidSpec | None = None
    wrist: WristSpec | None = None
    power: PowerSpec | None = None
    scales: Scales = SCALES
    speeds: Annotated[tuple[Share, ...], Meta(max_length=9)] = ()
    cameras: Annotated[tuple[CameraFile, ...], Meta(max_length=16)] = ()


class ChangeableSpec(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The part of a robot's table that can be changed while the cell runs; its fields are those of `RobotSpec`."""

    mappings: dict[str, dict[str, Any]]
    filters: tuple[dict[str, Any], ...]
    watchdog: WatchdogSpec
    feedback: ReflectionSpec
    scales: Scales
    speeds: Annotated[tuple[Share, ...], Meta(max_length=9)]
    avoid: AvoidSpec | None = None
    drive: DriveSpec = DriveSpec()

    @classmethod
    def of(cls, robot: RobotSpec) -> ChangeableSpec:
        """Return the changeable part of a robot's table."""
        return cls(**{name: getattr(robot, name) for name in cls.__struct_fields__})

    def within(self, robot: RobotSpec) -> RobotSpec:
        """Return a robot's table with this part in place of its own."""
        return replace(robot, **{name: getattr(self, name) for name in self.__struct_fields__})


class CellSpec(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A work cell.

    Args:
        name: Its name.
        summary: One sentence for the list of cells.
        world: The world around the robots.
        robots: The robots, by name.
        masters: The masters, by name, each with its kind and settings.
        speeds: Speed levels as shares of full speed.
        speed_level: The speed level at the start, counted from 1.
        timestep: Seconds per tick.
        real_time: Whether robots pause, instead of slowing down, when the computer cannot keep up; for cells connected
            to a real controller.
    """

    name: str
    robots: Annotated[dict[str, RobotSpec], Meta(min_length=1)]
    summary: str = ""
    world: WorldSpec = WorldSpec()
    masters: dict[str, dict[str, Any]] = field(default_factory=lambda: {"hand": {"kind": "manual"}})
    speeds: Shares = (0.05, 0.1, 0.25, 0.5, 1.0)
    speed_level: Annotated[int, Meta(ge=1, le=9)] = 3
    timestep: Annotated[float, Meta(ge=0.0005, le=0.005)] = 0.002
    real_time: bool = False
