"""Names that every robot's MJCF text has."""

from __future__ import annotations

__all__ = ["TIP_SITE"]

#: Name of the site that marks the tip.
TIP_SITE = "farhand_tip"
