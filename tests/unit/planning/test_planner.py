"""Plans: free everywhere, within every limit, the same for the same seed, with errors that name the blocking pair."""

import itertools
import math
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from farhand.distances import Clearance, Solid
from farhand.distances.packed_scene import Layout, layout_of
from farhand.errors import CommandError, PlanningCancelledError, PlanningError
from farhand.kernels import Floats, Ints, kernel
from farhand.kinematics import JointLimits
from farhand.planning import Found, Plan, PlanJob, Planner, Profile, do_plan
from farhand.planning.edge_checker import edge_free, make_checker
from farhand.planning.timing import profile_within
from farhand.poses import Pose, from_matrix
from farhand.world import CellWorker
from farhand_bench.arms import irb120, limits_of
from farhand_bench.scenes import arm_among, boxes, queries

CHAIN = irb120()
LIMITS = limits_of(CHAIN)
SHARE = 0.9  # of the limits that plans use


@cache
def among(seed: int, *, tall: bool) -> Clearance:
    return arm_among(boxes(seed, 50, tall))


@kernel("b1(f8[::1], i8[::1], f8[:, ::1], f8, f8, f8[::1], f8[::1])")
def proves(flat: Floats, whole: Ints, levers: Floats, room: float, tolerance: float, a: Floats, b: Floats) -> bool:
    at: Layout = layout_of(whole)
    return edge_free(make_checker(flat, whole, levers, room, tolerance), at, a, b)


def between(a: Floats, b: Floats, step: float = 0.002) -> Floats:
    count = max(2, math.ceil(float(np.abs(b - a).max()) / step) + 1)
    return np.asarray(a + np.linspace(0.0, 1.0, count)[:, None] * (b - a))


@pytest.mark.parametrize("room", [-0.02, 0.0, 0.002, 0.01])
def test_a_capsule_that_moves_by_a_rounding_error_only_stands(room: float) -> None:
    """The last joint of most arms turns its capsules about themselves, by levers of 1e-17 m."""
    clearance, a = among(3, tall=False), np.array([0.0, -0.5, 0.0, 0.0, 0.5, 0.0])
    levers = np.where(clearance.levers == 0.0, 1e-17, clearance.levers)
    for joint in range(6):
        b = a + 0.05 * (np.arange(6) == joint)
        assert clearance.distances(between(a, b), 1.0).min() > room + 0.05
        assert proves(clearance.flat, clearance.whole, levers, room, 0.002, a, b)


@settings(max_examples=150)
@given(st.integers(0, 2**32 - 1), st.booleans(), st.sampled_from([0.0, 0.01]))
def test_proven_edge_is_free_all_along(seed: int, tall: bool, room: float) -> None:
    rng, clearance = np.random.default_rng(seed), among(3, tall=tall)
    while True:
        a = rng.uniform(CHAIN.lower, CHAIN.upper)
        if clearance.free(a, room):
            break
    b = np.clip(a + rng.normal(size=6) * rng.choice([0.1, 0.5]), CHAIN.lower, CHAIN.upper)
    proven = proves(clearance.flat, clearance.whole, clearance.levers, room, 0.002, a, b)
    least = clearance.distances(between(a, b), 1.0).min()
    if proven:
        assert least > room
    elif least > room + 0.003:
        # wide ways are always proven
        raise AssertionError(f"an edge with {least * 1e3:.1f} mm on all sides was not proven")


@pytest.mark.parametrize("room", [-0.02, 0.0, 0.002, 0.01, 0.3])
@pytest.mark.parametrize("least", [0.0, 1e-22, 1e-17, 1e-12])
def test_an_edge_far_from_everything_is_proven_however_little_a_joint_moves(room: float, least: float) -> None:
    far = Solid("box", "box", Pose((5.0, 0.0, 0.0)), (0.1, 0.1, 0.1))
    clearance = Clearance(CHAIN, arm_among(()).capsules, (far,), np.empty((0, 2), np.int64))
    a = np.zeros(6)
    b = np.array([least, 0.0, 0.0, 0.0, 0.3, 0.0])
    assert proves(clearance.flat, clearance.whole, clearance.levers, room, 0.002, a, b)


