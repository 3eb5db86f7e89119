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
        shape: Form; not "mesh".
        size: As in `ObjectSpec`.
        position: Centre, in the object's frame.
        rotation: Quaternion wxyz, in the object's frame.
        colour: As in `ObjectSpec`; left out: the object's own.
        collides: Takes part in contacts; if not, the part is only drawn and weighs nothing.
    """

    shape: Shape = "box"
    size: Vector = ()
    position: Vec3 = (0.0, 0.0, 0.0)
    rotation: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)
    colour: tuple[float, float, float, float] | None = None
    collides: bool = True


class ObjectJoint(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The joint on which an object turns or slides in its place, as of a door, a valve or a drawer.

    Args:
        kind: "hinge" turns (rad), "slide" slides (m).
        axis: Direction of the axis, in the object's frame.
        at: A point of the axis, in the object's frame; for a hinge.
        range: Lowest and highest position, counted from where the cell file puts the object; left out: endless.
        friction: Torque (Nm) or force (N) below which it does not move: dry friction.
        damping: Nm·s/rad or N·s/m.
        spring: Nm/rad or N/m towards `rest`.
        rest: Rest position of the spring (rad, m).
        on: Name of the object that carries it, as a door carries its handle. Its position is then in that object's
            frame.
        follows: Name of an object with a joint that moves this one, as a handle moves its bolt.
        ratio: Travel of this joint per radian or metre of the one it follows.
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
        shape: Form.
        size: Metres: box: three edge lengths; cylinder: radius, length; capsule: radius, length
            without its caps; sphere: radius; mesh: none.
        position: Centre (of a mesh: the origin of its file), in the world frame.
        rotation: Quaternion wxyz.
        mass: Kilograms, of all its shapes; 0 makes it part of the fixed surroundings.
        colour: Red, green, blue and opacity from 0 to 1.
        friction: Coulomb coefficient of sliding; None for ordinary ground, on which belts grip by their own
            coefficient.
        surface: Name of a surface that sets the friction instead: "ice", "gravel".
        mesh: Path of an .stl, .obj or .dae file, for the shape "mesh".
        stiffness: N/m of springs that hold it in place without turning, in every direction; 0: none. Model a wall of a
            given stiffness as such a body: contacts between bodies have no stiffness of their own.
        damping: Damping of the springs, as a share of the critical damping.
        touch: Rule for an arm that keeps clearance: "never" touch it; "may" touch it, gently; "free": the arm is
            neither slowed nor stopped before it.
        parts: Further shapes; the mass is shared among all shapes by volume.
        joint: Joint on which it turns or slides; left out: it lies loose, or is fixed if it has no mass.
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
