"""Spoken commands: the same rights as for the button, one answer each, and none from viewers who have left."""

from __future__ import annotations

import pytest
from gateways import CELL, Gateway, a_robot, a_scene, in_loop, settle
from msgspec.structs import replace
from spoken import PCM, SpeechGateway, heard

from farhand.server.protocol.messages import Ask, Speech, SpeechResult, Watch
from farhand.types import Event, MoveJoints, Power, Reset, SelectMapping, SetScale, SetSpeed, Stop
from farhand.voice.utterance import MAX_BYTES


@in_loop
async def test_what_is_said_is_done_for_who_controls_and_answered_when_the_cell_has() -> None:
    gateway = SpeechGateway()
    viewer, page = gateway.enter()
    gateway.state.take(viewer, Ask(robot="arm"))
    await gateway.say(viewer, "scale three")
    assert gateway.recogniser.heard == [PCM]
    assert gateway.link.events == [SetScale("arm", 0.5)]
    assert page.all(SpeechResult) == []
    gateway.done()
    await settle()
    assert heard(page) == SpeechResult(id=5, ok=True, phrase="scale three", text="Scale 3 of 4.")


@in_loop
async def test_what_the_cell_refuses_is_said_in_its_words() -> None:
    gateway = SpeechGateway()
    viewer, page = gateway.enter()
    gateway.state.take(viewer, Ask(robot="arm"))
    await gateway.say(viewer, "move to home position")
    gateway.confirm(viewer)
    gateway.done(ok=False, text="The robot is stopped. Reset it first.")
    await settle()
    assert heard(page) == SpeechResult(
        id=5, ok=False, phrase="move to home position", text="The robot is stopped. Reset it first."
    )


SAID: list[tuple[str, Event]] = [
    ("move to home position", MoveJoints("arm")),
    ("reset and be ready", Reset("arm")),
    ("speed three", SetSpeed("arm", 3)),
    ("next mapping", SelectMapping("arm", "tool axes")),
]


@pytest.mark.parametrize(("phrase", "event"), SAID)
def test_who_does_not_control_is_refused_as_by_the_button(phrase: str, event: Event) -> None:
    @in_loop
    async def refused() -> None:
        gateway = SpeechGateway()
        (one, _), (two, page) = gateway.enter(), gateway.enter()
        gateway.state.take(one, Ask(robot="arm"))
        await gateway.say(two, phrase)
        assert gateway.link.orders == []
        words = "You do not control arm. Ask for control first."
        assert heard(page) == SpeechResult(id=5, ok=False, phrase=phrase, text=words)
        await gateway.say(one, phrase)
        gateway.confirm(one)
        assert gateway.link.events == [event]

    refused()


@in_loop
async def test_a_robot_with_a_switch_is_powered_up_by_who_controls_it_alone() -> None:
    gateway = SpeechGateway()
    gateway.hub.take_scene(a_scene(replace(a_robot(), switch=True)))
    (one, _), (two, page) = gateway.enter(), gateway.enter()
    gateway.state.take(one, Ask(robot="arm"))
    await gateway.say(two, "power up the robot")
    assert (gateway.link.orders, heard(page).ok) == ([], False)
    await gateway.say(one, "power up the robot")
    gateway.confirm(one)
    assert gateway.link.events == [Power("arm", on=True)]


@in_loop
async def test_anybody_s_stop_stops_and_names_him() -> None:
    gateway = SpeechGateway()
    (one, _), (two, page) = gateway.enter("Ada"), gateway.enter("Ben")
    gateway.state.take(one, Ask(robot="arm"))
    await gateway.say(two, "stop")
    gateway.done()
    await settle()
    assert gateway.link.events == [Stop(by="Ben", how="said")]
    assert heard(page) == SpeechResult(id=5, ok=True, phrase="stop", text="Stopped.")


@in_loop
async def test_an_instructor_resets_without_control_and_does_not_drive() -> None:
    gateway = SpeechGateway()
    viewer, page = gateway.enter()
    viewer.role = "instructor"
    await gateway.say(viewer, "reset and be ready")
    gateway.confirm(viewer)
    assert gateway.link.events == [Reset("arm")]
    gateway.done()
    await gateway.say(viewer, "move to home position", id_=6)
    assert gateway.link.events == [Reset("arm")]
    assert not heard(page).ok


@in_loop
async def test_what_is_not_understood_changes_nothing() -> None:
    gateway = SpeechGateway()
    viewer, page = gateway.enter()
    gateway.state.take(viewer, Ask(robot="arm"))
    await gateway.say(viewer, "")
    assert gateway.link.orders == []
    assert heard(page) == SpeechResult(id=5, ok=False, text="Not understood. “?” lists the phrases.")


