"""What a world is made of, as a frozen value, and the edits of it as pure functions.

A blueprint can be compiled anywhere (in the cell, in a worker); the same blueprint gives the same physics.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from farhand.errors import UnknownNameError, WorldError
from farhand.formats.model import CameraSpec, RobotModel
from farhand.poses import IDENTITY, Pose
from farhand.types import AddObject, MoveObject, ObjectSpec, RemoveObject, Shape, Vector

__all__ = [
    "RESERVED",
    "Blueprint",
    "DriveSpec",
    "Edit",
    "LoopGains",
    "Placement",
    "WristSpec",
    "check_name",
    "check_object",
    "drive_memory",
    "edited",
    "loose",
    "sprung",
]

Positive = Annotated[float, Meta(gt=0.0)]
NotNegative = Annotated[float, Meta(ge=0.0)]

# How many numbers give the size of each shape, and what they mean.
SIZES: dict[Shape, tuple[int, str]] = {
    "box": (3, "three edge lengths"),
    "cylinder": (2, "radius and length"),
    "capsule": (2, "radius and length without the caps"),
    "sphere": (1, "the radius"),
    "mesh": (0, "no size"),
}
RESERVED = {"floor", "world"}  # names that every world has already
LARGEST = 1000.0  # metres and kilograms beyond which a number is surely a slip


class LoopGains(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Gains of one joint of the velocity drive.

    Args:
        proportional: Velocity asked for per position error, 1/s.
        integral: How fast the integrator grows with the error, 1/s².
        range: What the integrator may add to the velocity at most, rad/s (m/s).
        lead: Seconds by which the compensator looks ahead.
        lag: Seconds over which it smooths.
        valve: Seconds in which the joint comes up to the velocity that it is asked for.
    """

    proportional: Annotated[float, Meta(gt=0.0, le=1e4)] = 15.0
    integral: Annotated[float, Meta(ge=0.0, le=1e5)] = 30.0
    range: Annotated[float, Meta(ge=0.0, le=10.0)] = 0.02
    lead: Annotated[float, Meta(ge=0.0, le=1.0)] = 0.01
    lag: Annotated[float, Meta(ge=0.0, le=1.0)] = 0.005
    valve: Annotated[float, Meta(ge=0.002, le=1.0)] = 0.01


