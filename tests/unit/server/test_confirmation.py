"""A spoken command that starts a motion: nothing moves until its speaker confirms it, in time, as things were."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from gateways import STILL, frame, in_loop, settle
from msgspec.structs import replace
from spoken import PCM, SpeechGateway, heard

from farhand.server.gateway.confirmation import Pending, RobotStatus, refusal
from farhand.server.gateway.viewer import Viewer
from farhand.server.protocol.messages import Ask, Command, Release, Speech, SpeechResult, Watch
from farhand.types import MoveJoints, SetScale, Stop
from farhand.voice.vocabulary import CONFIRMATIONS, MOVING_PHRASES, Meant

HOME = "move to home position"
CONFIRM_HOME = CONFIRMATIONS[HOME]
QUESTION = f"arm will move to its home position. Say “{CONFIRM_HOME}” or press Confirm."


def at_the_desk() -> tuple[SpeechGateway, Viewer]:
    gateway = SpeechGateway()
    viewer, _ = gateway.enter()
    gateway.state.take(viewer, Ask(robot="arm"))
    return gateway, viewer


async def asked(phrase: str = HOME) -> tuple[SpeechGateway, Viewer]:
    """Return a gateway with a spoken command that waits for its confirmation."""
    gateway, viewer = at_the_desk()
    await gateway.say(viewer, phrase)
    assert gateway.link.events == []
    return gateway, viewer


@in_loop
async def test_a_phrase_that_moves_the_robot_only_asks_and_says_what_will_happen() -> None:
    gateway = SpeechGateway()
    viewer, page = gateway.enter()
    gateway.state.take(viewer, Ask(robot="arm"))
    await gateway.say(viewer, HOME)
    assert heard(page) == SpeechResult(id=5, ok=False, phrase=HOME, text=QUESTION, confirm=3.0)
    gateway.passes(2.9)
    await settle()
    assert gateway.link.events == []
    assert len(page.all(SpeechResult)) == 1


@pytest.mark.parametrize("phrase", sorted(MOVING_PHRASES - {"power up the robot"}))
def test_every_phrase_that_starts_a_motion_waits(phrase: str) -> None:
    @in_loop
    async def waits() -> None:
        gateway, viewer = await asked(phrase)
        await gateway.say(viewer, CONFIRMATIONS[phrase], id_=6)
        assert len(gateway.link.events) == 1

    waits()


@in_loop
async def test_the_word_confirms_once() -> None:
    gateway = SpeechGateway()
    viewer, page = gateway.enter()
    gateway.state.take(viewer, Ask(robot="arm"))
    await gateway.say(viewer, HOME)
    await gateway.say(viewer, CONFIRM_HOME, id_=6)
    gateway.done()
    await settle()
    assert gateway.link.events == [MoveJoints("arm")]
    assert heard(page) == SpeechResult(id=6, ok=True, phrase=HOME, text="Moving home.")
    await gateway.say(viewer, CONFIRM_HOME, id_=7)
    assert gateway.link.events == [MoveJoints("arm")]
    assert heard(page).text == "No command is waiting for a confirmation. Say the command again first."


@in_loop
async def test_a_press_of_confirm_confirms_what_was_asked_and_nothing_else() -> None:
    gateway, viewer = await asked()
    gateway.confirm(viewer, id_=4)
    assert gateway.link.events == []
    gateway.confirm(viewer)
    gateway.confirm(viewer)
    assert gateway.link.events == [MoveJoints("arm")]


@pytest.mark.parametrize("phrase", sorted(MOVING_PHRASES - {HOME}))
def test_the_confirmation_of_another_command_cancels(phrase: str) -> None:
    @in_loop
    async def nothing_moves() -> None:
        gateway = SpeechGateway()
        viewer, page = gateway.enter()
        gateway.state.take(viewer, Ask(robot="arm"))
        await gateway.say(viewer, HOME)
        other = CONFIRMATIONS[phrase]
        await gateway.say(viewer, other, id_=6)
        text = f"“{other}” confirms another command. “{HOME}” is cancelled."
        assert heard(page) == SpeechResult(id=6, ok=False, text=text)
        await gateway.say(viewer, CONFIRM_HOME, id_=7)
        gateway.confirm(viewer)
        assert gateway.link.events == []

    nothing_moves()


@in_loop
async def test_only_the_speaker_confirms() -> None:
    gateway, viewer = await asked()
    other, page = gateway.enter("Ben")
    gateway.confirm(other)
    await gateway.say(other, CONFIRM_HOME)
    assert gateway.link.events == []
    assert not heard(page).ok
    gateway.confirm(viewer)
    assert gateway.link.events == [MoveJoints("arm")]


def stop(gateway: SpeechGateway, viewer: Viewer) -> None:
    other, _ = gateway.enter("Ben")
    gateway.state.take(other, Command(id=9, event=Stop()))
    del viewer


def lose_control(gateway: SpeechGateway, viewer: Viewer) -> None:
    gateway.state.take(viewer, Release(robot="arm"))
    gateway.state.take(viewer, Ask(robot="arm"))


def begin_to_drive(gateway: SpeechGateway, viewer: Viewer) -> None:
    gateway.hub.take_frame(frame(16, robots=(replace(STILL, mode="teleoperation"),)))
    del viewer


def wait_too_long(gateway: SpeechGateway, viewer: Viewer) -> None:
    gateway.clock.now += 3.1
    del viewer


def look_elsewhere(gateway: SpeechGateway, viewer: Viewer) -> None:
    gateway.state.left(viewer)
    gateway.state.take(viewer, Watch(cell="bench"))


@pytest.mark.parametrize("swept", [False, True])
@pytest.mark.parametrize("happens", [stop, lose_control, begin_to_drive, wait_too_long, look_elsewhere])
@pytest.mark.parametrize("by_word", [False, True])
def test_what_cancels_a_command(happens: Callable[[SpeechGateway, Viewer], None], by_word: bool, swept: bool) -> None:
    @in_loop
    async def nothing_moves() -> None:
        gateway, viewer = await asked()
        happens(gateway, viewer)
        if swept:
            gateway.passes(0.0)
        if by_word:
            await gateway.say(viewer, CONFIRM_HOME, id_=6)
        else:
            gateway.confirm(viewer)
        await settle()
        assert not any(isinstance(event, MoveJoints) for event in gateway.link.events)

    nothing_moves()


@pytest.mark.parametrize("between", ["scale three", "", "stop", "reset and be ready"])
def test_whatever_else_is_said_cancels_a_command(between: str) -> None:
    @in_loop
    async def nothing_moves() -> None:
        gateway, viewer = await asked()
        await gateway.say(viewer, between, id_=6)
        gateway.confirm(viewer)
        await gateway.say(viewer, CONFIRM_HOME, id_=7)
        done = {"scale three": [SetScale("arm", 0.5)]}
        assert [event for event in gateway.link.events if not isinstance(event, Stop)] == done.get(between, [])

    nothing_moves()


@in_loop
async def test_a_word_that_began_in_time_counts_however_long_it_takes_and_a_late_one_does_not() -> None:
    gateway, viewer = await asked()
    gateway.recogniser.phrase = CONFIRM_HOME
    gateway.passes(2.9)
    gateway.state.take(viewer, Speech(id=6, robot="arm", pcm=PCM))
    gateway.passes(0.5)
    gateway.state.take(viewer, Speech(id=6, robot="arm", pcm=b"", last=True))
    await settle()
    assert gateway.link.events == [MoveJoints("arm")]


@in_loop
async def test_the_talk_key_by_itself_confirms_nothing() -> None:
    gateway, viewer = await asked()
    gateway.state.take(viewer, Speech(id=6, robot="arm", pcm=b""))
    gateway.state.take(viewer, Speech(id=6, robot="arm", pcm=b"", last=True))
    await settle()
    gateway.confirm(viewer)
    assert gateway.link.events == []


@in_loop
async def test_the_speaker_is_told_why_a_command_was_cancelled() -> None:
    gateway = SpeechGateway()
    viewer, page = gateway.enter()
    gateway.state.take(viewer, Ask(robot="arm"))
    await gateway.say(viewer, HOME)
    gateway.passes(3.1)
    await settle()
    assert heard(page) == SpeechResult(id=5, ok=False, phrase=HOME, text="Cancelled: not confirmed within 3 s.")
    await gateway.say(viewer, HOME)
    gateway.state.take(viewer, Command(id=9, event=Stop()))
    await settle()
    assert heard(page) == SpeechResult(id=5, ok=False, phrase=HOME, text="Cancelled by Stop.")
    await gateway.say(viewer, HOME)
    await gateway.say(viewer, "", id_=6)
    assert heard(page).text == f"Not understood. “?” lists the phrases. “{HOME}” is cancelled."


NOW = RobotStatus(4, "teleoperation")
PENDING = Pending(id=1, robot="arm", phrase=HOME, meaning=Meant(MoveJoints("arm"), ""), since=10.0, status=NOW)


@pytest.mark.parametrize(
    ("at", "standing", "words"),
    [
        (13.0, NOW, ""),
        (13.1, NOW, "Cancelled: not confirmed within 3 s."),
        (11.0, RobotStatus(5, "teleoperation"), "Cancelled: control of arm has changed."),
        (11.0, RobotStatus(4, "stopped"), "Cancelled: the mode of arm changed from teleoperation to stopped."),
        (11.0, RobotStatus(4, "idle"), ""),  # the operator has let go of the motion keys
    ],
)
def test_a_refusal_says_what_has_changed(at: float, standing: RobotStatus, words: str) -> None:
    assert refusal(PENDING, at, standing) == words
