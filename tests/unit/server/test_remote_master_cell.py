"""Masters that are led from outside: a page, or another machine; and how they are shown."""

import math
import struct
from pathlib import Path

import numpy as np
import pytest

from farhand import Cell, Run
from farhand.config import ConfigError
from farhand.devices import DEVICES, Device
from farhand.devices.shape import poses_of
from farhand.lane.intake.inbox import Inbox, receive
from farhand.masters import (
    HANDS,
    MASTERS,
    Manual,
    Master,
    Modelled,
    PathIntent,
    PathSpec,
    Remote,
    Scripted,
    Step,
    attach_remote,
    driven_by_operator,
)
from farhand.robots import load_robot
from farhand.server.cell_process.master_views import views_of
from farhand.server.protocol.messages import POSE_ROW
from farhand.types import Feedback, Inputs, Reading, Tick


def modelled(intent: Master) -> Modelled:
    return Modelled(DEVICES["cyberimpact"]({}), HANDS["firm"], intent)


def test_a_demonstration_ends_for_good_when_somebody_takes_the_device() -> None:
    master = modelled(PathIntent(PathSpec(shape="line", amplitude=0.05, period=1.0)))
    led, remote = attach_remote(master)
    assert led is master
    assert remote is not None
    assert driven_by_operator(master)
    steps = [master.step(Feedback(tick), 0.002 * tick) for tick in range(1, 400)]
    assert max(abs(step.pose.position[0]) for step in steps if step and step.pose) > 0.02
    remote.put(Reading(sequence=1, epoch=3, tick=399))  # who only holds control lets it go on
    looked = [master.step(Feedback(tick), 0.002 * tick) for tick in range(400, 420)]
    assert all(step and step.epoch == 0 and step.deadman for step in looked)
    remote.put(Reading(sequence=2, epoch=3, tick=419, deadman=True))
    taken = [master.step(Feedback(tick), 0.002 * tick) for tick in range(420, 424)]
    assert [(s.epoch, s.deadman) for s in taken if s] == [(0, False), (3, False), (3, True), (3, True)]
    remote.put(Reading(sequence=3, epoch=3, tick=423))
    last = [master.step(Feedback(tick), 0.002 * tick) for tick in range(424, 900)]
    assert all(step is not None and step.epoch == 3 and not step.deadman for step in last)
    assert last[-1]
    assert last[-1].twist
    assert math.hypot(*last[-1].twist.linear) < 1e-4


def test_a_held_deflection_moves_the_hand_no_further_once_its_sender_is_silent() -> None:
    led, remote = attach_remote(modelled(Manual()))
    assert remote is not None
    assert isinstance(led, Modelled)
    remote.put(Reading(sequence=1, tick=0, axes=(0.0, 1.0)))
    meant = []
    for tick in range(1, 501):
        led.step(Feedback(tick - 1), 0.002 * tick)
        meant.append(led.intended.position[1])
    assert meant[40] > 0.005  # it moves at once
    assert meant[60] == meant[-1] < 0.011  # a tenth of a second, at 0.1 m/s


def test_an_intention_from_afar_grows_old_though_the_hand_goes_on() -> None:
    led, remote = attach_remote(modelled(Manual()))
    assert remote is not None
    remote.put(Reading(sequence=1, tick=0, deadman=True))
    inbox = Inbox()
    for tick in range(1, 101):
        inbox = receive(inbox, led.step(Feedback(tick - 1), 0.002 * tick), tick)
        assert not inbox.turned_away
    assert inbox.age(100, 0.002) == pytest.approx(0.198)


def test_what_goes_by_itself_is_not_taken_in_hand() -> None:
    master = Scripted([Step(seconds=1.0, deadman=True)])
    assert attach_remote(master) == (master, None)
    assert not driven_by_operator(master)


def test_a_remote_master_may_say_what_device_it_is() -> None:
    master = MASTERS["remote"]({"device": "delta", "settings": {"scale": 0.5}}, Path())
    assert isinstance(master, Remote)
    assert master.device
    assert master.device.upper[0] == pytest.approx(0.075)
    with pytest.raises(ConfigError, match=r"device: no device is called 'delto'"):
        MASTERS["remote"]({"device": "delto"}, Path())
    with pytest.raises(ConfigError, match=r"settings\.scale"):
        MASTERS["remote"]({"device": "delta", "settings": {"scale": 0.0}}, Path())


