"""Inputs, outputs, attachments, mazes and switched-off parts, against virtual work, rays and plain sums."""

from __future__ import annotations

import tomllib
from typing import Any

import mujoco
import numpy as np
import pytest
from hands import Hand, rough_cell
from msgspec.structs import replace

from farhand import Cell
from farhand.cell.cell_files import find_cell, read_cell
from farhand.kernels import Floats
from farhand.poses import Pose
from farhand.types import Inputs, Reading, Reconfigure, SelectMapping, SwitchFeedforward, Tick
from farhand.world.attach import AttachSpec

G = 9.81
STILL = (0.0,) * 7


# ── Selectable inputs and outputs ────────────────────────────────────────────────────────────────────────────────


class Joined:
    """The published Touch cell with a hand that a test moves instead of the modelled one."""

    def __init__(self) -> None:
        path = find_cell("irb120-touch")
        spec = read_cell(path)
        arm = replace(spec.robots["arm"], master="hand", filters=())
        self.cell = Cell(replace(spec, robots={"arm": arm}, masters={"hand": {"kind": "manual"}}), path)
        self.sequence, self.presses, self.held = 0, 0, False
        self.tick = self.cell.step()

    def send(self, *events: Any) -> None:
        self.tick = self.cell.step(Inputs(events=events))

    def go(self, x: float, *, held: bool = True) -> Tick:
        """Do a tick with the hand so far along x."""
        self.sequence, self.presses, self.held = self.sequence + 1, self.presses + (held and not self.held), held
        number, pose, presses = self.cell.number, Pose((x, 0.0, 0.0)), {"deadman": self.presses}
        reading = Reading(sequence=self.sequence, tick=number, deadman=held, pose=pose, presses=presses)
        self.tick = self.cell.step(Inputs({"hand": reading}))
        return self.tick

    def push(self, x: float, begin: float = 0.0, speed: float = 0.02) -> list[Tick]:
        """Take hold, bring the hand along x at a speed, and stay there for half a second."""
        ticks = round(abs(x - begin) / speed / 0.002)
        hold = [begin] * 200  # a fresh press eases motion in
        ways = [*hold, *(begin + (x - begin) * (k + 1) / ticks for k in range(ticks)), *[x] * 250]
        return [self.go(way) for way in ways]

    def release(self, x: float) -> None:
        for _ in range(100):
            self.go(x, held=False)

    @property
    def tip(self) -> Floats:
        return np.array(self.tick.state.robots["arm"].T_base_tip.position)


@pytest.mark.parametrize("mapping", ["clutch", "velocity"])
def test_position_and_velocity_control_move_the_tip_twice_as_far(mapping: str) -> None:
    joined = Joined()
    joined.send(SelectMapping("arm", mapping))
    joined.release(0.0)
    start = joined.tip
    joined.push(0.015)
    np.testing.assert_allclose(joined.tip - start, [0.030, 0.0, 0.0], atol=5e-4)  # the cell's scale of 2
    # Chosen while driving: the other one goes on from here, without a jump.
    joined.send(SelectMapping("arm", "velocity" if mapping == "clutch" else "clutch"))
    joined.release(0.015)
    before = joined.tip
    joined.push(0.005, begin=0.015)
    np.testing.assert_allclose(joined.tip - before, [-0.020, 0.0, 0.0], atol=5e-4)


def on_the_tip(cell: Cell) -> float:
    """Return the contact force of the block on the fingers along x, from MuJoCo's own contacts."""
    model, data = cell.world.compiled.model, cell.world._data
    total = 0.0
    for number in range(data.ncon):
        contact = data.contact[number]
        bodies = [str(model.body(int(model.geom_bodyid[g])).name) for g in contact.geom]
        if "block" in bodies:
            force = np.zeros(6)
            mujoco.mj_contactForce(model, data, number, force)
            along_x = float(contact.frame[:3][0]) * force[0]  # the normal points from the first to the second
            total += along_x if bodies[0] == "block" else -along_x
    return total


@pytest.mark.parametrize(("scale", "expected"), [(None, 0.2), (0.05, 0.05), (0.0, 0.0)])
def test_force_feedback_is_the_chosen_share_of_mujoco_s_contact_force(scale: float | None, expected: float) -> None:
    joined = Joined()
    if scale is not None:
        joined.send(Reconfigure("arm", "feedback", "", {"scale": scale, "threshold": 0.0}))
    joined.release(0.0)
    ticks, shown = joined.push(0.024), []
    for _ in range(500):
        tick = joined.go(0.024)
        shown.append((tick.lanes["arm"].felt.force[0], on_the_tip(joined.cell)))
    felt, pressed = np.mean(shown, axis=0)
    assert ticks[-1].lanes["arm"].mode == "teleoperation"
    assert pressed < -5.0  # it does press
    assert felt == pytest.approx(expected * pressed, rel=0.02, abs=0.02)


# ── Attachments of a link ───────────────────────────────────────────────────────────────────────────────────────


