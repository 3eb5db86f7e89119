"""A SpaceMouse by its reports: the same ones that the page's tests read."""

import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from paths import DATA

from farhand import Cell, Run
from farhand.errors import FileError
from farhand.masters import MASTERS
from farhand.masters.spacemouse import AT_REST, FULL_COUNTS, SpaceMouse, decode, find
from farhand.types import Feedback, Reading, SelectMapping

LEFT, RIGHT, NONE = bytes.fromhex("030100"), bytes.fromhex("030200"), bytes.fromhex("030000")
FORWARD = bytes.fromhex("010000a2fe0000")


class Seen(msgspec.Struct):
    what: str
    report: str
    counts: list[int]
    pressed: list[int]


class File(msgspec.Struct):
    reports: list[Seen]


REPORTS = msgspec.json.decode((DATA / "spacemouse.json").read_bytes(), type=File).reports


class Wire:
    """A pipe in place of the device: each write is read as one report."""

    def __init__(self, path: Path) -> None:
        self.path = path
        os.mkfifo(path)
        self.plug()

    def plug(self) -> None:
        self.file = os.open(self.path, os.O_RDWR | os.O_NONBLOCK)
        fcntl.fcntl(self.file, fcntl.F_SETFL, fcntl.fcntl(self.file, fcntl.F_GETFL) | os.O_DIRECT)

    def unplug(self) -> None:
        os.close(self.file)

    def say(self, *reports: bytes) -> None:
        for report in reports:
            os.write(self.file, report)


@pytest.fixture
def wire(tmp_path: Path) -> Iterator[Wire]:
    wire = Wire(tmp_path / "hidraw7")
    yield wire
    wire.unplug()


@pytest.fixture
def mouse(wire: Wire) -> Iterator[SpaceMouse]:
    mouse = SpaceMouse(str(wire.path), opens=12, closes=13)
    yield mouse
    mouse.close()


def read(mouse: SpaceMouse, now: float = 0.0) -> Reading:
    reading = mouse.step(Feedback(3), now)
    assert reading
    return reading


def test_recorded_reports_are_decoded() -> None:
    puck = AT_REST
    for seen in REPORTS:
        puck = decode(puck, bytes.fromhex(seen.report))
        assert [round(axis * FULL_COUNTS) for axis in puck.axes] == seen.counts, seen.what
        assert [button for button in range(32) if puck.pressed(button)] == seen.pressed, seen.what


def test_the_cap_deflects_axes_and_the_left_button_enables(wire: Wire, mouse: SpaceMouse) -> None:
    assert read(mouse).axes == (0.0,) * 7
    wire.say(FORWARD, LEFT)
    reading = read(mouse)
    assert (reading.deadman, reading.axes, reading.tick) == (True, (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0), 3)
    assert read(mouse).sequence > reading.sequence  # a held button stays pressed without a new report
    wire.say(NONE)
    assert not read(mouse).deadman


def test_a_dead_zone_ignores_small_deflections_without_a_jump_at_its_edge(wire: Wire, mouse: SpaceMouse) -> None:
    wire.say(bytes.fromhex("010000d8ff0000"))  # 40 counts
    assert read(mouse).axes[0] == 0.0
    wire.say(bytes.fromhex("010000d3ff0000"))  # 45 counts
    assert 0.0 < read(mouse).axes[0] < 0.02


def test_a_press_within_one_tick_is_counted(wire: Wire, mouse: SpaceMouse) -> None:
    wire.say(LEFT, NONE, LEFT)
    assert read(mouse).presses == {"deadman": 2, "scale": 0}
    mouse.scale = 1
    wire.say(RIGHT, NONE, RIGHT)
    assert read(mouse).presses == {"deadman": 2, "scale": 2}


def test_keys_of_a_larger_one_move_the_gripper(wire: Wire, mouse: SpaceMouse) -> None:
    wire.say(bytes.fromhex("0300100000"))
    assert read(mouse).axes[6] == 1.0
    wire.say(bytes.fromhex("0300200000"))
    assert read(mouse).axes[6] == -1.0


def test_without_the_device_there_are_no_readings_and_it_comes_back_at_rest(wire: Wire, mouse: SpaceMouse) -> None:
    wire.say(LEFT, FORWARD)
    assert read(mouse).deadman
    wire.unplug()
    assert mouse.step(Feedback(4), 10.0) is None
    assert not mouse.connected
    wire.plug()
    assert mouse.step(Feedback(5), 10.5) is None  # it is not looked for all the time
    reading = read(mouse, 11.1)
    assert (reading.deadman, reading.axes) == (False, (0.0,) * 7)
    wire.say(LEFT)
    assert read(mouse, 11.2).deadman


def test_it_can_be_plugged_in_later(tmp_path: Path) -> None:
    mouse = SpaceMouse(str(tmp_path / "hidraw7"))
    assert mouse.step(Feedback(0), 5.0) is None
    wire = Wire(tmp_path / "hidraw7")
    assert mouse.step(Feedback(1), 6.5) is not None
    mouse.close()
    wire.unplug()


def test_other_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("no device")
    with pytest.raises(FileError, match=r"notes: is not a SpaceMouse; expected a /dev/hidraw\* device or a pipe"):
        MASTERS["spacemouse"]({"path": "notes"}, tmp_path)
    with pytest.raises(FileError, match="is not a SpaceMouse"):
        SpaceMouse("/dev/zero")
    with pytest.raises(FileError, match="cannot be read: Not a directory; a udev rule"):
        SpaceMouse(str(tmp_path / "notes" / "hidraw0"))


def listed(system: Path, name: str, identity: str, title: str) -> None:
    folder = system / name / "device"
    folder.mkdir(parents=True)
    (folder / "uevent").write_text(f"DRIVER=hid-generic\nHID_ID={identity}\nHID_NAME={title}\nMODALIAS=hid:b0003\n")


def test_it_is_found_among_other_devices(tmp_path: Path) -> None:
    listed(tmp_path, "hidraw0", "0003:0000046D:0000C52B", "Logitech USB Receiver")
    listed(tmp_path, "hidraw1", "0003:00001234:00000001", "Space heater")
    (tmp_path / "hidraw2").mkdir()
    assert find(tmp_path) is None
    listed(tmp_path, "hidraw3", "0003:0000256F:0000C635", "3Dconnexion SpaceMouse Compact")
    assert find(tmp_path) == "/dev/hidraw3"
    listed(tmp_path, "hidraw10", "0003:0000046D:0000C626", "3Dconnexion SpaceNavigator")
    assert find(tmp_path) == "/dev/hidraw10"  # also under its older maker's name


CELL = """
name = "puck"
[robots.arm]
model = "irb120"
mappings = { "base axes" = { kind = "jog-tip" } }
[masters.hand]
kind = "spacemouse"
path = "hidraw7"
"""


def test_it_drives_a_robot_that_pauses_and_stops_when_it_is_unplugged(wire: Wire, tmp_path: Path) -> None:
    (tmp_path / "puck.toml").write_text(CELL)
    run = Run(Cell.load(tmp_path / "puck.toml"))
    run.send(SelectMapping("arm", "base axes"))
    start = run.run(0.1).state.robots["arm"].T_base_tip.position
    wire.say(LEFT, FORWARD)
    tick = run.run(0.5)
    assert tick.lanes["arm"].mode == "teleoperation"
    assert tick.state.robots["arm"].T_base_tip.position[0] > start[0] + 0.01
    wire.unplug()
    assert run.run(0.15).lanes["arm"].mode == "paused"
    assert run.run(1.1).lanes["arm"].mode == "stopped"
    wire.plug()
