"""Pictures for everybody: which frame a camera shows, that one drawing serves all who look, and the addresses."""

from __future__ import annotations

import asyncio
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest
from gateways import CELL, STILL, Clock, Gateway, a_robot, a_scene, frame, in_loop
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from renderers import AHEAD, RecordingRenderer, with_cameras
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from farhand.server.gateway import camera_routes as routes_module
from farhand.server.gateway import picture_worker as worker_module
from farhand.server.gateway.camera_pictures import MAX_VIEWS, NoCameraError, Pictures
from farhand.server.gateway.camera_routes import camera_routes
from farhand.server.gateway.frame_history import HISTORY_S, FrameHistory
from farhand.server.gateway.picture_worker import PictureError, PictureWorker
from farhand.server.gateway.tickets import LIFE_S, Tickets
from farhand.server.pictures import gl_backend
from farhand.server.pictures.picture_messages import PictureRequest
from farhand.server.protocol.internal_messages import Frame
from farhand.types import DegradeCamera

EVERY = 8  # ticks between two frames
LOOKING = replace(STILL, cameras=(AHEAD, AHEAD))


def seen(number: int, *degraded: DegradeCamera, **fields: Any) -> Frame:
    """Return the frame of a number, in which every body says so."""
    return frame(
        EVERY * number, bodies=number.to_bytes(4, "little") * 15, robots=(LOOKING,), degraded=degraded, **fields
    )


def shown(history: FrameHistory, camera: str = "front") -> int:
    """Return the number of the frame that a camera shows."""
    found = history.shown("arm", camera)
    assert found is not None
    return found[0].tick // EVERY


# ── Which frame is shown ─────────────────────────────────────────────────────────────────────────────────────────


def test_a_camera_shows_the_newest_frame() -> None:
    history = FrameHistory()
    assert history.shown("arm", "front") is None
    for number in range(5):
        history.take(seen(number))
        assert shown(history) == number


