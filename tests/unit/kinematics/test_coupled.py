"""Chains with joints that follow others, against MuJoCo's own kinematics and finite differences."""

import math

import mujoco
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from farhand.errors import CommandError, UnknownNameError
from farhand.kinematics import CoupledChain, SerialChain

MODEL = """
<mujoco><compiler angle="radian" autolimits="true"/><worldbody><body name="base">
 <body name="a" pos="0 0 .3"><joint name="yaw" axis="0 0 1" range="-3 3"/><geom size=".02"/>
  <body name="b"><joint name="lift" axis="0 1 0" range="-1.2 1.2" ref=".1"/><geom size=".02"/>
   <body name="c" pos=".4 0 0"><joint name="level" axis="0 1 0" range="-1 1"/><geom size=".02"/>
    <body name="d" pos=".3 0 0"><joint name="slide" type="slide" axis="1 0 0" range="0 .2"/><geom size=".02"/>
     <body name="e" pos=".1 0 0"><joint name="second" type="slide" axis="1 0 0" range="0 .5"/><geom size=".02"/>
      <body name="f"><joint name="roll" axis="1 0 0"/><geom size=".02"/><site name="tip" pos=".1 0 .02"/>
 </body></body></body></body></body></body></body></worldbody>
<equality><joint joint1="level" joint2="lift" polycoef=".2 -1 0 0 0"/>
 <joint joint1="second" joint2="slide" polycoef="0 2 0 0 0"/></equality></mujoco>
"""


def model(text: str = MODEL) -> "mujoco.MjModel":
    return mujoco.MjModel.from_xml_string(text)


CHAIN = CoupledChain.from_model(model(), "base", "tip")


def random_joints(rng: np.random.Generator) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    return rng.uniform(np.maximum(CHAIN.lower, -3.0), np.minimum(CHAIN.upper, 3.0))


def test_driven_joints_move_the_followers_as_mujoco_has_them() -> None:
    assert CHAIN.names == ("yaw", "lift", "slide", "roll")
    m = model()
    data, rng = mujoco.MjData(m), np.random.default_rng(1)
    for _ in range(30):
        q = random_joints(rng)
        for name, value in zip(CHAIN.links.names, CHAIN.joints(q), strict=True):
            data.joint(name).qpos[0] = value
        mujoco.mj_forward(m, data)
        # the equalities of the model hold at these joints, and the tip is where the chain says
        np.testing.assert_allclose(data.efc_pos[: m.neq], 0.0, atol=1e-12)
        np.testing.assert_allclose(CHAIN.forward(q)[:3, 3], data.site("tip").xpos, atol=1e-12)


def test_limits_keep_the_followers_inside_theirs() -> None:
    for q in (CHAIN.lower, CHAIN.upper):
        joints = CHAIN.joints(np.where(np.isfinite(q), q, 0.0))
        assert (joints >= CHAIN.links.lower - 1e-12).all()
        assert (joints <= CHAIN.links.upper + 1e-12).all()
    # level = 0.2 − (lift − 0.1) must stay within ±1
    assert CHAIN.lower[1] == pytest.approx(-0.7)
    assert CHAIN.upper[2] == pytest.approx(0.2)


def test_jacobian_equals_differences_of_forward() -> None:
    rng, h = np.random.default_rng(3), 1e-6
    q = random_joints(rng)
    J, T = CHAIN.jacobian(q), CHAIN.forward(q)
    for i in range(CHAIN.n):
        step = h * np.eye(CHAIN.n)[i]
        D = (CHAIN.forward(q + step) - CHAIN.forward(q - step)) / (2 * h)
        W = D[:3, :3] @ T[:3, :3].T
        np.testing.assert_allclose(J[:, i], [*D[:3, 3], W[2, 1], W[0, 2], W[1, 0]], atol=1e-7)


@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1))
def test_forward_of_inverse_is_identity(seed: int) -> None:
    rng = np.random.default_rng(seed)
    T = CHAIN.forward(random_joints(rng))
    found = CHAIN.inverse(T, random_joints(rng))
    assert found.reached
    assert (found.q >= CHAIN.lower - 1e-12).all()
    assert (found.q <= CHAIN.upper + 1e-12).all()
    np.testing.assert_allclose(CHAIN.forward(found.q), T, atol=2e-5)


def test_poses_out_of_reach_are_reported_and_followed_without_a_jump() -> None:
    T = CHAIN.forward(np.array([0.3, 0.2, 0.1, 0.0]))
    T[0, 3] += 5.0
    found = CHAIN.inverse(T, np.zeros(4))
    assert (found.reached, found.reason) == (False, "too far")
    q = np.array([0.3, 0.2, 0.1, 0.0])
    for _ in range(300):
        moved = CHAIN.follow(T, q)
        assert np.abs(moved - q).max() <= 0.1 + 1e-9
        q = moved
    assert np.abs(CHAIN.follow(T, q) - q).max() < 1e-3
    near = CHAIN.forward(np.array([0.35, 0.25, 0.1, 0.1]))
    q = np.array([0.3, 0.2, 0.1, 0.0])
    for _ in range(60):
        q = CHAIN.follow(near, q)
    np.testing.assert_allclose(CHAIN.forward(q), near, atol=1e-5)


def plain() -> SerialChain:
    return SerialChain.from_dh([(0.3, 0, 0, 0), (0.3, 0, 0, 0)], [-1, 2], [1, 3])


def test_impossible_couplings_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="no joint is called 'joint3'"):
        CoupledChain(plain(), {"joint3": ("joint1", 1.0, 0.0)})
    with pytest.raises(CommandError, match="'joint1' follows 'joint2', which follows another one itself"):
        CoupledChain(plain(), {"joint1": ("joint2", 1.0, 0.0), "joint2": ("joint1", 1.0, 0.0)})
    with pytest.raises(CommandError, match="joint 'joint1' and those that follow it have no position in common"):
        CoupledChain(plain(), {"joint2": ("joint1", 1.0, 0.0)})
    with pytest.raises(CommandError, match="joint 'level' follows 'lift' in a curve"):
        CoupledChain.from_model(model(MODEL.replace(".2 -1 0 0 0", ".2 -1 .5 0 0")), "base", "tip")
    with pytest.raises(CommandError, match="the tolerance must be positive"):
        CHAIN.inverse(np.eye(4), np.zeros(4), tolerance=math.nan)
