"""Files that never end, are nested too deeply or reach out of their folder are refused quickly with an error."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from farhand.cell import read_cell
from farhand.cli.join import make_master
from farhand.errors import CellFileError, FileError, RobotFileError
from farhand.formats import read_robot
from farhand.robots import load_robot

INERTIA = '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'


def urdf(links: int = 3, mass: str = "1", mesh: str = "") -> str:
    """Return a chain of links, each with the mesh."""
    seen = f'<visual><geometry><mesh filename="{mesh}"/></geometry></visual>' if mesh else ""
    mid = f'<inertial><mass value="{mass}"/>{INERTIA}</inertial>{seen}</link>'
    bodies = "".join(f'<link name="l{i}">{mid}' for i in range(links))
    joints = "".join(
        f'<joint name="j{i}" type="revolute"><parent link="l{i}"/><child link="l{i + 1}"/><axis xyz="0 1 0"/>'
        '<limit lower="-1" upper="1" effort="9" velocity="1"/></joint>'
        for i in range(links - 1)
    )
    return f'<robot name="chain">{bodies}{joints}</robot>'


def mjcf(bodies: int = 2, inside: str = "") -> str:
    """Return a chain of bodies."""
    body = '<body pos="0 0 .1"><joint axis="0 1 0" range="-1 1"/><geom size=".02"/>'
    return f"<mujoco>{inside}<worldbody>{body * bodies}{'</body>' * bodies}</worldbody></mujoco>"


# ── The command line ─────────────────────────────────────────────────────────────────────────────────────────────


def farhand(*arguments: str) -> tuple[int, str, float]:
    """Run the command line; return exit code, standard error, and seconds of processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-m", "farhand.cli", *arguments], capture_output=True, text=True, timeout=60, check=False
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.returncode, done.stderr, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.parametrize("headless", [(), ("--headless",)])
def test_an_unknown_cell_is_answered_at_once(headless: tuple[str, ...]) -> None:
    farhand("run", "nosuch")  # its modules are compiled now, if they were not
    code, said, seconds = min((farhand("run", "irb121", *headless) for _ in range(3)), key=lambda run: run[2])
    assert code == 2
    assert "no cell is called 'irb121' (did you mean 'irb120'?); there are:" in said
    assert seconds < 0.3


