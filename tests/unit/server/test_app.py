"""The gateway as a web server: its headers, its files and nobody else's, and who may open a socket."""

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from frames import HELLO, TOKEN
from gateways import CELL, Clock, RecordingLink, a_scene, frame
from renderers import RecordingRenderer
from starlette.applications import Starlette
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from farhand import __version__
from farhand.poses import Pose
from farhand.server.fabric.sessions import MasterCredentials
from farhand.server.gateway import app as app_module
from farhand.server.gateway import page_socket
from farhand.server.gateway.app import HEADERS, make_app
from farhand.server.gateway.camera_pictures import Pictures
from farhand.server.gateway.decoding import MAX_MESSAGE_BYTES, LinkTokens
from farhand.server.gateway.exam import FROM_THE_PAGE
from farhand.server.gateway.gateway_state import GatewayState
from farhand.server.gateway.wrong_tokens import MAX_TRIES
from farhand.server.protocol import close_codes
from farhand.server.protocol.messages import Answer, Ask, Leases, Ping, Refused, Scene, ToPage, Watch, Welcome
from farhand.server.protocol.typescript import wire
from farhand.world.visual_scene import GeomLook

HERE = "127.0.0.1:8090"
PAGE = {"host": HERE, "origin": f"http://{HERE}"}
TRAINEE = "a-token-of-a-trainee"
MESH = "0123456789abcdef"
encode = msgspec.msgpack.Encoder().encode


async def _mesh(content: bytes) -> bytes | None:
    return content


class Meshes:
    """A cell's meshes, and how often they were fetched."""

    def __init__(self) -> None:
        self.fetched: list[tuple[str, str]] = []

    def __call__(self, cell: str, name: str) -> "asyncio.Future[bytes | None]":
        self.fetched.append((cell, name))
        return asyncio.ensure_future(_mesh(b"a mesh"))


@pytest.fixture
def meshes() -> Meshes:
    return Meshes()


@pytest.fixture
def state(meshes: Meshes) -> GatewayState:
    state = GatewayState([CELL], RecordingLink(), 1, meshes, Clock())
    state.hubs[CELL].take_frame(frame())
    geom = GeomLook(body=-1, shape="mesh", size=(), pose=Pose((0.0, 0.0, 0.0)), colour=(1, 1, 1, 1), mesh=MESH)
    state.hubs[CELL].take_scene(msgspec.structs.replace(a_scene(), geoms=(geom,)))
    return state


