"""Messages between the gateway and the picture process, through that process's standard input and output."""

from __future__ import annotations

from typing import BinaryIO

import msgspec
from msgspec import Struct

from farhand.server.protocol.messages import CameraInfo
from farhand.world.visual_scene import GeomLook

__all__ = [
    "LENGTH",
    "FromRenderer",
    "Picture",
    "PictureRequest",
    "PictureScene",
    "PicturesReady",
    "PicturesUnable",
    "ToRenderer",
    "packed",
    "received",
]

LENGTH = 4
"""Bytes before each message that give its length, little-endian."""


class PictureScene(Struct, frozen=True, kw_only=True, tag=True):
    """The visible scene of a cell.

    Args:
        cell: Name of the cell.
        scene: Number of the scene.
        bodies: Number of moving bodies.
        geoms: Shapes of moving and fixed bodies.
        cameras: Cameras of all robots, one robot after the other.
        meshes: Encoded meshes by hash, as the cell sends them.
    """

    cell: str
    scene: int
    bodies: int
    geoms: tuple[GeomLook, ...]
    cameras: tuple[CameraInfo, ...]
    meshes: dict[str, bytes]


class PictureRequest(Struct, frozen=True, kw_only=True, tag=True):
    """A request for a picture.

    Args:
        id: Number that the answer repeats.
        cell: Name of the cell.
        poses: Poses of all moving bodies, `POSE_ROW` bytes each.
        camera: Index of the camera among all cameras of the cell.
        width: Pixels; more than the camera has add no detail.
        height: Pixels.
        zoom: Magnification.
        resolution: Share of the camera's columns and rows that remains.
        noise: Grain, from 0 to 1.
        seed: Seed of the grain.
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
    """The process can draw, with this OpenGL backend."""

    by: str


class PicturesUnable(Struct, frozen=True, kw_only=True, tag=True):
    """The process cannot draw on this machine, for this reason; it ends."""

    reason: str


class Picture(Struct, frozen=True, kw_only=True, tag=True):
    """A picture as JPEG, or the problem that prevented it, and the processor time it took (s)."""

    id: int
    jpeg: bytes = b""
    problem: str = ""
    spent: float = 0.0


ToRenderer = PictureScene | PictureRequest
FromRenderer = PicturesReady | PicturesUnable | Picture
_encode = msgspec.msgpack.Encoder().encode
_decode: msgspec.msgpack.Decoder[ToRenderer] = msgspec.msgpack.Decoder(ToRenderer)


def packed(message: ToRenderer | FromRenderer) -> bytes:
    """Return an encoded message with its length in front."""
    content = _encode(message)
    return len(content).to_bytes(LENGTH, "little") + content


def received(pipe: BinaryIO) -> ToRenderer | None:
    """Return the next message from a pipe; None at its end."""
    head = pipe.read(LENGTH)
    size = int.from_bytes(head, "little")
    content = pipe.read(size) if len(head) == LENGTH else b""
    return _decode.decode(content) if content and len(content) == size else None
