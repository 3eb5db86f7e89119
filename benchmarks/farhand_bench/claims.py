"""Targets of the numeric parts compared with figures: target, ours, the peer's, and their ratio."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from farhand_bench.arms import ARMS
from farhand_bench.rows import Row

__all__ = ["CLAIMS", "AsAsked", "Claim", "Faster", "verdicts"]

CLOSED = ("irb120", "crs a460")


class Faster(Struct, frozen=True):
    """Claim that our median is `factor` times smaller than a peer's; rows are found by the start of their names."""

    bench: str
    text: str
    ours: str
    peer: str
    factor: float


class AsAsked(Struct, frozen=True):
    """Claim that a row meets its own target."""

    bench: str
    text: str
    ours: str


Claim = Faster | AsAsked


def _inverse() -> Iterable[Claim]:
    for arm in ARMS:
        yield AsAsked("ik", f"{arm}: poses reached", f"{arm}, ours: reached")
        yield Faster("ik", f"{arm}: than Robotics Toolbox's C++", f"{arm}, ours (", f"{arm}, Robotics Toolbox", 5.0)
        yield Faster("ik", f"{arm}: than TRAC-IK", f"{arm}, ours (", f"{arm}, TRAC-IK", 25.0)
    for arm in CLOSED:
        peer = f"{arm}, EAIK, closed form, one branch"
        yield Faster("ik", f"{arm}: closed form, than EAIK without limits", f"{arm}, ours (", peer, 1.0)


CLAIMS: tuple[Claim, ...] = (
    *_inverse(),
    Faster("servo", "servo step, than placo", "servo step: position", "placo, limits", 1.5),
    Faster(
        "servo", "servo step avoiding 50 boxes, than mink", "servo step that avoids", "mink (daqp), limits and", 25.0
    ),
    Faster("distance", "collision check, than MuJoCo", "collision check of", "MuJoCo: touches", 2.5),
    Faster("distance", "collision check, than coal with broad phase", "collision check of", "coal: touches, with", 7.0),
    AsAsked("distance", "results that differ from MuJoCo's in 10,000", "MuJoCo: different results"),
    AsAsked("distance", "results that differ from coal's in 10,000", "coal: different results"),
    AsAsked("plan", "50 boxes: solved", "50 boxes: solved, clearance"),
    AsAsked("plan", "pillars: solved", "pillars with a load: solved, clearance"),
    AsAsked("plan", "invalid paths, 50 boxes", "50 boxes: paths that touch"),
    AsAsked("plan", "invalid paths, pillars", "pillars with a load: paths that touch"),
    AsAsked("plan", "50 boxes: 90th percentile", "50 boxes: 90th percentile"),
    AsAsked("plan", "pillars: 90th percentile", "pillars with a load: 90th percentile"),
    Faster("plan", "pillars: path, than OMPL", "pillars with a load: path", "pillars with a load: OMPL", 10.0),
    AsAsked("plan", "50 boxes: length relative to OMPL's", "50 boxes: our length"),
    AsAsked("plan", "pillars: length relative to OMPL's", "pillars with a load: our length"),
)


def verdicts(found: Mapping[str, Sequence[Row]]) -> list[str]:
    """Return a table line for each claim: target, ours, peer's, ratio, and whether it is met."""
    return [line for claim in CLAIMS if (line := _verdict(claim, found.get(claim.bench, ())))]


def _verdict(claim: Claim, rows: Sequence[Row]) -> str:
    ours = _row(rows, claim.ours)
    if ours is None:
        return ""
    mine = f"{ours.median:.4g} {ours.unit}".strip()
    if isinstance(claim, Faster):
        peer = _row(rows, claim.peer)
        if peer is None:
            return f"| {claim.text} | ≥ {claim.factor:g} times | {mine} | not available | | |"
        ratio = peer.median / ours.median
        met = "yes" if ratio >= claim.factor else "**no**"
        theirs = f"{peer.median:.4g} {peer.unit}"
        return f"| {claim.text} | ≥ {claim.factor:g} times | {mine} | {theirs} | {ratio:.3g} | {met} |"
    return f"| {claim.text} | {ours.bar} | {mine} | | | {'yes' if ours.met else '**no**'} |"


def _row(rows: Sequence[Row], begin: str) -> Row | None:
    return next((row for row in rows if row.name.strip().startswith(begin)), None)
