"""Whatever breaks between the hand and the robot, the robot pauses and stops by the cell's own clock: real processes.

Wall time is what a busy machine makes of it; the cell's time is exact. Ages, pauses and stops are read in that: from
the ticks of updates and from the log.
"""

import math
import os
import re
import signal
import socket
import struct
from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import pairwise

import msgspec
import pytest
from servers import (
    DT,
    PAUSE,
    SLACK,
    STOP,
    LiveServer,
    Onlooker,
    Story,
    drive_until,
    make_ready,
    tick_of,
    turned,
)

from farhand.client.client import Client
from farhand.server.protocol.messages import FromPage, Hand, Listen, RobotUpdate, Signals, Update
from farhand.types import Mode, Reading, SelectMapping, Stop

ATTEMPTS = 5  # at scenes that a busy machine can spoil
CLIENT = "driver-of-the-fault-tests"  # one page for all tests here: its control stays with it
TURN = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
SET_POINT = "arm/joint 1/set-point"
TRIES = 5  # of a scene that a busy machine can spoil


@pytest.fixture(scope="module")
def server() -> Iterator[LiveServer]:
    # Without standbys: they would replace a process that is frozen for 5 s, as it may be here on a busy machine.
    with LiveServer("irb120", "--no-spare") as server:
        yield server


@pytest.fixture
def driver(server: LiveServer) -> Iterator[Client]:
    with Client(server.address, name="Driver", client=CLIENT) as driver:
        make_ready(driver)
        assert driver.command(SelectMapping("arm", "joints")).ok
        yield driver


@pytest.fixture
def onlooker(server: LiveServer) -> Iterator[Onlooker]:
    with Onlooker(server.address) as onlooker:
        yield onlooker


def start_moving(driver: Client) -> int:
    """Drive until the arm turns, away from the nearer end of its range; return a tick in which it is driven."""
    assert driver.update
    begin = turned(driver.update)
    return drive_until(driver, lambda u: abs(turned(u) - begin) > 0.02, direction(driver)).tick


def direction(driver: Client) -> tuple[float, ...]:
    assert driver.update
    return TURN if turned(driver.update) < 0.0 else (-1.0, *TURN[1:])


def cut(driver: Client) -> None:
    """End a connection as a pulled plug does: without a word."""
    raw = driver._socket.socket
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    raw.shutdown(socket.SHUT_RDWR)


def hear_all(driver: Client) -> None:
    """Take all messages that have come, and those that come within a frame period."""
    with suppress(TimeoutError):
        while True:
            driver.receive(0.016)


def test_a_connection_that_breaks_pauses_and_stops_the_arm(driver: Client, onlooker: Onlooker) -> None:
    since = onlooker.mark()
    driven = start_moving(driver)
    cut(driver)
    story = Story(onlooker, since, driven)
    story.check()
    story.check_rest(onlooker)
    assert abs(story.stopped.robots[0].heard - driver._sequence) <= 2  # nothing but the break ended the readings


def test_a_page_that_freezes_pauses_and_stops_the_arm(driver: Client, onlooker: Onlooker) -> None:
    since = onlooker.mark()
    driven = start_moving(driver)
    story = Story(onlooker, since, driven)  # the driver sends no more, its socket stays
    story.check()
    story.check_rest(onlooker)
    assert story.stopped.robots[0].heard == driver._sequence
    driver.ping()
    assert driver.lease().holder == driver.number


def test_a_gateway_that_stalls_pauses_and_stops_the_arm(server: LiveServer, driver: Client, onlooker: Onlooker) -> None:
    since = onlooker.mark()
    driven = start_moving(driver)
    assert driver.update
    gateway, seen = server.gateway, driver.update.tick
    os.kill(gateway, signal.SIGSTOP)
    try:
        for _ in range(120):  # the page continues for two seconds and echoes its newest tick
            driver.send_reading(deadman=True, axes=TURN)
            hear_all(driver)
            seen = driver.update.tick
    finally:
        os.kill(gateway, signal.SIGCONT)
    stopped = onlooker.entry("mode.stopped", since, driven)
    stop = tick_of(stopped)
    pause = max(tick_of(e) for e in onlooker.log(since) if e.code == "mode.paused" and tick_of(e) <= stop)
    assert pause - (seen + 1 + PAUSE) <= SLACK
    assert stop - pause - STOP <= SLACK
    assert stopped.text == "Stopped: no input for over 1 s."
    # The readings queued in the gateway reach the cell now, with the deadman held: they start no motion.
    driver.ping()
    driver.ping()
    _, rest = onlooker.wait(Update, lambda u: u.tick > stop + 50, since)
    _, later = onlooker.wait(Update, lambda u: u.tick > rest.tick + 100, since)
    assert {u.robots[0].mode for u in onlooker.all(Update, since) if u.tick > stop} == {"stopped"}
    assert turned(later) == pytest.approx(turned(rest), abs=1e-3)


