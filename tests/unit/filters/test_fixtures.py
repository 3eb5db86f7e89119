"""Virtual fixtures: their surfaces, keep-out and keep-in, attraction, and force feedback."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from worded import worded

from farhand import Cell, Run
from farhand.distances.triangles import TriangleMesh
from farhand.errors import CellFileError, CommandError
from farhand.filters.guide_surfaces import Ball, Block, Can, Flat, GuideLine, GuideSurface, MeshSurface, Pill
from farhand.formats.meshes import MeshPart, to_stl
from farhand.kernels import Floats, Ints
from farhand.masters import Manual, Modelled
from farhand.poses import Pose, Vec3
from farhand.server.cell_process.describe import describe
from farhand.types import MoveObject, ObjectSpec, Reconfigure, RemoveObject, SelectMapping, Tick

Number = st.floats(-0.3, 0.3)


def angle_iron() -> tuple[Floats, Ints]:
    """Return an L of 10 cm legs, 4 cm thick and 6 cm high, closed, with loose triangles as files have them."""
    outline = np.array([(0, 0), (0.1, 0), (0.1, 0.04), (0.04, 0.04), (0.04, 0.1), (0, 0.1)]) - 0.04
    flat = [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)]
    low, high = [np.column_stack([outline, np.full(6, z)]) for z in (-0.03, 0.03)]
    triangles = [[low[c], low[b], low[a]] for a, b, c in flat] + [[high[a], high[b], high[c]] for a, b, c in flat]
    for i in range(6):
        j = (i + 1) % 6
        triangles += [[low[i], low[j], high[j]], [low[i], high[j], high[i]]]
    points = np.array(triangles).reshape(-1, 3)
    return points, np.arange(len(points)).reshape(-1, 3)


IRON = TriangleMesh.of(*angle_iron())


def inside_iron(p: Floats) -> bool:
    x, y, z = p + np.array([0.04, 0.04, 0.0])
    return bool(abs(z) < 0.03 and 0 < x < 0.1 and 0 < y < 0.1 and not (x > 0.04 and y > 0.04))


# ── Surfaces ─────────────────────────────────────────────────────────────────────────────────────────────────────


def nearest_by_hand(p: Floats) -> float:
    """Return the distance to the iron by trying very many points of each of its triangles."""
    shares = [(a, b) for a in np.linspace(0, 1, 60) for b in np.linspace(0, 1 - a, 60)]
    a, b = np.array(shares).T
    corners = IRON.corners.reshape(-1, 3, 3)
    points = corners[:, None, 0] + a[:, None] * (corners[:, None, 1] - corners[:, None, 0])
    points = points + b[:, None] * (corners[:, None, 2] - corners[:, None, 0])
    return float(np.linalg.norm(points.reshape(-1, 3) - p, axis=1).min())


def test_a_mesh_knows_how_far_it_is_and_which_side_one_is_on() -> None:
    random, hint = np.random.default_rng(5), 0
    for _ in range(60):
        p = random.uniform(-0.12, 0.12, 3)
        distance, out, hint = IRON.nearest(p, hint)
        assert abs(distance) == pytest.approx(nearest_by_hand(p), abs=2e-3)
        assert (distance < 0.0) == inside_iron(p)
        assert np.linalg.norm(out) == pytest.approx(1.0)
        foot, _, _ = IRON.nearest(p - distance * out)
        assert abs(foot) < 1e-9


def test_the_side_is_right_at_edges_and_corners_where_faces_disagree() -> None:
    inner = np.array([0.0, 0.0, 0.0])  # the hollow edge of the L
    for way in np.random.default_rng(2).normal(size=(200, 3)):
        p = inner + 1e-4 * way / np.linalg.norm(way)
        assert (IRON.nearest(p)[0] < 0.0) == inside_iron(p)


def test_the_hint_only_makes_it_faster() -> None:
    for p in np.random.default_rng(3).uniform(-0.1, 0.1, (20, 3)):
        found = {round(IRON.nearest(p, hint)[0], 12) for hint in (-5, 0, 7, 10**6)}
        assert len(found) == 1


@pytest.mark.parametrize(
    ("vertices", "faces"),
    [([(0, 0, 0)] * 3, [(0, 1, 2)]), ([(0, 0, 0)], [(0, 1, 2)]), ([], []), ([(0, 0, math.nan)] * 3, [(0, 1, 2)])],
)
def test_faces_that_form_no_mesh_are_refused(vertices: Any, faces: Any) -> None:
    with pytest.raises(CommandError, match="mesh"):
        TriangleMesh.of(vertices, faces)


SURFACES: tuple[GuideSurface, ...] = (
    GuideLine((0.0, 0.0, -0.1), (0.1, 0.0, 0.1)),
    GuideLine((0.0, 0.0, -0.1), (0.1, 0.0, 0.1), 0.05),
    Flat((0.0, 0.0, 0.1), (0.6, 0.0, 0.8)),
    Ball(0.1),
    Pill(0.05, 0.1),
    Block((0.1, 0.05, 0.15)),
    Can(0.1, 0.06),
    MeshSurface(IRON),
)


@given(st.sampled_from(SURFACES), Number, Number, Number)
def test_going_the_distance_inward_ends_on_the_surface(surface: GuideSurface, x: float, y: float, z: float) -> None:
    distance, out = surface.nearest((x, y, z))
    assert math.hypot(*out) == pytest.approx(1.0)
    foot = (x - distance * out[0], y - distance * out[1], z - distance * out[2])
    assert surface.nearest(foot)[0] == pytest.approx(0.0, abs=1e-9)
    if distance > 1e-6 and not isinstance(surface, MeshSurface):  # further out it is further, by as much
        beyond = (x + 0.01 * out[0], y + 0.01 * out[1], z + 0.01 * out[2])
        assert surface.nearest(beyond)[0] == pytest.approx(distance + 0.01, abs=1e-6)


@given(st.sampled_from(SURFACES), Number, Number, Number)
def test_the_nearest_side_is_among_the_sides(surface: GuideSurface, x: float, y: float, z: float) -> None:
    distance, _ = surface.nearest((x, y, z))
    if distance < 0.0:
        assert min(abs(side) for side, _ in surface.sides((x, y, z), 1.0)) == pytest.approx(-distance, abs=1e-9)


# ── Fixtures in a cell ───────────────────────────────────────────────────────────────────────────────────────────

CUBE = ObjectSpec(name="cube", size=(0.1, 0.1, 0.1), position=(0.9, 0.0, 1.6), mass=0.1)


@cache
def plain() -> Cell:
    return Cell.load("irb120-touch")


def cell_with(*fixtures: dict[str, Any], objects: tuple[ObjectSpec, ...] = (), path: Path | None = None) -> Cell:
    """Return the cell without its block, with fixtures before its other filters, and a hand that a test moves."""
    arm = plain().spec.robots["arm"]
    filters = (*({"kind": "fixture", **fixture} for fixture in fixtures), *arm.filters)
    mappings = {
        "clutch": {"kind": "clutch", "lead": 0.01},
        "jog": {"kind": "jog-tip"},
        "joints": {"kind": "jog-joints"},
    }
    arm = replace(arm, filters=filters, mappings=mappings)
    world = replace(plain().spec.world, objects=objects)
    spec = replace(plain().spec, robots={"arm": arm}, world=world, masters={"touch": {"kind": "manual"}})
    return Cell(spec, path or plain().path)


class Bench:
    """A hand in such a cell: says where the tip is from where it was at the start."""

    def __init__(self, cell: Cell, mapping: str = "clutch") -> None:
        self.run, self.ticks = Run(cell), list[Tick]()
        hand = self.run.masters["touch"]
        assert isinstance(hand, Manual)
        self.hand = hand
        self.mapping = mapping
        self.run.send(SelectMapping("arm", mapping))
        self.run.tick()

    @property
    def tip(self) -> Vec3:
        return self.run.cell.state.robots["arm"].T_base_tip.position

    def go(self, seconds: float, to: Vec3 = (0.0, 0.0, 0.0), **reading: Any) -> list[Tick]:
        """Lead the hand evenly to a place, or hold a reading, for some time; return the ticks."""
        count, begin = round(seconds / self.run.cell.dt), self.hand._reading.pose
        start = begin.position if begin else (0.0, 0.0, 0.0)
        ticks = []
        for i in range(1, count + 1):
            share = i / count
            if self.mapping == "clutch":
                x, y, z = (a + share * (b - a) for a, b in zip(start, to, strict=True))
                reading["pose"] = Pose((x, y, z))
            self.hand.set(deadman=True, **reading)
            ticks.append(self.run.tick())
        return ticks


def tips(ticks: list[Tick]) -> Floats:
    return np.array([tick.state.robots["arm"].T_base_tip.position for tick in ticks])


def felt(tick: Tick) -> Vec3:
    return tick.lanes["arm"].felt.force


FENCE = {"name": "the fence", "act": "keep-out", "plane": [[0.43, 0.0, 0.0], [-1.0, 0.0, 0.0]]}


def test_a_plane_keeps_the_tip_out_and_the_hand_feels_it() -> None:
    bench = Bench(cell_with(FENCE))
    x, y, _ = bench.tip
    ticks = bench.go(1.0, (0.06, 0.0, 0.0))
    assert tips(ticks)[:, 0].max() <= 0.43 + 2e-4
    assert bench.tip[0] == pytest.approx(0.43, abs=5e-4)
    assert any("the fence" in worded(note) for note in ticks[-1].lanes["arm"].notes)
    assert felt(ticks[0]) == (0.0, 0.0, 0.0)
    assert felt(ticks[-1])[0] == pytest.approx(-500.0 * 0.01, rel=0.1)  # as far as the hand may lead the robot
    along = bench.go(0.5, (0.06, 0.05, 0.0))  # sliding along it is free
    assert bench.tip[1] - y == pytest.approx(0.05, abs=6e-3)  # the leash gives way, that is all
    assert abs(felt(along[-1])[1]) < 1e-6
    back = bench.go(0.5, (0.0, 0.05, 0.0))
    assert felt(back[-1]) == (0.0, 0.0, 0.0)
    assert bench.tip[0] < x + 0.01


@pytest.mark.parametrize(
    ("fixture", "says"),
    [
        ({"act": "keep-out", "line": [[0.3, 0.0, 0.0], [0.3, 0.0, 1.0]], "margin": 0.3}, "The tip is inside z."),
        ({"act": "keep-out", "plane": [[0.6, 0.0, 0.0], [1.0, 0.0, 0.0]]}, "The tip is beyond z."),
    ],
)
def test_who_is_inside_a_fixture_that_is_laid_over_him_is_told_so(fixture: dict[str, Any], says: str) -> None:
    bench = Bench(cell_with(), "jog")
    bench.run.send(Reconfigure("arm", "filter", "z", {"kind": "fixture", "name": "z", **fixture}))
    before = bench.go(0.05)[-1].state.robots["arm"].T_base_tip.position[0]
    said = {worded(note) for tick in bench.go(0.4, axes=(-1.0, 0.0, 0.0)) for note in tick.lanes["arm"].notes}
    assert says in said
    assert not any("mm from z" in text for text in said)
    assert bench.tip[0] == pytest.approx(before, abs=1e-3)  # further in is closed
    bench.go(0.4, axes=(1.0, 0.0, 0.0))
    assert bench.tip[0] > before + 0.01


@pytest.mark.parametrize("mapping", ["jog", "joints"])
def test_a_plane_keeps_the_tip_out_however_it_is_driven(mapping: str) -> None:
    bench = Bench(cell_with(FENCE), mapping)
    axes = (1.0, 0.0, 0.0) if mapping == "jog" else (0.0, 0.0, -1.0, 0.0, 0.0, 0.0)
    ticks = bench.go(1.5, axes=axes)
    assert tips(ticks)[:, 0].max() <= 0.43 + 5e-4
    assert tips(ticks)[:, 0].max() > 0.42


def test_a_room_keeps_the_tip_in_also_in_its_corners() -> None:
    room = ObjectSpec(name="room", shape="box", size=(0.1, 0.1, 0.1), position=(0.394, 0.0, 0.6 + 0.271), mass=0.0)
    cell = cell_with({"name": "the room", "act": "keep-in", "object": "room", "margin": 0.01}, objects=(room,))
    # only its surface matters: a tip inside must not touch it
    cell.world.compiled.model.geom_contype[:] = 0
    bench = Bench(cell)
    middle = np.array((0.394, 0.0, 0.271))
    for to in ((0.1, 0.1, 0.1), (-0.1, 0.1, -0.1), (-0.1, -0.1, 0.1)):
        ticks = bench.go(1.2, to)
        assert np.abs(tips(ticks) - middle).max() <= 0.04 + 1e-3
    assert np.abs(tips(ticks)[-1] - middle).min() > 0.035  # it is in the corner
    force = felt(ticks[-1])
    assert max(map(abs, force)) > 1.0


def mesh_file(folder: Path) -> Path:
    (folder / "iron.stl").write_bytes(to_stl(MeshPart(*angle_iron())))
    return folder / "cell.toml"


def test_the_surface_of_a_mesh_keeps_out_of_its_hollow_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # MuJoCo knows the mesh as its hull, without the hollow: the tip starts inside of that, and nothing touches here.
    monkeypatch.setattr("farhand.cell.runtime.check_standing", lambda *_: None)
    path = mesh_file(tmp_path)
    at = (0.394 + 0.06, 0.06, 0.6 + 0.271)  # the hollow of the L faces the tip after half a turn
    iron = ObjectSpec(name="iron", shape="mesh", mesh="iron.stl", position=at, rotation=(0, 0, 0, 1.0), mass=0.0)
    cell = cell_with(
        {"name": "the iron", "act": "keep-out", "object": "iron", "margin": 0.005}, objects=(iron,), path=path
    )
    cell.world.compiled.model.geom_contype[:] = 0
    bench = Bench(cell)
    turned, gaps = np.array([-1.0, -1.0, 1.0]), list[float]()
    for to in ((0.1, 0.1, 0.0), (0.1, 0.02, 0.0), (0.02, 0.1, 0.0)):
        ticks = bench.go(0.8, to)
        places = (tips(ticks) + np.array([0.0, 0.0, 0.6]) - np.array(at)) * turned
        gaps += [IRON.nearest(p)[0] for p in places]
    assert min(gaps) >= 0.005 - 5e-4
    assert sum(gap < 0.006 for gap in gaps) > 100  # it was there, most of the time in the hollow's corner


SEAM = {
    "name": "the seam",
    "act": "attract",
    "line": [[0.41, -0.3, 0.271], [0.41, 0.3, 0.271]],
    "hold": 0.004,
    "width": 0.02,
}


def test_a_line_draws_the_tip_onto_it_and_lets_it_go() -> None:
    bench = Bench(cell_with(SEAM))
    start, z = bench.tip[0], bench.tip[2]
    assert z == pytest.approx(0.271, abs=1e-3)
    ticks = bench.go(2.0, (0.41 - start - 0.003, 0.0, 0.0))  # the hand stops 3 mm short of it
    assert bench.tip[0] == pytest.approx(0.41, abs=3e-4)
    assert felt(ticks[-1])[0] == pytest.approx(500.0 * 0.003, rel=0.05)
    assert any(worded(note).startswith("The seam pulls the tip ") for note in ticks[-1].lanes["arm"].notes)
    assert np.abs(np.diff(tips(ticks)[:, 0])).max() < 1e-4  # m in a tick: drawn on smoothly
    ticks = bench.go(1.0, (0.41 - start - 0.003, 0.05, 0.0))  # along it
    assert tips(ticks)[100:, 0] == pytest.approx(0.41, abs=3e-4)
    bench.go(1.0, (0.41 - start + 0.03, 0.05, 0.0))  # and away on the other side
    assert bench.tip[0] == pytest.approx(0.44, abs=2e-3)


def test_a_jog_across_a_line_is_slow_and_along_it_free() -> None:
    line = {**SEAM, "line": [[0.394, -0.3, 0.271], [0.394, 0.3, 0.271]]}
    along, across, free = (
        Bench(cell_with(fixture), "jog").go(0.4, axes=axes)
        for fixture, axes in ((line, (0.0, 0.2, 0.0)), (line, (0.2, 0.0, 0.0)), (FENCE, (0.2, 0.0, 0.0)))
    )
    ways = [float(np.linalg.norm(tips(ticks)[-1] - tips(ticks)[0])) for ticks in (along, across, free)]
    assert ways[1] < 0.6 * ways[2]
    assert ways[0] == pytest.approx(ways[2], rel=0.1)


def test_a_fixture_goes_with_its_object_and_ends_with_it() -> None:
    cell = cell_with({"name": "the cube", "act": "keep-out", "object": "cube", "margin": 0.02}, objects=(CUBE,))
    bench = Bench(cell)
    assert bench.go(0.3, (0.02, 0.0, 0.0))[-1].lanes["arm"].notes == ()
    x, y, z = bench.tip
    bench.run.send(MoveObject("cube", Pose((x + 0.1, y, z + 0.6))))
    ticks = bench.go(0.4, (0.06, 0.0, 0.0))
    cube = [tick.state.objects["cube"].position for tick in ticks]
    gaps = [c[0] - 0.05 - p[0] for c, p in zip(cube, tips(ticks), strict=True) if abs(c[2] - 0.6 - p[2]) < 0.04]
    assert gaps
    assert min(gaps) > 0.02 - 1e-3
    bench.run.send(RemoveObject("cube"))
    bench.go(0.6, (0.1, 0.0, 0.0))
    assert bench.tip[0] > x + 0.05


def test_a_hand_with_a_touch_is_stopped_by_a_fence_and_no_energy_is_made() -> None:
    arm, master = plain().spec.robots["arm"], plain().spec.masters["touch"]
    for hand in ("relaxed", "normal", "firm"):
        fence = {"kind": "fixture", **FENCE, "stiffness": 2000.0}
        spec = replace(
            plain().spec,
            robots={"arm": replace(arm, filters=(fence, *arm.filters))},
            masters={"touch": {**master, "hand": hand}},
            world=replace(plain().spec.world, objects=()),
        )
        run = Run(Cell(spec, plain().path))
        touch = run.masters["touch"]
        assert isinstance(touch, Modelled)
        start, energy, deepest, hardest = touch.pose.position[0], 0.0, 0.0, 0.0
        for _ in range(2000):
            tick = run.tick()
            energy = min(energy, touch.memory.energy)
            deepest = max(deepest, touch.pose.position[0] - start)
            hardest = max(hardest, -touch.felt.force[0])
            assert tick.state.robots["arm"].T_base_tip.position[0] < 0.43 + 5e-4
        assert energy >= -1e-3
        assert 1.0 < hardest <= 3.3 + 1e-6
        assert deepest < (0.024 if hand != "firm" else 0.030)  # it means to go 27 mm, the fence is at 17


def test_fixtures_are_shown_where_they_are() -> None:
    cell = cell_with(
        FENCE, SEAM, {"name": "the skin", "act": "keep-out", "object": "cube", "margin": 0.01}, objects=(CUBE,)
    )
    scene = describe(cell, "bench", 1, (), {})
    fence, line, tube, skin = [geom for geom in scene.geoms if geom.name.startswith("the ")]
    assert (fence.shape, fence.pose.position) == ("box", (0.43, 0.0, 0.6))
    assert line.shape == "capsule"
    assert line.size[1] == pytest.approx(0.3)
    assert line.pose.position == pytest.approx((0.41, 0.0, 0.871))
    assert tube.size[0] == SEAM["width"]
    assert scene.bodies[skin.body].name == "cube"
    assert skin.size == pytest.approx((0.061,) * 3)
    assert not any(geom.touched for geom in (fence, line, tube, skin))
    assert all(geom.colour[3] < 1.0 for geom in (fence, tube, skin))


@pytest.mark.parametrize(
    ("fixture", "problem"),
    [
        (
            {"name": "f", "act": "keep-out"},
            r"filters\[0\]\.line: a fixture is one of line, plane and",
        ),
        ({**FENCE, "object": "cube"}, "found plane and object"),
        ({**SEAM, "line": [[0, 0, 0], [0, 0, 0]]}, "its two ends are the same point"),
        ({**FENCE, "plane": [[0, 0, 0], [0, 0, 0]]}, "its normal has no length"),
        ({**SEAM, "act": "keep-in"}, r"filters\[0\]\.margin: a line has no inside"),
        ({**SEAM, "width": 0.001}, r"filters\[0\]\.width: must be more than hold \(0\.004 m\)"),
        ({"name": "f", "act": "push", "object": "cube"}, r"filters\[0\]\.act"),
        ({"name": "f", "act": "keep-out", "object": "cub"}, r"no object is called 'cub' \(did you mean 'cube'\?\)"),
    ],
)
def test_a_fixture_that_is_none_is_refused_by_its_field(fixture: dict[str, Any], problem: str) -> None:
    with pytest.raises(CellFileError, match=problem):
        cell_with(fixture, objects=(CUBE,))
