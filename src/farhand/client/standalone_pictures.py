"""The picture process without a gateway, for scripts and tests: request one picture after the other."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from subprocess import PIPE

import msgspec
import numpy as np

from farhand.cell import Cell
from farhand.errors import CommandError
from farhand.processes.python_start import child_environment, python_command
from farhand.server.cell_process.describe import describe
from farhand.server.cell_process.packing import pack_poses
from farhand.server.gateway.camera_pictures import picture_scene_of
from farhand.server.pictures.picture_messages import (
    LENGTH,
    FromRenderer,
    Picture,
    PictureRequest,
    PictureScene,
    PicturesReady,
    PicturesUnable,
    packed,
)

__all__ = ["StandalonePictures", "picture_scene_of_cell", "poses_of", "standalone_pictures"]

_decode: msgspec.msgpack.Decoder[FromRenderer] = msgspec.msgpack.Decoder(FromRenderer)


class StandalonePictures:
    """A picture process of your own.

    Args:
        process: The process.
        by: Name of its OpenGL backend.
    """

    def __init__(self, process: subprocess.Popen[bytes], by: str) -> None:
        self._process, self.by = process, by
        self.spent = 0.0
        """Processor time of the last picture, s."""

    def set(self, scene: PictureScene) -> None:
        """Set the scene of a cell."""
        self._say(scene)

    def jpeg(self, request: PictureRequest) -> bytes:
        """Return a picture as JPEG.

        Raises:
            CommandError: If it cannot be drawn.
        """
        self._say(request)
        picture = _heard(self._process)
        assert isinstance(picture, Picture)
        if picture.problem:
            raise CommandError(picture.problem.rstrip("."))
        self.spent = picture.spent
        return picture.jpeg

    def _say(self, message: PictureScene | PictureRequest) -> None:
        assert self._process.stdin
        self._process.stdin.write(packed(message))
        self._process.stdin.flush()


def _heard(process: subprocess.Popen[bytes]) -> FromRenderer:
    assert process.stdout
    size = int.from_bytes(process.stdout.read(LENGTH), "little")
    return (
        _decode.decode(process.stdout.read(size)) if size else PicturesUnable(reason="The picture process has ended.")
    )


@contextmanager
def standalone_pictures() -> Iterator[StandalonePictures]:
    """Start a picture process that ends with the block.

    Raises:
        CommandError: If this machine cannot draw; the message tells the user what to install.
    """
    command = python_command("-m", "farhand.server.pictures.picture_process")
    with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, env=child_environment()) as process:
        first = _heard(process)
        if not isinstance(first, PicturesReady):
            reason = first.reason if isinstance(first, PicturesUnable) else "The picture process did not start."
            raise CommandError(reason.rstrip("."))
        yield StandalonePictures(process, first.by)


def picture_scene_of_cell(cell: Cell, name: str) -> PictureScene:
    """Return the visible scene of a cell in this process."""
    meshes = {key: msgspec.msgpack.encode(mesh) for key, mesh in cell.world.compiled.look.meshes.items()}
    return picture_scene_of(name, describe(cell, name, 1, (), {}), meshes)


def poses_of(cell: Cell) -> bytes:
    """Return the packed poses of all bodies of a cell."""
    ids = np.array(cell.world.compiled.look.body_ids, dtype=np.int64)
    return pack_poses(*cell.world.body_poses(ids))
