"""Distances of an arm to what is around it and to itself: signed, with gradients, fast enough for every tick.

The arm is made of capsules, what is around it of simple solids and convex hulls.
"""

from farhand.distances.avoid import AvoidingServo, ClearStep
from farhand.distances.capsules import Blob, Capsule, Fit, fit_link
from farhand.distances.clearance import Clearance, Near, Nearest
from farhand.distances.hulls import Hull, hull_of
from farhand.distances.models import ArmFit, arm_capsules, solids_around, standing
from farhand.distances.pairs import LeftOut
from farhand.distances.solids import Solid

__all__ = [
    "ArmFit",
    "AvoidingServo",
    "Blob",
    "Capsule",
    "ClearStep",
    "Clearance",
    "Fit",
    "Hull",
    "LeftOut",
    "Near",
    "Nearest",
    "Solid",
    "arm_capsules",
    "fit_link",
    "hull_of",
    "solids_around",
    "standing",
]
