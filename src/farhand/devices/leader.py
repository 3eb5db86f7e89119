"""Leader arms: masters of the same shape as a robot, moved at the tip or joint by joint.

The shape comes from a robot's model. Devices know no catalogue of robots: pass a loaded model or the path of its file.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from msgspec import Meta, Struct

from farhand.config import convert
from farhand.devices.delta_device import delta_shape
from farhand.devices.device import DEVICES, Device
from farhand.devices.shape import DeviceShape
from farhand.devices.travel import box_around
from farhand.formats import RobotModel, read_robot_guarded
from farhand.kinematics import ChainArrays, CoupledChain, Mechanism, SerialChain
from farhand.kinematics.arithmetic.link_frames import SLIDES
from farhand.kinematics.mechanism import chain_of, delta_of

__all__ = ["leader", "leader_of"]

HALF_SHARE = 0.35  # half side of the wanted travel, as a share of the arm's reach


class LeaderSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The settings in a cell file; force and weight are chosen here, for a light arm with small motors.

    Args:
        model: The robot: a loaded model, or the path of its file.
        scale: Size relative to the robot: 0.5 is a leader of half its lengths, with the same angles.
        force: N at the tip.
        torque: Nm at the tip.
    """

    model: RobotModel | str
    scale: Annotated[float, Meta(ge=0.05, le=5.0)] = 1.0
    force: Annotated[float, Meta(ge=0.0, le=500.0)] = 10.0
    torque: Annotated[float, Meta(ge=0.0, le=50.0)] = 1.0


@DEVICES.register("leader")
def leader(settings: dict[str, Any]) -> Device:
    """Leader arm of the same shape as a robot, given by its model.

    Raises:
        RobotFileError: If `model` is a path and the file is missing or wrong.
    """
    config = convert(settings, LeaderSettings)
    model = read_robot_guarded(config.model) if isinstance(config.model, str) else config.model
    return leader_of(model, config.scale, config.force, config.torque)


def leader_of(model: RobotModel, scale: float = 1.0, force: float = 10.0, torque: float = 1.0) -> Device:
    """Return a leader with a robot's shape; it rests in the robot's home pose."""
    chain = _chain(model, scale)
    home = np.array([joint.home * (scale if joint.kind == "slide" else 1.0) for joint in model.arm.joints])
    rest = np.clip(home, chain.lower, chain.upper)
    half = HALF_SHARE * min(chain.reach, 10.0)  # sliding joints without limits have no finite reach
    lower, upper = box_around(chain, rest, (half, half, half))
    return Device(
        name="leader",
        label=f"Leader of {model.name}",
        kinematics=chain,
        rest=tuple(rest.tolist()),
        active=(True,) * chain.n,
        lower=lower,
        upper=upper,
        force=force,
        torque=torque,
        mass=0.6,
        inertia=2e-3,
        friction=1.0,
        trigger=True,
        shape=_shape(model, scale),
    )


def _shape(model: RobotModel, scale: float) -> DeviceShape | None:
    """Return the shape of a leader of a Delta; a serial leader is drawn from its joints."""
    spec = model.delta
    if spec is None:
        return None
    return delta_shape(*(scale * x for x in (spec.base_radius, spec.platform_radius, spec.upper, spec.lower)))


def _chain(model: RobotModel, scale: float) -> Mechanism:
    import mujoco  # here, as only reading a robot needs it

    if model.delta is not None:
        return delta_of(model, scale=scale)
    compiled = mujoco.MjSpec.from_string(model.mjcf, assets=model.assets).compile()
    arm = chain_of(model, compiled)
    plain = arm.links
    fixed, tool = plain.arrays.fixed.copy(), plain.arrays.tool.copy()
    fixed[:, :, 3] *= scale
    tool[:, 3] *= scale
    slides = np.where(plain.arrays.kinds == SLIDES, scale, 1.0)
    arrays = ChainArrays(fixed, plain.arrays.kinds, tool)
    scaled = SerialChain(arrays, plain.lower * slides, plain.upper * slides, plain.names)
    if not isinstance(arm, CoupledChain):
        return scaled
    size = dict(zip(plain.names, slides.tolist(), strict=True))
    ties = model.arm.followers
    return CoupledChain(
        scaled,
        {t.joint: (t.leader, t.multiplier * size[t.joint] / size[t.leader], t.offset * size[t.joint]) for t in ties},
    )
