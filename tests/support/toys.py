"""Small things that several tests use."""

from __future__ import annotations

from farhand.formats.model import ArmSpec, GripperSpec, JointSpec, RobotModel
from farhand.types import Setpoint, Vector
from farhand.world import Blueprint, Placement

_MJCF = """
<mujoco>
  <compiler angle="radian"/>
  <worldbody>
    <body name="base">
      <geom type="box" size=".05 .05 .05" mass="1"/>
      <body name="turret" pos="0 0 .3">
        <joint name="turn" axis="0 0 1" armature=".1" damping=".1"/>
        <geom type="capsule" fromto="0 0 0 0 0 .15" size=".03" mass="1"/>
        <body name="upper" pos="0 0 .2">
          <joint name="shoulder" axis="0 1 0" armature=".1" damping=".1"/>
          <geom type="capsule" fromto="0.05 0 0 .25 0 0" size=".03" mass="1"/>
          <body name="fore" pos=".3 0 0">
            <joint name="elbow" axis="0 1 0" armature=".1" damping=".1"/>
            <geom type="capsule" fromto="0.05 0 0 .3 0 0" size=".03" mass="1"/>
            <site name="tip" pos=".33 0 0"/>
            <body name="finger" pos=".33 .03 0">
              <joint name="finger" type="slide" axis="0 1 0" armature=".01" damping="1"/>
              <geom type="box" size=".02 .005 .01" mass=".02" contype="0" conaffinity="0"/>
            </body>
          </body>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>
"""


def joint(name: str, home: float = 0.0, *, acceleration: float = 20.0) -> JointSpec:
    """Return a joint of the toy arm."""
    return JointSpec(
        name=name,
        kind="hinge",
        lower=-2.0,
        upper=2.0,
        velocity=3.0,
        acceleration=acceleration,
        jerk=400.0,
        effort=120.0,
        home=home,
        label=name.capitalize(),
    )


def toy_arm() -> RobotModel:
    """Return a three-joint arm with a one-finger gripper."""
    return RobotModel(
        name="toy",
        mjcf=_MJCF,
        arm=ArmSpec(
            joints=(joint("turn"), joint("shoulder", -0.4), joint("elbow", 0.9)), base="base", tip="tip", tool="fore"
        ),
        gripper=GripperSpec(joints=("finger",), closed=(0.0,), opened=(0.05,), opening=0.05, speed=0.1, effort=20.0),
    )


def toy_world(**changes: object) -> Blueprint:
    """Return a world with the toy arm in it."""
    fields: dict[str, object] = {"robots": (Placement("arm", toy_arm()),), **changes}
    return Blueprint(**fields)  # type: ignore[arg-type] # fields are named by the tests


def still(*positions: float) -> Setpoint:
    """Return a set-point at rest."""
    zeros: Vector = (0.0,) * len(positions)
    return Setpoint(positions, zeros, zeros)
