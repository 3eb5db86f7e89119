"""A master in one process, its robot in another: real processes over a real link that is cut, frozen and mended.

What the robot does is read in the cell's own time, as `test_live_faults` does; what the master is told, in wall time.
"""

import os
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from cable import Cable
from servers import LiveServer, Onlooker, Story, free_port

from farhand.cli.join import make_master
from farhand.client.client import Client
from farhand.client.connection import LinkError, MasterConnection, fetch_credentials
from farhand.client.joining import STALE_S, join
from farhand.errors import CommandError, FarhandError
from farhand.masters import Modelled
from farhand.poses import Pose
from farhand.server.protocol.messages import Ask, Leases, Release, Update, Watch
from farhand.types import Feedback, Reading, Reset, SelectMapping, Stop

CELL = "irb120-remote"
PATIENCE = 60.0  # seconds; a process that starts on a busy machine takes its time
ATTEMPTS = 10  # at scenes that a busy machine can spoil
RATE = 500.0  # steps a second of a master
OWN = """
from farhand.masters import MASTERS
from farhand.types import Reading

class Steady:
    def step(self, feedback, now):
        up = (0.0, 0.0, 0.1 if now % 4.0 < 2.0 else -0.1)
        return Reading(deadman=now % 1.0 > 0.2, axes=up, presses={"reset": int(now)})

@MASTERS.register("steady")
def make(table, folder):
    "Goes up and down."
    return Steady()
"""


