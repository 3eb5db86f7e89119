"""Publish the state of a cell: read every tick, and make every eighth one a frame."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from farhand.cell import Cell
from farhand.cell.setup_warnings import setup_warnings
from farhand.cell.signals import Signal
from farhand.loop.governor import LEAST_FACTOR
from farhand.server.cell_process.attitude_view import tracks_update
from farhand.server.cell_process.clearance_view import near_update
from farhand.server.cell_process.ghosts import Ghosts
from farhand.server.cell_process.master_views import MasterView
from farhand.server.cell_process.note_log import NoteLog
from farhand.server.cell_process.packing import floats, pack_pose, pack_poses
from farhand.server.protocol.internal_messages import Frame
from farhand.server.protocol.messages import CameraUpdate, ClearanceUpdate, RobotUpdate
from farhand.types import Inputs, LaneReport, RobotState, Tick

__all__ = ["FRAME_RATE", "FramePublisher"]

FRAME_RATE = 60.0  # frames per second, as browsers draw them
MAX_CONTACTS = 32  # in a frame, the hardest ones
Floats = NDArray[np.float64]


class FramePublisher:
    """A listener of the loop that sends a frame about sixty times a second.

    Args:
        cell: The cell.
        run: Incarnation of the process.
        send: Takes the frames.
    """

    def __init__(self, cell: Cell, run: int, send: Callable[[Frame], None]) -> None:
        self._cell, self._run, self._send = cell, run, send
        self.master_views: tuple[MasterView, ...] = ()
        self.note_log = NoteLog()
        for name, lane in cell.lanes.items():
            for note in setup_warnings(lane):
                self.note_log.write(cell.time, name, note)
        self.scene, self._compiled = 1, cell.world.compiled
        self.epochs = dict.fromkeys(cell.lanes, -1)
        self._every = max(1, round(1.0 / (FRAME_RATE * cell.dt)))
        self._check()
        self._signals: tuple[Signal, ...] = ()
        self._samples: list[float] = []
        self._first = 0
        self._sent = 0
        self._paced = (time.perf_counter(), cell.number)
        self.factor = 1.0
        self.late = 0  # ticks; the live cell counts them

    def _check(self) -> None:
        look = self._cell.world.compiled.look
        self._lanes = self._cell.lanes
        self._mappings = {name: list(lane.mappings) for name, lane in self._lanes.items()}
        self._ids = np.array(look.body_ids, dtype=np.int64)
        self._names = [body.name for body in look.bodies]
        self._ghosts = Ghosts(self._cell)

    def listen(self, signals: tuple[Signal, ...]) -> None:
        """Sample these signals from the next tick on."""
        self._signals, self._samples = signals, []

    def __call__(self, inputs: Inputs, tick: Tick) -> None:
        """Read a tick; send a frame if one is due."""
        for view in self.master_views:
            view.keep(inputs)
        self.note_log.take(tick)
        if self._signals:
            if not self._samples:
                self._first = tick.number
            self._samples += [signal.read(tick) for signal in self._signals]
        if self._cell.world.compiled is not self._compiled or self._cell.lanes is not self._lanes:
            self._compiled = self._cell.world.compiled
            self.scene += 1
            self._check()
        if tick.number % self._frame_every(inputs.time_factor) == 0:
            self._send(self._frame(tick))

    def _frame_every(self, factor: float) -> int:
        """Return the number of ticks per frame: fewer in a cell that runs slow, so that the frame rate stays."""
        return self._every if factor == 1.0 else max(1, round(self._every * max(factor, LEAST_FACTOR)))

    def _frame(self, tick: Tick) -> Frame:
        world, note_log = self._cell.world, self.note_log
        self._pace(tick.number)
        entries = note_log.since(self._sent)
        self._sent = note_log.said
        samples, self._samples = self._samples, []
        return Frame(
            run=self._run,
            scene=self.scene,
            tick=tick.number,
            time=tick.time,
            factor=self.factor,
            late=self.late,
            bodies=pack_poses(*world.body_poses(self._ids)),
            asleep=self._asleep(tick),
            robots=tuple([self._robot(name, report, tick.state.robots[name]) for name, report in tick.lanes.items()]),
            contacts=self._contact_marks() if tick.state.contacts else b"",
            epochs=tuple(self.epochs.values()),
            said=note_log.said,
            entries=entries,
            why=note_log.why(tick.time),
            signals=tuple([signal.name for signal in self._signals]),
            samples=np.array(samples, dtype="<f4").tobytes() if samples else b"",
            first=self._first,
            masters=tuple([view.update(tick) for view in self.master_views]),
            degraded=self._cell.degraded,
        )

    def _contact_marks(self) -> bytes:
        return _hardest(self._cell.world.contact_marks())

    def _robot(self, name: str, report: LaneReport, robot: RobotState) -> RobotUpdate:
        cameras = self._cameras(name, robot) if robot.cameras else ()
        near, ghost = self._near(name, report), self._ghosts.poses(name)
        return _robot(report, robot, self._mappings[name], near, cameras, ghost)

    def _cameras(self, name: str, robot: RobotState) -> tuple[CameraUpdate, ...]:
        worse = {one.camera: one for one in self._cell.degraded if one.robot == name}
        specs = self._cell.world.rig(name).placement.cameras
        return tuple(
            [
                CameraUpdate(
                    pan=round(now.pan, 5),
                    tilt=round(now.tilt, 5),
                    zoom=round(now.zoom, 4),
                    degraded=worse.get(spec.name),
                )
                for spec, now in zip(specs, robot.cameras, strict=True)
            ]
        )

    def _near(self, name: str, report: LaneReport) -> ClearanceUpdate | None:
        arena = self._cell.lanes[name].arena
        return near_update(arena, report.setpoints["arm"].positions) if arena else None

    def _asleep(self, tick: Tick) -> bytes:
        asleep = tick.state.asleep
        if not asleep:
            return bytes((len(self._names) + 7) // 8)
        return np.packbits([name in asleep for name in self._names], bitorder="little").tobytes()

    def _pace(self, number: int) -> None:
        """Measure the speed of cell time against real time, over about a second."""
        now, (then, before) = time.perf_counter(), self._paced
        if now - then >= 1.0:
            self.factor = (number - before) * self._cell.dt / (now - then)
            self._paced = (now, number)


def _hardest(marks: Floats) -> bytes:
    if len(marks) > MAX_CONTACTS:
        marks = marks[np.argsort(marks[:, 3])[-MAX_CONTACTS:]]
    return marks.astype("<f4").tobytes()


def _robot(
    report: LaneReport,
    robot: RobotState,
    mappings: list[str],
    near: ClearanceUpdate | None,
    cameras: tuple[CameraUpdate, ...],
    ghost: bytes,
) -> RobotUpdate:
    arm, gripper = robot.groups["arm"], robot.groups.get("gripper")
    return RobotUpdate(
        mode=report.mode,
        level=report.speed_level,
        mapping=mappings.index(report.mapping),
        age=-1 if report.age is None else min(round(report.age * 1e3), 10**9),
        heard=report.heard,
        joints=floats(arm.positions),
        grip=round(gripper.positions[0], 5) if gripper else -1.0,
        tip=pack_pose(robot.T_base_tip),
        force=floats(report.contact.force),
        waiting=report.waiting,
        off=report.off,
        generating=report.generating,
        scale=report.scale,
        felt=round(math.hypot(*report.felt.force), 3),
        payload=-1.0 if report.payload is None else round(report.payload, 3),
        lesson=report.lesson,
        recording=report.recording,
        near=near,
        tracks=tracks_update(report, robot),
        cameras=cameras,
        powered=report.powered,
        baseline=round(report.baseline * 1e3),
        planning=report.planning is not None,
        ghost=ghost,
    )
