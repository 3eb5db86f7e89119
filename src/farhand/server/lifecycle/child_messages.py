"""Messages between the supervisor and its child processes: lines of JSON over their pipes."""

from __future__ import annotations

import os
from contextlib import suppress

import msgspec
from msgspec import Struct

__all__ = ["ChildReady", "Ended", "Forked", "FromChild", "GoLive", "HeldLease", "Retry", "decode_report", "report"]


class HeldLease(Struct, frozen=True, tag=True, kw_only=True):
    """The lease of one robot; the supervisor keeps it for the gateway's next life.

    Args:
        cell: Name of the cell.
        robot: Name of the robot.
        client: Hash of the holder's client secret; empty if nobody holds control.
        name: What the holder is called.
        epoch: Of the lease.
    """

    cell: str
    robot: str
    client: str = ""
    name: str = ""
    epoch: int = 0


class GoLive(Struct, frozen=True, tag=True, kw_only=True):
    """Supervisor to child: serve now.

    Args:
        life: The incarnation: counts the lives of this gateway or cell.
        held: Leases of the gateway's last life.
    """

    life: int
    held: tuple[HeldLease, ...] = ()


class Forked(Struct, frozen=True, tag=True, kw_only=True):
    """A live process that a standby has forked says that it is there."""

    life: int
    pid: int


class Ended(Struct, frozen=True, tag=True, kw_only=True):
    """The live process of a standby has ended and was waited for.

    Args:
        life: The incarnation that ended.
        code: Its exit code; negative: the signal that ended it.
        hung: The standby killed it, for it gave no sign of life.
    """

    life: int
    code: int
    hung: bool = False


class ChildReady(Struct, frozen=True, tag=True):
    """The gateway has seen every cell."""


class Retry(Struct, frozen=True, tag=True):
    """A viewer asks that a cell that is no longer restarted be tried again."""

    cell: str


STDOUT = 1  # of every child: a pipe to its parent
FromChild = Forked | Ended | ChildReady | Retry | HeldLease
_encode = msgspec.json.Encoder().encode
_decode: msgspec.json.Decoder[FromChild] = msgspec.json.Decoder(FromChild)


def report(message: FromChild) -> None:
    """Tell the parent; a line is shorter than a pipe's atomic write, so lines of several processes never mix.

    A parent that ends its children has closed the pipe and needs no more reports.
    """
    with suppress(BrokenPipeError):
        os.write(STDOUT, _encode(message) + b"\n")


def decode_report(line: bytes) -> FromChild | None:
    """Return a child's message; None for a line that is none: output of a library."""
    try:
        return _decode.decode(line)
    except msgspec.MsgspecError:
        return None
