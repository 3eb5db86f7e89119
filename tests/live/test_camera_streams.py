"""Cameras of a running server, from the cell to the picture: for everybody, for scripts, and for a trainee."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator

import numpy as np
import pytest
import simplejpeg
from numpy.typing import NDArray
from servers import LiveServer

from farhand.client.client import Client
from farhand.server.gateway.exam import FROM_THE_PAGE
from farhand.server.protocol.messages import Scene, Update, Welcome
from farhand.types import AimCamera, DegradeCamera

PATIENCE = 60.0  # s; the first picture waits for a process and a driver
Pixels = NDArray[np.uint8]


@pytest.fixture(scope="module")
def server() -> Iterator[LiveServer]:
    with LiveServer("telemax", "--exam") as running:
        yield running


def trainees(server: LiveServer) -> str:
    """Return the second address that was printed."""
    return server.said.partition("The trainee's page is at ")[2].split()[0]


def fetch(address: str, path: str) -> tuple[int, bytes]:
    base, _, token = address.partition("#token=")
    request = urllib.request.Request(base + path, headers={"Authorization": f"Bearer {token}"})
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def picture(address: str, camera: str = "turret") -> bytes:
    status, content = fetch(address, f"camera/telemax/telemax/{camera}.jpg?width=160")
    assert status == 200, content
    return content


def pixels(jpeg: bytes) -> NDArray[np.float64]:
    decoded: Pixels = simplejpeg.decode_jpeg(jpeg)
    return decoded.astype(float)


def until(page: Client, true: Callable[[], bool]) -> None:
    """Wait until a condition is met, while the page reads its messages."""
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, "that did not come true"
        page.wait(Update)


def test_pictures_follow_the_camera_and_freeze_when_told(server: LiveServer) -> None:
    before = pixels(picture(server.address))
    assert before.shape == (120, 160, 3)
    with Client(server.address, watch="telemax") as instructor:
        instructor.take_control("telemax")
        assert instructor.command(AimCamera("telemax", "turret", 1.2, -0.3, 2.0)).ok
        until(instructor, lambda: bool(np.abs(pixels(picture(server.address)) - before).mean() > 10.0))
        assert instructor.command(DegradeCamera("telemax", "turret", frozen=True)).ok
        instructor.wait(Update, lambda update: update.robots[0].cameras[-1].degraded is not None)
        frozen = picture(server.address)
        assert instructor.command(AimCamera("telemax", "turret", 0.0, 0.0)).ok
        instructor.wait(Update, lambda update: update.robots[0].cameras[-1].pan < 0.1)
        assert picture(server.address) == frozen
        assert instructor.command(DegradeCamera("telemax")).ok
        until(instructor, lambda: picture(server.address) != frozen)


def greeting(page: Client) -> str:
    """Return the role in which a page was greeted."""
    return next(message for message in page.messages if isinstance(message, Welcome)).role


def test_a_trainee_gets_pictures_and_a_stream_but_no_poses_and_no_meshes(server: LiveServer) -> None:
    address = trainees(server)
    assert pixels(picture(address, "front")).std() > 5.0
    base, _, token = address.partition("#token=")
    bearer = {"Authorization": f"Bearer {token}"}
    asked = urllib.request.Request(f"{base}ticket/telemax/telemax/rear", method="POST", headers=bearer)
    with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:
        ticket = json.load(answer)["ticket"]
    stream = f"{base}camera/telemax/telemax/rear.mjpeg?width=160&ticket={ticket}"
    with urllib.request.urlopen(stream, timeout=PATIENCE) as answer:
        assert answer.headers["content-type"] == "multipart/x-mixed-replace; boundary=farhand"
        content = b""
        while content.count(b"\r\n--farhand\r\n") < 3:
            content += answer.read1(65536)
    with Client(address, watch="telemax") as trainee:
        assert greeting(trainee) == "trainee"
        scene = next(m for m in trainee.messages if isinstance(m, Scene))
        assert (scene.bodies, scene.geoms, scene.masters) == ((), (), ())
        trainee.take_control("telemax")
        for _ in range(20):
            update = trainee.wait(Update)
            assert (update.moved, update.contacts, update.robots[0].tip) == (b"", b"", b"")
            assert update.robots[0].joints != b""
        assert not trainee.command(DegradeCamera("telemax")).ok
    with Client(server.address, watch="telemax") as instructor:
        assert greeting(instructor) == "instructor"
        assert instructor.scene
        mesh = next(geom.mesh for geom in instructor.scene.geoms if geom.mesh)
    assert fetch(server.address, f"mesh/telemax/{mesh}")[0] == 200
    assert fetch(address, f"mesh/telemax/{mesh}")[0] == 403
    assert fetch(address, "masters") == (403, f"{FROM_THE_PAGE}\n".encode())
