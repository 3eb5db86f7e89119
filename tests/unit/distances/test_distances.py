"""Distances: against MuJoCo, against differences of themselves, and against plain search."""

import math
from typing import Any

import mujoco
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from farhand.distances import Capsule, Clearance, Near, Solid, arm_capsules, ignore_mounting_contact, solids_around
from farhand.distances.queries import near_pairs, places_size
from farhand.distances.solids import SolidShape
from farhand.errors import CommandError
from farhand.kernels import Floats
from farhand.kinematics import SerialChain
from farhand.poses import Pose, from_matrix

PI = math.pi
SEEDS = st.integers(0, 2**32 - 1)
# three slides, then three turns: takes a capsule anywhere
FREE = SerialChain.from_dh(
    [
        (0, -PI / 2, 0, 0, "prismatic"), (0, PI / 2, 0, PI / 2, "prismatic"), (0, 0, 0, 0, "prismatic"),
        (0, -PI / 2, 0, 0), (0, PI / 2, 0, 0), (0, 0, 0, 0),
    ],
    [-3.0] * 6,
    [3.0] * 6,
)  # fmt: skip
IRB120 = SerialChain.from_dh(
    [
        (0, -PI / 2, 0.290, 0), (0.270, 0, 0, -PI / 2), (0.070, -PI / 2, 0, 0), (0, PI / 2, 0.302, 0),
        (0, -PI / 2, 0, 0), (0, 0, 0.072, PI),
    ],
    [-2.879, -1.919, -1.919, -2.793, -2.094, -6.981],
    [2.879, 1.919, 1.221, 2.793, 2.094, 6.981],
)  # fmt: skip
ARM = (
    Capsule(-1, (0, 0, 0), (0, 0, 0.15), 0.10, "base"),
    Capsule(0, (0, 0, -0.14), (0, 0, 0), 0.09, "turn"),
    Capsule(1, (0, 0, 0), (0.27, 0, 0), 0.075, "upper arm"),
    Capsule(2, (0, 0, 0), (0.07, 0, 0), 0.07, "elbow"),
    Capsule(3, (0, 0, -0.302), (0, 0, -0.052), 0.055, "forearm"),
    Capsule(4, (0, 0, -0.01), (0, 0, 0.01), 0.05, "wrist"),
    Capsule(5, (0, 0, -0.052), (0, 0, 0), 0.035, "flange"),
)
SIZES: dict[SolidShape, tuple[float, ...]] = {
    "box": (0.2, 0.3, 0.1), "sphere": (0.25,), "cylinder": (0.2, 0.3), "capsule": (0.1, 0.3),
    "ellipsoid": (0.2, 0.3, 0.15), "plane": (),
}  # fmt: skip
GEOMS = {
    "box": mujoco.mjtGeom.mjGEOM_BOX, "sphere": mujoco.mjtGeom.mjGEOM_SPHERE, "capsule": mujoco.mjtGeom.mjGEOM_CAPSULE,
    "cylinder": mujoco.mjtGeom.mjGEOM_CYLINDER, "ellipsoid": mujoco.mjtGeom.mjGEOM_ELLIPSOID,
    "plane": mujoco.mjtGeom.mjGEOM_PLANE, "mesh": mujoco.mjtGeom.mjGEOM_MESH,
}  # fmt: skip


def random_pose(rng: np.random.Generator, reach: float = 0.3) -> Pose:
    quaternion = rng.normal(size=4)
    w, i, j, k = (quaternion / np.linalg.norm(quaternion)).tolist()
    x, y, z = rng.uniform(-reach, reach, 3).tolist()
    return Pose((x, y, z), (w, i, j, k))


def random_solid(shape: SolidShape, rng: np.random.Generator) -> Solid:
    if shape == "mesh":
        points = rng.uniform(-0.3, 0.3, (12, 3))
        points -= points.mean(axis=0)
        return Solid("it", shape, random_pose(rng), (), tuple((x, y, z) for x, y, z in points.tolist()))
    return Solid("it", shape, random_pose(rng), tuple((rng.uniform(0.5, 1.5) * np.array(SIZES[shape])).tolist()))


