"""A standby and the processes it forks: real processes, without cells."""

import io
import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from servers import wait_until_ended

from farhand.server.lifecycle import standby
from farhand.server.lifecycle.child_messages import FromChild, GoLive, HeldLease, Retry
from farhand.server.supervisor.child_process import MAX_ENDS, Child

LIVE = """
import os, sys
from farhand.server.lifecycle import standby
from farhand.server.lifecycle.child_messages import HeldLease, Retry, report
standby.LOOK_S = 0.05

def live(word, beat):
    held = word.held[0].client if word.held else ""
    report(HeldLease(cell=str(os.getpid()), robot=str(os.getppid()), client=held, epoch=word.life))
    while select.select([0], [], [], 0.01)[0] == []:
        beat()
    line = sys.stdin.readline()
    report(Retry(line.strip() or "ended in order"))
    return int(line or 0)

import select
sys.exit(standby.go_live(live, spare=SPARE))
"""


@pytest.fixture
def child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[Child]:
    """Return a standby whose live process tells who it is, and ends with the code that it is told."""
    spare = getattr(request, "param", True)
    (tmp_path / "toy.py").write_text(LIVE.replace("SPARE", str(spare)))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    child = Child("toy", b"")
    yield child
    child.end()


def heard(child: Child) -> FromChild:
    """Return the next message."""
    while child.process.poll() is None:
        for message in child.reports():
            return message
        assert select.select([child.output.selectable], [], [], 20.0)[0]
    pytest.fail("the child has ended without a message")


def born(child: Child) -> tuple[int, int, HeldLease]:
    """Return the live process, its parent, and its output."""
    message = heard(child)
    assert isinstance(message, HeldLease)
    return int(message.cell), int(message.robot), message


def end_of(child: Child) -> str:
    """Wait until the supervisor knows that the live process has ended, and return how."""
    while not (how := child.end_reason()):
        assert select.select([child.output.selectable], [], [], 20.0)[0]
        child.reports()
    return how


def test_the_next_process_is_forked_when_the_last_one_has_ended(child: Child) -> None:
    first, parent, told = born(child)
    assert parent == child.process.pid != first
    assert told.epoch == 1
    os.kill(first, signal.SIGKILL)
    assert end_of(child) == "was ended by signal SIGKILL"
    with pytest.raises(ProcessLookupError):
        os.kill(first, 0)  # it was waited for
    held = HeldLease(cell="cell", robot="arm", client="secret")
    assert child.restart((held,))
    second, parent, told = born(child)
    assert parent == child.process.pid  # warm: the same standby
    assert second != first
    assert (told.epoch, told.client) == (2, "secret")
    child.send(b"5")  # no message of ours
    assert heard(child) == Retry("5")  # words go on to the live process
    assert end_of(child) == "ended with code 5"
    assert child.code == 5


def test_a_process_that_gives_no_sign_of_life_is_killed_before_the_next_one_lives(child: Child) -> None:
    first, _, _ = born(child)
    os.kill(first, signal.SIGSTOP)
    assert end_of(child) == "sent no heartbeat for 5 s and was killed"
    assert child.restart()
    assert born(child)[2].epoch == 2
    with pytest.raises(ProcessLookupError):
        os.kill(first, signal.SIGCONT)  # there is nobody left to wake


def test_a_live_process_does_not_outlive_its_standby(child: Child) -> None:
    first, _, _ = born(child)
    os.kill(first, signal.SIGSTOP)  # even one that hears nothing
    child.process.kill()
    assert end_of_process(child) == "was ended by signal SIGKILL"
    assert child.restart()
    wait_until_ended(first, 0.0)  # before the next one was started
    assert born(child)[2].epoch == 2


def end_of_process(child: Child) -> str:
    child.process.wait(20.0)
    return child.end_reason()


def test_closing_ends_the_live_process_in_order(child: Child) -> None:
    first, _, _ = born(child)
    assert child.process.stdin
    child.process.stdin.close()
    assert heard(child) == Retry("ended in order")
    assert child.process.wait(20.0) == 0
    wait_until_ended(first)


def test_a_report_that_nobody_hears_any_more_is_no_error(child: Child, capfd: pytest.CaptureFixture[str]) -> None:
    """A supervisor that ends has closed the pipe; its processes end a little later, and may still report."""
    first, _, _ = born(child)
    assert child.process.stdin
    assert child.process.stdout
    child.process.stdout.close()
    os.kill(first, signal.SIGKILL)  # the standby reports it
    wait_until_ended(first)
    child.process.stdin.close()
    assert child.process.wait(20.0) == 0
    assert capfd.readouterr().err == ""


SUPERVISOR = """
import os, signal, select, sys
from farhand.server.supervisor.child_process import Child
child = Child("toy", b"")
while not (found := child.reports()):
    select.select([child.output.selectable], [], [])
print(child.process.pid, found[0].cell, flush=True)
os.kill(int(found[0].cell), int(sys.argv[1]))
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("number", [signal.SIGCONT, signal.SIGSTOP])
def test_nothing_outlives_a_killed_supervisor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    (tmp_path / "toy.py").write_text(LIVE.replace("SPARE", "True"))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    run = [sys.executable, "-c", SUPERVISOR, str(int(number))]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGKILL
    for pid in done.stdout.split():
        wait_until_ended(int(pid))


@pytest.mark.parametrize("child", [False], indirect=True)
def test_without_a_spare_the_process_lives_itself_and_is_started_afresh(child: Child) -> None:
    first, _, _ = born(child)
    assert first == child.process.pid
    os.kill(first, signal.SIGKILL)
    assert end_of_process(child) == "was ended by signal SIGKILL"
    assert child.restart()
    assert born(child)[0] != first


def test_a_process_that_ends_too_often_is_given_up_for_a_while_and_tried_again(child: Child) -> None:
    for _ in range(MAX_ENDS - 1):
        os.kill(born(child)[0], signal.SIGKILL)
        end_of(child)
        assert child.restart()
    os.kill(born(child)[0], signal.SIGKILL)
    end_of(child)
    assert not child.restart()
    assert child.failed
    assert child.end_reason() == ""  # said once
    child.send(b"words to nobody")
    before = child.process.pid
    child.retry()
    assert born(child)[2].epoch == MAX_ENDS + 1
    assert child.process.pid != before  # from the beginning


def test_only_a_process_with_one_thread_forks() -> None:
    waiting = threading.Event()
    thread = threading.Thread(target=waiting.wait)
    thread.start()
    try:
        assert not standby.can_fork()
    finally:
        waiting.set()
        thread.join()


def test_a_process_that_loads_ends_with_its_parent(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[int] = []
    monkeypatch.setattr(standby, "CHECK_S", 0.01)
    monkeypatch.setattr(os, "_exit", ended.append)
    with stdin_of_ours() as parents_end, standby.with_parent_while_loading():
        assert not ended
        os.close(parents_end)
        while not ended:
            pass
    assert ended[0] == standby.PARENT_LOST_CODE
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0.0


@contextmanager
def stdin_of_ours() -> Iterator[int]:
    """Put a pipe in the place of standard input, and yield its other end."""
    before = os.dup(0)
    ours, parents = os.pipe()
    os.dup2(ours, 0)
    os.close(ours)
    try:
        yield parents
    finally:
        os.dup2(before, 0)
        os.close(before)


def test_going_live_without_a_parent_is_over_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())

    def live(word: GoLive, beat: standby.Heartbeat) -> int:
        raise AssertionError

    assert standby.go_live(live, spare=False) == standby.PARENT_LOST_CODE
