"""Tuning: find the gains of a robot's drive, and their step responses in the physics.

Inertia and weight of each joint are computed over many postures. A rule for each kind of drive turns them into gains.
Steps in the physics decide how much of the rule's pace each joint can take.
"""

from farhand.tuning.gains import DRIVES, drive_for
from farhand.tuning.joint_loads import JointLoads, joint_loads
from farhand.tuning.steps import StepBench, StepResponse
from farhand.tuning.tune import Tuning, tune
from farhand.tuning.tuning_report import panels, snippet, table

__all__ = [
    "DRIVES",
    "JointLoads",
    "StepBench",
    "StepResponse",
    "Tuning",
    "drive_for",
    "joint_loads",
    "panels",
    "snippet",
    "table",
    "tune",
]
