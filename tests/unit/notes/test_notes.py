"""Notes are data: every code is declared, every language words it, and no sentence is made elsewhere."""

from __future__ import annotations

import ast
import asyncio
import string
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from gateways import CELL, Gateway, Page, in_loop, settle
from hands import Hand, random_inputs, rough_cell, silent
from paths import ROOT
from worded import near, problems

import farhand
from farhand.cell import Cell
from farhand.notes import CODES, ENGLISH, GERMAN, Language, Reader, language_of, render
from farhand.notes.codes import DIRECTIONS, HIDDEN_KINDS, HIDDEN_UNITS, WAYS_OUT
from farhand.notes.note_spec import CodeSpec
from farhand.notes.notes_page import PAGE, page
from farhand.notes.pseudo import CLOSES, PSEUDO_CODE, is_pseudo
from farhand.server.cell_process.describe import describe
from farhand.server.cell_process.frame_publisher import FramePublisher
from farhand.server.gateway.viewer import Viewer
from farhand.server.protocol.internal_messages import Done, Frame
from farhand.server.protocol.messages import ActiveNotes, Ask, Command, Scene, Watch
from farhand.types import MoveJoints, Note, Quantity, RemoveObject, Reset, SetSpeed, Stop, Subject
from farhand.types.events.rights import Role

SOURCE = Path(farhand.__file__).parent
SPOKEN = (ENGLISH, GERMAN)
SENTENCES = [(language, code) for language in SPOKEN for code in CODES]
# Where notes become sentences; no tick waits for the process of a replay.
EDGES = ("notes/", "cli/", "server/gateway/", "server/cell_process/replay_marks.py")


def placeholders(text: str) -> set[str]:
    return {field for _, field, _, _ in string.Formatter().parse(text) if field}


def declared(spec: CodeSpec, *, bare: bool = False) -> set[str]:
    """Return the placeholders that a sentence may have; in a bare one only those that are always there."""
    about = set() if bare and spec.optional else {place.name for place in spec.about if not (bare and place.many)}
    measures = {measure.name for measure in spec.measures if not (bare and measure.optional)}
    return about | measures | ({"cause", "Cause"} if spec.cause else set())


# ── The table and the languages ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("language", SPOKEN, ids=lambda language: language.code)
def test_a_language_says_every_code_and_nothing_else(language: Language) -> None:
    assert set(language.sentences) == set(CODES)
    assert set(language.directions) == set(DIRECTIONS)
    assert set(language.ways) == set(WAYS_OUT)
    assert {kind: set(words) for kind, words in ENGLISH.words.items()}.items() <= {
        kind: set(words) for kind, words in language.words.items()
    }.items()


@pytest.mark.parametrize(("language", "code"), SENTENCES, ids=lambda part: getattr(part, "code", part))
def test_a_sentence_uses_only_what_its_code_declares(language: Language, code: str) -> None:
    spec, wording = CODES[code], language.sentences[code]
    assert placeholders(wording.text) <= declared(spec)
    assert placeholders(wording.bare) <= declared(spec, bare=True)
    assert placeholders(wording.you) <= declared(spec)
    assert placeholders(wording.way) == set()
    optional = spec.optional or any(m.optional for m in spec.measures) or any(place.many for place in spec.about)
    if optional and not code.startswith("refused."):
        assert wording.bare or not placeholders(wording.text) - declared(spec, bare=True)
    for text in (wording.text, wording.bare, wording.exam, wording.way, wording.you):
        assert text == "" or text.endswith((".", "}")), text


@pytest.mark.parametrize(("language", "code"), SENTENCES, ids=lambda part: getattr(part, "code", part))
def test_a_trainee_reads_only_what_the_code_shows(language: Language, code: str) -> None:
    spec, wording = CODES[code], language.sentences[code]
    if spec.exam is None:
        return
    shown = set(spec.exam) | {"cause", "Cause"}
    assert placeholders(wording.exam or wording.text) <= shown
    if wording.bare and not wording.exam:
        assert placeholders(wording.bare) <= shown


@pytest.mark.parametrize("code", CODES)
def test_no_code_shows_a_trainee_lengths_or_things_around_the_robot(code: str) -> None:
    spec = CODES[code]
    shown = set(spec.exam or ())
    assert not {measure.name for measure in spec.measures if HIDDEN_UNITS & set(measure.units)} & shown - {"joints"}
    assert not {place.name for place in spec.about if HIDDEN_KINDS & set(place.kinds)} & shown


