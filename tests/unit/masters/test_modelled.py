"""Modelled masters: a device, a hand, an intent; and the wall that stops them."""

import math
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from farhand.config import ConfigError
from farhand.devices import DEVICES, Device
from farhand.errors import CommandError
from farhand.masters import MASTERS, Manual, Master
from farhand.masters.intents import PathIntent, PathSpec
from farhand.masters.modelled import Modelled
from farhand.masters.modelled_hand import HANDS
from farhand.masters.passivity import Port, PortMemory
from farhand.poses import IDENTITY, Pose, Vec3, angle_between, from_matrix, from_rotation_vector, moved
from farhand.robots import load_robot
from farhand.types import Feedback, Reading, Twist, Wrench

DT = 0.002
NAMES = ["cyberimpact", "delta", "leader", "mtm", "stewart", "touch"]
Felt = Callable[[Reading], Vec3]


def device(name: str, **settings: Any) -> Device:
    return DEVICES[name]({"model": load_robot("irb120")} | settings if name == "leader" else settings)


def model(name: str, intent: Master, hand: str = "normal", **given: Any) -> Modelled:
    return Modelled(device(name), HANDS[hand], intent, **given)


def free(_: Reading) -> Vec3:
    return (0.0, 0.0, 0.0)


def run(
    master: Modelled, seconds: float, felt: Felt = free, start: int = 0, *, deflected: bool = False
) -> list[Reading]:
    """Return the readings of a master over a time; the force answers each of them a tick later."""
    readings: list[Reading] = []
    force: Vec3 = (0.0, 0.0, 0.0)
    for n in range(start, start + round(seconds / DT)):
        reading = master.step(Feedback(n, felt=Wrench(force), deflected=deflected), n * DT)
        assert reading is not None
        readings.append(reading)
        force = felt(reading)
    return readings


def tips(readings: list[Reading]) -> Any:
    return np.array([r.pose.position for r in readings if r.pose])


# ── paths ────────────────────────────────────────────────────────────────────────────────────────────────────────────

SPECS = st.builds(
    PathSpec,
    shape=st.sampled_from(["line", "sweep", "circle", "eight", "spiral"]),
    axis=st.sampled_from(["x", "y", "z"]),
    amplitude=st.floats(0.001, 0.1),
    period=st.floats(0.5, 10.0),
    seconds=st.sampled_from([0.0, 3.0]),
    ease=st.sampled_from([0.0, 0.5, 2.0]),
) | st.builds(
    PathSpec,
    shape=st.just("reach"),
    points=st.lists(st.tuples(*[st.floats(-0.1, 0.1)] * 3), min_size=1, max_size=3).map(tuple),
    period=st.floats(0.5, 3.0),
    repeat=st.booleans(),
)


@given(SPECS, st.floats(0.001, 12.0))
def test_a_paths_velocity_is_the_slope_of_its_position(spec: PathSpec, time: float) -> None:
    if spec.ease == 0.0 and abs(time - spec.length) < 1e-3:
        return  # stops dead there
    before, after = spec.at(time - 1e-6)[0], spec.at(time + 1e-6)[0]
    slope = (np.array(after) - before) / 2e-6
    fastest = math.tau * spec.amplitude / spec.period + 1.0
    np.testing.assert_allclose(spec.at(time)[1], slope, atol=1e-4 * fastest)


@given(SPECS)
def test_a_path_starts_at_its_start_and_stays_within_its_size(spec: PathSpec) -> None:
    assert spec.at(-1.0)[0] == spec.at(0.0)[0] == (0.0, 0.0, 0.0)
    if spec.shape not in ("reach", "spiral"):
        most = max(max(map(abs, spec.at(t)[0])) for t in np.linspace(0, 12, 500))
        assert most <= spec.amplitude * (2.0 if spec.shape == "circle" else 1.0) * (1 + 1e-9)
    if spec.length < 12.0:
        end, rate = spec.at(spec.length + 0.1)
        assert rate == (0.0, 0.0, 0.0)
        np.testing.assert_allclose(end, spec.at(spec.length + 5.0)[0], atol=1e-12)


