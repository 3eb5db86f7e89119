"""Every control mode of every robot in the catalogue moves it, driven by a remote master."""

import pytest
from worded import worded

from farhand.cell import Cell, cell_names
from farhand.loop import Run
from farhand.masters import Modelled, attach_remote
from farhand.poses import Pose
from farhand.types import Power, Reading, RobotState, SelectMapping, SetSpeed, Tick

MOVED = 1e-3  # rad or m


class Operator:
    """Leads one robot as a page does: by deflections where they lead it or its device, else by a pose."""

    def __init__(self, cell: Cell, robot: str) -> None:
        self.cell, self.robot, self.lane = cell, robot, cell.lanes[robot]
        self.run = Run(cell)
        name = cell.master_of(robot)
        assert name is not None
        self.run.masters[name], self.remote = attach_remote(self.run.masters[name])
        self.modelled = isinstance(self.run.masters[name], Modelled)
        self.sequence = 10 * cell.number  # newer than what whoever was here before has said
        self.tick = self.step(held=False)

    def step(self, *, held: bool, pose: Pose | None = None) -> Tick:
        self.sequence += 1
        axes = (0.5, 0.0, 0.5)
        if self.remote is not None:
            self.remote.put(Reading(sequence=self.sequence, tick=self.cell.number, deadman=held, axes=axes, pose=pose))
        return self.run.tick()

    def lead(self, mapping: str, seconds: float) -> float:
        """Return how far anything of the robot went in a way to drive."""
        self.run.send(SelectMapping(self.robot, mapping))
        for _ in range(25):
            self.tick = self.step(held=False)
        start = self.tick.state.robots[self.robot]
        x, y, z = start.T_base_tip.position
        for i in range(round(seconds / self.cell.dt)):
            pose = None if self.modelled else Pose((x, y, z - 0.0002 * i), start.T_base_tip.rotation)
            self.tick = self.step(held=True, pose=pose)
        return farthest(start, self.tick.state.robots[self.robot])


def farthest(a: RobotState, b: RobotState) -> float:
    rows = [(a.groups[name].positions, b.groups[name].positions) for name in a.groups]
    if a.T_world_base and b.T_world_base:
        rows.append((a.T_world_base.position, b.T_world_base.position))
    return max(abs(x - y) for here, there in rows for x, y in zip(here, there, strict=True))


@pytest.mark.parametrize("name", cell_names())
def test_every_control_mode_moves_the_robot(name: str) -> None:
    cell = Cell.load(name)
    for robot, lane in cell.lanes.items():
        operator = Operator(cell, robot)
        operator.run.send(SetSpeed(robot, len(lane.speeds)))
        if lane.power:
            operator.run.send(Power(robot, on=True))
            operator.run.run(lane.power.seconds + 0.1)
        for mapping in lane.mappings:
            way = operator.lead(mapping, 0.3 if operator.remote else 2.0)  # a script begins when it likes
            said = [worded(note) for note in operator.tick.lanes[robot].notes]
            assert way > MOVED, (robot, mapping, said)
            if operator.remote is not None:
                assert operator.tick.lanes[robot].mode == "teleoperation", (robot, mapping, said)
