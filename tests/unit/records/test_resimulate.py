"""A run computed again equals the run, to the bit: from its start and from any snapshot, in any process."""

import math
import subprocess
import sys
from pathlib import Path

import msgspec
import numpy as np
import pytest

import farhand.records
from farhand import Cell, Run
from farhand.cell import cell_names
from farhand.masters import Manual
from farhand.records import collector
from farhand.records.batch import Batch
from farhand.records.collector import Collector
from farhand.records.errors import RecordError
from farhand.records.read import Record
from farhand.records.recording import Recording
from farhand.records.saved_cell import SavedCell, restore, save
from farhand.types import AddObject, Inputs, MoveJoints, ObjectSpec, Stop, Tick

BOX = ObjectSpec(name="added", shape="box", size=(0.05, 0.05, 0.05), position=(1.9, 1.9, 0.3))


def driven(cell: Cell, ticks: int, run: Run | None = None) -> Run:
    """Drive a cell by hand along an odd path, with an edit, a stop and a move on the way."""
    run = run or Run(cell, {name: Manual() for name in {cell.master_of(robot) for robot in cell.lanes}})
    hands = [master for master in run.masters.values() if isinstance(master, Manual)]
    robot = next(iter(cell.lanes))
    for i in range(ticks):
        for hand in hands:
            if i % 8 == 0:
                axes = (0.3 * math.sin(i / 300), 0.5 * math.cos(i / 200), -0.4 * math.sin(i / 500))
                hand.set(deadman=i % 900 > 5, axes=axes)
        if i == ticks // 3:
            run.send(AddObject(BOX))
        if i == ticks // 2:
            run.send(Stop())
        if i == ticks // 2 + 20:
            run.send(MoveJoints(robot, cell.lanes[robot].home))
        run.tick()
    return run


def recorded(name: str, path: Path, ticks: int) -> Record:
    cell = Cell.load(name)
    run = Run(cell, {master: Manual() for master in {cell.master_of(robot) for robot in cell.lanes}})
    with Recording(run, path):
        driven(cell, ticks, run)
    return farhand.records.open(path)


@pytest.mark.parametrize("name", cell_names())
@pytest.mark.parametrize("ticks", [180, pytest.param(3000, marks=pytest.mark.slow)])
def test_every_cell_of_the_catalogue_comes_out_the_same(name: str, ticks: int, tmp_path: Path) -> None:
    with recorded(name, tmp_path / "run.mcap", ticks) as record:
        found = farhand.records.resimulate(record)
    assert found.equal, found.difference
    assert (found.first, found.last, found.build) == (1, ticks, ())
    assert found.compared >= ticks / 10


def saved_between(name: str, before: int, after: int) -> tuple[SavedCell, list[bytes], list[bytes]]:
    """Return a cell saved after some ticks, and inputs and ticks that followed."""
    inputs: list[bytes] = []
    ticks: list[bytes] = []
    run = driven(Cell.load(name), before)
    saved = save(run.cell, run.masters)
    encode = msgspec.msgpack.Encoder(order="deterministic", enc_hook=float).encode

    def take(entered: Inputs, tick: Tick) -> None:
        inputs.append(encode(entered))
        ticks.append(encode(tick))

    run.listeners = (take,)
    driven(run.cell, after, run)
    return saved, inputs, ticks


CHILD = """
import sys, msgspec
from farhand import Cell, Inputs
from farhand.records.saved_cell import SavedCell, restore
name, saved, inputs, ticks = sys.argv[1], *[open(path, "rb").read() for path in sys.argv[2:]]
cell = Cell.load(name)
restore(cell, msgspec.msgpack.decode(saved, type=SavedCell))
encode = msgspec.msgpack.Encoder(order="deterministic", enc_hook=float).encode
wanted = msgspec.msgpack.decode(ticks, type=list[bytes])
for i, content in enumerate(msgspec.msgpack.decode(inputs, type=list[bytes])):
    if encode(cell.step(msgspec.msgpack.decode(content, type=Inputs))) != wanted[i]:
        sys.exit(f"differs {i} ticks after the snapshot")
"""


