"""Mappings: they turn the master's readings into motions of the robot. The page calls them control modes.

Each is a pure function of the reading, the measured robot and its own memory. A new kind is one new file that registers
itself.
"""

from farhand.mapping.drag import DragTip
from farhand.mapping.jog import JogJoints, JogTip
from farhand.mapping.mapping import MAPPINGS, DrivenRobot, HasNotes, LedBy, Mapping
from farhand.registry import import_all

__all__ = ["MAPPINGS", "DragTip", "DrivenRobot", "HasNotes", "JogJoints", "JogTip", "LedBy", "Mapping"]

import_all(__name__, __path__)
