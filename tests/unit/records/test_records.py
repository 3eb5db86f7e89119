"""A record gives back what a run had, also where it broke off, was damaged, or comes from a stranger."""

import csv
import json
import random
import struct
from pathlib import Path

import msgspec
import numpy as np
import pytest
from msgspec import Raw

import farhand.records
from farhand import Cell, Run, Tick
from farhand.cli import main
from farhand.masters import Manual
from farhand.records.batch import Batch
from farhand.records.cell_source import source_of
from farhand.records.collector import Collector
from farhand.records.data_folder import Stored, new_run, prunable
from farhand.records.entries import Mark, RunInfo
from farhand.records.errors import RecordError
from farhand.records.exporters import EXPORTERS
from farhand.records.index import RunIndex
from farhand.records.recording import Recording
from farhand.records.run_info import info_of
from farhand.records.run_writer import RunWriter
from farhand.types import MoveJoints, PairContact, Stop

TICKS = 700
GOAL = (0.3, 0.1, 0.0, 0.0, 0.2, 0.0)


@pytest.fixture(scope="module")
def run_of(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Tick]]:
    """A move of the IRB 120, a stop and an episode, with all its ticks."""
    path = tmp_path_factory.mktemp("records") / "20261119T120000-irb120-0001.mcap"
    run, ticks = Run(Cell.load("irb120"), {"hand": Manual()}), list[Tick]()
    run.listeners = (lambda _, tick: ticks.append(tick),)
    with Recording(run, path, title="A <b>move</b>") as recording:
        run.send(MoveJoints("arm", GOAL))
        for i in range(TICKS):
            if i == 400:
                run.send(Stop())
            if i == 300:
                recording.mark(Mark(kind="episode", name="1", first=100, last=300, result="success", text="well done"))
                recording.mark(Mark(kind="bookmark", name="b", first=250, text="here", colour="#ff0000"))
            run.tick()
    return path, ticks


def test_kept_ticks_are_those_of_the_run(run_of: tuple[Path, list[Tick]]) -> None:
    path, ticks = run_of
    with farhand.records.open(path) as record:
        kept = list(record.ticks())
        assert (record.first, record.last, record.finished, record.complete) == (1, TICKS, True, True)
        assert record.duration == pytest.approx(TICKS * 0.002)
        assert {tick.number for tick in kept} >= set(range(5, 400, 5))  # until it stops
        assert {tick.number for tick in kept} >= set(range(450, TICKS + 1, 50))
        for tick in kept:
            found, made = tick.state.robots["arm"], ticks[tick.number - 1].state.robots["arm"]
            assert found.groups["arm"].positions == pytest.approx(made.groups["arm"].positions, rel=1e-6, abs=1e-9)
            assert tick.lanes["arm"].mode == ticks[tick.number - 1].lanes["arm"].mode
        assert all(tick == ticks[tick.number - 1] for tick in record.exact())
        assert [tick.number for tick in record.ticks(200, 230)] == [200, 205, 210, 215, 220, 225, 230]
        assert record.kept_at(333).tick.number == 330


def test_signals_are_arrays(run_of: tuple[Path, list[Tick]]) -> None:
    path, ticks = run_of
    with farhand.records.open(path) as record:
        times, angles = record.signal("state.robots.arm.groups.arm.positions[0]")
        made = [ticks[round(time / 0.002) - 1].state.robots["arm"].groups["arm"].positions[0] for time in times]
        assert angles == pytest.approx(made, rel=1e-6, abs=1e-9)
        assert np.all(np.diff(times) > 0)
        with pytest.raises(RecordError, match=r"has no signal 'nothing'"):
            record.signal("nothing")


