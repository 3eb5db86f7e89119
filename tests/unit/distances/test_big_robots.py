"""Robots with very many faces and dense hulls load with little processor time and memory."""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import mujoco
import numpy as np
import pytest
from worded import worded

from farhand.distances.capsules import Blob, _crossings, _edges, _outline, _segment_distance, fit_link
from farhand.formats import read_robot
from farhand.formats.meshes import MeshPart
from farhand.formats.meshes.mesh import thinned

G1 = Path(sysconfig.get_paths()["purelib"]) / "robosuite_models/assets/robots/g1/robot.xml"
READ = """
import json, resource, sys
from farhand.formats import read_robot_guarded
notes = [note.code for note in read_robot_guarded(sys.argv[1]).notes]
spent = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([spent.ru_utime + spent.ru_stime, spent.ru_maxrss / 1024, notes]))
"""

CELL = """
import json, resource, sys
from farhand import Cell
cell = Cell.load(sys.argv[1])
for _ in range(20):
    cell.step()
spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
own = int(open("/proc/self/status").read().partition("VmHWM:")[2].split()[0])  # ru_maxrss counts who started us, too
print(json.dumps([sum(s.ru_utime + s.ru_stime for s in spent), max(own, spent[1].ru_maxrss) / 1024]))
"""


def ball(count: int, radii: tuple[float, float, float], middle: tuple[float, float, float], seed: int = 0) -> Blob:
    """Return an ellipsoid of many points."""
    points = np.random.default_rng(seed).normal(size=(count, 3))
    return Blob(points / np.linalg.norm(points, axis=1)[:, None] * radii + middle)


def test_a_humanoid_of_many_faces_is_read_within_15_s_and_500_mb() -> None:
    if not G1.is_file():
        pytest.skip("robosuite_models is not installed")
    done = subprocess.run([sys.executable, "-c", READ, str(G1)], capture_output=True, text=True, check=True)
    seconds, megabytes, notes = json.loads(done.stdout)
    assert seconds < 15.0
    assert megabytes < 330.0  # 402 MB with all of its 234,560 faces
    assert "robot.meshes" in notes


def test_a_whole_cell_of_a_humanoid_loads_within_15_s_and_500_mb(tmp_path: Path) -> None:
    if not G1.is_file():
        pytest.skip("robosuite_models is not installed")
    path = tmp_path / "cell.toml"
    path.write_text(f'name = "x"\n[robots.a]\nmodel = "{G1}"\n[robots.a.avoid]\n')
    done = subprocess.run([sys.executable, "-c", CELL, str(path)], capture_output=True, text=True, check=True)
    seconds, megabytes = json.loads(done.stdout)
    assert seconds < 15.0
    assert megabytes < 500.0  # 525 MB while MuJoCo's copies of its meshes were kept from one compilation to the next


def test_capsules_around_dense_hulls_are_found_quickly_and_hold_everything() -> None:
    blobs = [ball(2500, (0.05, 0.06, 0.2), (0.3 * k, 0.1 * k, 0.0), seed=k) for k in range(5)]
    begun = time.process_time()
    capsules = fit_link(blobs, measure=False).capsules
    assert time.process_time() - begun < 4.0
    assert len(capsules) == 3
    for blob in blobs:
        held = [_segment_distance(blob.points, c[:3], c[3:6]) <= c[6] for c in capsules]
        assert np.any(held, axis=0).all()


def test_the_edges_of_a_dense_hull_outline_a_cut_as_all_lines_across_it_do() -> None:
    blob, axis = ball(500, (0.3, 0.2, 0.1), (0.0, 0.0, 0.0)), np.array([0.0, 0.0, 1.0])
    edges = _edges(blob)
    assert edges is not None
    found, expected = (_outline(_crossings(blob.points, blob.points[:, 2], e), axis) for e in (edges, None))
    assert sorted(map(tuple, np.round(found, 9).tolist())) == sorted(map(tuple, np.round(expected, 9).tolist()))


def test_thinning_keeps_the_outermost_vertices() -> None:
    n = 150
    turns, rises = np.meshgrid(np.linspace(0, 2 * np.pi, n), np.linspace(0.01, np.pi - 0.01, n))
    grid = np.column_stack([(np.cos(turns) * np.sin(rises)).ravel(), (np.sin(turns) * np.sin(rises)).ravel()])
    vertices = np.column_stack([grid, np.cos(rises).ravel()])
    a = np.arange(n * n).reshape(n, n)
    quads = [a[:-1, :-1].ravel(), a[:-1, 1:].ravel(), a[1:, 1:].ravel(), a[1:, :-1].ravel()]
    faces = np.vstack([np.column_stack(quads[:3]), np.column_stack([quads[0], quads[2], quads[3]])])
    thin = thinned(MeshPart(vertices, faces), 5000, outermost=True)
    assert 1000 < len(thin.faces) <= 5000
    sights = np.random.default_rng(0).normal(size=(200, 3))
    sights /= np.linalg.norm(sights, axis=1)[:, None]
    assert ((vertices @ sights.T).max(axis=0) - (thin.vertices @ sights.T).max(axis=0)).max() < 0.005


def sphere_obj(n: int) -> str:
    """Return a sphere of 2·n² faces as an OBJ file."""
    rises, turns = np.meshgrid(np.linspace(0.01, np.pi - 0.01, n + 1), np.linspace(0, 2 * np.pi, n + 1), indexing="ij")
    points = np.stack([np.cos(turns) * np.sin(rises), np.sin(turns) * np.sin(rises), np.cos(rises)], axis=2)
    a = 1 + np.arange((n + 1) ** 2).reshape(n + 1, n + 1)
    corners = [a[:-1, :-1].ravel(), a[1:, :-1].ravel(), a[1:, 1:].ravel(), a[:-1, 1:].ravel()]
    faces = np.vstack([np.column_stack(corners[:3]), np.column_stack([corners[0], corners[2], corners[3]])])
    lines = [f"v {x:.6f} {y:.6f} {z:.6f}" for x, y, z in points.reshape(-1, 3)]
    return "\n".join([*lines, *(f"f {i} {j} {k}" for i, j, k in faces)]) + "\n"


def test_obj_meshes_of_many_faces_are_thinned_as_stl_ones_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("farhand.formats.meshes.lighten.MANY_FACES", 5000)
    (tmp_path / "ball.obj").write_text(sphere_obj(60))
    geom = '<geom type="mesh" mesh="ball"/>'
    (tmp_path / "a.xml").write_text(
        '<mujoco><asset><mesh name="ball" file="ball.obj" scale=".1 .1 .1"/></asset><worldbody><body>'
        f'<body><joint axis="0 1 0" range="-1 1"/>{geom}</body></body></worldbody></mujoco>'
    )
    robot = read_robot(tmp_path / "a.xml")
    assert [note.code for note in robot.notes if "7200 faces" in worded(note)] == ["robot.meshes"]
    model = mujoco.MjSpec.from_string(robot.mjcf, assets=robot.assets).compile()
    assert 1000 < model.nmeshface <= 5000
    assert model.body_mass.sum() == pytest.approx(1000 * 4 / 3 * np.pi * 0.1**3, rel=0.02)
    assert np.linalg.norm(model.mesh_vert, axis=1).max() == pytest.approx(0.1, abs=1e-3)
