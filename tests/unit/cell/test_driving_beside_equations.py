"""Driving against independent computations: data sheets, plain numpy, rotations and differential equations."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hands import Hand, rough_cell
from msgspec.structs import replace

from farhand import Cell
from farhand.cell.cell_files import find_cell, read_cell
from farhand.kernels import Floats
from farhand.kinematics import SerialChain
from farhand.poses import IDENTITY, Pose, Vec3, from_rotation_vector, matrix
from farhand.types import FreeMe, Generate, Generator, Inputs, Reading, Reconfigure
from farhand.world.drives.controls import velocity_control

PI = math.pi
# System 3's table, standard DH, and the data sheet's limits (rad).
IRB120 = (
    (0.0, -PI / 2, 0.290, 0.0),
    (0.270, 0.0, 0.0, -PI / 2),
    (0.070, -PI / 2, 0.0, 0.0),
    (0.0, PI / 2, 0.302, 0.0),
    (0.0, -PI / 2, 0.0, 0.0),
    (0.0, 0.0, 0.072, PI),
)
LOWER = (-2.879, -1.919, -1.919, -2.793, -2.094, -6.981)
UPPER = (2.879, 1.919, 1.221, 2.793, 2.094, 6.981)


def plain_tip(q: Floats) -> Floats:
    """Return the product of the table's four motions, link by link."""
    T = np.eye(4)
    for (a, alpha, d, offset), angle in zip(IRB120, q, strict=True):
        c, s, ca, sa = math.cos(angle + offset), math.sin(angle + offset), math.cos(alpha), math.sin(alpha)
        T = T @ [[c, -s * ca, s * sa, a * c], [s, c * ca, -c * sa, a * s], [0, sa, ca, d], [0, 0, 0, 1]]
    return T


def nearest(point: Floats, tries: int = 12) -> float:
    """Return how near the tip comes to a point, by descents along the finite differences of the plain table."""
    rng, best = np.random.default_rng(0), math.inf
    for _ in range(tries):
        q = rng.uniform(LOWER, UPPER)
        for _ in range(120):
            gap = plain_tip(q)[:3, 3] - point
            J = np.array([(plain_tip(q + 1e-6 * e)[:3, 3] - point - gap) / 1e-6 for e in np.eye(6)]).T
            q = np.clip(q - J.T @ np.linalg.solve(J @ J.T + 1e-4 * np.eye(3), gap), LOWER, UPPER)
        best = min(best, float(np.linalg.norm(plain_tip(q)[:3, 3] - point)))
    return best


def irb120_chain() -> SerialChain:
    rows = [(a, alpha, d, offset, "revolute") for a, alpha, d, offset in IRB120]
    return SerialChain.from_dh(rows, LOWER, UPPER)


@pytest.mark.parametrize("point", [(0.9, 0.3, 0.4), (0.1, -0.2, 1.4), (-0.7, 0.5, 0.7)])
def test_an_unreachable_point_is_approached_as_far_as_it_can_be_whatever_the_orientation(
    point: tuple[float, float, float],
) -> None:
    chain, q = irb120_chain(), np.array([0.2, 0.3, 0.1, 0.1, 0.8, 0.1])
    T = plain_tip(q)
    T[:3, 3] = point
    for _ in range(4000):
        q = chain.follow(T, q)
    reached = float(np.linalg.norm(plain_tip(q)[:3, 3] - point))
    assert reached <= nearest(np.array(point)) + 1e-3


def test_a_point_within_reach_is_kept_exactly_when_its_orientation_is_not() -> None:
    chain, q = irb120_chain(), np.array([0.0, 0.9, 0.2, 0.0, 0.3, 0.0])
    T = plain_tip(q)
    T[:3, 3] *= 0.63 / np.linalg.norm(T[:3, 3])
    T[:3, :3] = T[:3, :3] @ turned((0.0, 2.6, 0.0))  # the hand turned back into its own forearm
    found = chain.inverse(T, q)
    assert (found.reached, found.reason) == (False, "orientation")
    assert np.linalg.norm(plain_tip(found.q)[:3, 3] - T[:3, 3]) < 1e-5


@pytest.mark.parametrize("axis", [(0.0, 1.0, 0.0), (0.0, 0.0, 1.0)])
def test_a_hand_that_turns_further_than_the_wrist_can_shifts_the_tip_little_for_a_turn_of_many_degrees(
    axis: Vec3,
) -> None:
    hand = Hand(cell_with({"kind": "clutch"}), "it")
    before, worst = np.array(hand.tip.position), 0.0
    hand.hand.set(pose=IDENTITY, deadman=False)
    hand.tick = hand.run.run(0.1)
    for k in range(3500):
        angle = 2.8 * min(1.0, k / 3000)
        x, y, z = (angle * part for part in axis)
        hand.hand.set(pose=Pose((0.0, 0.0, 0.0), from_rotation_vector((x, y, z))), deadman=True)
        hand.tick = hand.run.tick()
        worst = max(worst, float(np.linalg.norm(np.array(hand.tip.position) - before)))
    assert hand.mode == "teleoperation"
    assert worst < 0.02  # place counts eleven times as much as turn, not infinitely more: 14 mm at the worst