def test_a_cell_that_freezes_while_its_operator_drives_on_goes_on(
    server: LiveServer, driver: Client, onlooker: Onlooker
) -> None:
    for _ in range(TRIES):
        since = onlooker.mark()
        if _drive_through_a_freeze(driver, server.cell()) == "teleoperation":
            break
        # This machine kept readings from the gateway for 0.1 s meanwhile: then a stop is right, for that reason alone.
        assert re.fullmatch(r"Stopped: (this computer was too busy|no input) .*", _stopped(onlooker, since))
        make_ready(driver)
    else:
        pytest.fail(f"the operator was there all along, and the arm stopped {TRIES} times of {TRIES}")
    paused = onlooker.entry("mode.paused", since)
    assert paused.text.startswith("Paused: this computer was too busy for ")
    assert not [entry for entry in onlooker.log(since) if entry.code == "mode.stopped"]


def _drive_through_a_freeze(driver: Client, cell: int) -> Mode:
    """Drive while the cell stands still for longer than a pause may last; return the mode after it."""
    start_moving(driver)
    assert driver.update
    axes = direction(driver)
    os.kill(cell, signal.SIGSTOP)
    try:
        for _ in range(100):
            driver.send_reading(deadman=True, axes=axes)
            hear_all(driver)
    finally:
        os.kill(cell, signal.SIGCONT)
    seen = driver.update.tick
    while driver.update.tick <= seen or driver.robot().mode == "paused":  # the same press all along
        driver.send_reading(deadman=True, axes=axes)
        hear_all(driver)
    return driver.robot().mode


def _stopped(onlooker: Onlooker, since: int) -> str:
    return onlooker.entry("mode.stopped", since).text


def test_a_cell_that_freezes_with_its_operator_stops_the_arm_and_a_stop_reaches_it(
    server: LiveServer, driver: Client, onlooker: Onlooker
) -> None:
    """Both are frozen while the arm is driven; when the cell goes on, all that was held before moves nothing."""
    since = onlooker.mark()
    driven = start_moving(driver)
    cell = server.cell()
    os.kill(cell, signal.SIGSTOP)
    try:
        for _ in range(150):
            hear_all(driver)
    finally:
        os.kill(cell, signal.SIGCONT)
    stopped = onlooker.entry("mode.stopped", since, driven)
    assert stopped.text == "Stopped: no input for over 1 s."
    _, rest = onlooker.wait(Update, lambda u: u.time > stopped.time + 0.2, since)
    _, later = onlooker.wait(Update, lambda u: u.tick > rest.tick + 100, since)
    assert later.robots[0].mode == "stopped"
    assert turned(later) == pytest.approx(turned(rest), abs=1e-3)
    # Likewise a stop that is pressed while the cell hears nothing, for longer than anybody waits for its answer.
    make_ready(driver)
    since = onlooker.mark()
    os.kill(cell, signal.SIGSTOP)
    try:
        answer = driver.command(Stop())
    finally:
        os.kill(cell, signal.SIGCONT)
    assert answer.text == "The cell does not answer."
    onlooker.wait(Update, lambda u: u.robots[0].mode == "stopped", since)


def test_readings_from_a_steady_queue_do_not_count_as_fresh(driver: Client, onlooker: Onlooker) -> None:
    for _ in range(ATTEMPTS):
        heard, paused = _from_a_queue(driver, onlooker)
        if heard > 10 and paused > 10:  # they came in all the while, and the onlooker saw it
            return
    raise AssertionError("this machine is too busy for readings to come in steadily")


def _from_a_queue(driver: Client, onlooker: Onlooker) -> tuple[int, int]:
    """Drive, then go on with readings out of a queue; return how many of them came in, and updates of the pause."""
    since = onlooker.mark()
    make_ready(driver)
    driven = start_moving(driver)
    assert driver.update
    before = driver.robot().heard
    old = 150  # ticks: 0.3 s on the way, as steady as can be
    while driver.robot().mode != "stopped":
        driver.send_reading(deadman=True, axes=TURN, tick=driver.update.tick - old)
        driver.wait(Update)
    story = Story(onlooker, since, driven)
    assert all(u.robots[0].age >= 100 for u in story.paused)
    assert story.stop_tick - STOP <= story.pause_tick + SLACK
    return driver.robot().heard - before, len(story.paused)


