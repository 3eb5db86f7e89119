"""The log of a tracked robot's arm, tick by tick, as columns; and cells with different ground under the robot."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np

from farhand.cell import Cell
from farhand.cell.cell_spec import CellSpec, RobotSpec, WorldSpec
from farhand.experiments.plot import Panel, PlotLine
from farhand.formats.model import JointSpec
from farhand.kernels import Floats
from farhand.lane.motion.base_notes import attitude_of
from farhand.loop import Run
from farhand.masters import Master
from farhand.poses import from_rpy
from farhand.types import MoveJoints, ObjectSpec, Reading, Tick, Vector

__all__ = ["ROBOT", "STANDS", "ArmLog", "Stand", "arm_panels", "settled", "tracked_cell"]

ROBOT, MASTER = "telemax", "hand"
Stand = Literal["level ground", "a ramp of 30°", "a bar under its tracks"]
STANDS: tuple[Stand, ...] = ("level ground", "a ramp of 30°", "a bar under its tracks")
RAMP = math.radians(30.0)
BAR = 0.012  # m, radius
BALANCE = 0.087  # m ahead of its middle, where the robot balances with its arm half stretched
SETTLE_S = 0.6


def tracked_cell(stand: Stand, mappings: Mapping[str, dict[str, Any]]) -> Cell:
    """Return a cell with the tracked robot at rest on its tracks, its flippers raised.

    On a bar it rocks: the weight of the arm decides which end is on the ground.

    Args:
        stand: The ground that it stands on.
        mappings: The control modes of its arm; the first is chosen.
    """
    up, out = math.sin(RAMP), math.cos(RAMP)
    ramp = ObjectSpec(name="ramp", size=(4.0, 2.0, 0.2), mass=0.0, position=(0.1 * up, 0.0, -0.1 * out + 1.0),
                      rotation=from_rpy(0.0, -RAMP, 0.0))  # fmt: skip
    bar = ObjectSpec(name="bar", shape="cylinder", size=(BAR, 1.0), mass=0.0, position=(BALANCE, 0.0, 0.0),
                     rotation=from_rpy(0.5 * math.pi, 0.0, 0.0))  # fmt: skip
    objects: tuple[ObjectSpec, ...] = {STANDS[0]: (), STANDS[1]: (ramp,), STANDS[2]: (bar,)}[stand]
    height, pitch = {STANDS[0]: (0.0, 0.0), STANDS[1]: (1.002, RAMP), STANDS[2]: (BAR + 0.001, 0.0)}[stand]
    robot = RobotSpec(
        model="telemax",
        tool="telemax-claw",
        master=MASTER,
        position=(0.0, 0.0, height),
        rotation=from_rpy(0.0, -pitch, 0.0),
        mappings=dict(mappings),
        filters=({"kind": "scale"}, {"kind": "smooth"}),
    )
    spec = CellSpec(
        name=stand,
        speeds=(1.0,),
        speed_level=1,
        world=WorldSpec(objects=objects),
        robots={ROBOT: robot},
        masters={MASTER: {"kind": "manual"}},
    )
    return Cell(spec, Path("telemax.toml"))


class ArmLog:
    """Runs a cell with the tracked robot and logs its arm.

    Args:
        cell: The cell.
        master: The master that drives the robot, if any.

    Attributes:
        time: (m,) time since the start of the log, s.
        hand: (m, 3) position of the master, m.
        tip: (m, 3) position of the tip, m, base axes.
        joints: (m, n) joint positions.
        setpoints: (m, n) set-points of the drives.
        rates: (m, n) measured joint rates.
        efforts: (m, n) efforts of the drives.
        attitude: (m, 2) pitch and roll of the base, rad.
        driving: (m,) whether the robot follows the master.
    """

    def __init__(self, cell: Cell, master: Master | None = None) -> None:
        self.cell = cell
        self.run = Run(cell, None if master is None else {MASTER: master}, listeners=(self._listen,))
        self._reading: Reading | None = None
        self._ticks: list[tuple[Tick, Reading | None]] = []

    def _listen(self, inputs: Any, tick: Tick) -> None:
        self._reading = inputs.readings.get(MASTER, self._reading)
        self._ticks.append((tick, self._reading))

    @property
    def specs(self) -> tuple[JointSpec, ...]:
        """The arm's joints."""
        return self.cell.lanes[ROBOT].model.arm.joints

    def move(self, goal: Vector, seconds: float) -> ArmLog:
        """Move the arm to a posture, log it, and return the log."""
        self.run.send(MoveJoints(ROBOT, goal))
        return self.take(seconds)

    def take(self, seconds: float) -> ArmLog:
        """Run for some virtual seconds, log it, and return the log."""
        self._ticks.clear()
        for _ in range(round(seconds / self.cell.dt)):
            self.run.tick()
        states = [tick.state.robots[ROBOT] for tick, _ in self._ticks]
        arms = [state.groups["arm"] for state in states]
        lanes = [tick.lanes[ROBOT] for tick, _ in self._ticks]
        self.time: Floats = np.arange(1, len(states) + 1, dtype=np.float64) * self.cell.dt
        self.tip = np.array([state.T_base_tip.position for state in states])
        self.joints, self.rates = np.array([a.positions for a in arms]), np.array([a.rates for a in arms])
        self.efforts = np.array([a.efforts for a in arms])
        self.setpoints = np.array([lane.setpoints["arm"].positions for lane in lanes])
        self.driving = np.array([lane.mode == "teleoperation" for lane in lanes])
        self.attitude = np.array([attitude_of(s.T_world_base.rotation) for s in states if s.T_world_base])
        self.hand = np.array([r.pose.position if r and r.pose else (0.0, 0.0, 0.0) for _, r in self._ticks])
        return self

    def columns(self) -> dict[str, Floats]:
        """Return the data as columns for a file."""
        found: dict[str, Floats] = {"time (s)": self.time}
        found |= {f"tip {axis} (m)": self.tip[:, i] for i, axis in enumerate("xyz")}
        for i, joint in enumerate(self.specs):
            unit = "rad" if joint.kind == "hinge" else "m"
            found[f"{joint.name} set-point ({unit})"] = self.setpoints[:, i]
            found[f"{joint.name} ({unit})"] = self.joints[:, i]
            found[f"{joint.name} ({unit}/s)"] = self.rates[:, i]
            found[f"{joint.name} ({'Nm' if joint.kind == 'hinge' else 'N'})"] = self.efforts[:, i]
        return found | {"pitch (rad)": self.attitude[:, 0], "roll (rad)": self.attitude[:, 1]}


