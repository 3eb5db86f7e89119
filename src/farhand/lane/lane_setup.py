"""The set-up of a lane: the part that can be changed while it runs, and the memory after a change.

A change never touches the set-point. New filters take over the memories of the old ones where they can, and servo and
guard bound the motion. A change that relaxes a limit interrupts the motion: the operator must press the deadman again.
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
    """The part of a lane that can be changed while it runs.

    Args:
        mappings: Control modes, by name; the first is chosen at start.
        filters: Filters by name, in order.
        watchdog: Time limits of the readings.
        speeds: Speed levels as shares of full speed.
        scales: Scales of the hand's motion.
        reflection: Settings of the force feedback.
        avoid: Settings of obstacle avoidance; None without it.
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
    """Return the memory of a lane after a change of its set-up: nothing jumps, unchanged parts stay.

    The motion is interrupted if the new set-up is less strict, or if the chosen mapping has changed.

    Args:
        memory: The memory after the last tick.
        before: The set-up before the change.
        after: The set-up after the change.
        filters_before: Filters by name, in order, including the speed level.
        filters_after: The same after the change.
    """
    mapping = memory.mapping if memory.mapping in after.mappings else next(iter(after.mappings))
    same_mapping = after.mappings[mapping] is before.mappings[memory.mapping]
    kept = replace(
        memory,
        filters=carried_over(filters_before, memory.filters, filters_after),
        speed_level=min(memory.speed_level, len(after.speeds)),
        mapping=mapping,
        mapping_memory=memory.mapping_memory if same_mapping else None,
        finding=_still_off(memory.finding, filters_before, filters_after),
        seen=memory.seen if after.avoid == before.avoid else None,
        news=memory.news if mapping == memory.mapping else (*memory.news, _gone(memory.mapping, mapping)),
    )
    return kept if same_mapping and not is_less_strict(before, after, memory.speed_level) else disengage(kept)


def _gone(mapping: str, chosen: str) -> Note:
    return Note("lane.mapping", about=(Subject("mapping", mapping), Subject("mapping", chosen)))


def _still_off(finding: Finding, before: Names[str, Filter], after: Names[str, Filter]) -> Finding:
    """Return the finding with the present names of the filters that are switched off, without removed ones."""
    if not finding.off:
        return finding
    named, known = {id(stage): name for name, stage in after.items()}, {id(stage) for stage in before.values()}
    off = [name for name in finding.off if name == FEEDFORWARD]
    for name in finding.off:
        if name in before and id(before[name]) in named:
            off.append(named[id(before[name])])
        elif name in before and name in after and id(after[name]) not in known:
            off.append(name)  # the same filter, altered
    return replace(finding, off=tuple(off))


def carried_over(before: Names[str, Filter], memories: tuple[Any, ...], after: Names[str, Filter]) -> tuple[Any, ...]:
    """Return the memories of filters in their new order; None for new ones."""
    known = {id(stage): memory for stage, memory in zip(before.values(), memories, strict=True)}
    named = dict(zip(before, memories, strict=True))
    kept = []
    for name, stage in after.items():
        memory = known.get(id(stage))
        altered = name in before and type(before[name]) is type(stage) and isinstance(stage, Alterable)
        kept.append(named[name] if id(stage) not in known and altered else memory)
    return tuple(kept)


def is_less_strict(before: LaneSetup, after: LaneSetup, level: int) -> bool:
    """Return whether a set-up allows more motion, or other force feedback, than the one before at a speed level."""
    share = after.speeds[min(level, len(after.speeds)) - 1]
    if share > before.speeds[level - 1] or after.reflection != before.reflection:
        return True
    if before.avoid and not (after.avoid and after.avoid.tightens(before.avoid)):
        return True
    if _is_watchdog_less_strict(before.watchdog, after.watchdog):
        return True
    still = {id(stage) for stage in after.filters.values()}
    gone = [(name, stage) for name, stage in before.filters.items() if id(stage) not in still]
    return not all(_is_stricter(after.filters.get(name), stage) for name, stage in gone)


def _is_watchdog_less_strict(before: WatchdogSpec, after: WatchdogSpec) -> bool:
    if before.bounded and not after.bounded:
        return True
    figures = ("pause", "stop", "baseline", "tip_overrun", "base_overrun")
    return any(getattr(after, figure) > getattr(before, figure) for figure in figures)


def _is_stricter(after: Filter | None, before: Filter) -> bool:
    return type(after) is type(before) and isinstance(after, Alterable) and after.tightens(before)
