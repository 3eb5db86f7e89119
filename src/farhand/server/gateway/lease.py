"""The lease of a robot: one viewer holds control, others may ask for it. Pure functions of a frozen value.

::

    free ──ask──▶ held ──yield──▶ held by the viewer who asked (a new epoch each time)
      ▲            │ connection lost: kept for 5 s, then free
      └──release───┘ request unanswered for 10 s, holder not driving: may be taken over

Each change of control raises the epoch. The cell refuses readings of an earlier epoch, and a new epoch needs a fresh
press of the deadman.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

__all__ = [
    "FREE",
    "ControlRequest",
    "Lease",
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

KEEP_S = 5.0  # for which control is kept for a holder whose connection was lost
ANSWER_S = 10.0  # without an answer to a request, after which control may be taken over


class ControlRequest(Struct, frozen=True):
    """A viewer who asks for control, and since when (s)."""

    viewer: int
    since: float


class Lease(Struct, frozen=True):
    """The lease of one robot.

    Args:
        holder: Number of the viewer in control; None if the robot is free.
        epoch: Counts the changes of control.
        lost: Time at which the holder's connection was lost; None while they are connected.
        askers: Viewers who ask for control, the first one first.
        reserved: Restored after a restart of the gateway: nobody may take over before it expires.
    """

    holder: int | None = None
    epoch: int = 0
    lost: float | None = None
    askers: tuple[ControlRequest, ...] = ()
    reserved: bool = False


FREE = Lease()


def _given(lease: Lease, viewer: int) -> Lease:
    return Lease(viewer, lease.epoch + 1, None, _without(lease, viewer))


def _without(lease: Lease, viewer: int) -> tuple[ControlRequest, ...]:
    return tuple(w for w in lease.askers if w.viewer != viewer)


def ask(lease: Lease, viewer: int, now: float) -> Lease:
    """Give control to a viewer if the robot is free; otherwise add their request."""
    if lease.holder == viewer:
        return lease
    if lease.holder is None:
        return _given(lease, viewer)
    if any(w.viewer == viewer for w in lease.askers):
        return lease
    return replace(lease, askers=(*lease.askers, ControlRequest(viewer, now)))


def release(lease: Lease, viewer: int) -> Lease:
    """Release control, which goes to the viewer who asked first, or withdraw a request for it."""
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
    """Remove the request of a viewer whom the holder refuses."""
    if lease.holder != holder:
        return lease
    return replace(lease, askers=_without(lease, viewer))


def may_take(lease: Lease, viewer: int, now: float, *, driving: bool) -> bool:
    """Return whether a viewer who asked may take over: the holder is disconnected, or neither answers nor drives."""
    waited = next((now - w.since for w in lease.askers if w.viewer == viewer), None)
    if waited is None or lease.holder is None or lease.reserved:
        return False
    return lease.lost is not None or (waited >= ANSWER_S and not driving)


def take_over(lease: Lease, viewer: int, now: float, *, driving: bool) -> Lease:
    """Give control to a viewer who may take over."""
    return _given(lease, viewer) if may_take(lease, viewer, now, driving=driving) else lease


def gone(lease: Lease, viewer: int, now: float) -> Lease:
    """Return the lease after a viewer's connection was lost: without their request; control is kept for `KEEP_S`."""
    lease = replace(lease, askers=_without(lease, viewer))
    return replace(lease, lost=now) if lease.holder == viewer else lease


def back(lease: Lease, viewer: int) -> Lease:
    """Return the lease after a viewer has reconnected: their control continues under the same epoch."""
    return replace(lease, lost=None, reserved=False) if lease.holder == viewer else lease


def restored(viewer: int, epoch: int, now: float) -> Lease:
    """Return the lease of a viewer who held control under an earlier gateway: reserved, with the next epoch.

    Args:
        viewer: Number of the holder.
        epoch: Epoch under the earlier gateway.
        now: Time of the clock, s, from which the lease is kept.
    """
    return Lease(viewer, epoch + 1, now, (), reserved=True)


def expire(lease: Lease, now: float) -> Lease:
    """Release the lease of a holder who has been disconnected for `KEEP_S`."""
    if lease.holder is not None and lease.lost is not None and now - lease.lost >= KEEP_S:
        return release(lease, lease.holder)
    return lease
