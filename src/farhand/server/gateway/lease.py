"""Who controls a robot: one holder at a time, others may ask. Pure functions on a frozen value.

::

    nobody ──ask──▶ held ──yield──▶ held by the one who asked (a new epoch each time)
      ▲              │ connection lost: kept for a few seconds, then free
      └──release─────┘ asked, no answer for a while, and not driving: may be taken over

Each change of hands counts the epoch up; readings of an earlier one are refused by the cell, and a new one needs a
fresh press of the deadman.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

__all__ = [
    "FREE",
    "Lease",
    "Waiting",
    "ask",
    "back",
    "expire",
    "gone",
    "may_take",
    "refuse",
    "release",
    "restored",
    "take_over",
    "yield_to",
]

KEEP = 5.0  # seconds for which control is kept for a holder whose connection was lost
PATIENCE = 10.0  # seconds without an answer after which control may be taken over


class Waiting(Struct, frozen=True):
    """A viewer who asks, and since when."""

    viewer: int
    since: float


class Lease(Struct, frozen=True):
    """The control of one robot.

    Args:
        holder: Viewer, or None.
        epoch: Counts the changes of hands.
        lost: When the holder's connection was lost, or None while it is there.
        askers: In the order of their asking.
        reserved: Restored after the gateway was restarted: nobody else may take it before it expires.
    """

    holder: int | None = None
    epoch: int = 0
    lost: float | None = None
    askers: tuple[Waiting, ...] = ()
    reserved: bool = False


FREE = Lease()


def _given(lease: Lease, viewer: int) -> Lease:
    return Lease(viewer, lease.epoch + 1, None, _without(lease, viewer))


def _without(lease: Lease, viewer: int) -> tuple[Waiting, ...]:
    return tuple(w for w in lease.askers if w.viewer != viewer)


def ask(lease: Lease, viewer: int, now: float) -> Lease:
    """Give control to a viewer if it is free, or note that he waits for it."""
    if lease.holder == viewer:
        return lease
    if lease.holder is None:
        return _given(lease, viewer)
    if any(w.viewer == viewer for w in lease.askers):
        return lease
    return replace(lease, askers=(*lease.askers, Waiting(viewer, now)))


def release(lease: Lease, viewer: int) -> Lease:
    """Take control, or the asking for it, back from a viewer; whoever asked first gets it."""
    if lease.holder != viewer:
        return replace(lease, askers=_without(lease, viewer))
    freed = Lease(None, lease.epoch, None, lease.askers)
    return _given(freed, lease.askers[0].viewer) if lease.askers else freed


def yield_to(lease: Lease, holder: int, viewer: int) -> Lease:
    """Hand control over from its holder to a viewer who asked for it."""
    if lease.holder != holder or all(w.viewer != viewer for w in lease.askers):
        return lease
    return _given(lease, viewer)


def refuse(lease: Lease, holder: int, viewer: int) -> Lease:
    """Let the holder refuse a viewer who asked."""
    if lease.holder != holder:
        return lease
    return replace(lease, askers=_without(lease, viewer))


def may_take(lease: Lease, viewer: int, now: float, *, driving: bool) -> bool:
    """Return whether a viewer who asked may take over: the holder is away, or did not answer and does not drive."""
    waited = next((now - w.since for w in lease.askers if w.viewer == viewer), None)
    if waited is None or lease.holder is None or lease.reserved:
        return False
    return lease.lost is not None or (waited >= PATIENCE and not driving)


def take_over(lease: Lease, viewer: int, now: float, *, driving: bool) -> Lease:
    """Give control to a viewer who may take it."""
    return _given(lease, viewer) if may_take(lease, viewer, now, driving=driving) else lease


def gone(lease: Lease, viewer: int, now: float) -> Lease:
    """Note that a viewer's connection was lost: he no longer asks, and his control is kept for a while."""
    lease = replace(lease, askers=_without(lease, viewer))
    return replace(lease, lost=now) if lease.holder == viewer else lease


def back(lease: Lease, viewer: int) -> Lease:
    """Note that a viewer's connection is there again; his control goes on under the same epoch."""
    return replace(lease, lost=None, reserved=False) if lease.holder == viewer else lease


def restored(viewer: int, epoch: int, now: float) -> Lease:
    """Return the control that a viewer had under an earlier gateway: kept for it, under a new epoch.

    Args:
        viewer: Who held it.
        epoch: Under which; the new one is the next.
        now: The clock's seconds, from which on it is kept.
    """
    return Lease(viewer, epoch + 1, now, (), reserved=True)


def expire(lease: Lease, now: float) -> Lease:
    """Free the control of a holder who has been away for too long."""
    if lease.holder is not None and lease.lost is not None and now - lease.lost >= KEEP:
        return release(lease, lease.holder)
    return lease
