"""Injected faults, to see how the system reacts, and switches to find a fault."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from farhand.poses import Vec3
from farhand.types.events.declaration import EventStruct, declare

__all__ = [
    "BreakWrist",
    "ClearLoad",
    "DegradeCamera",
    "Generate",
    "Generator",
    "Load",
    "SwitchFeedforward",
    "SwitchFilter",
    "Wave",
]

Wave = Literal["sine", "square", "triangle", "constant"]


@declare(scope="robot", right="task")
class Load(EventStruct, frozen=True):
    """Inject a fault: a lasting force (N) in world axes at a robot's tip, unknown to the controller."""

    robot: str
    force: Vec3


@declare(scope="robot", right="task")
class ClearLoad(EventStruct, frozen=True):
    """End an injected load."""

    robot: str


@declare(scope="robot", right="task")
class BreakWrist(EventStruct, frozen=True):
    """Inject a fault: a robot's wrist sensor falls silent or returns NaN; with neither it works again."""

    robot: str
    how: Literal["", "silent", "nan"] = "silent"


@declare(scope="robot", right="task")
class DegradeCamera(EventStruct, frozen=True):
    """Degrade the picture of a camera, or, with names alone, restore it.

    Args:
        robot: Name of the robot.
        camera: Name of its camera; empty: all of this robot.
        resolution: Share of its pixels that are kept in each direction, up to 1.
        rate: Pictures per second; 0: every picture.
        noise: Grain, from 0 to 1.
        delay: Delay of its pictures, s.
        frozen: It keeps showing its last picture.
    """

    robot: str
    camera: str = ""
    resolution: float = 1.0
    rate: float = 0.0
    noise: float = 0.0
    delay: float = 0.0
    frozen: bool = False


class Generator(Struct, frozen=True, forbid_unknown_fields=True):
    """A test signal in place of the operator's hand; runs while the deadman is held, through every filter.

    Args:
        axis: Index of the axis of the chosen mapping that it deflects, from 0.
        wave: Waveform.
        amplitude: Deflection from 0 to 1.
        frequency: Hz; unused for a "constant".
    """

    axis: int
    wave: Wave = "sine"
    amplitude: float = 0.3
    frequency: float = 0.5


@declare(scope="robot", right="task")
class SwitchFilter(EventStruct, frozen=True):
    """Switch a filter of a robot's lane off, or on again, to find a fault; the speed level stays on."""

    robot: str
    filter: str
    on: bool


@declare(scope="robot", right="task")
class SwitchFeedforward(EventStruct, frozen=True):
    """Switch the feed-forward of a robot's drive off, or on again, to find a fault."""

    robot: str
    on: bool


@declare(scope="robot", right="task")
class Generate(EventStruct, frozen=True):
    """Replace the operator's hand by a signal generator, or remove the generator."""

    robot: str
    generator: Generator | None = None
