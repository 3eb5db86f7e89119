"""Frames of every kind that a page may send, and ways to spoil them."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random
from typing import Any

import msgspec

from farhand.poses import Pose
from farhand.server.protocol.messages import (
    Ask,
    Command,
    Confirm,
    FromPage,
    Hand,
    Hello,
    KeptMove,
    Listen,
    Ping,
    Playback,
    Refuse,
    Release,
    Restart,
    SendAway,
    Speech,
    TakeOver,
    Watch,
    Yield,
)
from farhand.server.protocol.typescript import wire
from farhand.types import (
    AddObject,
    AimCamera,
    BreakWrist,
    ChangeTool,
    ClearLoad,
    Continue,
    DegradeCamera,
    Event,
    FollowPath,
    FreeMe,
    Generate,
    Generator,
    HoldHere,
    Load,
    MoveFlippers,
    MoveJoints,
    MoveObject,
    MoveTip,
    ObjectJoint,
    ObjectPart,
    ObjectSpec,
    Park,
    PlanFound,
    PlanRequest,
    Power,
    Reading,
    Reconfigure,
    RemoveObject,
    Reset,
    ResetObjects,
    ResetRobot,
    SelectMapping,
    SetScale,
    SetSpeed,
    Stop,
    SwitchFeedforward,
    SwitchFilter,
    Teach,
    Trajectory,
    ZeroWrist,
)

TOKEN = "a-token-of-the-tests"
HELLO = Hello(wire=wire(), token=TOKEN, client="client-of-the-tests", name="Ada")
EVENTS: tuple[Event, ...] = (
    Stop(),
    Reset(),
    Reset("arm"),
    MoveJoints("arm", (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)),
    MoveTip("arm", Pose((0.4, 0.0, 0.5))),
    MoveFlippers("arm", (0.5, 0.5, -0.5, -0.5)),
    PlanFound("arm", PlanRequest(7, 1, (0.1,) * 6, (0.0,) * 6), Trajectory("plan", ((0.0,) * 6, (0.1,) * 6))),
    FollowPath("arm", Trajectory("way", ((0.1,) * 6, (0.2,) * 6), (0.0, 1.0), ((0.0,) * 6, (0.0,) * 6))),
    FollowPath("arm", Trajectory("points", ((0.1,) * 6,))),
    Teach("arm", "record"),
    Teach("arm", "finish", "way"),
    FreeMe("arm"),
    HoldHere("arm"),
    Continue("arm"),
    Power("arm", on=True),
    Park("arm", on=True),
    SetSpeed("arm", 2),
    SetScale("arm", 0.5),
    SelectMapping("arm", "joints"),
    Reconfigure("arm", "filter", "smooth", {"speed": 0.2}),
    Reconfigure("arm", "filter", "smooth"),
    Reconfigure("arm", "speeds", settings={"values": [0.1, 0.5]}),
    ResetRobot("arm"),
    ResetObjects(),
    ResetObjects("box"),
    AddObject(ObjectSpec(name="box", size=(0.1, 0.1, 0.1))),
    AddObject(
        ObjectSpec(name="lid", size=(0.1, 0.1, 0.01), parts=(ObjectPart(size=(0.1, 0.01, 0.1)),), joint=ObjectJoint())
    ),
    MoveObject("cube", Pose((0.4, 0.0, 0.8))),
    RemoveObject("cube"),
    Load("arm", (0.0, 0.0, -5.0)),
    ClearLoad("arm"),
    SwitchFilter("arm", "smooth", on=False),
    SwitchFeedforward("arm", on=False),
    Generate("arm", Generator(0)),
    ChangeTool("arm", "two-finger"),
    ZeroWrist("arm"),
    BreakWrist("arm", "nan"),
    AimCamera("arm", "turret", 0.5, -0.2, 2.0),
    DegradeCamera("arm", resolution=0.25, rate=5.0, noise=0.2, delay=0.5, frozen=True),
)
READING = Reading(
    sequence=5,
    epoch=1,
    tick=8,
    deadman=True,
    axes=(1.0, -1.0, 0.0),
    joints=(0.1,),
    pose=Pose((0.3, 0.0, 0.4)),
    grip=0.5,
    presses={"deadman": 1},
)


def messages(cell: str) -> tuple[FromPage, ...]:
    """Return a good message of every type and with every event, for a robot called "arm"."""
    return (
        HELLO,
        Watch(cell=cell),
        Hand(robot="arm", reading=READING),
        *(Command(id=i, event=event) for i, event in enumerate(EVENTS, 1)),
        KeptMove(id=2, robot="arm", name="way", action="rename", to="other"),
        Ping(id=3),
        Playback(action="seek", value=1.0),
        Ask(robot="arm"),
        Release(robot="arm"),
        SendAway(id=8, viewer=1),
        Yield(robot="arm", viewer=2),
        Refuse(robot="arm", viewer=2),
        TakeOver(robot="arm"),
        Restart(id=9),
        Listen(signals=("arm/joint 1/position", "cube/x")),
        Speech(id=4, robot="arm", pcm=b"\0\0\1\0", last=True),
        Confirm(id=4),
    )


_encode = msgspec.msgpack.Encoder().encode
ODD: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 2**63 - 1, -(2**63), 2**64 - 1, 2**53, 0.5, 1e308, -0.0),
    *(math.nan, math.inf, -math.inf, "", "arm", "Stop", "\0", "ü" * 70, "x" * 5000, b"", b"\xff" * 9),
    *([], [[]], [None] * 100, [0.0] * 300, {}, {"type": "Stop"}, {"": {}}, {1: 2}),
)
TAGS = ("Hello", "Hand", "Command", "Ping", "Stop", "Reset", "Listen", "Update", "Order", "hand", "")


class Spoiler:
    """Makes frames that are nearly right, at random, the same ones for the same seed."""

    def __init__(self, seed: int, good: tuple[FromPage, ...]) -> None:
        self.random = Random(seed)
        self._frames = [_encode(message) for message in good]
        self._plain = [msgspec.msgpack.decode(frame) for frame in self._frames]
        self._ways: tuple[Callable[[], bytes], ...] = (
            *(self.flipped, self.cut, self.spliced, self.noise, self.good),
            *(self.altered, self.altered, self.altered),
        )

    def __call__(self) -> bytes:
        return self.random.choice(self._ways)()

    def good(self) -> bytes:
        return self.random.choice(self._frames)

    def flipped(self) -> bytes:
        frame = bytearray(self.good())
        for _ in range(self.random.randint(1, 4)):
            frame[self.random.randrange(len(frame))] ^= 1 << self.random.randrange(8)
        return bytes(frame)

    def cut(self) -> bytes:
        frame = self.good()
        return frame[: self.random.randrange(len(frame))]

    def spliced(self) -> bytes:
        one, other = self.good(), self.good()
        return one[: self.random.randrange(len(one))] + other[self.random.randrange(len(other)) :]

    def noise(self) -> bytes:
        return self.random.randbytes(self.random.randint(0, 60))

    def altered(self) -> bytes:
        """Insert an odd value at some depth, leave a field out, add one, or swap a tag."""
        plain = _copied(self.random.choice(self._plain))
        inside = [plain, *_maps_in(plain)]
        for _ in range(self.random.randint(1, 2)):
            target = self.random.choice(inside)
            name = self.random.choice(list(target)) if target else "id"
            way = self.random.randrange(4)
            if way == 0:
                target[name] = self.random.choice(ODD)
            elif way == 1:
                target.pop(name, None)
            elif way == 2:
                target[self.random.choice(("extra", "robot", "id", "event", "reading"))] = self.random.choice(ODD)
            else:
                target["type"] = self.random.choice(TAGS)
        return _encode(plain)


def _maps_in(value: Any) -> list[dict[Any, Any]]:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    found: list[dict[Any, Any]] = []
    for item in inner:
        found += [item, *_maps_in(item)] if isinstance(item, dict) else _maps_in(item)
    return found


def _copied(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copied(item) for key, item in value.items()}
    return [_copied(item) for item in value] if isinstance(value, list) else value