def oracle(clearance: Clearance, solid: Solid, q: Floats) -> float:
    """Return MuJoCo's distance between the last capsule of the arm and a solid."""
    capsule = clearance.capsules[-1]
    spec = mujoco.MjSpec()
    body = spec.worldbody.add_body(mocap=True)
    body.add_geom(name="it", type=GEOMS[solid.shape], pos=[0, 0, 0])
    it = spec.geom("it")
    body.pos, body.quat = solid.pose.position, solid.pose.rotation
    if solid.shape == "mesh":
        spec.add_mesh(name="mesh", uservert=np.array(solid.vertices).reshape(-1).tolist())
        it.meshname = "mesh"
    elif solid.shape == "plane":
        it.size = [0, 0, 1]
    else:
        it.size = [*solid.size, 0, 0][:3]
    T = clearance.chain.frames(q)[capsule.link]
    ends = [T[:3, :3] @ np.array(end) + T[:3, 3] for end in (capsule.start, capsule.end)]
    spec.worldbody.add_geom(
        name="capsule", type=GEOMS["capsule"], fromto=np.concatenate(ends).tolist(), size=[capsule.radius, 0, 0]
    )
    model = spec.compile()
    model.opt.ccd_iterations, model.opt.ccd_tolerance = 200, 1e-10
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    ids = [int(model.geom(name).id) for name in ("capsule", "it")]
    return float(mujoco.mj_geomDistance(model, data, *ids, 10.0, None))


@settings(max_examples=250)
@given(st.sampled_from([*SIZES, "mesh"]), SEEDS)
def test_distance_to_every_shape_is_mujocos(shape: SolidShape, seed: int) -> None:
    rng = np.random.default_rng(seed)
    solid = random_solid(shape, rng)
    capsule = Capsule(5, (-0.1, 0.05, 0.0), (0.15, 0.0, 0.1), 0.05, "hand")
    clearance = Clearance(FREE, [capsule], [solid])
    q = rng.uniform(-0.8, 0.8, 6) * np.array([1, 1, 1, 4, 4, 4])
    found, wanted = clearance.distance(q).distance, oracle(clearance, solid, q)
    if wanted > 1e-6:
        assert found == pytest.approx(wanted, abs=2e-6)
    elif found > -0.05:  # the cores are apart, the surfaces are not: exact too
        assert found == pytest.approx(wanted, abs=2e-4)
    else:
        assert wanted < 0.0
        assert found <= -0.05 + 1e-9


@settings(max_examples=150)
@given(st.sampled_from(["box", "plane", "sphere", "capsule", "mesh", "cylinder"]), SEEDS)
def test_moving_out_by_the_depth_parts_the_two(shape: SolidShape, seed: int) -> None:
    """However deep a capsule is, its gradient says which way out leads, and the distance how far."""
    rng = np.random.default_rng(seed)
    solid = random_solid(shape, rng)
    clearance = Clearance(FREE, [Capsule(5, (0, 0, -0.1), (0, 0, 0.1), 0.05, "hand")], [solid])
    q = np.array([*solid.pose.position, *rng.uniform(-3, 3, 3)]) + rng.normal(size=6) * 0.1
    (row,) = clearance.near(q, 10.0)
    if row.distance >= 0.0:
        return
    # the slides move along x, y, z whatever the turns do: their part of the gradient is the normal
    way = clearance_normal(clearance, q, row)
    assert np.linalg.norm(way) == pytest.approx(1.0, abs=1e-9)
    out = q.copy()
    J = clearance.chain.jacobian(q)[:3, :3]
    out[:3] += np.linalg.solve(J, way) * (-row.distance + 1e-6)
    assert clearance.distance(out).distance >= 0.0


def clearance_normal(clearance: Clearance, q: Floats, row: Near) -> Floats:
    J = clearance.chain.jacobian(q)[:3, :3]
    return np.asarray(np.linalg.solve(J.T, row.gradient[:3]))


