"""The supervisor: it starts the processes of a server and restarts them."""

import os
import signal
import socket
import stat
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

import pytest

from farhand.errors import CommandError
from farhand.server.fabric.folders import private_folder, sweep_folders
from farhand.server.supervisor.child_process import Child
from farhand.server.supervisor.supervisor import MAX_PORTS, _end_requested, listen

ENDS = "this"  # a module of Python's own that says a few words and ends


def test_when_many_ports_are_taken_it_says_so() -> None:
    said: list[str] = []
    with ExitStack() as taken:
        first = _row_of_taken_ports(taken)
        with pytest.raises(CommandError) as caught:
            listen("127.0.0.1", first, said.append)
    last = first + MAX_PORTS - 1
    assert str(caught.value) == f"ports {first} to {last} are all taken; choose another one with --port"
    assert said[0] == f"Port {first} is taken; trying {first + 1}."
    assert len(said) == MAX_PORTS - 1


def _row_of_taken_ports(taken: ExitStack) -> int:
    """Take a row of ports and return the first one."""
    for first in range(20_000, 60_000, MAX_PORTS):
        with ExitStack() as row:
            try:
                for port in range(first, first + MAX_PORTS):
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


LEAVES_ITS_FOLDER = """
import os, signal
from farhand.server.fabric.folders import private_folder
with private_folder() as folder:
    (folder / "fabric.sock").touch()
    print(folder, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_folders_of_killed_supervisors_are_removed_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    run = subprocess.run([sys.executable, "-c", LEAVES_ITS_FOLDER], capture_output=True, text=True, check=False)
    left = Path(run.stdout.strip())
    assert left.is_dir()
    # None of these is a folder that a dead supervisor of ours has left.
    for name in ("farhand-kernels-abc", "farhand-of-before", "elsewhere"):
        (tmp_path / name).mkdir(mode=0o700)
    (tmp_path / "elsewhere" / "supervisor.lock").touch()
    (tmp_path / "farhand-link").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "farhand-open").mkdir(mode=0o755)
    (tmp_path / "farhand-open" / "supervisor.lock").touch()
    (tmp_path / "farhand-file").touch()
    kept = sorted(path.name for path in tmp_path.iterdir() if path != left)
    with private_folder() as folder:  # one supervisor lives
        assert not left.exists()
        with private_folder() as second:  # and another one starts beside it
            assert folder.is_dir()
            assert sweep_folders(tmp_path) == []
            assert second.is_dir()
    assert sorted(path.name for path in tmp_path.iterdir()) == kept


def test_the_folders_of_other_users_are_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "farhand-theirs"
    folder.mkdir(mode=0o700)
    (folder / "supervisor.lock").touch()
    monkeypatch.setattr(os, "getuid", lambda: folder.stat().st_uid + 1)
    assert sweep_folders(tmp_path) == []
    monkeypatch.undo()
    assert sweep_folders(tmp_path) == [folder]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_requests_to_end_are_taken_as_a_question(number: signal.Signals) -> None:
    outside = signal.signal(number, signal.default_int_handler)  # the test runner may ignore the signal
    try:
        with _end_requested() as asked:
            assert not asked()
            os.kill(os.getpid(), number)
            assert asked()
        assert signal.getsignal(number) is signal.default_int_handler
    finally:
        signal.signal(number, outside)


def test_who_was_told_to_outlive_the_terminal_does() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with _end_requested() as asked:
            os.kill(os.getpid(), signal.SIGHUP)
            assert not asked()
    finally:
        signal.signal(signal.SIGHUP, before)


def test_what_a_process_must_keep_secret_is_not_in_its_arguments() -> None:
    child = Child(ENDS, b"{}", secrets={"FARHAND_SECRET": "hush"})
    try:
        assert "hush" not in str(child.process.args)
        assert child._environment["FARHAND_SECRET"] == "hush"
        assert "FARHAND_SECRET" not in os.environ
    finally:
        child.end()
