"""Virtual fixtures: lines, planes and surfaces of objects that keep the tip out, keep it in, or draw it to them.

A fixture that keeps the tip out or in bounds its velocity, whatever moves it; a hand that goes further feels a spring.
A fixture that draws the tip bends the hand's path a little towards itself, and the hand feels that too: within `hold`
the tip lies exactly on the fixture, beyond `width` it is free, with a smooth transition between. The path is bent by no
more than `hold`, so that pulling harder leaves the fixture.

On a robot that drives, lines and planes move with its base, and surfaces of objects stay with the objects: a base that
carries the tip towards such a surface is slowed, and its speed comes off the arm's.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from msgspec import Meta, Struct
from msgspec.structs import replace

from farhand.config import ConfigError, convert
from farhand.distances.triangles import TriangleMesh
from farhand.errors import UnknownNameError
from farhand.filters.base_carrying_tip import approach, slowed, stopping_speed
from farhand.filters.filter import FILTERS, NO_NOTES, Filter, Surroundings, View
from farhand.filters.guide_surfaces import Ball, Block, Can, Flat, GuideLine, GuideSurface, MeshSurface, Pill, Side
from farhand.formats import DEFAULT_LIMITS
from farhand.formats.meshes import load_mesh
from farhand.poses import IDENTITY, Pose, Vec3, compose, conjugate, inverse, rotate, transform_point
from farhand.types import Demand, Note, ObjectSpec, Quantity, Subject, TipTrack, TipTwist, Wall, Wrench
from farhand.vectors import dot, plus, times

__all__ = ["Act", "Fixture", "FixtureSpec"]

Act = Literal["keep-out", "keep-in", "attract"]
SPEED_GAIN_MPS = 0.3  # m/s: more than any arm gains within one tick
BASE_REACH_M = 1.0  # within it a driving base is slowed for sides
ACROSS_SHARE = 0.2  # share that is left of a jog across a fixture that draws the tip, while the tip is on it
NO_WRENCH = Wrench()
Length = Annotated[float, Meta(ge=0.0, le=10.0)]


class FixtureSpec(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of a fixture in a cell file: one of `line`, `plane` and `object`, and its effect on the tip.

    Args:
        name: Name on the page.
        act: "keep-out", "keep-in" (a closed object, or the near side of a plane), or "attract".
        line: Its two ends, in the axes of the robot's base.
        plane: A point of it and its outward normal, likewise.
        object: Name of an object of the world: the fixture is its surface, wherever the object is.
        margin: Distance that the tip keeps from it, metres.
        stiffness: Force feedback per metre of overrun or deflection, N/m.
        hold: Distance within which the tip is drawn onto it, metres.
        width: Distance beyond which it no longer draws, metres.
        braking: Deceleration before it, m/s²; less where the joints cannot brake as hard.
    """

    name: Annotated[str, Meta(min_length=1, max_length=64)]
    act: Act
    line: tuple[Vec3, Vec3] | None = None
    plane: tuple[Vec3, Vec3] | None = None
    object: str = ""
    margin: Length = 0.0
    stiffness: Annotated[float, Meta(ge=0.0, le=1e5)] = 500.0
    hold: Annotated[float, Meta(gt=0.0, le=0.05)] = 0.002
    width: Length = 0.01
    braking: Annotated[float, Meta(gt=0.0)] = 2.5

    def __call__(self, demand: Demand, view: View, memory: Any) -> tuple[Demand, Any, tuple[Note, ...]]:
        """Pass the demand unchanged: the fixture has no place yet."""
        del view, memory
        return demand, None, NO_NOTES

    def placed(self, around: Surroundings) -> Filter:
        """Return the fixture in its surroundings.

        Raises:
            FarhandError: If there is no such object, or its mesh makes no surface.
        """
        if self.line:
            if self.act == "keep-in":  # a tube: the margin is its radius
                return Fixture(replace(self, margin=0.0), GuideLine(*self.line, self.margin), None)
            return Fixture(self, GuideLine(*self.line), None)
        if self.plane:
            point, normal = self.plane
            k = 1.0 / math.hypot(*normal)
            return Fixture(self, Flat(point, (k * normal[0], k * normal[1], k * normal[2])), None)
        if self.object not in around.objects:
            raise UnknownNameError("object", self.object, around.objects)
        spec = around.objects[self.object]
        return Fixture(self, _surface(spec, around), inverse(around.T_world_base))


