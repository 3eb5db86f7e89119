"""Frames of a cell: they hold the measurements of their tick, and every tick is read."""

import math
import struct
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hands import Hand
from hypothesis import given
from hypothesis import strategies as st
from worded import worded

from farhand.cell import Cell
from farhand.cell.signals import signals_of
from farhand.poses import Pose, compose
from farhand.server.cell_process.describe import describe
from farhand.server.cell_process.frame_publisher import FRAME_RATE, MAX_CONTACTS, FramePublisher
from farhand.server.cell_process.ghosts import Ghosts
from farhand.server.cell_process.packing import pack_poses
from farhand.server.protocol.internal_messages import Frame
from farhand.server.protocol.messages import POSE_ROW
from farhand.types import AddObject, Inputs, MoveJoints, MoveObject, MoveTip, ObjectSpec, RemoveObject, Stop, Tick

numbers = st.floats(-1e3, 1e3)
turns = st.tuples(*(st.floats(-1.0, 1.0),) * 4).filter(lambda q: math.hypot(*q) > 1e-3)


def unpacked(content: bytes, index: int) -> Pose:
    x, y, z, *turn = struct.unpack_from("<3f4h", content, index * POSE_ROW)
    return Pose((x, y, z), tuple(part / 32767.0 for part in turn))


@given(st.lists(st.tuples(numbers, numbers, numbers, turns), min_size=1, max_size=5))
def test_packed_poses_come_back_within_their_rounding(poses: list[tuple[float, float, float, Any]]) -> None:
    positions = np.array([pose[:3] for pose in poses])
    quaternions = np.array([np.array(pose[3]) / math.hypot(*pose[3]) for pose in poses])
    content = pack_poses(positions, quaternions)
    assert len(content) == POSE_ROW * len(poses)
    for i in range(len(poses)):
        back = unpacked(content, i)
        assert np.allclose(back.position, positions[i], rtol=2**-24, atol=1e-40)
        assert np.max(np.abs(np.array(back.rotation) - quaternions[i])) <= 0.5 / 32767 + 1e-12
        # Half a step in each of four numbers: less than 0.004 degrees.
        angle = 2.0 * math.acos(
            min(1.0, abs(float(np.dot(back.rotation, quaternions[i]))) / math.hypot(*back.rotation))
        )
        assert angle < 7e-5


def test_the_ends_of_the_range_do_not_wrap_around() -> None:
    content = pack_poses(np.zeros((2, 3)), np.array([[-1.0, 0.0, 0.0, 0.0], [1.0 + 1e-9, 0.0, 0.0, 0.0]]))
    assert unpacked(content, 0).rotation[0] == -1.0
    assert unpacked(content, 1).rotation[0] == 1.0


class Bench(Hand):
    """A cell with a publisher, and the ticks beside the frames."""

    def __init__(self, cell: Cell) -> None:
        self.frames: list[Frame] = []
        self.ticks: dict[int, Tick] = {}
        self.marks = np.zeros((0, 4))
        self.publisher = FramePublisher(cell, 5, self.frames.append)
        super().__init__(cell)
        self.run.listeners = (self.publisher, self._keep)

    def _keep(self, inputs: Inputs, tick: Tick) -> None:
        del inputs
        self.ticks[tick.number] = tick
        if self.frames and tick.number == self.frames[-1].tick:
            self.marks = self.cell.world.contact_marks()

    @property
    def last(self) -> tuple[Frame, Tick]:
        return self.frames[-1], self.ticks[self.frames[-1].tick]


@pytest.fixture(scope="module")
def loaded() -> Cell:
    return Cell.load("irb120")


@pytest.fixture
def bench(loaded: Cell) -> Iterator[Bench]:
    before = loaded.snapshot()
    yield Bench(loaded)
    loaded.restore(before)


def floats(content: bytes) -> list[float]:
    return list(struct.unpack(f"<{len(content) // 4}f", content))


def test_frames_come_sixty_times_a_second_of_the_cell_s_time(bench: Bench) -> None:
    bench.drive(1.0)
    spacing = {b.tick - a.tick for a, b in pairwise(bench.frames)}
    assert spacing == {round(1.0 / (FRAME_RATE * bench.cell.dt))}
    assert [frame.time for frame in bench.frames] == [bench.ticks[frame.tick].time for frame in bench.frames]


