"""The protocol of a filter, the registry of filter kinds, and the filter chain."""

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
    """The state that a filter may read.

    Args:
        robot: The robot as measured at the end of the last tick.
        T_base_tip: Tip pose at the robot's set-point.
        tip_speed: Speed of that pose, m/s.
        speed: The chosen speed level as a share of full speed.
        dt: Seconds per tick.
        objects: Poses of the world's objects, by name; given only in lanes whose filters are placed among them.
        contact: Contact force and torque on the tip, world axes; left out: the reading of the robot's own contact
            sensor.
        told: The arm's set-point: joint positions.
        tip_at: Returns the tip pose at other joint positions.
        brakes: Deceleration (m/s²) that the joints can give the tip along its path, at their present rates.
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
    """The constant surroundings of a filter.

    Args:
        T_world_base: Pose of the robot's base.
        objects: The objects of the world, by name.
        meshes: Binary STL files by the path that an object names.
    """

    T_world_base: Pose
    objects: Mapping[str, ObjectSpec]
    meshes: Mapping[str, bytes]


class Filter(Protocol):
    """A stage between source and servo."""

    def __call__(self, demand: Demand, view: View, memory: Any) -> tuple[Demand, Any, tuple[Note, ...]]:
        """Return the filtered demand, the next memory, and a note for every change."""


@runtime_checkable
class Placed(Protocol):
    """A filter that needs its surroundings before it can act."""

    def placed(self, around: Surroundings) -> Filter:
        """Return the filter in its surroundings."""


@runtime_checkable
class Alterable(Protocol):
    """A filter whose settings can change while it runs; every filter of its kind can use its memory."""

    def tightens(self, before: Any) -> bool:
        """Return whether this filter passes nothing that the other filter, of the same kind, would hold back.

        Args:
            before: The other filter.
        """


@runtime_checkable
class Felt(Protocol):
    """A filter that the operator feels."""

    def felt(self, memory: Any) -> Wrench:
        """Return the force feedback at the hand, in the robot's base axes, N and Nm.

        Args:
            memory: The filter's memory after this tick.
        """


FilterFactory = Callable[[dict[str, Any]], Filter]
"""Function that makes a filter from its table in a cell file."""

FILTERS: Registry[FilterFactory] = Registry("filter")


def run_filters(
    chain: Sequence[Filter | None], demand: Demand, view: View, memories: Sequence[Any]
) -> tuple[Demand, tuple[Any, ...], tuple[Note, ...]]:
    """Pass a demand through a chain of filters, and collect their notes.

    A filter that is switched off stands in the chain as None: it is skipped and loses its memory, so that it starts
    afresh.
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
