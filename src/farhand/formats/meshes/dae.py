"""COLLADA, by pycollada: unit and node transforms applied, one part per colour.

The up axis is not applied: RViz ignores it, robot descriptions are drawn to look right there, and of the public
ones that say ``Y_UP`` the bodies fit their collision shapes only so.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import tostring

import numpy as np

from farhand.errors import RobotFileError
from farhand.formats.meshes.mesh import Floats, MeshPart
from farhand.formats.size_limits import SizeLimits
from farhand.formats.xmltext import Element, parse_xml

__all__ = ["read_dae"]

Color = tuple[float, float, float, float] | None

_MOST_COLORS = 8


def read_dae(data: bytes, path: Path, limits: SizeLimits) -> list[MeshPart]:
    """Return the meshes of a COLLADA file in metres."""
    # our own parser refuses entities and counts elements before pycollada reads the file
    root = parse_xml(data, path, limits)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            groups = _by_color(data, root)
    except Exception as error:  # noqa: BLE001 - pycollada can raise anything for a broken file
        reason = str(error).splitlines()[0][:120] if str(error) else type(error).__name__
        raise RobotFileError(path, f"is not a COLLADA file we can read: {reason}") from None
    parts = [
        MeshPart(np.concatenate(corners), np.arange(sum(map(len, corners))).reshape(-1, 3), color)
        for color, corners in groups.items()
    ]
    return parts or [MeshPart(np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int64))]


def _by_color(data: bytes, root: Element) -> dict[Color, list[Floats]]:
    document = _document(data)
    if document.errors:  # pycollada leaves out a mesh with a missing colour or picture
        document = _document(_colourless(root))
    unit = float(document.assetInfo.unitmeter or 1.0)
    groups: dict[Color, list[Floats]] = {}
    for color, corners in _triangles(document):
        if color not in groups and len(groups) >= _MOST_COLORS:
            color = next(iter(groups))
        groups.setdefault(color, []).append(corners * unit)
    return groups


def _document(data: bytes) -> Any:
    import collada  # slow to import

    return collada.Collada(io.BytesIO(data), ignore=[collada.common.DaeError], validate_output=False)


def _colourless(root: Element) -> bytes:
    for node in list(root.iter("instance_geometry")):
        for bound in node.findall("bind_material"):
            node.remove(bound)
    return tostring(root)


def _triangles(document: Any) -> Iterator[tuple[Color, Floats]]:
    if document.scene is None:
        for geometry in document.geometries:
            for primitive in geometry.primitives:
                yield from _corners(primitive)
        return
    for geometry in document.scene.objects("geometry"):
        for primitive in geometry.primitives():
            yield from _corners(primitive)


def _corners(primitive: Any) -> Iterator[tuple[Color, Floats]]:
    if hasattr(primitive, "triangleset"):
        primitive = primitive.triangleset()
    index = getattr(primitive, "vertex_index", None)
    if index is None or not len(index) or np.ndim(index) != 2 or index.shape[1] != 3:
        return
    yield _color(primitive), np.asarray(primitive.vertex[index.reshape(-1)], dtype=np.float64)


def _color(primitive: Any) -> Color:
    effect = getattr(getattr(primitive, "material", None), "effect", None)
    diffuse = getattr(effect, "diffuse", None)
    if not isinstance(diffuse, tuple | list) or len(diffuse) < 3:
        return None
    red, green, blue = (min(1.0, max(0.0, float(c))) for c in diffuse[:3])
    return (round(red, 3), round(green, 3), round(blue, 3), 1.0)