# ── How they are shown ───────────────────────────────────────────────────────────────────────────────────────────


def device(name: str) -> Device:
    return DEVICES[name]({"model": load_robot("irb120")} if name == "leader" else {})


@pytest.mark.parametrize("name", sorted(DEVICES))
def test_rods_stay_on_their_points_wherever_the_joints_are(name: str) -> None:
    held = device(name)
    shape, kinematics, random = held.drawn(), held.kinematics, np.random.default_rng(3)
    assert shape is not None
    for _ in range(20):
        position = random.uniform(held.lower, held.upper)
        T = kinematics.forward(held.rest)
        T[:3, 3] = position
        q = kinematics.inverse(T, held.rest).q
        positions, turns = poses_of(shape, kinematics, tuple(q.tolist()))
        points = shape.points(q, kinematics.forward(q))
        for rod, here, (w, x, y, z) in zip(shape.rods, positions, turns, strict=False):
            along = np.array([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)])
            way = points[rod.towards] - here
            assert here == pytest.approx(points[rod.start], abs=1e-9)
            assert np.cross(along, way) == pytest.approx(np.zeros(3), abs=1e-9)
            assert float(along @ way) > 0.5 * rod.length
        assert positions[-1] == pytest.approx(kinematics.forward(q)[:3, 3], abs=1e-9)


def test_a_delta_s_rods_keep_their_length() -> None:
    held = device("delta")
    shape, q = held.drawn(), np.array(held.rest) + np.array([0.2, -0.1, 0.05])
    assert shape is not None
    points = shape.points(q, held.kinematics.forward(q))
    lengths = [float(np.linalg.norm(points[rod.towards] - points[rod.start])) for rod in shape.rods]
    assert lengths == pytest.approx([rod.length for rod in shape.rods], abs=1e-9)


def test_a_modelled_master_is_shown_as_it_moves() -> None:
    cell = Cell.load("irb120-touch")
    masters = cell.masters
    (show,) = views_of(cell, masters)
    info = show.describe()
    assert (info.name, info.label, info.hand, info.by_hand, info.robots) == (
        "touch",
        "Geomagic Touch",
        "normal",
        False,
        ("arm",),
    )
    assert {geom.body for geom in info.geoms} == {-1, *range(len(info.bodies))}
    run = Run(cell, masters, listeners=[lambda inputs, _: show.keep(inputs)])
    tick = run.run(1.5)
    update, master = show.update(tick), masters["touch"]
    assert isinstance(master, Modelled)
    assert len(update.bodies) == POSE_ROW * len(info.bodies)
    assert struct.unpack("<6f", update.joints) == pytest.approx(master.joints, rel=1e-6)
    x, y, z, *_ = struct.unpack("<7f", update.intended)
    assert (x, y, z) == pytest.approx(master.intended.position, rel=1e-6)
    assert struct.unpack_from("<3f", update.bodies, POSE_ROW * (len(info.bodies) - 1)) == pytest.approx(
        master.pose.position, rel=1e-6
    )
    assert update.held


@pytest.mark.parametrize("joints", [(), (0.1,) * 5, (math.nan,) * 6])
def test_what_no_device_can_be_is_not_shown(joints: tuple[float, ...]) -> None:
    cell = Cell.load("irb120-touch")
    (show,) = views_of(cell, {"touch": Remote(device("touch"))})
    show.keep(Inputs({"touch": Reading(joints=joints)}))
    assert show.update(_tick(cell)).bodies == b""


def _tick(cell: Cell) -> Tick:
    return cell.step(Inputs())


def test_taking_over_a_demonstration_drives_at_once_and_stops_nothing() -> None:
    cell = Cell.load("irb120-touch")
    master, remote = attach_remote(cell.masters["touch"])
    assert remote is not None
    run = Run(cell, {"touch": master})
    assert run.run(1.5).lanes["arm"].mode == "teleoperation"
    modes = []
    for i in range(200):
        remote.put(Reading(sequence=i + 1, epoch=4, tick=run.cell.number, deadman=i > 100, axes=(0.0, 1.0, 0.0)))
        modes.append(run.tick().lanes["arm"].mode)
    assert set(modes) == {"teleoperation", "idle"}
    assert modes[-1] == "teleoperation"
    assert modes.count("idle") <= 3
    for _ in range(60):  # and who takes it and is lost is noticed
        tick = run.tick()
    assert tick.lanes["arm"].mode == "paused"
