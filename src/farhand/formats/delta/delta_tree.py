"""The closed chain of a Delta as MJCF: bodies, joints, and the constraints that close its loops.

Each upper arm turns with its motor and carries a bar across its elbow; two rods swing on the bar, the second in
parallel to the first. The platform slides along x, y and z: the parallelograms prevent it from turning, so that is
built in, and a torque at the platform does no work in either case. One point of each arm's first rod is fixed to the
platform by three constraints. With one more for each second rod, twelve constraints leave three of fifteen joints free.
"""

from __future__ import annotations

import math

from farhand.formats.delta.delta_file import DeltaFile, DeltaRobotFile, Triple
from farhand.formats.model import DeltaSpec
from farhand.formats.names import TIP_SITE
from farhand.formats.xmltext import Element, written

__all__ = ["ARMS", "BASE", "motor_name", "spec_of", "tree_of"]

ARMS = (1, 2, 3)
DIRECTIONS = tuple(math.radians(angle) for angle in (210.0, 330.0, 90.0))
LEGS = tuple(math.radians(angle) for angle in (30.0, 150.0, 270.0))
BASE, PLATFORM, SLIDES = "base", "platform", ("platform_x", "platform_y", "platform_z")
DARK, METAL, WARM = (0.20, 0.21, 0.23), (0.72, 0.74, 0.77), (0.86, 0.52, 0.20)


def motor_name(arm: int) -> str:
    """Return the name of an arm's driven joint."""
    return f"arm{arm}"


def spec_of(delta: DeltaFile) -> DeltaSpec:
    """Return the data of the mechanism."""
    elbows = [name for arm in ARMS for name in (f"bar{arm}", f"rod{arm}a", f"rod{arm}b")]
    return DeltaSpec(
        base_radius=delta.base_radius,
        platform_radius=delta.platform_radius,
        upper=delta.upper,
        lower=delta.lower,
        platform=PLATFORM,
        undriven=(*SLIDES, *elbows),
        loops=tuple(name for arm in ARMS for name in (f"hold{arm}", f"pair{arm}")),
        titles={PLATFORM: "platform"} | {body: title for arm in ARMS for body, title in _titles(arm).items()},
    )


def _titles(arm: int) -> dict[str, str]:
    lower = f"lower arm {arm}"  # two rods, one part for the operator
    return {f"upper{arm}": f"upper arm {arm}", f"elbow{arm}": lower, f"lower{arm}a": lower, f"lower{arm}b": lower}


def tree_of(file: DeltaRobotFile, name: str) -> Element:
    """Return the robot's ``<mujoco>`` element."""
    delta = file.delta
    mjcf = Element("mujoco", {"model": name})
    mjcf.append(Element("compiler", {"angle": "radian", "autolimits": "true"}))
    world, contact, equality = Element("worldbody"), Element("contact"), Element("equality")
    base = _base(delta)
    for arm, direction in zip(ARMS, DIRECTIONS, strict=True):
        base.append(_arm(file, arm, direction))
        ends = {"site1": f"rod{arm}_end", "site2": f"platform_end{arm}"}
        equality.append(Element("connect", {"name": f"hold{arm}"} | ends))
        equality.append(Element("joint", {"name": f"pair{arm}", "joint1": f"rod{arm}b", "joint2": f"rod{arm}a"}))
    base.append(_platform(delta))
    world.append(base)
    bodies = [body.get("name", "") for body in world.iter("body")]
    # within the motors' limits no two parts can touch
    for i, first in enumerate(bodies):
        for second in bodies[i + 1 :]:
            contact.append(Element("exclude", {"body1": first, "body2": second}))
    mjcf.extend([world, contact, equality])
    return mjcf


def _base(delta: DeltaFile) -> Element:
    """Return plate, motors and legs."""
    body, radius, thick = Element("body", {"name": BASE}), delta.base_radius, 0.08 * delta.upper
    plate, share = 3.5 * thick, delta.mass.base / 10.0
    body.append(_geom("cylinder", ((0, 0, plate - thick), (0, 0, plate)), radius, 4.0 * share, DARK))
    for direction in DIRECTIONS:
        out, across = _axes(direction)
        centre = _along((0.0, 0.0, 0.0), out, radius)
        ends = (_along(centre, across, -0.75 * delta.gap), _along(centre, across, 0.75 * delta.gap))
        body.append(_geom("cylinder", ends, 1.8 * thick, share, METAL))
        inner = _along((0.0, 0.0, plate), out, 0.8 * radius)
        body.append(_geom("capsule", (inner, centre), thick, 0.2 * share, DARK))
    if delta.stand > 0.0:
        far = radius + delta.upper + 0.25 * delta.lower
        for direction in LEGS:
            out, _ = _axes(direction)
            top, root = _along((0.0, 0.0, plate), out, far), _along((0.0, 0.0, plate), out, 0.8 * radius)
            body.append(_geom("capsule", (root, top), thick, 0.4 * share, DARK))
            body.append(_geom("capsule", (top, (top[0], top[1], -delta.stand + thick)), thick, 0.4 * share, DARK))
    return body


