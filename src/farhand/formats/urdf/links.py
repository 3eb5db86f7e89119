"""URDF links as MJCF bodies: mass, visual shapes and collision shapes."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from farhand.errors import RobotFileError
from farhand.formats.draft import Draft
from farhand.formats.inertia import Floats, Inertia, from_bounds, principal, problem_with
from farhand.formats.urdf.frames import moved_points, origin_of
from farhand.formats.urdf.geometry import Shapes
from farhand.formats.xmltext import Element, number, numbers, written
from farhand.poses import Pose, compose, from_matrix, matrix

__all__ = ["Links"]

_GREY = "0.7 0.7 0.72 1"


class Links:
    """Turns links into bodies.

    Args:
        robot: The ``<robot>`` element, for its materials.
        shapes: Reads geometry.
        draft: Gets the notes.
    """

    def __init__(self, robot: Element, shapes: Shapes, draft: Draft) -> None:
        self.shapes, self.draft, self.path = shapes, draft, draft.path
        self.colors = {m.get("name", ""): c for m in robot.findall("material") if (c := self._color(m, "material"))}
        self.without_collision: list[str] = []
        self.problems: dict[tuple[str, str], list[str]] = {}

    def fill(self, body: Element, link: Element) -> None:
        """Add the geoms and the mass of a link to its body."""
        name = link.get("name", "")
        seen = self._geoms(body, link, "visual", name)
        hit = self._geoms(body, link, "collision", name)
        if seen and not hit and link.find("collision") is None:
            self.without_collision.append(name)
            hit = self._geoms(body, link, "visual", name, hulls=True)
        points = np.concatenate(hit or seen or [np.zeros((0, 3))])
        self._inertial(body, link, name, points)

    def say(self) -> None:
        """Add a note for each kind of missing or wrong data in links."""
        for (problem, kept), names in self.problems.items():
            text = f"{problem} in {_listed(names)}; {kept} from its shape.".replace("has ", "", 1)
            self.draft.note("inertia", text[0].upper() + text[1:])
        if self.without_collision:
            text = (
                f"No collision shape is given for {_listed(self.without_collision)}; the visual shapes' hull collides."
            )
            self.draft.note("collision", text)

    def _geoms(self, body: Element, link: Element, tag: str, name: str, *, hulls: bool = False) -> list[Floats]:
        points = []
        colliding = hulls or tag == "collision"
        for number_, element in enumerate(link.findall(tag)):
            where = f"link {name}, {tag} {number_ + 1}"
            geometry = element.find("geometry")
            if geometry is None:
                raise RobotFileError(self.path, f"<{tag}> needs a <geometry>, which is missing", field=where)
            pose = origin_of(element, self.path, where)
            material = element.find("material")
            named = self._material(material, where) if material is not None else None
            for shape in self.shapes.read(geometry, where, colliding=colliding):
                points.append(moved_points(pose, shape.points))
                if colliding and not shape.solid:
                    continue
                attributes = shape.geom | {"pos": written(*pose.position), "quat": written(*pose.rotation)}
                if colliding:
                    attributes |= {"group": "3", "rgba": "0.6 0.6 0.6 0.4"}
                else:
                    color = named or (written(*shape.color) if shape.color else _GREY)
                    attributes |= {"group": "2", "contype": "0", "conaffinity": "0", "mass": "0", "rgba": color}
                body.append(Element("geom", attributes))
        return points

    def _material(self, element: Element, where: str) -> str | None:
        color = self._color(element, where)
        return color or self.colors.get(element.get("name", ""))

    def _color(self, material: Element, where: str) -> str | None:
        color = material.find("color")
        if color is None or color.get("rgba") is None:
            return None
        return written(*(min(1.0, max(0.0, v)) for v in numbers(color, "rgba", 4, self.path, where)))

    def _inertial(self, body: Element, link: Element, name: str, points: Floats) -> None:
        inertia = _given(link, self.path, name)
        lower, upper = (points.min(axis=0), points.max(axis=0)) if len(points) else (np.zeros(3), np.zeros(3))
        if inertia is None:
            problem = "has no mass"
        else:
            far = np.linalg.norm(points - np.array(inertia.centre), axis=1).max() if len(points) else 1.0
            problem = problem_with(inertia.mass, inertia.moments, float(far))
        if inertia is None or problem:
            mass = inertia.mass if inertia is not None and 0 < inertia.mass <= 1e4 else None
            inertia = from_bounds(lower, upper, mass)
            if len(points) or mass:
                kept = "the mass is kept, the inertia is taken" if mass else "mass and inertia are taken"
                self.problems.setdefault((problem, kept), []).append(name)
        body.insert(0, inertial_element(inertia))


def inertial_element(inertia: Inertia) -> Element:
    """Return the ``<inertial>`` element of a body."""
    low, middle, high = inertia.moments
    # MuJoCo refuses a largest moment above the sum of the others, even by a rounding error
    high = min(high, (low + middle) * (1 - 1e-9))
    attributes = {
        "pos": written(*inertia.centre),
        "quat": written(*inertia.turn),
        "mass": written(inertia.mass),
        "diaginertia": written(low, middle, high),
    }
    return Element("inertial", attributes)


def _given(link: Element, path: Path, name: str) -> Inertia | None:
    inertial = link.find("inertial")
    if inertial is None:
        return None
    where = f"link {name}, inertial"
    mass_element, tensor_element = inertial.find("mass"), inertial.find("inertia")
    mass = number(mass_element, "value", path, where, 0.0) if mass_element is not None else 0.0
    if mass < 0.0:
        raise RobotFileError(path, f"mass must be at least 0 kg, found {mass:g}", field=where)
    pose = origin_of(inertial, path, where)
    moments, turn = (0.0, 0.0, 0.0), pose
    if tensor_element is not None:
        xx, xy, xz, yy, yz, zz = (
            number(tensor_element, key, path, where, 0.0) for key in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
        )
        moments, axes = principal(np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))
        T = matrix(Pose())
        T[:3, :3] = axes
        turn = compose(pose, from_matrix(T))
    return Inertia(mass, pose.position, moments, turn.rotation)


def _listed(names: list[str]) -> str:
    return ", ".join(names[:5]) + (f" and {len(names) - 5} others" if len(names) > 5 else "")
