"""Blueprints of worlds, as frozen values, and edits of them as pure functions.

A blueprint can be compiled in the cell or in a worker; the same blueprint gives the same physics.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from farhand.errors import UnknownNameError
from farhand.formats.model import CameraSpec, RobotModel, WristSpec
from farhand.notes import RefusedError
from farhand.poses import IDENTITY, Pose
from farhand.types import AddObject, MoveObject, Note, ObjectSpec, RemoveObject, Subject, Vector
from farhand.world.attach import AttachSpec
from farhand.world.object_kinds import check_joint, check_object

__all__ = [
    "RESERVED",
    "Blueprint",
    "DriveSpec",
    "Edit",
    "LoopGains",
    "Placement",
    "WristSpec",
    "drive_memory",
    "edited",
]

Positive = Annotated[float, Meta(gt=0.0)]
NotNegative = Annotated[float, Meta(ge=0.0)]

RESERVED = {"floor", "world"}  # names that exist in every world


class LoopGains(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Gains of one joint of the velocity drive.

    Args:
        proportional: Wanted velocity per position error, 1/s.
        integral: Rate of the integrator per error, 1/s².
        range: Greatest velocity that the integrator adds, rad/s (m/s).
        lead: Time constant of the lead, s.
        lag: Time constant of the lag, s.
        valve: Time in which the joint reaches the wanted velocity, s.
    """

    proportional: Annotated[float, Meta(gt=0.0, le=1e4)] = 15.0
    integral: Annotated[float, Meta(ge=0.0, le=1e5)] = 30.0
    range: Annotated[float, Meta(ge=0.0, le=10.0)] = 0.02
    lead: Annotated[float, Meta(ge=0.0, le=1.0)] = 0.01
    lag: Annotated[float, Meta(ge=0.0, le=1.0)] = 0.005
    valve: Annotated[float, Meta(ge=0.002, le=1.0)] = 0.01


class DriveSpec(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The drive of an arm's joints.

    Args:
        kind: "position": a stiff spring and damper that MuJoCo integrates. "pid": the explicit torque loop of the
            published systems. "velocity": the hydraulic arm's controller among them, a position loop around a velocity
            loop. All have the same feed-forward, unless it is off.
        stiffness: "position" only: Nm/rad (N/m) for each joint; empty: chosen so that full effort bends the drive by
            half a degree (half a millimetre).
        damping: "position" only: Nm·s/rad (N·s/m) for each joint; empty: critical at home.
        gains: "pid" only: (proportional, integral, derivative) for each joint.
        loops: "velocity" only: the gains of each joint; empty: the defaults of `LoopGains` for all.
        feedforward: Add the modelled forces of the motion: gravity, Coriolis, inertia, springs, dampers, friction.
    """

    kind: Literal["position", "pid", "velocity"] = "position"
    stiffness: tuple[Positive, ...] = ()
    damping: tuple[Positive, ...] = ()
    gains: tuple[tuple[NotNegative, NotNegative, NotNegative], ...] = ()
    loops: tuple[LoopGains, ...] = ()
    feedforward: bool = True


class Placement(Struct, frozen=True):
    """A robot in the world.

    Args:
        name: Unique among robots and objects.
        model: The robot as read from its file.
        T_world_stand: Pose of the origin of its file. A file may turn and shift its base body from there:
            `Compiled.bases` has the base in the world.
        drive: The drive of its arm.
        home: Joint positions at start and after "home"; empty: those of the model.
        wrist: Its force sensor, if it has one.
        tool: Its tool from the catalogue, if any; already a part of the model.
        added: Cameras in addition to those of the model.
        attached: Shapes that the cell file attaches to its links.
        keeps_clear: Its arm keeps clear of its surroundings, so these are collected.
    """

    name: str
    model: RobotModel
    T_world_stand: Pose = IDENTITY
    drive: DriveSpec = DriveSpec()
    home: Vector = ()
    wrist: WristSpec | None = None
    tool: str = ""
    added: tuple[CameraSpec, ...] = ()
    attached: tuple[AttachSpec, ...] = ()
    keeps_clear: bool = False

    @property
    def cameras(self) -> tuple[CameraSpec, ...]:
        """All its cameras."""
        return (*self.model.cameras, *self.added)

    def home_joints(self) -> Vector:
        """Return the arm's joints at start."""
        return self.home or tuple(joint.home for joint in self.model.arm.joints)


class Blueprint(Struct, frozen=True):
    """All robots, objects and settings of a world.

    Args:
        objects: Loose ones (mass > 0), fixed ones (mass 0), and those on joints.
        robots: Each with its own name.
        meshes: Binary STL files by the path in an object.
        floor: Whether there is an endless floor at z = 0.
        timestep: Seconds per tick.
        seed: Seed of the sensors' noise.
        floor_friction: Coulomb's coefficient of the floor; None for the usual ground.
    """

    objects: tuple[ObjectSpec, ...] = ()
    robots: tuple[Placement, ...] = ()
    meshes: dict[str, bytes] = {}
    floor: bool = True
    timestep: float = 0.002
    seed: int = 0
    floor_friction: float | None = None


def drive_memory(placement: Placement) -> int:
    """Return the number of values that a robot's drive keeps from tick to tick: integrals and lagged values."""
    return {"position": 0, "pid": 1, "velocity": 2}[placement.drive.kind] * len(placement.model.arm.joints)


Edit = AddObject | MoveObject | RemoveObject


def edited(blueprint: Blueprint, edit: Edit) -> Blueprint:
    """Return the blueprint after an edit.

    Raises:
        UnknownNameError: If the edit names an object that does not exist.
        RefusedError: If the edit is not possible, for a name in use or an invalid size.
    """
    if isinstance(edit, AddObject):
        return _added(blueprint, edit.object)
    names = [o.name for o in blueprint.objects]
    if edit.name not in names:
        raise UnknownNameError("object", edit.name, names)
    hung = next((o for o in blueprint.objects if o.joint and edit.name in (o.joint.on, o.joint.follows)), None)
    if isinstance(edit, RemoveObject):
        if hung:
            raise RefusedError(Note("refused.hung", about=(Subject("body", hung.name), Subject("body", edit.name))))
        return replace(blueprint, objects=tuple(o for o in blueprint.objects if o.name != edit.name))
    pose, item = edit.pose, next(o for o in blueprint.objects if o.name == edit.name)
    if item.joint and item.joint.on:
        raise RefusedError(Note("refused.hangs", about=(Subject("body", edit.name), Subject("body", item.joint.on))))
    return replace(
        blueprint,
        objects=tuple(
            replace(o, position=pose.position, rotation=pose.rotation) if o.name == edit.name else o
            for o in blueprint.objects
        ),
    )


def _added(blueprint: Blueprint, spec: ObjectSpec) -> Blueprint:
    taken = {o.name for o in blueprint.objects} | {r.name for r in blueprint.robots} | RESERVED
    if spec.name in taken:
        raise RefusedError(Note("refused.taken", about=(Subject("name", spec.name),)))
    problem = check_object(spec) or check_joint(spec, blueprint.objects)
    if problem:
        raise _unfit(spec.name, problem)
    if spec.shape == "mesh" and spec.mesh not in blueprint.meshes:
        raise _unfit(spec.name, f"its mesh {spec.mesh!r} is not loaded")
    return replace(blueprint, objects=(*blueprint.objects, spec))


def _unfit(name: str, problem: str) -> RefusedError:
    return RefusedError(Note("refused.object", about=(Subject("name", name), Subject("detail", problem))))
