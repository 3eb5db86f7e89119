"""Studios for tests: one that only takes notes, and the real process, spoken to without a gateway."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2s

import msgspec
import numpy as np
import simplejpeg
from numpy.typing import NDArray

from farhand import Cell
from farhand.net.cellside.describe import describe
from farhand.net.cellside.packing import pack_poses
from farhand.net.gateway.pictures import stage_of
from farhand.net.gateway.studio import StudioError
from farhand.net.messages import CameraInfo, CameraUpdate, Place, RobotInfo, Scene
from farhand.net.studio.messages import LENGTH, FromStudio, Picture, Ready, Shot, Stage, packed
from farhand.poses import Pose

Pixels = NDArray[np.uint8]
_decode: msgspec.msgpack.Decoder[FromStudio] = msgspec.msgpack.Decoder(FromStudio)
AHEAD = CameraUpdate(pan=0.0, tilt=0.0, zoom=1.0, degraded=False)


class NotedStudio:
    """Draws nothing: a picture is a hash of what was asked for, made when a test lets it."""

    def __init__(self) -> None:
        self.life, self.starts, self.unable = 1, 0, ""
        self.stages: list[Stage] = []
        self.shots: list[Shot] = []
        self.free = asyncio.Event()
        self.free.set()

    async def start(self) -> None:
        self.starts += 1
        if self.unable:
            raise StudioError(self.unable)

    def set(self, stage: Stage) -> None:
        self.stages.append(stage)

    async def draw(self, shot: Shot) -> bytes:
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


class RealStudio:
    """The studio's process, asked one thing after the other."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process

    def say(self, message: Stage | Shot) -> None:
        assert self._process.stdin
        self._process.stdin.write(packed(message))
        self._process.stdin.flush()

    def hear(self) -> FromStudio:
        assert self._process.stdout
        size = int.from_bytes(self._process.stdout.read(LENGTH), "little")
        return _decode.decode(self._process.stdout.read(size))

    def jpeg(self, shot: Shot) -> bytes:
        self.say(shot)
        picture = self.hear()
        assert isinstance(picture, Picture)
        assert picture.problem == ""
        return picture.jpeg

    def picture(self, shot: Shot) -> Pixels:
        pixels: Pixels = simplejpeg.decode_jpeg(self.jpeg(shot))
        return pixels


@contextmanager
def real_studio() -> Iterator[RealStudio]:
    """Start the studio's process, which ends with the block."""
    command = [sys.executable, "-m", "farhand.net.studio.process"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        studio = RealStudio(process)
        ready = studio.hear()
        assert isinstance(ready, Ready), f"this machine cannot draw; see scripts/gl.sh: {ready}"
        yield studio


def stage_and_poses(cell: Cell) -> tuple[Scene, Stage, bytes]:
    """Return what there is to see of a cell, and where everything is."""
    scene, look = describe(cell, "cell", 1, (), {}), cell.world.compiled.look
    meshes = {name: msgspec.msgpack.encode(mesh) for name, mesh in look.meshes.items()}
    poses = pack_poses(*cell.world.body_poses(np.array(look.body_ids, dtype=np.int64)))
    return scene, stage_of("cell", scene, meshes), poses
