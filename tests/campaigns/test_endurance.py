"""A server over hours: idle, with a viewer that never reads, a clock that jumps, processes that are killed.

Nightly. `FARHAND_SOAK_S` is how long it idles (default an hour), `FARHAND_KILLS` how often each process is killed (20).
"""

from __future__ import annotations

import os
import signal
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec import Struct
from servers import PATIENCE, LiveServer, Onlooker, drive_until, make_ready, turned, wait_until_ended
from websockets.exceptions import ConnectionClosed

from farhand.client.client import Client
from farhand.poses import Pose
from farhand.server.protocol.messages import ActiveNotes, LogEntries, LogEntry, Update
from farhand.types import AddObject, MoveObject, ObjectSpec, SelectMapping

SOAK_S = float(os.environ.get("FARHAND_SOAK_S", "3600"))
KILLS = int(os.environ.get("FARHAND_KILLS", "20"))
PER_S = 500  # ticks
APART = 8 * PER_S  # ticks between two kills of the same process: fewer than five in half a minute
OTHER = "irb120-grasp"
TURN = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
MEGABYTE = 1 << 20
RENDERER, JPEG = "farhand.server.pictures.picture_process", b"\xff\xd8"


class Footprint(Struct, frozen=True):
    """What a process holds: resident bytes, descriptors, threads."""

    resident: int
    descriptors: int
    threads: int