class Fixture:
    """A fixture in its place.

    Args:
        spec: Its settings.
        surface: Its surface, in the frame of its object, or of the robot's base.
        T_base_world: Pose of the world in the base of a robot that stands, for the surface of an object; else None.
    """

    def __init__(self, spec: FixtureSpec, surface: GuideSurface, T_base_world: Pose | None) -> None:
        self.spec, self.surface, self._T_base_world = spec, surface, T_base_world

    def felt(self, memory: Any) -> Wrench:
        """Return the fixture's force feedback at the hand."""
        return memory if isinstance(memory, Wrench) else NO_WRENCH

    def __call__(self, demand: Demand, view: View, memory: Any) -> tuple[Demand, Any, tuple[Note, ...]]:
        """Return the demand with velocity bounds at the fixture, or bent towards it."""
        del memory
        frame = self._frame(view)
        if frame is None:
            return demand, None, NO_NOTES
        if self.spec.act == "attract":
            return self._attract(demand, view, frame)
        walls, notes = tuple(self._walls(view, frame)), NO_NOTES
        if view.robot.base_twist is not None and self._T_base_world is not None:
            demand, notes = self._held_off(demand, view, frame)
        motion = demand.motions.get("arm")
        wanted = motion.pose.position if isinstance(motion, TipTrack) else None
        felt = self._pushed_back(wanted, frame) if wanted is not None else None
        return (replace(demand, walls=demand.walls + walls) if walls else demand), felt, notes

    def _frame(self, view: View) -> Pose | None:
        """Return the pose of the surface's frame in the robot's base; None if its object is gone."""
        if self._T_base_world is None:
            return IDENTITY
        place = view.objects.get(self.spec.object)
        if place is None:
            return None
        driving = view.robot.T_world_base
        return compose(inverse(driving) if driving else self._T_base_world, place)

    # ── Keeping out and in ───────────────────────────────────────────────────────────────────────────────────────

    def _walls(self, view: View, frame: Pose) -> Iterator[Wall]:
        """Yield a velocity bound for each side that is near enough to matter, as the work area does."""
        spec, tip = self.spec, _local(frame, view.T_base_tip.position)
        braking = min(spec.braking, view.brakes)
        near = 0.5 * (view.tip_speed + SPEED_GAIN_MPS) ** 2 / braking
        for gap, towards in self._gaps(tip, near + spec.margin):
            if gap > near:
                continue
            speed = math.sqrt(2.0 * braking * gap) if gap > 0.0 else 0.0
            speed, normal = min(speed, max(gap, 0.0) / view.dt), rotate(frame.rotation, towards)
            if self._T_base_world is not None:
                speed -= max(approach(view.robot, view.T_base_tip.position, normal), 0.0)
            yield Wall(normal, speed, spec.name, gap, hollow=spec.act == "keep-out" and spec.plane is None)

    def _held_off(self, demand: Demand, view: View, frame: Pose) -> tuple[Demand, tuple[Note, ...]]:
        """Return the demand with a base that stops before it brings the tip to the fixture, and notes on that."""
        tip, notes = view.T_base_tip.position, NO_NOTES
        for gap, towards in self._gaps(_local(frame, tip), BASE_REACH_M):
            demand, said = slowed(demand, tip, rotate(frame.rotation, towards), stopping_speed(gap))
            notes = notes or said
        return demand, notes

    def _gaps(self, tip: Vec3, reach: float) -> Iterator[Side]:
        """Yield the clearance to each side, and the direction towards it."""
        margin = self.spec.margin
        if self.spec.act == "keep-in":
            for distance, out in self.surface.sides(tip, reach):
                yield -distance - margin, out
            return
        distance, out = self.surface.nearest(tip)
        yield distance - margin, times(-1.0, out)
        if isinstance(self.surface, MeshSurface):  # other faces of a hollow mesh are in the way too
            for other, normal in self.surface.sides(tip, reach):
                if other > 0.0 and dot(normal, out) < 0.95:
                    yield other - margin, times(-1.0, normal)

    def _pushed_back(self, wanted: Vec3, frame: Pose) -> Wrench:
        """Return the spring force at a hand that goes further."""
        distance, out = self.surface.nearest(_local(frame, wanted))
        inward = self.spec.act == "keep-out"
        depth = self.spec.margin - distance if inward else distance + self.spec.margin
        if depth <= 0.0:
            return NO_WRENCH
        force = times((1.0 if inward else -1.0) * self.spec.stiffness * depth, rotate(frame.rotation, out))
        return Wrench(force)

    # ── Drawing on ───────────────────────────────────────────────────────────────────────────────────────────────

    def _attract(self, demand: Demand, view: View, frame: Pose) -> tuple[Demand, Any, tuple[Note, ...]]:
        motion = demand.motions.get("arm")
        if isinstance(motion, TipTrack):
            return self._bent(demand, motion, frame)
        if isinstance(motion, TipTwist):
            return self._slowed(demand, motion, view, frame), None, NO_NOTES
        return demand, None, NO_NOTES

    def _bent(self, demand: Demand, motion: TipTrack, frame: Pose) -> tuple[Demand, Any, tuple[Note, ...]]:
        away, out = self._away(_local(frame, motion.pose.position))
        shift, slope = self._shift(away)
        if shift <= 0.0:
            return demand, NO_WRENCH, NO_NOTES
        back = times(-1.0, rotate(frame.rotation, out))
        pose = Pose(plus(motion.pose.position, times(shift, back)), motion.pose.rotation)
        # Across the fixture the bend takes its share of the hand's velocity; along it none.
        across = dot(motion.linear, back)
        linear = plus(motion.linear, times(-across * slope, back))
        bent = replace(demand, motions={**demand.motions, "arm": replace(motion, pose=pose, linear=linear)})
        about, off = (Subject("fixture", self.spec.name),), (Quantity("shift", shift, "m"),)
        note = Note("fixture.drawn", "slow", about, off)
        return bent, Wrench(times(self.spec.stiffness * shift, back)), (note,)

    def _shift(self, away: float) -> tuple[float, float]:
        """Return by how much the path is bent at a distance, and the derivative by the distance.

        d up to `hold`; from there hold·(width − d)/(width − hold), which is zero at `width`.
        """
        hold, width = self.spec.hold, self.spec.width
        if away <= hold:
            return away, 1.0
        if away >= width:
            return 0.0, 0.0
        slope = hold / (width - hold)
        return slope * (width - away), -slope

    def _slowed(self, demand: Demand, motion: TipTwist, view: View, frame: Pose) -> Demand:
        """Return a jog that is slow across the fixture and free along it."""
        away, out = self._away(_local(frame, view.T_base_tip.position))
        if away >= self.spec.width:
            return demand
        share = max(0.0, (away - self.spec.hold) / (self.spec.width - self.spec.hold))
        kept = ACROSS_SHARE + (1.0 - ACROSS_SHARE) * share
        normal = rotate(frame.rotation, out)
        if motion.frame == "tool":
            normal = rotate(conjugate(view.T_base_tip.rotation), normal)
        across = dot(motion.linear, normal)
        linear = plus(motion.linear, times((kept - 1.0) * across, normal))
        return replace(demand, motions={**demand.motions, "arm": replace(motion, linear=linear)})

    def _away(self, p: Vec3) -> Side:
        """Return the distance of a point from the surface at `margin`, on either side, and the direction away."""
        distance, out = self.surface.nearest(p)
        distance -= self.spec.margin
        return (distance, out) if distance >= 0.0 else (-distance, times(-1.0, out))