class DriveSpec(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """How the joints of an arm are driven.

    Args:
        kind: "position": a stiff spring and damper that MuJoCo works out. "pid": the explicit torque loop of the
            published systems. "velocity": the hydraulic arm's controller among them, a position loop that asks for a
            velocity. All with the same feed-forward, unless that is switched off.
        stiffness: "position" only: Nm/rad (N/m) for each joint; empty: chosen so that full effort bends the drive
            by half a degree (half a millimetre).
        damping: "position" only: Nm·s/rad (N·s/m) for each joint; empty: critical at home.
        gains: "pid" only: (proportional, integral, derivative) for each joint.
        loops: "velocity" only: the gains of each joint; empty: the defaults of `LoopGains` for all.
        feedforward: Add what the model says the motion needs: gravity, Coriolis, inertia, springs, dampers, friction.
    """

    kind: Literal["position", "pid", "velocity"] = "position"
    stiffness: tuple[Positive, ...] = ()
    damping: tuple[Positive, ...] = ()
    gains: tuple[tuple[NotNegative, NotNegative, NotNegative], ...] = ()
    loops: tuple[LoopGains, ...] = ()
    feedforward: bool = True


Six = tuple[float, float, float, float, float, float]


class WristSpec(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A six-axis force sensor between wrist and tool.

    Args:
        force_noise: Standard deviation of each force, N.
        torque_noise: Standard deviation of each torque, Nm.
        bias: What it reads too much from the start: three forces, three torques; left out: nothing.
        drift: What it reads more every second; left out: nothing.
        rate: Samples a second; between two of them it repeats the last one.
        payload: What the robot may lift, kg: a heavier pull is never taken for something that is held.
    """

    force_noise: Annotated[float, Meta(ge=0.0, le=1e3)] = 0.2
    torque_noise: Annotated[float, Meta(ge=0.0, le=1e3)] = 0.01
    bias: Six | None = None
    drift: Six | None = None
    rate: Annotated[float, Meta(ge=10.0, le=1e5)] = 1000.0
    payload: Annotated[float, Meta(gt=0.0, le=1e4)] = 3.0


class Placement(Struct, frozen=True):
    """A robot in the world: its name there, its model, where its base stands, how it is driven, where it starts.

    Args:
        name: Unique among robots and objects.
        model: The robot as read from its file.
        T_world_base: Where it stands.
        drive: How its arm is driven.
        home: Joint positions at start and after "home"; empty: those of the model.
        wrist: Its force sensor, if it has one.
        tool: The tool of the catalogue that it carries, if any; a part of the model already.
        added: Cameras that it has beside those of the model.
    """

    name: str
    model: RobotModel
    T_world_base: Pose = IDENTITY
    drive: DriveSpec = DriveSpec()
    home: Vector = ()
    wrist: WristSpec | None = None
    tool: str = ""
    added: tuple[CameraSpec, ...] = ()

    @property
    def cameras(self) -> tuple[CameraSpec, ...]:
        """All that it looks through."""
        return (*self.model.cameras, *self.added)

    def home_joints(self) -> Vector:
        """Return where the arm's joints start."""
        return self.home or tuple(joint.home for joint in self.model.arm.joints)


class Blueprint(Struct, frozen=True):
    """All that a world is made of.

    Args:
        objects: Loose ones (mass > 0) and fixed ones (mass 0).
        robots: Each with its own name.
        meshes: Binary STL files by the path that an object names.
        floor: Whether there is an endless floor at z = 0.
        timestep: Seconds per tick.
        seed: Decides the noise of sensors.
    """

    objects: tuple[ObjectSpec, ...] = ()
    robots: tuple[Placement, ...] = ()
    meshes: dict[str, bytes] = {}
    floor: bool = True
    timestep: float = 0.002
    seed: int = 0


def drive_memory(placement: Placement) -> int:
    """Return how many numbers a robot's drive keeps from one tick to the next: integrals and lagged values."""
    return {"position": 0, "pid": 1, "velocity": 2}[placement.drive.kind] * len(placement.model.arm.joints)


STIFFEST = 1e6  # N/m
SLOWEST_STEP, SWING = 0.005, 1.2  # s of the longest tick, and by how much a spring may swing in it, rad

Edit = AddObject | MoveObject | RemoveObject


def loose(spec: ObjectSpec) -> bool:
    """Return whether the object moves freely."""
    return spec.mass > 0 and spec.stiffness == 0


def sprung(spec: ObjectSpec) -> bool:
    """Return whether springs hold the object in its place."""
    return spec.stiffness > 0


def edited(blueprint: Blueprint, edit: Edit) -> Blueprint:
    """Return the blueprint after an edit.

    Raises:
        UnknownNameError: If the edit names an object that is not there.
        WorldError: If the edit makes no world: a name taken, a size that is none.
    """
    if isinstance(edit, AddObject):
        return _added(blueprint, edit.object)
    names = [o.name for o in blueprint.objects]
    if edit.name not in names:
        raise UnknownNameError("object", edit.name, names)
    if isinstance(edit, RemoveObject):
        return replace(blueprint, objects=tuple(o for o in blueprint.objects if o.name != edit.name))
    pose = edit.pose
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
        raise WorldError(f"the world already has something called {spec.name!r}; names are unique")
    problem = check_object(spec)
    if problem:
        raise WorldError(f"object {spec.name!r}: {problem}")
    if spec.shape == "mesh" and spec.mesh not in blueprint.meshes:
        raise WorldError(f"object {spec.name!r}: its mesh {spec.mesh!r} has not been loaded")
    return replace(blueprint, objects=(*blueprint.objects, spec))


def check_name(name: str) -> str:
    """Return what is wrong with a name of an object or robot, or an empty text."""
    if re.fullmatch(r"[\w][\w .+-]{0,63}", name):
        return ""
    return f"{name[:80]!r} is no name: expected 1 to 64 letters, digits, spaces or . _ + -, not starting with a sign"


def _check_springs(spec: ObjectSpec) -> str:
    if not 0 <= spec.stiffness <= STIFFEST:
        return f"stiffness must be 0 (no springs) to {STIFFEST:g} N/m, found {spec.stiffness}"
    if not 0 <= spec.damping <= 2:
        return f"damping must be 0 to 2 times the critical one, found {spec.damping}"
    # A spring is followed step by step: it must not swing faster than that can be.
    least = spec.stiffness * (SLOWEST_STEP / SWING) ** 2
    if sprung(spec) and spec.mass < least:
        return f"springs of {spec.stiffness:g} N/m need a mass of at least {least:.2g} kg, found {spec.mass:g}"
    return ""


def check_object(spec: ObjectSpec) -> str:
    """Return what is wrong with an object as a sentence part, or an empty text."""
    if spec.shape not in SIZES:
        return f"no shape is called {spec.shape!r}; there are: {', '.join(SIZES)}"
    count, meaning = SIZES[spec.shape]
    wrong_name = check_name(spec.name)
    if wrong_name:
        return wrong_name
    lengths = [len(values) for values in (spec.position, spec.rotation, spec.colour)]
    if lengths != [3, 4, 4]:
        return "position, rotation and colour must be three, four and four numbers"
    if len(spec.size) != count:
        return f"a {spec.shape} needs {meaning} as its size, found {len(spec.size)} numbers"
    if not all(1e-4 <= s <= LARGEST for s in spec.size):
        return f"every size must be between 0.0001 and {LARGEST:g} m, found {list(spec.size)}"
    if (spec.shape == "mesh") != bool(spec.mesh):
        return 'the shape "mesh" and the path of a mesh file go together'
    if not 0 <= spec.mass <= LARGEST or 0 < spec.mass < 1e-4:
        return f"mass must be 0 (fixed) or 0.0001 to {LARGEST:g} kg, found {spec.mass}"
    if problem := _check_springs(spec):
        return problem
    if not 0 <= spec.friction <= 10:
        return f"friction must be between 0 and 10, found {spec.friction}"
    if not all(abs(x) <= LARGEST for x in spec.position):
        return f"position must be within {LARGEST:g} m, found {list(spec.position)}"
    if not 0.5 <= sum(x * x for x in spec.rotation) <= 2:
        return f"rotation must be a unit quaternion (w, x, y, z), found {list(spec.rotation)}"
    if not all(0 <= x <= 1 for x in spec.colour):
        return f"colour must be four numbers from 0 to 1, found {list(spec.colour)}"
    return ""
