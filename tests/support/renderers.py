"""A renderer for tests that draws nothing and records requests, and a robot with cameras."""

from __future__ import annotations

import asyncio
from hashlib import blake2s

import msgspec

from farhand.poses import Pose
from farhand.server.gateway.picture_worker import PictureError
from farhand.server.pictures.picture_messages import PictureRequest, PictureScene
from farhand.server.protocol.messages import CameraInfo, CameraUpdate, Place, RobotInfo

AHEAD = CameraUpdate(pan=0.0, tilt=0.0, zoom=1.0)


class RecordingRenderer:
    """Draws nothing: a picture is a hash of its request, returned once the test permits it."""

    def __init__(self) -> None:
        self.life, self.starts, self.unable = 1, 0, ""
        self.stages: list[PictureScene] = []
        self.shots: list[PictureRequest] = []
        self.free = asyncio.Event()
        self.free.set()

    async def start(self) -> None:
        self.starts += 1
        if self.unable:
            raise PictureError(self.unable)

    def set(self, stage: PictureScene) -> None:
        self.stages.append(stage)

    async def draw(self, shot: PictureRequest) -> bytes:
        self.shots.append(shot)
        await self.free.wait()
        return blake2s(msgspec.msgpack.encode(shot)).digest()


def with_cameras(robot: RobotInfo, *names: str) -> RobotInfo:
    """Return a robot with cameras on its first body."""
    place = Place(body=0, pose=Pose((0.0, 0.0, 0.0)))
    cameras = [
        CameraInfo(name=name, label=name, place=place, fov=1.0, width=320, height=240, zoom=4.0) for name in names
    ]
    return msgspec.structs.replace(robot, cameras=tuple(cameras))