def scattered(rng: np.random.Generator, count: int) -> list[Solid]:
    shapes: list[SolidShape] = ["box", "sphere", "cylinder", "capsule", "ellipsoid", "mesh"]
    solids = []
    for k in range(count):
        solid = random_solid(shapes[k % 6], rng)
        w, i, j, z = solid.pose.rotation
        away = rng.normal(size=3)
        x, y, height = (away / np.linalg.norm(away) * rng.uniform(0.3, 0.9)).tolist()
        solids.append(
            Solid(f"solid {k}", solid.shape, Pose((x, y, height), (w, i, j, z)),
                  tuple(0.3 * s for s in solid.size), tuple((0.3 * a, 0.3 * b, 0.3 * c) for a, b, c in solid.vertices))
        )  # fmt: skip
    return [*solids, Solid("floor", "plane", Pose((0, 0, -0.1)))]


@settings(max_examples=60)
@given(SEEDS)
def test_near_pairs_and_least_distance_agree_with_each_solid_alone(seed: int) -> None:
    rng = np.random.default_rng(seed)
    solids = scattered(rng, 20)
    clearance = Clearance(IRB120, ARM, solids)
    q = rng.uniform(IRB120.lower, IRB120.upper)
    alone = {s.name: Clearance(IRB120, ARM, [s], np.zeros((0, 2), np.int64)).distance(q) for s in solids}
    own = Clearance(IRB120, ARM, [], clearance.pairs).distance(q)
    nearest = min([*alone.values(), own], key=lambda found: found.distance)
    found = clearance.distance(q)
    assert found.distance == pytest.approx(nearest.distance, abs=1e-12)
    if sum(other.distance < nearest.distance + 1e-9 for other in alone.values()) == 1:
        assert {found.first, found.second} == {nearest.first, nearest.second}
    rows = clearance.near(q, 0.1)
    assert [row.distance for row in rows] == sorted(row.distance for row in rows)
    for name, wanted in alone.items():
        mine = [row.distance for row in rows if row.second == name]
        assert (min(mine) == pytest.approx(wanted.distance, abs=1e-12)) if mine else wanted.distance >= 0.1
    assert clearance.free(q) == (found.distance > 0.0)
    assert clearance.distances(q[None])[0] == found.distance


@settings(max_examples=150)
@given(SEEDS)
def test_gradient_is_the_change_of_distance(seed: int) -> None:
    rng = np.random.default_rng(seed)
    clearance = Clearance(IRB120, ARM, scattered(rng, 12))
    q = rng.uniform(IRB120.lower, IRB120.upper)
    way, h = rng.normal(size=6), 1e-6
    flows = [_named(clearance, q + sign * h * way) for sign in (-1.0, 1.0)]
    for row in clearance.near(q, 0.2):
        key = row.first, row.second
        if row.distance < 1e-3 or any(key not in side for side in flows):
            continue
        before, after = flows[0][key], flows[1][key]
        slope = (after - before) / (2 * h)
        # where the nearest points jump from edge to edge, the slope lies between the two sides
        bend = abs(after + before - 2 * row.distance) / h
        assert row.gradient @ way == pytest.approx(slope, abs=1e-4 + bend)


def _named(clearance: Clearance, q: Floats) -> dict[tuple[str, str], float]:
    return {(row.first, row.second): row.distance for row in clearance.near(q, 0.25)[::-1]}


def test_nearest_rows_are_kept_where_there_are_too_many() -> None:
    rng = np.random.default_rng(3)
    clearance = Clearance(IRB120, ARM, scattered(rng, 60))
    q = np.zeros(6)
    everything = clearance.near(q, 0.6)
    assert len(everything) > 5
    D, A, where, who = np.empty(5), np.empty((5, 6)), np.empty((5, 6)), np.empty((5, 2), np.int64)
    places = np.empty(places_size(6, len(ARM)))
    count, least = near_pairs(clearance.flat, clearance.whole, q, 0.6, places, D, A, where, who)
    assert count == 5
    assert sorted(D) == pytest.approx([row.distance for row in everything[:5]])
    assert least == everything[0].distance


