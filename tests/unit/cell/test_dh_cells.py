"""Robots from DH tables in a cell: they stand on the floor and measure contacts, with a tool or without."""

from __future__ import annotations

import math
import re
from pathlib import Path

import mujoco
import numpy as np
import pytest
from paths import ROOT

from farhand.cell import Cell
from farhand.errors import CellFileError
from farhand.loop import Run
from farhand.masters import Manual
from farhand.types import SelectMapping

DOCS = ROOT / "docs/your-robot.md"
PUMA = ((0.0, 90, 0.672), (0.4318, 0, 0.0), (0.0203, -90, 0.15005), (0.0, 90, 0.4318), (0.0, -90, 0.0), (0.0, 0, 0.056))
CELL = 'name = "dh"\n[robots.arm]\nmodel = "robot.toml"\n{more}'


def puma(tmp_path: Path, more: str) -> Cell:
    """Return a PUMA 560 of a table alone, standing on the floor."""
    rows = "".join(
        f"[[dh.rows]]\na = {a}\nalpha_deg = {alpha}\nd = {d}\nlower_deg = -180\nupper_deg = 180\nvelocity_deg = 60\n"
        f"effort = {effort}\nhome_deg = {home}\n"
        for (a, alpha, d), effort, home in zip(PUMA, (98, 186, 89, 24, 20, 21), (0, 60, -150, 0, -90, 0), strict=True)
    )
    (tmp_path / "robot.toml").write_text(f'name = "puma"\n[dh]\nconvention = "standard"\n{rows}')
    path = tmp_path / "cell.toml"
    path.write_text(CELL.format(more=more))
    return Cell.load(path)


def test_the_example_of_the_docs_stands_on_the_floor(tmp_path: Path) -> None:
    text = re.search(r"```toml\n(name = \"reacher\".*?)```", DOCS.read_text(), re.DOTALL)
    assert text
    (tmp_path / "robot.toml").write_text(text[1])
    path = tmp_path / "cell.toml"
    path.write_text(CELL.format(more=""))
    cell = Cell.load(path)
    tick = Run(cell).run(0.5)
    assert tick.state.contacts == 0
    assert cell.world.compiled.bases["arm"].position == (0.0, 0.0, 0.0)


def test_a_robot_inside_the_floor_is_told_with_which_link(tmp_path: Path) -> None:
    with pytest.raises(CellFileError, match=r"arm would start with its link \d inside the floor; give"):
        puma(tmp_path, "home = [0.0, -1.4, -1.57, 0.0, 0.0, 0.0]")


def test_a_robot_without_a_tool_feels_what_its_last_link_touches(tmp_path: Path) -> None:
    """The flange is a thin disc inside of the last link: what touches is the link."""
    cell = puma(tmp_path, "")
    m, data = cell.world.compiled.model, mujoco.MjData(cell.world.compiled.model)
    data.qpos[:] = cell.world.compiled.qpos_start
    mujoco.mj_kinematics(m, data)
    geoms = [g for g in range(m.ngeom) if m.body(int(m.geom_bodyid[g])).name in ("arm/link_6", "arm/flange")]
    half = [np.abs(data.geom_xmat[g].reshape(3, 3)[2]) @ m.geom_aabb[g, 3:] for g in geoms]
    low = min(data.geom_xpos[g][2] - h for g, h in zip(geoms, half, strict=True))
    x, y, _ = data.geom_xpos[geoms[0]].tolist()
    top = low - 0.01
    table = f'name = "block"\nsize = [0.1, 0.1, {top}]\nposition = [{x}, {y}, {0.5 * top}]\nmass = 0.0\n'
    hand = Manual()
    run = Run(puma(tmp_path, f"\n[[world.objects]]\n{table}"), {"hand": hand})
    run.send(SelectMapping("arm", "base axes"))
    run.tick()
    hand.set(deadman=True, axes=(0.0, 0.0, -0.2))
    robot = run.run(1.5).state.robots["arm"]
    assert math.hypot(*robot.contact.force) > 20.0
    assert robot.contact.force[2] > 15.0
