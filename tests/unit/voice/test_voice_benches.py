"""The benchmarks of speech count right: with voices that say their text, and recognisers that mishear on purpose."""

from __future__ import annotations

from typing import ClassVar

import pytest

from farhand.voice.speech_messages import Verdict
from farhand.voice.vocabulary import CONFIRMATIONS, PHRASES
from farhand_bench import decoys, voice
from farhand_bench.rows import Row
from farhand_bench.speakers import SENTENCES, TUNED, UNHEARD, Speaker

HOME = "move to home position"


class FakeRecogniser:
    """Hears what was said, but for some texts, by their loudness too."""

    mishears: ClassVar[dict[str, str]] = {}

    def __init__(self, *, doubts: bool = True) -> None:
        del doubts

    def hear(self, pcm: bytes) -> Verdict:
        text, _, decibels = pcm.decode(errors="replace").partition("|")
        text = self.mishears.get(f"{text}|{decibels}", self.mishears.get(text, text))
        return Verdict(text if text in PHRASES else "")


@pytest.fixture(autouse=True)
def fakes(monkeypatch: pytest.MonkeyPatch) -> type[FakeRecogniser]:
    class Fake(FakeRecogniser):
        mishears: ClassVar[dict[str, str]] = {}

    def spoken(text: str, speaker: Speaker) -> str:
        del speaker
        return text

    def noisy(text: str, decibels: float, seed: int) -> bytes:
        del seed
        return f"{text}|{decibels:g}".encode()

    for module in (voice, decoys):
        monkeypatch.setattr(module, "Recogniser", Fake)
        monkeypatch.setattr(module, "spoken", spoken)
        monkeypatch.setattr(module, "noisy", noisy)
        monkeypatch.setattr(module, "need_speakers", lambda: None)
    monkeypatch.setattr(voice, "_until_stopped", lambda _: [])
    monkeypatch.setattr(voice, "_sounds", lambda _: [])
    return Fake


def value(rows: list[Row], name: str) -> float:
    return next(row.median for row in rows if row.name.strip() == name)


def test_commands_and_confirmations_are_counted_by_voices_and_loudness(fakes: type[FakeRecogniser]) -> None:
    fakes.mishears = {"authorize home position|6": "authorize the reset", f"{HOME}|12": ""}
    rows = voice.measure()
    for kind in ("tuned", "unheard"):
        of = f"{kind} voices"
        assert value(rows, f"{of}: phrases understood, 30 dB") == 100.0
        assert value(rows, f"{of}: those that start a motion, 12 dB") == pytest.approx(80.0)
        assert value(rows, f"{of}: those that confirm one, 12 dB") == 100.0
        assert value(rows, f"{of}: those that confirm one, 6 dB") == pytest.approx(80.0)
        both = f"{of}: command and its confirmation both understood"
        assert [value(rows, f"{both}, {db} dB") for db in (30, 20, 12, 6)] == pytest.approx([100.0, 100.0, 80.0, 80.0])
        assert value(rows, f"{of}: heard as another phrase other than stop, 6 dB") == pytest.approx(100.0 / 18)


@pytest.mark.parametrize(
    ("confirmed", "bound"), [(CONFIRMATIONS[HOME], 1.0), (CONFIRMATIONS["free me from here"], 0.0)]
)
def test_a_wrong_start_is_a_pair_of_sentences_taken_for_a_command_and_its_own_confirmation(
    fakes: type[FakeRecogniser], confirmed: str, bound: float
) -> None:
    near, other = SENTENCES[0], SENTENCES[decoys.SHARES]  # one after the other
    fakes.mishears = {near: HOME, other: confirmed}
    rows = decoys.measure()
    count = len(SENTENCES) * len(UNHEARD) * 4 // decoys.SHARES
    taken = len(UNHEARD) * 4 / decoys.SHARES  # how often each of the two is said
    assert count >= 1000
    assert value(rows, f"wrong starts among {count} sentences one after the other") == bound * taken
    pairs = f"wrong starts among {count * (count - 1):,} ordered pairs of any two of them"
    assert value(rows, pairs) == bound * taken**2
    assert value(rows, "if any confirmation confirmed any command") == taken**2


def test_tuned_and_unheard_voices_are_others() -> None:
    assert not set(TUNED) & set(UNHEARD)
