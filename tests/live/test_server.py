"""A whole server with real processes: driving, handing over, stopping, editing, and processes that are killed."""

import os
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from servers import LiveServer, Onlooker, drive_until, make_ready, wait_until_ended
from websockets.exceptions import ConnectionClosed

from farhand.client.client import Client
from farhand.poses import Pose
from farhand.server.gateway.decoding import MAX_MESSAGE_BYTES
from farhand.server.protocol.messages import (
    ActiveNotes,
    Ask,
    Cells,
    Leases,
    Refuse,
    Refused,
    Scene,
    ToPage,
    Update,
    Watch,
    Yield,
)
from farhand.types import AddObject, MoveObject, ObjectSpec, Reset, SelectMapping, Stop

OTHER = "irb120-grasp"
TURN = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
BOX = ObjectSpec(name="extra", size=(0.06, 0.06, 0.06), position=(0.1, 0.45, 0.6305))


class Ground:
    """One server with two cells for all tests here, and two pages that look on the whole time."""

    def __init__(self, server: LiveServer) -> None:
        self.server = server
        self.onlooker = Onlooker(server.address)
        self.elsewhere = Onlooker(server.address, watch=OTHER, name="Elsewhere")

    def close(self) -> None:
        self.onlooker.close()
        self.elsewhere.close()


@pytest.fixture(scope="module")
def ground() -> Iterator[Ground]:
    with LiveServer("irb120", OTHER) as server:
        ground = Ground(server)
        yield ground
        ground.close()


@pytest.fixture
def driver(ground: Ground) -> Iterator[Client]:
    with Client(ground.server.address, name="Ada", client="driver-of-the-live-tests") as driver:
        make_ready(driver)
        assert driver.command(SelectMapping("arm", "joints")).ok
        yield driver


@pytest.fixture
def guest(ground: Ground) -> Iterator[Client]:
    with Client(ground.server.address, name="Ben") as guest:
        yield guest


def joints(update: Update | None) -> tuple[float, ...]:
    assert update
    return struct.unpack("<6f", update.robots[0].joints)


def turn(driver: Client, by: float = 0.05) -> Update:
    """Press afresh and turn the first joint, away from the nearer end of its range."""
    start = joints(driver.update)[0]
    sign = 1.0 if start < 0.0 else -1.0
    return drive_until(driver, lambda u: abs(joints(u)[0] - start) > by, (sign, *TURN[1:]))