def check(plan: Plan, clearance: Clearance, room: float = 0.0) -> None:
    """Hold a plan against its surroundings and every limit, at every millisecond."""
    times = np.arange(0.0, plan.duration + 1e-3, 1e-3)
    rows = [plan.at(float(t)) for t in times]
    q, v, a = (np.array([row[i] for row in rows]) for i in range(3))
    assert clearance.distances(q, 1.0).min() > room
    assert (q >= LIMITS.lower - 1e-9).all()
    assert (q <= LIMITS.upper + 1e-9).all()
    assert (np.abs(v) <= SHARE * LIMITS.velocity * 1.001).all()
    assert (np.abs(a) <= SHARE * LIMITS.acceleration * 1.02).all()
    assert (np.abs(np.diff(a, axis=0)) <= LIMITS.jerk * 1e-3 * 1.05).all()
    # rates and accelerations are the derivatives of the positions
    np.testing.assert_allclose(np.diff(q, axis=0) * 1e3, 0.5 * (v[1:] + v[:-1]), atol=2e-3)
    for end, joints in ((0.0, plan.start), (plan.duration, plan.goal)):
        there, rate, _ = plan.at(end)
        np.testing.assert_allclose(there, joints, atol=1e-9)
        np.testing.assert_allclose(rate, 0.0, atol=1e-9)


@pytest.mark.parametrize("tall", [False, True])
def test_plans_are_free_and_within_every_limit(tall: bool) -> None:
    clearance = among(3, tall=tall)
    planner = Planner(clearance, LIMITS)
    for a, b in queries(clearance, 8, seed=5):
        plan = planner.plan(a, b)
        check(plan, clearance)
        way = np.array(plan.waypoints)
        for first, second in itertools.pairwise(way):
            assert clearance.distances(between(first, second), 1.0).min() > 0.0
        assert plan.length >= np.linalg.norm(b - a) - 1e-9
        assert plan.length == pytest.approx(planner.length(way))


def test_plan_keeps_the_room_it_is_told_to() -> None:
    clearance = among(3, tall=False)
    planner = Planner(clearance, LIMITS, keep=0.01)
    (a, b), *_ = queries(clearance, 1, seed=9, least=0.02)
    check(planner.plan(a, b), clearance, room=0.01)


def test_same_seed_same_plan() -> None:
    clearance = among(4, tall=True)
    planner = Planner(clearance, LIMITS)
    (a, b), *_ = [pair for pair in queries(clearance, 6, seed=1) if len(planner.plan(*pair).pieces) > 1]
    assert planner.plan(a, b, seed=7) == planner.plan(a, b, seed=7)
    assert planner.plan(a, b, seed=7) != planner.plan(a, b, seed=8)


def test_rounded_corners_save_time() -> None:
    clearance = among(3, tall=True)
    planner = Planner(clearance, LIMITS)
    saved = []
    for a, b in queries(clearance, 8, seed=5):
        plan = planner.plan(a, b)
        if len(plan.pieces) > 1:
            saved.append(sum(piece.profile.duration for piece in plan.pieces) - plan.duration)
    assert min(saved) >= -1e-9
    assert max(saved) > 0.0


# ── What is in the way ───────────────────────────────────────────────────────────────────────────────────────────


def test_blocked_ends_name_the_two_that_touch() -> None:
    q = np.array([0.0, 0.3, 0.0, 0.0, 1.2, 0.0])
    tip = CHAIN.forward(q)[:3, 3]
    post = Solid("post", "box", Pose(tuple(tip.tolist())), (0.05, 0.05, 0.05))
    planner = Planner(arm_among((post,)), LIMITS)
    away = np.array([1.5, 0.3, 0.0, 0.0, 1.2, 0.0])
    with pytest.raises(PlanningError, match=r"the start is blocked: \w+ and post overlap by \d+\.\d mm") as caught:
        planner.plan(q, away)
    assert caught.value.second == "post"
    assert caught.value.first in {"flange", "gripper", "wrist", "load"}
    with pytest.raises(PlanningError, match="the goal is blocked: "):
        planner.plan(away, q)


def test_ends_too_near_to_be_proven_say_how_near() -> None:
    q = np.array([0.0, 0.3, 0.0, 0.0, 1.2, 0.0])
    bare = arm_among(())
    height = bare.among([Solid("plate", "plane")]).distance(q).distance
    plate = Solid("plate", "plane", Pose((0.0, 0.0, height - 0.001)))
    turned = q + np.array([0.5, 0, 0, 0, 0, 0])
    text = "are 1.0 mm apart, nearer than the 2.0 mm that a proof needs"
    with pytest.raises(PlanningError, match=text):
        Planner(bare.among([plate]), LIMITS).plan(q, q + 0.5)
    check(Planner(bare.among([plate]), LIMITS, tolerance=0.0005).plan(q, turned), bare)


def test_ends_beyond_the_limits_name_the_joint() -> None:
    planner = Planner(arm_among(()), LIMITS)
    with pytest.raises(
        PlanningError, match=r"the goal is beyond the limits of joint3: 1\.5 is not within -1\.919 to 1\.221"
    ):
        planner.plan(np.zeros(6), [0, 0, 1.5, 0, 0, 0])
    with pytest.raises(CommandError, match="the start must be 6 numbers"):
        planner.plan(np.zeros(5), np.zeros(6))


