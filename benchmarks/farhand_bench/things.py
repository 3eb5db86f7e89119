"""Objects to grasp: many shapes, sizes, weights and frictions, and the rule that predicts which can be held.

A jaw that presses with F holds by friction only, and there are two: 2·μ·F carries the weight. An object is holdable if
friction carries 1.5 times its weight, and must slip below 0.7 times; in between there is no prediction.
"""

from __future__ import annotations

import math
from typing import Literal

from msgspec import Struct

from farhand.poses import Vec3, from_rpy
from farhand.types import ObjectPart, ObjectSpec, Shape, Vector

__all__ = ["GRAVITY", "GRIP", "OPENING", "THINGS", "Prediction", "Thing"]

Prediction = Literal["holds", "slips", "open", "too wide"]
GRIP = 190.0  # N with which each jaw of the claw presses at full effort
OPENING = 0.2  # m
GRAVITY = 9.81
HOLDABLE, SLIPPERY = 1.5, 0.7  # times the weight
LOW = 0.046  # m: half thickness of the claw, the least height of its tip above a table when it points ahead
ROOM, CLEAR = 0.024, 0.003  # m around an object grasped from above, and below the jaws
LEVER, PIVOT, JAW, TIP = 0.11, 0.05, 0.14, 0.215  # m: dimensions of the claw, along and across it


class Thing(Struct, frozen=True):
    """An object and its grasp.

    Args:
        name: Name of the object.
        shape: Its shape.
        size: Its size, as in `ObjectSpec`.
        mass: Its mass, kg.
        friction: Friction of its surface. The claw's pads have less, so this one counts.
        approach: Direction from which the claw approaches.
        lying: True if its long axis is along the claw's x, else it is upright.
        squeeze: Share of the full effort of the grasp.
        parts: Further shapes, in the frame of the first one, which is grasped.
        raised: Height by which its other shapes lift the first one, m.
    """

    name: str
    shape: Shape
    size: Vector
    mass: float
    friction: float
    approach: Literal["above", "ahead"] = "above"
    lying: bool = False
    squeeze: float = 1.0
    parts: tuple[ObjectPart, ...] = ()
    raised: float = 0.0

    @property
    def width(self) -> float:
        """Width between the jaws, m."""
        return self.size[1] if self.shape == "box" else 2.0 * self.size[0]

    @property
    def height(self) -> float:
        """Height of the grasped shape, m."""
        if self.shape == "box":
            return self.size[2]
        long = self.size[1] if self.shape == "cylinder" and not self.lying else 0.0
        return long or 2.0 * self.size[0]

    @property
    def middle(self) -> float:
        """Height of the middle of the grasped shape above the support, m."""
        return self.raised + 0.5 * self.height

    @property
    def grip_height(self) -> float:
        """Height of the claw's tip above the support: the middle, or as low as the claw gets, m."""
        lowest = LOW if self.approach == "ahead" else CLEAR + max(_beyond(self.width), _beyond(self.opening))
        return max(self.middle, lowest)

    @property
    def opening(self) -> float:
        """Opening of the jaws before the grasp, m: little more than the object's width."""
        return OPENING if self.approach == "ahead" else min(self.width + ROOM, OPENING)

    @property
    def support(self) -> float:
        """Load that friction carries, as a share of the weight."""
        return 2.0 * self.friction * self.squeeze * GRIP / (self.mass * GRAVITY)

    @property
    def prediction(self) -> Prediction:
        """Prediction of the rule."""
        if self.width > OPENING - 0.01:
            return "too wide"
        if self.support >= HOLDABLE:
            return "holds"
        return "slips" if self.support < SLIPPERY else "open"

    def at(self, x: float, y: float, floor: float, yaw: float) -> ObjectSpec:
        """Return the object at a position, turned about the vertical.

        Args:
            x: m.
            y: m.
            floor: Height of the support, m.
            yaw: rad.
        """
        pitch = 0.5 * math.pi if self.lying else 0.0
        return ObjectSpec(
            name="thing",
            shape=self.shape,
            size=self.size,
            mass=self.mass,
            friction=self.friction,
            position=(x, y, floor + self.middle + 1e-4),
            rotation=from_rpy(0.0, pitch, yaw),
            parts=self.parts,
        )


def _beyond(opening: float) -> float:
    """Return the distance by which the jaws reach beyond the claw's tip at an opening: they swing on levers (m)."""
    aside = 0.5 * opening - PIVOT
    return math.sqrt(LEVER * LEVER - aside * aside) + JAW - TIP


def _box(size: Vec3, position: Vec3) -> ObjectPart:
    return ObjectPart(size=size, position=position)


def _round(radius: float, length: float, position: Vec3) -> ObjectPart:
    return ObjectPart(shape="cylinder", size=(radius, length), position=position)


# lying objects have their z ahead and their x down
WEIGHTS = (_round(0.045, 0.04, (0.0, 0.0, 0.08)), _round(0.045, 0.04, (0.0, 0.0, -0.08)))
CASE = (
    _box((0.20, 0.10, 0.34), (0.15, 0.0, 0.0)),
    _box((0.05, 0.02, 0.01), (0.025, 0.0, 0.065)),
    _box((0.05, 0.02, 0.01), (0.025, 0.0, -0.065)),
)
HEAD = (_box((0.03, 0.03, 0.04), (0.0, 0.0, 0.13)),)