@given(st.floats(0.0, 5.0), st.sampled_from([0.0, 0.2, 1.0, 7.5, 30.0]), st.integers(1, 900))
def test_a_late_and_rare_camera_shows_the_frame_of_its_time(delay: float, rate: float, count: int) -> None:
    """At time t a camera shows the frame of floor((t - delay)·rate) / rate, and never a newer one."""
    worse, history, dt = DegradeCamera("arm", "front", delay=delay, rate=rate), FrameHistory(), EVERY * 0.002
    for number in range(count):
        history.take(seen(number, worse))
    due = (count - 1) * dt - delay
    due = due if rate == 0.0 else (due * rate + 1e-6) // 1.0 / rate
    wanted = max(0, int((due + 1e-6) // dt))
    assert shown(history) == wanted
    assert shown(history, "rear") == count - 1


def test_a_frozen_camera_shows_what_it_showed_until_it_thaws() -> None:
    frozen, history = DegradeCamera("arm", "front", frozen=True), FrameHistory()
    history.take(seen(1))
    for number in range(2, 2000):
        history.take(seen(number, frozen))
        assert shown(history) == 2
    history.take(seen(2000))
    assert shown(history) == 2000
    history.take(seen(2001, frozen))
    assert shown(history) == 2001


def test_one_that_was_late_freezes_at_what_it_showed() -> None:
    late, history = DegradeCamera("arm", "front", delay=0.16), FrameHistory()
    for number in range(50):
        history.take(seen(number, late))
    history.take(seen(50, replace(late, frozen=True)))
    assert shown(history) == 40


def test_frames_are_kept_no_longer_than_a_camera_may_be_late() -> None:
    history = FrameHistory()
    for number in range(3000):
        history.take(seen(number))
    assert len(history._frames) == pytest.approx(HISTORY_S / (EVERY * 0.002), abs=2)


@pytest.mark.parametrize("change", [{"run": 2}, {"scene": 2}])
def test_frames_of_another_world_are_forgotten(change: dict[str, int]) -> None:
    late, history = DegradeCamera("arm", "front", delay=1.0), FrameHistory()
    for number in range(100):
        history.take(seen(number, late))
    history.take(seen(100, late, **change))
    assert shown(history) == 100


# ── One drawing for all ──────────────────────────────────────────────────────────────────────────────────────────


class Bench:
    """A gateway with a robot that has two cameras, and a renderer that takes notes."""

    def __init__(self) -> None:
        self.gateway, self.renderer = Gateway(), RecordingRenderer()
        self.gateway.start(a_scene(with_cameras(a_robot(), "front", "rear")))
        self.gateway.hub.take_frame(seen(2))
        self.clock: Clock = self.gateway.clock
        self.pictures = Pictures(self.gateway.state.source, no_mesh, self.renderer, self.clock)
        self.tickets = Tickets(self.clock)

    def goes_on(self, number: int, *degraded: DegradeCamera, **fields: Any) -> None:
        self.clock.now += 0.1
        self.gateway.hub.take_frame(seen(number, *degraded, **fields))

    async def look(self, camera: str = "front", width: int | None = None) -> bytes:
        return (await self.pictures.picture(CELL, "arm", camera, width)).jpeg


async def no_mesh(cell: str, name: str) -> bytes | None:
    raise AssertionError(f"nobody asked for mesh {name} of {cell}")


@in_loop
async def test_everybody_who_looks_at_once_gets_one_drawing() -> None:
    bench = Bench()
    bench.renderer.free.clear()
    waiting = [asyncio.create_task(bench.look()) for _ in range(20)]
    while not bench.renderer.shots:
        await asyncio.sleep(0)
    bench.renderer.free.set()
    assert len(set(await asyncio.gather(*waiting))) == 1
    assert len(bench.renderer.shots) == len(bench.renderer.stages) == 1


@in_loop
async def test_what_has_not_changed_is_not_drawn_again() -> None:
    bench = Bench()
    first = await bench.look()
    bench.clock.now += 1.0
    assert await bench.look() == first
    assert len(bench.renderer.shots) == 1
    bench.goes_on(3)
    assert await bench.look() != first
    assert [shot.poses[0] for shot in bench.renderer.shots] == [2, 3]
    bench.gateway.hub.take_frame(seen(4))  # sooner than pictures may follow each other
    await bench.look()
    assert len(bench.renderer.shots) == 2


@in_loop
async def test_a_frozen_camera_gives_the_same_bytes_while_others_go_on() -> None:
    bench, frozen = Bench(), DegradeCamera("arm", "front", frozen=True, noise=0.5)
    bench.goes_on(3, frozen)
    first, other = await bench.look(), await bench.look("rear")
    for number in range(4, 8):
        bench.goes_on(number, frozen)
        assert await bench.look() == first
        assert await bench.look("rear") != other
    assert {shot.poses[0] for shot in bench.renderer.shots if shot.camera == 0} == {3}


@in_loop
async def test_a_camera_is_shown_frozen_as_soon_as_it_is_however_new_its_last_picture_is() -> None:
    bench, frozen = Bench(), DegradeCamera("arm", "front", frozen=True)
    before = await bench.look()
    bench.gateway.hub.take_frame(seen(3, frozen))
    first = await bench.look()
    assert first != before
    bench.goes_on(4, frozen)
    assert await bench.look() == first


@in_loop
async def test_a_frozen_picture_outlives_an_edit_of_the_world() -> None:
    bench, frozen = Bench(), DegradeCamera("arm", "front", frozen=True)
    bench.goes_on(3, frozen)
    first = await bench.look()
    bench.goes_on(4, frozen, scene=2)
    bench.gateway.hub.take_scene(a_scene(with_cameras(a_robot(), "front", "rear"), number=2))
    assert await bench.look() == first
    with pytest.raises(PictureError):
        await bench.look(width=640)  # was never drawn at that size, and its world is gone
    assert await bench.look(width=640) != b""  # frozen again
    assert len(bench.renderer.stages) == 2


@in_loop
async def test_a_late_camera_draws_the_poses_and_the_zoom_of_then() -> None:
    bench, late = Bench(), DegradeCamera("arm", "front", delay=10 * EVERY * 0.002, resolution=0.5, noise=0.1)
    for number in range(3, 40):
        zoomed = replace(LOOKING, cameras=(replace(AHEAD, zoom=1.0 + 0.01 * number), AHEAD))
        bench.gateway.hub.take_frame(replace(seen(number, late), robots=(zoomed,)))
    await bench.look()
    (shot,) = bench.renderer.shots
    assert (shot.poses[0], shot.zoom, shot.resolution, shot.noise) == (29, 1.29, 0.5, 0.1)


@in_loop
async def test_a_new_studio_is_told_the_stage_again() -> None:
    bench = Bench()
    await bench.look()
    bench.renderer.life += 1
    bench.goes_on(3)
    await bench.look()
    assert len(bench.renderer.stages) == 2


@in_loop
async def test_sizes_are_bounded_and_views_are_counted() -> None:
    bench = Bench()
    for width in (1, 315, 320, 99999):
        await bench.look(width=width)
    assert [(shot.width, shot.height) for shot in bench.renderer.shots] == [(64, 48), (320, 240), (1280, 960)]
    kept = [(camera, width) for width in range(64, 1281, 16) for camera in ("front", "rear")]
    for camera, width in kept[: MAX_VIEWS - 1]:
        await bench.look(camera, width)
    with pytest.raises(PictureError, match="Too many pictures"):
        await bench.look(*kept[MAX_VIEWS])
    assert len(bench.pictures._views) == MAX_VIEWS
    bench.clock.now += 60.0
    await bench.look(*kept[MAX_VIEWS])
    assert len(bench.pictures._views) == 1


@in_loop
async def test_what_is_not_there_is_said() -> None:
    bench = Bench()
    for cell, robot, camera, words in (
        ("moon", "arm", "front", "There is no cell 'moon'."),
        (CELL, "leg", "front", "There is no camera leg/front; there are: arm/front, arm/rear."),
        (CELL, "arm", "nose", "There is no camera arm/nose"),
    ):
        with pytest.raises(NoCameraError) as error:
            await bench.pictures.picture(cell, robot, camera)
        assert words in str(error.value)


# ── Addresses ────────────────────────────────────────────────────────────────────────────────────────────────────


def client_of(bench: Bench) -> httpx2.AsyncClient:
    def problem(token: str) -> str:
        return "" if token == "sesame" else "Not you."

    def turned_away(request: Request, why: str) -> Response:
        del request
        return PlainTextResponse(f"{why}\n", 403)

    app = Starlette(routes=camera_routes(bench.pictures, problem, bench.tickets, turned_away))
    headers = {"authorization": "Bearer sesame"}
    return httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="http://farhand", headers=headers)


@in_loop
async def test_a_picture_is_served_with_the_tick_it_shows() -> None:
    bench = Bench()
    async with client_of(bench) as client:
        answer = await client.get(f"/camera/{CELL}/arm/front.jpg?width=160")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/jpeg")
    assert (answer.headers["farhand-tick"], answer.headers["cache-control"]) == ("16", "no-store")
    assert bench.renderer.shots[0].width == 160


@in_loop
async def test_addresses_that_lead_nowhere_say_why() -> None:
    bench = Bench()
    async with client_of(bench) as client:
        for path, status, words in (
            ("arm/front.jpg?width=many", 400, "width must be a number from 1 to 1280, found 'many'."),
            ("arm/front.mjpeg?fps=500", 400, "fps must be a number from 0.1 to 30"),
            ("arm/nose.jpg", 404, "There is no camera arm/nose"),
            ("arm/front.png", 404, "ends in .jpg or .mjpeg"),
        ):
            answer = await client.get(f"/camera/{CELL}/{path}")
            assert (answer.status_code, words in answer.text) == (status, True)
        bench.renderer.unable = gl_backend.NO_GL
        answer = await client.get(f"/camera/{CELL}/arm/front.mjpeg")
        assert (answer.status_code, "libosmesa6" in answer.text) == (503, True)
        for token in ("", "Bearer no"):
            answer = await client.get(f"/camera/{CELL}/arm/front.jpg", headers={"authorization": token})
            assert (answer.status_code, answer.text) == (403, "Not you.\n")
        bench.renderer.unable = ""
        answer = await client.get(f"/camera/{CELL}/arm/front.jpg?token=sesame", headers={"authorization": ""})
        assert (answer.status_code, "Ask for a ticket" in answer.text) == (403, True)


@in_loop
async def test_a_ticket_shows_one_camera_for_a_minute() -> None:
    bench = Bench()

    async def status(path: str, ticket: str) -> int:
        answer = await client.get(f"/camera/{CELL}/{path}?ticket={ticket}", headers={"authorization": ""})
        return answer.status_code

    ticket = bench.tickets.make(f"{CELL}/arm/front", "viewer")
    async with client_of(bench) as client:
        assert await status("arm/front.jpg", ticket) == 200
        assert await status("arm/front.jpg", ticket) == 200
        assert await status("arm/rear.jpg", ticket) == 403
        assert await status("arm/front.jpg", ticket.replace("viewer", "trainee")) == 403
        end = ticket.partition(".")[0]
        assert await status("arm/front.jpg", ticket.replace(end, str(int(end) + 1))) == 403
        assert await status("arm/front.jpg", "x.y.z") == 403
        bench.clock.now += LIFE_S
        assert await status("arm/front.jpg", ticket) == 403


async def parts_of(bench: Bench, count: int, meanwhile: Callable[[int], None]) -> list[bytes]:
    """Return the first parts of a stream; call a function after each of them."""
    first = await bench.pictures.picture(CELL, "arm", "front")
    stream = routes_module._parts(lambda: bench.pictures.picture(CELL, "arm", "front"), first, 30.0)
    found = [await anext(stream)]
    for number in range(count):
        found.append(await anext(stream))
        meanwhile(number)
    await stream.aclose()  # type: ignore[attr-defined]  # it is a generator
    return found


@in_loop
async def test_a_stream_sends_each_picture_once_and_ends_it_at_once() -> None:
    bench = Bench()
    head, *parts = await parts_of(bench, 4, lambda number: bench.goes_on(10 + number))
    assert head == b"--farhand\r\n"
    for part in parts:
        lines, _, rest = part.partition(b"\r\n\r\n")
        assert b"Content-Type: image/jpeg" in lines
        jpeg, end, nothing = rest.partition(b"\r\n--farhand\r\n")
        assert f"Content-Length: {len(jpeg)}\r\n".encode() in lines + b"\r\n"
        assert (end, nothing) == (b"\r\n--farhand\r\n", b"")
    assert len(set(parts)) == 4


@in_loop
async def test_streams_are_counted() -> None:
    bench = Bench()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(routes_module, "MAX_STREAMS", 0)
        async with client_of(bench) as client:
            answer = await client.get(f"/camera/{CELL}/arm/front.mjpeg")
    assert (answer.status_code, "Too many streams" in answer.text) == (503, True)


# ── The process ──────────────────────────────────────────────────────────────────────────────────────────────────

SHOT = PictureRequest(id=0, cell=CELL, poses=b"", camera=0, width=64, height=48)
ECHO = """
    import sys
    import msgspec
    def say(**message):
        content = msgspec.msgpack.encode(message)
        sys.stdout.buffer.write(len(content).to_bytes(4, "little") + content)
        sys.stdout.buffer.flush()
    if "unable" in sys.argv:
        say(type="PicturesUnable", reason="No brush.")
        sys.exit(1)
    say(type="PicturesReady", by="echo")
    while head := sys.stdin.buffer.read(4):
        shot = msgspec.msgpack.decode(sys.stdin.buffer.read(int.from_bytes(head, "little")))
        width = shot["width"]
        if width == 13:
            sys.exit(7)
        say(type="Picture", id=shot["id"], jpeg=b"%d" % width, problem="Too small." if width < 10 else "")
"""


def echo(tmp_path: Path, *arguments: str) -> tuple[str, ...]:
    """Return a command that speaks as the picture process does, without drawing."""
    script = tmp_path / "echo.py"
    script.write_text(textwrap.dedent(ECHO))
    return (sys.executable, str(script), *arguments)


def test_the_process_starts_when_needed_ends_when_idle_and_is_started_anew(tmp_path: Path) -> None:
    async def story() -> None:
        clock = Clock()
        renderer = PictureWorker(clock, echo(tmp_path))
        assert not renderer.running
        await renderer.start()
        await renderer.start()
        assert renderer.life == 1
        answers = await asyncio.gather(*(renderer.draw(replace(SHOT, width=width)) for width in (20, 30, 40)))
        assert answers == [b"20", b"30", b"40"]
        with pytest.raises(PictureError, match="Too small"):
            await renderer.draw(replace(SHOT, width=5))
        with pytest.raises(PictureError, match="restarts with the next picture"):
            await renderer.draw(replace(SHOT, width=13))
        with pytest.raises(PictureError, match="has ended"):
            await renderer.draw(SHOT)
        await renderer.start()
        assert (renderer.life, await renderer.draw(SHOT)) == (2, b"64")
        running = []
        for later in (0.0, worker_module.IDLE_S + 1.0):
            clock.now += later
            await renderer.sweep()
            running.append(renderer.running)
        assert running == [True, False]

    asyncio.run(story())


def test_a_machine_that_cannot_draw_is_asked_again_only_later(tmp_path: Path) -> None:
    async def story() -> None:
        clock = Clock()
        renderer = PictureWorker(clock, echo(tmp_path, "unable"))
        with pytest.raises(PictureError, match="No brush"):
            await renderer.start()
        renderer._command = echo(tmp_path)
        with pytest.raises(PictureError, match="No brush"):
            await renderer.start()
        clock.now += worker_module.RETRY_S + 1.0
        await renderer.start()
        assert renderer.running
        await renderer.close()

    asyncio.run(story())


def test_without_any_opengl_a_sentence_names_the_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = (("EGL", "no_such_library", "egl"), ("OSMesa", "nor_this_one", "osmesa"))
    monkeypatch.setenv("PYOPENGL_PLATFORM", "")
    monkeypatch.setattr(gl_backend, "LINUX", nothing)
    monkeypatch.setattr(gl_backend, "ELSEWHERE", nothing)
    with pytest.raises(gl_backend.NoGlError) as error:
        gl_backend.open_context()
    assert "libegl1 libgl1-mesa-dri" in str(error.value)
    assert "EGL: ModuleNotFoundError" in str(error.value)
