"""Every run of a live server is recorded to the bit, whichever of its processes is killed: with real processes."""

import os
import signal
from pathlib import Path

import pytest
from servers import LiveServer, Onlooker, drive_until, make_ready, turned

import farhand.records
from farhand.client.client import Client
from farhand.records import Record, check, resimulate
from farhand.records.entries import Origin
from farhand.server.protocol.messages import Recording, Update
from farhand.types import SelectMapping

RECORDER = "farhand.server.recorder.recorder_process"
TURN = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
SECOND = 500  # ticks


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the servers of a test a data folder of their own; return its folder of runs."""
    monkeypatch.setenv("FARHAND_DATA", str(tmp_path))
    return tmp_path / "runs"


def drive_a_second(server: LiveServer) -> tuple[int, int]:
    """Drive the arm for a second of its time; return the first and last of these ticks."""
    with Client(server.address, name="Driver") as driver:
        make_ready(driver)
        assert driver.command(SelectMapping("arm", "joints")).ok
        assert driver.update
        begin, before = driver.update.tick, turned(driver.update)
        axes = TURN if before < 0.0 else (-1.0, *TURN[1:])
        end = drive_until(driver, lambda u: u.tick > begin + SECOND and abs(turned(u) - before) > 0.02, axes)
        return begin, end.tick


def recorded(onlooker: Onlooker, tick: int, since: int = 0, but: str = "") -> Recording:
    """Wait until a tick is safe on the disk, in another run than one."""
    true = lambda m: m.state == "recording" and m.tick >= tick and m.run not in ("", but)  # noqa: E731
    return onlooker.wait(Recording, true, since)[1]


def assert_exact(record: Record) -> None:
    """Check that a record is undamaged, has every tick from its first to its last, and is computed again to the bit."""
    report = check(record.path)
    assert (report.good, report.problems, record.gaps) == (True, (), ())
    assert [number for number, _ in record.inputs()] == list(range(record.first, record.last + 1))
    found = resimulate(record)
    assert found.difference is None
    assert found.last == record.last
    assert found.compared > 0


def opened(folder: Path) -> list[Record]:
    """Return the records of a folder, the oldest first."""
    return [farhand.records.open(path) for path in sorted(folder.glob("*.mcap"))]


def test_a_live_run_is_recorded_to_the_bit(runs: Path) -> None:
    with LiveServer("irb120") as server, Onlooker(server.address) as onlooker:
        assert f"Runs are kept in {runs}\n" in server.said
        begin, end = drive_a_second(server)
        told = recorded(onlooker, end)
    (record,) = opened(runs)
    assert record.path.stem == told.run
    assert record.finished
    assert record.info.origin is None
    assert record.last >= told.tick >= end
    readings = [number for number, inputs in record.inputs() if inputs.readings]
    assert sum(begin <= number <= end for number in readings) > SECOND // 20
    assert [span.kind for span in record.spans if span.kind == "driving"]
    assert_exact(record)


def test_a_killed_recorder_goes_on_with_the_same_run(runs: Path) -> None:
    with LiveServer("irb120") as server, Onlooker(server.address) as onlooker:
        before = recorded(onlooker, SECOND)
        (process,) = [p.pid for p in server.alive if RECORDER in p.command]
        os.kill(process, signal.SIGKILL)
        _, end = drive_a_second(server)
        after = recorded(onlooker, end)
        assert "The recorder was ended by signal SIGKILL. It restarts." in server.complained
    assert after.run == before.run
    (record,) = opened(runs)
    assert record.last >= after.tick
    assert_exact(record)


def test_a_killed_cell_begins_a_run_that_names_the_one_before(runs: Path) -> None:
    with LiveServer("irb120") as server, Onlooker(server.address) as onlooker:
        before = recorded(onlooker, SECOND)
        os.kill(server.cell(), signal.SIGKILL)
        after = recorded(onlooker, before.tick + SECOND, onlooker.mark(), but=before.run)
    old, new = opened(runs)
    assert (old.info.run, new.info.run) == (before.run, after.run)
    assert old.last >= before.tick
    assert new.info.origin == Origin(before.run, new.info.tick)
    assert new.last >= after.tick
    for record in (old, new):
        assert record.finished
        assert_exact(record)


def test_whatever_was_acknowledged_outlives_the_whole_server(runs: Path) -> None:
    with LiveServer("irb120") as server, Onlooker(server.address) as onlooker:
        safe = recorded(onlooker, SECOND).tick
        for process in server.alive:
            os.kill(process.pid, signal.SIGKILL)
        server.process.wait()
        server.wait_for_nobody()
    (record,) = opened(runs)
    assert not record.finished
    assert record.last >= safe
    assert_exact(record)


def test_no_record_records_nothing(runs: Path) -> None:
    with LiveServer("irb120", "--no-record") as server, Onlooker(server.address) as onlooker:
        onlooker.wait(Update, lambda u: u.tick >= SECOND)
        assert onlooker.all(Recording) == []
        assert [p for p in server.alive if RECORDER in p.command] == []
        assert "Runs are kept" not in server.said
    assert not runs.exists()


def test_driving_goes_on_without_room_for_a_run(runs: Path) -> None:
    with LiveServer("irb120", "--records-gb", "1e-6") as server, Onlooker(server.address) as onlooker:
        _, said = onlooker.wait(Recording, lambda m: m.state == "alarm")
        assert said.reason == "quota"
        assert said.alarm == (
            "Recording is interrupted: no room is left within the quota of 1e-06 GB. Driving goes on."
        )
        drive_a_second(server)
    (record,) = opened(runs)
    assert not record.problems