def test_adjacent_and_always_touching_links_are_left_out() -> None:
    clearance = Clearance(IRB120, ARM)
    pairs = {(ARM[i].name, ARM[j].name) for i, j in clearance.pairs.tolist()}
    assert ("base", "forearm") in pairs
    assert ("upper arm", "flange") in pairs
    causes = {(left.first, left.second): left.cause for left in clearance.left_out}
    assert causes["upper arm", "elbow"] == "adjacent"
    assert causes["forearm", "flange"] == "always touching"
    assert not pairs & set(causes)
    folded = np.array([0.0, 1.9, -1.9, 0.0, 0.0, 0.0])
    assert {clearance.distance(folded).first, clearance.distance(folded).second} <= {c.name for c in ARM}


def test_pairs_that_touch_at_rest_are_left_out() -> None:
    rng, strict = np.random.default_rng(0), Clearance(IRB120, ARM)
    rest = next(q for q in rng.uniform(IRB120.lower, IRB120.upper, (500, 6)) if not strict.free(q))
    cured = Clearance(IRB120, ARM, rest=rest)
    assert cured.distance(rest).distance > 0.0
    assert "touching at rest" in {left.cause for left in cured.left_out}


def test_own_links_keep_their_distance() -> None:
    """Twin capsules, against the same capsule as a solid."""
    rng = np.random.default_rng(5)
    clearance = Clearance(IRB120, ARM)
    for _ in range(200):
        q = rng.uniform(IRB120.lower, IRB120.upper)
        frames = IRB120.frames(q)
        for i, j in clearance.pairs.tolist():
            first = ARM[i]
            T = frames[first.link] if first.link >= 0 else np.eye(4)
            a, b = (T[:3, :3] @ np.array(end) + T[:3, 3] for end in (first.start, first.end))
            solid = Solid("other", "capsule", _along(a, b), (first.radius, 0.5 * float(np.linalg.norm(b - a))))
            alone = Clearance(IRB120, [ARM[j]], [solid], np.zeros((0, 2), np.int64))
            own = Clearance(IRB120, ARM, [], np.array([[i, j]]))
            assert own.distance(q).distance == pytest.approx(alone.distance(q).distance, abs=1e-9)
        break


def _along(a: Floats, b: Floats) -> Pose:
    z = (b - a) / np.linalg.norm(b - a)
    x = np.cross(np.eye(3)[int(np.argmin(np.abs(z)))], z)
    x /= np.linalg.norm(x)
    T = np.eye(4)
    T[:3, 0], T[:3, 1], T[:3, 2], T[:3, 3] = x, np.cross(z, x), z, 0.5 * (a + b)
    return from_matrix(T)


# ── Carrying ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_carried_object_moves_with_the_tip_and_leaves_the_solids() -> None:
    plank = Solid("plank", "box", Pose((0.5, 0, 0)), (0.02, 0.25, 0.02))
    wall = Solid("wall", "box", Pose((0.3, 0.45, 0.3)), (0.3, 0.05, 0.4))
    bare = Clearance(IRB120, ARM, [plank, wall])
    loaded = bare.carrying(plank, Pose((0.0, 0.0, 0.05)))
    assert [s.name for s in loaded.solids] == ["wall"]
    q = np.array([0.4, 0.3, 0.2, 0.0, 1.0, 0.0])
    found = loaded.distance(q)
    assert (found.first, found.second) == ("plank", "wall")
    assert found.distance < bare.among([wall]).distance(q).distance
    # its corner is where the tip has it
    corner = IRB120.forward(q) @ np.array([0.02, 0.25, 0.07, 1.0])
    at_corner = loaded.among([Solid("pin", "sphere", Pose(tuple(corner[:3])), (1e-3,))])
    assert at_corner.distance(q).distance <= 0.0