def test_a_new_code_is_hidden_from_a_trainee() -> None:
    assert CodeSpec().exam is None
    hidden = Note("refused.detail", about=(Subject("detail", "the secret is 12 mm away"),))
    assert render(hidden, Reader(exam=True)).text == "Not shown during an exam."
    stopped = render(Note("cell.refused", cause=hidden), Reader(exam=True)).text
    assert stopped == "Refused: not shown during an exam."


def test_the_table_in_the_docs_is_the_library_s_own() -> None:
    text = (ROOT / PAGE).read_text()
    assert text == page(), "docs/notes.md is out of date: run make notes"


# ── Sentences ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_same_note_in_three_languages() -> None:
    note = near("gripper", "crate", 0.0123)
    english, german, made = (render(note, Reader(language_of(code))) for code in ("en", "de-AT", PSEUDO_CODE))
    assert english.text == "The gripper is 12 mm from the crate and must not touch it."
    assert english.free == "You can slide along it or back away."
    assert german.text == "Greifer ist 12 mm von „crate“ entfernt und darf es nicht berühren."
    assert german.free == "Sie können daran entlangfahren oder zurückfahren."
    assert is_pseudo(made.text)
    assert is_pseudo(made.free)
    assert len(made.text) >= 1.4 * len(english.text)
    assert language_of("tlh") is ENGLISH


def test_decimals_are_written_as_the_language_does() -> None:
    note = Note("link.late", quantities=(Quantity("age", 0.45, "s"), Quantity("usual", 0.2, "s")))
    assert "0.45 s" in render(note).text
    assert "0,45 s" in render(note, Reader(GERMAN)).text


def test_the_person_who_pressed_stop_reads_so() -> None:
    stopped = Note("mode.stopped", "stop", cause=Note("stop.pressed", about=(Subject("person", "Ada"),)))
    assert render(stopped, Reader(person="Ada")).text == "Stopped: you pressed Stop."
    assert render(stopped, Reader(person="Ben")).text == "Stopped: Ada pressed Stop."
    assert render(stopped, Reader(GERMAN, person="Ada")).text == "Gestoppt: Sie haben Stopp gedrückt."


def seconds(time: float) -> tuple[Quantity, ...]:
    return (Quantity("time", time, "s"),)


@pytest.mark.parametrize(
    ("note", "text", "free"),
    [
        (
            Note(
                "mode.paused",
                "stop",
                free=("hold-on",),
                cause=Note("input.none", quantities=(Quantity("time", 0.1, "s"),)),
            ),
            "Paused: no input for 0.1 s.",
            "Keep holding; it resumes by itself.",
        ),
        (
            Note(
                "mode.stopped",
                "stop",
                free=("reset",),
                cause=Note("input.lost", quantities=(Quantity("time", 1.0, "s"),)),
            ),
            "Stopped: no input for over 1 s.",
            "Press Enter to reset, then drive on.",
        ),
        (
            Note("servo.wall", "slow", (Subject("face", "lower"),), free=("along", "back")),
            "The tip has reached the bottom of its work area.",
            "You can slide along it or back away.",
        ),
        (
            Note("guard.lag", "slow", (Subject("joint", "Wrist"), Subject("body", "block"))),
            "The wrist is stuck: the block is in the way, or the load is too heavy.",
            "",
        ),
        (
            Note("mapping.slip", "slow", quantities=(Quantity("lead", 0.05, "m"),)),
            "Your hand is over 50 mm ahead; the extra is ignored.",
            "Moving back responds at once.",
        ),
    ],
)
def test_sentences_that_operators_asked_for(note: Note, text: str, free: str) -> None:
    said = render(note)
    assert (said.text, said.free) == (text, free)


# ── The sources ──────────────────────────────────────────────────────────────────────────────────────────────────


def calls(name: str) -> Iterator[tuple[Path, ast.Call]]:
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
                yield path, node


def constants(node: ast.expr) -> list[str]:
    """Return the codes that an expression may give: a text, or one of two."""
    if isinstance(node, ast.IfExp):
        return constants(node.body) + constants(node.orelse)
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def test_every_note_in_the_library_has_a_declared_code_and_its_level() -> None:
    wrong = []
    for path, call in calls("Note"):
        where = f"{path.relative_to(SOURCE)}:{call.lineno}"
        given = {keyword.arg: keyword.value for keyword in call.keywords}
        level = call.args[1] if len(call.args) > 1 else given.get("level")
        found = constants(call.args[0])
        if not found and ast.unparse(call.args[0]) not in ("self._lag", "f'robot.{code}'"):
            wrong.append(f"{where}: the code is no text")
        for code in found:
            said = level.value if isinstance(level, ast.Constant) else "info" if level is None else None
            if code not in CODES or CODES[code].level != said or bool(CODES[code].cause) != ("cause" in given):
                wrong.append(f"{where}: {code}")
    assert wrong == []


