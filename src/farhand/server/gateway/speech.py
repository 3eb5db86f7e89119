"""Speech of viewers: pieces become an utterance, that becomes a phrase, and that the event of a button.

A phrase that starts a motion waits for its confirmation first (`confirming`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from farhand.errors import CommandError
from farhand.server.gateway.confirmation import (
    CONFIRM_S,
    NOTHING_PENDING,
    STOPPED,
    Pending,
    Standing,
    cancelled,
    mismatch,
    question,
    refusal,
)
from farhand.server.gateway.hub import CellHub
from farhand.server.gateway.viewer import Viewer
from farhand.server.protocol.messages import Answer, Heard, Speech
from farhand.voice.speech_messages import Verdict
from farhand.voice.utterance import BYTES_PER_SECOND, MOST_BYTES, utterance_problem
from farhand.voice.vocabulary import CONFIRM_PHRASES, MOVING_PHRASES, STOP_PHRASE, Meant, Situation, meant

__all__ = ["DEAF", "Hearing", "SpeechError", "Spoken"]

PATIENCE = 10.0  # seconds, in which the recogniser may have to start; later it is no longer what the speaker means
QUEUED = 3  # utterances of one viewer that wait while the recogniser starts
NOT_UNDERSTOOD = "Not understood. “?” shows what can be said."
BUSY = "Your last phrases are still being recognised. Wait for them, then say it again."
LATE = "It took too long to understand that, so nothing was done."
BEHIND = 2.0  # seconds by which an utterance may come later than it was spoken
HELD_UP = "What was said came too late, so nothing was done: the page or its line was held up. Say it again."


class SpeechError(Exception):
    """Nothing can be understood, and why, as a sentence."""


class Hearing(Protocol):
    """A recogniser of speech."""

    def prepare(self) -> None:
        """Be ready soon: a viewer has begun to speak."""

    async def hear(self, pcm: bytes) -> Verdict:
        """Return the phrase of an utterance.

        Raises:
            SpeechError: If that cannot be told.
        """


class _Deaf:
    def prepare(self) -> None:
        return

    async def hear(self, pcm: bytes) -> Verdict:
        del pcm
        raise SpeechError("This server does not listen to speech.")


DEAF: Hearing = _Deaf()


class _Utterance(Struct):
    id: int
    robot: str
    began: float
    pcm: bytearray
    late: bool = False

    def is_late(self, now: float) -> bool:
        """Return whether its end came later than it can have been spoken: it was held up on its way."""
        return now - self.began > len(self.pcm) / BYTES_PER_SECOND + BEHIND


class Spoken:
    """Takes what viewers say, and what they confirm.

    Args:
        ear: Understands it.
        clock: Monotonic seconds.
    """

    def __init__(self, ear: Hearing, clock: Callable[[], float]) -> None:
        self._ear, self._clock = ear, clock
        self._begun: dict[Viewer, _Utterance] = {}
        self._underway: dict[Viewer, list[asyncio.Task[None]]] = {}
        self._pending: dict[Viewer, tuple[CellHub, Pending]] = {}

    def take(self, hub: CellHub, viewer: Viewer, piece: Speech) -> None:
        """Take a piece; after the last one do what was said, if the speaker may."""
        said = self._begun.get(viewer)
        if said is None or said.id != piece.id:
            said = self._begun[viewer] = _Utterance(piece.id, piece.robot, self._clock(), bytearray())
            self._ear.prepare()
        if not said.pcm:  # a microphone that is still being opened says nothing yet
            said.began = self._clock()
        # One sample more than may be is enough to tell that it was too long.
        said.pcm += piece.pcm[: MOST_BYTES + 2 - len(said.pcm)]
        if not piece.last:
            return
        del self._begun[viewer]
        said.late = said.is_late(self._clock())
        underway = self._underway.setdefault(viewer, [])
        problem = BUSY if len(underway) >= QUEUED else utterance_problem(bytes(said.pcm))
        if problem:
            self._not_understood(hub, viewer, said, problem)
            return
        task = asyncio.get_running_loop().create_task(self._follow(hub, viewer, said))
        underway.append(task)
        task.add_done_callback(lambda done: self._followed(viewer, done))

    def confirm(self, hub: CellHub, viewer: Viewer, id_: int) -> None:
        """Do what a viewer said and now confirms by the page's button."""
        pending = self._waiting(hub, viewer)
        if pending is None or pending.id != id_:
            viewer.tell(Heard(id=id_, ok=False, text=NOTHING_PENDING))
            return
        del self._pending[viewer]
        self._confirmed(hub, viewer, pending, id_, self._clock())

    def stopped(self, hub: CellHub) -> None:
        """Cancel all that waits in a cell: a stop was asked for."""
        for viewer, (where, pending) in list(self._pending.items()):
            if where is hub:
                self._cancel(viewer, pending, STOPPED)

    def sweep(self) -> None:
        """Cancel commands whose time is over, or for which things have changed, and tell their speakers."""
        now = self._clock()
        for viewer, (hub, pending) in list(self._pending.items()):
            begun = self._begun.get(viewer)
            # Speech that began in time is heard to its end.
            at = begun.began if begun is not None and begun.pcm else now
            why = refusal(pending, at, _standing(hub, pending.robot))
            if why and not self._underway.get(viewer):
                self._cancel(viewer, pending, why)

    def forget(self, viewer: Viewer) -> None:
        """Drop what a viewer who has gone was about to say; what he has said to its end still counts, if it is stop."""
        self._begun.pop(viewer, None)
        self._pending.pop(viewer, None)

    def _followed(self, viewer: Viewer, task: asyncio.Task[None]) -> None:
        self._underway[viewer].remove(task)
        if not self._underway[viewer]:
            del self._underway[viewer]

    def _cancel(self, viewer: Viewer, pending: Pending, why: str) -> None:
        del self._pending[viewer]
        viewer.tell(Heard(id=pending.id, ok=False, phrase=pending.phrase, text=why))

    def _waiting(self, hub: CellHub, viewer: Viewer) -> Pending | None:
        where, pending = self._pending.get(viewer, (hub, None))
        return pending if where is hub else None

    async def _follow(self, hub: CellHub, viewer: Viewer, said: _Utterance) -> None:
        problem, phrase = NOT_UNDERSTOOD, ""
        try:
            async with asyncio.timeout(PATIENCE):
                phrase = (await self._ear.hear(bytes(said.pcm))).phrase
        except TimeoutError:
            problem = LATE
        except SpeechError as error:
            problem = str(error)
        if hub.viewers.get(viewer.number) is not viewer and phrase != STOP_PHRASE:
            return  # the speaker has gone
        if said.late and phrase and phrase != STOP_PHRASE:
            phrase, problem = "", HELD_UP
        if not phrase:
            self._not_understood(hub, viewer, said, problem)
        elif phrase in CONFIRM_PHRASES:
            self._said_to_confirm(hub, viewer, said, phrase)
        else:
            self._command(hub, viewer, said, phrase)

    def _not_understood(self, hub: CellHub, viewer: Viewer, said: _Utterance, problem: str) -> None:
        """Say so; a command that waits is cancelled, since the speaker has said something else."""
        pending = self._waiting(hub, viewer)
        self._pending.pop(viewer, None)
        viewer.tell(Heard(id=said.id, ok=False, text=cancelled(pending, problem) if pending else problem))

    def _said_to_confirm(self, hub: CellHub, viewer: Viewer, said: _Utterance, phrase: str) -> None:
        """Do the command that waits if the phrase confirms that one; otherwise cancel it."""
        pending = self._waiting(hub, viewer)
        self._pending.pop(viewer, None)
        if pending is None:
            viewer.tell(Heard(id=said.id, ok=False, phrase=phrase, text=NOTHING_PENDING))
        elif why := mismatch(pending, phrase):
            viewer.tell(Heard(id=said.id, ok=False, text=cancelled(pending, why)))
        else:
            self._confirmed(hub, viewer, pending, said.id, said.began)

    def _confirmed(self, hub: CellHub, viewer: Viewer, pending: Pending, id_: int, at: float) -> None:
        """Do what waited, unless its time is over or things have changed."""
        why = refusal(pending, at, _standing(hub, pending.robot))
        if why:
            viewer.tell(Heard(id=id_, ok=False, phrase=pending.phrase, text=why))
        else:
            _do(hub, viewer, id_, pending.phrase, pending.meaning)

    def _command(self, hub: CellHub, viewer: Viewer, said: _Utterance, phrase: str) -> None:
        """Do what a phrase means, or ask the speaker to confirm it; whatever waited is cancelled."""
        self._pending.pop(viewer, None)
        if phrase == STOP_PHRASE:
            self.stopped(hub)
        try:
            meaning = meant(phrase, _situation(hub, said.robot))
        except CommandError as error:
            viewer.tell(Heard(id=said.id, ok=False, phrase=phrase, text=str(error)))
            return
        if phrase not in MOVING_PHRASES or hub.commands.problem(viewer, meaning.event):
            _do(hub, viewer, said.id, phrase, meaning)
            return
        standing = _standing(hub, said.robot)
        pending = Pending(
            id=said.id, robot=said.robot, phrase=phrase, meaning=meaning, since=self._clock(), standing=standing
        )
        self._pending[viewer] = hub, pending
        viewer.tell(Heard(id=said.id, ok=False, phrase=phrase, text=question(pending), confirm=CONFIRM_S))