def caged() -> tuple[Planner, Floats, Floats]:
    """An arm between two walls that reach from beside its column to beyond its reach, and a goal outside of them."""
    walls = tuple(
        Solid(f"wall {k}", "box", Pose((0.61 * math.cos(a), 0.61 * math.sin(a), 1.0),
              (math.cos(a / 2), 0.0, 0.0, math.sin(a / 2))), (0.5, 0.01, 1.0))
        for k, a in enumerate((1.2, -1.2))
    )  # fmt: skip
    return Planner(arm_among(walls), LIMITS), np.array([0.0, 0.6, 0.0, 0, 0.9, 0]), np.array([2.4, 0.6, 0.0, 0, 0.9, 0])


def test_cancelled_plan_ends_soon() -> None:
    planner, a, b = caged()
    asked = []

    def cancelled() -> bool:
        asked.append(1)
        return len(asked) == 3

    with pytest.raises(PlanningCancelledError, match="the plan was cancelled"):
        planner.plan(a, b, cancelled=cancelled)
    assert len(asked) == 3


# ── Lines ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_line_is_straight_even_and_within_limits() -> None:
    clearance = among(3, tall=False).among([])
    planner = Planner(clearance, LIMITS)
    q = np.array([0.2, 0.2, 0.1, 0.1, 1.0, 0.3])
    T, goal = CHAIN.forward(q), CHAIN.forward(q)
    goal[:3, 3] += 0.1, -0.2, -0.05
    goal[:3, :3] = CHAIN.forward(q + np.array([0, 0, 0, 0, 0.2, 0.3]))[:3, :3]
    plan = planner.straight(q, goal)
    check(plan, clearance)
    np.testing.assert_allclose(CHAIN.forward(plan.goal), goal, atol=1e-4)
    way = goal[:3, 3] - T[:3, 3]
    for t in np.linspace(0.0, plan.duration, 200):
        p = CHAIN.forward(plan.at(float(t))[0])[:3, 3] - T[:3, 3]
        along = p @ way / (way @ way)
        assert np.linalg.norm(p - along * way) < 3e-4
    slow = planner.straight(q, goal, speed=0.05)
    assert slow.duration >= np.linalg.norm(way) / 0.05


def test_line_through_something_names_it() -> None:
    q = np.array([0.0, 0.3, 0.0, 0.0, 1.2, 0.0])
    T = CHAIN.forward(q)
    T[1, 3] += 0.25
    post = Solid("post", "box", Pose((float(T[0, 3]), 0.15, 0.3)), (0.02, 0.02, 0.4))
    planner = Planner(arm_among((post,)), LIMITS)
    with pytest.raises(PlanningError, match=r"the line is blocked at \d+ % of its length: \w+ and post") as caught:
        planner.straight(q, T)
    assert caught.value.second == "post"


def test_line_out_of_reach_says_where_and_why() -> None:
    q = np.array([0.0, 0.3, 0.0, 0.0, 1.2, 0.0])
    T = CHAIN.forward(q)
    T[0, 3] += 1.0
    with pytest.raises(PlanningError, match=r"the line cannot be followed beyond \d+ % of its length: "):
        Planner(arm_among(()), LIMITS).straight(q, T)


# ── Timing ───────────────────────────────────────────────────────────────────────────────────────────────────────


@given(st.floats(0.1, 10), st.floats(0.1, 100), st.floats(1, 5000))
def test_profile_goes_from_rest_to_rest_within_its_limits(rate: float, acceleration: float, jerk: float) -> None:
    profile = profile_within(rate, acceleration, jerk)
    end = profile.at(profile.duration)
    assert end[0] == pytest.approx(1.0, abs=1e-6)
    assert end[1] == pytest.approx(0.0, abs=1e-6)
    for t in np.linspace(0.0, profile.duration, 50):
        _, v, a, j = profile.at(float(t))
        assert -1e-6 <= v <= rate * (1 + 1e-6)
        assert abs(a) <= acceleration * (1 + 1e-6)
        assert abs(j) <= jerk * (1 + 1e-6)


def test_a_path_that_cannot_be_timed_is_refused() -> None:
    with pytest.raises(PlanningError, match="a path cannot be timed within 0, 1, 1"):
        profile_within(0.0, 1.0, 1.0)


def test_profile_before_and_after() -> None:
    profile = Profile((1.0,), (0.0,))
    assert profile.at(-1.0) == (0.0, 0.0, 0.0, 0.0)
    assert profile.at(2.0)[0] == 1.0


