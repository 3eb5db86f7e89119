"""Collision avoidance of arms with fingers, with MuJoCo as the oracle: open or closed fingers touch no plate."""

from __future__ import annotations

import contextlib
import math
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest
from handed import WITH_FINGERS, Hand, fingers_of, outward
from msgspec import convert

from farhand.cell import Cell
from farhand.cell.cell_spec import CellSpec
from farhand.errors import CellFileError
from farhand.formats import RobotModel
from farhand.kernels import Floats
from farhand.poses import Pose, from_matrix
from farhand.types import Inputs, Reading

GAPS, THICK, WIDE = (0.04, 0.08, 0.12), 0.01, 0.04  # m; the least gap at which the arm may start
SPEED, FURTHER = 0.1, 0.05  # m/s, and m that it is pushed beyond the plate
KEEP = 0.003
STILL = 50  # ticks after which a hand that closes no further is closed
MOST_TICKS = 4000
END = 0.012  # m of a finger that has the plate beside it
ONE_BY_DAY = [pytest.param(name, marks=() if name == "panda" else pytest.mark.slow) for name in WITH_FINGERS]


class Jogged:
    """A cell whose one arm is jogged."""

    def __init__(self, objects: list[dict[str, Any]], model: RobotModel, home: Floats) -> None:
        jog = {"kind": "jog-tip", "frame": "base", "speed": SPEED}
        arm = {"model": "none", "home": home.tolist(), "avoid": {"keep": KEEP}, "mappings": {"base axes": jog}}
        table = {
            "name": "jogged", "speeds": [1.0], "speed_level": 1, "robots": {"arm": arm},
            "masters": {"hand": {"kind": "manual"}}, "world": {"floor": False, "objects": objects},
        }  # fmt: skip
        self.cell, self.sequence = Cell(convert(table, CellSpec), Path("jogged.toml"), models={"arm": model}), 0

    def step(self, axes: tuple[float, ...], held: bool = True) -> float:
        """Deflect axes for a tick; return the hand's opening (m)."""
        self.sequence += 1
        tick = self.cell.step(Inputs({"hand": Reading(sequence=self.sequence, deadman=held, axes=axes)}))
        return float(tick.state.robots["arm"].groups["gripper"].positions[0])

    def close(self) -> None:
        """Close the hand until it closes no further."""
        last, still = math.inf, 0
        while still < STILL:
            opening = self.step((0.0,) * 6 + (-1.0,))
            last, still = min(last, opening), 0 if opening < last - 1e-5 else still + 1


class Beside(Jogged):
    """An arm with a plate beside one of its fingers that must not be touched, and an operator who jogs it there."""

    def __init__(self, name: str, finger: int, gap: float) -> None:
        hand = Hand.among(name)
        q, self.gap = hand.home, gap
        self.ahead, points = fingers_of(hand, q)[finger]
        T = self._beyond_end(points, hand.put(q, 1.0).body(f"arm/{hand.model.arm.tool}").xpos)
        plate = {"name": "plate", "size": [THICK, WIDE, WIDE], "position": T.position, "rotation": T.rotation}
        super().__init__([{**plate, "mass": 0.0, "touch": "never"}], hand.model, q)
        w, x, y, z = self.cell.world.compiled.bases["arm"].rotation
        turn = np.zeros(9)
        mujoco.mju_quat2Mat(turn, np.array([w, x, y, z]))
        self.axes = tuple((turn.reshape(3, 3).T @ self.ahead).tolist())

    def _beyond_end(self, points: Floats, palm: Floats) -> Pose:
        """Return where a plate is ahead of the end of a finger, not of the palm behind it."""
        out = outward(points, palm, self.ahead)
        top = float((points @ out).max())
        nose = max((p for p in points if p @ out > top - END), key=lambda p: float(p @ self.ahead))
        T = np.eye(4)
        T[:3, :3] = np.column_stack((self.ahead, out, np.cross(self.ahead, out)))
        T[:3, 3] = nose + (self.gap + 0.5 * THICK) * self.ahead + (top - END + 0.5 * WIDE - nose @ out) * out
        return from_matrix(T)

    def nearest(self, closed: bool) -> float:
        """Return how near (m) the arm comes to the plate, as MuJoCo measures it; it is pushed on for a while."""
        self.step((), held=False)
        least = 1.0
        if closed:
            self.close()
        for _ in range(round((self.gap + FURTHER) / SPEED / self.cell.dt)):
            self.step(self.axes)
            least = min(least, self._between())
        return least

    def _between(self) -> float:
        m, data = self.cell.world.compiled.model, self.cell.world._data
        plate = int(m.body("plate").geomadr[0])
        arm = [g for g in range(m.ngeom) if g != plate and m.geom_contype[g] | m.geom_conaffinity[g]]
        return float(min(mujoco.mj_geomDistance(m, data, g, plate, 0.3, None) for g in arm))


def beside(name: str, finger: int) -> Beside:
    """Return an arm with a plate beside a finger, as near as avoidance lets it start."""
    for gap in GAPS[:-1]:
        with contextlib.suppress(CellFileError):
            return Beside(name, finger, gap)
    return Beside(name, finger, GAPS[-1])


@pytest.mark.parametrize("closed", [False, True], ids=["open", "closed"])
@pytest.mark.parametrize("name", ONE_BY_DAY)
def test_a_plate_beside_a_finger_is_not_touched(name: str, closed: bool) -> None:
    hand = Hand.among(name)
    for finger in range(len(fingers_of(hand, hand.home))):
        assert beside(name, finger).nearest(closed) > 0.0


READY = (0.0, -0.785, 0.0, -2.356, 0.0, 1.571, 0.785)  # of a Panda, its hand down
CUBE, ABOVE, LIFT = 0.04, 0.08, 0.03  # m: of the cube, from it up to where the hand starts, and by which it is lifted


def test_a_hand_that_keeps_clear_can_still_grasp() -> None:
    """A swept hand fills the grasp: what it may touch slows it down, and does not keep it out."""
    hand, home = Hand.among("panda"), np.array(READY)
    x, y, z = hand.chain.forward(home)[:3, 3].tolist()
    top = z - ABOVE - CUBE
    bench = {"name": "bench", "size": [0.3, 0.3, 0.1], "position": [x, y, top - 0.05], "mass": 0.0, "touch": "never"}
    cube = {"name": "cube", "size": [CUBE] * 3, "position": [x, y, top + 0.5 * CUBE], "mass": 0.1}
    stage = Jogged([bench, cube], hand.model, home)
    stage.step((), held=False)
    state = stage.cell.state
    while state.robots["arm"].T_base_tip.position[2] > top + 0.8 * CUBE and stage.sequence < MOST_TICKS:
        stage.step((0.0, 0.0, -1.0))
        state = stage.cell.state
    stage.close()
    for _ in range(round(LIFT / SPEED / stage.cell.dt) + STILL):
        stage.step((0.0, 0.0, 1.0))
    state = stage.cell.state
    assert state.robots["arm"].held == ("cube",)  # one of its fingers is tied to the other
    assert state.objects["cube"].position[2] > top + 0.5 * CUBE + 0.5 * LIFT
