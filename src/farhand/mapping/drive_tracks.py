"""Robots on tracks: drive and turn the base, and raise the flippers one by one, in pairs or all together."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct

from farhand.config import ConfigError, convert
from farhand.formats.model import TracksSpec
from farhand.mapping.mapping import MAPPINGS, BaseAxesMapping, DrivenRobot, grip_axis, grip_motion
from farhand.types import DriveRate, JointRates, Motion, Reading, RobotState, Vector

__all__ = ["DriveTracks", "RaiseFlippers"]

Share = Annotated[float, Meta(gt=0.0, le=1.0)]
# Each axis with the flippers that it raises: front left, front right, rear left, rear right.
LIFTS: dict[str, tuple[int, ...]] = {
    "flippers": (0, 1, 2, 3),
    "flippers:front": (0, 1),
    "flippers:rear": (2, 3),
    "flipper:0": (0,),
    "flipper:1": (1,),
    "flipper:2": (2,),
    "flipper:3": (3,),
}
RAISES = tuple(axis.replace("flippers", "raise").replace("flipper", "raise") for axis in LIFTS)


class DriveTracks(BaseAxesMapping, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Two axes drive, seven raise flippers, one moves the gripper; the arm holds still.

    Args:
        driven: The robot.
        tracks: Its tracks and flippers.
        speed: m/s at full deflection and top speed level.
        turn_speed: rad/s at full deflection and top speed level.
        flipper_share: Rate of a flipper at full deflection, as a share of its own top rate.
    """

    kind: ClassVar[str] = "drive-tracks"
    feel: ClassVar[str] = "You drive and turn the robot on its tracks and raise its flippers. Let go and it brakes."
    frame: ClassVar[Literal[""]] = ""

    driven: DrivenRobot
    tracks: TracksSpec
    speed: float
    turn_speed: float = 1.5
    flipper_share: Share = 1.0

    @property
    def axes(self) -> tuple[str, ...]:
        """Forward, turn to the left, the flippers, then the gripper."""
        return ("forward", "turn", *LIFTS, *grip_axis(self.driven))

    def __call__(
        self, reading: Reading, robot: RobotState, memory: Any, scale: float = 1.0
    ) -> tuple[dict[str, Motion], Any]:
        """Return the motions of base, flippers and gripper."""
        del scale
        count = 2 + len(LIFTS)
        axes = (*reading.axes[: count + 1], *(0.0,) * (count + 1 - len(reading.axes)))
        motions: dict[str, Motion] = {"base": DriveRate(axes[0] * self.speed, axes[1] * self.turn_speed)}
        motions["flippers"] = lifted(self.tracks, axes[2:count], self.flipper_share)
        grip, side = grip_motion(reading, axes[count], self.driven, robot, memory)
        return motions | grip, side


class RaiseFlippers(BaseAxesMapping, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Seven axes raise flippers, one moves the gripper; base and arm hold still.

    The axes have names of their own, so that keys and sticks that drive in other modes can move one flipper each.

    Args:
        driven: The robot.
        tracks: Its tracks and flippers.
        share: Rate of a flipper at full deflection, as a share of its own top rate.
    """

    kind: ClassVar[str] = "raise-flippers"
    feel: ClassVar[str] = "You raise and lower the flippers one by one, in pairs or all together. The base stays still."
    frame: ClassVar[Literal[""]] = ""

    driven: DrivenRobot
    tracks: TracksSpec
    share: Share = 1.0

    @property
    def axes(self) -> tuple[str, ...]:
        """All flippers, the pairs, each of them, then the gripper."""
        return (*RAISES, *grip_axis(self.driven))

    def __call__(
        self, reading: Reading, robot: RobotState, memory: Any, scale: float = 1.0
    ) -> tuple[dict[str, Motion], Any]:
        """Return the motions of flippers and gripper."""
        del scale
        axes = (*reading.axes[: len(RAISES) + 1], *(0.0,) * (len(RAISES) + 1 - len(reading.axes)))
        motions: dict[str, Motion] = {"flippers": lifted(self.tracks, axes[:-1], self.share)}
        grip, side = grip_motion(reading, axes[-1], self.driven, robot, memory)
        return motions | grip, side


def lifted(tracks: TracksSpec, axes: Vector, share: float) -> JointRates:
    """Return each flipper's rate: the sum of its axes, at most full deflection."""
    asked = [0.0] * len(tracks.flippers)
    for axis, flippers in zip(axes, LIFTS.values(), strict=True):
        for i in flippers:
            asked[i] += axis
    rows = zip(asked, tracks.flippers, strict=True)
    return JointRates(tuple([min(max(a, -1.0), 1.0) * share * joint.velocity for a, joint in rows]))


class _DriveTable(Struct, frozen=True, forbid_unknown_fields=True):
    speed: Annotated[float, Meta(gt=0.0, le=10.0)] | None = None
    turn_speed: Annotated[float, Meta(gt=0.0, le=10.0)] = 1.5
    flipper_share: Share = 1.0


@MAPPINGS.register("drive-tracks")
def _make(table: dict[str, Any], driven: DrivenRobot) -> DriveTracks:
    """Drives the base and raises the flippers of a robot on tracks."""
    if driven.tracks is None:
        raise ConfigError("kind", "found 'drive-tracks', but this robot has no tracks")
    config = convert(table, _DriveTable)
    return DriveTracks(
        driven=driven,
        tracks=driven.tracks,
        speed=config.speed or driven.tracks.speed,
        turn_speed=config.turn_speed,
        flipper_share=config.flipper_share,
    )


class _FlipperTable(Struct, frozen=True, forbid_unknown_fields=True):
    share: Share = 1.0


@MAPPINGS.register("raise-flippers")
def _make_flippers(table: dict[str, Any], driven: DrivenRobot) -> RaiseFlippers:
    """Raises the flippers of a robot on tracks, one by one, in pairs or all together."""
    if driven.tracks is None:
        raise ConfigError("kind", "found 'raise-flippers', but this robot has no tracks")
    return RaiseFlippers(driven=driven, tracks=driven.tracks, share=convert(table, _FlipperTable).share)