@pytest.fixture
def app(state: GatewayState, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Starlette:
    page = tmp_path / "page"
    (page / "assets").mkdir(parents=True)
    (page / "index.html").write_text("<!doctype html>the page")
    (page / "assets" / "main.js").write_text("the script")
    (page / "assets" / "deep").mkdir()
    (page / "assets" / "deep" / "hidden.js").write_text("hidden")
    (tmp_path / "secret.txt").write_text("secret")
    monkeypatch.setattr(app_module, "PAGE", page)
    pictures = Pictures(state.source, state.mesh, RecordingRenderer(), Clock())
    return make_app(
        state, LinkTokens(TOKEN, TRAINEE), lambda: MasterCredentials(4711, "you", "sesame"), pictures, loopback=True
    )


@pytest.fixture
def client(app: Starlette) -> Iterator[TestClient]:
    with TestClient(app) as client:
        yield client


# ── Files ────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("path", ["/", "/assets/main.js", "/assets/none.js", f"/mesh/{CELL}/{MESH}", "/health", "/x"])
def test_every_answer_has_our_headers(client: TestClient, path: str) -> None:
    answer = client.get(path)
    for name, value in HEADERS.items():
        assert answer.headers[name] == value


def test_the_policy_lets_nothing_in_from_elsewhere() -> None:
    policy = dict(part.strip().split(" ", 1) for part in HEADERS["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"
    assert not any(word in HEADERS["Content-Security-Policy"] for word in ("unsafe", "http", "*"))


def test_the_page_and_its_files_are_there(client: TestClient) -> None:
    assert client.get("/").text == "<!doctype html>the page"
    assert client.get("/").headers["cache-control"] == "no-cache"
    assert client.get("/assets/main.js").text == "the script"
    assert "immutable" in client.get("/assets/main.js").headers["cache-control"]


def test_strangers_learn_from_health_only_that_the_server_is_up(client: TestClient, state: GatewayState) -> None:
    known = {"up": True, "ready": True, "version": __version__, "wire": wire(), "cells": {CELL: "ready"}}
    assert client.get("/health").json() == {"up": True}
    assert client.get("/health", headers={"authorization": "Bearer no"}).status_code == 403
    for token in (TOKEN, TRAINEE):
        assert client.get("/health", headers={"authorization": f"Bearer {token}"}).json() == known
    state.hubs[CELL].info = msgspec.structs.replace(state.hubs[CELL].info, state="starting")
    told = client.get("/health", headers={"authorization": f"Bearer {TOKEN}"}).json()
    assert (told["ready"], told["cells"]) == (False, {CELL: "preparing"})


def test_wrong_tokens_are_told_to_wait_and_the_right_one_never(client: TestClient) -> None:
    wrong = [client.get("/masters", headers={"authorization": f"Bearer {i}"}) for i in range(MAX_TRIES + 5)]
    assert [answer.status_code for answer in wrong] == MAX_TRIES * [403] + 5 * [429]
    assert "Too many wrong tokens" in wrong[-1].text
    message, code = refusal(client, PAGE, encode(msgspec.structs.replace(HELLO, token="guess")))
    assert (message.reason, code) == (wrong[-1].text.strip(), 1008)
    assert client.get("/masters", headers={"authorization": f"Bearer {TOKEN}"}).status_code == 200


def test_silent_sockets_lock_nobody_out(client: TestClient, state: GatewayState) -> None:
    with ExitStack() as silent:
        sockets = [silent.enter_context(client.websocket_connect("/socket", headers=PAGE)) for _ in range(300)]
        with connected(client, state) as socket:
            assert isinstance(heard(socket), Welcome)
        first = heard(sockets[0])
        assert isinstance(first, Refused)
        assert (first.retry, first.code) == (True, close_codes.NO_GREETING)


def test_places_are_kept_for_who_held_control(
    client: TestClient, state: GatewayState, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_socket, "MAX_PAGES", 2)
    monkeypatch.setattr(page_socket, "KEPT_PLACES", 1)
    driver, other = HELLO, msgspec.structs.replace(HELLO, client="another-client-0123456789")
    with connected(client, state) as socket:
        assert isinstance(heard(socket), Welcome)
        socket.send_bytes(encode(Watch(cell=CELL)))
        socket.send_bytes(encode(Ask(robot="arm")))
        while not isinstance(heard(socket), Leases):
            continue
    with client.websocket_connect("/socket", headers=PAGE) as socket:
        socket.send_bytes(encode(other))
        assert isinstance(heard(socket), Welcome)
        message, code = refusal(client, PAGE, encode(msgspec.structs.replace(other, client="third-client-0123456789")))
        assert (message.retry, code) == (True, close_codes.FULL)
        with client.websocket_connect("/socket", headers=PAGE) as again:
            again.send_bytes(encode(driver))
            assert isinstance(heard(again), Welcome)
            again.close()
        socket.close()
        assert client.portal
        while state.sockets:
            client.portal.call(asyncio.sleep, 0)


def test_a_page_that_was_not_built_says_how_to(client: TestClient) -> None:
    (app_module.PAGE / "index.html").unlink()
    answer = client.get("/")
    assert answer.status_code == 503
    assert "make page" in answer.text


def get(app: Starlette, path: str) -> tuple[int, bytes]:
    """Ask for a path exactly as it is written: clients tidy it up."""
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b""}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(b"host", HERE.encode())],
        "root_path": "",
        "scheme": "http",
        "http_version": "1.1",
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8090),
    }
    asyncio.run(app(scope, receive, send))
    return sent[0]["status"], b"".join(message.get("body", b"") for message in sent)


@pytest.mark.parametrize(
    "path",
    [
        "/assets/../index.html",
        "/assets/../../secret.txt",
        "/assets/..",
        "/assets/.",
        "/assets/",
        "/assets/deep",
        "/assets/deep/hidden.js",
        "/assets//etc/passwd",
        "/assets/main.js/",
        "/assets/\0",
        "/assets/main.js\0",
        "/assets/..\\..\\secret.txt",
        "/assets/" + "a" * 5000,
        "/assets/~root",
        "/../secret.txt",
        "/secret.txt",
        "//etc/passwd",
    ],
)
def test_no_other_file_is_served(app: Starlette, path: str) -> None:
    status, body = get(app, path)
    assert status in (404, 307)
    assert b"secret" not in body
    assert b"root:" not in body


@pytest.mark.parametrize("dots", ["..%2f..%2fsecret.txt", "%2e%2e/%2e%2e/secret.txt", "%2e%2e%2f%2e%2e%2fsecret.txt"])
def test_nor_by_an_encoded_path(client: TestClient, dots: str) -> None:
    assert client.get(f"/assets/{dots}").status_code == 404


# ── Meshes ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "header", [{}, {"authorization": "Bearer "}, {"authorization": "Bearer no"}, {"x-token": TOKEN}]
)
def test_a_mesh_needs_the_token(client: TestClient, meshes: Meshes, header: dict[str, str]) -> None:
    assert client.get(f"/mesh/{CELL}/{MESH}", headers=header).status_code == 403
    assert meshes.fetched == []


def test_a_mesh_is_fetched_once(client: TestClient, meshes: Meshes) -> None:
    for _ in range(2):
        answer = client.get(f"/mesh/{CELL}/{MESH}", headers={"authorization": f"Bearer {TOKEN}"})
        assert (answer.status_code, answer.content) == (200, b"a mesh")
    assert meshes.fetched == [(CELL, MESH)]


