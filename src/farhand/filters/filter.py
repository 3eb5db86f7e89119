"""What every filter offers, the registry of their kinds, and the chain."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from msgspec import Struct

from farhand.poses import Pose
from farhand.registry import Registry
from farhand.types import Demand, Note, ObjectSpec, RobotState, Vector, Wrench

__all__ = [
    "FILTERS",
    "NO_NOTES",
    "Alterable",
    "Felt",
    "Filter",
    "FilterFactory",
    "Placed",
    "Surroundings",
    "View",
    "run_filters",
]

NO_NOTES: tuple[Note, ...] = ()


class View(Struct, frozen=True):
    """What a filter may look at.

    Args:
        robot: The robot as measured at the end of the last tick.
        T_base_tip: Where its set-point has the tip.
        tip_speed: How fast that moves, m/s.
        speed: The chosen speed level as a share of full speed.
        dt: Seconds per tick.
        objects: Where the objects of the world are, by name; only for lanes whose filters are placed among them.
        contact: What the surroundings do to the tip, world axes; left out: what the robot's own contact sensor says.
        told: The arm's set-point: joint positions.
        tip_at: Says where the tip is with the joints elsewhere.
        brakes: Deceleration (m/s²) with which the joints can stop the tip on its way, as they move now.
    """

    robot: RobotState
    T_base_tip: Pose
    tip_speed: float
    speed: float
    dt: float
    objects: Mapping[str, Pose] = {}
    contact: Wrench | None = None
    told: Vector = ()
    tip_at: Callable[[Vector], Pose] | None = None
    brakes: float = math.inf


class Surroundings(Struct, frozen=True):
    """What is constant about where a filter is.

    Args:
        T_world_base: Where the robot stands.
        objects: Those of the world, by name.
        meshes: Binary STL files by the path that an object names.
    """

    T_world_base: Pose
    objects: Mapping[str, ObjectSpec]
    meshes: Mapping[str, bytes]


class Filter(Protocol):
    """A stage between source and servo."""

    def __call__(self, demand: Demand, view: View, memory: Any) -> tuple[Demand, Any, tuple[Note, ...]]:
        """Return the demand as it may go on, the next memory, and a note for every change."""


@runtime_checkable
class Placed(Protocol):
    """A filter that must know where it is before it does anything."""

    def placed(self, around: Surroundings) -> Filter:
        """Return the filter in its surroundings."""


@runtime_checkable
class Alterable(Protocol):
    """A filter whose settings can change while it runs: its memory is good for every filter of its kind."""

    def tightens(self, before: Any) -> bool:
        """Return whether it lets nothing through that one of its kind with other settings would not.

        Args:
            before: The other one.
        """


@runtime_checkable
class Felt(Protocol):
    """A filter that the hand feels."""

    def felt(self, memory: Any) -> Wrench:
        """Return what the hand shall feel of it, in the robot's base axes, N and Nm at the hand.

        Args:
            memory: The filter's, as it has just left it.
        """


FilterFactory = Callable[[dict[str, Any]], Filter]
"""Makes a filter from its table in a cell file."""

FILTERS: Registry[FilterFactory] = Registry("filter")


def run_filters(
    chain: Sequence[Filter | None], demand: Demand, view: View, memories: Sequence[Any]
) -> tuple[Demand, tuple[Any, ...], tuple[Note, ...]]:
    """Pass a demand through a chain of filters; notes accumulate.

    A filter that is switched off stands in the chain as None: it is passed by and forgets, so that it starts anew.
    """
    kept: list[Any] = []
    notes = NO_NOTES
    for stage, memory in zip(chain, memories, strict=True):
        if stage is None:
            kept.append(None)
            continue
        demand, after, said = stage(demand, view, memory)
        kept.append(after)
        if said:
            notes += said
    return demand, tuple(kept), notes
