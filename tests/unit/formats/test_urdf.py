from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest
from paths import ROBOTS as DATA
from worded import worded

from farhand.errors import RobotFileError
from farhand.formats import RobotModel, read_robot
from farhand.poses import Pose, compose, from_rotation_vector, from_rpy

JOINT = '<joint name="{n}" type="{t}"><parent link="{p}"/><child link="{c}"/><axis xyz="0 0 1"/>{x}</joint>'
LIMIT = '<limit lower="-1" upper="1" effort="5" velocity="1"/>'
BOX = "<collision><geometry><box size='0.1 0.1 0.1'/></geometry></collision>"


def link(name: str, inside: str = BOX) -> str:
    return f'<link name="{name}">{inside}</link>'


def joint(name: str, parent: str, child: str, kind: str = "revolute", extra: str = LIMIT) -> str:
    return JOINT.format(n=name, t=kind, p=parent, c=child, x=extra)


def read(tmp_path: Path, *parts: str, **options: str) -> RobotModel:
    path = tmp_path / "robot.urdf"
    path.write_text(f'<robot name="r">{"".join(parts)}</robot>')
    return read_robot(path, tip=options.get("tip"), base=options.get("base"))


def compiled(model: RobotModel) -> mujoco.MjModel:
    return mujoco.MjSpec.from_string(model.mjcf, assets=model.assets).compile()


def codes(model: RobotModel) -> set[str]:
    return {note.code for note in model.notes}


def test_small_robot_as_a_whole() -> None:
    model = read_robot(DATA / "small.urdf")
    assert model.name == "small"
    pan, bend = model.arm.joints
    assert (pan.lower, pan.upper) == (-np.inf, np.inf)
    assert (bend.name, bend.kind, bend.lower, bend.upper) == ("bend", "hinge", -2.0, 2.0)
    assert (bend.velocity, bend.effort) == (2.0, 20.0)
    assert bend.acceleration == pytest.approx(2.0 / 0.15)
    assert bend.jerk == pytest.approx(2.0 / 0.15 / 0.005)
    assert model.gripper is not None
    assert model.gripper.joints == ("grip_left",)
    assert (model.gripper.closed, model.gripper.opened) == ((0.0,), (0.03,))
    assert model.gripper.opening == pytest.approx(0.06)
    assert model.rest == pytest.approx({"grip_left": 0.03, "grip_right": 0.03})
    m = compiled(model)
    assert (m.neq, m.nu) == (1, 0)
    assert m.dof_damping[m.joint("bend").dofadr[0]] == pytest.approx(0.2)
    assert (m.dof_armature > 0).all()
    seen = m.geom_group == 2
    assert not m.geom_contype[seen].any()
    assert set(m.geom_group[~seen]) == {3}


def test_the_tip_is_at_the_position_in_the_file_to_the_last_digit(tmp_path: Path) -> None:
    origin = '<origin xyz="0.123456789012 -0.3 0.7" rpy="0.3 -0.4 1.1"/>'
    model = read(tmp_path, link("a"), link("b"), joint("j", "a", "b", extra=LIMIT + origin))
    m = compiled(model)
    data = mujoco.MjData(m)
    data.qpos[0] = 0.6
    mujoco.mj_kinematics(m, data)
    turn = Pose((0.0, 0.0, 0.0), from_rotation_vector((0.0, 0.0, 0.6)))
    expected = compose(Pose((0.123456789012, -0.3, 0.7), from_rpy(0.3, -0.4, 1.1)), turn)
    assert data.site("farhand_tip").xpos == pytest.approx(expected.position, abs=1e-14)
    assert data.body("b").xquat == pytest.approx(expected.rotation, abs=1e-12)


def test_missing_mass_and_limits_are_assumed_with_notes(tmp_path: Path) -> None:
    model = read(tmp_path, link("a"), link("b"), joint("j", "a", "b", extra=""))
    only = model.arm.joints[0]
    assert (only.lower, only.upper) == pytest.approx((-np.pi, np.pi))
    assert codes(model) == {"robot.inertia", "robot.limits", "robot.velocity", "robot.effort"}
    assert compiled(model).body("b").mass[0] == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("inertia", "word"),
    [
        ('<mass value="1"/><inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/>', "not positive"),
        (
            '<mass value="1"/><inertia ixx="1e-4" iyy="1e-4" izz="1e-2" ixy="0" ixz="0" iyz="0"/>',
            "impossible inertia",
        ),
        ('<mass value="1"/><inertia ixx="9" iyy="9" izz="9" ixy="0" ixz="0" iyz="0"/>', "far too large"),
        ('<mass value="0"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>', "no mass"),
    ],
)
def test_impossible_inertia_is_replaced_with_a_note(tmp_path: Path, inertia: str, word: str) -> None:
    model = read(tmp_path, link("a"), link("b", f"<inertial>{inertia}</inertial>{BOX}"), joint("j", "a", "b"))
    assert any(word in worded(note) and "b" in worded(note) for note in model.notes)
    mass = compiled(model).body("b").mass[0]
    moments = compiled(model).body("b").inertia
    assert moments == pytest.approx([mass / 600] * 3, rel=1e-6)


def test_floating_root_and_swapped_limits(tmp_path: Path) -> None:
    swapped = '<limit lower="1" upper="-1" effort="5" velocity="1"/>'
    parts = [
        link("w", ""),
        link("a"),
        link("b"),
        joint("f", "w", "a", "floating", ""),
        joint("j", "a", "b", extra=swapped),
    ]
    model = read(tmp_path, *parts)
    assert {"robot.fixed", "robot.limits"} <= codes(model)
    assert (model.arm.joints[0].lower, model.arm.joints[0].upper) == (-1.0, 1.0)


