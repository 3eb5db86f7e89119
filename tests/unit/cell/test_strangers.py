"""Arms outside the catalogue: contacts and protection work, also if their file shifts and turns the base body."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest
from msgspec import convert
from strangers import FILES, mass_along, stranger, strong, turned, way_of
from worded import worded

from farhand.cell import Cell
from farhand.cell.cell_spec import CellSpec
from farhand.filters.compliance import PEAK, contact_speed
from farhand.formats import read_robot
from farhand.poses import Pose, Vec3, compose, normalized, rotate, transform_point
from farhand.server.cell_process.describe import describe
from farhand.types import Inputs, Reading, Tick

# Arms that differ: seven joints with a gripper, six and seven without.
BY_DAY = ("panda", "ur5", "xarm7")
MATRIX = [
    pytest.param(
        name,
        turn,
        id=f"{name}, {'turned' if turn else 'as it is'}",
        marks=() if turn and name in BY_DAY else pytest.mark.slow,
    )
    for name in FILES
    for turn in (False, True)
]
THRESHOLD = 30.0
THICK, WIDE = 0.05, 0.3
KEEP = {"keep": 0.003}
DT = 0.002
ASIDE = 0.002  # m that an arm may slide aside which starts as near as it may come: the Talos's, by thick capsules
RANGES = ("aloha", "vx300s")  # the same arm, without and with its compiler element


class Stage:
    """An arm in an empty world with a plate ahead of its tool, and a hand that jogs it straight there.

    Args:
        name: Which arm.
        turn: With its base turned and shifted in its file.
        gap: Metres from the tool to the plate; None for no plate.
        speed: m/s of the jog.
        other: Also a second arm like it, that faces the first one, this many metres away, with motors that hold it so.
        robot: What its table in the cell file says beside that.
        touch: How the plate may be touched.
    """

    def __init__(
        self, name: str, turn: bool, gap: float | None, speed: float, *, touch: str = "may", other: float | None = None,
        **robot: Any,
    ) -> None:  # fmt: skip
        self.way, model = way_of(name), stranger(name)
        model = turned(model) if turn else model
        self.T_world_base = _base_of(model)
        self.ahead = rotate(self.T_world_base.rotation, self.way.ahead)
        self.nose = transform_point(self.T_world_base, self.way.nose)
        arm = {
            "model": "none",
            "home": self.way.home,
            "mappings": {"base axes": {"kind": "jog-tip", "frame": "base", "speed": speed}},
            **robot,
        }
        robots = {"arm": arm}
        if other is not None:
            stand = self._facing(0.5 * other)
            robots["other"] = {**arm, "master": "other", "position": stand.position, "rotation": stand.rotation}
            robots["arm"] = {**arm, "master": "hand"}
        objects = [] if gap is None else [{**self._plate(gap), "touch": touch}]
        table = {
            "name": "strangers",
            "speeds": [1.0],
            "speed_level": 1,
            "robots": robots,
            "masters": {name: {"kind": "manual"} for name in (["hand", "other"] if other is not None else ["hand"])},
            "world": {"floor": False, "objects": objects},
        }
        models = {"arm": model, "other": strong(model)} if other is not None else {"arm": model}
        self.cell = Cell(convert(table, CellSpec), Path("strangers.toml"), models=models)
        self.sequence = 0

    def _plate(self, gap: float) -> dict[str, Any]:
        middle = tuple(np.add(self.nose, (gap + 0.5 * THICK) * np.array(self.ahead)).tolist())
        return {
            "name": "plate",
            "size": [THICK, WIDE * self.way.size, WIDE * self.way.size],
            "position": middle,
            "rotation": _along(self.ahead),
            "mass": 0.0,
        }

    def _facing(self, gap: float) -> Pose:
        """Return where the second arm stands: turned by half a turn about an axis beyond the first one's nose."""
        square = np.cross(self.ahead, np.eye(3)[int(np.argmin(np.abs(self.ahead)))])
        x, y, z = (square / np.linalg.norm(square)).tolist()
        middle = tuple(np.add(self.nose, gap * np.array(self.ahead)).tolist())
        half = Pose(middle, (0.0, x, y, z))
        return compose(half, Pose(tuple(-v for v in middle)))

    def step(self, held: bool = True) -> Tick:
        """Jog ahead for a tick, or let go."""
        self.sequence += 1
        reading = Reading(sequence=self.sequence, deadman=held, axes=self.way.ahead if held else ())
        return self.cell.step(Inputs({"hand": reading}))

    def drive(self, seconds: float) -> list[Tick]:
        """Press, and jog ahead for some time."""
        return [self.step(held=False), *[self.step() for _ in range(round(seconds / self.cell.dt))]]

    @property
    def between(self) -> float:
        """Metres between the arm and everything that is not its robot; 1 if nothing is that near."""
        world = self.cell.world
        m, data = world.compiled.model, mujoco.MjData(world.compiled.model)
        data.qpos[:] = world._data.qpos
        mujoco.mj_kinematics(m, data)
        own = [str(m.body(int(body)).name).startswith("arm/") for body in m.geom_bodyid]
        solid = (m.geom_contype | m.geom_conaffinity) != 0
        mine, others = np.flatnonzero(own & solid), np.flatnonzero(~np.array(own) & solid)
        return min([mujoco.mj_geomDistance(m, data, a, b, 2.0, None) for a in mine for b in others], default=1.0)


