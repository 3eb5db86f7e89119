"""The replay of a record by real processes: what pages see of it, and that nothing in it can be driven."""

import re
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from recorded import BOX, STOPPED_S, record_two_seconds

import farhand.records
from farhand.client.client import Client
from farhand.client.servers import RunningServer, running_replay
from farhand.server.protocol.messages import Answer, Ask, Leases, Playback, Scene, Update
from farhand.types import MoveJoints, Stop

NOTHING = "This is a replay: nothing can be driven."
KEPT_S = 0.011  # between two kept ticks while the arm moves, and rounding


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("runs") / "two-seconds.mcap"
    record_two_seconds(path, edited=True)
    return path


@pytest.fixture(scope="module")
def server(record: Path) -> Iterator[RunningServer]:
    with running_replay(record) as running:
        yield running


@pytest.fixture
def viewer(server: RunningServer) -> Iterator[Client]:
    with Client(server.address, name="Ada") as viewer:
        yield viewer
        viewer.send(Playback(action="unloop"))
        viewer.send(Playback(action="speed", value=1.0))
        viewer.send(Playback(action="pause"))


def shown_at(viewer: Client, moment: float) -> Update:
    """Go to a moment, and return the update that shows it."""
    viewer.send(Playback(action="seek", value=moment))

    def there(update: Update) -> bool:
        return update.playback is not None and abs(update.playback.moment - moment) < 1e-3

    return viewer.wait(Update, there)


def joints(update: Update) -> tuple[float, ...]:
    return struct.unpack("<6f", update.robots[0].joints)


def test_frames_show_the_recorded_joints_forwards_and_backwards(viewer: Client, record: Path) -> None:
    with farhand.records.open(record) as opened:
        for moment in (0.3, 1.5, 0.7, 0.1):
            update = shown_at(viewer, moment)
            kept = opened.kept_at(round(moment / opened.info.timestep)).tick
            assert update.tick == kept.number
            assert -1e-9 < moment - update.time < KEPT_S
            np.testing.assert_allclose(joints(update), kept.state.robots["arm"].groups["arm"].positions, atol=1e-6)


def test_a_stop_is_shown_as_it_was(viewer: Client) -> None:
    assert shown_at(viewer, STOPPED_S - 0.05).robots[0].mode != "stopped"
    assert shown_at(viewer, STOPPED_S + 0.1).robots[0].mode == "stopped"


def test_the_timeline_has_the_marks_of_the_record(viewer: Client) -> None:
    assert viewer.scene
    info = viewer.scene.replay
    assert info
    assert info.title == "Two seconds"
    assert info.last == pytest.approx(2.0)
    marks = {mark.kind: mark for mark in info.marks}
    assert (marks["episode"].first, marks["episode"].last, marks["episode"].result) == (0.2, 1.2, "success")
    assert (marks["bookmark"].text["en"], marks["bookmark"].colour) == ("Look <here>", "#46c08a")
    assert marks["stop"].first == pytest.approx(STOPPED_S, abs=0.01)
    assert "Ada" in marks["stop"].text["en"]
    assert marks["stop"].text["en"] != marks["stop"].text["de"]


def test_it_plays_to_the_end_and_back_to_the_start(viewer: Client) -> None:
    shown_at(viewer, 1.0)
    viewer.send(Playback(action="speed", value=4.0))
    viewer.send(Playback(action="play"))
    viewer.wait(Update, lambda u: u.playback is not None and u.playback.moment >= 2.0 and not u.playback.playing)
    viewer.send(Playback(action="speed", value=-8.0))
    viewer.send(Playback(action="play"))
    last = viewer.wait(Update, lambda u: u.playback is not None and u.playback.moment < 0.01 and not u.playback.playing)
    assert last.tick <= 5


def test_a_step_goes_by_one_recorded_picture(viewer: Client) -> None:
    before = shown_at(viewer, 0.5).tick
    viewer.send(Playback(action="step", value=1))
    assert viewer.wait(Update, lambda u: u.tick != before).tick == before + 5
    viewer.send(Playback(action="step", value=-2))
    assert viewer.wait(Update, lambda u: u.tick < before).tick == before - 5


def test_an_edited_world_is_shown_as_it_was_at_each_moment(viewer: Client) -> None:
    shown_at(viewer, 0.5)
    before = viewer.scene
    assert before
    assert BOX.name not in {body.name for body in before.bodies}
    viewer.send(Playback(action="seek", value=1.9))
    after = viewer.wait(Scene, lambda scene: scene.number > before.number)
    assert BOX.name in {body.name for body in after.bodies}
    viewer.send(Playback(action="seek", value=0.5))
    again = viewer.wait(Scene, lambda scene: scene.number > after.number)
    assert [body.name for body in again.bodies] == [body.name for body in before.bodies]


def test_nothing_can_be_driven(viewer: Client) -> None:
    shown_at(viewer, 0.5)
    for event in (MoveJoints("arm"), Stop()):
        answer = viewer.command(event)
        assert (answer.ok, answer.text) == (False, NOTHING)
    viewer.send(Ask(robot="arm"))
    assert viewer.wait(Answer, lambda answer: answer.id == 0).text == NOTHING
    assert viewer.leases is None or viewer.leases == Leases(robots=(), viewers=viewer.leases.viewers)


def test_a_damaged_record_is_shown_as_far_as_it_can_be(record: Path, tmp_path: Path) -> None:
    content = bytearray(record.read_bytes())
    with farhand.records.open(record) as opened:
        whole = [kept.tick.number for kept in opened.kept()]
    starts = [place.start() for place in re.finditer(re.escape(b"\x28\xb5\x2f\xfd"), content)]  # of compressed chunks
    place = starts[len(starts) // 2]
    content[place + 20 : place + 40] = bytes(20)
    damaged = tmp_path / "damaged.mcap"
    damaged.write_bytes(content)
    with farhand.records.open(damaged) as opened:
        left = {kept.tick.number for kept in opened.kept()}
    lost = [number for number in whole if number not in left]
    assert lost
    with running_replay(damaged) as server, Client(server.address, name="Ada") as viewer:
        assert viewer.scene
        assert viewer.scene.replay
        assert viewer.scene.replay.problems
        gap = next(mark for mark in viewer.scene.replay.marks if mark.kind == "gap")
        assert gap.first <= lost[0] * 0.002 <= lost[-1] * 0.002 <= gap.last
        shown = shown_at(viewer, 0.1).playback
        assert shown
        assert not shown.missing


def refusal(*arguments: str) -> str:
    command = [sys.executable, "-m", "farhand.cli", "replay", "--no-browser", *arguments]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    return ended.stderr


def test_what_is_no_record_is_refused_with_a_sentence(record: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.mcap"
    other.write_bytes(b"not a record at all")
    assert refusal(str(other)).startswith("farhand: other.mcap")
    newer = tmp_path / "newer.mcap"
    newer.write_bytes(
        record.read_bytes().replace(
            b"\x06\x00\x00\x00format\x01\x00\x00\x001", b"\x06\x00\x00\x00format\x01\x00\x00\x009"
        )
    )
    assert "newer version of Farhand" in refusal(str(newer))
    assert "cannot be read" in refusal("no-such-run", "--folder", str(tmp_path))
