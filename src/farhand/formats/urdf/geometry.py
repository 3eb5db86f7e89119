"""Shapes of a URDF link as MJCF geoms, and the points that bound them."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from farhand.errors import RobotFileError
from farhand.formats.draft import Draft
from farhand.formats.file_access import Files
from farhand.formats.meshes import MeshPart, load_mesh, to_stl
from farhand.formats.meshes.mesh import flat, scaled, thinned
from farhand.formats.xmltext import Element, number, numbers, written

__all__ = ["Shapes", "UrdfShape"]

Points = NDArray[np.float64]

#: MuJoCo's own limit for STL files is 200,000; a browser should draw fewer.
_MAX_DRAWN = 100_000
_MAX_COLLIDING = 20_000
_LARGEST_LINK = 30.0


@dataclass(frozen=True)
class UrdfShape:
    """A geom's attributes without its pose, the points that bound it, its own colour, and whether it has volume."""

    geom: dict[str, str]
    points: Points
    color: tuple[float, float, float, float] | None = None
    solid: bool = True


@dataclass
class Shapes:
    """Turns ``<geometry>`` elements into shapes and keeps their meshes.

    Args:
        files: The files that may be read.
        draft: Gets the assets and notes.
    """

    files: Files
    draft: Draft
    _parts: dict[Path, list[MeshPart]] = field(default_factory=dict)
    _made: dict[tuple[Path, tuple[float, ...], bool], list[UrdfShape]] = field(default_factory=dict)
    _faces: int = 0

    def read(self, geometry: Element, where: str, *, colliding: bool) -> list[UrdfShape]:
        """Return the shapes of a ``<geometry>`` element.

        Args:
            geometry: The element.
            where: Its place in the file, for errors.
            colliding: Whether it is for contacts (with fewer faces) or for drawing.
        """
        path = self.files.path
        for element in geometry:
            if element.tag == "mesh":
                return self._mesh(element, where, colliding)
            if element.tag in {"box", "sphere", "cylinder", "capsule"}:
                return [_primitive(element, path, where)]
        found = ", ".join(f"<{e.tag}>" for e in geometry) or "nothing"
        expected = "expected <box>, <cylinder>, <sphere>, <capsule> or <mesh>"
        raise RobotFileError(path, f"{expected} in <geometry>, found {found}", field=where)

    def _mesh(self, element: Element, where: str, colliding: bool) -> list[UrdfShape]:
        reference = element.get("filename")
        if reference is None:
            raise RobotFileError(self.files.path, "<mesh> needs filename=, which is missing", field=where)
        scale = numbers(element, "scale", 3, self.files.path, where, (1.0, 1.0, 1.0))
        if 0.0 in scale:
            raise RobotFileError(self.files.path, "scale= of <mesh> must not be zero", field=where)
        found = self.files.find(reference, self.files.path.parent, where)
        key = (found, scale, colliding)
        if key not in self._made:
            parts = self._load(found)
            self._made[key] = [self._shape(p, found, (scale[0], scale[1], scale[2]), colliding) for p in parts]
        return self._made[key]

    def _load(self, path: Path) -> list[MeshPart]:
        if path not in self._parts:
            parts = load_mesh(self.files.read(path), path, self.files.limits)
            self._faces += sum(len(part.faces) for part in parts)
            if self._faces > self.files.limits.robot_faces:
                limit = self.files.limits.robot_faces
                raise RobotFileError(self.files.path, f"its meshes have more than {limit} faces together")
            self._parts[path] = parts
        return self._parts[path]

    def _shape(self, part: MeshPart, path: Path, scale: tuple[float, float, float], colliding: bool) -> UrdfShape:
        most = _MAX_COLLIDING if colliding else _MAX_DRAWN
        if len(part.faces) > most:
            before, part = len(part.faces), thinned(part, most)
            if not colliding:
                self.draft.note("mesh", f"{path.name} has {before} faces; it is drawn with {len(part.faces)}.")
        part = scaled(part, scale)
        size = float(np.ptp(part.vertices, axis=0).max())
        if size > _LARGEST_LINK:
            hint = 'if it is in millimetres, add scale="0.001 0.001 0.001" to its <mesh>'
            raise RobotFileError(path, f"is {size:.3g} m large; {hint}")
        name = f"{path.stem}_{len(self.draft.assets)}"
        self.draft.assets[f"{name}.stl"] = to_stl(part)
        asset = self.draft.mjcf.find("asset")
        assert asset is not None
        # every body has its own <inertial>, so a mesh need not be closed, and "shell" needs no volume
        attributes = {"name": name, "file": f"{name}.stl", "inertia": "shell"}
        if colliding:
            attributes["maxhullvert"] = "64"
        asset.append(Element("mesh", attributes))
        return UrdfShape({"type": "mesh", "mesh": name}, part.vertices, part.color, solid=not flat(part))


def _primitive(element: Element, path: Path, where: str) -> UrdfShape:
    if element.tag == "box":
        size = np.array(numbers(element, "size", 3, path, where)) / 2
        geom = {"type": "box", "size": written(*size)}
    else:
        radius = number(element, "radius", path, where)
        half = 0.0 if element.tag == "sphere" else number(element, "length", path, where) / 2
        size = np.array([radius, radius, half + (0.0 if element.tag == "cylinder" else radius)])
        values = (radius,) if element.tag == "sphere" else (radius, half)
        geom = {"type": element.tag, "size": written(*values)}
    if not (size > 0).all():
        raise RobotFileError(path, f"<{element.tag}> must have sizes above zero", field=where)
    corners = np.array(list(itertools.product(*((-s, s) for s in size))))
    return UrdfShape(geom, corners)