def _base_of(model: Any) -> Pose:
    """Return where a robot's file puts its base body, by MuJoCo alone."""
    bare = mujoco.MjSpec.from_string(model.mjcf, assets=model.assets).compile()
    data = mujoco.MjData(bare)
    mujoco.mj_kinematics(bare, data)
    body = data.body(model.arm.base)
    return Pose(tuple(body.xpos.tolist()), tuple(body.xquat.tolist()))


def _along(d: Vec3) -> tuple[float, ...]:
    """Return a turn that brings x to a direction."""
    x, y, z = d
    return (0.0, 0.0, 1.0, 0.0) if x < -1.0 + 1e-9 else normalized((1.0 + x, 0.0, -z, y))


def kept_clear_of(ticks: list[Tick]) -> set[str]:
    """Return the bodies of which notes say that the arm must not touch them."""
    near = [note for tick in ticks for note in tick.lanes["arm"].notes if note.code == "avoid.near"]
    return {subject.name for note in near for subject in note.about[1:]}


def force_of(tick: Tick) -> float:
    return math.hypot(*tick.state.robots["arm"].contact.force)


def pressing(name: str, turn: bool, *, sensor: bool) -> tuple[Stage, list[Tick]]:
    """Press an arm against a plate, as fast as compliance allows for, and return every tick.

    Something stiff that stops a mass m within a tick takes m·v/dt: a heavy arm comes on more slowly, as with `avoid`.
    """
    more: dict[str, Any] = {"wrist": {"force_noise": 0.0, "torque_noise": 0.0}} if sensor else {}
    filters = [{"kind": "compliance", "threshold": THRESHOLD}, {"kind": "scale"}, {"kind": "smooth"}]
    speed = min(contact_speed(THRESHOLD), PEAK * THRESHOLD * DT / mass_along(name))
    stage = Stage(name, turn, speed, speed, filters=filters, **more)
    for _ in range(50):
        at_rest = stage.step(held=False)
    assert math.hypot(*at_rest.lanes["arm"].contact.force) < 0.5
    return stage, stage.drive(4.0)


@pytest.mark.parametrize("sensor", [False, True], ids=["measured", "by the wrist sensor"])
@pytest.mark.parametrize(("name", "turn"), MATRIX)
def test_a_contact_force_opposes_the_motion_and_compliance_yields_to_it(name: str, turn: bool, sensor: bool) -> None:
    stage, ticks = pressing(name, turn, sensor=sensor)
    pressed, felt = [force_of(tick) for tick in ticks], ticks[-1].lanes["arm"].felt.force
    if sensor and stranger(name).arm.contact_body:
        # the last shapes are before the sensor: no sensor could feel them, and that is said
        assert "cell.numb" in [note.code for note in stage.cell.notes()["arm"]]
        return
    assert np.dot(felt, stage.way.ahead) < -0.5 * THRESHOLD
    assert max(pressed) <= 1.5 * THRESHOLD
    # so101 rests 6 % below, all others within 6 %, with the sensor as without: fingers pushed open hold nothing
    assert pressed[-1] == pytest.approx(THRESHOLD, rel=0.1)


@pytest.mark.parametrize(("name", "turn"), MATRIX)
def test_an_object_that_must_not_be_touched_is_not(name: str, turn: bool) -> None:
    way = way_of(name)
    gap = min(0.06 * way.size, way.length)
    stage = Stage(name, turn, gap, 0.1 * way.size, touch="never", avoid=KEEP)
    ticks = stage.drive(1.2)
    assert 0.0 < stage.between < gap
    assert kept_clear_of(ticks) == {"plate"}