def test_a_frame_holds_what_its_tick_measured(bench: Bench) -> None:
    bench.drive(0.2)
    bench.drive(0.7, 1.0, -0.5, 0.0, 0.7, 0.0, 0.0, -1.0)
    frame, tick = bench.last
    (robot,) = frame.robots
    report, state = tick.lanes["arm"], tick.state.robots["arm"]
    assert (frame.run, frame.scene, frame.time) == (5, 1, tick.time)
    assert (robot.mode, robot.level) == ("teleoperation", 5)
    assert list(bench.cell.lanes["arm"].mappings)[robot.mapping] == "joints"
    assert robot.heard == report.heard > 0
    assert robot.age == 0
    assert floats(robot.joints) == pytest.approx(state.groups["arm"].positions, rel=1e-6)
    assert robot.grip == pytest.approx(state.groups["gripper"].positions[0], abs=1e-5)
    tip = state.T_base_tip
    assert floats(robot.tip) == pytest.approx([*tip.position, *tip.rotation], rel=1e-6, abs=1e-7)
    assert floats(robot.force) == pytest.approx(state.contact.force, rel=1e-6, abs=1e-6)


def test_poses_of_a_frame_are_those_of_its_tick(bench: Bench) -> None:
    bench.send(MoveObject("cube", Pose((0.4, 0.1, 1.4))))
    bench.drive(0.2)
    bench.drive(0.2, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0)
    frame, tick = bench.last
    scene = describe(bench.cell, "bench", frame.scene, signals_of(bench.cell), bench.run.masters)
    names = [body.name for body in scene.bodies]
    assert len(frame.bodies) == POSE_ROW * len(names)
    cube = unpacked(frame.bodies, names.index("cube"))
    assert tick.state.objects["cube"].position[2] < 1.2  # it falls
    assert cube.position == pytest.approx(tick.state.objects["cube"].position, abs=1e-6)
    (robot,) = scene.robots
    T_world_tip = compose(unpacked(frame.bodies, robot.tip.body), robot.tip.pose)
    expected = compose(robot.base.pose, tick.state.robots["arm"].T_base_tip)
    assert T_world_tip.position == pytest.approx(expected.position, abs=1e-4)
    assert abs(np.dot(T_world_tip.rotation, expected.rotation)) == pytest.approx(1.0, abs=1e-7)


