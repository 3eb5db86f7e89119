"""Cameras of robots: their places, the motion of their heads, and their part in checkpoints."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from toys import toy_arm
from worded import worded

from farhand import Cell
from farhand.cell import Checkpoint, checkpoint_of
from farhand.cell.cell_spec import CellSpec, RobotSpec
from farhand.config import convert
from farhand.errors import CellFileError, RobotFileError
from farhand.formats import read_robot
from farhand.formats.camera_tables import CameraFile
from farhand.poses import Pose, compose, matrix
from farhand.robots import load_robot
from farhand.server.cell_process.describe import describe
from farhand.types import AimCamera, CameraState, DegradeCamera, Inputs, ResetRobot

TELEMAX = Path(load_robot.__code__.co_filename).parent / "telemax" / "robot.toml"
NAMES = ("front", "rear", "elbow", "wrist", "gripper", "turret")


@pytest.fixture(scope="module")
def fresh() -> Cell:
    return Cell.load("telemax")


@pytest.fixture
def cell(fresh: Cell) -> Iterator[Cell]:
    """The Telemax at its start; what a test changes is undone."""
    start = fresh.snapshot()
    yield fresh
    fresh.restore(start)


def aim(cell: Cell, *aimed: float, camera: str = "turret") -> list[str]:
    tick = cell.step(Inputs(events=(AimCamera("telemax", camera, *aimed),)))
    return [worded(note) for note in tick.notes]


def turret(cell: Cell) -> CameraState:
    return cell.state.robots["telemax"].cameras[NAMES.index("turret")]


def run(cell: Cell, seconds: float) -> list[CameraState]:
    index = NAMES.index("turret")
    return [cell.step().state.robots["telemax"].cameras[index] for _ in range(round(seconds / cell.dt))]


def test_the_telemax_has_six_cameras_where_its_scene_says(cell: Cell) -> None:
    robot = describe(cell, "telemax", 1, (), {}).robots[0]
    assert tuple(camera.name for camera in robot.cameras) == NAMES
    aim(cell, 0.7, -0.4, 3.0)
    run(cell, 1.0)
    compiled, data = cell.world.compiled, cell.world._data
    for camera, index in zip(robot.cameras, compiled.index.robots["telemax"].cameras, strict=True):
        at, quat = cell.world.body_poses(np.array(compiled.look.body_ids)[[camera.place.body]])
        T = matrix(compose(Pose(tuple(at[0].tolist()), tuple(quat[0].tolist())), camera.place.pose))
        assert np.allclose(T[:3, 3], data.cam_xpos[index.number], atol=1e-9)
        assert np.allclose(T[:3, :3].ravel(), data.cam_xmat[index.number], atol=1e-9)


def test_drive_cameras_look_the_way_the_robot_drives_with_its_up_up(cell: Cell) -> None:
    data, index = cell.world._data, cell.world.compiled.index.robots["telemax"]
    looks = {
        name: np.array(data.cam_xmat[camera.number]).reshape(3, 3)
        for name, camera in zip(NAMES, index.cameras, strict=True)
    }
    for name in NAMES:
        ahead, up = -looks[name][:, 2], looks[name][:, 1]
        level = 0.5 if name == "gripper" else 0.8  # the arm at home bends its wrist downwards
        assert (ahead[0] > level) == (name != "rear")
        assert abs(ahead[1]) < 1e-6
        assert up[2] > level


def test_a_head_turns_at_its_rate_to_where_it_was_told_and_no_further(cell: Cell) -> None:
    rate = math.radians(90.0)
    assert aim(cell, 1.0, -0.5, 4.0) == []
    seen = run(cell, 2.0)
    steps = np.abs(np.diff([s.pan for s in seen])) / cell.dt
    assert 0.95 * rate < steps.max() < 1.15 * rate
    assert (seen[-1].pan, seen[-1].tilt, seen[-1].zoom) == pytest.approx((1.0, -0.5, 4.0), abs=2e-3)
    assert max(s.pan for s in seen) < 1.01
    assert aim(cell, 99.0, 99.0, 99.0) == []
    last = run(cell, 4.0)[-1]
    assert (last.pan, last.tilt, last.zoom) == pytest.approx((math.radians(170), math.radians(60), 10.0), abs=2e-3)


def test_a_head_turned_back_on_its_way_does_not_jump(cell: Cell) -> None:
    aim(cell, 1.5, 0.0)
    before = run(cell, 0.5)
    aim(cell, -1.5, 0.0)
    seen = [s.pan for s in (*before[-2:], turret(cell), *run(cell, 2.5))]
    assert np.abs(np.diff(seen, 2)).max() / cell.dt**2 < 30.0
    assert seen[-1] == pytest.approx(-1.5, abs=2e-3)


def test_a_snapshot_while_a_head_turns_goes_on_to_the_bit(cell: Cell) -> None:
    aim(cell, 1.0, 0.3, 5.0)
    cell.step(Inputs(events=(DegradeCamera("telemax", "front", noise=0.5),)))
    run(cell, 0.3)
    saved = cell.snapshot()
    first = run(cell, 0.5)
    cell.step(Inputs(events=(DegradeCamera("telemax"), AimCamera("telemax", "turret", -1.0, 0.0))))
    cell.restore(saved)
    assert run(cell, 0.5) == first
    assert [(one.camera, one.noise) for one in cell.degraded] == [("front", 0.5)]


def test_a_checkpoint_keeps_where_heads_look_their_zoom_and_what_is_degraded(cell: Cell) -> None:
    aim(cell, 0.8, 0.2, 3.0)
    cell.step(Inputs(events=(DegradeCamera("telemax", "rear", frozen=True),)))
    run(cell, 1.5)
    kept = msgspec.msgpack.encode(checkpoint_of(cell))
    run(cell, 0.1)
    cell.step(Inputs(events=(DegradeCamera("telemax"), ResetRobot("telemax"))))
    assert (turret(cell).pan, turret(cell).zoom) == pytest.approx((0.0, 1.0), abs=1e-3)
    cell.resume(msgspec.msgpack.decode(kept, type=Checkpoint))
    last = run(cell, 0.5)[-1]
    assert (last.pan, last.tilt, last.zoom) == pytest.approx((0.8, 0.2, 3.0), abs=5e-3)
    assert [(one.camera, one.frozen) for one in cell.degraded] == [("rear", True)]


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (AimCamera("telemax", "nose", 0.0, 0.0), "no camera is called 'nose'"),
        (AimCamera("telemax", "front", 0.0, 0.0), "the camera front of telemax does not turn"),
        (AimCamera("telemax", "turret", math.nan, 0.0), "must be finite numbers"),
        (DegradeCamera("telemax", "nose"), "no camera is called 'nose'"),
        (DegradeCamera("telemax", resolution=0.0), "a share from 0.02 to 1, found 0"),
        (DegradeCamera("telemax", rate=0.01), "0 (unchanged) or from 0.2 to 60 pictures per second, found 0.01"),
        (DegradeCamera("telemax", noise=1.5), "noise is from 0 to 1, found 1.5"),
        (DegradeCamera("telemax", delay=math.nan), "delay is from 0 to 5 s"),
        (DegradeCamera("nobody"), "no robot is called 'nobody'"),
    ],
)
def test_commands_that_a_camera_cannot_carry_out_are_refused(
    cell: Cell, event: AimCamera | DegradeCamera, said: str
) -> None:
    tick = cell.step(Inputs(events=(event,)))
    assert said in worded(tick.notes[0])
    assert cell.degraded == ()


def test_degrading_all_then_one_then_none(cell: Cell) -> None:
    cell.step(Inputs(events=(DegradeCamera("telemax", resolution=0.5),)))
    assert sorted(one.camera for one in cell.degraded) == sorted(NAMES)
    cell.step(Inputs(events=(DegradeCamera("telemax", "front"), DegradeCamera("telemax", "rear", delay=1.0))))
    found = {one.camera: (one.resolution, one.delay) for one in cell.degraded}
    assert "front" not in found
    assert found["rear"] == (1.0, 1.0)
    assert found["turret"] == (0.5, 0.0)
    cell.step(Inputs(events=(DegradeCamera("telemax"),)))
    assert cell.degraded == ()


def test_a_cell_file_adds_a_camera_to_any_robot(tmp_path: Path) -> None:
    added = (CameraFile(name="hand", link="elbow", at=(0.0, 0.0, 0.1), towards=(0.0, 0.0, 1.0), up=(1.0, 0.0, 0.0)),)
    cell = Cell(_with_cameras(added), tmp_path / "cell.toml", models={"arm": toy_arm()})
    found = describe(cell, "toy", 1, (), {}).robots[0].cameras
    assert [(camera.name, camera.label, camera.pan, camera.width) for camera in found] == [("hand", "hand", None, 640)]
    assert cell.step().state.robots["arm"].cameras == (CameraState(),)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"name": "a", "towards": [0.0, 0.0, 0.0]}, "cameras[0].towards: towards and up must be directions"),
        ({"name": "a", "towards": [0.0, 0.0, 2.0]}, "cameras[0].up: must not be parallel to towards"),
        ({"name": "a", "link": "tail"}, "cameras[0].link: no link is called 'tail'"),
        ({"name": "a", "head": {"pan_deg": [10.0, 20.0]}}, "straight ahead, 0, must lie between"),
    ],
)
def test_an_invalid_camera_is_refused_by_its_field(tmp_path: Path, table: dict[str, Any], said: str) -> None:
    cameras = (convert(table, CameraFile),)
    with pytest.raises(CellFileError) as error:
        Cell(_with_cameras(cameras), tmp_path / "cell.toml", models={"arm": toy_arm()})
    assert said in str(error.value)


def test_two_cameras_of_one_name_are_refused(tmp_path: Path) -> None:
    for file in TELEMAX.parent.glob("*.toml"):
        (tmp_path / file.name).write_text(file.read_text().replace('name = "rear"', 'name = "front"'))
    with pytest.raises(RobotFileError, match=r"cameras\[1\]\.name: this robot already has a camera 'front'"):
        read_robot(tmp_path / "robot.toml")


def _with_cameras(cameras: tuple[CameraFile, ...]) -> CellSpec:
    return CellSpec(name="toy", robots={"arm": RobotSpec(model="toy", cameras=cameras)})
