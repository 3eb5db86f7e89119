from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
from paths import ROBOTS as DATA

from farhand.errors import RobotFileError
from farhand.formats import SizeLimits, read_robot
from farhand.formats.meshes import MeshPart, load_mesh, to_stl
from farhand.formats.meshes.mesh import flat, scaled, thinned

LIMITS = SizeLimits()
WEDGE = np.array([[0, 0, 0], [0, 0, 150], [0, 40, 0], [0, 40, 150], [40, 0, 0], [40, 0, 150]], dtype=float)


def volume(part: MeshPart) -> float:
    a, b, c = np.moveaxis(part.vertices[part.faces], 1, 0)
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


def sphere(rings: int) -> MeshPart:
    u, v = np.meshgrid(np.linspace(0, np.pi, rings), np.linspace(0, 2 * np.pi, rings))
    points = np.stack([np.sin(u) * np.cos(v), np.sin(u) * np.sin(v), np.cos(u)], axis=-1).reshape(-1, 3)
    i = np.arange(rings * rings).reshape(rings, rings)
    quads = np.stack([i[:-1, :-1], i[1:, :-1], i[1:, 1:], i[:-1, 1:]], axis=-1).reshape(-1, 4)
    return MeshPart(points, np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]]))


@pytest.mark.parametrize("name", ["wedge.stl", "text.stl", "wedge.obj"])
def test_the_same_wedge_from_every_format(name: str) -> None:
    (part,) = load_mesh((DATA / name).read_bytes(), DATA / name, LIMITS)
    assert np.array_equal(part.vertices, WEDGE)
    assert volume(part) == pytest.approx(40 * 40 / 2 * 150)


def test_collada_applies_unit_and_node_and_takes_the_colour() -> None:
    (part,) = load_mesh((DATA / "wedge.dae").read_bytes(), DATA / "wedge.dae", LIMITS)
    assert part.vertices == pytest.approx((WEDGE + np.array([0, 0, 10])) / 1000, abs=1e-9)
    assert part.color == (0.9, 0.1, 0.1, 1.0)


def test_a_mesh_with_a_missing_colour_is_kept() -> None:
    """As in the foot of a public ANYmal, whose texture is missing."""
    broken = (
        (DATA / "wedge.dae").read_bytes().replace(b'<instance_effect url="#e"/>', b'<instance_effect url="#none"/>')
    )
    (part,) = load_mesh(broken, DATA / "wedge.dae", LIMITS)
    assert part.vertices == pytest.approx((WEDGE + np.array([0, 0, 10])) / 1000, abs=1e-9)
    assert part.color is None


def test_faces_of_mirrored_meshes_point_outwards() -> None:
    (part,) = load_mesh((DATA / "wedge.stl").read_bytes(), DATA / "wedge.stl", LIMITS)
    assert volume(scaled(part, (1.0, 1.0, -1.0))) == pytest.approx(volume(part))
    assert volume(scaled(part, (-2.0, 1.0, -1.0))) == pytest.approx(2 * volume(part))


def test_stl_survives_writing_and_reading() -> None:
    part = sphere(12)
    (back,) = load_mesh(to_stl(part), Path("x.stl"), LIMITS)
    assert volume(back) == pytest.approx(volume(part), rel=1e-5)


def test_thinning_keeps_the_shape() -> None:
    part = sphere(200)
    thin = thinned(part, 5000)
    assert len(thin.faces) <= 5000
    assert abs(volume(thin)) == pytest.approx(abs(volume(part)), rel=0.1)


def test_flat_meshes_are_visible_but_do_not_collide(tmp_path: Path) -> None:
    square = MeshPart(
        np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], dtype=float), np.array([[0, 1, 2], [0, 2, 3]])
    )
    assert flat(square)
    (tmp_path / "wedge.stl").write_bytes(to_stl(square))
    (tmp_path / "text.stl").write_bytes(to_stl(square))
    (tmp_path / "r.urdf").write_text((DATA / "meshes_stl.urdf").read_text())
    text = read_robot(tmp_path / "r.urdf").mjcf
    assert text.count('type="mesh"') == 2
    assert 'group="3"' not in text


def stl(faces: int, records: int) -> bytes:
    return b" " * 80 + struct.pack("<I", faces) + bytes(50 * records)


ERRORS = {
    "giant header": ("a.stl", stl(4_000_000_000, 3), "the header announces 4000000000 faces, the file holds 3"),
    "short": ("a.stl", b"xx", "is not a complete STL file"),
    "no area": ("a.stl", stl(2, 2), "has no triangles"),
    "text": ("a.stl", b"solid x\nfacet\nvertex 1 2\nendsolid", "not three numbers"),
    "corner": ("a.obj", b"v 0 0 0\nf 1 2 3\n", "a face names a missing vertex; there are 1"),
    "word": ("a.obj", b"v 0 0 0\nf a b c\n", "line 2: a face is not made of vertex numbers"),
    "far": ("a.obj", b"v 0 0 0\nv 1e30 0 0\nv 0 1 0\nf 1 2 3\n", "a vertex is not finite or farther"),
    "nan": ("a.obj", b"v 0 0 0\nv nan 0 0\nv 0 1 0\nf 1 2 3\n", "a vertex is not finite"),
    "not collada": ("a.dae", b"<html/>", "has no triangles"),
    "entities": ("a.dae", b'<!DOCTYPE x [<!ENTITY a "b">]><COLLADA/>', "declares a document type or entities"),
    "kind": ("a.step", b"", "meshes of kind '.step' are not read; expected .dae, .obj, .stl"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_of_mesh_files_name_the_problem(name: str) -> None:
    file, data, expected = ERRORS[name]
    with pytest.raises(RobotFileError) as caught:
        load_mesh(data, Path(file), LIMITS)
    assert expected in str(caught.value)


def test_a_mesh_in_millimetres_is_recognised(tmp_path: Path) -> None:
    (tmp_path / "r.urdf").write_text((DATA / "meshes_stl.urdf").read_text().replace("0.001", "1"))
    for name in ("wedge.stl", "text.stl"):
        (tmp_path / name).write_bytes((DATA / name).read_bytes())
    with pytest.raises(RobotFileError, match=r'is 150 m large; if it is in millimetres, add scale="0.001 0.001 0.001"'):
        read_robot(tmp_path / "r.urdf")


def test_faces_are_limited() -> None:
    with pytest.raises(RobotFileError, match="has 8 faces; the limit is 7"):
        load_mesh((DATA / "wedge.stl").read_bytes(), Path("wedge.stl"), SizeLimits(mesh_faces=7))
    with pytest.raises(RobotFileError, match="more than 10 faces together"):
        read_robot(DATA / "meshes_stl.urdf", options=SizeLimits(robot_faces=10))