def test_a_press_out_of_a_queue_starts_nothing(driver: Client, onlooker: Onlooker) -> None:
    assert driver.update
    since, end = onlooker.mark(), driver.update.tick + 250
    driver.presses += 1
    while driver.update.tick < end:
        driver.send_reading(deadman=True, axes=TURN, tick=max(0, driver.update.tick - 150))
        driver.wait(Update)
    assert {u.robots[0].mode for u in onlooker.all(Update, since)} == {"idle"}


class Tape(Client):
    """A page that keeps its readings as they were sent."""

    def __init__(self, address: str, client: str) -> None:
        self.readings: list[bytes] = []
        super().__init__(address, name="Driver", client=client)

    def send(self, message: FromPage) -> None:
        if isinstance(message, Hand):
            self.readings.append(msgspec.msgpack.encode(message))
        super().send(message)


def test_replayed_readings_are_refused(server: LiveServer, onlooker: Onlooker) -> None:
    with closing(Tape(server.address, CLIENT)) as driver:
        make_ready(driver)
        start_moving(driver)
        driver.release_deadman()
        driver.wait(Update, lambda u: u.robots[0].mode == "idle")
        driver.ping()
        heard, since, tape = driver._sequence, onlooker.mark(), list(driver.readings)
        assert any(msgspec.msgpack.decode(reading, type=Hand).reading.deadman for reading in tape)
        for reading in tape:
            driver.send_raw(reading)
            driver.wait(Update)
        assert driver.robot().heard <= heard
        assert onlooker.entry("lane.reading", since).text.startswith("A reading was refused: it is old, repeated")
        assert {u.robots[0].mode for u in onlooker.all(Update, since)} == {"idle"}
        # Replaying does not keep a driven arm going either.
        since = onlooker.mark()
        driven = start_moving(driver)
        tape = driver.readings[-20:]
        while driver.robot().mode != "stopped":
            for reading in tape:
                driver.send_raw(reading)
            driver.wait(Update)
        Story(onlooker, since, driven).check()


def test_reordered_readings_never_go_back(driver: Client, onlooker: Onlooker) -> None:
    driver.presses += 1
    assert driver.update
    since, first, heard = onlooker.mark(), driver._sequence, []
    for i in range(30):
        newest = first + 10 * (i + 1)
        driver.send_reading(sequence=newest)
        for back in (3, 1, 2, 9):
            driver.send_reading(deadman=True, axes=TURN, sequence=newest - back)
        driver.wait(Update)
        heard.append(driver.robot().heard)
    driver._sequence = first + 10 * 31
    assert heard == sorted(heard)
    modes = {u.robots[0].mode for u in onlooker.all(Update, since)}
    assert modes == {"idle"}


def test_readings_without_the_lease_go_nowhere(server: LiveServer, driver: Client, onlooker: Onlooker) -> None:
    with Client(server.address, name="Stranger") as stranger:
        driver.ping()
        assert driver.update
        since, heard, place = onlooker.mark(), driver.robot().heard, turned(driver.update)
        reading = Reading(epoch=driver.lease().epoch, deadman=True, axes=TURN, presses={"deadman": 99})
        for i in range(60):
            assert stranger.update
            fields = {"sequence": heard + 1000 + i, "tick": stranger.update.tick}
            stranger.send(Hand(robot="arm", reading=msgspec.structs.replace(reading, **fields)))
            stranger.wait(Update)
        stranger.ping()
        driver.ping()
        assert driver.robot().heard <= driver._sequence
        assert turned(driver.update) == pytest.approx(place, abs=1e-4)
        assert {u.robots[0].mode for u in onlooker.all(Update, since)} == {"idle"}


@pytest.mark.parametrize("axis", [math.nan, math.inf, 1.5])
def test_an_axis_that_is_no_deflection_stops_the_arm(driver: Client, onlooker: Onlooker, axis: float) -> None:
    since, driven = _send_an_axis(driver, onlooker, axis)
    driver.ping()
    for _ in range(5):  # good readings do not start it again, nor does a press
        driver.presses += 1
        driver.send_reading(deadman=True, axes=TURN)
        driver.wait(Update)
    assert driver.robot().mode == "stopped"
    text = "Stopped: the master sent an axis that is not between -1 and 1."
    assert onlooker.entry("mode.stopped", since, driven).text == text


