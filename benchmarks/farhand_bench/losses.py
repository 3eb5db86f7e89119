"""A campaign of losses: the robot brakes in time and comes to rest, whenever and however readings cease."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Literal

from msgspec import Struct

from farhand.cell import Cell
from farhand.types import Reading, SelectMapping, SetSpeed
from farhand_bench.rehearsal import Rehearsal

__all__ = ["KINDS", "Loss", "losses"]

Kind = Literal["silence", "repeated", "queue"]
KINDS: tuple[Kind, ...] = ("silence", "repeated", "queue")
MAPPINGS = ("joints", "base axes", "tool axes")
LONGEST = 600  # ticks to wait for rest


class Loss(Struct, frozen=True):
    """Result of one loss.

    Args:
        kind: No more readings; the last reading again and again; new ones that echo an old tick.
        began: Ticks from the last fresh reading until the robot brakes.
        took: Seconds from then to rest.
        needed: v/a of the slowest joint to stop, at the start of braking, seconds.
    """

    kind: Kind
    began: int
    took: float
    needed: float


def losses(cell: Cell, count: int, seed: int = 0) -> Iterator[Loss]:
    """Yield the results of losses, each in the middle of a random motion from a random posture."""
    random, stage = Random(seed), Rehearsal(cell)
    for _ in range(count):
        yield _loss(stage, random)


def _loss(stage: Rehearsal, random: Random) -> Loss:
    joints = stage.lane.model.arm.joints
    stage.begin(tuple(random.uniform(0.6 * j.lower, 0.6 * j.upper) for j in joints))
    chosen = SelectMapping(stage.lane.name, random.choice(MAPPINGS)), SetSpeed(stage.lane.name, random.randint(3, 5))
    stage.step(Reading(sequence=1, tick=0), chosen)
    axes = tuple(random.uniform(-1.0, 1.0) for _ in joints)
    for _ in range(random.randint(5, 150)):
        last = Reading(sequence=stage.tick + 1, tick=stage.tick, deadman=True, axes=axes)
        stage.step(last)
    kind, fresh = random.choice(KINDS), stage.tick
    while stage.report is not None and stage.report.mode == "teleoperation":
        before = stage.arm
        stage.step(_stale(kind, last, stage.tick))
    needed = max(abs(rate) / joint.acceleration for joint, rate in zip(joints, before.rates, strict=True))
    began = stage.tick
    while any(stage.arm.rates) and stage.tick - began < LONGEST:
        stage.step(_stale(kind, last, stage.tick))
    return Loss(kind, began - fresh, (stage.tick - began + 1) * stage.dt, needed)


def _stale(kind: Kind, last: Reading, tick: int) -> Reading | None:
    if kind == "silence":
        return None
    if kind == "repeated":
        return last
    return Reading(sequence=tick + 1, tick=last.tick, deadman=True, axes=last.axes)