class Poses:
    """Where every body is, from the scene and all updates of a page."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.at: dict[str, tuple[float, float, float]] = {}

    def take(self, message: ToPage) -> None:
        if isinstance(message, Scene):
            self.names, self.at = [body.name for body in message.bodies], {}
        elif isinstance(message, Update):
            for i in range(0, len(message.moved), 22):
                index, x, y, z = struct.unpack_from("<H3f", message.moved, i)
                self.at[self.names[index]] = (x, y, z)


def poses_now(ground: Ground) -> dict[str, tuple[float, float, float]]:
    """Return all poses as a page that comes now sees them."""
    poses = Poses()
    with Client(ground.server.address) as late:
        assert late.scene
        assert late.update
        poses.take(late.scene)
        poses.take(late.update)
        for _ in range(5):
            poses.take(late.wait(Update))
    return poses.at


# ── Driving ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_page_sees_the_scene_and_drives_the_arm(ground: Ground, driver: Client) -> None:
    assert driver.scene
    assert [robot.name for robot in driver.scene.robots] == ["arm"]
    assert [joint.label for joint in driver.scene.robots[0].joints][:2] == ["Turn", "Shoulder"]
    assert {"cube", "can", "ball"} <= {body.name for body in driver.scene.bodies}
    before = poses_now(ground)
    after = turn(driver, by=0.2)
    driver.release_deadman()
    assert after.robots[0].heard > 0
    shown = poses_now(ground)
    links = [name for name in shown if name.startswith("arm/")]
    assert any(abs(a - b) > 0.01 for name in links for a, b in zip(before[name], shown[name], strict=True))
    assert shown["cube"] == pytest.approx(before["cube"], abs=1e-3)
    driver.wait(Update, lambda u: u.robots[0].mode == "idle")


def test_control_is_asked_for_refused_yielded_and_needs_a_fresh_press(driver: Client, guest: Client) -> None:
    epoch = driver.lease().epoch
    guest.send(Ask(robot="arm"))
    driver.wait(Leases, lambda m: any(a.viewer == guest.number for a in m.robots[0].askers))
    driver.send(Refuse(robot="arm", viewer=guest.number))
    guest.wait(Leases, lambda m: m.robots[0].holder == driver.number and not m.robots[0].askers)
    guest.send(Ask(robot="arm"))
    guest.wait(Leases, lambda m: bool(m.robots[0].askers))
    turn(driver)
    guest.wait(Update, lambda u: u.robots[0].mode == "teleoperation")  # the second page sees it move
    driver.send(Yield(robot="arm", viewer=guest.number))
    guest.wait(Leases, lambda m: m.robots[0].holder == guest.number)
    assert guest.lease().epoch > epoch
    # Held since before the robot changed hands: that is no press. The one who drove has stopped it by leaving.
    guest.presses = 7
    guest.send_reading(deadman=True, axes=TURN)
    guest.wait(Update, lambda u: u.robots[0].mode == "stopped")
    assert guest.command(Reset("arm")).ok
    for _ in range(20):
        guest.send_reading(deadman=True, axes=TURN)
        assert guest.wait(Update).robots[0].mode != "teleoperation"
    turn(guest)
    # The one who gave control away is heard no more.
    driver.ping()
    heard = guest.robot().heard
    for _ in range(10):
        driver.send_reading(deadman=True, axes=TURN, sequence=heard + 1000, epoch=epoch)
        driver.send_reading(deadman=True, axes=TURN, sequence=heard + 1000, epoch=guest.lease().epoch)
        driver.wait(Update)
    guest.ping()
    assert guest.robot().heard < heard + 1000
    guest.release_deadman()
    guest.send(Ask(robot="arm"))
    driver.send(Ask(robot="arm"))
    guest.wait(Leases, lambda m: bool(m.robots[0].askers))
    guest.send(Yield(robot="arm", viewer=driver.number))
    driver.wait(Leases, lambda m: m.robots[0].holder == driver.number)


def test_anybody_stops_only_the_holder_resets_and_only_a_press_starts(driver: Client, guest: Client) -> None:
    turn_and_stop(driver, guest)
    for event in (Reset(), Reset("arm"), SelectMapping("arm", "base axes")):
        answer = guest.command(event)
        assert not answer.ok
        assert answer.text.endswith("Ask for control first.")
    for _ in range(10):
        driver.presses += 1
        driver.send_reading(deadman=True, axes=TURN)
        assert driver.wait(Update).robots[0].mode == "stopped"
    assert driver.command(Reset()).ok
    driver.wait(Update, lambda u: u.robots[0].mode == "idle")
    for _ in range(20):
        driver.send_reading(deadman=True, axes=TURN)
        assert driver.wait(Update).robots[0].mode == "idle"
    turn(driver)
    driver.release_deadman()


def turn_and_stop(driver: Client, guest: Client) -> None:
    """Turn the arm, and have it stopped by a guest; again, where it has stopped by itself on a busy machine."""
    for _ in range(5):
        turn(driver)
        assert guest.command(Stop()).ok
        driver.wait(Update, lambda u: u.robots[0].mode == "stopped")
        why = guest.wait(ActiveNotes, lambda m: any(n.text.startswith("Stopped: ") for n in m.robots.get("arm", ())))
        if _says(why, "Stopped: you pressed Stop."):
            return
        assert _says(why, "Stopped: no input for over 1 s.")
        make_ready(driver)
    raise AssertionError("the arm stopped by itself every time")


def test_nonsense_is_answered_and_too_much_ends_its_own_connection_only(driver: Client, guest: Client) -> None:
    guest.send_raw("nonsense")
    guest.send_raw(b"\xc1")
    guest.ping()
    guest.send_raw(bytes(MAX_MESSAGE_BYTES + 1))
    with pytest.raises(ConnectionClosed):
        guest.wait(Refused)
    driver.ping()


def test_the_token_is_in_nobody_s_arguments(ground: Ground) -> None:
    """Any user of the machine can read those."""
    token = ground.server.address.partition("#token=")[2]
    assert len(token) >= 20
    assert all(token not in process.command for process in ground.server.alive)


def test_a_wrong_token_is_refused(ground: Ground) -> None:
    address = ground.server.address
    with pytest.raises(ConnectionClosed):
        Client(address[:-1] + ("A" if address[-1] != "A" else "B"))


# ── Edits of the world ───────────────────────────────────────────────────────────────────────────────────────────


def test_an_edit_gives_everybody_a_new_scene_and_keeps_the_state(ground: Ground, driver: Client, guest: Client) -> None:
    assert guest.scene
    assert driver.scene
    number, before = driver.scene.number, poses_now(ground)
    place = joints(driver.update)
    assert not guest.command(AddObject(BOX)).ok
    since = ground.onlooker.mark()
    assert driver.command(AddObject(BOX)).ok
    for scene in (driver.wait(Scene), guest.wait(Scene), ground.onlooker.wait(Scene, bool, since)[1]):
        assert scene.number > number
        assert "extra" in [body.name for body in scene.bodies]
    assert joints(driver.wait(Update)) == pytest.approx(place, abs=1e-3)
    after = poses_now(ground)
    assert after["extra"] == pytest.approx(BOX.position, abs=2e-3)
    assert {name: after[name] for name in before} == {
        name: pytest.approx(position, abs=2e-3) for name, position in before.items()
    }
    refused = driver.command(AddObject(BOX))
    assert not refused.ok
    assert "extra" in refused.text
    assert not ground.elsewhere.all(Scene, 50)  # the other cell has nothing to do with it


# ── Processes that are killed ────────────────────────────────────────────────────────────────────────────────────


def test_a_cell_that_is_killed_before_its_first_checkpoint_comes_back_stopped() -> None:
    with LiveServer("irb120") as server:
        os.kill(server.cell(), signal.SIGKILL)
        with Client(server.address, watch="") as viewer:
            viewer.send(Watch(cell="irb120"))
            said = "Stopped: the cell was restarted after its process ended."
            viewer.wait(ActiveNotes, lambda m: _says(m, said), timeout=60.0)


def test_a_cell_that_is_killed_comes_back_as_it_was_and_nobody_else_notices(ground: Ground, driver: Client) -> None:
    server, onlooker, elsewhere = ground.server, ground.onlooker, ground.elsewhere
    assert driver.command(MoveObject("cube", Pose((0.3, -0.35, 0.6255)))).ok
    if "extra" not in poses_now(ground):
        assert driver.command(AddObject(BOX)).ok
    turn(driver, by=0.3)
    driver.release_deadman()
    moved = driver.wait(Update, lambda u: u.robots[0].mode == "idle")
    update = driver.wait(Update, lambda u: u.time > moved.time + 1.2)  # at rest, and kept by the gateway
    before, place, lease = poses_now(ground), joints(update), driver.lease()
    gateway, cell, others = server.gateway, server.cell(), server.cell(OTHER)
    since, calm = onlooker.mark(), elsewhere.mark()
    os.kill(cell, signal.SIGKILL)
    wait_until_ended(cell)
    _, news = onlooker.wait(Cells, lambda m: _state(m) == "lost", since)
    assert news.cells[0].reason == "The process of irb120 was ended by signal SIGKILL. It restarts."
    _, again = onlooker.wait(Update, lambda u: u.robots[0].mode == "stopped", since, timeout=60.0)
    assert again.tick > update.tick - 600  # ticks are counted on from the last checkpoint
    states = [_state(m) for m in onlooker.all(Cells, since)]
    assert "running" in states[states.index("lost") :]  # how soon is measured by `farhand bench recovery`
    assert {u.robots[0].mode for u in onlooker.all(Update, since)} <= {"idle", "stopped"}
    onlooker.wait(ActiveNotes, lambda m: _says(m, "Stopped: the cell was restarted after its process ended."), since)
    after = poses_now(ground)
    assert joints(again) == pytest.approx(place, abs=0.01)
    assert after.keys() == before.keys()
    for name, position in before.items():
        assert after[name] == pytest.approx(position, abs=2e-3), name
    # Nobody else noticed.
    assert (server.gateway, server.cell(OTHER)) == (gateway, others)
    ticks = [u.tick for u in elsewhere.all(Update, calm)]
    assert ticks == sorted(ticks)
    assert len(ticks) > 3
    # Who had control has it still, and drives after a reset and a fresh press.
    driver.ping()
    assert (driver.lease().holder, driver.lease().epoch) == (lease.holder, lease.epoch)
    make_ready(driver)
    turn(driver)
    driver.release_deadman()


def _state(message: Cells, name: str = "irb120") -> str:
    return next(cell.state for cell in message.cells if cell.name == name)


def _says(message: ActiveNotes, text: str) -> bool:
    return text in [note.text for note in message.robots.get("arm", ())]


def test_a_cell_that_hangs_is_replaced_and_nothing_of_it_counts_any_more(ground: Ground, driver: Client) -> None:
    server, onlooker = ground.server, ground.onlooker
    turn(driver)
    cell, standby, since = server.cell(), server.standby(server.cell()), onlooker.mark()
    os.kill(cell, signal.SIGSTOP)
    _, news = onlooker.wait(Cells, lambda m: _state(m) == "lost", since, timeout=60.0)
    text = "The process of irb120 sent no heartbeat for 5 s and was killed. It restarts."
    assert news.cells[0].reason == text
    with pytest.raises(ProcessLookupError):
        os.kill(cell, signal.SIGCONT)  # it was killed and waited for before the next one went live
    lost = onlooker.mark()
    onlooker.wait(Cells, lambda m: _state(m) == "running", since, timeout=60.0)
    _, again = onlooker.wait(Update, lambda u: u.tick > 0, lost)
    assert again.robots[0].mode == "stopped"
    assert server.standby(server.cell()) == standby  # forked, not started
    driver.ping()
    make_ready(driver)
    turn(driver)
    driver.release_deadman()


def test_a_killed_gateway_gives_control_back_to_who_had_it_and_to_nobody_else(ground: Ground, driver: Client) -> None:
    server = ground.server
    cell, gateway, standby = server.cell(), server.gateway, server.standby(server.gateway)
    turn(driver)
    assert driver.update
    tick, epoch, presses = driver.update.tick, driver.lease().epoch, driver.presses
    os.kill(gateway, signal.SIGKILL)  # while driving
    ground.onlooker.wait_for_end()
    with (
        Client(server.address, name="Eve") as stranger,
        Client(server.address, name="Ada", client="driver-of-the-live-tests") as again,
    ):
        assert again.update
        assert again.update.tick > tick
        assert (server.cell(), server.standby(server.gateway)) == (cell, standby)
        assert server.gateway != gateway
        again.ping()
        lease = again.lease()
        assert (lease.holder, lease.present) == (again.number, True)
        assert lease.epoch > epoch
        stranger.send(Ask(robot="arm"))
        stranger.wait(Leases, lambda m: any(a.viewer == stranger.number for a in m.robots[0].askers))
        assert stranger.lease().holder == again.number
        # The deadman has been held since before: that drives nothing, nor does a press before the reset.
        again.presses = presses
        for _ in range(20):
            again.send_reading(deadman=True, axes=TURN)
            assert again.wait(Update).robots[0].mode != "teleoperation"
        again.wait(Update, lambda u: u.robots[0].mode == "stopped")
        again.presses += 1
        for _ in range(20):
            again.send_reading(deadman=True, axes=TURN)
            assert again.wait(Update).robots[0].mode == "stopped"
        make_ready(again)
        turn(again)
        again.release_deadman()


def test_a_request_to_terminate_ends_everything(ground: Ground) -> None:
    server = ground.server
    assert len(server.alive) >= 6  # itself, the gateway, two cells, their workers
    check_end(server, signal.SIGTERM)


def check_end(server: LiveServer, how: signal.Signals) -> None:
    """Check that a server ends in order when it is asked to, without a word, and leaves nothing behind."""
    before = server.complained
    server.process.send_signal(how)
    assert server.process.wait(20.0) == 130
    server.wait_for_nobody()
    assert server.private_folders == []
    assert server.complained.removeprefix(before) == ""


# ── Beginnings and ends ──────────────────────────────────────────────────────────────────────────────────────────


def test_a_busy_port_gets_a_sentence_and_ctrl_c_ends_everything() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with LiveServer("irb120", port=port) as server:
            assert f"Port {port} is taken; trying {port + 1}." in server.complained
            assert f":{port}/" not in server.address
            with Client(server.address) as visitor:
                visitor.take_control()
                assert visitor.command(AddObject(BOX)).ok  # the worker has worked
                check_end(server, signal.SIGINT)
                with pytest.raises(ConnectionClosed):
                    visitor.wait(Refused)


def test_a_cell_file_with_an_error_is_said_and_nothing_stays(tmp_path: Path) -> None:
    path = tmp_path / "broken.toml"
    path.write_text(
        'name = "broken"\n[robots.arm]\nmodel = "irb121"\nmaster = "hand"\n[masters.hand]\nkind = "manual"\n'
    )
    with LiveServer(str(path), ready=False) as server:
        assert server.process.wait(60.0) == 2
        assert "farhand: " in server.complained
        assert "irb121" in server.complained
        assert "did you mean 'irb120'?" in server.complained
        assert "Traceback" not in server.complained
        assert "Farhand is at" not in server.said
        server.wait_for_nobody()
        assert server.private_folders == []


def test_two_cells_of_one_name_are_refused() -> None:
    command = [sys.executable, "-m", "farhand.cli", "run", "--no-browser", "irb120", "irb120"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60.0)
    assert done.returncode == 2
    assert done.stderr == "farhand: two cells have the name 'irb120'; each cell of a server needs a name of its own\n"
