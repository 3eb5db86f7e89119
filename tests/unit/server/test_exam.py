"""Exams: no message to a trainee's page contains a pose, and each role has its rights."""

from __future__ import annotations

import asyncio
import struct
from typing import Any

import msgspec
import numpy as np
import pytest
from frames import EVENTS
from gateways import CELL, STILL, Gateway, Page, a_robot, a_scene, frame, in_loop, settle
from msgspec.structs import replace
from renderers import AHEAD, with_cameras
from worded import near

from farhand.poses import Pose
from farhand.server.cell_process.packing import floats, pack_poses
from farhand.server.gateway.decoding import LinkTokens
from farhand.server.gateway.exam import for_trainee
from farhand.server.gateway.viewer import Viewer
from farhand.server.protocol.internal_messages import Done, Entry
from farhand.server.protocol.messages import (
    ActiveNotes,
    Answer,
    CameraUpdate,
    ClearanceUpdate,
    Command,
    FromPage,
    KeptMove,
    Leases,
    Listen,
    MasterInfo,
    MasterUpdate,
    Moves,
    NoteText,
    PartInfo,
    Place,
    RobotInfo,
    RobotUpdate,
    Scene,
    SignalInfo,
    Signals,
    TracksUpdate,
    Update,
    Watch,
)
from farhand.server.protocol.permissions import INSTRUCTORS_ONLY
from farhand.types import (
    DegradeCamera,
    FollowPath,
    MoveJoints,
    Note,
    Reset,
    ResetRobot,
    Stop,
    Subject,
    Teach,
    Trajectory,
)
from farhand.types.events.rights import Role
from farhand.world.visual_scene import BodyLook, GeomLook

# Where things are, in numbers that nothing else has: if one of them is in a message, a pose got through.
SECRETS = (7.12345, -3.98765, 11.24680)
SECRET = Pose(SECRETS, (0.5, 0.5, -0.5, 0.5))
PLACE = Place(body=0, pose=SECRET)
TOLD = "Refused: arm cannot change its tool: there is no room for gripper; raise the arm first."


def hidden_in(content: bytes) -> list[float]:
    """Return which secrets are among some bytes, however they are written."""
    found = []
    for number in SECRETS:
        ways = [struct.pack(f"{order}{kind}", number) for order in "<>" for kind in "fd"]
        if any(way in content for way in ways) or str(number).encode() in content:
            found.append(number)
    return found


def secret_scene(number: int = 1) -> Scene:
    """Return a scene that says where things are in every place where a scene can."""
    robot = with_cameras(a_robot(), "front", "turret")
    geom = GeomLook(body=0, shape="box", size=SECRETS, pose=SECRET, colour=(1, 1, 1, 1))
    master = MasterInfo(
        name="hand",
        label="Hand",
        hand="",
        joints=(),
        bodies=(BodyLook(name="handle"),),
        geoms=(geom,),
        lower=SECRETS,
        upper=SECRETS,
        force=0.0,
        robots=("arm",),
        by_hand=True,
    )
    groups = {"objects": "m", "arm tip": "m", "arm joints": "°", "cell": ""}
    return replace(
        a_scene(number=number),
        geoms=(geom,),
        masters=(master,),
        signals=tuple(SignalInfo(name=f"s {g}", label=g, unit=u, group=g) for g, u in groups.items()),
        robots=(
            replace(
                robot,
                base=PLACE,
                tip=PLACE,
                frames=(PLACE, PLACE),
                parts=(PartInfo(part="filter", name="box", settings={"lower": SECRETS}),),
                cameras=tuple(replace(camera, place=PLACE) for camera in robot.cameras),
            ),
        ),
    )


