"""Check the limits of a cell file for contradictions: the robot must be able to be at home within all of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from farhand.config import ConfigError
from farhand.distances import Arena
from farhand.filters import Filter, Surroundings, Workspace
from farhand.filters.compliance import Compliance
from farhand.filters.fixture import Fixture
from farhand.formats.model import WristSpec
from farhand.lane import Lane
from farhand.poses import Pose, Vec3, compose, inverse, normalized, transform_point
from farhand.types import State

__all__ = ["check_clear", "check_limits", "check_noise"]

AXES = "xyz"
ROUNDING = 1e-6  # m
NOISE_SIGMAS = 5.0  # noise reaches this multiple of its standard deviation now and then
MIN_GRADIENT = 1e-6  # m/rad: below this no joint changes the distance of a pair


def check_limits(lane: Lane, around: Surroundings) -> None:
    """Check that a robot can be at home within all of its limits.

    Args:
        lane: The lane of the robot.
        around: Its base and the objects at the start.

    Raises:
        ConfigError: If it cannot; the field is relative to the robot's table.
    """
    stages = list(enumerate(lane.setup.filters.values()))
    _check_overlaps([(at, stage) for at, stage in stages if isinstance(stage, Workspace)])
    home = lane.tip(lane.home).position
    for at, stage in stages:
        if isinstance(stage, Workspace):
            _check_inside(home, stage, at)
        elif isinstance(stage, Fixture) and stage.spec.act != "attract":
            _check_allowed(home, stage, around, at)


def check_noise(filters: Iterable[Filter], wrist: WristSpec | None) -> None:
    """Check that compliance does not yield to the noise of the wrist sensor.

    Args:
        filters: The filters of the robot, in order.
        wrist: Its wrist sensor, if it has one.

    Raises:
        ConfigError: If it would; the field is relative to the robot's table.
    """
    if wrist is None:
        return
    for at, stage in enumerate(filters):
        if isinstance(stage, Compliance):
            _check_above(stage.spec.threshold, wrist.force_noise, "N", f"filters[{at}].threshold", "force_noise")
            if stage.spec.torque is not None:
                _check_above(stage.spec.torque, wrist.torque_noise, "Nm", f"filters[{at}].torque", "torque_noise")


def _check_above(found: float, noise: float, unit: str, field: str, name: str) -> None:
    if found < NOISE_SIGMAS * noise:
        peak = f"the peaks of the wrist sensor's own noise ({name} = {noise:g} {unit})"
        wanted = f"the arm would never stand still; expected {NOISE_SIGMAS * noise:g} at least"
        problem = f"found {found:g} {unit}, below {peak}: {wanted}"
        raise ConfigError(field, problem)


def check_clear(lane: Lane, arena: Arena, state: State) -> None:
    """Check that an arm with `avoid` keeps its clearance at home; other robots do not count, since they can move away.

    Args:
        lane: The lane of the robot.
        arena: The bodies that it avoids.
        state: The state of the world.

    Raises:
        ConfigError: If it does not; names the pair. The field is relative to the robot's table.
    """
    arena.look(lane.home, state.robots[lane.name], state.objects, state.objects, state.robots, state.robots)
    keep, others = arena.servo.keep, {int(row) for rows in arena.neighbour_rows() for row in rows}
    for pair in arena.clearance.near(np.array(lane.home), keep):
        stands = not arena.touchable(pair) and pair.who[1] not in others
        if stands and pair.distance < keep and np.abs(pair.gradient).max() > MIN_GRADIENT:
            found = f"at home {pair.first} is {1e3 * max(pair.distance, 0.0):.0f} mm from {pair.second}"
            problem = f"found {keep:g}, but {found}, which it must avoid: it could not be there"
            raise ConfigError("avoid.keep", problem)


def _check_overlaps(boxes: Sequence[tuple[int, Workspace]]) -> None:
    for i, (at, box) in enumerate(boxes):
        for before, other in boxes[:i]:
            _check_overlap(box, other, at, before)


def _check_overlap(box: Workspace, other: Workspace, at: int, before: int) -> None:
    for axis, name in enumerate(AXES):
        if min(box.upper[axis], other.upper[axis]) <= max(box.lower[axis], other.lower[axis]):
            problem = f"leaves no room in {name} together with filters[{before}]: the two work areas do not overlap"
            raise ConfigError(f"filters[{at}]", problem)


def _check_inside(home: Vec3, box: Workspace, at: int) -> None:
    for axis, name in enumerate(AXES):
        if not box.lower[axis] <= home[axis] <= box.upper[axis]:
            found = f"the tip's {name} at home is {home[axis]:.3f}"
            span = f"{box.lower[axis]:g} to {box.upper[axis]:g}"
            raise ConfigError(f"filters[{at}]", f"{found}, outside this work area ({span}); no motion could begin")


def _check_allowed(home: Vec3, fixture: Fixture, around: Surroundings, at: int) -> None:
    """Check that a fixture allows the tip at home, with its object where it starts."""
    spec, there = fixture.spec, home
    if spec.object:
        item = around.objects[spec.object]
        T_base_object = compose(inverse(around.T_world_base), Pose(item.position, normalized(item.rotation)))
        there = transform_point(inverse(T_base_object), home)
    distance, _ = fixture.surface.nearest(there)
    keeps_out = spec.act == "keep-out"
    too_far = spec.margin - distance if keeps_out else spec.margin + distance
    if too_far > ROUNDING:
        where = "beyond" if spec.plane else "inside" if keeps_out else "outside"
        how = "keeps it out" if keeps_out else "keeps it in"
        margin = ", margin included" if spec.margin else ""
        found = f"the tip at home is {1e3 * too_far:.0f} mm {where} {spec.name!r}{margin}"
        raise ConfigError(f"filters[{at}]", f"{found}, which {how}; the robot could not start there")
