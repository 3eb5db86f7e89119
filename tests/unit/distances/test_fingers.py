"""Fingers as capsules: coupled ones move along, an open hand has an opening, and the grasped object may be touched."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest
from handed import OPENINGS, WITH_FINGERS, Hand

from farhand.distances import Clearance, Solid, arm_capsules
from farhand.distances.fingers import FingerSweep
from farhand.errors import CommandError, UnknownNameError
from farhand.kinematics import SerialChain
from farhand.poses import Pose

# One finger slides and is driven; another follows it in a curve, its nail follows that; the thumb's tie is off.
HAND = """
<mujoco><compiler angle="radian" autolimits="true"/><worldbody>
 <body name="base"><geom type="cylinder" size=".05 .05"/>
  <body name="palm" pos="0 0 .3"><joint name="turn" axis="0 0 1" range="-3 3"/>
   <geom type="box" size=".02 .06 .02"/><site name="tip" pos="0 0 .08"/>
   <body name="left" pos="0 .005 .06"><joint name="left" type="slide" axis="0 1 0" range="0 .04"/>
    <geom type="box" size=".005 .005 .04"/></body>
   <body name="right" pos="0 -.005 .06"><joint name="right" type="slide" axis="0 1 0" range="-.05 0"/>
    <geom type="box" size=".005 .005 .04"/>
    <body name="nail" pos="0 0 .04"><joint name="nail" axis="1 0 0" range="-2 2"/>
     <geom type="capsule" size=".004" fromto="0 0 0 0 0 .02"/></body></body>
   <body name="thumb" pos=".03 0 .06"><joint name="thumb" type="slide" axis="1 0 0" range="0 .04"/>
    <geom type="box" size=".005 .005 .02"/></body>
 </body></body>
</worldbody><equality>
 <joint joint1="nail" joint2="right" polycoef="0 20 0 0 0"/>
 <joint joint1="right" joint2="left" polycoef="-.002 -1 -5 0 0"/>
 <joint joint1="thumb" joint2="left" polycoef="0 1 0 0 0" active="false"/>
</equality></mujoco>
"""
SWEEPS = {"left": (0.0, 0.04)}


def hand_model() -> Any:
    return mujoco.MjModel.from_xml_string(HAND)


def clearance(solids: list[Solid], opened: float | None = 1.0) -> Clearance:
    m = hand_model()
    fit = arm_capsules(m, "base", "tip", SWEEPS, opened=opened, measure=False)
    return Clearance(SerialChain.from_model(m, "base", "tip"), fit.capsules, solids)


def box(across: float, height: float = 0.385, name: str = "box") -> Solid:
    """Return a box between the fingers, so wide across them."""
    return Solid(name, "box", Pose((0.0, 0.0, height)), (0.015, 0.5 * across, 0.015))


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_tied_joints_are_where_mujoco_wants_them(share: float) -> None:
    m = hand_model()
    data = mujoco.MjData(m)
    FingerSweep(m, SWEEPS).put(data, share)
    mujoco.mj_forward(m, data)
    assert data.joint("left").qpos[0] == pytest.approx(0.04 * share)
    assert data.joint("thumb").qpos[0] == 0.0
    tied = data.efc_pos[: data.ne]
    assert len(tied) == 2
    assert np.abs(tied).max() < 1e-12


def test_capsules_hold_every_finger_wherever_it_is() -> None:
    m = hand_model()
    data, fingers = mujoco.MjData(m), FingerSweep(m, SWEEPS)
    swept = arm_capsules(m, "base", "tip", SWEEPS, measure=False).capsules
    for share in np.linspace(0.0, 1.0, 33).tolist():
        fingers.put(data, share)
        mujoco.mj_kinematics(m, data)
        for body in ("left", "right", "nail"):
            assert min(_outside(c, _end(data, body)) for c in swept if c.link == 0) <= 1e-9


def test_capsules_of_an_open_hand_hold_each_finger_where_it_is() -> None:
    m = hand_model()
    data = mujoco.MjData(m)
    for share in (0.0, 0.6, 1.0):
        FingerSweep(m, SWEEPS).put(data, share)
        mujoco.mj_kinematics(m, data)
        found = arm_capsules(m, "base", "tip", SWEEPS, opened=share, measure=False).capsules
        assert {c.name for c in found if c.finger} == {"left", "right"}
        for body, finger in (("left", "left"), ("right", "right"), ("nail", "right")):
            assert min(_outside(c, _end(data, body)) for c in found if c.name == finger) <= 1e-9


def _end(data: Any, body: str) -> Any:
    """Return the end of a finger in the palm's frame."""
    out = data.body(body).xmat.reshape(3, 3) @ (0.0, 0.0, 0.02 if body == "nail" else 0.04)
    return data.body(body).xpos + out - data.body("palm").xpos


def _outside(capsule: Any, p: Any) -> float:
    a, way = np.array(capsule.start), np.subtract(capsule.end, capsule.start)
    t = np.clip((p - a) @ way / max(way @ way, 1e-30), 0.0, 1.0)
    return float(np.linalg.norm(p - a - t * way)) - float(capsule.radius)


@pytest.mark.parametrize("name", ["panda", *[pytest.param(n, marks=pytest.mark.slow) for n in WITH_FINGERS[1:]]])
def test_nothing_of_a_hand_sticks_out_of_its_capsules(name: str) -> None:
    hand = Hand.among(name)
    swept = hand.capsules()
    assert max(hand.sticks_out(swept, opened) for opened in (*OPENINGS, 0.25)) < 1e-6
    assert hand.sticks_out(hand.capsules(1.0), 1.0) < 1e-6


def test_an_open_hand_has_an_opening_and_a_swept_one_has_none() -> None:
    thin = box(0.03)
    assert clearance([thin], None).distance([0.0]).distance < 0.0
    assert clearance([thin], 0.0).distance([0.0]).distance < 0.0
    assert clearance([thin], 1.0).distance([0.0]).distance > 0.005


def test_fingers_may_touch_the_grasped_object_and_the_palm_may_not() -> None:
    wide = box(0.085)
    assert clearance([wide]).distance([0.0]).distance < 0.0
    grasping = clearance([wide]).grasping("box")
    assert grasping.distance([0.0]).distance > 0.0
    assert grasping.distance([0.0]).second == "box"
    deep = clearance([box(0.085, height=0.33)]).grasping("box").distance([0.0])
    assert deep.distance < 0.0
    assert (deep.first, deep.second) == ("palm", "box")


def test_fingers_may_touch_nothing_else() -> None:
    post = Solid("post", "sphere", Pose((0.0, 0.05, 0.38)), (0.01,))
    near = clearance([box(0.085), post]).grasping("box").distance([0.0])
    assert near.distance < 0.0
    assert (near.first, near.second) == ("left", "post")


def test_objects_that_cannot_be_grasped_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="no solid is called 'bax'"):
        clearance([box(0.03)]).grasping("bax")
    with pytest.raises(CommandError, match="no finger can grasp 'box'"):
        clearance([box(0.03)], None).grasping("box")
    with pytest.raises(CommandError, match="'floor' is infinite"):
        clearance([Solid("floor", "plane")]).grasping("floor")
    with pytest.raises(CommandError, match="the arm already has capsules named"):
        clearance([box(0.03)]).grasping("box").carrying(box(0.03), Pose())
    with pytest.raises(CommandError, match="a share from 0 to 1"):
        clearance([], 1.5)
