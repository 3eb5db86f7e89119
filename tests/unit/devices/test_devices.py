"""Devices: each rests within its limits, reaches its travel, and keeps its force limits."""

import itertools
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import farhand.robots
from farhand.config import ConfigError
from farhand.devices import DEVICES, Device
from farhand.devices.force_limits import ForceLimits
from farhand.devices.touch import ROWS
from farhand.devices.travel import box_around
from farhand.errors import RobotFileError
from farhand.kernels import Floats
from farhand.kinematics import SerialChain
from farhand.robots import load_robot

IRB120 = load_robot("irb120")


def made(name: str, **settings: Any) -> Device:
    if name == "leader":
        settings = {"model": IRB120} | settings
    return DEVICES[name](settings)


ALL = {name: made(name) for name in DEVICES}
# the passive one with motors, to see that they work
ALL["driven stewart"] = made("stewart", force=20.0, torque=1.0)
NAMES = st.sampled_from(sorted(ALL))
SEEDS = st.integers(0, 2**32 - 1)


def places(device: Device, count: int) -> list[Floats]:
    sides = [np.linspace(a, b, count) for a, b in zip(device.lower, device.upper, strict=True)]
    return [np.array(place) for place in itertools.product(*sides)]


def joints_in_travel(device: Device, rng: np.random.Generator) -> Floats:
    T = device.kinematics.forward(device.rest)
    T[:3, 3] = rng.uniform(device.lower, device.upper)
    found = device.kinematics.inverse(T, device.rest)
    assert found.reached
    return found.q


def test_the_devices_of_the_papers_exist() -> None:
    assert set(DEVICES) >= {"touch", "delta", "cyberimpact", "stewart", "mtm", "leader"}


@pytest.mark.parametrize("name", sorted(ALL))
def test_it_rests_within_its_limits_and_its_travel(name: str) -> None:
    device = ALL[name]
    rest, tip = np.array(device.rest), device.kinematics.forward(device.rest)[:3, 3]
    assert rest.shape == (device.kinematics.n,)
    assert len(device.active) == len(device.kinematics.names) == device.kinematics.n
    assert ((device.kinematics.lower < rest) & (rest < device.kinematics.upper)).all()
    np.testing.assert_allclose(tip, 0.5 * (np.array(device.lower) + device.upper), atol=1e-9)
    assert device.force >= 0.0
    assert min(device.mass, device.inertia) > 0.0


@pytest.mark.parametrize("name", sorted(ALL))
def test_it_reaches_all_of_its_travel_in_its_rest_orientation(name: str) -> None:
    device = ALL[name]
    T = device.kinematics.forward(device.rest)
    for place in places(device, 5):
        T[:3, 3] = place
        found = device.kinematics.inverse(T, device.rest)
        assert found.reached, f"{place} is left by {found.position_error:g} m: {found.reason}"
        np.testing.assert_allclose(device.kinematics.forward(found.q), T, atol=3e-5)


@pytest.mark.parametrize("name", sorted(ALL))
def test_following_through_the_travel_is_continuous_and_stays_on_the_path(name: str) -> None:
    device = ALL[name]
    T, q = device.kinematics.forward(device.rest), np.array(device.rest)
    start, half = T[:3, 3].copy(), 0.5 * (np.array(device.upper) - device.lower)
    for t in np.linspace(0.0, 1.0, 1500):
        T[:3, 3] = start + 0.95 * half * np.sin(math.tau * t * np.array([1.0, 2.0, 3.0]))
        moved = device.kinematics.follow(T, q)
        assert np.abs(moved - q).max() < 0.05
        q = moved
        np.testing.assert_allclose(device.kinematics.forward(q)[:3, 3], T[:3, 3], atol=2e-4)