@pytest.mark.parametrize("name", ["irb120-grasp", "telemax-ground", "titan3-cyberimpact"])
def test_another_process_goes_on_from_a_snapshot(name: str, tmp_path: Path) -> None:
    saved, inputs, ticks = saved_between(name, 300, 100)
    paths = []
    for title, content in (("saved", saved), ("inputs", inputs), ("ticks", ticks)):
        paths.append(tmp_path / title)
        paths[-1].write_bytes(msgspec.msgpack.encode(content))
    done = subprocess.run([sys.executable, "-c", CHILD, name, *map(str, paths)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_from_a_snapshot_in_the_middle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collector, "SNAPSHOT_S", 0.4)
    with recorded("irb120", tmp_path / "run.mcap", 700) as record:
        assert [saved.number for saved in record.snapshots()][:2] == [0, 200]
        found = farhand.records.resimulate(record, start=350)
    assert found.equal, found.difference
    assert found.first == 201


def test_a_difference_is_named_by_tick_and_value(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with recorded("irb120", tmp_path / "run.mcap", 700) as record:
        step = Cell.step

        def pushed(cell: Cell, inputs: Inputs) -> Tick:
            if cell.number == 299:
                cell.world.qpos[0] += 1e-12
            return step(cell, inputs)

        monkeypatch.setattr(Cell, "step", pushed)
        found = farhand.records.resimulate(record)
    assert found.difference is not None
    assert found.difference.tick == 300
    assert found.difference.path.startswith("state.")
    assert found.difference.kept != found.difference.again


def test_a_snapshot_of_another_cell_is_refused_and_changes_nothing() -> None:
    saved = save(driven(Cell.load("irb120"), 100).cell)
    other = Cell.load("titan3-cyberimpact")
    before = [other.step() for _ in range(3)]
    other = Cell.load("titan3-cyberimpact")
    with pytest.raises(RecordError, match="the snapshot of tick 100 cannot be taken up"):
        restore(other, saved)
    assert [other.step() for _ in range(3)] == before


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("dof_awake_ind", 10**6),
        ("body_awake_ind", -5),
        ("tree_asleep", -100),
        ("moment_rowadr", 10**6),
        ("nv_awake", 99),
    ],
)
def test_a_snapshot_that_leads_out_of_the_worlds_memory_is_refused(name: str, value: int) -> None:
    cell = Cell.load("irb120-grasp")
    saved = save(cell)
    physics = saved.physics
    if name in physics.numbers:
        physics = msgspec.structs.replace(physics, numbers={**physics.numbers, name: value})
    else:
        indexes = np.frombuffer(physics.arrays[name], np.int32).copy()
        indexes[0] = value
        physics = msgspec.structs.replace(physics, arrays={**physics.arrays, name: indexes.tobytes()})
    with pytest.raises(RecordError, match=f"the saved physics is damaged: {name}"):
        restore(cell, msgspec.structs.replace(saved, physics=physics))
    restore(cell, saved)


def test_a_collector_costs_little_and_never_raises() -> None:
    cell = Cell.load("irb120")
    batches: list[Batch] = []
    gathers = Collector(cell, batches.append)
    gathers.begin()
    run = Run(cell, {}, listeners=[gathers])
    run.run(1.1)
    assert [(batch.number, batch.first, batch.last) for batch in batches] == [(1, 1, 0), (2, 1, 50), (3, 51, 550)]
    assert [batch.moving for batch in batches] == [True, True, False]  # at rest a batch is a second long
    assert len(batches[-1].kept) <= 20
    run.send(Stop())
    run.run(0.1)
    assert (batches[-1].first, batches[-1].moving) == (551, True)  # an event does not wait