def _arm(file: DeltaRobotFile, arm: int, direction: float) -> Element:
    """Return an upper arm with its bar and rods; x points outward, y across."""
    delta, motor, mass = file.delta, file.delta.motor, file.delta.mass
    out, half, thick = _axes(direction)[0], 0.5 * delta.gap, 0.08 * delta.upper
    place = {"pos": written(*_along((0.0, 0.0, 0.0), out, delta.base_radius)), "quat": _about_z(direction)}
    upper = Element("body", {"name": f"upper{arm}"} | place)
    angles = written(math.radians(motor.lower_deg), math.radians(motor.upper_deg))
    driven = {"armature": written(motor.armature), "damping": written(motor.damping), "range": angles}
    upper.append(Element("joint", {"name": motor_name(arm), "axis": "0 -1 0"} | driven))
    length = ((0.0, 0.0, 0.0), (delta.upper, 0.0, 0.0))
    upper.append(_geom("capsule", length, thick, mass.upper, file.colour))
    bar = Element("body", {"name": f"elbow{arm}", "pos": written(delta.upper, 0.0, 0.0)})
    bar.append(Element("joint", {"name": f"bar{arm}", "axis": "0 -1 0"}))
    bar.append(_geom("capsule", ((0.0, -half, 0.0), (0.0, half, 0.0)), 0.5 * thick, mass.bar, METAL))
    for letter, side in (("a", half), ("b", -half)):
        rod = Element("body", {"name": f"lower{arm}{letter}", "pos": written(0.0, side, 0.0)})
        rod.append(Element("joint", {"name": f"rod{arm}{letter}", "axis": "0 0 1"}))
        reach = ((0.0, 0.0, 0.0), (delta.lower, 0.0, 0.0))
        rod.append(_geom("capsule", reach, 0.35 * thick, mass.rod, METAL))
        if letter == "a":
            rod.append(Element("site", {"name": f"rod{arm}_end", "pos": written(delta.lower, 0.0, 0.0), "group": "4"}))
        bar.append(rod)
    upper.append(bar)
    return upper


def _platform(delta: DeltaFile) -> Element:
    """Return the platform, drawn at the rods' ends, with the tip in its middle."""
    body, half, thick = Element("body", {"name": PLATFORM}), 0.5 * delta.gap, 0.08 * delta.upper
    for name, axis in zip(SLIDES, ("1 0 0", "0 1 0", "0 0 1"), strict=True):
        body.append(Element("joint", {"name": name, "type": "slide", "axis": axis}))
    disc, share = delta.platform_radius, delta.mass.platform / 10.0
    body.append(_geom("cylinder", ((0, 0, -0.4 * thick), (0, 0, 0.4 * thick)), disc, 6.1 * share, WARM))
    body.append(_geom("cylinder", ((0, 0, -1.2 * thick), (0, 0, -0.4 * thick)), 0.6 * disc, 2.4 * share, METAL))
    for arm, direction in zip(ARMS, DIRECTIONS, strict=True):
        out, across = _axes(direction)
        edge = _along((0.0, 0.0, 0.0), out, delta.platform_radius)
        ends = (_along(edge, across, -half), _along(edge, across, half))
        body.append(_geom("capsule", ends, 0.5 * thick, 0.5 * share, METAL))
        body.append(Element("site", {"name": f"platform_end{arm}", "pos": written(*ends[1]), "group": "4"}))
    body.append(Element("site", {"name": TIP_SITE, "pos": "0 0 0", "quat": "1 0 0 0", "group": "4"}))
    return body


def _geom(kind: str, ends: tuple[Triple, Triple], radius: float, mass: float, colour: Triple) -> Element:
    line = written(*ends[0], *ends[1])
    seen = {"rgba": written(*colour, 1.0), "group": "2"}
    return Element("geom", {"type": kind, "fromto": line, "size": written(radius), "mass": written(mass)} | seen)


def _axes(direction: float) -> tuple[Triple, Triple]:
    """Return the directions outward and across."""
    return (math.cos(direction), math.sin(direction), 0.0), (-math.sin(direction), math.cos(direction), 0.0)


def _along(point: Triple, axis: Triple, far: float) -> Triple:
    return (point[0] + far * axis[0], point[1] + far * axis[1], point[2] + far * axis[2])


def _about_z(angle: float) -> str:
    return written(math.cos(0.5 * angle), 0.0, 0.0, math.sin(0.5 * angle))
