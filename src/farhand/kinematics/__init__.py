"""Kinematics of arms, serial and parallel: poses, joints, the servo step and the guard.

Everything here is a function of its arguments; files and MuJoCo are only needed where a chain is read from a model.
"""

from farhand.kinematics.bounds import JointLimits
from farhand.kinematics.chain import SerialChain
from farhand.kinematics.contract import Kinematics, Mechanism, Solution
from farhand.kinematics.coupled import CoupledChain
from farhand.kinematics.delta import Delta
from farhand.kinematics.guard import Guard
from farhand.kinematics.of_model import joint_limits
from farhand.kinematics.scara import Scara
from farhand.kinematics.servo import Servo, ServoStep
from farhand.kinematics.stewart import Stewart
from farhand.kinematics.tables import ChainArrays

__all__ = [
    "ChainArrays",
    "CoupledChain",
    "Delta",
    "Guard",
    "JointLimits",
    "Kinematics",
    "Mechanism",
    "Scara",
    "SerialChain",
    "Servo",
    "ServoStep",
    "Solution",
    "Stewart",
    "joint_limits",
]
