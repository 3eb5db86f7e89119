"""The avoiding servo: no pair comes nearer than allowed, and motions that lead away are free."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from farhand.distances import AvoidingServo, Capsule, Clearance, Solid
from farhand.distances.clearance import Near
from farhand.errors import CommandError
from farhand.kernels import Floats
from farhand.kinematics import Guard, JointLimits, SerialChain, Servo
from farhand.poses import Pose
from farhand_bench.arms import irb120, limits_of
from farhand_bench.scenes import arm_among, boxes

PI, DT, KEEP = math.pi, 0.002, 0.005
CHAIN = irb120()
LIMITS = limits_of(CHAIN)
AMONG = arm_among(boxes())
SERVO = AvoidingServo(AMONG, LIMITS, DT, KEEP)
ZERO = np.zeros(6)
SLOW = 0.02  # m/s


def free_joints(clearance: Clearance, rng: np.random.Generator, room: float = KEEP) -> Floats:
    while True:
        q = rng.uniform(CHAIN.lower, CHAIN.upper)
        if clearance.free(q, room):
            return q


def allowed(row: Near) -> float:
    """Return how fast a pair may close: a plain formula beside the kernel's."""
    a = float(0.35 * np.abs(row.gradient) @ LIMITS.acceleration)
    x, h = row.distance - KEEP, a * (DT + 2 * 25.0 / 2500.0)
    return math.sqrt(h * h + 2 * a * x) - h if x > 0 else 0.0


@settings(max_examples=200)
@given(st.integers(0, 2**32 - 1))
def test_no_pair_closes_faster_than_it_can_brake(seed: int) -> None:
    rng = np.random.default_rng(seed)
    q = free_joints(AMONG, rng, rng.choice([-0.01, 0.0, KEEP]))
    rates = rng.uniform(-3, 3, 6) * rng.choice([0.0, 0.1, 1.0])
    T, wanted = CHAIN.forward(rng.uniform(CHAIN.lower, CHAIN.upper)), rng.normal(size=6) * 4
    for found in (SERVO.clear_tip(q, rates, T, rng.normal(size=6)), SERVO.clear_joints(q, rates, wanted)):
        chosen = found.step.rates
        assert (np.abs(chosen) <= LIMITS.velocity + 1e-9).all()
        if found.step.feasible:
            braking = np.isin(np.abs(found.step.active), (2, 4))
            assert (np.abs(chosen - rates) <= LIMITS.acceleration * DT + 1e-9)[~braking].all()
            for row in AMONG.near(q, 0.05):
                assert row.gradient @ chosen >= -allowed(row) - 1e-7
        nearest = AMONG.distance(q)
        assert found.distance == pytest.approx(nearest.distance, abs=1e-12) or found.distance < nearest.distance
        for pair in found.blocking:
            assert {pair.first, pair.second} <= {c.name for c in AMONG.capsules} | {s.name for s in AMONG.solids}


def test_far_from_everything_it_is_the_plain_servo() -> None:
    lonely = AvoidingServo(AMONG.among([]), LIMITS, DT, KEEP)
    plain, rng = Servo(CHAIN, LIMITS, DT), np.random.default_rng(1)
    q = np.array([0.2, 0.3, -0.2, 0.3, 0.8, 0.1])
    T, twist = CHAIN.forward(q + 0.05), rng.normal(size=6) * 0.1
    clear, bare = lonely.clear_tip(q, ZERO, T, twist), plain.tip(q, ZERO, T, twist)
    np.testing.assert_array_equal(clear.step.rates, bare.rates)
    assert clear.blocking == ()
    wanted = rng.normal(size=6)
    np.testing.assert_allclose(
        lonely.clear_joints(q, ZERO, wanted).step.rates, plain.joints(q, ZERO, wanted).rates, atol=1e-12
    )


