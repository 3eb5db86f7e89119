"""A single step."""

from __future__ import annotations

from typing import Any

from farhand.config import convert
from farhand.types import ObjectSpec
from farhand.world.pieces.piece import PIECES, Ground, Length, Wide, fixed

__all__ = ["StepPiece"]


class StepPiece(Ground, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A block to climb, or a ledge to climb down from.

    Args:
        height: m.
        depth: m.
        width: m.
    """

    height: Length = 0.5
    depth: Length = 1.5
    width: Wide = 1.2


@PIECES.register("step")
def _make(table: dict[str, Any]) -> tuple[ObjectSpec, ...]:
    """A single step."""
    step = convert(table, StepPiece)
    middle = (0.5 * step.depth, 0.0, 0.5 * step.height)
    return (fixed(step, "", (step.depth, step.width, step.height), middle),)
