"""What a cell file may say, a sentence per field. Parsed once; see `files.py` for the checks across fields."""

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
    """The surroundings.

    Args:
        floor: Whether there is an endless floor at z = 0.
        surface: Name of the floor's surface; empty for dry concrete.
        friction: Coulomb's coefficient of the floor, instead of a surface.
        scatter: Loose objects start up to this far (m) beside their place, in the plane, as the seed decides.
        objects: Fixed and loose ones, and those on joints.
        pieces: Stairs, ramps, mazes and so on, each with its kind and settings: made of objects.
    """

    floor: bool = True
    scatter: Annotated[float, Meta(ge=0.0, le=10.0)] = 0.0
    objects: tuple[ObjectSpec, ...] = ()
    pieces: Annotated[tuple[dict[str, Any], ...], Meta(max_length=200)] = ()
    surface: str = ""
    friction: float | None = None


class RobotSpec(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A robot and how it is driven.

    Args:
        model: A name of the catalogue, or the path of a URDF, MJCF or robot.toml file, relative to the cell file.
        tool: A tool of the catalogue, mounted at the tip.
        tools: Tools that it can be given while it runs, by quick change; left out: it keeps the one it has.
        attach: Shapes with masses on its links.
        tip: Which end effector, if the file has several.
        base: Which body is the base, if not the root.
        position: Where the base stands, metres, world frame.
        rotation: How it is turned, quaternion wxyz.
        home: Joint positions of "home"; left out: the model's own.
        master: Name of the master that drives it; left out: the only one there is.
        mappings: Ways to drive it, by the name the operator sees, each with its kind and settings.
        filters: What a demand passes on its way, in order.
        drive: How the joints are driven.
        watchdog: When readings count as lost.
        feedback: How much of a contact the hand feels.
        avoid: How the whole arm keeps clear of things and of itself; left out: it does not.
        wrist: For a robot with a force sensor between wrist and tool; left out: what its model has.
        power: For a robot that must be powered up before it moves, as a hydraulic one; left out: it always has power.
        scales: Of the hand's motion, which a button steps through, from the first.
        speeds: Speed levels as shares of full speed; left out: those of the cell.
        cameras: What it looks through, beside the cameras of its model.
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
    """What of a robot's table can be changed while it runs; fields as there."""

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
        """Return it of a robot's table."""
        return cls(**{name: getattr(robot, name) for name in cls.__struct_fields__})

    def within(self, robot: RobotSpec) -> RobotSpec:
        """Return a robot's table with this in it."""
        return replace(robot, **{name: getattr(self, name) for name in self.__struct_fields__})


class CellSpec(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A work cell.

    Args:
        name: What it is called.
        summary: One sentence for the list of cells.
        world: The surroundings.
        robots: By name.
        masters: By name, each with its kind and settings.
        speeds: Speed levels as shares of full speed.
        speed_level: The one chosen at start, counted from 1.
        timestep: Seconds per tick.
        real_time: It never runs slower than real time: where its computer cannot keep up its robots pause. For cells
            that are joined to a real controller.
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
