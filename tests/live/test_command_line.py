"""The command line: its output, and errors as sentences with an exit code."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from servers import free_port

from farhand import __version__
from farhand.cli import main

URDF = """<robot name="lamp">
<link name="foot"/><link name="arm"><inertial><mass value="1"/><origin xyz="0 0 .2"/>
<inertia ixx=".02" iyy=".02" izz=".01" ixy="0" ixz="0" iyz="0"/></inertial></link><link name="head"/><link name="hook"/>
<joint name="lean" type="revolute"><parent link="foot"/><child link="arm"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" effort="50" velocity="2"/></joint>
<joint name="neck" type="fixed"><parent link="arm"/><child link="head"/><origin xyz="0 0 .4"/></joint>
<joint name="pin" type="fixed"><parent link="arm"/><child link="hook"/><origin xyz="0 0 .3"/></joint>
</robot>"""


def test_a_fast_run_reports_what_the_arm_does(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "irb120-grasp", "--headless", "--fast", "--seconds", "3.2"]) == 0
    out = capsys.readouterr().out
    assert "arm: irb120, 6 joints: Turn, Shoulder, Elbow, Forearm roll, Wrist, Flange" in out
    assert "teleoperation" in out
    assert "cube is at" in out
    assert "times real time" in out


def test_json_lines_are_ticks(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "irb120", "--headless", "--fast", "--seconds", "1", "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["number"] for line in lines] == [250, 500]
    assert lines[0]["lanes"]["arm"]["mode"] == "idle"


def test_any_robot_by_path(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "lamp.urdf"
    path.write_text(URDF)
    assert main(["run", "--robot", str(path), "--headless", "--fast", "--tip", "hook"]) == 0
    out = capsys.readouterr().out
    assert "robot: lamp, 1 joint: lean" in out
    assert "teleoperation" in out


def test_an_end_effector_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "lamp.urdf"
    path.write_text(URDF)
    assert main(["run", "--robot", str(path), "--headless", "--tip", "hok"]) == 2
    assert "hook" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["run", "irb12"],
            "farhand: no cell is called 'irb12' (did you mean 'irb120'?); there are: delta-delta, delta-scara, ",
        ),
        (["run", "irb120", "--robot", "irb120"], "farhand: give either a cell or --robot, not both"),
        (["run", "--tool", "two-finger"], "--tip, --base and --tool need --robot"),
        (["run", "arm.urdf"], "arm.urdf is a robot, not a cell; run it with: farhand run --robot arm.urdf"),
        (["run", "missing.toml"], "farhand: missing.toml: cannot be read: No such file or directory"),
        (["run", "--robot", "missing.urdf", "--headless"], "missing.urdf: cannot be read: No such file or directory"),
        (["run", "--fast"], "farhand: --seconds, --fast and --json need --headless"),
        (["run", "--seconds", "3"], "farhand: --seconds, --fast and --json need --headless"),
        (["run", "--json"], "farhand: --seconds, --fast and --json need --headless"),
        (["run", "--headless", "irb120", "irb120-grasp"], "farhand: --headless runs one cell at a time"),
        (
            ["run", "irb120", "irb120"],
            "farhand: two cells have the name 'irb120'; each cell of a server needs a name of its own",
        ),
        (["run", "--host", "203.0.113.7"], "farhand: cannot listen at 203.0.113.7 port 8090: "),
    ],
)
def test_errors_are_sentences(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    err = capsys.readouterr().err
    assert words in err
    assert "Traceback" not in err


@pytest.mark.parametrize("kind", ["robots", "tools", "masters", "devices", "mappings", "filters", "cells"])
def test_lists_have_a_sentence_for_everything(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", kind, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert rows
    assert all(row["name"] and row["summary"].endswith(".") for row in rows)
    assert main(["list", kind]) == 0
    assert rows[0]["summary"] in capsys.readouterr().out


def test_compile_says_what_it_did(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compile"]) == 0
    assert "kernels ready in" in capsys.readouterr().out


def test_the_installed_command_works() -> None:
    command = Path(sys.executable).parent / "farhand"
    done = subprocess.run([command, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"farhand {__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--seconds", "-3"], "found -3, expected a number of seconds above 0"),
        (["--seconds", "nan"], "found nan, expected a number of seconds above 0"),
        (["--port", "0"], "found 0, expected a port from 1 to 65535"),
        (["--port", "65536"], "found 65536, expected a port from 1 to 65535"),
        (["--port", "http"], "found http, expected a port from 1 to 65535"),
    ],
)
def test_bad_arguments_are_refused(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["run", *arguments])
    assert caught.value.code == 2
    assert words in capsys.readouterr().err


def test_a_robot_that_a_server_cannot_have_is_said_and_ends_it(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The cell's own process finds it out, so the server starts and ends; a file that is not there is said at once."""
    broken = tmp_path / "broken.urdf"
    broken.write_text("<robot")
    for path, words in ((str(broken), "is not well-formed XML"), ("missing.urdf", "No such file or directory")):
        assert main(["run", "--no-browser", "--port", str(free_port()), "--robot", path]) == 2
        out, err = capfd.readouterr()
        assert out == ""
        assert words in err
        assert err.splitlines()[-1].startswith("farhand: ")


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = f"{sys.executable} -m farhand.cli run irb120 --headless --fast --seconds 20 --json | head -n 1"
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True)
    assert "Traceback" not in done.stderr
