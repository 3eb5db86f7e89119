"""Masters against another computation: MuJoCo's joints and tendons, and the published reports of a SpaceMouse."""

from __future__ import annotations

import math
import struct

import mujoco
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from farhand.devices import DEVICES
from farhand.kernels import Floats
from farhand.kinematics import Stewart
from farhand.masters.spacemouse import AT_REST, FULL_COUNTS, decode

# The research kit's published table of the MTM: (a, α, d, θ of joint zero), standard DH, metres and degrees.
MTM = (
    (0.0, 90.0, 0.0, -90.0),
    (0.2794, 0.0, 0.0, -90.0),
    (0.3645, -90.0, 0.0, 90.0),
    (0.0, 90.0, 0.1506, 0.0),
    (0.0, -90.0, 0.0, 0.0),
    (0.0, 90.0, 0.0, -90.0),
    (0.0, 0.0, 0.0, 90.0),
)
COUNT = st.integers(-FULL_COUNTS, FULL_COUNTS)


def arm_in_mujoco(rows: tuple[tuple[float, float, float, float], ...]) -> mujoco.MjModel:
    """Return a chain of hinges about z, each link's frame where its row of the table has it."""
    spec = mujoco.MjSpec()
    body = spec.worldbody
    for a, alpha, d, offset in rows:
        turn, twist = math.radians(offset) / 2, math.radians(alpha) / 2
        body = body.add_body(quat=[math.cos(turn), 0.0, 0.0, math.sin(turn)])
        body.add_joint(type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0.0, 0.0, 1.0])
        body.mass, body.inertia, body.explicitinertial = 1.0, [1.0, 1.0, 1.0], True
        body = body.add_body(pos=[a, 0.0, d], quat=[math.cos(twist), math.sin(twist), 0.0, 0.0])
    return spec.compile()


def tip_in_mujoco(model: mujoco.MjModel, q: Floats) -> Floats:
    data = mujoco.MjData(model)
    data.qpos[:] = q
    mujoco.mj_kinematics(model, data)
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = data.xmat[-1].reshape(3, 3), data.xpos[-1]
    return T


def test_an_mtm_moves_its_handle_as_the_published_table_does() -> None:
    chain = DEVICES["mtm"]({}).kinematics
    model, rng = arm_in_mujoco(MTM), np.random.default_rng(7)
    zero = np.zeros(7)
    T_base = chain.forward(zero) @ np.linalg.inv(tip_in_mujoco(model, zero))
    np.testing.assert_allclose(T_base[:3, 3], 0.0, atol=1e-12)  # the table's base, only turned
    for _ in range(30):
        q = rng.uniform(chain.lower, chain.upper)
        np.testing.assert_allclose(chain.forward(q), T_base @ tip_in_mujoco(model, q), atol=1e-9)


def test_an_mtm_inverse_reaches_the_wanted_pose() -> None:
    chain = DEVICES["mtm"]({}).kinematics
    model, rng = arm_in_mujoco(MTM), np.random.default_rng(8)
    zero = np.zeros(7)
    T_base = chain.forward(zero) @ np.linalg.inv(tip_in_mujoco(model, zero))
    for _ in range(15):
        q = rng.uniform(chain.lower, chain.upper)
        T = T_base @ tip_in_mujoco(model, q)
        found = chain.inverse(T, q + 0.05 * rng.standard_normal(7))
        assert found.reached
        np.testing.assert_allclose(T_base @ tip_in_mujoco(model, found.q), T, atol=1e-4)
        assert (found.q >= chain.lower - 1e-9).all()
        assert (found.q <= chain.upper + 1e-9).all()


def ends(radius: float, first: float, spread: float = 20.0) -> Floats:
    """Return three pairs of points on a circle, the first pair about an angle in degrees."""
    angles = np.radians([first + 120.0 * pair + side * spread / 2 for pair in range(3) for side in (-1, 1)])
    return np.stack((radius * np.cos(angles), radius * np.sin(angles), np.zeros(6)), axis=1)


def test_a_stewart_master_s_legs_are_as_long_as_mujoco_s_tendons() -> None:
    mechanism = Stewart(base_radius=0.20, platform_radius=0.18, height=-0.30, stroke=0.07)
    base, platform = ends(0.20, 0.0), ends(0.18, 60.0)
    spec = mujoco.MjSpec()
    body = spec.worldbody.add_body(mass=1.0, inertia=[1.0, 1.0, 1.0], explicitinertial=True)
    body.add_freejoint()
    level = platform + np.array([0.0, 0.0, -0.30])
    for leg, point in enumerate(base):
        nearest = int(np.linalg.norm(level - point, axis=1).argmin())
        spec.worldbody.add_site(name=f"base{leg}", pos=point)
        body.add_site(name=f"platform{leg}", pos=platform[nearest])
        tendon = spec.add_tendon(name=f"leg{leg}")
        tendon.wrap_site(f"base{leg}")
        tendon.wrap_site(f"platform{leg}")
    model, rng = spec.compile(), np.random.default_rng(9)
    data = mujoco.MjData(model)
    for _ in range(30):
        q = rng.uniform(mechanism.lower, mechanism.upper)
        T = mechanism.forward(q)
        data.qpos[:3] = T[:3, 3]
        mujoco.mju_mat2Quat(data.qpos[3:7], T[:3, :3].ravel())
        mujoco.mj_forward(model, data)
        # In which order legs are counted is the mechanism's own business.
        np.testing.assert_allclose(sorted(data.ten_length), sorted(q), atol=1e-9)
        np.testing.assert_allclose(sorted(mechanism.inverse(T).q), sorted(data.ten_length), atol=1e-9)


@pytest.mark.parametrize("together", [False, True])
@given(counts=st.tuples(*[COUNT] * 6))
def test_a_spacemouse_s_reports_are_shifts_right_near_down_and_turns_about_them(
    together: bool, counts: tuple[int, ...]
) -> None:
    shift, turn = struct.pack("<3h", *counts[:3]), struct.pack("<3h", *counts[3:])
    reports = [b"\x01" + shift + turn] if together else [b"\x01" + shift, b"\x02" + turn]
    puck = AT_REST
    for report in reports:
        puck = decode(puck, report)
    # Readings have x forward, y left, z up; the device has x right, y towards the operator, z down.
    T_reading_device = np.array([[0.0, -1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, -1.0]])
    expected = [*(T_reading_device @ counts[:3]), *(T_reading_device @ counts[3:])]
    np.testing.assert_allclose(puck.axes, np.array(expected) / FULL_COUNTS, atol=1e-12)


def test_a_spacemouse_s_buttons_are_the_bits_of_report_three() -> None:
    for bits in range(16):
        puck = decode(AT_REST, bytes([3, bits, 0, 0, 0]))
        assert [puck.pressed(button) for button in range(4)] == [bool(bits & 1 << button) for button in range(4)]