def test_special_files_are_refused(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    for path in ("/dev/zero", str(pipe)):
        code, said, _ = farhand("run", path, "--no-browser")
        assert (code, said) == (2, f"farhand: {path}: cannot be read: is not a regular file\n")


def test_a_pipe_is_not_read_as_a_master_or_a_page(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    with pytest.raises(FileError, match=r"pipe\.toml: cannot be read: is not a regular file"):
        make_master(str(pipe))
    code, said, _ = farhand("experiment", "isomeric", "--check", "--docs", str(pipe))
    assert (code, said) == (2, f"farhand: {pipe} cannot be read: is not a regular file; choose the page with --docs\n")


# ── Cell files ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_cell_is_based_on_another_cell_only(tmp_path: Path) -> None:
    path = tmp_path / "cell.toml"
    path.write_text('name = "x"\nbased_on = "/etc/passwd"\n')
    with pytest.raises(CellFileError) as caught:
        read_cell(path)
    expected = "based_on: found '/etc/passwd', expected the name of a cell or the path of a .toml file"
    assert str(caught.value) == f"{path}: {expected}"


@pytest.mark.parametrize(
    "text",
    [
        'name = "x"\nbased_on = "{long}.toml"\n',
        'name = "x"\nbased_on = "{long}"\n',
        '[robots.a]\nmodel = "irb120"\n[[world.objects]]\nname = "o"\nshape = "mesh"\nmesh = "{long}.stl"\n',
        '[robots.a]\nmodel = "{long}.urdf"\n',
    ],
)
def test_an_endless_name_is_not_repeated_in_full(tmp_path: Path, text: str) -> None:
    from farhand import Cell

    path = tmp_path / "cell.toml"
    path.write_text(('name = "x"\n' if "name =" not in text[:8] else "") + text.replace("{long}", 5000 * "a"))
    with pytest.raises(CellFileError) as caught:
        Cell.load(path)
    assert len(str(caught.value)) < 1200


# ── Robot files ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        (
            "a.urdf",
            urdf(401),
            "link l200: a chain has more links than the limit of 200; the robot has 401 links",
        ),
        ("a.xml", mjcf(400), "bodies are nested deeper than the limit of 200"),
        ("a.urdf", urdf(mass="-1"), "link l0, inertial: mass must be at least 0 kg, found -1"),
        ("a.urdf", urdf(mesh=5000 * "a" + ".stl"), "expected the name of a file, found 'aaaa"),
        ("a.urdf", urdf(mesh=2500 * "a/" + "b.stl"), "expected the name of a file, found 'a/a/"),
        ("a.xml", mjcf(2, f'<asset><mesh file="{5000 * "a"}.stl"/></asset>'), "expected the name of a file, found"),
    ],
    ids=["long urdf", "long mjcf", "negative mass", "long name", "long path", "long name in mjcf"],
)
def test_errors_of_robot_files_name_the_problem(tmp_path: Path, name: str, text: str, said: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(RobotFileError) as caught:
        load_robot(tmp_path / name)
    assert said in str(caught.value)
    assert len(str(caught.value)) < 800


def test_a_chain_of_150_links_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.urdf").write_text(urdf(151))
    assert len(read_robot(tmp_path / "a.urdf").arm.joints) == 150


@pytest.mark.parametrize("reference", ["../secret.xml", "../../secret.xml", "package://x/../secret.xml"])
def test_a_model_cannot_read_outside_its_root(tmp_path: Path, reference: str) -> None:
    folder = tmp_path / "downloads" / "evil"
    folder.mkdir(parents=True)
    for place in (tmp_path, tmp_path / "downloads"):
        (place / "secret.xml").write_text(mjcf())
    (folder / "a.xml").write_text(f'<mujoco><include file="{reference}"/></mujoco>')
    with pytest.raises(RobotFileError, match=r"lies outside|there is no file"):
        read_robot(folder / "a.xml")


def test_a_folder_called_urdf_or_a_package_is_read_from_its_parent(tmp_path: Path) -> None:
    for place, marker in (("a/urdf", ""), ("b/some/where", "b/package.xml")):
        (tmp_path / place).mkdir(parents=True)
        if marker:
            (tmp_path / marker).write_text("<package/>")
        (tmp_path / place).parent.joinpath("inner.xml").write_text(mjcf())
        (tmp_path / place / "a.xml").write_text('<mujoco><include file="../inner.xml"/></mujoco>')
        assert len(read_robot(tmp_path / place / "a.xml").arm.joints) == 2


def test_a_pipe_beside_a_model_is_not_a_package(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "package.xml")
    (tmp_path / "a.urdf").write_text(urdf(mesh="package://other/a.stl"))
    with pytest.raises(RobotFileError, match="there is no file"):
        read_robot(tmp_path / "a.urdf")


def test_a_nested_include_is_found_beside_its_file(tmp_path: Path) -> None:
    parts = tmp_path / "parts" / "more"
    parts.mkdir(parents=True)
    (tmp_path / "a.xml").write_text('<mujoco><include file="parts/arm.xml"/></mujoco>')
    (tmp_path / "parts" / "arm.xml").write_text('<mujoco><include file="more/body.xml"/></mujoco>')
    (parts / "body.xml").write_text('<mujoco><include file="last.xml"/></mujoco>')
    (parts / "last.xml").write_text(mjcf())
    assert len(read_robot(tmp_path / "a.xml").arm.joints) == 2
    # as MuJoCo has it, the folder of the outermost file comes first
    (tmp_path / "last.xml").write_text(mjcf(3))
    assert len(read_robot(tmp_path / "a.xml").arm.joints) == 3