def test_sleepers_have_their_bit_and_contacts_their_marks(bench: Bench) -> None:
    bench.drive(2.0)
    frame, tick = bench.last
    names = [body.name for body in bench.cell.world.compiled.look.bodies]
    bits = {name for i, name in enumerate(names) if frame.asleep[i // 8] >> (i % 8) & 1}
    assert bits == tick.state.asleep != set()
    bench.send(MoveObject("cube", Pose((0.40, 0.0, 0.627))))
    bench.drive(0.15)
    frame, tick = bench.last
    bits = {name for i, name in enumerate(names) if frame.asleep[i // 8] >> (i % 8) & 1}
    assert bits == tick.state.asleep
    assert "cube" not in bits
    marks = np.array(floats(frame.contacts)).reshape(-1, 4)
    under = marks[np.linalg.norm(marks[:, :2] - np.array([0.40, 0.0]), axis=1) < 0.04]
    assert len(under) >= 3
    assert under[:, 2] == pytest.approx(0.6, abs=0.002)  # the table's top
    assert under[:, 3].sum() == pytest.approx(0.15 * 9.81, rel=0.1)  # the cube's weight


def test_at_most_the_hardest_contacts_are_marked(bench: Bench) -> None:
    for i in range(12):
        spec = ObjectSpec(name=f"box {i}", size=(0.04, 0.04, 0.04), position=(-0.3 + 0.06 * i, 0.4, 0.625), mass=1.0)
        bench.send(AddObject(spec))
    bench.drive(0.1)
    frame, tick = bench.last
    assert tick.state.contacts > MAX_CONTACTS
    marks = np.array(floats(frame.contacts)).reshape(-1, 4)
    assert len(marks) == MAX_CONTACTS
    assert np.sort(marks[:, 3]) == pytest.approx(np.sort(bench.marks[:, 3])[-MAX_CONTACTS:], rel=1e-6)


def test_an_edit_makes_a_new_scene_with_its_body(bench: Bench) -> None:
    bench.drive(0.1)
    before = bench.frames[-1]
    bench.send(AddObject(ObjectSpec(name="new", size=(0.05, 0.05, 0.05), position=(0.5, 0.4, 0.7))))
    bench.drive(0.1)
    added = bench.frames[-1]
    assert (before.scene, added.scene) == (1, 2)
    assert len(added.bodies) == len(before.bodies) + POSE_ROW
    bench.send(RemoveObject("new"))
    bench.drive(0.1)
    assert bench.frames[-1].scene == 3
    assert len(bench.frames[-1].bodies) == len(before.bodies)


def test_every_entry_is_in_exactly_one_frame(bench: Bench) -> None:
    bench.drive(0.1)
    bench.send(Stop(by="Ada"), RemoveObject("nothing"))
    bench.drive(0.3, 1.0)
    numbers_ = [entry.number for frame in bench.frames for entry in frame.entries]
    assert numbers_ == list(range(1, bench.publisher.note_log.said + 1))
    assert bench.frames[-1].said == bench.publisher.note_log.said
    stopped = next(e for frame in bench.frames for e in frame.entries if e.note.code == "mode.stopped")
    assert worded(stopped.note) == "Stopped: Ada pressed Stop."
    first = next(tick for tick in bench.ticks.values() if tick.lanes["arm"].mode == "stopped")
    assert stopped.time == first.time
    assert "mode.stopped" in [note.code for note in bench.frames[-1].why["arm"]]


def test_signals_are_sampled_every_tick(bench: Bench) -> None:
    bench.drive(0.1)
    bench.frames.clear()
    known = {signal.name: signal for signal in signals_of(bench.cell)}
    chosen = (known["arm/joint 1/position"], known["cube/z"])
    bench.publisher.listen(chosen)
    bench.drive(0.5, 1.0)
    with_samples = [frame for frame in bench.frames if frame.samples]
    assert {frame.signals for frame in with_samples} == {("arm/joint 1/position", "cube/z")}
    samples: dict[int, list[float]] = {}
    for frame in with_samples:
        values = floats(frame.samples)
        rows = [values[i : i + 2] for i in range(0, len(values), 2)]
        assert frame.first + len(rows) - 1 == frame.tick
        samples.update({frame.first + i: row for i, row in enumerate(rows)})
    assert sorted(samples) == list(range(min(samples), max(samples) + 1))
    for number, row in samples.items():
        assert row == pytest.approx([signal.read(bench.ticks[number]) for signal in chosen], rel=1e-6, abs=1e-6)
    bench.publisher.listen(())
    bench.drive(0.1)
    assert bench.frames[-1].samples == b""


# ── Ghosts ───────────────────────────────────────────────────────────────────────────────────────────────────────

GOAL = (0.6, 0.35, 0.1, 0.0, 1.12, 0.0)


def test_a_ghost_is_where_the_robot_is_at_the_end_of_its_move() -> None:
    cell = Cell.load("irb120")
    ghosts, look = Ghosts(cell), cell.world.compiled.look
    cell.step(Inputs())
    assert ghosts.poses("arm") == b""
    cell.step(Inputs(events=(MoveJoints("arm", GOAL),)))
    ghost = ghosts.poses("arm")
    own = np.array([i for i, body in zip(look.body_ids, look.bodies, strict=True) if body.robot == "arm"])
    assert len(ghost) == POSE_ROW * len(own)
    assert unpacked(ghost, len(own) - 1) != unpacked(pack_poses(*cell.world.body_poses(own)), len(own) - 1)
    while cell.memory["arm"].active:
        assert ghosts.poses("arm") == ghost
        cell.step(Inputs())
    assert ghosts.poses("arm") == b""
    for _ in range(200):
        cell.step(Inputs())
    there = pack_poses(*cell.world.body_poses(own))
    for i in range(len(own)):
        assert unpacked(ghost, i).position == pytest.approx(unpacked(there, i).position, abs=1e-3)


def test_a_pose_that_cannot_be_reached_has_no_ghost() -> None:
    cell = Cell.load("irb120")
    cell.step(Inputs(events=(MoveTip("arm", Pose((5.0, 0.0, 0.0))),)))
    assert cell.step(Inputs()).lanes["arm"].planning is not None
    assert Ghosts(cell).poses("arm") == b""
