"""The live server: time until ready, round trip to the cell, and cost of a viewer."""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from farhand.client.client import Client
from farhand.client.servers import RunningServer, running_server
from farhand.processes.python_start import python_command
from farhand.processes.spawning import spawn_context
from farhand.server.protocol.messages import Update
from farhand_bench.rows import Row, row

__all__ = ["measure"]

STARTS = 5
PINGS = 1000
STREAM = 6.0  # seconds
BLOCKS, BLOCK = 6, 3.0  # pairs of blocks, seconds each
VIEWERS = 20
FALLING, RESTING = 10, 10
CELL = """
name = "bench"
[robots.arm]
model = "irb120"
tool = "two-finger"
[masters.hand]
kind = "manual"
"""


def measure() -> list[Row]:
    """Return the rows of this benchmark."""
    return [*_starts(), *_round_trips(), *_stream(), *_viewers()]


def _starts() -> list[Row]:
    """Measure the time from the command to the printed address, beside loading the same cell without a server."""
    ready, bare = [], []
    with running_server():
        pass
    for _ in range(STARTS):
        with running_server() as server:
            ready.append(server.seconds)
        begin = time.perf_counter()
        subprocess.run(python_command("-c", "from farhand import Cell; Cell.load('irb120').step()"), check=True)
        bare.append(time.perf_counter() - begin)
    return [
        row("server ready, warm caches", ready, "s", "≤ 5 s"),
        row("  the cell only, loaded in a bare process", bare, "s"),
    ]


def _round_trips() -> list[Row]:
    """Measure a program's command to the cell and back, beside the same socket's own ping."""
    there, echo = [], []
    with running_server() as server, Client(server.address) as visitor, Client(server.address, watch="") as idle:
        for _ in range(PINGS):
            there.append(visitor.ping() * 1e3)
            echo.append(idle.echo() * 1e3)
    return [
        row("command to the cell and back, from a program", there, "ms", "≤ 5 ms"),
        row("  to the gateway and back (socket's own ping)", echo, "ms"),
    ]


def _stream() -> list[Row]:
    """Measure bytes per second to one viewer: a moving six-axis arm, twenty objects, half of them falling."""
    with _busy_cell() as path, running_server(path) as server, Client(server.address, watch="bench") as visitor:
        visitor.take_control()
        begin, start = time.perf_counter(), visitor.received
        updates = 0
        moved: set[int] = set()

        def look(update: Update) -> bool:
            nonlocal updates
            updates += 1
            moved.update(int.from_bytes(update.moved[i : i + 2], "little") for i in range(0, len(update.moved), 22))
            return time.perf_counter() - begin >= STREAM

        visitor.drive(look, timeout=STREAM + 10.0, axes=(0.3, -0.2, 0.2, 0.5, -0.2, 0.4))
        seconds = time.perf_counter() - begin
        size = (visitor.received - start) / seconds / 1e3
    assert len(moved) >= FALLING + 6, f"only {len(moved)} bodies moved"
    rate = updates / seconds
    return [
        row("stream to a viewer, 6 axes, 10 of 20 objects moving", [size], "kB/s", "≤ 60 kB/s"),
        row("  updates per second in this stream", [rate], "Hz"),
    ]


@contextmanager
def _busy_cell() -> Iterator[str]:
    """Write a cell with objects at rest and objects that fall from so high that they fall all the time."""
    text = [CELL]
    for i in range(FALLING + RESTING):
        x, y, z = 1.0 + 0.3 * (i % 5), 0.3 * (i // 5), 900.0 if i < FALLING else 0.0255
        text.append(f'[[world.objects]]\nname = "thing {i}"\nsize = [0.05, 0.05, 0.05]\nposition = [{x}, {y}, {z}]\n')
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.toml"
        path.write_text("".join(text))
        yield str(path)


def _viewers() -> list[Row]:
    """Measure the on-time rate of the cell with twenty viewers and without, in paired blocks."""
    alone, watched = [], []
    with running_server() as server, Client(server.address) as visitor:
        _on_time(visitor)
        for _ in range(BLOCKS):
            alone.append(_on_time(visitor))
            with _crowd(server, visitor):
                watched.append(_on_time(visitor))
    return [
        row(f"ticks on time (< 1 ms late) with {VIEWERS} viewers", watched, "%", "as without"),
        row("  without", alone, "%"),
        row("  difference, block by block", [a - b for a, b in zip(watched, alone, strict=True)], "%"),
    ]


def _on_time(visitor: Client) -> float:
    """Return the share of ticks on time over a while, as counted by the cell."""
    first = visitor.wait(Update)
    last = visitor.wait(Update, lambda update: (update.tick - first.tick) * 0.002 >= BLOCK, timeout=10 * BLOCK)
    return 100.0 * (1.0 - (last.late - first.late) / (last.tick - first.tick))


@contextmanager
def _crowd(server: RunningServer, visitor: Client) -> Iterator[None]:
    """Run viewers in a process of their own, so that they cost the cell as much as over a network."""
    context: Any = spawn_context()
    ready, end = context.Event(), context.Event()
    process = context.Process(target=_watch, args=(server.address, ready, end))
    process.start()
    try:
        while not ready.is_set():
            visitor.wait(Update)
        yield
    finally:
        end.set()
        process.join()


def _watch(address: str, ready: Any, end: Any) -> None:
    visitors = [Client(address) for _ in range(VIEWERS)]
    ready.set()
    while not end.is_set():
        for visitor in visitors:
            visitor.wait(Update)
    for visitor in visitors:
        visitor.close()