def test_shapes_match_their_names() -> None:
    times = np.linspace(0, 8, 4001)

    def places(**given: Any) -> Any:
        spec = PathSpec(amplitude=0.05, period=4.0, ease=0.0, **given)
        return np.array([spec.at(t)[0] for t in times]), np.array([spec.at(t)[1] for t in times])

    spiral, speed = places(shape="spiral", axis="z", rise=0.03)
    np.testing.assert_allclose(spiral[:, 2], 0.03 * times / 4.0, atol=1e-12)
    np.testing.assert_allclose(np.hypot(spiral[:, 0] + 0.05, spiral[:, 1]), 0.05, atol=1e-12)
    steady = math.hypot(math.tau * 0.05, 0.03) / 4.0
    np.testing.assert_allclose(np.linalg.norm(speed, axis=1), steady, atol=1e-12)
    line, _ = places(shape="line", axis="y")
    np.testing.assert_allclose(line[:, 1], 0.05 * np.sin(times * math.pi / 2), atol=1e-12)
    assert not line[:, [0, 2]].any()
    sweep, speed = places(shape="sweep", axis="x")
    assert sweep[:, 0].max() == pytest.approx(0.05, rel=1e-4)
    assert sweep[:, 0].min() == pytest.approx(-0.05, rel=1e-4)
    steady = np.abs(speed[:, 0]) > np.abs(speed[:, 0]).max() * (1 - 1e-9)
    assert steady.mean() == pytest.approx(0.8, abs=0.01)  # all but the round turns
    circle, speed = places(shape="circle", axis="z")
    np.testing.assert_allclose(np.linalg.norm(circle[:, :2] + [0.05, 0.0], axis=1), 0.05, atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(speed, axis=1), math.tau * 0.05 / 4.0, rtol=1e-9)
    eight, _ = places(shape="eight", axis="x")
    assert not eight[:, 0].any()
    np.testing.assert_allclose(eight[250], [0.0, 0.05 * math.sin(math.pi / 4), 0.025], atol=1e-9)


def test_a_reach_has_minimum_jerk_and_can_repeat() -> None:
    spec = PathSpec(shape="reach", points=((0.1, 0.0, 0.0), (0.1, 0.2, 0.0)), period=2.0)
    place, speed = spec.at(1.0)
    assert place == pytest.approx((0.05, 0.0, 0.0))
    assert speed == pytest.approx((1.875 * 0.1 / 2.0, 0.0, 0.0))
    assert spec.at(2.0)[0] == pytest.approx((0.1, 0.0, 0.0))
    assert spec.at(9.0) == ((0.1, 0.2, 0.0), (0.0, 0.0, 0.0))
    again = PathSpec(shape="reach", points=spec.points, period=2.0, repeat=True)
    assert again.at(6.0)[0] == pytest.approx((0.0, 0.0, 0.0))
    assert again.at(7.0)[0] == pytest.approx((0.05, 0.0, 0.0))


def test_a_path_is_released_first_held_while_it_runs_and_released_at_the_end() -> None:
    path = PathIntent(PathSpec(shape="line", delay=0.5, seconds=1.0), Pose((1.0, 2.0, 3.0)))
    readings = [path.step(Feedback(n), 7.0 + n * 0.25) for n in range(9)]
    assert [r.deadman for r in readings if r] == [False, False, True, True, True, True, False, False, False]
    first = readings[0]
    assert first
    assert first.pose == Pose((1.0, 2.0, 3.0))
    assert [r.tick for r in readings if r] == list(range(9))
    at_once = PathIntent(PathSpec(shape="line"))
    assert [r.deadman for n in range(3) if (r := at_once.step(Feedback(n), n * DT))] == [False, True, True]


def test_a_reach_without_points_is_refused() -> None:
    with pytest.raises(CommandError, match="a reach needs at least one point"):
        PathIntent(PathSpec(shape="reach"))


# ── free motion ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", NAMES)
def test_joints_pose_and_twist_are_consistent_and_never_jump(name: str) -> None:
    master = model(name, PathIntent(PathSpec(shape="eight", axis="x", amplitude=0.03, period=2.0)))
    kinematics = master.device.kinematics
    readings = run(master, 3.0)
    for before, after in pairwise(readings):
        assert before.pose
        assert after.pose
        assert after.twist
        np.testing.assert_allclose(kinematics.forward(after.joints)[:3, 3], after.pose.position, atol=2e-6)
        shift = np.subtract(after.pose.position, before.pose.position)
        np.testing.assert_allclose(after.twist.linear, shift / DT, atol=1e-9)
        assert np.abs(np.subtract(after.joints, before.joints)).max() < 0.01
        assert ((kinematics.lower <= after.joints) & (np.array(after.joints) <= kinematics.upper)).all()
    # the hand follows its intent with a small delay
    assert np.linalg.norm(np.subtract(readings[-1].pose.position, master.intended.position)) < 0.004  # type: ignore[union-attr]  # seen above
    assert np.ptp(tips(readings)[:, 1]) == pytest.approx(0.06, abs=0.006)