def turned(turn: Vec3) -> Floats:
    return matrix(Pose((0.0, 0.0, 0.0), from_rotation_vector(turn)))[:3, :3]


@pytest.mark.parametrize("direction", [-1.0, 1.0])
def test_no_joint_that_is_jogged_for_long_passes_the_data_sheet_s_limits(direction: float) -> None:
    hand = Hand(rough_cell())
    for joint in (0, 4):
        axes = [0.0] * 7
        axes[joint] = direction
        hand.drive(5.0, *axes)
        hand.drive(0.2)
        assert hand.mode == "idle"
        assert (np.array(hand.joints) >= np.array(LOWER) - 1e-3).all()
        assert (np.array(hand.joints) <= np.array(UPPER) + 1e-3).all()


def cell_with(mapping: dict[str, Any]) -> Cell:
    """Return the default cell without avoidance and compliance, driven by one mapping."""
    path = find_cell("irb120")
    spec = read_cell(path)
    arm = spec.robots["arm"]
    filters = tuple(table for table in arm.filters if table["kind"] != "compliance")
    return Cell(
        replace(spec, robots={"arm": replace(arm, avoid=None, mappings={"it": mapping}, filters=filters)}), path
    )


@pytest.mark.parametrize("yaw", [0.0, 0.7, 2.5, -1.9])
@pytest.mark.parametrize(("axis", "seen"), [(1, (-1.0, 0.0, 0.0)), (2, (0.0, 1.0, 0.0)), (0, (0.0, 0.0, -1.0))])
def test_left_up_and_away_are_so_in_the_picture_from_wherever_one_looks(
    yaw: float, axis: int, seen: tuple[float, float, float]
) -> None:
    # A level camera: its x to the right, y up, z towards the operator, turned about the world's z.
    c, s = math.cos(yaw), math.sin(yaw)
    R_base_view = np.array([[s, 0.0, -c], [-c, 0.0, -s], [0.0, 1.0, 0.0]])
    w = math.sqrt(max(0.0, 1.0 + np.trace(R_base_view))) / 2
    if w < 1e-6:
        pytest.skip("a half turn")
    x, y, z = (R_base_view[i, j] - R_base_view[j, i] for i, j in ((2, 1), (0, 2), (1, 0)))
    view = (w, x / (4 * w), y / (4 * w), z / (4 * w))
    hand = Hand(cell_with({"kind": "jog-view"}), "it")
    before = np.array(hand.tip.position)
    axes = [0.0] * 7
    axes[axis] = 1.0
    hand.hand.set(axes=tuple(axes), deadman=True, view=view)
    hand.tick = hand.run.run(0.3)
    way = np.array(hand.tip.position) - before
    np.testing.assert_allclose(way / np.linalg.norm(way), R_base_view @ seen, atol=0.02)


def test_a_cut_shorter_than_the_stop_time_pauses_and_goes_on_and_a_longer_one_stops() -> None:
    cell, dt = Cell.load("irb120", seed=0), 0.002

    def go(ticks: int, start: int, held: bool) -> tuple[int, list[str]]:
        modes: list[str] = []
        for k in range(start, start + ticks):
            presses = {"deadman": int(held)}
            reading = Reading(sequence=k, tick=k - 1, deadman=held, axes=(0.5, *(0.0,) * 6), presses=presses)
            modes.append(cell.step(Inputs({"hand": reading})).lanes["arm"].mode)
        return start + ticks, modes

    def cut(seconds: float) -> list[str]:
        return [cell.step(Inputs()).lanes["arm"].mode for _ in range(round(seconds / dt))]

    at, _ = go(20, 1, held=False)
    at, modes = go(200, at, held=True)
    assert modes[-1] == "teleoperation"
    for seconds in (0.05, 0.3, 0.9):
        modes = cut(seconds)
        assert ("paused" in modes) == (seconds > 0.1)
        at = at + len(modes)
        at, modes = go(300, at, held=True)
        assert modes[-1] == "teleoperation", seconds
    modes = cut(1.3)
    assert modes[-1] == "stopped"
    _, modes = go(300, at + len(modes), held=True)
    assert set(modes) == {"stopped"}


