"""Spoken phrases: each is an event that a button gives too, and nothing else."""

from typing import get_args

import pytest

from farhand.errors import CommandError
from farhand.server.protocol.permissions import grant_of
from farhand.types import (
    Continue,
    Event,
    FreeMe,
    HoldHere,
    MoveJoints,
    Power,
    Reset,
    SelectMapping,
    SetScale,
    SetSpeed,
    Stop,
)
from farhand.voice.grammar import grammar_of, phrase_in
from farhand.voice.utterance import MAX_BYTES, utterance_problem
from farhand.voice.vocabulary import COMMANDS, CONFIRM_PHRASES, CONFIRMATIONS, MOVING_PHRASES, PHRASES, Situation, meant

NOW = Situation(
    robot="arm",
    scales=(2.0, 1.0, 0.5, 0.2),
    speeds=5,
    level=3,
    mappings=("base axes", "tool axes", "joints"),
    mapping="tool axes",
    switch=True,
)
EVENTS: dict[str, Event] = {
    "stop": Stop(),
    "hold here": HoldHere("arm"),
    "reset and be ready": Reset("arm"),
    "carry on with the move": Continue("arm"),
    "free me from here": FreeMe("arm"),
    "move to home position": MoveJoints("arm"),
    "power up the robot": Power("arm", on=True),
    "power down": Power("arm", on=False),
    "scale one": SetScale("arm", 2.0),
    "scale two": SetScale("arm", 1.0),
    "scale three": SetScale("arm", 0.5),
    "scale four": SetScale("arm", 0.2),
    "speed one": SetSpeed("arm", 1),
    "speed two": SetSpeed("arm", 2),
    "speed three": SetSpeed("arm", 3),
    "speed four": SetSpeed("arm", 4),
    "speed five": SetSpeed("arm", 5),
    "faster": SetSpeed("arm", 4),
    "slower": SetSpeed("arm", 2),
    "next mapping": SelectMapping("arm", "joints"),
}
STARTING = Reset, Continue, FreeMe, MoveJoints, Power


def test_every_phrase_is_one_event_and_says_a_sentence_when_it_is_done() -> None:
    assert {phrase: meant(phrase, NOW).event for phrase in COMMANDS} == EVENTS
    assert all(type(event) in get_args(Event) for event in EVENTS.values())
    assert all(meant(phrase, NOW).done.endswith(".") for phrase in COMMANDS)
    assert set(PHRASES) == {*COMMANDS, *CONFIRM_PHRASES}


def test_exactly_what_must_be_confirmed_says_what_will_happen() -> None:
    assert {phrase for phrase in COMMANDS if meant(phrase, NOW).will} == MOVING_PHRASES


def test_each_phrase_that_starts_a_motion_has_a_confirmation_of_its_own_of_at_least_three_words() -> None:
    assert set(CONFIRMATIONS) == MOVING_PHRASES
    assert len(CONFIRM_PHRASES) == len(CONFIRMATIONS)
    assert not CONFIRM_PHRASES & set(COMMANDS)
    assert all(len(phrase.split()) >= 3 and "stop" not in phrase for phrase in CONFIRM_PHRASES)


def test_whatever_starts_a_motion_or_lets_one_start_takes_at_least_four_words_to_say() -> None:
    starting = {phrase for phrase, event in EVENTS.items() if isinstance(event, STARTING)}
    assert starting - {"power down"} == MOVING_PHRASES
    assert all(len(phrase.split()) >= 4 and "stop" not in phrase for phrase in MOVING_PHRASES)


def test_whatever_can_be_said_a_trainee_may_press() -> None:
    assert all(grant_of("trainee", event) != "never" for event in EVENTS.values())


@pytest.mark.parametrize(
    ("phrase", "now", "words"),
    [
        ("scale four", Situation(robot="arm", scales=(1.0, 0.5)), "arm has 2 scales of the hand's motion."),
        ("scale one", Situation(robot="arm"), "arm has no scales of the hand's motion."),
        ("speed five", Situation(robot="arm", speeds=1), "arm has 1 speed level."),
        ("faster", Situation(robot="arm", speeds=5, level=5), "This is the fastest speed: 5 of 5."),
        ("slower", Situation(robot="arm", speeds=5, level=1), "This is the slowest speed: 1 of 5."),
        ("power up the robot", Situation(robot="arm"), "arm has no power switch."),
        ("next mapping", Situation(robot="arm"), "arm has no other control mode."),
        ("open sesame", NOW, "'open sesame' is not a command."),
    ],
)
def test_what_means_nothing_for_a_robot_is_said(phrase: str, now: Situation, words: str) -> None:
    with pytest.raises(CommandError) as error:
        meant(phrase, now)
    assert str(error.value) == words


def test_after_the_last_way_to_drive_comes_the_first() -> None:
    now = Situation(robot="arm", mappings=("base axes", "joints"), mapping="joints")
    assert meant("next mapping", now).event == SelectMapping("arm", "base axes")


def test_a_stop_needs_no_robot() -> None:
    assert meant("stop", Situation(robot="")).event == Stop()


def test_a_grammar_has_each_way_once_and_a_stop_several_times() -> None:
    stops = " | ".join(f"/1{'0' * 30}/ {said}" for said in ("stop", "stop stop", "stop stop stop"))
    ways = f"public <spoken> = {stops} | /100000000/ faster | /1/ free me from here | /1/ house;"
    phrases = "stop", "faster", "free me from here"
    assert grammar_of(phrases, ("house",)) == f"#JSGF V1.0; grammar spoken; {ways}"


@pytest.mark.parametrize(
    ("heard", "phrase"),
    [("stop stop", "stop"), ("stop", "stop"), ("move to home position", "move to home position"), ("", "")],
)
def test_a_stop_is_one_however_often_it_is_said(heard: str, phrase: str) -> None:
    assert phrase_in(heard) == phrase


@pytest.mark.parametrize(
    ("length", "words"),
    [
        (7999, "This is not speech: a sample has 2 bytes, and 7999 bytes came."),
        (0, "That was too short. Hold the talk key while you speak."),
        (7998, "That was too short. Hold the talk key while you speak."),
        (8000, ""),
        (MAX_BYTES, ""),
        (MAX_BYTES + 2, "That was too long. Say one phrase, in at most 4 seconds."),
    ],
)
def test_an_utterance_has_whole_samples_and_neither_too_few_nor_too_many(length: int, words: str) -> None:
    assert utterance_problem(bytes(length)) == words
