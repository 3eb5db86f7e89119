"""Faults on purpose: what is broken to see what becomes of it, and what is switched off to find one."""

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
    """Inject a fault: a lasting force in world axes at a robot's tip that the controller does not know of."""

    robot: str
    force: Vec3


@declare(scope="robot", right="task")
class ClearLoad(EventStruct, frozen=True):
    """End an injected load."""

    robot: str


@declare(scope="robot", right="task")
class BreakWrist(EventStruct, frozen=True):
    """Inject a fault: a robot's wrist sensor falls silent or gives no numbers; with neither it is whole again."""

    robot: str
    how: Literal["", "silent", "nan"] = "silent"


@declare(scope="robot", right="task")
class DegradeCamera(EventStruct, frozen=True):
    """Make the picture of a camera worse on purpose, or, with nothing but names, as good as it was.

    Args:
        robot: Whose camera.
        camera: Which one; empty: all of this robot.
        resolution: Share of its pixels that are left in each direction, up to 1.
        rate: Pictures a second; 0: as they come.
        noise: Grain, from 0 to 1.
        delay: Seconds that its pictures are late.
        frozen: It keeps showing what it showed.
    """

    robot: str
    camera: str = ""
    resolution: float = 1.0
    rate: float = 0.0
    noise: float = 0.0
    delay: float = 0.0
    frozen: bool = False


class Generator(Struct, frozen=True, forbid_unknown_fields=True):
    """A signal in place of the operator's hand, to find a fault; runs while the deadman is held, through every filter.

    Args:
        axis: Which axis of the chosen mapping it deflects, counted from 0.
        wave: Its form.
        amplitude: Deflection from 0 to 1.
        frequency: Hz; how often it repeats. A "constant" does not.
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
    """Put a signal generator in place of the operator's hand, or take it away."""

    robot: str
    generator: Generator | None = None