@pytest.mark.parametrize(("name", "turn"), MATRIX)
def test_another_arm_of_its_kind_is_not_touched(name: str, turn: bool) -> None:
    way = way_of(name)
    gap = min(0.07 * way.size, way.length)
    stage = Stage(name, turn, None, 0.1 * way.size, other=gap, avoid={**KEEP, "never": ["other"]})
    ticks = stage.drive(1.2)
    assert 0.0 < stage.between < gap + ASIDE
    assert any("of other" in name for name in kept_clear_of(ticks))


def stopped_by_a_shell(name: str, turn: bool) -> float:
    """Return how far (m) a tip goes that a shell around the plate stops after 40 mm."""
    way = way_of(name)
    beyond = float(np.dot(np.subtract(way.nose, way.tip), way.ahead))  # below 0: nothing there has a shape
    shell = {"name": "shell", "act": "keep-out", "object": "plate", "margin": 0.02 + max(beyond, 0.0)}
    filters = [{"kind": "fixture", **shell}, {"kind": "scale"}, {"kind": "smooth"}]
    stage = Stage(name, turn, 0.06 + max(-beyond, 0.0), 0.1, filters=filters)
    ticks = stage.drive(1.4)
    tip = transform_point(stage.T_world_base, ticks[-1].state.robots["arm"].T_base_tip.position)
    return float(np.dot(np.subtract(tip, transform_point(stage.T_world_base, way.tip)), stage.ahead))


@pytest.mark.parametrize(("name", "turn"), MATRIX)
def test_a_keep_out_around_an_object_stops_the_tip(name: str, turn: bool) -> None:
    # walls brake no harder than the joints can: nothing but the lag of the drives is left
    assert stopped_by_a_shell(name, turn) == pytest.approx(0.04, abs=2e-4)


def test_a_turned_base_is_described_where_it_is() -> None:
    """What the page draws, and by which it turns a picture's axes into those of the base."""
    stage = Stage("ur5", turn=True, gap=None, speed=0.1)
    (robot,) = describe(stage.cell, "strangers", 1, (), {}).robots
    assert robot.base.pose.position == pytest.approx(stage.T_world_base.position)
    assert robot.base.pose.rotation == pytest.approx(stage.T_world_base.rotation)
    assert stage.cell.world.compiled.bases["arm"].position == pytest.approx(stage.T_world_base.position)


def test_a_wrist_sensor_behind_which_nothing_is_solid_is_said_to_feel_no_contact() -> None:
    sensor = {"force_noise": 0.0, "torque_noise": 0.0}
    told = {
        name: [note.code for note in Stage(name, turn=False, gap=None, speed=0.1, wrist=sensor).cell.notes()["arm"]]
        for name in ("arx5", "xarm7")
    }
    assert "cell.numb" in told["arx5"]
    assert "cell.numb" not in told["xarm7"]


def test_a_file_that_means_radians_without_saying_so_gets_a_note() -> None:
    told = {
        name: [note for note in read_robot(FILES[name][0]).notes if note.code == "robot.degrees"] for name in RANGES
    }
    assert [len(notes) for notes in told.values()] == [1, 0]
    assert worded(told["aloha"][0]) == (
        "No joint of the arm turns further than 3.1°. If the file means radians, "
        'its compiler element needs angle="radian".'
    )


def test_motors_that_are_assumed_hold_the_arm_on_a_wall_too(tmp_path: Path) -> None:
    """A turret needs no torque upright; on a wall it carries the arm."""
    path = tmp_path / "arm.xml"
    path.write_text(
        """<mujoco><worldbody><body name="base"><geom size="0.05"/><body name="turret">
        <joint name="turn" axis="0 0 1" range="-170 170"/><geom size="0.05"/><body name="boom" pos="0 0 0.1">
        <joint name="lift" axis="0 1 0" range="-90 90"/><geom type="capsule" fromto="0 0 0 1 0 0" size="0.04" mass="4"/>
        <body name="end" pos="1 0 0"><joint name="bend" axis="0 1 0" range="-90 90"/>
        <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03" mass="1"/></body></body></body></body>
        </worldbody></mujoco>"""
    )
    turn, lift, _ = read_robot(path).arm.joints
    stretched = 9.81 * (4.0 * 0.5 + 1.0 * 1.15)
    assert turn.effort > 3.0 * stretched  # twice that, and what acceleration needs
    assert lift.effort > 3.0 * stretched
