"""Exams: remove from a trainee's messages all that a remote operator would not have. Pictures and instruments stay.

`farhand.notes` declares for each code which parts of a note a trainee reads. The filter runs in the gateway: the
trainee's page cannot show data that it never got.
"""

from __future__ import annotations

from msgspec.structs import replace

from farhand.poses import IDENTITY
from farhand.server.protocol.messages import Place, RobotInfo, RobotUpdate, Scene, SignalInfo
from farhand.world.visual_scene import FIXED

__all__ = [
    "FROM_THE_PAGE",
    "for_trainee",
    "robots_for_trainee",
]

NOWHERE = Place(body=FIXED, pose=IDENTITY)
POSE_UNITS = ("m", "°")  # of a tip's signals that give its pose
FROM_THE_PAGE = "A trainee drives from the page. Remote masters join with the instructor's link."


def for_trainee(scene: Scene) -> Scene:
    """Return the scene for a trainee: robots with joints and cameras, without bodies, shapes and poses."""
    return replace(
        scene,
        bodies=(),
        geoms=(),
        masters=(),
        robots=tuple(_robot(robot) for robot in scene.robots),
        signals=tuple(signal for signal in scene.signals if _is_instrument(signal)),
    )


def robots_for_trainee(robots: tuple[RobotUpdate, ...]) -> tuple[RobotUpdate, ...]:
    """Return the robots' states for a trainee: joints, but no poses, ghosts or clearances."""
    return tuple([replace(robot, tip=b"", ghost=b"", near=None) for robot in robots])


def _robot(robot: RobotInfo) -> RobotInfo:
    return replace(
        robot,
        base=NOWHERE,
        tip=NOWHERE,
        frames=(),
        parts=(),
        cameras=tuple(replace(camera, place=NOWHERE) for camera in robot.cameras),
    )


def _is_instrument(signal: SignalInfo) -> bool:
    """Return whether a signal comes from an instrument on the robot, not from the simulated world."""
    if signal.group in ("objects", "cell"):
        return False
    return not (signal.group.endswith(" tip") and signal.unit in POSE_UNITS)