def test_approach_stops_while_sliding_and_leaving_stay_free() -> None:
    wall = Solid("wall", "box", Pose((0.7, 0.0, 0.3)), (0.1, 1.0, 1.0))
    clearance = AMONG.among([wall])
    servo = AvoidingServo(clearance, LIMITS, DT, KEEP)
    guard = Guard(LIMITS, DT)
    q = np.array([0.0, 0.3, 0.0, 0.0, 1.2, 0.0])
    v, a = np.zeros(6), np.zeros(6)
    T = CHAIN.forward(q)
    T[0, 3] += 0.3
    blocked = set()
    for _ in range(2000):
        found = servo.clear_tip(q, v, T, ZERO)
        blocked |= {(pair.first, pair.second) for pair in found.blocking}
        q, v, a, _ = guard.step(q, v, a, found.step.rates)
        assert clearance.distance(q).distance >= KEEP - 5e-4
    assert blocked
    assert all(second == "wall" for _, second in blocked)
    assert clearance.distance(q).distance == pytest.approx(KEEP, abs=2e-3)
    # sideways the tip still goes where it is told, and back it is not held at all
    rates = v
    for _ in range(50):
        rates = servo.clear_tip(q, rates, CHAIN.forward(q), np.array([0.0, 0.02, 0.0, 0, 0, 0])).step.rates
    assert (CHAIN.jacobian(q) @ rates)[1] == pytest.approx(0.02, abs=3e-3)
    plain, retreat = Servo(CHAIN, LIMITS, DT), np.array([-0.02, 0.0, 0.0, 0, 0, 0])
    back, bare = servo.clear_tip(q, ZERO, CHAIN.forward(q), retreat), plain.tip(q, ZERO, CHAIN.forward(q), retreat)
    assert back.blocking == ()
    np.testing.assert_allclose(back.step.rates, bare.rates, atol=1e-9)