def _do(hub: CellHub, viewer: Viewer, id_: int, phrase: str, meaning: Meant) -> None:
    """Do what a viewer said, on the way of the button that does the same."""

    def tell(answer: Answer) -> None:
        text = meaning.done if answer.ok else answer.text
        viewer.tell(Heard(id=id_, ok=answer.ok, phrase=phrase, text=text))

    hub.commands.take(viewer, id_, meaning.event, how="said", tell=tell)


def _standing(hub: CellHub, robot: str) -> Standing:
    """Return who controls a robot and what it does, as last told."""
    known = hub.robot_now(robot)
    return Standing(hub.control.epoch(robot), known[1].mode if known else "")


def _situation(hub: CellHub, robot: str) -> Situation:
    """Return the circumstances of a phrase, from the last frame of the cell."""
    known = hub.robot_now(robot)
    if known is None:
        return Situation(robot=robot)
    info, now = known
    led = any(master.by_hand and master.hand and robot in master.robots for master in hub.masters())
    return Situation(
        robot=robot,
        scales=info.scales,
        speeds=len(info.speeds),
        level=now.level,
        mappings=tuple(mapping.name for mapping in info.mappings if led or mapping.axes),
        mapping=info.mappings[now.mapping].name if now.mapping < len(info.mappings) else "",
        switch=info.switch,
    )