def test_carried_object_may_hit_the_forearm_but_not_the_flange() -> None:
    rod = Solid("rod", "capsule", size=(0.01, 0.25))
    T = Pose((0.2, 0.0, -0.1), (math.sqrt(0.5), 0.0, math.sqrt(0.5), 0.0))
    loaded = Clearance(IRB120, ARM).carrying(rod, T)
    watched = {(loaded.capsules[i].name, loaded.capsules[j].name) for i, j in loaded.pairs.tolist()}
    assert ("upper arm", "rod") in watched
    assert ("flange", "rod") not in watched


def test_endless_things_are_not_carried() -> None:
    with pytest.raises(CommandError, match="'floor' is infinite and cannot be carried"):
        Clearance(IRB120, ARM).carrying(Solid("floor", "plane"), Pose())


# ── From models ──────────────────────────────────────────────────────────────────────────────────────────────────

MODEL = """
<mujoco><compiler angle="radian" autolimits="true"/><asset>
 <mesh name="wedge" vertex="0 0 0 .1 0 0 0 .1 0 0 0 .1 .1 .1 0"/></asset>
<worldbody><geom name="floor" type="plane" size="0 0 1"/>
 <body name="table" pos="0 0 .2"><geom type="box" size=".5 .5 .2"/></body>
 <body name="r/base" pos="0 0 .4"><geom type="cylinder" size=".08 .05"/>
  <body name="r/turn" pos="0 0 .1"><joint name="r/a" axis="0 0 1" range="-3 3"/>
   <geom type="cylinder" size=".09 .06"/>
   <body name="r/upper" pos="0 0 .1"><joint name="r/b" axis="0 1 0" range="-2 2"/>
    <geom type="box" size=".03 .04 .15" pos="0 0 .15"/><geom type="mesh" mesh="wedge" pos="0 0 .1"/>
    <body name="r/fore" pos="0 0 .3"><joint name="r/c" axis="0 1 0" range="-2 2"/>
     <geom type="ellipsoid" size=".04 .04 .12" pos="0 0 .12"/>
     <geom type="box" size=".2 .2 .2" contype="0" conaffinity="0"/>
     <site name="r/tip" pos="0 0 .3"/>
     <body name="r/finger" pos="0 0 .25"><joint name="r/f" type="slide" axis="0 1 0" range="0 .05"/>
      <geom type="box" size=".01 .01 .04"/></body>
 </body></body></body></body>
 <body name="ball" pos="1 0 1"><freejoint/><geom type="sphere" size=".05"/></body>
 <body name="stone" pos="0 1 1"><geom type="mesh" mesh="wedge"/></body>
</worldbody></mujoco>
"""


def model() -> tuple[Any, Any]:
    compiled = mujoco.MjModel.from_xml_string(MODEL)
    data = mujoco.MjData(compiled)
    mujoco.mj_forward(compiled, data)
    return compiled, data


@pytest.mark.parametrize("most", [1, 3])
def test_capsules_of_a_model_hold_all_its_shapes_wherever_it_moves(most: int) -> None:
    m, data = model()
    fit = arm_capsules(m, "r/base", "r/tip", {"r/f": (0.0, 0.05)}, most)
    chain = SerialChain.from_model(m, "r/base", "r/tip")
    names = [c.name for c in fit.capsules]
    assert set(names) == {"base", "turn", "upper", "fore"} == set(fit.waste)
    assert max(names.count(name) for name in names) <= most
    rng = np.random.default_rng(1)
    for _ in range(40):
        q = rng.uniform(chain.lower, chain.upper)
        data.qpos[m.joint("r/f").qposadr[0]] = rng.uniform(0.0, 0.05)
        for name, value in zip(chain.names, q, strict=True):
            data.joint(name).qpos[0] = value
        mujoco.mj_kinematics(m, data)
        frames = [np.eye(4), *chain.frames(q)]
        for g in range(m.ngeom):
            body = m.body(m.geom_bodyid[g]).name
            if not body.startswith("r/") or not m.geom_contype[g]:
                continue
            link = {"r/base": -1, "r/turn": 0, "r/upper": 1, "r/fore": 2, "r/finger": 2}[body]
            own = [c for c in fit.capsules if c.link == link]
            for point in surface(m, data, g, rng):
                p = np.linalg.solve(frames[link + 1], [*(point - data.body("r/base").xpos), 1.0])[:3]
                assert min(depth(c, p) for c in own) <= 1e-6


