"""How a robot is driven: all of a lane that can be changed while it runs, as one value, and what a change does.

A change never touches the set-point: the new filters start from the old ones' memories where they can, else anew, and
servo and guard bound what follows. What it must not do is to let a robot do more under a hand that holds on.
"""

from __future__ import annotations

from collections.abc import Mapping as Names
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from farhand.filters import Alterable, Filter
from farhand.lane.contact.force_feedback import ReflectionSpec
from farhand.lane.memory import LaneMemory, disengage
from farhand.lane.modes.fault_finding import FEEDFORWARD, Finding
from farhand.lane.modes.mode_machine import WatchdogSpec
from farhand.mapping import Mapping
from farhand.surroundings import AvoidSpec
from farhand.types import Note, Subject, Vector

__all__ = ["LaneSetup", "carried_over", "is_less_strict", "migrate_memory"]


class LaneSetup(Struct, frozen=True):
    """The parts of a lane that can be changed.

    Args:
        mappings: Ways to drive it, by name; the first is chosen at start.
        filters: By name, in order.
        watchdog: When readings count as lost.
        speeds: Speed levels as shares of full speed.
        scales: Of the hand's motion.
        reflection: How much of a contact the hand feels.
        avoid: How the arm keeps clear, if it does.
    """

    mappings: Names[str, Mapping]
    filters: Names[str, Filter]
    watchdog: WatchdogSpec
    speeds: Vector
    scales: Vector
    reflection: ReflectionSpec
    avoid: AvoidSpec | None = None


def migrate_memory(
    memory: LaneMemory,
    before: LaneSetup,
    after: LaneSetup,
    filters_before: Names[str, Filter],
    filters_after: Names[str, Filter],
) -> LaneMemory:
    """Return the memory of a lane whose set-up changes: nothing jumps, nothing unchanged is forgotten.

    Whoever drives lets go if anything is looser than before, or if what he holds would mean something else.

    Args:
        memory: Of the last tick.
        before: The set-up it is of.
        after: The one that takes its place.
        filters_before: By name, in order, the speed level among them.
        filters_after: Likewise.
    """
    mapping = memory.mapping if memory.mapping in after.mappings else next(iter(after.mappings))
    same_way = after.mappings[mapping] is before.mappings[memory.mapping]
    kept = replace(
        memory,
        filters=carried_over(filters_before, memory.filters, filters_after),
        speed_level=min(memory.speed_level, len(after.speeds)),
        mapping=mapping,
        mapping_memory=memory.mapping_memory if same_way else None,
        finding=_still_off(memory.finding, filters_before, filters_after),
        seen=memory.seen if after.avoid == before.avoid else None,
        news=memory.news if mapping == memory.mapping else (*memory.news, _gone(memory.mapping, mapping)),
    )
    return kept if same_way and not is_less_strict(before, after, memory.speed_level) else disengage(kept)


def _gone(mapping: str, chosen: str) -> Note:
    return Note("lane.mapping", about=(Subject("mapping", mapping), Subject("mapping", chosen)))


def _still_off(finding: Finding, before: Names[str, Filter], after: Names[str, Filter]) -> Finding:
    """Return what is switched off, by the names that it has now; what is gone is not, nor what got its name."""
    if not finding.off:
        return finding
    named, known = {id(stage): name for name, stage in after.items()}, {id(stage) for stage in before.values()}
    off = [name for name in finding.off if name == FEEDFORWARD]
    for name in finding.off:
        if name in before and id(before[name]) in named:
            off.append(named[id(before[name])])
        elif name in before and name in after and id(after[name]) not in known:
            off.append(name)  # it was altered
    return replace(finding, off=tuple(off))


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


def is_less_strict(before: LaneSetup, after: LaneSetup, level: int) -> bool:
    """Return whether a set-up may let a robot do, or a hand feel, more than the one before at a speed level."""
    share = after.speeds[min(level, len(after.speeds)) - 1]
    if share > before.speeds[level - 1] or after.reflection != before.reflection:
        return True
    if before.avoid and not (after.avoid and after.avoid.tightens(before.avoid)):
        return True
    if _looser_watchdog(before.watchdog, after.watchdog):
        return True
    still = {id(stage) for stage in after.filters.values()}
    gone = [(name, stage) for name, stage in before.filters.items() if id(stage) not in still]
    return not all(_tighter(after.filters.get(name), stage) for name, stage in gone)


def _looser_watchdog(before: WatchdogSpec, after: WatchdogSpec) -> bool:
    if before.bounded and not after.bounded:
        return True
    figures = ("pause", "stop", "baseline", "tip_overrun", "base_overrun")
    return any(getattr(after, figure) > getattr(before, figure) for figure in figures)


def _tighter(after: Filter | None, before: Filter) -> bool:
    return type(after) is type(before) and isinstance(after, Alterable) and after.tightens(before)
