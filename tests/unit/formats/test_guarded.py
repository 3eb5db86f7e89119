"""Hostile files, and the child process that reads them safely."""

from __future__ import annotations

import os
import struct
import time
from pathlib import Path

import pytest
from paths import ROBOTS as DATA

from farhand.errors import RobotFileError
from farhand.formats import SizeLimits, read_robot, read_robot_guarded


def urdf(mesh: str) -> str:
    shape = f'<visual><geometry><mesh filename="{mesh}" scale="0.001 0.001 0.001"/></geometry></visual>'
    limit = '<limit lower="-1" upper="1" effort="9" velocity="1"/>'
    ends = '<parent link="a"/><child link="b"/>'
    links = f'<link name="a">{shape}</link><link name="b">{shape}</link>'
    return f'<robot name="r">{links}<joint name="j" type="revolute">{ends}{limit}</joint></robot>'


def lay_out(tmp_path: Path, mesh: str) -> Path:
    """A robot below ``ws/arm``, with meshes inside and outside of it."""
    for folder in ("ws/arm/meshes", "ws/other/meshes", "secret"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "wedge.stl").write_bytes((DATA / "wedge.stl").read_bytes())
    path = tmp_path / "ws/arm/robot.urdf"
    path.write_text(urdf(mesh))
    return path


def test_the_child_gives_the_same_robot() -> None:
    for name in ("small.urdf", "small.xml", "small.toml"):
        assert read_robot_guarded(DATA / name) == read_robot(DATA / name)


def test_the_child_passes_errors_on() -> None:
    with pytest.raises(RobotFileError) as plain:
        read_robot(DATA / "small.urdf", tip="uper")
    with pytest.raises(RobotFileError) as guarded:
        read_robot_guarded(DATA / "small.urdf", tip="uper")
    assert str(guarded.value) == str(plain.value)
    assert "(did you mean 'upper'?)" in str(guarded.value)


@pytest.mark.parametrize(
    "mesh", ["meshes/wedge.stl", "package://arm/meshes/wedge.stl", "package://any/meshes/wedge.stl"]
)
def test_files_below_the_root_are_read(tmp_path: Path, mesh: str) -> None:
    path = lay_out(tmp_path, mesh)
    (path.parent / "package.xml").write_text("<package><name>my_arm</name></package>")
    assert read_robot(path).assets


def test_file_addresses_and_other_packages(tmp_path: Path) -> None:
    path = lay_out(tmp_path, "package://other_arm/meshes/wedge.stl")
    (path.parent / "package.xml").write_text("<package><name>my_arm</name></package>")
    (tmp_path / "ws/other/package.xml").write_text("<package><name>other_arm</name></package>")
    assert read_robot(path).assets
    path.write_text(urdf(f"file://{path.parent}/meshes/wedge.stl"))
    assert read_robot(path).assets
    # With a root given, nothing beside it counts, not even a package.
    path.write_text(urdf("package://other_arm/meshes/wedge.stl"))
    (path.parent / "meshes/wedge.stl").unlink()
    with pytest.raises(RobotFileError, match="there is no file"):
        read_robot(path, root=path.parent)


@pytest.mark.parametrize(
    "mesh",
    [
        "../../../secret/wedge.stl",
        "{secret}",
        "file://{secret}",
        "package://arm/../../../secret/wedge.stl",
        "package://../../secret/wedge.stl",
        "meshes/link.stl",
    ],
)
def test_paths_that_escape_are_refused(tmp_path: Path, mesh: str) -> None:
    path = lay_out(tmp_path, mesh.format(secret=tmp_path / "secret/wedge.stl"))
    (path.parent / "meshes/link.stl").symlink_to(tmp_path / "secret/wedge.stl")
    with pytest.raises(RobotFileError) as caught:
        read_robot(path, root=path.parent)
    assert "lies outside" in str(caught.value) or "there is no file" in str(caught.value)
    if "package" not in mesh:
        assert "only files below" in str(caught.value)


def test_a_named_pipe_does_not_block(tmp_path: Path) -> None:
    path = lay_out(tmp_path, "meshes/pipe.stl")
    os.mkfifo(path.parent / "meshes/pipe.stl")
    with pytest.raises(RobotFileError, match="there is no file"):
        read_robot(path)
    os.mkfifo(tmp_path / "robot.urdf")
    with pytest.raises(RobotFileError, match="is not an ordinary file"):
        read_robot(tmp_path / "robot.urdf")