@pytest.mark.parametrize("path", [f"/mesh/{CELL}/*", f"/mesh/{CELL}/feed", f"/mesh/moon/{MESH}", f"/mesh/{CELL}/%00"])
def test_only_meshes_of_the_scene_are_asked_for(client: TestClient, meshes: Meshes, path: str) -> None:
    assert client.get(path, headers={"authorization": f"Bearer {TOKEN}"}).status_code == 404
    assert meshes.fetched == []


# ── Credentials for remote masters ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("token", "status", "text"),
    [
        (TOKEN, 200, '{"port":4711,"login":"you","secret":"sesame"}'),
        (TRAINEE, 403, FROM_THE_PAGE + "\n"),
        ("no", 403, "This link has expired or is incomplete: use the one Farhand printed.\n"),
    ],
)
def test_only_who_is_no_trainee_gets_credentials(client: TestClient, token: str, status: int, text: str) -> None:
    answer = client.get("/masters", headers={"authorization": f"Bearer {token}"})
    assert (answer.status_code, answer.text) == (status, text)


# ── Sockets ──────────────────────────────────────────────────────────────────────────────────────────────────────


def heard(socket: WebSocketTestSession) -> ToPage:
    message: ToPage = msgspec.msgpack.decode(socket.receive_bytes(), type=ToPage)
    return message


@contextmanager
def connected(client: TestClient, state: GatewayState) -> Iterator[WebSocketTestSession]:
    """Open a socket, greet, and wait in the end until the server has noticed that it is closed."""
    with client.websocket_connect("/socket", headers=PAGE) as socket:
        socket.send_bytes(encode(HELLO))
        yield socket
        socket.close()
        assert client.portal
        while state.sockets:
            client.portal.call(asyncio.sleep, 0)


def refusal(client: TestClient, headers: dict[str, str], content: bytes | str | None) -> tuple[Refused, int]:
    """Return with which words and which code a socket is closed."""
    with client.websocket_connect("/socket", headers=headers) as socket:
        if isinstance(content, bytes):
            socket.send_bytes(content)
        elif content is not None:
            socket.send_text(content)
        message = heard(socket)
        assert isinstance(message, Refused)
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_bytes()
    return message, closed.value.code


@pytest.mark.parametrize(
    "headers",
    [
        {"host": HERE, "origin": "http://evil.example"},
        {"host": HERE, "origin": "null"},
        {"host": "evil.example", "origin": "http://evil.example"},
        {"host": HERE, "origin": "http://["},
    ],
)
def test_a_page_from_elsewhere_is_refused_even_with_the_token(client: TestClient, headers: dict[str, str]) -> None:
    message, code = refusal(client, headers, None)
    assert not message.retry
    assert code == 1008


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (encode(msgspec.structs.replace(HELLO, token="guess")), "This link has expired or is incomplete"),
        (encode(msgspec.structs.replace(HELLO, wire="0")), "This page is from another version of Farhand"),
        (encode(Ping(id=1)), "The first message must be a greeting."),
        ("Hello", "The first message must be a greeting."),
        (b"\xc1", "The first message must be a greeting."),
        (bytes(MAX_MESSAGE_BYTES + 1), "The first message must be a greeting."),
    ],
)
def test_a_bad_greeting_is_refused(client: TestClient, content: bytes | str, words: str) -> None:
    message, code = refusal(client, PAGE, content)
    assert message.reason.startswith(words)
    assert not message.retry
    assert code == (close_codes.OUT_OF_DATE if "version" in words else close_codes.NOT_ADMITTED)


def test_a_page_that_does_not_greet_is_let_go(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_socket, "GREETING_S", 0.01)
    message, _ = refusal(client, PAGE, None)
    assert message == Refused(reason="No greeting came.", retry=True, code=close_codes.NO_GREETING)


def test_too_many_pages_are_told_so(client: TestClient, state: GatewayState, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_socket, "MAX_PAGES", 1 + page_socket.KEPT_PLACES)
    with connected(client, state) as socket:
        assert isinstance(heard(socket), Welcome)
        message, _ = refusal(client, PAGE, encode(HELLO))
    assert message == Refused(reason="Too many pages are connected.", retry=True, code=close_codes.FULL)


def test_a_page_is_welcomed_and_goes_on_after_nonsense(client: TestClient, state: GatewayState) -> None:
    with connected(client, state) as socket:
        welcome = heard(socket)
        assert isinstance(welcome, Welcome)
        assert (welcome.name, welcome.version, welcome.cells[0].state) == ("Ada", __version__, "running")
        socket.send_text("nonsense")
        answer = heard(socket)
        assert isinstance(answer, Answer)
        assert answer.text == "Message refused: expected a binary frame, found a text frame."
        socket.send_bytes(encode(Watch(cell=CELL)))
        assert isinstance(heard(socket), Scene)
        assert state.sockets == 1
    assert state.hubs[CELL].viewers == {}
