"""Kinematics of arms, serial and parallel: poses, joints, the servo step and the guard.

Everything here is a function of its arguments; files and MuJoCo are only needed where a chain is read from a model.
"""

from farhand.kinematics.arithmetic.dh_tables import ChainArrays
from farhand.kinematics.contract import Kinematics, Mechanism, Solution
from farhand.kinematics.mechanism import joint_limits
from farhand.kinematics.parallel.delta import Delta
from farhand.kinematics.parallel.stewart import Stewart
from farhand.kinematics.serial.chain import SerialChain
from farhand.kinematics.serial.coupled import CoupledChain
from farhand.kinematics.serial.scara import Scara
from farhand.kinematics.servo.guard import Guard
from farhand.kinematics.servo.rate_bounds import JointLimits
from farhand.kinematics.servo.servo import Servo, ServoStep

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
