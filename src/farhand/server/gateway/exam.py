"""Exams: what a trainee's page gets, which is what an operator far away has. Pictures and instruments, no poses.

Which parts of a note a trainee reads is declared with its code, in `farhand.notes`.

Made here, once, from what everybody else gets; the page of a trainee cannot show what it was never told.
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
WHERE = ("m", "°")  # units of signals of a tip that say where it is
FROM_THE_PAGE = "A trainee drives from the page. Masters on other machines join with the instructor's link."


def for_trainee(scene: Scene) -> Scene:
    """Return what a trainee is told of a scene: robots with joints and cameras, but nothing of where things are."""
    return replace(
        scene,
        bodies=(),
        geoms=(),
        masters=(),
        robots=tuple(_robot(robot) for robot in scene.robots),
        signals=tuple(signal for signal in scene.signals if _felt(signal)),
    )


def robots_for_trainee(robots: tuple[RobotUpdate, ...]) -> tuple[RobotUpdate, ...]:
    """Return what a trainee is told of the robots: their joints, but not where their bodies are or will be."""
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


def _felt(signal: SignalInfo) -> bool:
    """Return whether a signal is of an instrument on the robot, not of the world."""
    if signal.group in ("objects", "cell"):
        return False
    return not (signal.group.endswith(" tip") and signal.unit in WHERE)