def test_readings_are_numbered_and_pass_buttons_and_view_through() -> None:
    intent = Manual()
    master = model("touch", intent)
    first = master.step(Feedback(10), 1.0)
    assert first
    assert (first.sequence, first.tick, first.deadman) == (11, 10, False)
    view = from_rotation_vector((0.0, 0.0, 1.0))
    intent.set(deadman=True, grip=0.4, presses={"a": 2}, epoch=3, view=view)
    second = master.step(Feedback(10), 1.002)
    assert second
    assert (second.sequence, second.deadman, second.grip, second.epoch) == (12, True, 0.4, 3)
    assert (second.presses, second.view, second.axes) == ({"a": 2}, view, ())
    assert second.joints == pytest.approx(master.device.rest)


def test_it_starts_at_rest_and_stays_there_without_an_intent() -> None:
    master = model("mtm", Manual())
    readings = run(master, 0.5)
    np.testing.assert_allclose(tips(readings), [tips(readings)[0]] * len(readings), atol=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_it_follows_a_pose(name: str) -> None:
    intent = Manual()
    master = model(name, intent)
    aim = moved(master.pose, (0.02, -0.03, 0.01), (0.0, 0.0, 0.0))
    intent.set(pose=aim)
    last = run(master, 2.0)[-1]
    assert last.pose
    np.testing.assert_allclose(last.pose.position, aim.position, atol=1e-4)


@pytest.mark.parametrize("name", sorted(set(NAMES) - {"delta"}))
def test_it_follows_a_rotation(name: str) -> None:
    intent = Manual()
    master = model(name, intent)
    aim = moved(master.pose, (0.0, 0.0, 0.0), (0.1, -0.15, 0.2))
    intent.set(pose=aim)
    last = run(master, 2.0)[-1]
    assert last.pose
    assert angle_between(last.pose.rotation, aim.rotation) < 1e-3


@pytest.mark.parametrize("name", NAMES)
def test_it_follows_joints(name: str) -> None:
    intent = Manual()
    master = model(name, intent)
    kinematics = master.device.kinematics
    span = np.minimum(kinematics.upper - kinematics.lower, 2.0)
    aim = np.array(master.device.rest) + span * 0.1 * np.resize([1.0, -0.7, 0.4], kinematics.n)
    intent.set(joints=tuple(aim.tolist()))
    readings = run(master, 3.0)
    np.testing.assert_allclose(readings[-1].joints, aim, atol=1e-4)
    steps = np.abs(np.diff([r.joints for r in readings], axis=0)).max()
    assert steps < 0.02


def test_a_leader_follows_joints_through_a_stretched_wrist() -> None:
    """Led by its tip alone an arm may turn its wrist over where joint 5 is zero; led by joints it goes straight on."""
    intent = Manual()
    master = model("leader", intent, hand="firm")
    aim = np.array(master.device.rest)
    for n in range(2000):
        aim[4] = 1.12 * math.cos(n * DT * 1.5)
        intent.set(joints=tuple(aim.tolist()))
        reading = master.step(Feedback(n), n * DT)
        assert reading
        assert np.abs(np.subtract(reading.joints, aim))[[3, 5]].max() < 0.02
    assert aim[4] > 0.5  # it was through zero and back
    assert master.joints[4] == pytest.approx(aim[4], abs=0.05)


def test_axes_move_the_intended_pose() -> None:
    intent = Manual()
    master = model("cyberimpact", intent, speed=0.05, turn=0.2)
    intent.set(axes=(0.5, 0.0, -1.0, 0.0, 0.0, 1.0))
    run(master, 1.0)
    np.testing.assert_allclose(master.intended.position, [0.025, 0.0, -0.05], atol=2e-4)
    assert angle_between(master.intended.rotation, IDENTITY.rotation) == pytest.approx(0.2, abs=1e-3)


def test_axes_pass_through_to_a_robot_driven_by_deflections() -> None:
    intent = Manual()
    master = model("cyberimpact", intent)
    here = master.intended
    intent.set(deadman=True, axes=(0.5, -1.0), pose=here)
    assert run(master, 0.1)[-1].axes == ()
    last = run(master, 0.5, start=50, deflected=True)[-1]
    assert last.axes == (0.5, -1.0)
    assert last.pose
    np.testing.assert_allclose(last.pose.position, here.position, atol=1e-9)


def test_stale_axes_count_as_zero() -> None:
    master = model("cyberimpact", Silent(Reading(deadman=True, axes=(1.0,), pose=Pose())))
    readings = run(master, 1.0, deflected=True)
    assert readings[1].axes == (1.0,)
    assert readings[-1].axes == (0.0,)  # it has come to rest; none at all would count as lost


@pytest.mark.parametrize("name", NAMES)
def test_it_stops_at_the_end_of_its_travel(name: str) -> None:
    intent = Manual()
    master = model(name, intent, hand="firm", speed=0.3)
    intent.set(axes=(1.0, -1.0, 1.0))
    reading = run(master, 3.0)[-1]
    assert reading.pose
    x, y, z = reading.pose.position
    (a, b, c), (d, e, f) = master.device.lower, master.device.upper
    np.testing.assert_allclose((x, y, z), (d, b, f), atol=2e-4)
    assert a < x <= d + 1e-6
    assert b - 1e-6 <= y < e
    assert c < z <= f + 1e-6
    intent.set(axes=())
    still = run(master, 0.5, start=1500)[-1]
    assert still.twist
    np.testing.assert_allclose(still.twist.linear, 0.0, atol=1e-3)


def test_an_intent_that_jumps_is_followed_as_fast_as_a_hand_can() -> None:
    intent = Manual()
    master = model("delta", intent)
    run(master, 0.1)
    intent.set(pose=Pose((5.0, -5.0, 2.0)))
    way = tips(run(master, 2.0, start=50))
    assert (np.linalg.norm(np.diff(way, axis=0), axis=1) / DT).max() < 2.0
    np.testing.assert_allclose(way[-1], (0.15, -0.15, -0.32), atol=1e-3)


@pytest.mark.parametrize(
    "bad",
    [
        {"pose": Pose((math.nan, 0.0, 0.0))},
        {"pose": Pose(rotation=(0.0, 0.0, 0.0, 0.0))},
        {"pose": Pose(rotation=(math.nan, 0.0, 0.0, 1.0))},
        {"joints": (0.0, math.inf, 0.0, 0.0, 0.0, 0.0)},
        {"joints": (0.0, 0.0)},
        {"axes": (math.nan,)},
    ],
)
def test_an_intent_that_is_not_finite_moves_nothing_and_releases(bad: dict[str, Any]) -> None:
    intent = Manual()
    master = model("touch", intent)
    intent.set(deadman=True)
    assert run(master, 0.1)[-1].deadman
    rest = master.pose
    intent.set(**bad)
    readings = run(master, 0.1, start=50)
    assert not readings[-1].deadman
    np.testing.assert_allclose(master.pose.position, rest.position, atol=1e-6)
    intent.set(pose=None, joints=(), axes=())
    assert run(master, 0.1, start=100)[-1].deadman


def test_a_delta_of_joints_without_a_platform_moves_nothing() -> None:
    intent = Manual()
    master = model("delta", intent)
    intent.set(joints=(1.5, -1.5, -1.5), deadman=True)
    readings = run(master, 3.0)
    assert np.isfinite(tips(readings)).all()


def test_force_feedback_that_is_not_finite_is_ignored() -> None:
    master = model("cyberimpact", Manual())
    run(master, 0.01)
    master.step(Feedback(5, felt=Wrench((math.nan, 0.0, 0.0))), 0.01)
    assert master.felt == Wrench()


def test_time_that_stops_or_jumps_does_not_move_the_hand_far() -> None:
    intent = Manual()
    master = model("cyberimpact", intent)
    run(master, 0.1)
    intent.set(axes=(1.0,))
    for now in (0.1, 0.1, 0.05):
        reading = master.step(Feedback(60), now)
        assert reading
        assert reading.pose == master.pose
    before = master.intended.position[0]
    master.step(Feedback(61), 100.0)
    assert master.intended.position[0] - before <= 0.1 * 0.02 + 1e-12


class Silent:
    """An intent that gives a single reading."""

    def __init__(self, reading: Reading) -> None:
        self.reading: Reading | None = reading

    def step(self, feedback: Feedback, now: float) -> Reading | None:
        del feedback, now
        reading, self.reading = self.reading, None
        return reading


def test_an_intent_without_new_readings_keeps_its_target() -> None:
    master = model("cyberimpact", Silent(Reading(deadman=True, pose=Pose((0.02, 0.0, 0.0)))))
    last = run(master, 2.0)[-1]
    assert last.deadman
    assert last.pose
    assert last.pose.position[0] == pytest.approx(0.02, abs=1e-4)


# ── force feedback
# ─────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("hand", sorted(HANDS))
def test_an_active_force_moves_the_hand_only_on_credit(hand: str) -> None:
    """A force that pulls without being pushed first needs energy, such as the depth of an attracting fixture's well."""
    poor = model("cyberimpact", Manual(), hand=hand)
    rich = model("cyberimpact", Manual(), hand=hand, credit=0.3)
    K = HANDS[hand].stiffness
    run(poor, 4.0, lambda _: (0.0, -4.0, 0.0))
    assert poor.memory.energy >= -1e-3
    assert -poor.pose.position[1] < 0.5 * 4.0 / K
    run(rich, 4.0, lambda _: (0.0, -4.0, 0.0))
    assert rich.pose.position[1] == pytest.approx(-4.0 / K, rel=1e-3)
    assert rich.felt.force[1] == pytest.approx(-4.0, rel=1e-3)
    assert 0.0 < rich.memory.energy < 0.3


@pytest.mark.parametrize("name", ["touch", "delta"])
def test_a_passive_wrist_or_a_delta_exerts_no_torque(name: str) -> None:
    master = model(name, Manual())
    for n in range(200):
        master.step(Feedback(n, felt=Wrench(torque=(0.5, 0.2, -0.1))), n * DT)
    np.testing.assert_allclose(master.felt.torque, 0.0, atol=1e-9)
    assert (
        angle_between(master.pose.rotation, from_matrix(device(name).kinematics.forward(device(name).rest)).rotation)
        < 1e-6
    )


def press(
    name: str, hand: str, stiffness: float, lead: float = 0.02, **settings: Any
) -> tuple[Modelled, Any, Any, Any]:
    """Press a hand into a wall 10 mm off and come back.

    Returns:
        The master, and per tick: metres behind the wall, the force felt, the energy put in.
    """
    spec = PathSpec(shape="reach", points=((0.01 + lead, 0.0, 0.0), (0.01 + lead, 0.0, 0.0), (0.0, 0.0, 0.0)))
    master = Modelled(device(name, **settings), HANDS[hand], PathIntent(spec))
    wall = master.pose.position[0] + 0.01
    deep, felt, energy = [], [], []

    def push(reading: Reading) -> Vec3:
        assert reading.pose
        behind = reading.pose.position[0] - wall
        deep.append(behind)
        felt.append(master.felt.force[0])
        energy.append(master.memory.energy)
        if behind <= 0.0:
            return (0.0, 0.0, 0.0)
        return (-min(stiffness * behind, 1e6), 0.0, 0.0)

    run(master, 13.0, push)
    return master, np.array(deep), np.array(felt), np.array(energy)


HELD = slice(3500, 4000)  # the last second of pressing
WALLS = [1e3, 1e4, 1e5, math.inf]


@pytest.mark.parametrize("stiffness", WALLS)
@pytest.mark.parametrize("hand", sorted(HANDS))
@pytest.mark.parametrize("name", ["cyberimpact", "delta"])
def test_a_wall_stops_the_hand_and_makes_no_energy(name: str, hand: str, stiffness: float) -> None:
    _, deep, felt, energy = press(name, hand, stiffness, force=40.0)
    K = HANDS[hand].stiffness
    assert energy.min() >= -1e-3
    # a rigid wall gives a millimetre and a half at most, a soft one as a spring does
    soft = 0.02 * K / (K + min(stiffness, 1e9))
    assert deep.max() < max(soft * 1.1, 1.5e-3)
    assert np.ptp(deep[HELD]) < 2e-5
    assert -felt[HELD].mean() == pytest.approx(K * (0.02 - deep[HELD].mean()), rel=0.01)
    # and it lets go again
    assert deep[-1] == pytest.approx(-0.01, abs=1e-4)
    assert not felt[-500:].any()


@pytest.mark.parametrize("stiffness", WALLS)
@pytest.mark.parametrize("hand", sorted(HANDS))
@pytest.mark.parametrize("name", ["touch", "mtm"])
def test_a_weak_device_stops_a_soft_hand_and_slows_a_strong_one(name: str, hand: str, stiffness: float) -> None:
    master, deep, felt, energy = press(name, hand, stiffness)
    K, strength = HANDS[hand].stiffness, master.device.force
    assert energy.min() >= -1e-3
    assert -felt.min() <= strength * (1 + 1e-9)
    # the force feedback equals the hand's own force, and is at most that of the device
    assert -felt[HELD].mean() == pytest.approx(K * (0.02 - deep[HELD].mean()), rel=0.01)
    wanted = K * 0.02
    if stiffness > 1e4 and wanted < 0.9 * strength:
        assert deep.max() < 1e-3
    if stiffness > 1e4 and wanted > 1.2 * strength:
        assert -felt[HELD].mean() > 0.85 * strength


def test_without_the_port_a_hard_wall_makes_energy(monkeypatch: pytest.MonkeyPatch) -> None:
    def unlimited(_: Port, force: Any, dt: float, memory: PortMemory) -> PortMemory:
        return PortMemory(memory.energy, memory.store, force, memory.velocity)

    monkeypatch.setattr(Port, "allow", unlimited)
    _, _, _, energy = press("cyberimpact", "relaxed", math.inf)
    assert energy.min() < -1e-2


def test_a_device_without_force_lets_the_hand_through() -> None:
    _, deep, felt, energy = press("stewart", "normal", 1e4)
    assert deep.max() == pytest.approx(0.02, abs=1e-3)
    assert not felt.any()
    assert not energy.any()


# ── from a cell file ─────────────────────────────────────────────────────────────────────────────────────────────────


def make(**table: Any) -> Modelled:
    master = MASTERS["modelled"](table, Path())
    assert isinstance(master, Modelled)
    return master


def test_it_is_made_from_a_table() -> None:
    master = make(
        device="touch",
        hand="firm",
        settings={"force": 2.0},
        intent={"kind": "path", "shape": "circle", "axis": "x", "amplitude": 0.02},
    )
    assert (master.device.label, master.device.force, master.hand) == ("Geomagic Touch", 2.0, HANDS["firm"])
    readings = run(master, 1.0)
    assert [r.deadman for r in readings[:3]] == [False, True, True]
    np.testing.assert_allclose(tips(readings)[0], master.device.kinematics.forward(master.device.rest)[:3, 3])
    own = make(device="delta", hand={"mass": 1.0, "damping": 5.0, "stiffness": 50.0}, intent={"kind": "manual"})
    assert own.hand.stiffness == 50.0
    scripted = make(device="delta", intent={"kind": "scripted", "steps": [{"seconds": 1.0, "axes": [0.0, 1.0]}]})
    way = tips(run(scripted, 1.0))
    assert way[-1][1] == pytest.approx(0.1, abs=0.02)


def test_the_same_run_reads_the_same() -> None:
    def readings() -> list[Reading]:
        master = make(device="touch", intent={"kind": "path", "shape": "eight"})
        return run(master, 1.0, lambda r: (-300.0 * max(r.pose.position[0] + 0.15, 0.0) if r.pose else 0.0, 0.0, 0.0))

    assert readings() == readings()


@pytest.mark.parametrize(
    ("table", "text"),
    [
        ({"device": "tuch"}, "device: no device is called 'tuch'; there are: cyberimpact, delta, leader"),
        ({"hand": "strong"}, "hand: no hand is called 'strong'; there are: firm, normal, relaxed"),
        ({"intent": {"kind": "pth"}}, "intent.kind: no master is called 'pth'"),
        ({"intent": {}}, "intent.kind: no master is called None"),
        ({"intent": {"kind": "path", "size": 1.0}}, "intent: has no field 'size'"),
        ({"settings": {"force": "much"}}, "settings.force: expected a number"),
        ({"speed": 0.0}, "speed: expected a number above 0.0"),
    ],
)
def test_an_invalid_table_of_a_master_is_refused(table: dict[str, Any], text: str) -> None:
    with pytest.raises(ConfigError, match=text):
        make(**({"device": "touch", "intent": {"kind": "manual"}} | table))


def test_twist_of_a_reading_is_a_twist() -> None:
    master = model("touch", Manual())
    reading = master.step(Feedback(0), 0.0)
    assert reading
    assert reading.twist == Twist()
