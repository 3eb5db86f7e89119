"""A vehicle on tracks as MJCF: a free body, four flippers, and the belts around all of them.

A belt is the moving surface of shapes that do not move themselves (MuJoCo's `surfacevel`). The file has the surface
field of a belt at 1 m/s forward: a turn about each wheel's axle, which along a straight side equals the belt's speed,
because that side touches the wheel. Two shapes make a flipper: the hub with both straight sides, and the tip. The tip
is a millimetre smaller, so that on flat ground only one of them touches.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

from farhand.formats.dh.dh_shapes import geoms_of
from farhand.formats.model import JointSpec, TracksSpec
from farhand.formats.tracked.tracked_file import FlipperFile, TrackedRobotFile, TracksFile
from farhand.formats.xmltext import Element, written

__all__ = ["BASE", "FLIPPERS", "mount_arm", "spec_of"]

BASE, MOUNT = "base", "mount"
FLIPPERS = ("front_left", "front_right", "rear_left", "rear_right")
HULL, CAPPED = "belt_outline", "belt_hub"
INSET_M = 0.001  # a tip's radius is smaller than its belt's by this
RAISED_M = 0.003  # height of the belts between the hubs above the ground
ARC = 12  # corners of half a wheel
RUBBER, METAL, CAP = (0.09, 0.09, 0.10), (0.46, 0.48, 0.50), (0.16, 0.17, 0.18)
ACROSS = {"quat": written(math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0)}  # a cylinder's z axis looks to the right
# Contact parameters of a belt: a little soft, so that edges do not throw the robot.
TOUCH = {"solref": "0.02 1", "solimp": "0.95 0.99 0.001", "condim": "3", "priority": "1"}


def mount_arm(file: TrackedRobotFile, mjcf: Element, path: Path) -> Element:
    """Return the vehicle with its arm.

    Args:
        file: The vehicle.
        mjcf: The arm alone, with its base body named `BASE`; becomes part of the vehicle.
        path: Of the file, for errors.
    """
    world, contact = mjcf.find("worldbody"), mjcf.find("contact")
    assert world is not None
    arm = world[0]
    world.remove(arm)
    arm.attrib |= {"name": MOUNT, "pos": written(*file.mount)}
    for exclude in contact.findall("exclude") if contact is not None else ():
        for key in ("body1", "body2"):
            if exclude.get(key) == BASE:
                exclude.set(key, MOUNT)
    body = Element("body", {"name": BASE})
    body.append(Element("freejoint", {"name": BASE}))
    body.extend(_body(file, path))
    body.extend(_belts(file.tracks))
    for name in FLIPPERS:
        body.append(_flipper(file.tracks, name))
    body.append(arm)
    world.append(body)
    mjcf.insert(1, _meshes(file.tracks.flipper))
    return mjcf


def spec_of(tracks: TracksFile) -> TracksSpec:
    """Return the data of the tracks."""
    left, right = ([n for n in FLIPPERS if n.endswith(side)] for side in ("left", "right"))
    belts = {side: (f"{side}_belt",) if tracks.belt > 0.0 else () for side in ("left", "right")}
    return TracksSpec(
        flippers=tuple(_joint(tracks.flipper, name) for name in FLIPPERS),
        left=(*(f"{name}_{part}" for name in left for part in ("hub", "tip")), *belts["left"]),
        right=(*(f"{name}_{part}" for name in right for part in ("hub", "tip")), *belts["right"]),
        gauge=tracks.gauge,
        wheelbase=tracks.wheelbase,
        length=tracks.flipper.length,
        hub=tracks.flipper.hub,
        tip=tracks.flipper.tip,
        speed=tracks.speed,
        acceleration=tracks.acceleration,
        jerk=tracks.jerk,
        force=tracks.force,
        gain=tracks.gain,
        inertia=tracks.inertia,
        scrub=tracks.scrub,
    )


def _joint(flipper: FlipperFile, name: str) -> JointSpec:
    return JointSpec(
        name=name,
        kind="hinge",
        lower=-math.inf,
        upper=math.inf,
        velocity=flipper.velocity,
        acceleration=flipper.acceleration,
        jerk=flipper.jerk,
        effort=flipper.effort,
        home=math.radians(flipper.front_deg if name.startswith("front") else flipper.rear_deg),
        label=f"{name.replace('_', ' ').capitalize()} flipper",
        link=f"{name.replace('_', ' ')} flipper",
    )


def _body(file: TrackedRobotFile, path: Path) -> Iterator[Element]:
    body = file.body
    for geom in geoms_of(list(body.shapes), body.mass, body.colour, path, "body"):
        geom.set("friction", written(body.friction, 0.005, 0.0001))
        yield geom


def _belts(tracks: TracksFile) -> Iterator[Element]:
    """Yield the belts between the hubs, as boxes: bottom and top move, the ends are inside the hubs."""
    if not tracks.belt:
        return
    high = tracks.flipper.hub - RAISED_M
    across = 0.5 * (tracks.gauge - tracks.flipper.width - tracks.belt)
    half = (0.5 * tracks.wheelbase, 0.5 * tracks.belt, high)
    for name, y in (("left_belt", across), ("right_belt", -across)):
        place = {"type": "box", "size": written(*half), "pos": written(0.0, y, tracks.flipper.hub)}
        belt = _surface(name, place, (0.0, 1.0 / high, 0.0), tracks.grip)
        belt.attrib |= {"mass": "1.0", "rgba": written(*RUBBER, 1.0), "group": "2"}
        yield belt


def _flipper(tracks: TracksFile, name: str) -> Element:
    """Return a flipper; its x axis points from the hub to the tip, so the rear ones' is turned about y."""
    flipper, front, side = tracks.flipper, name.startswith("front"), 1.0 if name.endswith("left") else -1.0
    at = (0.5 * tracks.wheelbase * (1.0 if front else -1.0), 0.5 * side * tracks.gauge, flipper.hub)
    turn = (1.0, 0.0, 0.0, 0.0) if front else (0.0, 0.0, 1.0, 0.0)
    body = Element("body", {"name": name, "pos": written(*at), "quat": written(*turn)})
    joint = {"name": name, "axis": written(0.0, -1.0 if front else 1.0, 0.0), "limited": "false"}
    body.append(Element("joint", joint | {"armature": written(flipper.armature), "damping": written(flipper.damping)}))
    half, tip = 0.5 * flipper.width, flipper.tip - INSET_M
    hub = _surface(f"{name}_hub", {"type": "mesh", "mesh": CAPPED}, (0.0, 1.0 / flipper.hub, 0.0), tracks.grip)
    wheel = {"type": "cylinder", "pos": written(flipper.length, 0.0, 0.0), "size": written(tip, half)} | ACROSS
    end = _surface(f"{name}_tip", wheel, (0.0, 0.0, -1.0 / tip), tracks.grip)
    hub.attrib |= {"mass": written(0.8 * flipper.mass), "group": "3"}
    end.attrib |= {"mass": written(0.2 * flipper.mass), "group": "3"}
    body.extend([hub, end, *_looks(flipper)])
    return body


