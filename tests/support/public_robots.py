"""Public robot descriptions of different style, from the packages that the tests install."""

from __future__ import annotations

import sysconfig
from dataclasses import dataclass
from pathlib import Path

__all__ = ["CASES", "EXAMPLES", "ROBOSUITE", "TOOLBOX", "Case"]

SITE = Path(sysconfig.get_paths()["purelib"])
EXAMPLES = SITE / "cmeel.prefix/share/example-robot-data/robots"
TOOLBOX = SITE / "rtbdata/xacro"
ROBOSUITE = SITE / "robosuite_models/assets/robots"


@dataclass(frozen=True)
class Case:
    path: Path
    joints: int
    fingers: int = 0
    held: int = 0
    notes: tuple[str, ...] = ()
    tip: str | None = None
    guarded: bool = False


CASES = {
    # URDF with COLLADA meshes, package:// by the name of a folder above, mimic fingers.
    "panda": Case(EXAMPLES / "panda_description/urdf/panda.urdf", 7, fingers=1, notes=("robot.home",), guarded=True),
    # A root link called "world", inertias copied from elsewhere.
    "ur5": Case(EXAMPLES / "ur_description/urdf/ur5_robot.urdf", 6, notes=("robot.inertia",)),
    # One moving jaw against a fixed one, printed parts as large STL files.
    "so101": Case(EXAMPLES / "so_arm_description/urdf/so101.urdf", 5, fingers=1, guarded=True),
    "z1": Case(EXAMPLES / "z1_description/urdf/z1.urdf", 6, fingers=1, notes=("robot.collision",)),
    "talos arm": Case(EXAMPLES / "talos_data/robots/talos_left_arm.urdf", 6, fingers=1, notes=("robot.effort",)),
    # A mobile robot with wheels, head, lift and a hand of many joints.
    "tiago": Case(EXAMPLES / "tiago_description/robots/tiago.urdf", 8, fingers=36, held=4, notes=("robot.inertia",)),
    # Two arms: the other one is named in the note, and can be chosen.
    "baxter": Case(EXAMPLES / "baxter_description/urdf/baxter.urdf", 7, fingers=1, held=9, notes=("robot.tip",)),
    "baxter left": Case(
        EXAMPLES / "baxter_description/urdf/baxter.urdf", 7, fingers=1, held=9, tip="left_gripper_base_link"
    ),
    "kinova": Case(EXAMPLES / "kinova_description/robots/kinova.urdf", 6),
    # A hand alone: no arm before the fingers, so one finger is the chain.
    "allegro": Case(EXAMPLES / "allegro_hand_description/urdf/allegro_right_hand.urdf", 4, held=12),
    "pendulum": Case(
        EXAMPLES / "double_pendulum_description/urdf/double_pendulum.urdf", 2, notes=("robot.limits", "robot.velocity")
    ),
    "xarm7": Case(EXAMPLES / "xarm_description/urdf/xarm7.urdf", 7, guarded=True),
    # package:// names a package that the folder is not called after; no masses, no efforts.
    "irb140": Case(TOOLBOX / "abb_irb140_description/urdf/irb140.urdf", 6, notes=("robot.inertia", "robot.effort")),
    # Meshes in inches.
    "puma560": Case(TOOLBOX / "unimation_puma560_description/urdf/puma560_robot.urdf", 6, notes=("robot.collision",)),
    "al5d": Case(TOOLBOX / "lynxmotion_al5d_description/urdf/al5d_robot.urdf", 4, notes=("robot.inertia",)),
    "kr120": Case(TOOLBOX / "kuka_description/kuka_kr120/urdf/kr120r2500pro.urdf", 6, notes=("robot.effort",)),
    "iiwa": Case(TOOLBOX / "kuka_description/kuka_lbr_iiwa/urdf/lbr_iiwa_14_r820.urdf", 7),
    # MJCF.
    "arx5": Case(ROBOSUITE / "arx5/robot.xml", 6, notes=("robot.scene", "robot.velocity"), guarded=True),
    "vx300s": Case(ROBOSUITE / "vx300s/robot.xml", 6, notes=("robot.scene",)),
    "yumi": Case(ROBOSUITE / "yumi/robot.xml", 7, held=7, notes=("robot.tip",)),
    "h1": Case(ROBOSUITE / "h1/robot.xml", 5, held=14, notes=("robot.fixed", "robot.tip")),
    "b1": Case(ROBOSUITE / "b1/robot.xml", 3, held=9, notes=("robot.fixed",)),
}
