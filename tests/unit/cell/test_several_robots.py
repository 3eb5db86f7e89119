"""Several robots: each has its own operator, master and lease, and follows only its own commands."""

from __future__ import annotations

import math

from gateways import Gateway, a_scene, in_loop, settle

from farhand import Cell
from farhand.poses import Vec3
from farhand.server.cell_process.describe import describe
from farhand.server.gateway.viewer import Viewer
from farhand.server.protocol.messages import Ask, Hand
from farhand.types import Inputs, Reading, ResetRobot, Stop, Tick

TWO = ("telemax", "second")


def base(tick: Tick, robot: str) -> Vec3:
    found = tick.state.robots[robot].T_world_base
    assert found is not None
    return found.position


def reading(cell: Cell, axes: tuple[float, ...], number: int, epoch: int = 0) -> Reading:
    held = number > 1 and any(axes)
    presses = {"deadman": int(held)}
    return Reading(sequence=number, epoch=epoch, tick=cell.number, deadman=held, axes=axes, presses=presses)


@in_loop
async def test_two_operators_drive_two_robots_of_one_world_each_with_their_own_lease() -> None:
    cell, gateway = Cell.load("telemax-two"), Gateway()
    gateway.start(a_scene(*describe(cell, "bench", 1, (), cell.masters).robots))
    (one, page), (two, _) = gateway.enter(), gateway.enter()
    for viewer, robot in ((one, "telemax"), (two, "second")):
        gateway.state.take(viewer, Ask(robot=robot))
    await settle()
    assert [page.lease(robot).holder for robot in TWO] == [one.number, two.number]
    before = {robot: base(cell.step(), robot) for robot in TWO}

    def send(viewer: Viewer, robot: str, axes: tuple[float, ...], number: int) -> None:
        gateway.state.take(viewer, Hand(robot=robot, reading=reading(cell, axes, number, page.lease(robot).epoch)))

    for number in range(1, 500):
        send(one, "telemax", (0.6,), number)
        send(two, "second", (-0.6,), number)
        send(one, "second", (1.0,), number)  # is not his
        tick = cell.step(Inputs(readings=dict(gateway.link.hands)))
        gateway.link.hands.clear()
    assert base(tick, "telemax")[0] > before["telemax"][0] + 0.1
    assert base(tick, "second")[0] < before["second"][0] - 0.1
    assert all(abs(base(tick, robot)[1] - before[robot][1]) < 0.01 for robot in TWO)
    assert {tick.lanes[robot].mode for robot in TWO} == {"teleoperation"}


def test_a_reset_of_one_robot_leaves_the_other_as_it_is_and_a_stop_stops_both() -> None:
    cell = Cell.load("telemax-two")
    for number in range(1, 400):
        axes = (0.6,)
        tick = cell.step(Inputs(readings={master: reading(cell, axes, number) for master in ("hand", "second hand")}))
    far = base(tick, "second")
    tick = cell.step(Inputs(events=(ResetRobot("telemax"),)))
    assert math.dist(base(tick, "telemax"), (-0.8, 1.0, 0.0)) < 0.01
    assert math.dist(base(tick, "second"), far) < 0.01
    assert [tick.lanes[robot].mode for robot in TWO] == ["idle", "teleoperation"]
    tick = cell.step(Inputs(events=(Stop(),)))
    assert [tick.lanes[robot].mode for robot in TWO] == ["stopped", "stopped"]


def test_a_tracked_robot_and_an_arm_that_stands_work_side_by_side() -> None:
    cell = Cell.load("telemax-irb120")
    first = cell.step()
    tips = [first.state.robots["arm"].T_base_tip.position]
    for number in range(1, 500):
        hands = {"hand": (-0.6,), "arm hand": (0.0, 0.0, 0.5)}
        tick = cell.step(Inputs(readings={name: reading(cell, axes, number) for name, axes in hands.items()}))
    tips.append(tick.state.robots["arm"].T_base_tip.position)
    assert base(tick, "telemax")[0] < base(first, "telemax")[0] - 0.1
    assert tips[1][2] > tips[0][2] + 0.01
    assert math.dist(tips[0][:2], tips[1][:2]) < 2e-3
    assert tick.state.objects["cube"].position[2] > 0.3