def settled(cell: Cell, posture: Vector, rest: float = SETTLE_S) -> Cell:
    """Move the arm to a posture, let everything come to rest, and return the cell."""
    log = ArmLog(cell).take(rest)
    log.move(posture, 0.1)
    while (report := log.run.tick().lanes[ROBOT]).mode == "autonomous" or report.planning:
        pass
    log.take(rest)
    return cell


def arm_panels(log: ArmLog) -> tuple[Panel, Panel, Panel]:
    """Return plots of joint positions relative to their start, velocities and efforts; q4 is the telescope."""
    moved = log.joints - log.joints[0]
    return (
        Panel("Joints, from their start (telescope q4: dm)", "time (s)", "q (rad), q4 (dm)", _lines(log, moved, 10.0)),
        Panel(
            "Joint velocities (telescope q4: dm/s)",
            "time (s)",
            "velocity (rad/s), q4 (dm/s)",
            _lines(log, log.rates, 10.0),
        ),
        Panel("Efforts (telescope q4: N)", "time (s)", "effort (Nm), q4 (N)", _lines(log, log.efforts, 1.0)),
    )


def _lines(log: ArmLog, values: Floats, slide: float) -> tuple[PlotLine, ...]:
    scales = [1.0 if joint.kind == "hinge" else slide for joint in log.specs]
    kinds = [joint.kind != "hinge" for joint in log.specs]
    return tuple(PlotLine(f"q{i + 1}", log.time, k * values[:, i], dashed=kinds[i]) for i, k in enumerate(scales))