def test_a_generated_sine_moves_one_joint_alone_at_its_frequency() -> None:
    hand = Hand(rough_cell())
    hand.send(Generate("arm", Generator(0, "sine", 0.5, 2.0)))
    rows = []
    hand.hand.set(axes=(0.0,) * 7, deadman=True)
    for _ in range(1500):
        hand.tick = hand.run.tick()
        rows.append(hand.joints)
    moved = np.array(rows)[500:]
    spectrum = np.abs(np.fft.rfft(moved[:, 0] - moved[:, 0].mean()))
    assert np.fft.rfftfreq(1000, 0.002)[spectrum.argmax()] == pytest.approx(2.0, abs=0.01)
    assert np.ptp(moved[:, 0]) > 20 * np.ptp(moved[:, 1:], axis=0).max()


@pytest.mark.parametrize(("first", "then", "mode"), [(0.4, 0.15, "teleoperation"), (0.15, 0.4, "idle")])
def test_a_filter_that_changes_while_driving_makes_no_jump_and_a_looser_one_wants_a_fresh_press(
    first: float, then: float, mode: str
) -> None:
    hand = Hand(rough_cell(), "base axes")
    hand.send(Reconfigure("arm", "filter", "smooth", {"speed": first}))
    hand.drive(0.1)
    hand.drive(0.6, 0.4, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    hand.send(Reconfigure("arm", "filter", "smooth", {"speed": then}))
    rows = []
    for _ in range(150):
        hand.tick = hand.run.tick()
        rows.append(hand.joints)
    rates = np.diff(rows, axis=0) / 0.002
    assert hand.mode == mode
    assert np.abs(np.diff(rates, axis=0)).max() < 0.051  # rad/s in one tick: it brakes at 25 rad/s², no harder


def test_backing_out_follows_the_path_that_led_in() -> None:
    hand = Hand(Cell.load("irb120", seed=0), "base axes")
    there = []
    for axes in ((0.6, 0.0, 0.0), (0.0, 0.6, 0.0), (0.0, 0.0, 0.5)):
        for _ in range(20):
            hand.drive(0.02, *axes, 0.0, 0.0, 0.0, 0.0)
            there.append(hand.tip.position)
    hand.drive(0.5)
    path = np.array(there)
    hand.send(FreeMe("arm"))
    back = []
    for _ in range(40):
        hand.tick = hand.run.run(0.02)
        back.append(hand.tip.position)
    away = [float(np.linalg.norm(path - point, axis=1).min()) for point in back]
    assert np.linalg.norm(np.array(back[-1]) - back[0]) > 0.01  # it does move
    assert max(away) < 0.01  # never further from the path in than its samples are apart


def test_an_integrator_of_limited_range_and_a_lead_lag_follow_their_equations() -> None:
    kp, ki, most, lead, lag, dt, top = 4.0, 3.0, 0.05, 0.02, 0.08, 0.002, 10.0
    gains = np.array([[kp, ki, most, lead / lag, dt / (lag + dt), 1.0, top]])
    ctrl, kept, one = np.zeros(1), np.zeros(2), np.zeros(1, dtype=np.int64)
    errors = 0.2 * np.sin(2 * PI * 0.7 * dt * np.arange(1500)) + 0.1
    got = []
    still = np.zeros(1)
    for error in errors:
        velocity_control(ctrl, np.array([-error]), kept, one, one, one, gains, still, still, still, dt)
        got.append(float(ctrl[0]))
    # The same in continuous time, by small Euler steps: s' = ki·e within ±range, lag·x' = w − x,
    # u = lead/lag·w + (1 − lead/lag)·x.
    s = x = 0.0
    expected, fine = [], 40
    for error in errors:
        for _ in range(fine):
            s = min(max(s + ki * error * dt / fine, -most), most)
            w = kp * error + s
            x += (w - x) * dt / fine / lag
        expected.append(lead / lag * w + (1.0 - lead / lag) * x)
    np.testing.assert_allclose(got, expected, atol=0.02 * np.abs(expected).max())
    assert abs(kept[0]) <= most


def test_typed_joints_of_a_delta_master_are_the_robot_s_after_isomorphic_control(tmp_path: Path) -> None:
    text = find_cell("delta-delta").read_text()
    path = tmp_path / "cell.toml"
    path.write_text(text[: text.index("[masters.delta]")] + '[masters.delta]\nkind = "manual"\n')
    cell = Cell.load(str(path), seed=0)
    start = cell.step().state.robots["arm"].groups["arm"].positions
    shift = np.array([0.12, -0.08, 0.05])
    for k in range(1, 1500):
        joints = tuple((np.array(start) + shift * min(1.0, max(0.0, (k - 200) / 500))).tolist())
        reading = Reading(sequence=k, tick=k, deadman=k > 100, joints=joints, presses={"deadman": int(k > 100)})
        tick = cell.step(Inputs({"delta": reading}))
    assert tick.lanes["arm"].mode == "teleoperation"
    np.testing.assert_allclose(tick.state.robots["arm"].groups["arm"].positions, np.array(start) + shift, atol=2e-3)
