"""The fabric of one server: a Unix socket where there are any, else loopback TCP that is closed without its secret."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import zenoh

from farhand.processes.portable import VARIABLE
from farhand.server.fabric import sessions
from farhand.server.fabric.address import MAX_SOCKET_BYTES, FabricAddress, choose_address, read_address
from farhand.server.fabric.folders import private_folder
from farhand.server.fabric.typed_channel import TypedChannel

PATIENCE_S = 20.0
QUIET_S = 0.3  # in which a message would have come
SECRET = 32  # bytes


@pytest.fixture(autouse=True)
def _unmarked() -> Iterator[None]:
    yield
    TypedChannel.secret = b""


@pytest.fixture
def sessions_by(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Any]]:
    """Open sessions of a fabric over TCP that are closed after the test: the gateway's or a cell's."""
    monkeypatch.setenv(VARIABLE, "1")
    choose_address(tmp_path)
    with ExitStack() as closing:

        def opened(end: str) -> Any:
            session = sessions.open_fabric(tmp_path, listen=end == "gateway")
            closing.callback(session.close)
            return session

        yield opened


def test_a_private_folder_has_a_unix_socket_where_there_are_any() -> None:
    with private_folder() as folder:
        assert read_address(folder) == FabricAddress(
            f"unixsock-stream/{folder}/fabric.sock", recorder=f"unixsock-stream/{folder}/record.sock"
        )


def test_a_path_that_is_too_long_for_a_socket_is_left_for_tcp(tmp_path: Path) -> None:
    room = MAX_SOCKET_BYTES - len(str(tmp_path)) - len("/") - len("/fabric.sock")
    fits, too_long = tmp_path / ("a" * room), tmp_path / ("a" * (room + 1))
    for folder, transport in ((fits, "unixsock-stream"), (too_long, "tcp")):
        folder.mkdir()
        assert choose_address(folder).endpoint.partition("/")[0] == transport


def test_the_secret_of_tcp_is_random_and_only_its_owner_may_read_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "1")
    first, second = choose_address(tmp_path), choose_address(tmp_path)
    assert first.endpoint.startswith("tcp/127.0.0.1:")
    assert len(bytes.fromhex(first.secret)) == SECRET
    assert first.secret != second.secret
    assert (tmp_path / "fabric.json").stat().st_mode & 0o777 == 0o600


def test_a_cell_and_its_gateway_talk_over_tcp(sessions_by: Callable[[str], Any]) -> None:
    gateway, heard = sessions_by("gateway"), list[bytes]()
    subscriber = gateway.declare_subscriber("farhand/**", lambda sample: heard.append(sample.payload.to_bytes()))
    cell, end = sessions_by("cell"), time.monotonic() + PATIENCE_S
    while not heard and time.monotonic() < end:
        cell.put("farhand/cell/a/frame", b"frame")
        time.sleep(0.02)
    assert set(heard) == {b"frame"}
    subscriber.undeclare()


@pytest.mark.parametrize("login", [None, ("cells", "wrong"), ("gateway", ""), ("root", "")])
def test_a_stranger_at_the_port_is_rejected_and_neither_hears_nor_says_anything(
    login: tuple[str, str] | None, tmp_path: Path, sessions_by: Callable[[str], Any]
) -> None:
    gateway, heard, overheard = sessions_by("gateway"), list[str](), list[Any]()
    kept = gateway.declare_subscriber("**", lambda sample: heard.append(str(sample.key_expr)))
    auth = {"usrpwd": {"user": login[0], "password": login[1] or read_address(tmp_path).secret}} if login else {}
    endpoint = read_address(tmp_path).endpoint
    # One that gives up at once, and one that keeps trying.
    with pytest.raises(zenoh.ZError):
        _stranger(endpoint, auth, wait_ms=300)
    with _stranger(endpoint, auth, wait_ms=-1) as stranger:
        listening = stranger.declare_subscriber(
            "farhand/cell/a/frame", lambda sample: overheard.append(str(sample.key_expr))
        )
        for _ in range(10):
            stranger.put("farhand/cell/a/order", b"go")
            gateway.put("farhand/cell/a/frame", b"frame")
            time.sleep(QUIET_S / 10)
        listening.undeclare()
    assert (heard, overheard) == (["farhand/cell/a/frame"] * 10, [])
    kept.undeclare()


def _stranger(endpoint: str, auth: dict[str, Any], wait_ms: int) -> Any:
    config = {
        "mode": "peer",
        "scouting": {"multicast": {"enabled": False}},
        "connect": {"endpoints": [endpoint], "timeout_ms": wait_ms, "exit_on_failure": wait_ms > 0},
        "transport": {"auth": auth},
    }
    return zenoh.open(zenoh.Config.from_json5(json.dumps(config)))


def test_a_gateway_without_the_secret_cannot_order_a_cell() -> None:
    """A program may take the port while the gateway is down: cells connect to it, and drop all that it sends."""
    TypedChannel.secret = bytes(range(SECRET))
    real = TypedChannel("order", int)
    TypedChannel.secret = b""
    false = TypedChannel("order", int)
    assert real.read(real.written(3)) == 3
    assert real.read(false.written(3)) is None
    assert (real.dropped, real.outdated) == (1, 0)
