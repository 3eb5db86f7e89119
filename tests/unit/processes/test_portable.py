"""What stands in for Unix where there is none, forced here by the environment."""

import subprocess
import sys
import time
from pathlib import Path

import pytest
from paths import ROBOTS as DATA

from farhand.errors import RobotFileError
from farhand.formats import SizeLimits, read_robot, read_robot_guarded
from farhand.processes.portable import VARIABLE, is_portable
from farhand.processes.worker import Worker
from farhand.server.lifecycle.parent_watch import end_with_parent
from farhand.server.lifecycle.standby import can_fork, with_parent_while_loading
from farhand.server.supervisor.pipe_lines import PipeLines, wait_for_lines

PATIENCE_S = 20.0


@pytest.fixture(autouse=True)
def _portable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "1")


def test_it_is_left_alone_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    assert is_portable()
    monkeypatch.delenv(VARIABLE)
    assert is_portable() == (sys.platform == "win32")


def test_a_robot_is_read_in_a_child_without_limits_of_the_system() -> None:
    assert read_robot_guarded(DATA / "small.urdf") == read_robot(DATA / "small.urdf")


def test_the_limits_on_time_and_on_the_result_remain() -> None:
    with pytest.raises(RobotFileError, match=r"reading it took longer than the limit of 0\.01 s$"):
        read_robot_guarded(DATA / "small.urdf", seconds=0.01)
    with pytest.raises(RobotFileError, match=r"its model is larger than the limit of 0 MB$"):
        read_robot_guarded(DATA / "small.urdf", options=SizeLimits(result_bytes=10))


def test_no_process_forks_and_none_needs_a_signal_while_it_loads() -> None:
    assert not can_fork()
    with with_parent_while_loading():
        pass


def test_a_thread_reads_the_lines_of_a_child() -> None:
    code = "import os, time; os.write(1, b'one\\ntw'); time.sleep(0.1); os.write(1, b'o\\nrest')"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, bufsize=0) as child:
        assert child.stdout
        pipe, found, end = PipeLines(child.stdout), list[bytes](), time.monotonic() + PATIENCE_S
        assert pipe.selectable == -1
        while len(found) < 2 and time.monotonic() < end:
            wait_for_lines([pipe], 0.01)
            found += pipe.take()
        assert found == [b"one", b"two"]
        child.wait(PATIENCE_S)
        pipe.close()
    assert pipe.take() == []


def test_a_worker_works_and_ends_with_its_pipe() -> None:
    worker = Worker(end_with_parent)
    try:
        assert worker.submit(Path, "a").result(PATIENCE_S) == Path("a")
    finally:
        worker.close()
    assert worker.pid is None
