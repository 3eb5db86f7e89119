"""Voices, sentences and noise for the speech benchmarks.

The phrases, and the rejection thresholds of the recogniser, were chosen with the tuned voices and the first list of
sentences. The unheard voices and the second list were used for measurements only.
"""

from __future__ import annotations

import math
import shutil
import subprocess
import tempfile
import wave
from pathlib import Path

import numpy as np
from msgspec import Struct

from farhand.errors import FarhandError
from farhand.kernels import Floats
from farhand.voice.utterance import RATE

__all__ = ["LOUDNESSES", "SENTENCES", "TUNED", "UNHEARD", "Speaker", "need_speakers", "noisy", "spoken"]

LOUDNESSES = (30.0, 20.0, 12.0, 6.0)
"""Signal-to-noise ratios of the speech, dB."""
PACKAGES = {"espeak-ng": "espeak-ng", "flite": "flite", "text2wave": "festival festvox-kdlpc16k"}
LOUDEST = 16_000.0
QUIET = 0.01  # share of the loudest sample; quieter samples at either end are cut off
MARGIN = 0.15  # seconds of silence before and after


class Speaker(Struct, frozen=True):
    """A speech program, one of its voices, and words per minute if the program has that setting."""

    program: str
    voice: str
    speed: int = 0


def _espeak(*voices: tuple[str, int]) -> tuple[Speaker, ...]:
    return tuple(Speaker("espeak-ng", voice, speed) for voice, speed in voices)


TUNED = (
    *_espeak(
        ("en-us", 160), ("en-us+f2", 150), ("en-us+m3", 190), ("en-gb", 160), ("en-gb+f4", 180), ("en-us+m7", 130)
    ),
    *(Speaker("flite", "kal16"), Speaker("flite", "awb")),
)
UNHEARD = (
    *(Speaker("flite", "rms"), Speaker("flite", "slt"), Speaker("text2wave", "ked")),
    *_espeak(("en-gb-x-rp+Andrea", 165), ("en-us-nyc+m5", 170), ("en-gb-scotland+f1", 155)),
)
_KNOWN = """
hello; please; coffee; the robot is here; what time is it; open the door; never mind; left; thank you very much;
look at that; one two three; can you hear me; okay; let me see; power; move it over there; wait a moment; pick it
up; turn around; good morning; nothing; speed; go on; phone home; cold; preset; slow; fast; lower; scan two; speak
to me; scale; the robot is in position; move the box to the table; we are going home; he moved to a new home; home
position is fine; what is the position; carry the box with me; carry on; carry it with both hands; free the arm from
there; free coffee for everyone; come here; power supply of the robot; is the power up; turn the robot off; reset
the counter; get ready; is everybody ready; ready when you are; set and ready; the firm is here; firm grip; that is
correct; yes; yes of course; I agree; go ahead; come on; the form is complete; confirm your name; are you sure;
affirm it; a formative experience; native speaker; it is a fact of life; could you pass me the cable; the weather is
nice today; we should have lunch at noon; did you see the news last night; this camera is out of focus; my hand is
getting tired; how long will this take; be careful with the glass; put the cup on the table; show me the left side;
there is something in the way; I think we need more light; the motor sounds strange; who is in control now; I will
be right back; the meeting starts at three; can somebody help me;
author eyes the home position; authorize; authorize it; authorities; the author has a home; otherwise home; or the
rice at home; after rice at home; recognise the move; organize the reset; apologize to the house; advertise the
power; a wise move; the author moves; summarize the reset; other eyes move; authorised dealer; otherwise reset; home
position; power up; apologize for backing out; otherwise power; authorize the guest; who authorized this move;
authorize Mary and Ron; authorise the robot; organize carrying on; apologize for carrying on; author eyes are
backing out; authorize paying out; the other robot power; recognise robot power; authorize a home; authorize the
recipe
"""
_FRESH = """
author of the book; the author rises; other eyes; all the rice; an authority; organize the desk; otherwise not;
advise him; a surprise; apologize; the home screen is open; move two chairs; a moving position; they moved the
composition; who moved my chair; ferry on the river; carry on with your story; marry on Monday; free me from this;
three men from there; feed me from here; a shower of the robot; hour upon hour; tower of robots; reset and reboot;
we said and were ready; rest and be steady; stay there; hold hair; bold here; old beer; skate to me; the next
meeting; mapping the room; text mapping; last year; lower it a bit; a faster car; the plaster; spread four; bleed
one; where did I put my glasses; the battery is nearly empty; write that down please; it makes a lot of noise; I
have never seen this before; call the workshop; the left finger is bent; careful now; what a day;
authorize the house position; the author's own position; the authors reached it; authorize the resort; authorities
are carrying on; he was authorized to carry it; advertise marrying on; authorize packing now; organize a parking
lot; the author is looking out; authorize rocket power; the robot has no power
"""
SENTENCES: tuple[str, ...] = tuple(" ".join(text.split()) for text in (_KNOWN + ";" + _FRESH).split(";"))
"""Sentences that are not commands, many of them chosen to sound like a phrase."""


def need_speakers() -> None:
    """Check that all speech programs are installed.

    Raises:
        FarhandError: If one is not installed.
    """
    missing = [packages for program, packages in PACKAGES.items() if shutil.which(program) is None]
    if missing:
        raise FarhandError(
            "speech programs of this benchmark are not installed"
            f" (Debian: apt-get install {' '.join(missing)}, or run scripts/voices.sh)"
        )


def spoken(text: str, speaker: Speaker) -> Floats:
    """Return a text spoken by a voice, at the recogniser's sample rate."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "spoken.wav"
        _speak(text, speaker, path)
        with wave.open(str(path)) as file:
            rate, samples = file.getframerate(), np.frombuffer(file.readframes(file.getnframes()), "<i2").astype(float)
    loud = np.flatnonzero(np.abs(samples) > QUIET * np.max(np.abs(samples)))
    return _resampled(samples[loud[0] : loud[-1] + 1], rate)


def _speak(text: str, speaker: Speaker, path: Path) -> None:
    commands = {
        "espeak-ng": ["espeak-ng", "-v", speaker.voice, "-s", str(speaker.speed), "-w", str(path), text],
        "flite": ["flite", "-voice", speaker.voice, "-t", text, "-o", str(path)],
        "text2wave": ["text2wave", "-o", str(path)],
    }
    subprocess.run(commands[speaker.program], input=text.encode(), check=True, stdout=subprocess.DEVNULL)


def _resampled(samples: Floats, rate: int) -> Floats:
    """Return samples at the recogniser's sample rate, by cutting off their spectrum."""
    length = math.ceil(len(samples) * RATE / rate)
    spectrum = np.fft.rfft(samples)[: length // 2 + 1]
    made = np.fft.irfft(spectrum, length)
    loudest: Floats = made * (LOUDEST / np.max(np.abs(made)))
    return loudest


def noisy(samples: Floats, decibels: float, seed: int) -> bytes:
    """Return an utterance with noise, reproducible by seed, and a short silence on either side."""
    margin = np.zeros(int(MARGIN * RATE))
    loudness = math.sqrt(float(np.mean(samples**2))) / 10 ** (decibels / 20)
    whole = np.concatenate((margin, samples, margin))
    noise = np.random.default_rng(seed).normal(0.0, loudness, len(whole))
    return bytes(np.clip(whole + noise, -32768, 32767).astype("<i2").tobytes())