def loaded(mass: float) -> Cell:
    path = find_cell("irb120")
    spec = read_cell(path)
    arm = spec.robots["arm"]
    lamp = AttachSpec(link="forearm", shape="sphere", size=(0.08, 0.08, 0.08), position=(0.0, -0.12, 0.0), mass=mass)
    attach = (lamp,) if mass else ()
    return Cell(replace(spec, robots={"arm": replace(arm, avoid=None, attach=attach)}), path)


def test_attachments_of_a_link_are_held_by_virtual_work() -> None:
    mass, ticks, cells = 1.2, [], [loaded(0.0), loaded(1.2)]
    for cell in cells:
        for _ in range(600):
            tick = cell.step()
        ticks.append(tick.state.robots["arm"].groups["arm"])
    added = np.array(ticks[1].efforts) - np.array(ticks[0].efforts)
    # τ = m·g·∂z/∂q: how its centre rises when a joint turns, by MuJoCo's kinematics alone.
    model = cells[1].world.compiled.model
    data = mujoco.MjData(model)
    data.qpos[:] = cells[1].world._data.qpos
    spheres = np.flatnonzero(model.geom_type == int(mujoco.mjtGeom.mjGEOM_SPHERE)).tolist()
    (geom,) = [g for g in spheres if "arm/" in model.body(int(model.geom_bodyid[g])).name]

    def height(joint: int, turn: float) -> float:
        data.qpos[:] = cells[1].world._data.qpos
        data.qpos[cells[1].world.compiled.index.robots["arm"].arm.qpos[joint]] += turn
        mujoco.mj_kinematics(model, data)
        return float(data.geom_xpos[geom][2])

    expected = [mass * G * (height(j, 1e-5) - height(j, -1e-5)) / 2e-5 for j in range(6)]
    assert np.abs(expected).max() > 0.5
    np.testing.assert_allclose(added, expected, atol=0.02)
    np.testing.assert_allclose(ticks[1].positions, ticks[0].positions, atol=1e-3)  # the drives know its weight


# ── A subset alone ───────────────────────────────────────────────────────────────────────────────────────────────


def test_without_feed_forward_a_joint_sags_by_its_weight_over_its_stiffness() -> None:
    hand = Hand(rough_cell())
    hand.drive(0.5)
    before = np.array(hand.joints)
    hand.send(SwitchFeedforward("arm", on=False))
    hand.drive(2.0)
    world = hand.cell.world
    model, data = world.compiled.model, mujoco.MjData(world.compiled.model)
    data.qpos[:] = world._data.qpos
    mujoco.mj_forward(model, data)
    weight = data.qfrc_bias[world.compiled.index.robots["arm"].arm.dofs]
    stiffness = -model.actuator_biasprm[world.compiled.index.robots["arm"].arm.actuators, 1]
    sag = before - np.array(hand.joints)
    assert np.abs(sag).max() > 1e-3
    np.testing.assert_allclose(sag, weight / stiffness, atol=2e-5, rtol=0.02)
    hand.send(SwitchFeedforward("arm", on=True))
    hand.drive(2.0)
    np.testing.assert_allclose(hand.joints, before, atol=2e-4)


# ── Mazes ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_ray_from_cell_to_cell_of_a_maze_meets_a_wall_only_where_the_plan_has_one() -> None:
    text = tomllib.loads(find_cell("telemax-maze").read_text())
    maze = text["world"]["pieces"][0]
    plan, (x0, y0, _), pitch = maze["plan"], maze["position"], maze["corridor"] + 0.06
    world = Cell.load("telemax-maze", seed=0).world
    model, data = world.compiled.model, mujoco.MjData(world.compiled.model)
    data.qpos[:3] = 50.0  # the robot is out of the way
    data.qpos[:] = np.where(np.arange(model.nq) < 3, 50.0, world.compiled.qpos_start)
    mujoco.mj_forward(model, data)
    rows, columns = len(plan) // 2, (len(plan[0]) - 1) // 3
    walls = 0
    for row in range(rows):
        for column in range(columns):
            at = np.array([x0 + (column + 0.5) * pitch, y0 - (row + 0.5) * pitch, 0.25])
            # Each side of the cell, as a character of the plan and as a direction in the world.
            sides = {
                (1.0, 0.0): plan[2 * row + 1][3 * (column + 1)],
                (-1.0, 0.0): plan[2 * row + 1][3 * column],
                (0.0, 1.0): plan[2 * row][3 * column + 1],
                (0.0, -1.0): plan[2 * row + 2][3 * column + 1],
            }
            for (x, y), drawn in sides.items():
                geom = np.zeros(1, np.int32)
                far = mujoco.mj_ray(model, data, at, np.array([x, y, 0.0]), None, 1, -1, geom)
                met = 0.0 <= far < pitch
                assert met == (drawn != " "), (row, column, x, y)
                if met:
                    walls += 1
                    assert far == pytest.approx(maze["corridor"] / 2, abs=1e-6)
    assert walls > 20