def test_many_times_at_once_are_each_alone() -> None:
    profile = profile_within(2.0, 9.0, 80.0)
    times = np.concatenate((np.linspace(-0.1, profile.duration + 0.1, 60), np.cumsum(profile.times)))
    alone = np.array([profile.at(t) for t in times.tolist()]).T
    np.testing.assert_allclose(profile.many(times)[:3], alone[:3], atol=1e-9)
    # where one phase ends and the next begins, the jerk is either one's
    np.testing.assert_allclose(profile.many(times[:60])[3], alone[3, :60], atol=1e-9)


def test_planner_settings_must_make_sense() -> None:
    with pytest.raises(PlanningError, match="the chain has 6 joints, the limits are for 1"):
        Planner(arm_among(()), JointLimits.of([0], [1], [1], [1], [1]))
    with pytest.raises(PlanningError, match=r"keep must be -0.025 to 1 m and tolerance 0 to 0\.1 m, found -1"):
        Planner(arm_among(()), LIMITS, keep=-1.0)


# ── Worker ───────────────────────────────────────────────────────────────────────────────────────────────────────


def job(solids: tuple[Solid, ...], start: Floats, goal: Floats | Pose, room: float = 0.01) -> PlanJob:
    end = goal if isinstance(goal, Pose) else tuple(goal.tolist())
    return PlanJob(arm_among(solids), LIMITS, room, tuple(start.tolist()), end)


def least_along(found: Found, solids: tuple[Solid, ...]) -> float:
    assert found.trajectory is not None
    return float(arm_among(solids).distances(np.array(found.trajectory.points)).min())


def test_a_worker_finds_the_same_plan() -> None:
    clearance = among(3, tall=True)
    (a, b), *_ = queries(clearance, 1, seed=5)
    asked = PlanJob(clearance, LIMITS, 0.0, tuple(a.tolist()), tuple(b.tolist()))
    with CellWorker.open() as shop:
        assert shop.run(do_plan, asked, 60.0).result() == do_plan(asked)


BENT = np.array([0.0, 0.3, 0.0, 0.0, 1.2, 0.0])


def post_at(q: Floats, shift: float = 0.0) -> Solid:
    x, y, z = CHAIN.forward(q)[:3, 3].tolist()
    return Solid("post", "box", Pose((x + shift, y, z)), (0.05, 0.05, 0.05))


def test_an_arm_that_is_deep_in_something_is_told_so() -> None:
    found = do_plan(job((post_at(BENT),), BENT, BENT + 0.4))
    assert (found.trajectory, found.why, found.second) == (None, "start", "post")
    found = do_plan(job((post_at(BENT),), BENT - np.array([1.0, 0, 0, 0, 0, 0]), BENT))
    assert (found.trajectory, found.why, found.second) == (None, "goal", "post")


def test_an_arm_that_touches_something_first_leaves_it() -> None:
    near, far = 0.0, 0.5
    while far - near > 1e-4:  # until the post touches
        middle = 0.5 * (near + far)
        touches = arm_among((post_at(BENT, middle),)).distance(BENT).distance < 0.0
        near, far = (middle, far) if touches else (near, middle)
    post = post_at(BENT, near)
    goal = BENT + np.array([1.2, 0.0, 0.0, 0.0, 0.0, 0.0])
    found = do_plan(job((post,), BENT, goal))
    assert found.trajectory is not None
    distances = arm_among((post,)).distances(np.array(found.trajectory.points))
    assert distances.min() >= distances[0] - 0.004  # never nearer than where it began
    assert (np.array(found.trajectory.points[-1]) == goal).all()
    back = do_plan(job((post,), goal, BENT))
    assert back.trajectory is not None


def test_a_pose_is_reached_around_a_post() -> None:
    start, goal = BENT - np.array([0.9, 0.0, 0.0, 0.0, 0.0, 0.0]), BENT + np.array([0.9, 0.0, 0.0, 0.0, 0.0, 0.0])
    x, y, z = CHAIN.forward(BENT)[:3, 3].tolist()
    post = Solid("post", "box", Pose((x, y, z)), (0.02, 0.02, 0.4))
    found = do_plan(job((post,), start, from_matrix(CHAIN.forward(goal))))
    assert found.trajectory is not None
    assert least_along(found, (post,)) >= 0.009
    assert CHAIN.forward(np.array(found.trajectory.points[-1])) == pytest.approx(CHAIN.forward(goal), abs=1e-5)
    far = do_plan(job((post,), start, Pose((9.0, 0.0, 0.0))))
    assert (far.trajectory, far.why) == (None, "reach")


def test_it_gives_up_after_a_while() -> None:
    planner, a, b = caged()
    asked = PlanJob(planner.clearance, LIMITS, 0.0, tuple(a.tolist()), tuple(b.tolist()))
    found = do_plan(asked, 0.0)
    assert (found.trajectory, found.why) == (None, "late")
    assert found.first
