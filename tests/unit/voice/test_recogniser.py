"""The recogniser on recordings: what it accepts and rejects; and how its process starts and ends."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import wave

import numpy as np
import pytest
from gateways import in_loop
from paths import DATA

from farhand.server.gateway.speech import SpeechError
from farhand.server.gateway.speech_worker import SpeechWorker
from farhand.voice.decoys import DECOYS
from farhand.voice.recogniser import Recogniser
from farhand.voice.utterance import MAX_BYTES
from farhand.voice.vocabulary import GUARDED_PHRASES, MOVING_PHRASES, PHRASES

VOICES = DATA / "voice"
SPOKEN = {
    "stop": "stop",
    "stop-2": "stop",
    "stop-twice": "stop",
    "stop-thrice": "stop",
    "hold-here": "hold here",
    "move-home": "move to home position",
    "power-up": "power up the robot",
    "scale-two": "scale two",
    "speed-five": "speed five",
    "next-mapping": "next mapping",
    "authorize-home": "authorize home position",
    "authorize-power": "authorize robot power",
}
OTHERS = ("other-1", "other-2")


def spoken(name: str) -> np.ndarray[tuple[int], np.dtype[np.int16]]:
    with wave.open(str(VOICES / f"{name}.wav")) as file:
        assert (file.getframerate(), file.getnchannels(), file.getsampwidth()) == (16_000, 1, 2)
        return np.frombuffer(file.readframes(file.getnframes()), "<i2")


def noisy(name: str, decibels: float, seed: int = 0) -> bytes:
    """Return a recording with so much louder speech than white noise."""
    samples = spoken(name).astype(float)
    loudness = np.sqrt(np.mean(samples[np.abs(samples) > 300] ** 2)) / 10 ** (decibels / 20)
    noise = np.random.default_rng(seed).normal(0.0, loudness, len(samples))
    return np.clip(samples + noise, -32768, 32767).astype("<i2").tobytes()


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    return Recogniser()


def test_the_dictionary_has_every_word_of_every_phrase_and_all_decoys(recogniser: Recogniser) -> None:
    words = {word for phrase in PHRASES for word in phrase.split()} | set(DECOYS)
    assert [word for word in sorted(words) if not recogniser.knows(word)] == []
    assert not recogniser.knows("farhand")


def test_no_decoy_is_a_phrase_and_the_parts_of_phrases_are_decoys() -> None:
    assert not set(DECOYS) & set(PHRASES)
    assert {"power", "scale", "speed", "home", "here"} <= set(DECOYS)


@pytest.mark.parametrize("name", SPOKEN)
def test_phrases_are_understood_also_with_some_noise(recogniser: Recogniser, name: str) -> None:
    assert recogniser.hear(spoken(name).tobytes()).phrase == SPOKEN[name]
    assert recogniser.hear(noisy(name, 25.0)).phrase == SPOKEN[name]


def test_a_stop_said_three_times_is_a_stop(recogniser: Recogniser) -> None:
    assert recogniser.hear(np.tile(spoken("stop"), 3).tobytes()).phrase == "stop"


@pytest.mark.parametrize("decibels", [20.0, 12.0, 6.0])
@pytest.mark.parametrize("name", ["stop", "stop-2", "stop-twice", "stop-twice-2", "stop-thrice"])
def test_no_stop_is_taken_for_what_starts_a_motion_however_loud_it_is_around(
    recogniser: Recogniser, name: str, decibels: float
) -> None:
    heard = {recogniser.hear(noisy(name, decibels, seed)).phrase for seed in range(4)}
    assert not heard & MOVING_PHRASES


@pytest.mark.parametrize("name", ["robot-is-here", "motor"])
@pytest.mark.parametrize("decibels", [30.0, 20.0, 12.0])
def test_a_sentence_about_the_robot_starts_nothing_in_mild_noise(
    recogniser: Recogniser, name: str, decibels: float
) -> None:
    heard = {recogniser.hear(noisy(name, decibels, seed)).phrase for seed in range(4)}
    assert not heard & GUARDED_PHRASES


@pytest.mark.parametrize("name", ["authorize", "authorized-dealer", "authorize-guest"])
def test_authorize_by_itself_or_with_other_words_confirms_nothing(recogniser: Recogniser, name: str) -> None:
    heard = {recogniser.hear(noisy(name, 30.0, seed)).phrase for seed in range(4)}
    assert not heard & GUARDED_PHRASES


@pytest.mark.parametrize("name", OTHERS)
def test_other_speech_is_not_understood(recogniser: Recogniser, name: str) -> None:
    assert recogniser.hear(spoken(name).tobytes()).phrase == ""


@pytest.mark.parametrize("kind", ["silence", "noise", "hum", "clicks", "full"])
def test_no_sound_but_speech_is_understood(recogniser: Recogniser, kind: str) -> None:
    rng, n = np.random.default_rng(1), 24_000
    sounds = {
        "silence": np.zeros(n),
        "noise": rng.normal(0.0, 800.0, n),
        "hum": 3000.0 * np.sin(np.arange(n) * (2 * np.pi * 50 / 16_000)),
        "clicks": np.where(rng.random(n) < 2e-3, 8000.0, 0.0),
        "full": np.full(n, 32767.0),
    }
    assert recogniser.hear(sounds[kind].astype("<i2").tobytes()).phrase == ""


@pytest.mark.parametrize("pcm", [b"", b"\0", bytes(101), bytes(MAX_BYTES + 2)], ids=len)
def test_what_is_no_utterance_is_nothing(recogniser: Recogniser, pcm: bytes) -> None:
    assert recogniser.hear(pcm).phrase == ""


def test_one_utterance_leaves_nothing_behind_for_the_next(recogniser: Recogniser) -> None:
    before = recogniser.hear(noisy("scale-two", 25.0))
    for _ in range(3):
        recogniser.hear(noisy("other-1", 0.0))
    assert recogniser.hear(noisy("scale-two", 25.0)) == before


# ── Its process ──────────────────────────────────────────────────────────────────────────────────────────────────


def clock() -> float:
    return asyncio.get_running_loop().time()


@in_loop
async def test_a_process_that_is_killed_is_a_sentence_and_the_next_utterance_works() -> None:
    ear = SpeechWorker(clock)
    try:
        assert (await ear.hear(spoken("stop").tobytes())).phrase == "stop"
        first = ear.pid
        assert first is not None
        os.kill(first, signal.SIGSTOP)  # so that it is in the middle of it
        asking = asyncio.create_task(ear.hear(spoken("stop").tobytes()))
        while not ear.busy:
            await asyncio.sleep(0)
        os.kill(first, signal.SIGKILL)
        with pytest.raises(SpeechError, match=r"^The recogniser has ended and restarts\. Say it again\.$"):
            await asking
        assert (await ear.hear(spoken("scale-two").tobytes())).phrase == "scale two"
        assert ear.pid not in (None, first)
    finally:
        await ear.close()
    assert ear.pid is None


@in_loop
async def test_a_process_that_died_between_two_utterances_is_not_even_noticed() -> None:
    ear = SpeechWorker(clock)
    try:
        await ear.hear(spoken("stop").tobytes())
        first = ear.pid
        assert first is not None
        os.kill(first, signal.SIGKILL)
        while ear.pid == first:
            await asyncio.sleep(0)
        assert (await ear.hear(spoken("stop").tobytes())).phrase == "stop"
    finally:
        await ear.close()


def script(code: str) -> tuple[str, ...]:
    """Return a process that says that it is ready, and then does as it is told here."""
    says = "import sys, time; from farhand.voice.speech_messages import SpeechReady, framed; out = sys.stdout.buffer"
    return (sys.executable, "-c", f"{says}; out.write(framed(SpeechReady())); out.flush(); {code}")


@in_loop
async def test_a_process_that_overruns_is_killed() -> None:
    ear = SpeechWorker(clock, script("time.sleep(100)"), overrun=0.05)
    with pytest.raises(SpeechError, match=r"^The recogniser does not answer and restarts\. Say it again\.$"):
        await ear.hear(bytes(8000))
    assert ear.pid is None


@in_loop
async def test_who_no_longer_waits_leaves_no_answer_for_another() -> None:
    ear = SpeechWorker(clock, script("time.sleep(100)"))
    asking = asyncio.create_task(ear.hear(bytes(8000)))
    while not ear.busy:
        await asyncio.sleep(0)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert ear.pid is None


@in_loop
async def test_odd_answers_are_no_answers() -> None:
    ear = SpeechWorker(clock, script("out.write(b'\\x01\\0\\0\\0\\xc1'); out.flush(); time.sleep(100)"))
    with pytest.raises(SpeechError, match="has ended"):
        await ear.hear(bytes(8000))
    assert ear.pid is None


@in_loop
async def test_too_many_speakers_are_told_so() -> None:
    ear = SpeechWorker(clock, script("time.sleep(100)"), overrun=0.05)
    crowd = [asyncio.create_task(ear.hear(bytes(8000))) for _ in range(12)]
    said = await asyncio.gather(*crowd, return_exceptions=True)
    assert sum("Too many people" in str(error) for error in said) == 4
    await ear.close()


@in_loop
async def test_a_machine_without_the_library_says_so_and_is_asked_again_later() -> None:
    times = [0.0]
    hidden = "import sys; sys.modules['pocketsphinx'] = None; "
    code = hidden + "from farhand.voice.speech_process import main; sys.exit(main())"
    ear = SpeechWorker(lambda: times[-1], (sys.executable, "-c", code))
    for now in (0.0, 5.0, 20.0):
        times.append(now)
        with pytest.raises(
            SpeechError, match=r"^Voice is not installed on the server: pip install 'farhand\[voice\]'$"
        ):
            await ear.hear(bytes(8000))
    assert ear.pid is None


def test_nothing_but_the_process_loads_the_library() -> None:
    loaded = "print('pocketsphinx' in sys.modules, 'sounddevice' in sys.modules)"
    code = f"import farhand.server.gateway.gateway_process, sys; {loaded}"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.strip() == "False False"
