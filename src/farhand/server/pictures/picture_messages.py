"""What gateway and studio say to each other, through the studio's standard input and output."""

from __future__ import annotations

from typing import BinaryIO

import msgspec
from msgspec import Struct

from farhand.server.protocol.messages import CameraInfo
from farhand.world.visual_scene import GeomLook

__all__ = [
    "LENGTH",
    "FromStudio",
    "Picture",
    "PictureStage",
    "PicturesReady",
    "PicturesUnable",
    "Shot",
    "ToStudio",
    "packed",
    "received",
]

LENGTH = 4
"""Bytes before each message that say how long it is, little-endian."""


class PictureStage(Struct, frozen=True, kw_only=True, tag=True):
    """What there is to see of a cell.

    Args:
        cell: Name of the cell.
        scene: Number of its scene.
        bodies: How many of them move.
        geoms: Their shapes, and those that stand still.
        cameras: All of all robots, one after the other.
        meshes: By hash, as the cell tells them.
    """

    cell: str
    scene: int
    bodies: int
    geoms: tuple[GeomLook, ...]
    cameras: tuple[CameraInfo, ...]
    meshes: dict[str, bytes]


class Shot(Struct, frozen=True, kw_only=True, tag=True):
    """A picture that is asked for.

    Args:
        id: Of the answer.
        cell: Whose stage.
        poses: Of all moving bodies, `POSE_ROW` bytes each.
        camera: Index of the camera on the stage.
        width: Pixels; more than the camera has show no more.
        height: Pixels.
        zoom: How many times nearer.
        resolution: Share of the camera's own pixels that are left in each direction.
        noise: Grain, from 0 to 1.
        seed: Decides the grain.
    """

    id: int
    cell: str
    poses: bytes
    camera: int
    width: int
    height: int
    zoom: float = 1.0
    resolution: float = 1.0
    noise: float = 0.0
    seed: int = 0


class PicturesReady(Struct, frozen=True, kw_only=True, tag=True):
    """The studio can draw, and by what."""

    by: str


class PicturesUnable(Struct, frozen=True, kw_only=True, tag=True):
    """The studio cannot draw on this machine, and why; it ends."""

    reason: str


class Picture(Struct, frozen=True, kw_only=True, tag=True):
    """A picture as JPEG, or why there is none, and the processor's seconds that it took."""

    id: int
    jpeg: bytes = b""
    problem: str = ""
    spent: float = 0.0


ToStudio = PictureStage | Shot
FromStudio = PicturesReady | PicturesUnable | Picture
_encode = msgspec.msgpack.Encoder().encode
_decode: msgspec.msgpack.Decoder[ToStudio] = msgspec.msgpack.Decoder(ToStudio)


def packed(message: ToStudio | FromStudio) -> bytes:
    """Return a message as it travels."""
    content = _encode(message)
    return len(content).to_bytes(LENGTH, "little") + content


def received(pipe: BinaryIO) -> ToStudio | None:
    """Return the next message from a pipe; None at its end."""
    head = pipe.read(LENGTH)
    size = int.from_bytes(head, "little")
    content = pipe.read(size) if len(head) == LENGTH else b""
    return _decode.decode(content) if content and len(content) == size else None