THINGS: tuple[Thing, ...] = (
    # boxes
    Thing("matchbox", "box", (0.055, 0.035, 0.030), 0.05, 0.4),
    Thing("cube", "box", (0.06, 0.06, 0.06), 0.3, 0.8),
    Thing("crate", "box", (0.12, 0.12, 0.12), 1.0, 0.8, "ahead"),
    Thing("block of wood", "box", (0.15, 0.09, 0.07), 2.0, 0.5),
    Thing("brick", "box", (0.21, 0.10, 0.065), 3.2, 0.6),
    # askew between short pads a wide box jams, if its friction is more than their length over its width
    Thing("box as wide as the claw", "box", (0.15, 0.18, 0.18), 4.0, 0.35, "ahead"),
    Thing("plank", "box", (0.50, 0.08, 0.04), 1.2, 0.6),
    Thing("block of steel", "box", (0.10, 0.10, 0.10), 8.0, 0.45),
    Thing("book, standing", "box", (0.15, 0.03, 0.22), 1.0, 0.4, "ahead"),
    Thing("flat parcel", "box", (0.20, 0.16, 0.05), 0.5, 0.3),
    Thing("bar of iron", "box", (0.30, 0.06, 0.07), 10.0, 0.6),
    # cylinders, standing
    Thing("can", "cylinder", (0.033, 0.115), 0.35, 0.5, "ahead"),
    Thing("bottle", "cylinder", (0.04, 0.25), 1.0, 0.5, "ahead"),
    Thing("pipe, standing", "cylinder", (0.025, 0.30), 2.5, 0.4, "ahead"),
    Thing("tin of paint", "cylinder", (0.09, 0.19), 6.0, 0.5, "ahead"),
    Thing("shell", "cylinder", (0.045, 0.25), 9.5, 0.55, "ahead"),
    # cylinders, lying
    Thing("rod", "cylinder", (0.010, 0.15), 0.1, 0.5, lying=True),
    Thing("handle bar", "cylinder", (0.014, 0.60), 0.6, 0.5, lying=True),
    Thing("pipe", "cylinder", (0.03, 0.25), 2.2, 0.5, lying=True),
    Thing("gas bottle", "cylinder", (0.06, 0.30), 7.0, 0.5, lying=True),
    Thing("log", "cylinder", (0.07, 0.25), 3.0, 0.7, lying=True),
    # spheres
    Thing("tennis ball", "sphere", (0.033,), 0.06, 0.6),
    Thing("apple", "sphere", (0.04,), 0.2, 0.4),
    Thing("shot", "sphere", (0.05,), 4.0, 0.4),
    Thing("bowling ball", "sphere", (0.09,), 5.0, 0.4),
    # capsules
    Thing("grip of a tool", "capsule", (0.016, 0.12), 0.4, 0.6, lying=True),
    Thing("float", "capsule", (0.04, 0.10), 1.5, 0.5, lying=True),
    Thing("fire extinguisher", "capsule", (0.05, 0.20), 5.0, 0.5, lying=True),
    # of several shapes
    Thing("dumbbell", "cylinder", (0.014, 0.12), 4.0, 0.5, lying=True, parts=WEIGHTS, raised=0.031),
    Thing("briefcase by its handle", "cylinder", (0.012, 0.14), 4.0, 0.5, lying=True, parts=CASE, raised=0.238),
    Thing("hammer", "cylinder", (0.015, 0.24), 0.8, 0.6, lying=True, parts=HEAD),
    Thing("mug", "cylinder", (0.04, 0.10), 0.4, 0.45, "ahead", parts=(_box((0.02, 0.015, 0.06), (0.05, 0.0, 0.0)),)),
    Thing(
        "signpost", "box", (0.05, 0.05, 0.14), 1.5, 0.5, "ahead", parts=(_box((0.11, 0.16, 0.03), (0.0, 0.0, 0.085)),)
    ),
    # grasped gently
    Thing("egg", "sphere", (0.022,), 0.06, 0.5, squeeze=0.15),
    Thing("glass", "cylinder", (0.035, 0.12), 0.25, 0.35, "ahead", squeeze=0.2),
    Thing("carton of milk", "box", (0.07, 0.07, 0.20), 1.0, 0.4, "ahead", squeeze=0.2),
    # what must slip: too heavy for how smooth it is, or grasped too gently
    Thing("greased steel", "box", (0.11, 0.11, 0.11), 10.0, 0.10),
    Thing("oiled pipe", "cylinder", (0.05, 0.30), 8.0, 0.08, lying=True),
    Thing("wet shell", "cylinder", (0.045, 0.25), 9.0, 0.12, "ahead"),
    Thing("block of ice", "box", (0.15, 0.12, 0.12), 6.0, 0.06, "ahead"),
    Thing("ball of a bearing", "sphere", (0.05,), 4.0, 0.06),
    Thing("oily float", "capsule", (0.05, 0.20), 5.0, 0.07, lying=True),
    Thing("bar of soap", "box", (0.09, 0.06, 0.035), 0.5, 0.07, squeeze=0.1),
    Thing("brick, gently", "box", (0.21, 0.10, 0.065), 3.2, 0.5, squeeze=0.1),
    Thing("crate, gently", "box", (0.12, 0.12, 0.12), 2.5, 0.4, "ahead", squeeze=0.1),
    Thing("full can, gently", "cylinder", (0.033, 0.115), 1.5, 0.25, "ahead", squeeze=0.1),
    Thing("bar of iron, gently", "box", (0.30, 0.06, 0.07), 10.0, 0.5, squeeze=0.3),
    # no prediction
    Thing("worn pipe", "cylinder", (0.03, 0.25), 5.0, 0.14, lying=True),
    Thing("box too wide", "box", (0.12, 0.24, 0.12), 1.0, 0.6),
)