def test_weak_effort_is_raised_with_a_note(tmp_path: Path) -> None:
    moments = '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
    heavy = f'<inertial><origin xyz="0.5 0 0"/><mass value="10"/>{moments}</inertial>'
    level = LIMIT + '<origin rpy="1.5707963 0 0"/>'
    model = read(tmp_path, link("a"), link("b", heavy), joint("j", "a", "b", extra=level))
    assert model.arm.joints[0].effort > 49
    assert "robot.effort" in codes(model)


def test_tip_and_base_by_name_and_their_errors(tmp_path: Path) -> None:
    parts = [link(n) for n in "abcd"]
    parts += [joint("j1", "a", "b"), joint("j2", "b", "c"), joint("j3", "b", "d")]
    assert [j.name for j in read(tmp_path, *parts, tip="d").arm.joints] == ["j1", "j3"]
    assert read(tmp_path, *parts, base="b", tip="c").held == ("j1", "j3")
    with pytest.raises(RobotFileError, match=r"no link or site 'x' to be the tip; there are: a, b, c, d"):
        read(tmp_path, *parts, tip="x")
    with pytest.raises(RobotFileError, match="is not carried by base"):
        read(tmp_path, *parts, base="c", tip="d")


def test_longest_chain_names_the_others(tmp_path: Path) -> None:
    parts = [link(n) for n in "abcdefg"]
    chain = [joint("l1", "a", "b"), joint("l2", "b", "c"), joint("l3", "c", "d")]
    other = [joint("r1", "a", "e"), joint("r2", "e", "f")]
    model = read(tmp_path, *parts[:6], *chain, *other)
    assert [j.name for j in model.arm.joints] == ["l1", "l2", "l3"]
    assert [worded(n) for n in model.notes if n.code == "robot.tip"] == [
        "The tip is d, at the end of the longest chain; others: f. Choose with --tip NAME."
    ]


ERRORS = {
    "no link": ([], "has no <link>; expected at least one"),
    "two roots": ([link("a"), link("b")], "has 2 root links (a, b); expected one"),
    "loop": ([link("a"), link("b"), joint("j", "a", "b"), joint("k", "b", "a")], "form a loop"),
    "loop apart": (
        [*(link(n) for n in "abcd"), joint("j", "a", "b"), joint("k", "c", "d"), joint("l", "d", "c")],
        "2 links form a loop apart from the root 'a'",
    ),
    "two parents": (
        [*(link(n) for n in "abc"), joint("j", "a", "b"), joint("k", "a", "c"), joint("l", "c", "b")],
        "link 'b' has two parents, joints 'j' and 'l'",
    ),
    "same name": ([link("a"), link("a")], "two links are called 'a'"),
    "unknown child": ([link("arm"), joint("j", "arm", "amr")], "found 'amr' (did you mean 'arm'?)"),
    "kind": ([link("a"), link("b"), joint("j", "a", "b", "revolut")], "found 'revolut' (did you mean 'revolute'?)"),
    "nothing moves": ([link("a"), link("b"), joint("j", "a", "b", "fixed")], "no moving joint between base and tip"),
    "nan": ([link("a"), link("b"), joint("j", "a", "b", extra='<limit lower="nan"/>')], "found 'nan'"),
    "axis": ([link("a"), link("b"), joint("j", "a", "b").replace("0 0 1", "0 0 0")], "must not be zero"),
    "size": ([link("a", BOX.replace("0.1", "-1"))], "must have sizes above zero"),
    "shape": ([link("a", "<visual><geometry><torus/></geometry></visual>")], "found <torus>"),
    "mimic": (
        [link("a"), link("b"), joint("j", "a", "b", extra=LIMIT + '<mimic joint="k"/>')],
        "not another moving joint",
    ),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_say_what_and_where(tmp_path: Path, name: str) -> None:
    parts, expected = ERRORS[name]
    with pytest.raises(RobotFileError) as caught:
        read(tmp_path, *parts)
    assert expected in str(caught.value)
    assert str(tmp_path / "robot.urdf") in str(caught.value)


def test_the_error_of_a_xacro_file_says_how_to_expand_it(tmp_path: Path) -> None:
    path = tmp_path / "arm.urdf.xacro"
    path.write_text('<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:include filename="x"/></robot>')
    with pytest.raises(RobotFileError, match=r"expand it first: xacro arm\.urdf\.xacro > arm\.urdf"):
        read_robot(path)


def test_a_follower_in_the_arm_is_not_a_driven_joint(tmp_path: Path) -> None:
    follow = LIMIT + '<mimic joint="j1" multiplier="-2" offset="0.1"/>'
    parts = [*(link(n) for n in "abc"), joint("j1", "a", "b"), joint("j2", "b", "c", extra=follow)]
    model = read(tmp_path, *parts)
    assert [j.name for j in model.arm.joints] == ["j1"]
    assert [(t.joint, t.leader, t.multiplier, t.offset) for t in model.arm.followers] == [("j2", "j1", -2.0, 0.1)]
    assert "robot.mimic" in codes(model)
    assert compiled(model).neq == 1


def test_overlapping_bodies_do_not_push_each_other(tmp_path: Path) -> None:
    big = BOX.replace("0.1 0.1 0.1", "0.5 0.5 0.5")
    parts = [*(link(n, big) for n in "abcd"), joint("1", "a", "b"), joint("2", "b", "c"), joint("3", "c", "d")]
    m = compiled(read(tmp_path, *parts))
    data = mujoco.MjData(m)
    mujoco.mj_forward(m, data)
    assert data.ncon == 0
