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
        name: Name of the holder.
        epoch: Epoch of the lease.
    """

    cell: str
    robot: str
    client: str = ""
    name: str = ""
    epoch: int = 0


class GoLive(Struct, frozen=True, tag=True, kw_only=True):
    """Order from the supervisor to a child: serve now.

    Args:
        life: Incarnation: counts the starts of this gateway or cell.
        held: Leases of the gateway's last incarnation.
    """

    life: int
    held: tuple[HeldLease, ...] = ()


class Forked(Struct, frozen=True, tag=True, kw_only=True):
    """Report of a live process that a standby has just forked."""

    life: int
    pid: int


class Ended(Struct, frozen=True, tag=True, kw_only=True):
    """Report that the live process of a standby has ended.

    Args:
        life: The incarnation that ended.
        code: Its exit code; negative: the signal that ended it.
        hung: The standby killed it because it sent no heartbeat.
    """

    life: int
    code: int
    hung: bool = False


class ChildReady(Struct, frozen=True, tag=True):
    """Report that the gateway has heard from every cell."""


class Retry(Struct, frozen=True, tag=True):
    """Request of a viewer to start a cell that has ended too often."""

    cell: str


STDOUT = 1  # in every child a pipe to its parent
FromChild = Forked | Ended | ChildReady | Retry | HeldLease
_encode = msgspec.json.Encoder().encode
_decode: msgspec.json.Decoder[FromChild] = msgspec.json.Decoder(FromChild)


def report(message: FromChild) -> None:
    """Send a message to the parent, as one line.

    A line is shorter than a pipe's atomic write, so lines of several processes never mix. A parent that is ending has
    closed the pipe and needs no more reports.
    """
    with suppress(BrokenPipeError):
        os.write(STDOUT, _encode(message) + b"\n")


def decode_report(line: bytes) -> FromChild | None:
    """Return a child's message; None for any other line, such as output of a library."""
    try:
        return _decode.decode(line)
    except msgspec.MsgspecError:
        return None