def test_inputs_notes_and_marks_are_there(run_of: tuple[Path, list[Tick]]) -> None:
    path, _ = run_of
    with farhand.records.open(path) as record:
        assert [number for number, _ in record.inputs()] == list(range(1, TICKS + 1))
        assert [type(inputs.events[0]).__name__ for _, inputs in record.inputs() if inputs.events][-1] == "Stop"
        assert "mode.stopped" in {entry.note.code for entry in record.notes}
        assert [(mark.first, mark.last, mark.result) for mark in record.episodes] == [(100, 300, "success")]
        assert [mark.text for mark in record.bookmarks] == ["here"]
        assert {span.kind for span in record.spans} >= {"autonomous", "stopped"}
        assert record.title == "A <b>move</b>"


def test_a_file_that_breaks_off_anywhere_is_read_up_to_there(run_of: tuple[Path, list[Tick]], tmp_path: Path) -> None:
    content = run_of[0].read_bytes()
    cut_file = tmp_path / "cut.mcap"
    last = 0
    for cut in range(len(content) // 3, len(content), len(content) // 40):
        cut_file.write_bytes(content[:cut])
        with farhand.records.open(cut_file) as record:
            assert record.last >= last
            last = record.last
            assert [number for number, _ in record.inputs()] == list(range(1, last + 1))
            assert not record.finished
    assert last > TICKS - 100


def test_repair_saves_what_can_be_read(run_of: tuple[Path, list[Tick]], tmp_path: Path) -> None:
    content = run_of[0].read_bytes()
    damaged = bytearray(content[: len(content) // 3])
    damaged[-50:] = bytes(50)
    (tmp_path / "cut.mcap").write_bytes(damaged)
    report = farhand.records.repair(tmp_path / "cut.mcap", tmp_path / "whole.mcap")
    assert len(report.problems) == 1
    assert farhand.records.check(tmp_path / "whole.mcap").good
    with farhand.records.open(tmp_path / "cut.mcap") as cut, farhand.records.open(tmp_path / "whole.mcap") as whole:
        assert list(whole.inputs()) == list(cut.inputs())
        assert whole.finished
        assert farhand.records.resimulate(whole).equal


@pytest.mark.parametrize("bits", [100, pytest.param(1000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("finished", [True, False])
def test_a_flipped_bit_is_found(run_of: tuple[Path, list[Tick]], tmp_path: Path, *, finished: bool, bits: int) -> None:
    """An unfinished file is one whose summary and end of data are missing."""
    content = run_of[0].read_bytes()
    if not finished:
        (start,) = struct.unpack_from("<Q", content, len(content) - 8 - 20)
        content = content[: start - 13]
    path, random_ = tmp_path / "flipped.mcap", random.Random(bits)
    path.write_bytes(content)
    assert farhand.records.check(path).good
    for _ in range(bits):
        at, bit = random_.randrange(len(content)), random_.randrange(8)
        damaged = bytearray(content)
        damaged[at] ^= 1 << bit
        path.write_bytes(damaged)
        try:
            found = farhand.records.check(path)
        except RecordError:
            continue
        assert not found.good, f"bit {bit} of byte {at} of {len(content)}"


def test_a_newer_version_is_refused_with_a_sentence(run_of: tuple[Path, list[Tick]], tmp_path: Path) -> None:
    content = (
        run_of[0]
        .read_bytes()
        .replace(b"\x06\x00\x00\x00format\x01\x00\x00\x001", b"\x06\x00\x00\x00format\x01\x00\x00\x009")
    )
    (tmp_path / "new.mcap").write_bytes(content)
    with pytest.raises(RecordError, match=r"written by a newer version of Farhand \(format 9, not 1\)"):
        farhand.records.open(tmp_path / "new.mcap")


def test_an_empty_file_and_none_at_all_are_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.mcap").touch()
    for name, reason in (("empty.mcap", "it is empty"), ("none.mcap", "No such file")):
        with pytest.raises(RecordError, match=reason):
            farhand.records.open(tmp_path / name)


def test_tables_are_exported(run_of: tuple[Path, list[Tick]], tmp_path: Path) -> None:
    with farhand.records.open(run_of[0]) as record:
        EXPORTERS["csv"](record, tmp_path / "run.csv", None)
        count = sum(1 for _ in record.ticks())
    with (tmp_path / "run.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == count
    assert float(rows[-1]["time"]) == pytest.approx(TICKS * 0.002)
    last = run_of[1][-1].state.robots["arm"].groups["arm"].positions[0]
    assert float(rows[-1]["state.robots.arm.groups.arm.positions[0]"]) == pytest.approx(last, rel=1e-6)


def test_a_parquet_table_has_every_kept_tick(run_of: tuple[Path, list[Tick]], tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", exc_type=ImportError)
    progress: list[tuple[int, int]] = []
    path = "state.robots.arm.groups.arm.positions[0]"
    with farhand.records.open(run_of[0]) as record:
        EXPORTERS["parquet"](record, tmp_path / "run.parquet", lambda done, whole: progress.append((done, whole)))
        time, angle = record.signal(path)
        names = {"time", *record.signals()}
        with pytest.raises(FileExistsError):
            EXPORTERS["parquet"](record, tmp_path / "run.parquet", None)
    table = parquet.read_table(tmp_path / "run.parquet")
    assert set(table.column_names) == names
    assert np.array_equal(table["time"].to_numpy(), time)
    assert np.array_equal(table[path].to_numpy(), angle)
    assert table["number"].to_pylist() == [round(t / 0.002) for t in time]
    assert msgspec.json.decode(table.schema.metadata[b"farhand.run"])["run"] == run_of[0].stem
    assert progress == [(TICKS, TICKS)]


def test_a_table_in_parts_is_the_table(run_of: tuple[Path, list[Tick]]) -> None:
    with farhand.records.open(run_of[0]) as record:
        paths = ("lanes.arm.setpoints.arm.positions[0]", "nothing")
        whole, parts = record.table(paths, 100, 600), list(record.tables(paths, 100, 600, rows=20))
        assert len(parts) > 3
        for name, values in whole.items():
            assert np.array_equal(np.concatenate([part[name] for part in parts]), values, equal_nan=True)
        assert (whole["number"][0], whole["number"][-1]) == (100, 600)
        assert np.isnan(whole["nothing"]).all()


def test_a_contact_that_lasts_begins_once(tmp_path: Path) -> None:
    cell, batches = Cell.load("irb120"), list[Batch]()
    info, gathers = info_of(cell, "run"), Collector(cell, batches.append)
    gathers.begin()
    run = Run(cell, {}, listeners=[gathers])
    run.send(MoveJoints("arm", GOAL))  # while something moves, a batch is 0.1 s long
    run.run(0.6)
    pressed = Raw(msgspec.msgpack.encode((PairContact("a", "b", 5.0, (0.0, 0.0, 1.0)),)))
    writer = RunWriter(tmp_path / "run.mcap", info, source_of(cell))
    for batch in batches:
        pairs = tuple((number, pressed) for number in range(batch.first, batch.last + 1) if 20 <= number < 220)
        writer.take(msgspec.structs.replace(batch, pairs=pairs))
    writer.finish()
    with farhand.records.open(tmp_path / "run.mcap") as record:
        found = record.contacts
    assert [(entry.tick, entry.kind) for entry in found] == [(20, "begin"), (219, "end")]
    assert found[-1].impulse == pytest.approx(200 * 0.002 * 5.0)


def test_commands_show_repair_and_prune(
    run_of: tuple[Path, list[Tick]], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FARHAND_DATA", str(tmp_path))
    folder = tmp_path / "runs"
    folder.mkdir()
    for i in (1, 2):
        (folder / f"run{i}.mcap").write_bytes(run_of[0].read_bytes())
    assert main(["records", "show", "run1", "--json", "--signals"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["last"], shown["complete"], shown["snapshots"][0]) == (TICKS, True, 0)
    assert "state.robots.arm.groups.arm.positions[0]" in shown["signals"]
    (folder / "cut.mcap").write_bytes(run_of[0].read_bytes()[: run_of[0].stat().st_size // 3])
    assert main(["records", "check", "cut"]) == 1
    assert main(["records", "repair", "cut"]) == 0
    assert main(["records", "repair", "cut"]) == 2
    assert main(["records", "check", "cut-repaired"]) == 0
    capsys.readouterr()
    assert main(["records", "list", "--search", "move"]) == 0
    assert "4 runs in" in capsys.readouterr().out
    for options in (["--dry-run"], []):
        assert main(["records", "prune", "--to-gb", "0", *options]) == 0
        assert "4 of 4 runs" in capsys.readouterr().out
        assert len(list(folder.glob("*.mcap"))) == (4 if options else 0)


def test_the_index_follows_the_files(run_of: tuple[Path, list[Tick]], tmp_path: Path) -> None:
    content = run_of[0].read_bytes()
    for i in range(3):
        (tmp_path / f"run{i}.mcap").write_bytes(content)
    (tmp_path / "bad.mcap").write_bytes(b"nothing")
    index = RunIndex(tmp_path)
    index.refresh()
    assert index.count() == 3
    assert [summary.title for summary in index.runs(text="move irb")] == ["A <b>move</b>"] * 3
    assert index.runs(text="100%") == []
    assert index.runs()[0].episodes == index.runs()[0].successes == 1
    assert list(index.unreadable) == ["bad.mcap"]
    (tmp_path / "run1.mcap").unlink()
    index.refresh()
    assert {summary.file for summary in index.runs()} == {"run0.mcap", "run2.mcap"}
    index.close()
    (tmp_path / "index.sqlite").write_bytes(b"damaged" * 1000)
    index = RunIndex(tmp_path)
    index.refresh()
    assert index.count() == 2


def test_the_oldest_runs_go_first_and_kept_ones_never() -> None:
    files = [Stored(Path(f"2026110{i}.mcap"), 10, i == 1) for i in range(1, 6)]
    assert [path.name for path in prunable(files, 0, 30)] == ["20261102.mcap", "20261103.mcap"]
    assert prunable(files, 0, 50) == []
    assert len(prunable(files, 100, 50)) == 4


def test_runs_have_names_that_sort_by_time() -> None:
    names = [new_run("cells/my cell.toml", now) for now in (1.0, 10.0**9, 2.0 * 10**9)]
    assert names == sorted(names)
    assert names[0].startswith("19700101T000001-my-cell-")


def test_the_command_line_tells_and_checks(
    run_of: tuple[Path, list[Tick]], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FARHAND_DATA", str(tmp_path))
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / run_of[0].name).write_bytes(run_of[0].read_bytes())
    assert main(["records", "list", "--json"]) == 0
    (summary,) = json.loads(capsys.readouterr().out)
    assert summary["title"] == "A <b>move</b>"
    assert main(["records", "check", run_of[0].stem]) == 0
    assert "No damage found" in capsys.readouterr().out
    assert main(["records", "resim", run_of[0].stem]) == 0
    assert capsys.readouterr().out.startswith("Equal to the bit: ticks 1 to 700")
    assert main(["records", "resim", run_of[0].stem, "--set", "robots.arm.speeds=[0.1]"]) == 0
    assert "Differs from tick" in capsys.readouterr().out
    assert main(["records", "export", run_of[0].stem, "--to", "csv", "--output", str(tmp_path / "a.csv")]) == 0
    assert main(["records", "check", "nothing-like-it"]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_a_run_is_described_by_plain_json(run_of: tuple[Path, list[Tick]]) -> None:
    with farhand.records.open(run_of[0]) as record:
        assert msgspec.json.decode(msgspec.json.encode(record.info), type=RunInfo) == record.info
        assert record.source.spec.name or record.info.cell
        assert "[robots" in record.cell_file