@given(NAMES, SEEDS)
def test_jacobian_is_the_slope_of_forward(name: str, seed: int) -> None:
    device = ALL[name]
    kinematics, q = device.kinematics, joints_in_travel(device, np.random.default_rng(seed))
    J, R = kinematics.jacobian(q), kinematics.forward(q)[:3, :3]
    for i in range(kinematics.n):
        d = np.zeros(kinematics.n)
        d[i] = 1e-6
        slope = (kinematics.forward(q + d) - kinematics.forward(q - d)) / 2e-6
        spin = slope[:3, :3] @ R.T
        np.testing.assert_allclose(J[:3, i], slope[:3, 3], rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(J[3:, i], (spin[2, 1], spin[0, 2], spin[1, 0]), rtol=1e-5, atol=1e-6)


def test_touch_is_the_papers_table_seen_with_z_up() -> None:
    table = SerialChain.from_dh(ROWS, [-9.0] * 6, [9.0] * 6)
    over = np.diag([1.0, -1.0, -1.0, 1.0])
    touch = ALL["touch"]
    for q in ([0.0] * 6, list(touch.rest), [0.3, 0.5, -1.2, 0.2, -0.4, 1.0]):
        np.testing.assert_allclose(touch.kinematics.forward(q), over @ table.forward(q), atol=1e-12)
    # two links of 132.1 mm and 30 mm of stylus: stretched out, and upright by the upper arm
    assert np.linalg.norm(touch.kinematics.forward([0, 0, 0, 0, 1.5708, 0])[:3, 3] - [0, 0, 0.1321]) == pytest.approx(
        2 * 0.1321 + 0.030, abs=1e-6
    )
    assert touch.kinematics.forward([0.0, math.pi / 2, -math.pi, 0.0, 0.0, 0.0])[2, 3] == pytest.approx(0.1321)
    assert touch.active == (True, True, True, False, False, False)
    sides = np.array(touch.upper) - touch.lower
    np.testing.assert_allclose(sides, [0.070, 0.160, 0.120], atol=1e-12)
    assert touch.force == 3.3


@pytest.mark.parametrize("name", ["touch", "mtm"])
def test_arms_stand_before_the_operator(name: str) -> None:
    device = ALL[name]
    x, y, _ = device.kinematics.forward(device.rest)[:3, 3]
    assert x < 0.0  # the hand is on the operator's side of the base
    assert y == pytest.approx(0.0)
    turned = np.array(device.rest)
    turned[0] += 0.2
    assert abs(device.kinematics.forward(turned)[2, 3] - device.kinematics.forward(device.rest)[2, 3]) < 1e-12


def test_cyberimpact_slides_three_inches_and_turns_about_the_handle() -> None:
    device = ALL["cyberimpact"]
    np.testing.assert_allclose(device.kinematics.forward([0.01, 0.02, 0.03, 0, 0, 0])[:3, 3], [0.01, 0.02, 0.03])
    np.testing.assert_allclose(device.kinematics.forward([0, 0, 0, 0.3, 0.2, 0.1])[:3, 3], 0.0, atol=1e-15)
    np.testing.assert_allclose(device.kinematics.jacobian([0.0] * 6)[3:, 3:], np.eye(3)[:, ::-1], atol=1e-15)
    np.testing.assert_allclose(device.upper, 0.0762)


def test_a_delta_can_be_smaller() -> None:
    half = made("delta", scale=0.5)
    np.testing.assert_allclose(half.rest, ALL["delta"].rest, atol=1e-9)
    np.testing.assert_allclose(half.upper, 0.5 * np.array(ALL["delta"].upper))


def test_a_leader_has_the_robots_joints_and_home() -> None:
    device = ALL["leader"]
    assert device.rest == tuple(joint.home for joint in IRB120.arm.joints)
    assert device.kinematics.names == tuple(joint.name for joint in IRB120.arm.joints)
    # the paper's table: the flange of an IRB 120 at zero
    np.testing.assert_allclose(device.kinematics.forward([0.0] * 6)[:3, 3], [0.302 + 0.072, 0.0, 0.63], atol=1e-9)
    half = made("leader", scale=0.5)
    q = [0.1, 0.3, -0.2, 0.4, 0.9, 0.5]
    whole, small = device.kinematics.forward(q), half.kinematics.forward(q)
    np.testing.assert_allclose(small[:3, 3], 0.5 * whole[:3, 3])
    np.testing.assert_allclose(small[:3, :3], whole[:3, :3])


def test_a_leader_can_be_read_from_a_file(tmp_path: Path) -> None:
    path = Path(farhand.robots.__file__).parent / "irb120" / "robot.toml"
    device = made("leader", model=str(path))
    np.testing.assert_allclose(device.kinematics.forward(device.rest), ALL["leader"].kinematics.forward(device.rest))
    with pytest.raises(RobotFileError, match=r"none\.toml"):
        made("leader", model=str(tmp_path / "none.toml"))


@pytest.mark.parametrize(
    ("name", "settings", "text"),
    [
        ("touch", {"strength": 4.0}, "has no field 'strength'; expected some of: force"),
        ("touch", {"force": -1.0}, "force: expected a number of at least 0.0"),
        ("delta", {"scale": 0.0}, "scale: expected a number of at least 0.1"),
        ("leader", {"model": 3}, "model: expected"),
    ],
)
def test_invalid_settings_are_refused(name: str, settings: dict[str, Any], text: str) -> None:
    with pytest.raises(ConfigError, match=text):
        made(name, **settings)


def test_a_box_shrinks_until_it_is_reachable() -> None:
    kinematics, rest = ALL["cyberimpact"].kinematics, np.zeros(6)
    lower, upper = box_around(kinematics, rest, (0.05, 0.06, 0.07))
    np.testing.assert_allclose((lower, upper), [(-0.05, -0.06, -0.07), (0.05, 0.06, 0.07)], atol=1e-12)
    lower, upper = box_around(kinematics, rest, (0.1524, 0.01, 0.01))
    assert upper[0] == pytest.approx(0.0762, rel=0.07)
    assert upper[0] <= 0.0762


# ── Force limits of motors ──────────────────────────────────────────────────────────────────────────────────────────

FORCE = st.tuples(*[st.floats(-100, 100)] * 3)
TORQUE = st.tuples(*[st.floats(-10, 10)] * 3)


@given(NAMES, SEEDS, FORCE, TORQUE)
def test_limits_of_motors_and_tip_hold(
    name: str, seed: int, force: tuple[float, ...], torque: tuple[float, ...]
) -> None:
    device = ALL[name]
    strength, q = ForceLimits(device), joints_in_travel(device, np.random.default_rng(seed))
    W = np.array(strength.exerted(tuple(q), (*force, *torque)))
    assert np.linalg.norm(W[:3]) <= device.force * (1 + 1e-9)
    torques = device.kinematics.jacobian(q).T @ W
    assert (np.abs(torques) <= strength.limits + 1e-6).all()
    passive = ~np.array(device.active)
    assert np.abs(torques[passive]).max(initial=0.0) <= 1e-6


@given(NAMES, SEEDS, st.tuples(*[st.floats(-1, 1)] * 3))
def test_a_small_force_is_exerted_unchanged(name: str, seed: int, force: tuple[float, ...]) -> None:
    device = ALL[name]
    q = joints_in_travel(device, np.random.default_rng(seed))
    W = ForceLimits(device).exerted(tuple(q), (*force, 0.0, 0.0, 0.0))
    wanted = force if device.force else (0.0, 0.0, 0.0)
    np.testing.assert_allclose(W[:3], wanted, atol=5e-3)


def test_a_passive_wrist_transmits_a_force_as_if_it_acted_at_the_wrist() -> None:
    device = ALL["touch"]
    wrist = device.kinematics.forward(device.rest)[:3] @ [0.0, 0.0, -0.030, 1.0]
    arm = wrist - device.kinematics.forward(device.rest)[:3, 3]
    W = np.array(ForceLimits(device).exerted(device.rest, (1.0, 2.0, -0.5, 0.0, 0.0, 0.0)))
    np.testing.assert_allclose(W[3:], np.cross(arm, W[:3]), atol=1e-6)


def test_no_torque_is_exerted_without_motors_for_it() -> None:
    assert ForceLimits(ALL["touch"]).exerted(ALL["touch"].rest, (0, 0, 0, 0.1, 0.2, 0.3)) == (0.0,) * 6
    np.testing.assert_allclose(ForceLimits(ALL["delta"]).exerted(ALL["delta"].rest, (0, 0, 0, 0.1, 0.2, 0.3)), 0.0)
    assert ForceLimits(ALL["stewart"]).exerted(ALL["stewart"].rest, (5, 0, 0, 0, 0, 0)) == (0.0,) * 6


def test_a_limited_force_keeps_its_direction() -> None:
    W = np.array(ForceLimits(ALL["touch"]).exerted(ALL["touch"].rest, (30.0, 40.0, 0.0, 0.0, 0.0, 0.0)))
    assert 2.0 < np.linalg.norm(W[:3]) <= 3.3
    np.testing.assert_allclose(W[:3] / np.linalg.norm(W[:3]), [0.6, 0.8, 0.0], atol=2e-3)