def _surface(name: str, place: dict[str, str], turn: tuple[float, float, float], grip: float) -> Element:
    """Return a shape whose surface moves like a belt at 1 m/s forward."""
    moving = {"surfacevel": written(0.0, 0.0, 0.0, *turn), "friction": written(grip, 0.02, 0.001)}
    return Element("geom", {"name": name} | place | moving | TOUCH)


def _looks(flipper: FlipperFile) -> Iterator[Element]:
    """Yield the visible shapes of a flipper: the belt's outline, and the wheels' caps."""
    visual = {"contype": "0", "conaffinity": "0", "mass": "0", "group": "2"}
    yield Element("geom", {"type": "mesh", "mesh": HULL, "rgba": written(*RUBBER, 1.0)} | visual)
    out = 0.5 * flipper.width + 0.004
    for x, radius in ((0.0, flipper.hub), (flipper.length, flipper.tip)):
        for share, more, colour in ((0.78, 0.0, CAP), (0.42, 0.004, METAL)):
            size = {"size": written(share * radius, out + more), "pos": written(x, 0.0, 0.0)}
            yield Element("geom", {"type": "cylinder", "rgba": written(*colour, 1.0)} | size | ACROSS | visual)
    plate = (0.3 * flipper.length, out, 0.25 * (flipper.hub + flipper.tip))
    place = {"size": written(*plate), "pos": written(0.5 * flipper.length, 0.0, 0.0)}
    yield Element("geom", {"type": "box", "rgba": written(*CAP, 1.0)} | place | visual)


def _meshes(flipper: FlipperFile) -> Element:
    asset = Element("asset")
    for name, points in ((HULL, _outline(flipper, tip=True)), (CAPPED, _outline(flipper, tip=False))):
        corners = [c for y in (-0.5 * flipper.width, 0.5 * flipper.width) for x, z in points for c in (x, y, z)]
        asset.append(Element("mesh", {"name": name, "vertex": written(*corners)}))
    return asset


def _outline(flipper: FlipperFile, *, tip: bool) -> list[tuple[float, float]]:
    """Return corners of a belt around both wheels, or of its hub with the straight sides up to the tip's axle."""
    lean = math.asin((flipper.hub - flipper.tip) / flipper.length)
    hub = [math.pi / 2 - lean + (math.pi + 2 * lean) * i / (ARC - 1) for i in range(ARC)]
    points = [(flipper.hub * math.cos(a), flipper.hub * math.sin(a)) for a in hub]
    count = ARC if tip else 2
    end = [-math.pi / 2 + lean + (math.pi - 2 * lean) * i / (count - 1) for i in range(count)]
    return points + [(flipper.length + flipper.tip * math.cos(a), flipper.tip * math.sin(a)) for a in end]
