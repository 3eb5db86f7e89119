"""Masters: the devices that an operator holds, and stand-ins for the operator.

A master is an object with ``step(feedback, now) → Reading | None``; None means no new reading. A new kind is one new
file that registers itself here.
"""

from farhand.masters.intents import PathIntent, PathSpec
from farhand.masters.manual import Manual
from farhand.masters.master import MASTERS, Master, SavesState
from farhand.masters.modelled import Modelled
from farhand.masters.modelled_hand import HANDS, ModelledHand
from farhand.masters.recorded import Recorded, load_readings, save_readings
from farhand.masters.remote import Remote, TakeoverIntent, attach_remote, driven_by_operator
from farhand.masters.scripted import Scripted, Step
from farhand.registry import import_all

__all__ = [
    "HANDS",
    "MASTERS",
    "Manual",
    "Master",
    "Modelled",
    "ModelledHand",
    "PathIntent",
    "PathSpec",
    "Recorded",
    "Remote",
    "SavesState",
    "Scripted",
    "Step",
    "TakeoverIntent",
    "attach_remote",
    "driven_by_operator",
    "load_readings",
    "save_readings",
]

import_all(__name__, __path__)