@in_loop
async def test_a_recogniser_that_fails_is_a_sentence() -> None:
    gateway = SpeechGateway()
    viewer, page = gateway.enter()
    gateway.recogniser.problem = "The recogniser has ended."
    await gateway.say(viewer, "stop")
    assert heard(page) == SpeechResult(id=5, ok=False, text="The recogniser has ended.")


@pytest.mark.parametrize(
    ("length", "words"),
    [(100, "That was too short."), (MAX_BYTES + 2, "That was too long."), (10 * MAX_BYTES, "too long")],
)
def test_too_little_and_too_much_is_not_even_listened_to(length: int, words: str) -> None:
    @in_loop
    async def refused() -> None:
        gateway = SpeechGateway()
        viewer, page = gateway.enter()
        for at in range(0, length, 10_000):
            gateway.state.take(viewer, Speech(id=5, robot="arm", pcm=bytes(min(10_000, length - at))))
        gateway.state.take(viewer, Speech(id=5, robot="arm", pcm=b"", last=True))
        await settle()
        assert words in heard(page).text
        assert gateway.recogniser.heard == []

    refused()


@in_loop
async def test_an_utterance_that_was_broken_off_is_no_part_of_the_next() -> None:
    gateway = SpeechGateway()
    viewer, _ = gateway.enter()
    gateway.state.take(viewer, Speech(id=4, robot="arm", pcm=b"\1\1" * 4000))
    await gateway.say(viewer, "stop")
    assert gateway.recogniser.heard == [PCM]
    assert gateway.recogniser.prepared == 2  # the process starts while the viewer still speaks


@pytest.mark.parametrize(("phrase", "done"), [("move to home position", False), ("scale three", False), ("stop", True)])
def test_what_was_held_up_on_its_way_is_done_only_if_it_is_stop(phrase: str, done: bool) -> None:
    @in_loop
    async def held_up() -> None:
        gateway = SpeechGateway()
        viewer, page = gateway.enter()
        gateway.state.take(viewer, Ask(robot="arm"))
        gateway.recogniser.phrase = phrase
        gateway.state.take(viewer, Speech(id=5, robot="arm", pcm=PCM[:9000]))
        gateway.clock.now += 3.0
        gateway.state.take(viewer, Speech(id=5, robot="arm", pcm=PCM[9000:], last=True))
        await settle()
        assert bool(gateway.link.events) == done
        if not done:
            assert "arrived too late" in heard(page).text

    held_up()


@in_loop
async def test_utterances_wait_while_the_recogniser_starts_and_too_many_are_refused() -> None:
    gateway = SpeechGateway()
    viewer, page = gateway.enter()
    gateway.state.take(viewer, Ask(robot="arm"))
    gateway.recogniser.free.clear()
    for id_, phrase in enumerate(("scale one", "scale two", "scale three", "scale four"), start=5):
        await gateway.say(viewer, phrase, id_=id_)
    assert heard(page).id == 8
    assert heard(page).text.startswith("Your last phrases are still being recognised.")
    gateway.recogniser.free.set()
    await settle()
    assert len(gateway.link.events) == 3


@in_loop
async def test_a_microphone_that_opens_slowly_makes_no_utterance_late_and_its_press_starts_the_recogniser() -> None:
    gateway = SpeechGateway()
    viewer, _ = gateway.enter()
    gateway.state.take(viewer, Ask(robot="arm"))
    gateway.state.take(viewer, Speech(id=5, robot="arm", pcm=b""))
    assert gateway.recogniser.prepared == 1
    gateway.clock.now += 8.0  # the browser asks whether the page may listen
    await gateway.say(viewer, "scale three")
    assert gateway.link.events == [SetScale("arm", 0.5)]


@in_loop
async def test_who_has_gone_says_nothing_but_stop() -> None:
    gateway = SpeechGateway()
    viewer, _ = gateway.enter()
    gateway.state.take(viewer, Ask(robot="arm"))
    for phrase in ("move to home position", "stop"):
        gateway.state.take(viewer, Watch(cell=CELL))
        gateway.recogniser.free.clear()
        await gateway.say(viewer, phrase)
        gateway.state.left(viewer)
        gateway.recogniser.free.set()
        await settle()
    assert gateway.link.events == [Stop(by="Guest 1", how="said")]


@in_loop
async def test_a_gateway_without_an_ear_says_so() -> None:
    gateway = Gateway()
    gateway.start()
    viewer, page = gateway.enter()
    gateway.state.take(viewer, Speech(id=1, robot="arm", pcm=PCM, last=True))
    await settle()
    assert heard(page).text == "This server does not recognise speech."
