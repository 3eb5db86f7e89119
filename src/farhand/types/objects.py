"""Objects of the world, as a cell file or an edit describes them."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from farhand.poses import Vec3
from farhand.types.quantities import Vector

__all__ = ["ObjectJoint", "ObjectPart", "ObjectSpec", "Shape", "Touch"]

Shape = Literal["box", "cylinder", "sphere", "capsule", "mesh"]
Touch = Literal["never", "may", "free"]


class ObjectPart(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A further shape of an object, fixed to its first one.

    Args:
        shape: Its form; no mesh.
        size: As that of an object.
        position: Centre, in the object's frame.
        rotation: Quaternion wxyz, in the object's frame.
        colour: Left out: the object's.
        collides: Others touch it; without, it is only looked at, and weighs nothing.
    """

    shape: Shape = "box"
    size: Vector = ()
    position: Vec3 = (0.0, 0.0, 0.0)
    rotation: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)
    colour: tuple[float, float, float, float] | None = None
    collides: bool = True


class ObjectJoint(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What lets an object turn or slide in its place, as a door, a valve or a drawer does.

    Args:
        kind: "hinge" turns (rad), "slide" slides (m).
        axis: About or along which, in the object's frame.
        at: A point of the axis, in the object's frame; for a hinge.
        range: Lowest and highest position, counted from where the cell file puts the object; left out: endless.
        friction: Torque (Nm) or force (N) below which it does not move: dry friction.
        damping: Nm·s/rad or N·s/m.
        spring: Nm/rad or N/m towards `rest`.
        rest: Where the spring would have it.
        on: Another object that carries it, as a door does its handle. Its own position is then in that one's frame.
        follows: Another object with a joint, which moves this one as a handle does its bolt.
        ratio: How far it goes for each radian or metre of that one.
    """

    kind: Literal["hinge", "slide"] = "hinge"
    axis: Vec3 = (0.0, 0.0, 1.0)
    at: Vec3 = (0.0, 0.0, 0.0)
    range: tuple[float, float] | None = None
    friction: float = 0.0
    damping: float = 0.0
    spring: float = 0.0
    rest: float = 0.0
    on: str = ""
    follows: str = ""
    ratio: float = 1.0


class ObjectSpec(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """An object of the world, as a cell file or an edit describes it.

    Args:
        name: Unique in its world.
        shape: Its form.
        size: Metres: box: three edge lengths; cylinder: radius, length; capsule: radius, length
            without its caps; sphere: radius; mesh: none.
        position: Centre (of a mesh: the origin of its file), in the world frame.
        rotation: Quaternion wxyz.
        mass: Kilograms, of all its shapes; 0 makes it part of the fixed surroundings.
        colour: Red, green, blue and opacity from 0 to 1.
        friction: Coulomb's coefficient of sliding; None for the usual ground, on which belts hold by their own.
        surface: Name of a surface that says the friction instead: "ice", "gravel".
        mesh: Path of an .stl, .obj or .dae file, for the shape "mesh".
        stiffness: N/m of springs that hold it in its place without turning, in every direction; 0: none. A wall of a
            given stiffness is such a body: what two bodies do where they touch is not a stiffness.
        damping: Of the springs, as a share of the critical one.
        touch: What an arm that keeps clear does about it: "never" touch it; "may" touch it, gently; "free": it is
            neither slowed nor stopped before it.
        parts: Further shapes; they share its mass by their volume.
        joint: What it turns or slides on; left out: it lies loose, or is fixed if it has no mass.
    """

    name: str
    shape: Shape = "box"
    size: Vector = ()
    position: Vec3 = (0.0, 0.0, 0.0)
    rotation: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)
    mass: float = 0.1
    colour: tuple[float, float, float, float] = (0.85, 0.55, 0.2, 1.0)
    friction: float | None = None
    surface: str = ""
    mesh: str = ""
    stiffness: float = 0.0
    damping: float = 0.5
    touch: Touch = "may"
    parts: tuple[ObjectPart, ...] = ()
    joint: ObjectJoint | None = None