def test_missing_files_and_other_kinds(tmp_path: Path) -> None:
    with pytest.raises(RobotFileError, match="cannot be read: No such file"):
        read_robot(tmp_path / "none.urdf")
    (tmp_path / "note.txt").write_text("hello")
    with pytest.raises(RobotFileError, match=r"expected one of: Delta \(\.toml\); DH table \(\.toml\); MJCF .*; URDF"):
        read_robot(tmp_path / "note.txt")
    (tmp_path / "robot.toml").write_text('name = "nothing"')
    with pytest.raises(RobotFileError, match=r"has no \[delta\] or \[dh\] or \[tracks\]; one of them must give"):
        read_robot(tmp_path / "robot.toml")
    arm = '<mujoco><worldbody><body><joint/><geom size=".1"/></body></worldbody></mujoco>'
    (tmp_path / "arm.xml").write_bytes(f'<?xml version="1.0" encoding="utf-16"?>{arm}'.encode("utf-16"))
    assert len(read_robot(tmp_path / "arm.xml").arm.joints) == 1


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_entity_bombs_are_refused(tmp_path: Path, encoding: str) -> None:
    lines = "".join(f'<!ENTITY a{i + 1} "{f"&a{i};" * 10}">' for i in range(12))
    text = f'<?xml version="1.0"?><!DOCTYPE robot [<!ENTITY a0 "ha">{lines}]><robot name="&a12;"/>'
    path = tmp_path / "bomb.urdf"
    path.write_bytes(text.encode(encoding))
    with pytest.raises(RobotFileError, match="declares a document type or entities"):
        read_robot_guarded(path, seconds=20)


def test_deep_and_long_xml_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "deep.urdf"
    path.write_text("<robot>" + "<a>" * 100_000)
    with pytest.raises(RobotFileError, match="nested deeper than the limit of 200"):
        read_robot(path)
    path.write_text("<robot>" + "<a/>" * 100_001 + "</robot>")
    with pytest.raises(RobotFileError, match="more XML elements than the limit of 100000"):
        read_robot(path)


def test_bytes_files_bodies_are_counted(tmp_path: Path) -> None:
    with pytest.raises(RobotFileError, match="larger than the limit of 0 MB together"):
        read_robot(DATA / "small.urdf", options=SizeLimits(total_bytes=2400))
    with pytest.raises(RobotFileError, match="refers to more files than the limit of 1"):
        read_robot(DATA / "small.urdf", options=SizeLimits(files=1))
    with pytest.raises(RobotFileError, match="has more links than the limit of 3"):
        read_robot(DATA / "small.urdf", options=SizeLimits(bodies=3))
    with pytest.raises(RobotFileError, match="has 4 bodies and 2 joints; the limits are 1000 and 1"):
        read_robot(DATA / "small.xml", options=SizeLimits(joints=1))


def test_a_read_that_takes_too_long_is_ended() -> None:
    start = time.monotonic()
    with pytest.raises(RobotFileError, match=r"took longer than the limit of 0\.05 s"):
        read_robot_guarded(DATA / "small.urdf", seconds=0.05)
    assert time.monotonic() - start < 30


def test_a_read_that_needs_too_much_memory_is_ended(tmp_path: Path) -> None:
    faces = 1_500_000
    path = lay_out(tmp_path, "meshes/huge.stl")
    with (path.parent / "meshes/huge.stl").open("wb") as file:
        file.write(b" " * 80 + struct.pack("<I", faces))
        file.truncate(84 + 50 * faces)
    with pytest.raises(RobotFileError, match=r"than the limit of 400 MB|the reader failed"):
        read_robot_guarded(path, memory=400_000_000)


def test_a_crash_of_the_reader_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    package = tmp_path / "crash"
    package.mkdir()
    # A parser that dies of a segmentation fault, in the child only: it comes first on the child's path.
    (package / "collada.py").write_text("import ctypes\nctypes.string_at(0)\n")
    monkeypatch.setenv("PYTHONPATH", str(package))
    with pytest.raises(RobotFileError, match=r"the reader failed \(SIGSEGV\)"):
        read_robot_guarded(DATA / "meshes_dae.urdf")


def test_the_child_cannot_write_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "writes"
    package.mkdir()
    target = tmp_path / "written"
    (package / "collada.py").write_text(f"open({str(target)!r}, 'w').write('x' * 100)\n")
    monkeypatch.setenv("PYTHONPATH", str(package))
    with pytest.raises(RobotFileError):
        read_robot_guarded(DATA / "meshes_dae.urdf")
    assert not target.exists() or target.stat().st_size == 0


def test_the_result_is_bounded() -> None:
    with pytest.raises(RobotFileError, match="its model is larger than the limit of 0 MB"):
        read_robot_guarded(DATA / "small.urdf", options=SizeLimits(result_bytes=1000))
