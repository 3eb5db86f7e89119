"""Kinds of objects (loose, fixed, sprung, jointed), and checks of their data."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

from farhand.types import ObjectJoint, ObjectPart, ObjectSpec, Shape, Vector
from farhand.world.surface_kinds import SURFACES

__all__ = [
    "SWING",
    "check_joint",
    "check_name",
    "check_object",
    "check_part",
    "check_surface",
    "jointed",
    "loose",
    "moving",
    "shares",
    "sprung",
]

# Number of sizes of each shape, and their meaning.
SIZES: dict[Shape, tuple[int, str]] = {
    "box": (3, "three edge lengths"),
    "cylinder": (2, "radius and length"),
    "capsule": (2, "radius and length without the caps"),
    "sphere": (1, "the radius"),
    "mesh": (0, "no size"),
}
LARGEST = 1000.0  # m, kg: a larger number is surely a mistake
STIFFEST = 1e6  # N/m
SLOWEST_STEP, SWING = 0.005, 1.2  # s: longest tick; rad: greatest phase of a spring's oscillation in it
MAX_PARTS = 64


def loose(spec: ObjectSpec) -> bool:
    """Return whether the object moves freely."""
    return spec.mass > 0 and spec.stiffness == 0 and spec.joint is None


def sprung(spec: ObjectSpec) -> bool:
    """Return whether springs hold the object in its place."""
    return spec.stiffness > 0


def jointed(spec: ObjectSpec) -> bool:
    """Return whether the object turns or slides in its place."""
    return spec.joint is not None


def moving(spec: ObjectSpec) -> bool:
    """Return whether the object can leave its place in the cell file."""
    return loose(spec) or jointed(spec)


def shares(spec: ObjectSpec) -> tuple[float, ...]:
    """Return the shares of an object's mass in its own shape and in each of its parts, by volume."""
    if not spec.parts:
        return (1.0,)
    volumes = [_volume(spec.shape, spec.size)]
    volumes += [_volume(part.shape, part.size) if part.collides else 0.0 for part in spec.parts]
    return tuple(volume / sum(volumes) for volume in volumes)


def _volume(shape: Shape, size: Vector) -> float:
    if shape == "box":
        return math.prod(size)
    ball = 4.0 / 3.0 * math.pi * size[0] ** 3
    if shape == "sphere":
        return ball
    rod = math.pi * size[0] ** 2 * size[1]
    return rod if shape == "cylinder" else rod + ball


def check_name(name: str) -> str:
    """Return the error in a name of an object or robot, or an empty text."""
    if re.fullmatch(r"[\w][\w .+-]{0,63}", name):
        return ""
    expected = "expected 1 to 64 letters, digits, spaces or . _ + -, not starting with a sign"
    return f"{name[:80]!r} is not a valid name: {expected}"


def check_object(spec: ObjectSpec) -> str:
    """Return the error in an object as a part of a sentence, or an empty text."""
    if problem := check_name(spec.name) or _check_shape(spec):
        return problem
    if not _sized(spec.colour, 4):
        return "position, rotation and colour must be three, four and four numbers"
    if (spec.shape == "mesh") != bool(spec.mesh):
        return 'the shape "mesh" and the path of a mesh file go together'
    if not 0 <= spec.mass <= LARGEST or 0 < spec.mass < 1e-4:
        return f"mass must be 0 (fixed) or 0.0001 to {LARGEST:g} kg, found {spec.mass}"
    if problem := _check_springs(spec):
        return problem
    if problem := check_surface(spec.surface, spec.friction):
        return problem
    if not all(0 <= x <= 1 for x in spec.colour):
        return f"colour must be four numbers from 0 to 1, found {list(spec.colour)}"
    return _check_parts(spec) or _check_own_joint(spec)


def check_surface(surface: str, friction: float | None) -> str:
    """Return the error in surface and friction as a part of a sentence, or an empty text."""
    if friction is not None and not 0 <= friction <= 10:
        return f"friction must be between 0 and 10, found {friction}"
    if surface and friction is not None:
        return f"surface {surface!r} and friction {friction:g} both set the friction; give one of them"
    if surface and surface not in SURFACES:
        return f"no surface is called {surface!r}; there are: {', '.join(SURFACES)}"
    return ""