def surface(m: Any, data: Any, g: int, rng: np.random.Generator) -> Floats:
    """Return points of a geom's surface in the world frame."""
    way = rng.normal(size=(30, 3))
    way /= np.linalg.norm(way, axis=1)[:, None]
    kind, size = int(m.geom_type[g]), m.geom_size[g]
    if kind == int(GEOMS["box"]):
        local = np.sign(way) * size
    elif kind == int(GEOMS["cylinder"]):
        ring = way[:, :2] / np.linalg.norm(way[:, :2], axis=1)[:, None]
        local = np.column_stack((ring * size[0], np.sign(way[:, 2]) * size[1]))
    elif kind == int(GEOMS["ellipsoid"]):
        local = way * size
    else:
        first = m.mesh_vertadr[m.geom_dataid[g]]
        local = m.mesh_vert[first : first + m.mesh_vertnum[m.geom_dataid[g]]].astype(np.float64)
    return np.asarray(local @ data.geom_xmat[g].reshape(3, 3).T + data.geom_xpos[g])


def depth(capsule: Capsule, p: Floats) -> float:
    a, b = np.array(capsule.start), np.array(capsule.end)
    way = b - a
    t = min(max(float((p - a) @ way) / max(float(way @ way), 1e-30), 0.0), 1.0)
    return float(np.linalg.norm(p - a - t * way)) - capsule.radius


def test_solids_of_a_model_are_where_it_has_them() -> None:
    m, data = model()
    solids = {s.name: s for s in solids_around(m, data, "r/base", ignore=["ball"])}
    assert set(solids) == {"floor", "table", "stone"}
    assert solids["table"].pose.position == pytest.approx((0, 0, -0.2))
    chain = SerialChain.from_model(m, "r/base", "r/tip")
    fit = arm_capsules(m, "r/base", "r/tip")
    clearance = Clearance(chain, fit.capsules, tuple(solids.values()))
    # the turning part sits so low that its capsule always reaches into the table
    assert clearance.distance(np.zeros(3)).second == "table"
    freed = ignore_mounting_contact(clearance)
    assert {s.name: s.least_link for s in freed.solids} == {"floor": 0, "table": 1, "stone": 0}
    assert freed.distance(np.zeros(3)).distance > 0.0
    low = freed.distance([0.0, 1.5, 1.2])
    assert (low.first, low.second) == ("fore", "table")


# ── Bad input ────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: Clearance(IRB120, [Capsule(6, (0, 0, 0), (0, 0, 1), 0.1, "x")]), "expected a link from -1 to 5"),
        (lambda: Clearance(IRB120, [Capsule(0, (0, 0, 0), (0, 0, 1), 0.0, "x")]), "a positive radius"),
        (lambda: Clearance(IRB120, ARM, [Solid("a", "box", size=(1, 1))]), "'a': a box needs 3 positive sizes"),
        (lambda: Clearance(IRB120, ARM, [Solid("a", "sphere", size=(-1,))]), "'a': a sphere needs 1 positive sizes"),
        (lambda: Clearance(IRB120, ARM, [Solid("a", "cone")]), "unknown shape 'cone'; available: box,"),  # type: ignore[arg-type]
        (lambda: Clearance(IRB120, ARM, [Solid("a", "mesh")]), "a hull needs at least four finite points"),
        (lambda: Clearance(IRB120, ARM).distance([0] * 5), "joint positions must be 6 numbers"),
        (lambda: Clearance(IRB120, ARM, rest=[math.nan] * 6), "the joints at rest must be finite"),
    ],
)
def test_malformed_arguments_are_refused_by_distances(make: Any, text: str) -> None:
    with pytest.raises(CommandError, match=text):
        make()
