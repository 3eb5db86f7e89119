"""Delta robots: our own ``robot.toml`` with a ``[delta]`` table."""

from __future__ import annotations

import math

from farhand.formats.camera_tables import cameras_of_file
from farhand.formats.compiling import text_of
from farhand.formats.delta.delta_file import MotorFile, decode, home_of
from farhand.formats.delta.delta_tree import ARMS, BASE, motor_name, spec_of, tree_of
from farhand.formats.draft import Draft
from farhand.formats.file_access import Files
from farhand.formats.model import ArmSpec, JointSpec, RobotModel
from farhand.formats.names import TIP_SITE
from farhand.formats.reader_registry import reader

__all__ = ["read_delta"]


@reader("Delta", (".toml",), (b"[delta]",))
def read_delta(files: Files) -> Draft:
    """Return the draft of a Delta's robot.toml; the file is complete, so the robot is ready."""
    file = decode(files.text, files.path)
    name, delta = file.name or files.path.parent.name, spec_of(file.delta)
    mjcf = tree_of(file, name)
    height, turned = home_of(file.delta)
    homes = (0.0, 0.0, height, *(turned, 0.0, 0.0) * len(ARMS))
    robot = RobotModel(
        name=name,
        summary=file.summary,
        mjcf=text_of(mjcf),
        arm=ArmSpec(
            joints=tuple(_joint(file.delta.motor, arm) for arm in ARMS), base=BASE, tip=TIP_SITE, tool=delta.platform
        ),
        delta=delta,
        cameras=cameras_of_file(file.cameras, files.path),
        wrist=file.wrist,
        rest=dict(zip(delta.undriven, homes, strict=True)),
    )
    return Draft(path=files.path, name=name, mjcf=mjcf, summary=file.summary, ready=robot)


def _joint(motor: MotorFile, arm: int) -> JointSpec:
    return JointSpec(
        name=motor_name(arm),
        kind="hinge",
        lower=math.radians(motor.lower_deg),
        upper=math.radians(motor.upper_deg),
        velocity=motor.velocity,
        acceleration=motor.acceleration,
        jerk=motor.jerk,
        effort=motor.effort,
        home=math.radians(motor.home_deg),
        label=f"Arm {arm}",
    )
