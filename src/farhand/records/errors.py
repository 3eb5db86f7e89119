"""The error of this package."""

from __future__ import annotations

from farhand.errors import FarhandError

__all__ = ["RecordError"]


class RecordError(FarhandError):
    """A record that cannot be written, read or taken up."""
