"""The base of all messages."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

__all__ = ["POSE_ROW", "Id", "Message", "Name"]

POSE_ROW = 20
"""Bytes of one body's pose: x, y, z as float32, then w, x, y, z of its quaternion as int16 of 1/32767."""

Name = Annotated[str, Meta(max_length=64)]
Id = Annotated[int, Meta(ge=0, le=2**53 - 1)]


class Message(Struct, frozen=True, kw_only=True, tag=True, tag_field="type", forbid_unknown_fields=True):
    """A message, with its name in `type`."""