def wander(steps: int, seed: int) -> tuple[float, int]:
    """Chase random targets among boxes through servo and guard; return the least distance, and infeasible ticks."""
    rng = np.random.default_rng(seed)
    guard = Guard(LIMITS, DT)
    q = free_joints(AMONG, rng, 0.02)
    v, a = np.zeros(6), np.zeros(6)
    least, infeasible = math.inf, 0
    T, wanted = CHAIN.forward(q), np.zeros(6)
    for k in range(steps):
        if k % 250 == 0:
            T, wanted = CHAIN.forward(rng.uniform(CHAIN.lower, CHAIN.upper)), rng.uniform(-3, 3, 6)
        by_tip = (k // 1000) % 2 == 0
        found = SERVO.clear_tip(q, v, T, ZERO) if by_tip else SERVO.clear_joints(q, v, wanted)
        infeasible += not found.step.feasible
        before = v
        q, v, a, _ = guard.step(q, v, a, found.step.rates)
        assert (np.abs(found.step.rates) <= LIMITS.velocity + 1e-9).all()
        assert (np.abs(v - before) <= LIMITS.acceleration * DT + 1e-9).all()
        assert (q >= LIMITS.lower).all()
        assert (q <= LIMITS.upper).all()
        least = min(least, found.distance)
    return least, infeasible


def test_random_targets_never_lead_into_anything() -> None:
    least, _ = wander(8000, 1)
    assert 0.003 < least < 0.05


def test_limits_and_distances_hold_for_a_hundred_thousand_steps() -> None:
    for seed in range(25):
        least, infeasible = wander(4000, seed)
        assert least > 0.0015
        assert infeasible < 200


def test_carried_load_counts_from_the_next_step_on() -> None:
    bare = AMONG.among([Solid("wall", "box", Pose((0.75, 0.0, 0.3)), (0.1, 1.0, 1.0))])
    servo = AvoidingServo(bare, LIMITS, DT, KEEP)
    q = np.array([0.0, 0.5, 0.0, 0.0, 1.0, 0.0])
    before = servo.clear_joints(q, ZERO, ZERO).distance
    servo.among(bare.carrying(Solid("plank", "box", size=(0.2, 0.02, 0.02)), Pose((0.0, 0.0, 0.1))))
    assert servo.clear_joints(q, ZERO, ZERO).distance < before


def test_walls_and_distances_hold_together() -> None:
    q = np.array([0.2, 0.3, -0.2, 0.3, 0.8, 0.1])
    walls = np.tile(np.array([[0.0, 0.0, 1.0, 0.0]]), (40, 1))
    found = SERVO.clear_tip(q, ZERO, CHAIN.forward(q), np.array([0, 0, 0.01, 0, 0, 0]), walls)
    assert (CHAIN.jacobian(q) @ found.step.rates)[2] < 1e-9
    assert found.step.walls.shape == (40,)
    assert found.step.walls.sum() == 1
    lifted = CHAIN.jacobian(q)[2] * 0.1
    assert (CHAIN.jacobian(q) @ SERVO.clear_joints(q, ZERO, lifted, walls).step.rates)[2] < 1e-9


def test_more_walls_than_before_leave_contact_speeds_unchanged() -> None:
    q, servo = np.array([0.2, 0.3, -0.2, 0.3, 0.8, 0.1]), AvoidingServo(AMONG, LIMITS, DT, KEEP)
    servo.around[1 + CHAIN.n :] = 0.1
    around = servo.around
    servo.clear_joints(q, ZERO, ZERO, np.tile(np.array([[0.0, 0.0, 1.0, 0.1]]), (40, 1)))
    assert servo.around is around  # arenas keep views of it
    assert servo.touch_speed(0, 0) == 0.1


def gantry(slides: float = math.inf) -> AvoidingServo:
    """Return a tool that goes up and down (joint 0) and along x (joint 1) beside a block that it may touch slowly."""
    rows = [(0, PI / 2, 0, PI / 2, "prismatic"), (0, 0, 0, 0, "prismatic")]
    chain = SerialChain.from_dh(rows, [-1, -1], [1, 1])
    tool, block = Capsule(1, (-0.01, 0, 0), (0.01, 0, 0), 0.02, "tool"), Solid("block", "box", size=(0.1, 0.1, 0.1))
    servo = AvoidingServo(Clearance(chain, [tool], [block]), limits_of(chain), DT, KEEP, slides=slides)
    servo.around[1 + chain.n : 1 + chain.n + 2] = SLOW
    return servo


@pytest.mark.parametrize(("up", "along"), [(0.095, 0.105), (0.105, 0.095), (0.105, 0.105), (0.115, 0.097)])
def test_tool_across_an_edge_comes_slowly_to_both_faces(up: float, along: float) -> None:
    """The link inside the capsule may be in front of either face, whichever is nearer to the capsule."""
    servo = gantry()
    for joint in (0, 1):
        wanted, rates = np.zeros(2), np.zeros(2)
        wanted[joint] = -0.5
        for _ in range(50):
            rates = servo.clear_joints(np.array([up, along]), rates, wanted).step.rates
        assert rates[joint] >= -SLOW - 1e-6
        assert rates[joint] < -0.5 * SLOW
        back = servo.clear_joints(np.array([up, along]), np.zeros(2), -wanted).step
        assert back.rates[joint] > 0.0


def test_a_fast_sliding_pair_comes_no_nearer_but_slides_and_leaves_freely() -> None:
    servo, q = gantry(slides=4.0), np.array([0.12, 0.0])
    for slid, allowed in ((3.0, 1.0), (6.0, 0.5), (9.0, 0.1)):  # times the contact speed
        rates, wanted = np.array([0.0, slid * SLOW]), np.array([-0.5, slid * SLOW])
        for _ in range(50):
            found = servo.clear_joints(q, rates, wanted)
            rates = found.step.rates
        assert rates == pytest.approx([-allowed * SLOW, slid * SLOW], abs=1e-6)
        assert all((pair.slides > 0.0) == (allowed < 1.0) for pair in found.blocking)
        assert servo.clear_joints(q, rates, np.array([0.5, slid * SLOW])).step.rates[0] > rates[0]


def test_a_solid_that_moves_with_the_arm_does_not_count_as_sliding() -> None:
    servo, q = gantry(slides=4.0), np.array([0.12, 0.0])
    servo.around[0] = 9.0 * SLOW
    servo.around[-6] = 9.0 * SLOW  # the block goes along x as well
    rates, wanted = np.array([0.0, 9.0 * SLOW]), np.array([-0.5, 9.0 * SLOW])
    for _ in range(50):
        rates = servo.clear_joints(q, rates, wanted).step.rates
    assert rates == pytest.approx([-SLOW, 9.0 * SLOW], abs=1e-6)


def test_however_much_is_near_nothing_that_binds_is_left_out() -> None:
    block = Solid("block", "box", size=(0.1, 0.1, 0.1))
    alone = gantry()
    crowd = [Solid(f"block {k}", "box", size=(0.1, 0.1, 0.1)) for k in range(60)]
    among = AvoidingServo(alone.clearance.among([*crowd, block]), alone.limits, DT, KEEP)
    among.around[3:] = 1.5 * SLOW
    among.around[4 + len(crowd)] = SLOW  # the last one is to be touched more slowly
    rates, wanted = np.zeros(2), np.array([0.0, -0.5])
    for _ in range(50):
        rates = among.clear_joints(np.array([0.105, 0.095]), rates, wanted).step.rates
    assert rates == pytest.approx([0.0, -SLOW], abs=1e-6)


def test_a_fast_sliding_tip_that_cannot_turn_away_at_once_keeps_clear() -> None:
    q = np.array([0.0, 0.5, 0.0, 0.0, 1.0, 0.0])
    x, _, z = CHAIN.forward(q)[:3, 3].tolist()
    low = AMONG.among([Solid("table", "box", Pose((x, 0.0, z - 0.3)), (0.2, 0.2, 0.1))])
    up = low.distance(q).distance - 0.001
    table = low.among([Solid("table", "box", Pose((x, 0.0, z - 0.3 + up)), (0.2, 0.2, 0.1))])
    servo = AvoidingServo(table, LIMITS, DT, KEEP)
    servo.around[1 + CHAIN.n : 2 + CHAIN.n + len(table.capsules)] = SLOW
    rates = np.linalg.solve(CHAIN.jacobian(q), np.array([0.4, 0.0, -0.5 * SLOW, 0.0, 0.0, 0.0]))
    wall = np.array([[math.sqrt(0.5), 0.0, -math.sqrt(0.5), 0.0]])  # as friction tilts it
    for found in (
        servo.clear_joints(q, rates, rates, wall),
        servo.clear_tip(q, rates, CHAIN.forward(q), CHAIN.jacobian(q) @ rates, wall),
    ):
        chosen = found.step.rates
        assert (np.abs(chosen - rates) <= LIMITS.acceleration * DT + 1e-9).all()
        assert wall[0, :3] @ (CHAIN.jacobian(q) @ chosen)[:3] < wall[0, :3] @ (CHAIN.jacobian(q) @ rates)[:3]
        for row in table.near(q, 0.01):
            assert row.gradient @ chosen >= -SLOW - 1e-6


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_numbers_that_are_not_finite_stand_still(bad: float) -> None:
    q = np.array([0.2, 0.3, -0.2, 0.3, 0.8, 0.1])
    for found in (
        SERVO.clear_tip(q, ZERO, CHAIN.forward(q), np.full(6, bad)),
        SERVO.clear_tip(q * bad, ZERO, CHAIN.forward(q), ZERO),
        SERVO.clear_joints(q, ZERO, q * bad),
        SERVO.clear_joints(q * bad, ZERO, ZERO),
    ):
        assert (found.step.rates == 0.0).all()
        assert not found.step.feasible


def test_settings_must_make_sense() -> None:
    with pytest.raises(CommandError, match="the distance to keep must be between 0 and 1 m, found -1"):
        AvoidingServo(AMONG, LIMITS, DT, -1.0)


# ── Tasks and dropped dimensions ────────────────────────────────────────────────────────────────────────────────


def seven() -> SerialChain:
    rows = [
        (0, -PI / 2, 0.34, 0), (0, PI / 2, 0, 0), (0, PI / 2, 0.4, 0), (0, -PI / 2, 0, 0),
        (0, -PI / 2, 0.4, 0), (0, PI / 2, 0, 0), (0, 0, 0.126, 0),
    ]  # fmt: skip
    return SerialChain.from_dh(rows, [-2.9] * 7, [2.9] * 7)


def test_redundant_arm_is_drawn_to_a_posture_while_its_tip_stays() -> None:
    chain = seven()
    limits, start = limits_of(chain), np.array([0.3, 0.6, 0.2, -1.2, 0.1, 0.9, 0.2])
    T, q, v = chain.forward(start), start, np.zeros(7)
    # another posture with the tip in the same place
    posture = chain.inverse(T, start - np.array([0, 0, 0.6, 0, 0, 0, 0])).q
    servo = Servo(chain, limits, DT, posture=posture, posture_weight=1e-3)
    for _ in range(3000):
        v = servo.tip(q, v, T, ZERO).rates
        q = q + v * DT
    assert np.linalg.norm(q - posture) < 0.2 * np.linalg.norm(start - posture)
    np.testing.assert_allclose(chain.forward(q)[:3, 3], T[:3, 3], atol=2e-3)
    plain, still = Servo(chain, limits, DT), start
    for _ in range(200):
        still = still + plain.tip(still, np.zeros(7), T, ZERO).rates * DT
    np.testing.assert_allclose(still, start, atol=1e-6)


def test_dimension_without_weight_is_not_followed() -> None:
    q = np.array([0.2, 0.3, -0.2, 0.3, 0.8, 0.1])
    servo = Servo(CHAIN, LIMITS, DT, weights=(1, 1, 1, 0, 0, 0))
    v = np.zeros(6)
    for _ in range(200):
        step = servo.tip(q, v, CHAIN.forward(q), np.array([0.05, 0, 0, 0.5, 0, 0]))
        v = step.rates
    twist = CHAIN.jacobian(q) @ v
    np.testing.assert_allclose(twist[:3], [0.05, 0, 0], atol=1e-3)
    assert abs(twist[3]) < 0.3
    assert step.dropped == ()


def scara() -> SerialChain:
    rows = [
        (0.3, 0, 0.2, 0, "revolute"), (0.25, PI, 0, 0, "revolute"), (0, 0, 0, 0, "prismatic"),
        (0, 0, 0.05, 0, "revolute"),
    ]  # fmt: skip
    return SerialChain.from_dh(rows, [-2.4, -2.6, 0.0, -np.inf], [2.4, 2.6, 0.2, np.inf])


def test_an_arm_with_few_joints_names_dropped_dimensions_and_follows_the_others() -> None:
    chain = scara()
    servo = Servo(chain, limits_of(chain), DT)
    q, v = np.array([0.3, 0.8, 0.1, 0.2]), np.zeros(4)
    twist = np.array([0.05, -0.02, 0.03, 0.2, 0.1, 0.3])
    for _ in range(100):
        step = servo.tip(q, v, chain.forward(q), twist)
        v = step.rates
    assert step.dropped == ("turn about x", "turn about y")
    np.testing.assert_allclose((chain.jacobian(q) @ v)[[0, 1, 2, 5]], twist[[0, 1, 2, 5]], atol=1e-3)
    assert Servo(CHAIN, LIMITS, DT).tip(np.full(6, 0.5), ZERO, CHAIN.forward(ZERO), ZERO).dropped == ()


def test_tasks_must_make_sense() -> None:
    limits: JointLimits = LIMITS
    with pytest.raises(CommandError, match="the tip's weights must be 6 numbers"):
        Servo(CHAIN, limits, DT, weights=(1, 1))
    with pytest.raises(CommandError, match="the tip's weights must not be negative"):
        Servo(CHAIN, limits, DT, weights=(1, 1, 1, 1, 1, -1))
    with pytest.raises(CommandError, match="the posture must be 6 numbers"):
        Servo(CHAIN, limits, DT, posture=[0.0])
    with pytest.raises(CommandError, match="the weight of the posture must not be negative"):
        Servo(CHAIN, limits, DT, posture=ZERO, posture_weight=-1)


def test_capsule_that_no_joint_moves_towards_a_solid_gets_no_row() -> None:
    """A pair whose distance no joint changes must not make the program infeasible."""
    chain = SerialChain.from_dh([(0, 0, 0, 0)], [-3], [3])
    spindle = Capsule(0, (0, 0, 0), (0, 0, 0.2), 0.05, "spindle")
    clearance = Clearance(chain, [spindle], [Solid("post", "sphere", Pose((0.06, 0, 0.1)), (0.02,))])
    servo = AvoidingServo(clearance, limits_of(chain), DT)
    found = servo.clear_joints(np.zeros(1), np.zeros(1), np.array([0.04]))
    assert found.step.feasible
    assert found.step.rates[0] == pytest.approx(0.04)
