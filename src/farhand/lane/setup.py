"""How a robot is driven: all of a lane that can be changed while it runs, as one value, and what a change does.

A change never touches the set-point: the new filters start from the old ones' memories where they can, else anew, and
servo and guard bound what follows. What it must not do is to let a robot do more under a hand that holds on.
"""

from __future__ import annotations

from collections.abc import Mapping as Names
from typing import Any

from msgspec import Struct

from farhand.filters import Alterable, Filter
from farhand.lane.modes import WatchdogSpec
from farhand.lane.reflection import ReflectionSpec
from farhand.mapping import Mapping
from farhand.types import Vector

__all__ = ["Setup", "carried_over", "looser"]


class Setup(Struct, frozen=True):
    """The parts of a lane that can be changed.

    Args:
        mappings: Ways to drive it, by name; the first is chosen at start.
        filters: By name, in order.
        watchdog: When readings count as lost.
        speeds: Speed levels as shares of full speed.
        scales: Of the hand's motion.
        reflection: How much of a contact the hand feels.
    """

    mappings: Names[str, Mapping]
    filters: Names[str, Filter]
    watchdog: WatchdogSpec
    speeds: Vector
    scales: Vector
    reflection: ReflectionSpec


def carried_over(before: Names[str, Filter], memories: tuple[Any, ...], after: Names[str, Filter]) -> tuple[Any, ...]:
    """Return the memories of filters in their new order; those that are new start without any."""
    known = {id(stage): memory for stage, memory in zip(before.values(), memories, strict=True)}
    named = dict(zip(before, memories, strict=True))
    kept = []
    for name, stage in after.items():
        memory = known.get(id(stage))
        altered = name in before and type(before[name]) is type(stage) and isinstance(stage, Alterable)
        kept.append(named[name] if id(stage) not in known and altered else memory)
    return tuple(kept)


def looser(before: Setup, after: Setup, level: int) -> bool:
    """Return whether a set-up may let a robot do, or a hand feel, more than the one before at a speed level."""
    share = after.speeds[min(level, len(after.speeds)) - 1]
    if share > before.speeds[level - 1] or after.reflection != before.reflection:
        return True
    if after.watchdog.pause > before.watchdog.pause or after.watchdog.stop > before.watchdog.stop:
        return True
    still = {id(stage) for stage in after.filters.values()}
    gone = [(name, stage) for name, stage in before.filters.items() if id(stage) not in still]
    return not all(_tighter(after.filters.get(name), stage) for name, stage in gone)


def _tighter(after: Filter | None, before: Filter) -> bool:
    return type(after) is type(before) and isinstance(after, Alterable) and after.tightens(before)