def test_every_reader_of_files_notes_under_a_declared_code() -> None:
    found = set()
    for path in (SOURCE / "formats").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "note":
                found.update(constants(node.args[0]))
    assert found
    assert {f"robot.{code}" for code in found} <= set(CODES)


def test_only_the_edge_makes_sentences_of_notes() -> None:
    wrong = []
    for path in SOURCE.rglob("*.py"):
        name = path.relative_to(SOURCE).as_posix()
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("farhand.notes"):
                makers = {alias.name for alias in node.names} & {"render", "said", "clause", "ENGLISH", "GERMAN"}
                if makers and not name.startswith(EDGES):
                    wrong.append(f"{name}:{node.lineno} imports {', '.join(makers)}")
    assert wrong == []


# ── In use ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_note_of_a_random_session_fits_its_code() -> None:
    cell = rough_cell()
    seen, wrong = set[str](), list[str]()
    for inputs in random_inputs(4000, seed=3):
        tick = cell.step(inputs)
        for note in (*tick.notes, *tick.lanes["arm"].notes):
            seen.add(note.code)
            wrong += problems(note)
    assert wrong == []
    assert len(seen) > 10


def entered(gateway: Gateway, language: str, *, exam: bool = False) -> tuple[Viewer, Page]:
    """Let a page in that reads a language."""
    socket = Page()
    number, name = gateway.state.guest(f"client-{language}-{exam}", "")
    role: Role = "trainee" if exam else "user"
    viewer = Viewer(number, name, socket, msgspec.msgpack.encode, role=role, language=language)
    gateway.state.enter(viewer, asyncio.get_running_loop().create_future())
    gateway.keep(asyncio.create_task(viewer.pump()))
    gateway.state.take(viewer, Watch(cell=CELL))
    return viewer, socket


def driven() -> tuple[Scene, list[Frame], tuple[Note, ...]]:
    """Return what a cell tells while it is driven, stopped, reset and refused; and why it refused the last command."""
    frames: list[Frame] = []
    cell = Cell.load("irb120")
    tap = FramePublisher(cell, 1, frames.append)
    hand = Hand(cell, "base axes")
    hand.run.listeners = (tap,)
    hand.drive(3.0, 0.0, 0.0, -1.0)
    hand.send(Stop(by="Guest 1"))
    hand.drive(0.3, 0.0, 0.0, -1.0)
    hand.send(MoveJoints("arm"))
    hand.drive(0.1)
    hand.send(Reset())
    hand.drive(0.1)
    silent(hand, 0.5)
    hand.send(SetSpeed("arm", 99), RemoveObject("nothing"), MoveJoints("leg"))
    hand.drive(0.1)
    refused = tuple([note.cause for note in hand.tick.notes if note.cause])
    return describe(cell, CELL, 1, (), hand.run.masters), frames, refused or (Note("refused.level"),)


@in_loop
async def test_every_sentence_of_a_story_is_made_in_the_viewer_s_language() -> None:
    scene, frames, refused = driven()
    gateway = Gateway()
    gateway.hub.take_frame(frames[0])
    gateway.hub.take_scene(scene)
    viewer, made = entered(gateway, PSEUDO_CODE)
    _, german = entered(gateway, "de")
    _, trainee = entered(gateway, PSEUDO_CODE, exam=True)
    gateway.state.take(viewer, Ask(robot="arm"))
    for frame in frames[1:]:
        gateway.hub.take_frame(frame)
        await settle()
    gateway.state.take(viewer, Command(id=7, event=SetSpeed("arm", 99)))
    order = gateway.link.orders[-1]
    gateway.hub.take_done(Done(gateway=order.gateway, number=order.number, ok=False, refused=refused))
    await settle()
    assert all(is_pseudo(f"{part.removesuffix(CLOSES)}{CLOSES}") for part in made.answer(7).text.split(f"{CLOSES} "))
    for reader in (made, trainee):
        notes = [note for why in reader.all(ActiveNotes) for each in why.robots.values() for note in each]
        texts = [entry.text for entry in reader.said()]
        texts += [note.text for note in notes] + [note.free for note in notes]
        assert len(set(texts)) > 8
        assert [text for text in texts if text and not is_pseudo(text)] == []
    codes = {note.code for why in made.all(ActiveNotes) for notes in why.robots.values() for note in notes}
    assert {"servo.wall", "avoid.touch", "mode.stopped"} <= codes
    said = [entry.text for entry in german.said()]
    assert "Gestoppt: Guest 1 hat Stopp gedrückt." in said
    assert "Guest 1 steuert arm." in said
    assert any("you pressed Stop" in entry.text for entry in made.said())
