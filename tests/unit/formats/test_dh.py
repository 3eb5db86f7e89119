from __future__ import annotations

import math
from pathlib import Path
from typing import Literal

import mujoco
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from paths import ROBOTS as DATA

from farhand.errors import RobotFileError
from farhand.formats import RobotModel, read_robot

SMALL = (DATA / "small.toml").read_text()

Row = tuple[float, float, float, float, Literal["revolute", "prismatic"]]


def read(tmp_path: Path, text: str) -> RobotModel:
    path = tmp_path / "robot.toml"
    path.write_text(text)
    return read_robot(path)


def by_table(rows: list[Row], q: list[float], convention: str) -> np.ndarray:
    """The textbook product of the table, as an oracle."""

    def about(axis: int, angle: float) -> np.ndarray:
        T, (c, s) = np.eye(4), (math.cos(angle), math.sin(angle))
        i, k = [(1, 2), (2, 0), (0, 1)][axis]
        T[i, i], T[i, k], T[k, i], T[k, k] = c, -s, s, c
        return T

    def along(axis: int, length: float) -> np.ndarray:
        T = np.eye(4)
        T[axis, 3] = length
        return T

    T = np.eye(4)
    for (a, alpha, d, theta, kind), value in zip(rows, q, strict=True):
        turn = about(2, theta + (value if kind == "revolute" else 0.0))
        lift = along(2, d + (value if kind == "prismatic" else 0.0))
        step = along(0, a) @ about(0, alpha)
        T = T @ (turn @ lift @ step if convention == "standard" else about(0, alpha) @ along(0, a) @ turn @ lift)
    return T


sizes = st.floats(-0.6, 0.6)
angles = st.floats(-3.0, 3.0)
kinds = st.sampled_from(["revolute", "prismatic"])
tables = st.lists(st.tuples(sizes, angles, sizes, angles, kinds), min_size=1, max_size=5)


@given(rows=tables, convention=st.sampled_from(["standard", "modified"]), seed=st.integers(0, 99))
def test_the_model_moves_as_the_table_says(rows: list[Row], convention: str, seed: int) -> None:
    import tempfile

    text = f'[dh]\nconvention = "{convention}"\n'
    for a, alpha, d, theta, kind in rows:
        text += f'[[dh.rows]]\njoint = "{kind}"\na = {a!r}\nalpha = {alpha!r}\nd = {d!r}\ntheta = {theta!r}\n'
        text += "lower = -2.0\nupper = 2.0\nhome = 0.0\nvelocity = 1.0\neffort = 1000.0\n"
    with tempfile.TemporaryDirectory() as folder:
        model = read(Path(folder), text)
    m = mujoco.MjSpec.from_string(model.mjcf).compile()
    data = mujoco.MjData(m)
    data.qpos[:] = np.random.default_rng(seed).uniform(-2, 2, m.nq)
    mujoco.mj_kinematics(m, data)
    T = by_table(rows, list(data.qpos), convention)
    tip = data.site("farhand_tip")
    assert tip.xpos == pytest.approx(T[:3, 3], abs=1e-12)
    assert tip.xmat.reshape(3, 3) == pytest.approx(T[:3, :3], abs=1e-12)


def test_fields_reach_the_model(tmp_path: Path) -> None:
    model = read(tmp_path, SMALL)
    pan, bend, reach = model.arm.joints
    assert (model.name, model.summary) == ("small", "Two joints.")
    assert (pan.label, pan.velocity) == ("Turn", 2.0)
    assert pan.upper == pytest.approx(math.radians(120))
    assert (bend.home, bend.effort) == (0.4, 20.0)
    assert (reach.kind, reach.upper) == ("slide", 0.2)
    m = mujoco.MjSpec.from_string(model.mjcf).compile()
    assert m.body_mass.sum() == pytest.approx(3.0)


def test_a_joint_without_limits_is_continuous(tmp_path: Path) -> None:
    model = read(tmp_path, SMALL.replace("lower_deg = -120\nupper_deg = 120\n", ""))
    assert model.arm.joints[0].upper == math.inf


ERRORS = {
    "misspelt": (("velocity = 2.0", "velocty = 2.0"), "dh.rows[0]: has no field 'velocty'"),
    "meant": (("velocity = 2.0", "velocty = 2.0"), "(did you mean 'velocity'?)"),
    "kind": (('joint = "prismatic"', 'joint = "sliding"'), "dh.rows[2].joint: expected one of revolute, prismatic"),
    "type": (("d = 0.2", 'd = "high"'), "dh.rows[0].d: expected a number, not a text (found 'high')"),
    "degrees": (("velocity = 2.0", "velocity = 2.0\nhome = 90.0"), "use home_deg for degrees"),
    "nan": (("d = 0.2", "d = nan"), "dh.rows[0].d: expected a finite number of at most 1e+06, found nan"),
    "order": (("upper = 1.5", "upper = -2.5"), "dh.rows[1].lower: must be below upper, found -1.5 and -2.5"),
    "half": (("upper = 1.5\n", ""), "dh.rows[1].upper: is missing; a joint needs both limits or none"),
    "home": (("home = 0.4", "home = 4.0"), "dh.rows[1].home: must lie within the limits -1.5 to 1.5, found 4"),
    "same name": (('name = "bend"', 'name = "pan"'), "two joints are called 'pan'"),
    "radius": (("radius = 0.03", "radius = -1"), "dh.rows[1].shapes[0]: a capsule needs a radius above zero"),
    "effort": (("effort = 20.0", "effort = -20.0"), "dh.rows[1].effort: must be above zero, found -20"),
    "mass": (("mass = 3.0", "mass = -3.0"), "the whole mass, -3 kg"),
    "syntax": (("[dh]", "[dh"), "is not a TOML file"),
    "empty": ((SMALL, "[dh]\n"), "dh.rows: expected 1 to 50 rows, found 0"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_name_file_field_and_what_was_expected(tmp_path: Path, name: str) -> None:
    (old, new), expected = ERRORS[name]
    assert old in SMALL
    with pytest.raises(RobotFileError) as caught:
        read(tmp_path, SMALL.replace(old, new))
    assert expected in str(caught.value)
    assert "robot.toml" in str(caught.value)