def footprints(server: LiveServer) -> dict[int, Footprint]:
    found = {}
    for process in server.alive:
        folder = Path(f"/proc/{process.pid}")
        resident = int((folder / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        threads = int(folder.joinpath("status").read_text().partition("Threads:")[2].split()[0])
        found[process.pid] = Footprint(resident, len(list((folder / "fd").iterdir())), threads)
    return found


def let_pass(page: Client, ticks: int) -> list[Update]:
    """Look on for so many ticks; return some updates of them."""
    first = page.wait(Update)
    seen = [first]
    while seen[-1].tick < first.tick + ticks:
        update = page.wait(Update)
        if update.tick >= seen[-1].tick + PER_S:
            seen.append(update)
    return seen


def turn_to(page: Client, angle: float) -> None:
    """Turn the first joint so far, then let go; where the machine is too busy for a press, press again."""
    make_ready(page)
    assert page.command(SelectMapping("arm", "joints")).ok
    drive_until(page, lambda update: turned(update) > angle, TURN)
    page.release_deadman()


# ── Idle ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_an_idle_server_grows_in_nothing(record_property: Callable[[str, object], None]) -> None:
    ticks = round(SOAK_S * PER_S)
    with LiveServer("irb120") as server, Client(server.address) as page:
        page.take_control()
        let_pass(page, max(ticks // 10, 60 * PER_S))  # caches fill, and the workshop gets ready
        before, start, complained = footprints(server), page.wait(Update), server.complained
        seen = let_pass(page, ticks)
        after, end = footprints(server), page.wait(Update)
        late = (end.late - start.late) / (end.tick - start.tick)
        record_property("late ticks, share", round(late, 5))
        sys.stdout.write(f"\nlate ticks {100 * late:.2f} % of {end.tick - start.tick}\n")
        assert {robot.mode for update in seen for robot in update.robots} == {"idle"}
        assert page.lease().holder == page.number
        assert before.keys() == after.keys()  # nothing was restarted, nothing was left behind
        for pid, was in before.items():
            now = after[pid]
            sys.stdout.write(f"{pid}: {was} to {now}\n")
            assert now.resident < was.resident * 1.1 + 16 * MEGABYTE
            assert now.descriptors <= was.descriptors + 2
            assert now.threads <= was.threads + 1
        assert server.complained == complained


def test_a_viewer_that_never_reads_takes_nothing_from_others() -> None:
    with LiveServer("irb120") as server, Client(server.address) as page, Client(server.address, name="Deaf") as deaf:
        page.take_control()
        gateway = server.gateway
        let_pass(page, 10 * PER_S)  # the deaf one's buffers are full
        before = footprints(server)[gateway]
        seen = let_pass(page, round(SOAK_S / 60 * PER_S))
        after = footprints(server)[gateway]
        assert after.resident < before.resident + 16 * MEGABYTE
        assert seen[-1].robots[0].mode == "idle"
        turn_to(page, 0.05)
        deaf.send_raw(b"it still speaks")
        assert server.gateway == gateway


# ── A clock that jumps ───────────────────────────────────────────────────────────────────────────────────────────────

# What every Python process of the server imports first: the wall clock is off by what a file says.
SHIFTED = """
import os, pathlib, time
_real, _folder = time.time, pathlib.Path(os.environ["FARHAND_TEST_CLOCK"])
def _shifted():
    try:
        return _real() + float((_folder / "offset").read_text())
    except (OSError, ValueError):
        return _real()
time.time, time.time_ns = _shifted, lambda: int(_shifted() * 1e9)
(_folder / f"pid-{os.getpid()}").touch()
"""


def test_the_wall_clock_does_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sitecustomize.py").write_text(SHIFTED)
    monkeypatch.setenv("FARHAND_TEST_CLOCK", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with LiveServer("irb120") as server, Client(server.address) as page:
        assert len(list(tmp_path.glob("pid-*"))) >= 3  # supervisor, gateway, cell
        make_ready(page)
        lease, goal = page.lease(), 0.0
        for offset in (3600.0, -3600.0, 0.0):
            goal += 0.04
            turn_to(page, goal)
            (tmp_path / "offset").write_text(str(offset))
            turn_to(page, goal + 0.02)
            let_pass(page, 6 * PER_S)  # longer than control is kept for who is away
            assert page.lease() == lease
            assert page.robot().mode == "idle"
        assert [entry.text for entry in _log(page) if entry.level in ("stop", "fault")] == []


def _log(page: Client) -> list[LogEntry]:
    return [entry for message in page.messages if isinstance(message, LogEntries) for entry in message.entries]


# ── Processes that are killed ────────────────────────────────────────────────────────────────────────────────────────


class Ground:
    """A server with two cells, and a page that looks at the other one all the time."""

    def __init__(self, server: LiveServer) -> None:
        self.server, self.elsewhere = server, Onlooker(server.address, watch=OTHER)

    def kill(self, pid: int) -> None:
        os.kill(pid, signal.SIGKILL)
        wait_until_ended(pid)

    def find(self, module: str) -> list[int]:
        return [process.pid for process in self.server.alive if f"-m {module}" in process.command]


@pytest.fixture(scope="module")
def ground() -> Iterator[Ground]:
    with LiveServer("irb120", OTHER) as server:
        ground = Ground(server)
        yield ground
        ground.elsewhere.close()


def test_a_cell_that_is_killed_comes_back_stopped_every_time(ground: Ground) -> None:
    server = ground.server
    other, gateway, since = server.cell(OTHER), server.gateway, ground.elsewhere.mark()
    with Onlooker(server.address) as onlooker:
        for _ in range(KILLS):
            with Client(server.address) as page:
                make_ready(page)
            mark = onlooker.mark()
            onlooker.wait(Update, lambda update: update.robots[0].mode == "idle", mark)
            ground.kill(server.cell())
            onlooker.wait(ActiveNotes, lambda why: "the cell was restarted" in str(why.robots), mark, timeout=120.0)
            _, update = onlooker.wait(Update, lambda update: update.robots[0].mode == "stopped", mark)
            assert {update.robots[0].mode for update in onlooker.all(Update, mark)} <= {"idle", "stopped"}
            last = update.tick + APART
            onlooker.wait(Update, lambda update: update.tick > last, mark, timeout=120.0)  # noqa: B023
    assert (server.cell(OTHER), server.gateway) == (other, gateway)
    ticks = [update.tick for update in ground.elsewhere.all(Update, since)]
    assert ticks == sorted(ticks)  # the other cell noticed nothing


def test_a_gateway_that_is_killed_comes_back_and_cells_run_on(ground: Ground) -> None:
    server = ground.server
    cells, tick = (server.cell(), server.cell(OTHER)), 0
    ground.elsewhere.close()
    for _ in range(KILLS):
        ground.kill(server.gateway)
        with _again(server, "driver-of-the-night") as page:
            update = page.wait(Update)
            assert update.tick > tick
            assert update.robots[0].mode in ("idle", "stopped")  # nothing moves by itself
            make_ready(page)
            let_pass(page, APART)
            tick = page.wait(Update).tick
        assert (server.cell(), server.cell(OTHER)) == cells
    ground.elsewhere = Onlooker(server.address, watch=OTHER)


def _again(server: LiveServer, client: str) -> Client:
    """Connect to a server whose gateway has just ended; its socket waits for the next one."""
    for _ in range(20):
        try:
            return Client(server.address, client=client)
        except (ConnectionClosed, OSError, TimeoutError, EOFError):
            continue
    raise AssertionError("the gateway does not come back")


def _use_workshop(page: Client) -> None:
    assert page.command(AddObject(BOX)).ok or page.command(MoveObject("extra", Pose((0.1, 0.45, 0.6305)))).ok


BOX = ObjectSpec(name="extra", size=(0.06, 0.06, 0.06), position=(0.1, 0.45, 0.6305))
HELPERS: dict[str, tuple[str, Callable[[Client], object]]] = {
    "workshop": ("farhand.processes.worker", _use_workshop),
    "speech": ("farhand.voice.speech_process", lambda page: page.speak(bytes(16_000))),
}


@pytest.mark.parametrize("helper", HELPERS)
def test_a_helper_that_is_killed_comes_back_when_it_is_needed(ground: Ground, helper: str) -> None:
    server, (module, use) = ground.server, HELPERS[helper]
    with Client(server.address) as page:
        make_ready(page)
        whole = (server.gateway, server.cell(), server.cell(OTHER))
        for _ in range(KILLS):
            use(page)
            for pid in ground.find(module):
                ground.kill(pid)
            use(page)
            assert ground.find(module)
            assert (server.gateway, server.cell(), server.cell(OTHER)) == whole
            assert page.wait(Update).robots[0].mode == "idle"


def test_a_studio_that_is_killed_comes_back_with_the_next_picture() -> None:
    with LiveServer("telemax") as server:
        whole = (server.gateway, server.cell("telemax"))
        for _ in range(KILLS):
            renderer = _drawing(server)
            os.kill(renderer, signal.SIGKILL)
            wait_until_ended(renderer)
            assert _drawing(server) != renderer
            assert (server.gateway, server.cell("telemax")) == whole


def _drawing(server: LiveServer) -> int:
    """Ask for pictures until the studio draws one; within a thirtieth of a second the last one is shown again."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if _picture(server):
            for process in server.alive:
                if f"-m {RENDERER}" in process.command:
                    return process.pid
    raise AssertionError("the studio does not come back")


def _picture(server: LiveServer) -> bool:
    """Return whether the robot's camera gives a picture."""
    base, _, token = server.address.partition("#token=")
    where = f"{base}camera/telemax/telemax/turret.jpg?width=160"
    request = urllib.request.Request(where, headers={"Authorization": f"Bearer {token}"})
    try:
        with urllib.request.urlopen(request, timeout=60.0) as answer:
            return bool(answer.read().startswith(JPEG))
    except urllib.error.HTTPError as error:
        if error.code == 503:  # it has just ended
            return False
        raise