def secret_frame(tick: int, scene: int = 1) -> Any:
    """Return a frame that says where things are in every place where a frame can."""
    place = floats((*SECRET.position, *SECRET.rotation))
    nearest = ClearanceUpdate(
        first="a", second="b", room=SECRETS[0], gently=False, line=floats(SECRETS * 2), ways=(), limits=floats(SECRETS)
    )
    master = MasterUpdate(bodies=place, joints=place, tip=place, intended=place, felt=place, held=False)
    ghost = pack_poses(np.array([SECRETS]), np.array([SECRET.rotation]))
    robot = replace(STILL, tip=place, ghost=ghost, planning=True, near=nearest, joints=floats((0.25,)))
    robot = replace(robot, cameras=(AHEAD, AHEAD))
    names = tuple(signal.name for signal in secret_scene().signals)
    about = (Subject("robot", "arm"), Subject("equipment", "tool"))
    cause = Note("change.inside", about=(Subject("tool", "gripper"), Subject("body", str(SECRETS[0]))))
    said = Note("cell.refused", cause=Note("refused.change", about=about, cause=cause))
    entry = Entry(number=tick // 8, time=0.0, robot="arm", note=said)
    return frame(
        tick,
        scene=scene,
        bodies=pack_poses(np.array([SECRETS] * 3), np.array([SECRET.rotation] * 3)),
        robots=(robot,),
        contacts=floats((*SECRETS, 1.0)),
        masters=(master,),
        signals=names,
        samples=floats((SECRETS[0], SECRETS[1], 0.125, SECRETS[2])),
        first=tick,
        why={"arm": (said,)},
        entries=(entry,),
        said=entry.number,
    )


class RawPage(Page):
    """A page that keeps the bytes it receives."""

    def __init__(self) -> None:
        super().__init__()
        self.raw: list[bytes] = []

    async def send_bytes(self, data: bytes) -> None:
        self.raw.append(data)
        await super().send_bytes(data)


def enter(gateway: Gateway, *, exam: bool, name: str = "") -> tuple[Viewer, RawPage]:
    page = RawPage()
    role: Role = "trainee" if exam else "instructor" if gateway.state.exam else "user"
    number, known = gateway.state.guest(f"client-of-{name or exam}-0123456789", name)
    viewer = Viewer(number, known, page, msgspec.msgpack.Encoder().encode, role=role)
    gateway.state.enter(viewer, asyncio.get_running_loop().create_future())
    gateway._pumps.append(asyncio.create_task(viewer.pump()))
    gateway.state.take(viewer, Watch(cell=CELL))
    return viewer, page


def examined() -> Gateway:
    gateway = Gateway()
    gateway.state.exam = True
    gateway.hub.take_frame(secret_frame(8))
    gateway.hub.take_scene(secret_scene())
    return gateway


async def a_while(gateway: Gateway) -> None:
    """Let the cell go on, with an edit of the world in the middle."""
    for tick in range(16, 400, 8):
        scene = 1 if tick < 200 else 2
        gateway.hub.take_frame(secret_frame(tick, scene))
        if tick == 208:
            gateway.hub.take_scene(secret_scene(2))
        await settle()


@in_loop
async def test_a_trainee_is_told_no_pose_whatever_he_asks_for() -> None:
    gateway = examined()
    viewer, page = enter(gateway, exam=True)
    everybody, others = enter(gateway, exam=False)
    for who in (viewer, everybody):
        gateway.state.take(who, Listen(signals=tuple(s.name for s in secret_scene().signals)))
    await a_while(gateway)
    assert [hidden_in(content) for content in page.raw if hidden_in(content)] == []
    # the same search finds poses in the messages to others, in each kind that has poses
    leaking = {type(m).__name__ for m, raw in zip(others.got, others.raw, strict=True) if hidden_in(raw)}
    assert leaking == {"Scene", "Update", "Signals", "ActiveNotes", "LogEntries"}
    for kind in leaking:
        assert any(type(message).__name__ == kind for message in page.got)


@in_loop
async def test_a_trainee_is_told_what_an_operator_has_instruments_for() -> None:
    gateway = examined()
    viewer, page = enter(gateway, exam=True)
    gateway.state.take(viewer, Listen(signals=("s arm joints", "s objects")))
    await a_while(gateway)
    scene, update = page.last(Scene), page.last(Update)
    assert [camera.name for camera in scene.robots[0].cameras] == ["front", "turret"]
    assert [signal.name for signal in scene.signals] == ["s arm joints"]
    assert (scene.bodies, scene.geoms, scene.masters) == ((), (), ())
    assert update.robots[0].joints == floats((0.25,))
    assert (update.moved, update.contacts, update.masters) == (b"", b"", ())
    assert (update.robots[0].tip, update.robots[0].ghost, update.robots[0].planning) == (b"", b"", True)
    assert {message.names for message in page.all(Signals)} == {("s arm joints",)}


def test_a_trainee_reads_what_a_robot_feels_and_not_where_its_tip_is() -> None:
    signals = [("arm tip", "m"), ("arm tip", "°"), ("arm tip", "m/s"), ("arm tip", "N"), ("arm joints", "°")]
    signals += [("objects", "N"), ("cell", "ms")]
    told = for_trainee(
        replace(
            a_scene(),
            signals=tuple(SignalInfo(name=f"{g} {u}", label="", unit=u, group=g) for g, u in signals),
        )
    )
    assert [signal.name for signal in told.signals] == ["arm tip m/s", "arm tip N", "arm joints °"]


@in_loop
async def test_a_trainee_is_told_why_he_is_slower_but_not_how_near_things_are() -> None:
    gateway = examined()
    viewer, page = enter(gateway, exam=True)
    for number, distance in enumerate((12, 11, 3), start=2):
        told = near("gripper", "crate", 1e-3 * distance)
        gateway.hub.take_frame(replace(secret_frame(8 * number), why={"arm": (told,)}))
        await settle()
    text = "The arm is close to an obstacle that it must not touch."
    vague = NoteText(code="avoid.near", text=text, level="slow")
    assert [message.robots for message in page.all(ActiveNotes)] == [
        {"arm": (vague,)}
    ]  # once: for the trainee nothing has changed
    assert [(entry.number, entry.text) for entry in page.said()[-3:]] == [(n, TOLD) for n in (2, 3, 4)]
    gateway.hub.control.ask(viewer, "arm")
    gateway.state.take(viewer, Command(id=9, event=MoveJoints("arm")))
    order = gateway.link.orders[-1]
    refused = Note("refused.inside", about=(Subject("body", "crate"), Subject("body", "shelf")))
    gateway.hub.take_done(Done(gateway=order.gateway, number=order.number, ok=False, refused=(refused,)))
    await settle()
    assert page.answer(9).text == "An object would be inside another body."


@in_loop
async def test_a_trainee_in_control_drives_and_changes_nothing_else() -> None:
    gateway = examined()
    viewer, page = enter(gateway, exam=True)
    gateway.hub.control.ask(viewer, "arm")
    await settle()
    assert page.last(Leases).robots[0].holder == viewer.number
    for i, event in enumerate(EVENTS):
        gateway.state.take(viewer, Command(id=i, event=event))
    await settle()
    refused = {type(EVENTS[a.id]).__name__ for a in page.all(Answer) if a.text == INSTRUCTORS_ONLY}
    assert refused == {
        *("AddObject", "MoveObject", "RemoveObject", "ResetObjects", "ResetRobot", "Load", "ClearLoad", "BreakWrist"),
        *("SwitchFilter", "SwitchFeedforward", "Generate", "Reconfigure", "DegradeCamera"),
        "PlanFound",  # from the cell itself, and from nobody else
    }
    passed = {type(event).__name__ for event in gateway.link.events} - {"NoneType", "Listening"}
    assert {"AimCamera", "MoveJoints", "Stop", "Reset"} <= passed
    assert not passed & refused


@in_loop
async def test_a_trainee_runs_and_teaches_moves_but_neither_renames_nor_deletes_any() -> None:
    gateway, way = examined(), Trajectory("way", ((0.0,), (0.5,)))
    viewer, page = enter(gateway, exam=True)
    gateway.hub.control.ask(viewer, "arm")
    gateway.state.take(viewer, Command(id=1, event=Teach("arm", "finish", "way")))
    order = gateway.link.orders[-1]
    gateway.hub.take_done(Done(gateway=order.gateway, number=order.number, ok=True, taught=way))
    asked = (
        KeptMove(id=2, robot="arm", name="way", action="rename", to="other"),
        KeptMove(id=3, robot="arm", name="way", action="delete"),
        KeptMove(id=4, robot="arm", name="way", action="run"),
    )
    for message in asked:
        gateway.state.take(viewer, message)
    await settle()
    assert page.answer(1).ok
    assert [(page.answer(id_).ok, page.answer(id_).text) for id_ in (2, 3)] == [(False, INSTRUCTORS_ONLY)] * 2
    assert [move.name for move in page.last(Moves).robots["arm"]] == ["way"]
    assert gateway.link.events[-1] == FollowPath("arm", way)


@in_loop
async def test_the_instructor_sets_the_task_without_control_but_does_not_drive() -> None:
    gateway = examined()
    trainee, _ = enter(gateway, exam=True)
    gateway.hub.control.ask(trainee, "arm")
    instructor, page = enter(gateway, exam=False)
    asked: tuple[FromPage, ...] = (
        Command(id=1, event=DegradeCamera("arm", "front", noise=0.5)),
        Command(id=2, event=ResetRobot("arm")),
        Command(id=3, event=Reset("arm")),
        Command(id=4, event=MoveJoints("arm")),
    )
    for message in asked:
        gateway.state.take(instructor, message)
    await settle()
    assert gateway.link.events == [DegradeCamera("arm", "front", noise=0.5), ResetRobot("arm"), Reset("arm")]
    assert page.answer(4).text == "You do not control arm. Ask for control first."


@in_loop
async def test_robots_without_cameras_are_said_before_an_exam() -> None:
    gateway = examined()
    assert gateway.state.missing_cameras() == []
    gateway.hub.take_scene(a_scene())
    sentence = f"arm in {CELL} has no cameras: the trainee has no picture to drive it by."
    assert gateway.state.missing_cameras() == [sentence]
    gateway.state.exam = False
    assert gateway.state.missing_cameras() == []


@in_loop
async def test_without_an_exam_nobody_is_an_instructor() -> None:
    gateway = Gateway()
    gateway.start()
    viewer, page = enter(gateway, exam=False)
    gateway.state.take(viewer, Command(id=1, event=DegradeCamera("arm", noise=0.5)))
    gateway.state.take(viewer, Command(id=2, event=Stop()))
    await settle()
    assert page.answer(1).ok is False
    assert [type(event) for event in gateway.link.events] == [Stop]


@pytest.mark.parametrize(
    ("kind", "known"),
    [
        (Scene, "cell summary number timestep bodies geoms robots signals masters replay"),
        (Update, "scene tick time factor late moved asleep robots epochs contacts masters playback"),
        (
            RobotInfo,
            "name model joints gripper base tip frames mappings filters master by_hand switch wrist tool tools scales"
            " speeds parts cameras tracks",
        ),
        (
            RobotUpdate,
            "mode level mapping age heard joints grip tip force waiting off generating scale felt payload lesson"
            " recording near cameras tracks powered baseline planning ghost",
        ),
        (TracksUpdate, "pitch roll flippers asked belts braked parked word"),
        (CameraUpdate, "pan tilt zoom degraded"),
    ],
)
def test_whoever_adds_to_a_message_thinks_of_exams(kind: type[msgspec.Struct], known: str) -> None:
    """A new field goes to trainees too, unless exam.py takes it out: decide, and add it here."""
    assert set(kind.__struct_fields__) == set(known.split())


@pytest.mark.parametrize(
    ("keys", "given", "let_in", "trainee"),
    [
        (LinkTokens("main", "exam"), "main", True, False),
        (LinkTokens("main", "exam"), "exam", True, True),
        (LinkTokens("main", "exam"), "", False, False),
        (LinkTokens("main"), "", False, False),
        (LinkTokens("main"), "main", True, False),
    ],
)
def test_tokens_tell_who_is_who(keys: LinkTokens, given: str, let_in: bool, trainee: bool) -> None:
    assert (keys.problem(given) == "", keys.is_trainee(given)) == (let_in, trainee)
