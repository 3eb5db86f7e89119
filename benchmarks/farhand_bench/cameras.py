"""Cameras drawn by the server: six views in turn, and their cost to the ticks of the cell that they show."""

from __future__ import annotations

import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from msgspec.structs import replace

from farhand.cell import Cell
from farhand.client.client import Client
from farhand.client.servers import RunningServer, running_server
from farhand.client.standalone_pictures import StandalonePictures, picture_scene_of_cell, poses_of, standalone_pictures
from farhand.server.pictures.picture_messages import PictureRequest, PictureScene
from farhand.server.protocol.messages import Update
from farhand_bench.rows import Row, row

__all__ = ["measure"]

CELL = "telemax"
ROUNDS = 60
WIDTH, HEIGHT = 320, 240
TURNING = (0.0, 0.5)  # deflection of the axes that drive
BLOCKS, BLOCK = 4, 3.0  # pairs of blocks, seconds each


def measure() -> list[Row]:
    """Return the rows of this benchmark."""
    return [*_drawing(), *_beside_the_tick()]


def _drawing() -> list[Row]:
    """Measure six views of a robot in its cell, beside the same pictures of an empty world."""
    cell = Cell.load(CELL)
    full = picture_scene_of_cell(cell, "full")
    bare = replace(full, cell="bare", geoms=())
    drawn: list[tuple[float, float]] = []
    empty: list[tuple[float, float]] = []
    with standalone_pictures() as renderer:
        for stage in (full, bare):
            renderer.set(stage)
            _round(renderer, stage, poses_of(cell))
        for _ in range(ROUNDS):
            for _ in range(8):
                cell.step()
            poses = poses_of(cell)
            drawn.append(_round(renderer, full, poses))
            empty.append(_round(renderer, bare, poses))
        views = f"six views of {WIDTH}×{HEIGHT} as JPEG ({renderer.by})"
    return [
        row(f"{views}, processor time", [1e3 * spent for _, spent in drawn], "ms", "reported"),
        row("  the same of an empty world", [1e3 * spent for _, spent in empty], "ms"),
        row(f"{views}, rate", [1.0 / seconds for seconds, _ in drawn], "Hz", "reported"),
        row("  the same of an empty world", [1.0 / seconds for seconds, _ in empty], "Hz"),
    ]


def _round(renderer: StandalonePictures, stage: PictureScene, poses: bytes) -> tuple[float, float]:
    """Return the elapsed and the processor seconds of a picture of every camera."""
    begin, spent = time.perf_counter(), 0.0
    for camera in range(len(stage.cameras)):
        size = {"width": WIDTH, "height": HEIGHT}
        renderer.jpeg(PictureRequest(id=camera, cell=stage.cell, poses=poses, camera=camera, **size))
        spent += renderer.spent
    return time.perf_counter() - begin, spent


def _beside_the_tick() -> list[Row]:
    """Measure the on-time rate of the cell with six streams open and with none, in paired blocks.

    The robot turns on the spot all the time: streams of a robot at rest send nothing new.
    """
    alone, watched, rates = [], [], []
    with running_server(CELL) as server, Client(server.address, watch=CELL) as visitor:
        visitor.take_control(CELL)
        with _streams(server, visitor):
            _on_time(visitor)  # the studio starts
        for _ in range(BLOCKS):
            alone.append(_on_time(visitor))
            with _streams(server, visitor) as counts:
                begin, before = time.perf_counter(), sum(counts)
                watched.append(_on_time(visitor))
                rates.append((sum(counts) - before) / len(counts) / (time.perf_counter() - begin))
    return [
        row("ticks on time (< 1 ms late) with six streams", watched, "%", "as without"),
        row("  without", alone, "%"),
        row("  pictures per second of each stream", rates, "Hz"),
    ]


def _on_time(visitor: Client) -> float:
    """Return the share of ticks on time, %, while the robot is driven."""
    first = visitor.wait(Update)
    over = first.tick + round(BLOCK / 0.002)
    last = visitor.drive(lambda update: update.tick >= over, timeout=20 * BLOCK, robot=CELL, axes=TURNING)
    return 100.0 * (1.0 - (last.late - first.late) / (last.tick - first.tick))


@contextmanager
def _streams(server: RunningServer, visitor: Client) -> Iterator[list[int]]:
    """Open a stream of every camera of the robot; yield the numbers of pictures received."""
    assert visitor.scene
    base, _, token = server.address.partition("#token=")
    robot = visitor.scene.robots[0]
    counts, looking = [0] * len(robot.cameras), True

    def look(i: int, name: str) -> None:
        address = f"{base}camera/{CELL}/{robot.name}/{name}.mjpeg?width={WIDTH}"
        request = urllib.request.Request(address, headers={"Authorization": f"Bearer {token}"})  # noqa: S310 - our own
        with urllib.request.urlopen(request, timeout=60.0) as stream:  # noqa: S310 - our own server
            while looking:
                counts[i] += stream.read1(1 << 16).count(b"Content-Length")

    with ThreadPoolExecutor(len(counts)) as pool:
        streams = [pool.submit(look, i, camera.name) for i, camera in enumerate(robot.cameras)]
        try:
            while not all(counts):
                visitor.wait(Update)
            yield counts
        finally:
            looking = False
    for stream in streams:
        stream.result()