def _surface(spec: ObjectSpec, around: Surroundings) -> GuideSurface:
    """Return the surface of an object, in its own frame.

    Raises:
        ConfigError: If it has several shapes.
    """
    if spec.parts:
        raise ConfigError("object", f"{spec.name!r} has several shapes; a fixture takes an object of one")
    size = spec.size
    if spec.shape == "box":
        return Block((0.5 * size[0], 0.5 * size[1], 0.5 * size[2]))
    if spec.shape == "sphere":
        return Ball(size[0])
    if spec.shape == "cylinder":
        return Can(size[0], 0.5 * size[1])
    if spec.shape == "capsule":
        return Pill(size[0], 0.5 * size[1])
    parts = load_mesh(around.meshes[spec.mesh], Path(f"{spec.mesh}.stl"), DEFAULT_LIMITS)
    vertices, faces, count = [], [], 0
    for part in parts:
        vertices.append(part.vertices)
        faces.append(part.faces + count)
        count += len(part.vertices)
    return MeshSurface(TriangleMesh.of(np.vstack(vertices), np.vstack(faces)))


def _local(frame: Pose, p: Vec3) -> Vec3:
    return p if frame is IDENTITY else transform_point(inverse(frame), p)


@FILTERS.register("fixture")
def _make(table: dict[str, Any]) -> FixtureSpec:
    """Keep the tip out of an object or inside it, or draw it to a line, plane or surface; with force feedback."""
    spec = convert(table, FixtureSpec)
    given = [name for name, value in (("line", spec.line), ("plane", spec.plane), ("object", spec.object)) if value]
    if len(given) != 1:
        found = " and ".join(given) or "none"
        raise ConfigError("line", f"a fixture is one of line, plane and object; found {found}")
    if spec.line and math.dist(*spec.line) < 1e-6:
        raise ConfigError("line", "its two ends are the same point")
    if spec.plane and math.hypot(*spec.plane[1]) < 1e-6:
        raise ConfigError("plane", "its normal has no length")
    if spec.act == "keep-in" and spec.line and spec.margin == 0.0:
        raise ConfigError("margin", "a line has no inside; with keep-in, set margin to the radius of a tube around it")
    if spec.act == "attract" and spec.width <= spec.hold:
        raise ConfigError("width", f"must be more than hold ({spec.hold:g} m), found {spec.width:g}")
    return spec
