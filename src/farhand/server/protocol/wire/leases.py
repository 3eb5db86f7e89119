"""Who controls which robot, and who asks for it."""

from __future__ import annotations

from msgspec import Struct

from farhand.server.protocol.wire.message import Message
from farhand.types.events.rights import Role

__all__ = ["Asker", "LeaseInfo", "Leases", "Person", "Role", "Viewers"]


class Asker(Struct, frozen=True, kw_only=True):
    """A viewer who asks for control, and how long ago (s)."""

    viewer: int
    name: str
    waited: float


class LeaseInfo(Struct, frozen=True, kw_only=True):
    """Who controls a robot.

    Args:
        robot: Which one.
        holder: Viewer number; None if nobody.
        name: Of the holder.
        epoch: Counts the changes of hands; readings carry it.
        present: False while the holder's connection is lost and the control is kept for it.
        askers: Who else wants it, first come first.
        may_take: You asked, were not answered, and may take over now.
    """

    robot: str
    holder: int | None
    name: str
    epoch: int
    present: bool
    askers: tuple[Asker, ...]
    may_take: bool


class Leases(Message, frozen=True, kw_only=True):
    """Who controls which robot of the watched cell, and how many people look on (you included)."""

    robots: tuple[LeaseInfo, ...]
    viewers: int


class Person(Struct, frozen=True, kw_only=True):
    """Someone who looks at the watched cell: number, name and role."""

    viewer: int
    name: str
    role: Role


class Viewers(Message, frozen=True, kw_only=True):
    """Who looks at the watched cell; only for those who may send a viewer away, and empty once they may not."""

    people: tuple[Person, ...]
