"""Signed distances of an arm to its surroundings and to itself, with gradients, fast enough for every tick.

The arm is modelled by capsules, its surroundings by simple solids and convex hulls.

The public API is the names in ``__all__``; the modules below are internal and may change.
"""

from farhand.distances.arena import Arena, ArmShape, Item, Neighbour, arm_shape
from farhand.distances.avoiding_servo import AvoidingServo, Blocking, ClearStep
from farhand.distances.calibrate import Slacks, calibrate_slacks
from farhand.distances.capsules import Blob, Capsule, Fit, fit_link
from farhand.distances.carrier import Carrier, CarrierFlipper
from farhand.distances.clearance import Clearance, Near, Nearest
from farhand.distances.clearance_report import ClearanceReport, clearance_report
from farhand.distances.compiled_shapes import (
    ArmFit,
    ShapePiece,
    arm_capsules,
    base_pieces,
    ignore_mounting_contact,
    pieces_around,
    solids_around,
)
from farhand.distances.hulls import Hull, hull_of
from farhand.distances.linkage import Limb, Linkage
from farhand.distances.pairs import LeftOut
from farhand.distances.solids import Solid
from farhand.distances.vehicle_arena import Flipper, Vehicle, VehicleArena, VehicleLimit

__all__ = [
    "Arena",
    "ArmFit",
    "ArmShape",
    "AvoidingServo",
    "Blob",
    "Blocking",
    "Capsule",
    "Carrier",
    "CarrierFlipper",
    "ClearStep",
    "Clearance",
    "ClearanceReport",
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
    "ShapePiece",
    "Slacks",
    "Solid",
    "Vehicle",
    "VehicleArena",
    "VehicleLimit",
    "arm_capsules",
    "arm_shape",
    "base_pieces",
    "calibrate_slacks",
    "clearance_report",
    "fit_link",
    "hull_of",
    "ignore_mounting_contact",
    "pieces_around",
    "solids_around",
]
