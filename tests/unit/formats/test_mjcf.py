from __future__ import annotations

from pathlib import Path

import mujoco
import pytest
from paths import ROBOTS as DATA
from worded import worded

from farhand.errors import RobotFileError
from farhand.formats import RobotModel, read_robot

ARM = '<body name="b" pos="0 0 .1"><joint name="j" range="-1 1"/><geom size=".05"/></body>'


def read(tmp_path: Path, inside: str, name: str = "robot.xml") -> RobotModel:
    path = tmp_path / name
    path.write_text(f'<mujoco model="m"><compiler angle="radian"/>{inside}</mujoco>')
    return read_robot(path)


def world(inside: str = ARM) -> str:
    return f'<worldbody><body name="a"><geom size=".05"/>{inside}</body></worldbody>'


def test_small_robot_is_taken_out_of_its_scene() -> None:
    model = read_robot(DATA / "small.xml")
    pan, bend = model.arm.joints
    assert (pan.home, bend.home) == (0.3, 0.6)
    assert (pan.effort, bend.effort) == (30.0, 24.0)
    assert bend.upper == pytest.approx(2.0944, abs=1e-4)
    m = mujoco.MjSpec.from_string(model.mjcf, assets=model.assets).compile()
    assert (m.nu, m.nkey, m.nsensor, m.nlight) == (0, 0, 0, 0)
    assert m.njnt == 2
    assert not (m.geom_type == mujoco.mjtGeom.mjGEOM_PLANE).any()
    assert "cube" not in [m.body(i).name for i in range(m.nbody)]
    # The camera on the arm stays, and the tip is the site that is called so.
    assert m.ncam == 1
    assert m.site("farhand_tip").pos == pytest.approx([0, 0, 0.2])
    said = " ".join(worded(note) for note in model.notes)
    assert "cube is a loose object" in said
    assert "foot floats freely" in said


def test_a_root_with_a_joint_gets_a_fixed_base(tmp_path: Path) -> None:
    model = read(tmp_path, f"<worldbody>{ARM}</worldbody>")
    assert model.arm.base == "base"
    assert [j.name for j in model.arm.joints] == ["j"]


def test_includes_and_folders_are_followed(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts/wedge.stl").write_bytes((DATA / "wedge.stl").read_bytes())
    (tmp_path / "body.xml").write_text(f"<mujocoinclude>{world()}</mujocoinclude>")
    geom = '<asset><mesh name="w" file="somewhere/else/wedge.stl"/></asset>'
    both = '<compiler meshdir="parts" strippath="true"/><include file="body.xml"/>'
    assert list(read(tmp_path, both + geom).assets) == ["wedge_0.stl"]


def test_unnamed_elements_get_names(tmp_path: Path) -> None:
    model = read(
        tmp_path, "<worldbody><body><geom size='.1'/><body><joint/><geom size='.1'/></body></body></worldbody>"
    )
    m = mujoco.MjSpec.from_string(model.mjcf).compile()
    assert all(m.body(i).name for i in range(m.nbody))
    assert all(m.geom(i).name for i in range(m.ngeom))
    assert model.arm.joints[0].name


def test_tendon_driven_fingers_are_the_gripper(tmp_path: Path) -> None:
    slide = '<joint name="{0}" type="slide" axis="0 {2} 0" range="0 .03"/><geom type="box" size=".01 .005 .03"/>'
    finger = '<body name="{0}" pos="0 {1} .1">' + slide + "</body>"
    palm = '<joint name="j2" axis="1 0 0"/><geom size=".04"/>'
    palm += finger.format("l", ".005", "1") + finger.format("r", "-.005", "-1")
    arm = '<body name="b" pos="0 0 .2"><joint name="j1"/><geom size=".04"/>'
    arm += f'<body name="c" pos="0 0 .2">{palm}</body></body>'
    drive = '<tendon><fixed name="t"><joint joint="l" coef="1"/><joint joint="r" coef="1"/></fixed></tendon>'
    drive += '<actuator><motor joint="j1"/><motor joint="j2"/><motor tendon="t"/></actuator>'
    model = read(tmp_path, world(arm) + drive)
    assert model.gripper is not None
    assert model.gripper.joints == ("l", "r")
    assert model.gripper.closed == (0.0, 0.0)
    assert model.gripper.opening == pytest.approx(0.06, abs=1e-6)


ERRORS = {
    "no bodies": ("<worldbody/>", "no moving joint"),
    "plugin": ('<extension><plugin plugin="mujoco.sdf.gear"/></extension>' + world(), "<plugin> is not read"),
    "flex": (f"{world('<flexcomp/>')}", "<flexcomp> is not read"),
    "copies": (world('<replicate count="1e9"><geom size="1"/></replicate>'), "count= of <replicate>"),
    "picture": ('<asset><texture builtin="flat" type="2d" width="99999" height="9"/></asset>' + world(), "width= must"),
    "sub-model": ('<asset><model file="x.xml"/></asset>' + world(), "<model> assets are not read"),
    "ball": (world('<body name="b"><joint type="ball"/><geom size=".1"/></body>'), "ball and free joints"),
    "schema": (world("<nonsense/>"), "MuJoCo refuses it: XML Error: Schema violation"),
    "recursion": ('<include file="robot.xml"/>' + world(), "nested more than 8 deep"),
    "massless": (world('<body name="b"><joint/></body>'), "MuJoCo refuses it"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_say_what(tmp_path: Path, name: str) -> None:
    inside, expected = ERRORS[name]
    with pytest.raises(RobotFileError) as caught:
        read(tmp_path, inside)
    assert expected in str(caught.value)


def test_nothing_is_left_in_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RobotFileError):
        read(tmp_path, world('<body><joint range="nan 1"/><geom size="nan"/></body>'))
    assert [p.name for p in tmp_path.iterdir()] == ["robot.xml"]
