"""What starts the processes of a server and looks after them."""

import os
import signal
import socket
import stat
from contextlib import ExitStack

import pytest
from servers import wait_until_ended

from farhand.errors import CommandError
from farhand.net.supervisor import NEXT_PORTS, TRIES, _asked_to_end, _Child, listen, private_folder

pytestmark = pytest.mark.live

ENDS = "this"  # a module of Python's own that says a few words and ends


def test_when_many_ports_are_taken_it_says_so() -> None:
    said: list[str] = []
    with ExitStack() as taken:
        first = _row_of_taken_ports(taken)
        with pytest.raises(CommandError) as caught:
            listen("127.0.0.1", first, said.append)
    assert str(caught.value) == f"ports {first} to {first + NEXT_PORTS - 1} are all taken; name another one with --port"
    assert said[0] == f"Port {first} is taken; trying {first + 1}."
    assert len(said) == NEXT_PORTS - 1


def _row_of_taken_ports(taken: ExitStack) -> int:
    """Take a row of ports and return the first one."""
    for first in range(20_000, 60_000, NEXT_PORTS):
        with ExitStack() as row:
            try:
                for port in range(first, first + NEXT_PORTS):
                    sock = row.enter_context(socket.socket())
                    sock.bind(("127.0.0.1", port))
                    sock.listen()
            except OSError:
                continue
            taken.push(row.pop_all())
            return first
    raise AssertionError("no such row")


def test_the_next_free_port_is_taken_and_listens() -> None:
    said: list[str] = []
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with listen("127.0.0.1", port, said.append) as sock, socket.create_connection(sock.getsockname()):
            assert sock.getsockname()[1] > port
    assert said[0] == f"Port {port} is taken; trying {port + 1}."


def test_the_fabric_s_folder_is_ours_alone_and_goes_away() -> None:
    with private_folder() as folder:
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        (folder / "fabric.sock").touch()
    assert not folder.exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_requests_to_end_are_taken_as_a_question(number: signal.Signals) -> None:
    outside = signal.signal(number, signal.default_int_handler)  # whoever runs the tests may ignore it
    try:
        with _asked_to_end() as asked:
            assert not asked()
            os.kill(os.getpid(), number)
            assert asked()
        assert signal.getsignal(number) is signal.default_int_handler
    finally:
        signal.signal(number, outside)


def test_who_was_told_to_outlive_the_terminal_does() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with _asked_to_end() as asked:
            os.kill(os.getpid(), signal.SIGHUP)
            assert not asked()
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_process_that_ends_again_and_again_is_given_up() -> None:
    child = _Child(ENDS, b"")
    for _ in range(TRIES - 1):
        wait_until_ended(child.process.pid)
        assert child.ended() == "ended with code 0"
        assert child.again()
    wait_until_ended(child.process.pid)
    assert child.ended()
    assert not child.again()
    assert child.failed
    assert child.ended() == ""  # said once
    child.tell(b"words to nobody")
    child.end()


def test_what_a_process_must_keep_secret_is_not_in_its_arguments() -> None:
    child = _Child(ENDS, b"{}", secrets={"FARHAND_SECRET": "hush"})
    try:
        assert "hush" not in " ".join(map(str, child.process.args))  # type: ignore[arg-type] # a list
        assert child._environment["FARHAND_SECRET"] == "hush"
        assert "FARHAND_SECRET" not in os.environ
    finally:
        child.end()
