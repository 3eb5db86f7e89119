"""Tuning: from a robot to the gains of its drive, and to the step responses that these give in the physics.

What each joint meets is looked up over many postures, gains follow from that by a rule for each kind of drive, and
steps in the physics decide how much of the rule's pace each joint can stand.
"""

from farhand.tuning.gains import DRIVES, drive_for
from farhand.tuning.meet import Met, met_by
from farhand.tuning.steps import StepBench, StepResponse
from farhand.tuning.tune import Tuning, tune
from farhand.tuning.tuning_report import panels, sentences, snippet

__all__ = [
    "DRIVES",
    "Met",
    "StepBench",
    "StepResponse",
    "Tuning",
    "drive_for",
    "met_by",
    "panels",
    "sentences",
    "snippet",
    "tune",
]