class Hand:
    """A master of this process, on a thread of its own: tests set its readings, and it keeps its feedback."""

    def __init__(self, address: str, master_address: tuple[str, int] | None = None, *, reset: bool = False) -> None:
        self.reading, self.told, self.said = Reading(), list[tuple[float, Feedback]](), list[str]()
        self.problem: FarhandError | None = None
        self.presses = 0
        self._ended, self._reset = False, reset
        self._thread = threading.Thread(target=self._join, args=(address, master_address))
        self._thread.start()

    def _join(self, address: str, master_address: tuple[str, int] | None) -> None:
        try:
            join(
                address,
                self,
                name="Hand",
                master_address=master_address,
                reset=self._reset,
                ended=lambda: self._ended,
                say=self.said.append,
            )
        except FarhandError as error:
            self.problem = error

    def step(self, feedback: Feedback, now: float) -> Reading:
        del now
        self.told.append((time.monotonic(), feedback))
        return self.reading

    def wait(self, true: Callable[[Feedback], bool], timeout: float = PATIENCE) -> tuple[float, Feedback]:
        """Return the next feedback that meets a condition, and the time at which it came."""
        end, place = time.monotonic() + timeout, len(self.told)
        while time.monotonic() < end:
            for when, feedback in self.told[place:]:
                if true(feedback):
                    return when, feedback
            threading.Event().wait(0.002)
        raise AssertionError("the master was not told so")

    def driven(self) -> int:
        """Return the last tick of which the hand knows that it drove."""
        return next(feedback.tick for _, feedback in reversed(self.told) if feedback.driving)

    def press_until_said(self, text: str, **reading: object) -> None:
        """Press the deadman again and again until a sentence about it comes."""
        for _ in range(ATTEMPTS):
            self.reading = Reading()
            self.wait_ticks(50)
            self.reading = Reading(deadman=True, **reading)  # type: ignore[arg-type]
            with suppress(AssertionError):
                self.wait_said(text, timeout=PATIENCE / ATTEMPTS)
                return
        raise AssertionError(f"{text!r} was not said: {self.said}")

    def wait_ticks(self, count: int) -> None:
        """Wait until the cell has gone on by so many ticks."""
        now = self.told[-1][1].tick
        self.wait(lambda feedback: feedback.tick > now + count)

    def wait_said(self, *texts: str, timeout: float = PATIENCE) -> None:
        """Wait until one of these texts is said."""
        end = time.monotonic() + timeout
        while not any(text in line for line in self.said for text in texts):
            assert time.monotonic() < end, f"none of {texts} was said: {self.said}"
            threading.Event().wait(0.01)

    def drive(self, **reading: object) -> None:
        """Press the deadman afresh until the robot follows, as a person does whose first press was not heard."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            self.presses += 1  # a latched stop needs it, and nothing else minds
            self.reading = Reading(presses={"reset": self.presses})
            self.wait(lambda f: f.tick > 0 and not f.driving)
            self.wait_ticks(25)
            self.reading = Reading(deadman=True, presses={"reset": self.presses}, **reading)  # type: ignore[arg-type]
            with suppress(AssertionError):
                self.wait(lambda f: f.driving, 1.0)
                return
        raise AssertionError("the robot does not follow")

    def __enter__(self) -> "Hand":
        return self

    def __exit__(self, *error: object) -> None:
        self._ended = True
        self._thread.join(PATIENCE)


@pytest.fixture(scope="module")
def server() -> Iterator[LiveServer]:
    with LiveServer(CELL, "--master-port", str(free_port())) as server:
        yield server


@pytest.fixture
def onlooker(server: LiveServer) -> Iterator[Onlooker]:
    with Onlooker(server.address, watch=CELL) as onlooker:
        yield onlooker


def make_drivable(server: LiveServer, mapping: str) -> None:
    """Reset the arm and choose its control mode, as an operator at the page would."""
    with Client(server.address, watch=CELL) as page:
        page.take_control()
        page.command(Reset("arm"))
        assert page.command(SelectMapping("arm", mapping)).ok
        page.send(Release(robot="arm"))
        page.wait(Leases, lambda m: m.robots[0].holder is None)


def epoch(onlooker: Onlooker, since: int = 0, beyond: int = 0) -> int:
    """Return a lease of the arm with a holder, newer than the given epoch."""
    _, leases = onlooker.wait(
        Leases,
        lambda m: m.robots[0].holder is not None and m.robots[0].present and m.robots[0].epoch > beyond,
        since,
        timeout=PATIENCE,
    )
    return leases.robots[0].epoch


def reach(update: Update) -> float:
    return float(struct.unpack_from("<f", update.robots[0].tip)[0])


def test_a_hand_elsewhere_drives_the_arm_and_feels_what_it_presses_on(server: LiveServer) -> None:
    make_drivable(server, "clutch")
    with Onlooker(server.address, watch=CELL) as onlooker, Hand(server.address) as hand:
        hand.drive(pose=Pose((0.0, 0.0, 0.0)))
        assert epoch(onlooker) > 0
        start = reach(onlooker.all(Update)[-1])
        assert any(pushes(hand) for _ in range(ATTEMPTS))
        assert reach(onlooker.all(Update)[-1]) - start > 0.005
        hand.reading = Reading()
        hand.wait(lambda f: not f.driving and f.felt.force == (0.0, 0.0, 0.0))
    assert hand.said[0] == "You control arm. Press the deadman to drive."
    assert hand.problem is None


def pushes(hand: Hand) -> bool:
    """Push forward, 1 mm at a time, until the arm pushes back; return False where a busy machine has stopped it."""
    hand.drive(pose=Pose((0.0, 0.0, 0.0)))
    for i in range(200):
        hand.reading = Reading(deadman=True, presses=hand.reading.presses, pose=Pose((1e-3 * i, 0.0, 0.0)))
        _, feedback = hand.wait(lambda _: True)
        if not feedback.driving:
            return False
        if feedback.felt.force[0] < -0.5:
            return True
        hand.wait_ticks(10)
    return False


def test_readings_and_feedback_go_at_the_full_rate(server: LiveServer) -> None:
    make_drivable(server, "hold a key")
    with Hand(server.address) as hand:
        hand.drive(axes=(0.0, 0.0, 0.0))
        end, share = time.monotonic() + PATIENCE, 0.0
        while share < 0.5 and time.monotonic() < end:  # a busy machine may leave some out, a slow link would always
            first = len(hand.told)
            hand.wait_ticks(250)
            ticks = [feedback.tick for _, feedback in hand.told[first:]]
            share = len(set(ticks)) / (ticks[-1] - ticks[0])
        assert share > 0.5


@pytest.mark.parametrize("way", ["cut", "silence"])
def test_a_broken_link_is_noticed_at_both_ends_and_made_anew(way: str, server: LiveServer) -> None:
    make_drivable(server, "hold a key")
    port = fetch_credentials(server.address)[1].port
    with (
        Cable(f"http://127.0.0.1:{port}/") as cable,
        Onlooker(server.address, watch=CELL) as onlooker,
        Hand(server.address, ("127.0.0.1", int(cable.address.split(":")[2].strip("/")))) as hand,
    ):
        since = onlooker.mark()
        hand.drive(axes=(0.0, 0.0, 0.2))
        before, driven, place = epoch(onlooker), hand.driven(), len(hand.told)
        getattr(cable, way)()
        hand.wait(lambda f: not f.driving)
        assert sum(feedback.driving for _, feedback in hand.told[place:]) <= 2.0 * STALE_S * RATE
        Story(onlooker, since, driven).check()
        onlooker.wait(Leases, lambda m: not m.robots[0].present or m.robots[0].holder is None, since, timeout=PATIENCE)
        hand.wait_said("The connection is lost. Trying again.")
        since = onlooker.mark()
        cable.mend()
        assert epoch(onlooker, since, before) > before
        # The deadman is held all the while: nothing moves until it is released and pressed again.
        hand.wait(lambda f: f.tick > 0)
        tick = hand.told[-1][1].tick
        hand.wait_ticks(100)
        assert not any(feedback.driving for _, feedback in hand.told if feedback.tick > tick)
        hand.drive(axes=(0.0, 0.0, -0.2))


def test_a_stopped_arm_is_reset_by_whom_asks_for_it_and_by_no_reconnection(server: LiveServer) -> None:
    make_drivable(server, "hold a key")
    with Client(server.address, watch=CELL) as page:
        assert page.command(Stop()).ok
    with Hand(server.address) as hand:  # comes without --reset
        hand.wait_said("You control arm.")
        hand.press_until_said("arm is stopped. Press reset first", axes=(0.0, 0.0, 0.1))
        assert not any(feedback.driving for _, feedback in hand.told)
    assert any(resets_once(server) for _ in range(ATTEMPTS))
    make_drivable(server, "hold a key")


def resets_once(server: LiveServer) -> bool:
    """Join with a reset and check that it does not undo a later stop; return False where the arm was not driven."""
    with Hand(server.address, reset=True) as hand:
        hand.reading = Reading(deadman=True, axes=(0.0, 0.0, 0.1))  # held from the start: it counts after the reset
        with suppress(AssertionError):
            hand.wait(lambda f: f.driving, PATIENCE / ATTEMPTS)
        driven = any(feedback.driving for _, feedback in hand.told)
        with Client(server.address, watch=CELL) as page:
            assert page.command(Stop()).ok
        hand.wait(lambda f: not f.driving)
        tick = hand.told[-1][1].tick
        hand.press_until_said("arm is stopped. Press reset first", axes=(0.0, 0.0, 0.1))  # once is once
        assert not any(feedback.driving for _, feedback in hand.told if feedback.tick > tick)
        return driven


def joined(server: LiveServer, folder: Path) -> subprocess.Popen[str]:
    (folder / "own.py").write_text(OWN)
    command = [sys.executable, "-m", "farhand.cli", "join", server.address, "--master", str(folder / "own.py")]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def test_a_master_that_freezes_or_is_killed_stops_the_arm_and_comes_back_anew(
    server: LiveServer, onlooker: Onlooker, tmp_path: Path
) -> None:
    make_drivable(server, "hold a key")
    since = onlooker.mark()
    process = joined(server, tmp_path)
    try:
        onlooker.wait(Update, lambda u: u.robots[0].mode == "teleoperation", since, timeout=PATIENCE)
        first, since = epoch(onlooker, since), onlooker.mark()
        driven = freeze_while_driving(process.pid, onlooker)
        try:
            Story(onlooker, since, driven).check()
            onlooker.wait(
                Leases, lambda m: not m.robots[0].present or m.robots[0].holder is None, since, timeout=PATIENCE
            )
        finally:
            os.kill(process.pid, signal.SIGCONT)
        second, since = epoch(onlooker, since, first), onlooker.mark()
        onlooker.wait(Update, lambda u: u.robots[0].mode == "teleoperation", since, timeout=PATIENCE)
        process.kill()
        process.communicate()
        process = joined(server, tmp_path)  # a new one takes over from one that has gone
        third = epoch(onlooker, since, second)
        assert third > second > first
        onlooker.wait(Update, lambda u: u.robots[0].mode == "teleoperation", onlooker.mark(), timeout=PATIENCE)
        since = onlooker.mark()
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=PATIENCE)
        assert process.returncode == 130
        assert "You control arm." in out
        onlooker.wait(Leases, lambda m: m.robots[0].holder is None, since, timeout=PATIENCE)
    finally:
        process.kill()
        process.communicate()


def freeze_while_driving(pid: int, onlooker: Onlooker) -> int:
    """Freeze a master while it holds its deadman, which it does most of the time; return a tick before that."""
    for _ in range(ATTEMPTS):
        since = onlooker.mark()
        _, update = onlooker.wait(Update, lambda u: u.robots[0].mode == "teleoperation", since, timeout=PATIENCE)
        os.kill(pid, signal.SIGSTOP)
        since, driven = onlooker.mark(), update.tick
        _, update = onlooker.wait(Update, lambda u: u.robots[0].mode != "teleoperation", since)
        if update.robots[0].mode != "idle":
            return driven
        os.kill(pid, signal.SIGCONT)
    raise AssertionError("the master was never frozen while it drove")


@pytest.mark.parametrize("which", ["cell", "gateway"])
def test_a_server_that_starts_anew_gets_its_master_back(which: str, server: LiveServer) -> None:
    make_drivable(server, "hold a key")
    with Hand(server.address) as hand:
        hand.drive(axes=(0.0, 0.0, 0.2))
        os.kill(server.gateway if which == "gateway" else server.cell(CELL), signal.SIGKILL)
        hand.wait(lambda f: not f.driving)
        # One whose own process had no time for a second knows only that the link was lost.
        hand.wait_said("Trying again.", *(["It restarts."] if which == "cell" else []))
        hand.reading = Reading()
        hand.wait(lambda f: f.tick > 0, timeout=60.0)
        assert hand.problem is None
    make_drivable(server, "hold a key")


def test_a_hand_over_leaves_nobody_without_an_answer(server: LiveServer, onlooker: Onlooker) -> None:
    make_drivable(server, "hold a key")
    with Hand(server.address) as hand:
        hand.drive(axes=(0.0, 0.0, 0.1))
        with Client(server.address, watch=CELL, name="Someone") as page:
            since = onlooker.mark()
            hand.reading = Reading()  # who is not driving hands over at once
            page.take_control()
            hand.wait_said("Someone controls arm")
            hand.reading = Reading(deadman=True)  # who presses asks
            onlooker.wait(Leases, lambda m: bool(m.robots[0].askers), since, timeout=PATIENCE)


@pytest.mark.parametrize(
    ("address", "error", "text"),
    [
        ("127.0.0.1:8090", CommandError, "expected the link that farhand run prints"),
        ("http://127.0.0.1:8090/", CommandError, "expected the link that farhand run prints"),
        ("http://127.0.0.1:99999/#token=x", CommandError, "expected the link that farhand run prints"),
        ("http://127.0.0.1:9/#token=x", LinkError, "No server answers at 127.0.0.1:9"),
    ],
)
def test_a_wrong_address_is_said(address: str, error: type[FarhandError], text: str) -> None:
    with pytest.raises(error, match=text):
        fetch_credentials(address)


def test_a_wrong_token_or_robot_is_said(server: LiveServer) -> None:
    with pytest.raises(CommandError, match="expired or is incomplete"):
        fetch_credentials(server.address[:-2] + "xx")
    with pytest.raises(FarhandError, match=r"no robot is called 'arn' \(did you mean 'arm'\?\)"):
        join(server.address, make_master("manual"), robot="arn", say=lambda _: None)
    with pytest.raises(FarhandError, match="no cell is called 'irb'"):
        join(server.address, make_master("manual"), cell="irb", say=lambda _: None)


def test_masters_are_named_by_kind_by_device_or_by_file(tmp_path: Path) -> None:
    delta = make_master("delta")
    assert isinstance(delta, Modelled)
    assert delta.device.name == "delta"
    (tmp_path / "own.toml").write_text('kind = "modelled"\ndevice = "touch"\nintent = { kind = "manual" }\n')
    assert isinstance(make_master(str(tmp_path / "own.toml")), Modelled)
    (tmp_path / "bad.toml").write_text('kind = "modelt"\n')
    with pytest.raises(FarhandError, match=r"bad\.toml: kind: found 'modelt', expected one of"):
        make_master(str(tmp_path / "bad.toml"))
    (tmp_path / "none.py").write_text("x = 1\n")
    with pytest.raises(FarhandError, match="registers no master"):
        make_master(str(tmp_path / "none.py"))
    (tmp_path / "broken.py").write_text("1 / 0\n")
    with pytest.raises(FarhandError, match="does not run: ZeroDivisionError"):
        make_master(str(tmp_path / "broken.py"))
    with pytest.raises(FarhandError, match=r"no master is called 'tuch' \(did you mean 'touch'\?\)"):
        make_master("tuch")
    with pytest.raises(FarhandError, match="modelled needs settings"):
        make_master("modelled")


def go_on_after_silence(way: MasterConnection) -> None:
    """Say nothing until one is forgotten, then go on as if nothing had been."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        while time.monotonic() - way.heard < 2.0:
            way.next()
            threading.Event().wait(0.05)
        way.send(Ask(robot="arm"))
        threading.Event().wait(0.05)
        way.next()


def test_who_goes_on_after_it_was_let_go_is_told_to_come_anew(server: LiveServer) -> None:
    """A master that was frozen does not know that it was disconnected, and may find its session still open."""
    with MasterConnection(server.address, "a-client-that-was-frozen", "Frozen") as way:
        way.send(Watch(cell=CELL))
        with pytest.raises(LinkError, match="no message from this master for too long"):
            go_on_after_silence(way)