def _send_an_axis(driver: Client, onlooker: Onlooker, axis: float) -> tuple[int, int]:
    """Drive and send an axis at which the arm stops; return a place from before and a tick in which it was driven."""
    for _ in range(ATTEMPTS):
        since = onlooker.mark()
        make_ready(driver)
        driven = start_moving(driver)
        driver.send_reading(deadman=True, axes=(axis, *TURN[1:]))
        story = Story(onlooker, since, driven)
        if not story.paused and story.pause_tick == story.stop_tick:  # at once, not by way of a pause
            return since, driven
    raise AssertionError("the arm paused first every time")


def test_readings_that_return_in_time_let_the_motion_ramp_in_again(driver: Client) -> None:
    driver.send(Listen(signals=(SET_POINT,)))
    driver.wait(Signals)
    for _ in range(ATTEMPTS):
        if _ramps_in_again(driver):
            return
        make_ready(driver)
    raise AssertionError("this machine is too busy to come back within a second")


def _ramps_in_again(driver: Client) -> bool:
    """Drive, fall silent until the arm pauses, and come back; return whether that was in time."""
    assert driver.update
    begin = driver.update.tick
    driven = start_moving(driver)
    epoch, presses = driver.lease().epoch, driver.presses
    paused = driver.wait(Update, lambda u: u.robots[0].mode in ("paused", "stopped"))
    if _return(driver) != "teleoperation":
        return False
    resumed, axes = driver.update.tick, direction(driver)
    while driver.update.tick < resumed + 150:
        driver.send_reading(deadman=True, axes=axes)
        driver.wait(Update)
    assert (driver.lease().epoch, driver.presses) == (epoch, presses)
    rates = [(tick, rate) for tick, rate in _rates(driver) if tick > begin]
    if driver.robot().mode != "teleoperation" or not any(driven < tick < paused.tick for tick, _ in rates):
        return False
    steps = [(at, abs(b - a)) for (before, a), (at, b) in pairwise(rates) if at == before + 1]
    first = max(step for at, step in steps if at < paused.tick)
    again = max(step for at, step in steps if at >= paused.tick)
    assert max(abs(rate) for tick, rate in rates if tick > resumed) > 1.0  # degrees per second: it moves again
    assert again <= 1.2 * first + 0.5
    return True


def _return(driver: Client) -> Mode:
    """Send readings again, still held, until the arm is driven or has stopped."""
    robot: RobotUpdate = driver.robot()
    axes = direction(driver)
    while robot.mode == "paused":
        driver.send_reading(deadman=True, axes=axes)
        driver.wait(Update)
        robot = driver.robot()
    return robot.mode


def _rates(driver: Client) -> list[tuple[int, float]]:
    """Return how fast the set-point moved from each tick to the next, degrees per second."""
    points: dict[int, float] = {}
    for message in driver.messages:
        if isinstance(message, Signals):
            values = struct.unpack(f"<{len(message.values) // 4}f", message.values)
            points.update({message.tick + i: value for i, value in enumerate(values)})
    ticks = sorted(points)
    return [(b, (points[b] - points[a]) / DT) for a, b in pairwise(ticks) if b == a + 1]


def test_a_page_that_comes_again_keeps_its_control_and_its_epoch(
    server: LiveServer, driver: Client, onlooker: Onlooker
) -> None:
    since = onlooker.mark()
    start_moving(driver)
    lease = driver.lease()
    cut(driver)
    with Client(server.address, name="Driver", client=CLIENT) as again:
        again.ping()
        assert again.number == driver.number
        assert (again.lease().holder, again.lease().epoch) == (lease.holder, lease.epoch)
        assert again.lease().present
        make_ready(again)
        start_moving(again)
        assert again.lease().epoch == lease.epoch
        again.release_deadman()
    assert not [e for e in onlooker.log(since) if "controls arm" in e.text]  # it never changed hands


def test_a_server_that_is_killed_leaves_no_process(server: LiveServer) -> None:
    everybody = server.alive
    assert len(everybody) >= 4  # itself, the gateway, a cell and its worker
    os.kill(server.process.pid, signal.SIGKILL)
    server.process.wait()
    server.wait_for_nobody(timeout=15.0)