def _check_shape(spec: ObjectSpec | ObjectPart) -> str:
    """Return the error in shape, size and place."""
    if spec.shape not in SIZES:
        return f"no shape is called {spec.shape!r}; there are: {', '.join(SIZES)}"
    if not (_sized(spec.position, 3) and _sized(spec.rotation, 4)):
        return "position, rotation and colour must be three, four and four numbers"
    count, meaning = SIZES[spec.shape]
    if len(spec.size) != count:
        return f"a {spec.shape} needs {meaning} as its size, found {len(spec.size)} numbers"
    if not all(1e-4 <= s <= LARGEST for s in spec.size):
        return f"every size must be between 0.0001 and {LARGEST:g} m, found {list(spec.size)}"
    if not all(abs(x) <= LARGEST for x in spec.position):
        return f"position must be within {LARGEST:g} m, found {list(spec.position)}"
    if not 0.5 <= sum(x * x for x in spec.rotation) <= 2:
        return f"rotation must be a unit quaternion (w, x, y, z), found {list(spec.rotation)}"
    return ""


def _check_springs(spec: ObjectSpec) -> str:
    if not 0 <= spec.stiffness <= STIFFEST:
        return f"stiffness must be 0 (no springs) to {STIFFEST:g} N/m, found {spec.stiffness}"
    if not 0 <= spec.damping <= 2:
        return f"damping must be 0 to 2 times the critical one, found {spec.damping}"
    # the time step must resolve the spring's oscillation
    least = spec.stiffness * (SLOWEST_STEP / SWING) ** 2
    if sprung(spec) and spec.mass < least:
        return f"springs of {spec.stiffness:g} N/m need a mass of at least {least:.2g} kg, found {spec.mass:g}"
    return ""


def _check_parts(spec: ObjectSpec) -> str:
    if spec.parts and spec.shape == "mesh":
        return "a mesh cannot have parts: put the other shapes into its file"
    if len(spec.parts) > MAX_PARTS:
        return f"an object has at most {MAX_PARTS} parts, found {len(spec.parts)}"
    for i, part in enumerate(spec.parts):
        if problem := check_part(part):
            return f"parts[{i}]: {problem}"
    return ""


def check_part(part: ObjectPart) -> str:
    """Return the error in a part of an object as a part of a sentence, or an empty text."""
    problem = "a part cannot be a mesh" if part.shape == "mesh" else _check_shape(part)
    colour = part.colour
    if colour is not None and not (_sized(colour, 4) and all(0 <= x <= 1 for x in colour)):
        problem = problem or f"colour must be four numbers from 0 to 1, found {list(colour)}"
    return problem


def _check_own_joint(spec: ObjectSpec) -> str:
    """Return the error in an object's joint, as far as it shows without other objects."""
    joint = spec.joint
    if joint is None:
        return ""
    if spec.mass == 0:
        return "an object on a joint needs a mass above 0"
    if sprung(spec):
        return "an object can have springs (stiffness) or a joint, not both"
    problem = _check_axis(joint) or _check_range(joint)
    return f"joint: {problem}" if problem else ""


def _check_axis(joint: ObjectJoint) -> str:
    if joint.kind not in ("hinge", "slide"):
        return f"no joint is called {joint.kind!r}; there are: hinge, slide"
    numbers = (*joint.axis, *joint.at)
    if not (_sized(joint.axis, 3) and _sized(numbers, 6) and all(abs(x) <= LARGEST for x in numbers)):
        return "axis and at must be three numbers each"
    if math.hypot(*joint.axis) < 1e-6:
        return f"axis must have a direction, found {list(joint.axis)}"
    return ""


def _check_range(joint: ObjectJoint) -> str:
    limits = joint.range
    if limits is not None and not (_sized(limits, 2) and -LARGEST <= limits[0] <= 0 <= limits[1] <= LARGEST):
        return f"range must be two numbers, the first at most 0 and the second at least 0, found {list(limits)}"
    if limits is not None and limits[0] == limits[1]:
        return "range allows no motion; for a fixed object set mass to 0"
    for name in ("friction", "damping", "spring"):
        value = getattr(joint, name)
        if not 0 <= value <= STIFFEST:
            return f"{name} must be between 0 and {STIFFEST:g}, found {value}"
    for name in ("rest", "ratio"):
        value = getattr(joint, name)
        if not abs(value) <= LARGEST:
            return f"{name} must be within {LARGEST:g}, found {value}"
    return ""


def _sized(values: Sequence[float], count: int) -> bool:
    """Return whether the count of numbers is right; a caller in Python may have given others."""
    return len(values) == count


def check_joint(spec: ObjectSpec, before: Iterable[ObjectSpec]) -> str:
    """Return the error in the references of an object's joint to others, or an empty text.

    Args:
        spec: The object.
        before: The objects before it; only these can carry or lead it, so there are no cycles.
    """
    if spec.joint is None:
        return ""
    others = {item.name: item for item in before}
    for field in ("on", "follows"):
        name = getattr(spec.joint, field)
        if name and name not in others:
            return f"joint: {field} names {name!r}, but no object before it has that name"
    if spec.joint.follows and others[spec.joint.follows].joint is None:
        return f"joint: it follows {spec.joint.follows!r}, which has no joint"
    return ""
