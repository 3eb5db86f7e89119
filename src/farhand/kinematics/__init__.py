"""Kinematics of serial and parallel arms: poses, joints, the servo step and the guard.

Everything here is a function of its arguments; files and MuJoCo are only needed to read a chain from a model.

The public API is the names in ``__all__``; the modules and subpackages below are internal and may change.
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
