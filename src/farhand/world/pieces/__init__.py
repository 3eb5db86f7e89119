"""Pieces of a training ground: each makes several objects from a few numbers, so that a cell file stays short.

One file for each kind; `farhand list pieces` lists them.
"""

from farhand.registry import import_all
from farhand.world.pieces.piece import PIECES, Stand, piece_objects

__all__ = ["PIECES", "Stand", "piece_objects"]

import_all(__name__, __path__)
