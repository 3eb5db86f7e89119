"""Signed distances of an arm to its surroundings and to itself, with gradients, fast enough for every tick.

The arm is modelled by capsules, its surroundings by simple solids and convex hulls.

The public API is the names in ``__all__``; the modules below are internal and may change.
"""

from farhand.distances.arena import Arena, ArmShape, Item, Neighbour, arm_shape
from farhand.distances.avoiding_servo import AvoidingServo, Blocking, ClearStep
from farhand.distances.calibrate import Slacks, calibrated
from farhand.distances.capsules import Blob, Capsule, Fit, fit_link
from farhand.distances.carrier import Carrier, Turning
from farhand.distances.clearance import Clearance, Near, Nearest
from farhand.distances.compiled_shapes import (
    ArmFit,
    ShapePiece,
    arm_capsules,
    base_pieces,
    pieces_around,
    solids_around,
    standing,
)
from farhand.distances.hulls import Hull, hull_of
from farhand.distances.linkage import Limb, Linkage
from farhand.distances.outlook import Outlook, outlook
from farhand.distances.pairs import LeftOut
from farhand.distances.solids import Solid
from farhand.distances.vehicle_arena import Flipper, Restraint, Vehicle, VehicleArena

__all__ = [
    "Arena",
    "ArmFit",
    "ArmShape",
    "AvoidingServo",
    "Blob",
    "Blocking",
    "Capsule",
    "Carrier",
    "ClearStep",
    "Clearance",
    "Fit",
    "Flipper",
    "Hull",
    "Item",
    "LeftOut",
    "Limb",
    "Linkage",
    "Near",
    "Nearest",
    "Neighbour",
    "Outlook",
    "Restraint",
    "ShapePiece",
    "Slacks",
    "Solid",
    "Turning",
    "Vehicle",
    "VehicleArena",
    "arm_capsules",
    "arm_shape",
    "base_pieces",
    "calibrated",
    "fit_link",
    "hull_of",
    "outlook",
    "pieces_around",
    "solids_around",
    "standing",
]
