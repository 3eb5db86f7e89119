"""Leases: the viewers who control the robots, and those who ask for control."""

from __future__ import annotations

from msgspec import Struct

from farhand.server.protocol.wire.message import Message
from farhand.types.events.rights import Role

__all__ = ["Asker", "LeaseInfo", "Leases", "Person", "Role", "Viewers"]


class Asker(Struct, frozen=True, kw_only=True):
    """A viewer who asks for control, and for how long (s)."""

    viewer: int
    name: str
    waited: float


class LeaseInfo(Struct, frozen=True, kw_only=True):
    """The lease of one robot.

    Args:
        robot: Name of the robot.
        holder: Number of the viewer in control; None if the robot is free.
        name: Name of the holder.
        epoch: Counts the changes of control; readings carry it.
        present: False while the holder's connection is lost and control is kept for it.
        askers: Viewers who ask for control, the first one first.
        may_take: You asked, got no answer, and may take over now.
    """

    robot: str
    holder: int | None
    name: str
    epoch: int
    present: bool
    askers: tuple[Asker, ...]
    may_take: bool


class Leases(Message, frozen=True, kw_only=True):
    """The leases of the watched cell, and the number of its viewers, you included."""

    robots: tuple[LeaseInfo, ...]
    viewers: int


class Person(Struct, frozen=True, kw_only=True):
    """A viewer of the watched cell: number, name and role."""

    viewer: int
    name: str
    role: Role


class Viewers(Message, frozen=True, kw_only=True):
    """The viewers of the watched cell; sent only to those who may send a viewer away, and empty once they may not."""

    people: tuple[Person, ...]
