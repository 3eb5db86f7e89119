"""Speech of viewers: collect pieces into an utterance, recognise its phrase, and send the event of the phrase.

A phrase that starts a motion waits for its confirmation first (`confirmation`).
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
    RobotStatus,
    cancelled,
    mismatch,
    question,
    refusal,
)
from farhand.server.gateway.hub import CellHub
from farhand.server.gateway.viewer import Viewer
from farhand.server.protocol.messages import Answer, Speech, SpeechResult
from farhand.voice.speech_messages import Verdict
from farhand.voice.utterance import BYTES_PER_SECOND, MAX_BYTES, utterance_problem
from farhand.voice.vocabulary import CONFIRM_PHRASES, MOVING_PHRASES, STOP_PHRASE, Meant, Situation, meant

__all__ = ["NO_RECOGNISER", "SpeechCommands", "SpeechError", "SpeechRecogniser"]

TIMEOUT_S = 10.0  # for recognition, including the recogniser's start; later the speaker may have changed their mind
MAX_QUEUED = 3  # utterances of one viewer that wait while the recogniser starts
NOT_UNDERSTOOD = "Not understood. “?” lists the phrases."
BUSY = "Your last phrases are still being recognised. Wait for them, then say it again."
LATE = "Recognition took too long, so nothing was done. Say it again."
MAX_DELAY_S = 2.0  # by which an utterance may arrive later than it was spoken
DELAYED = "Your speech arrived too late, so nothing was done: the page or its connection was held up. Say it again."


class SpeechError(Exception):
    """Speech cannot be recognised; the message is a sentence for the user."""


class SpeechRecogniser(Protocol):
    """A recogniser of speech."""

    def prepare(self) -> None:
        """Start, because a viewer has begun to speak."""

    async def hear(self, pcm: bytes) -> Verdict:
        """Return the phrase of an utterance.

        Raises:
            SpeechError: If it cannot be recognised.
        """


class _NoRecogniser:
    def prepare(self) -> None:
        return

    async def hear(self, pcm: bytes) -> Verdict:
        del pcm
        raise SpeechError("This server does not recognise speech.")


NO_RECOGNISER: SpeechRecogniser = _NoRecogniser()


class _Utterance(Struct):
    id: int
    robot: str
    began: float
    pcm: bytearray
    late: bool = False

    def is_late(self, now: float) -> bool:
        """Return whether its end arrived more than `MAX_DELAY_S` after it was spoken."""
        return now - self.began > len(self.pcm) / BYTES_PER_SECOND + MAX_DELAY_S


class SpeechCommands:
    """The spoken commands of viewers, and their confirmations.

    Args:
        recogniser: The recogniser.
        clock: Monotonic clock, s.
    """

    def __init__(self, recogniser: SpeechRecogniser, clock: Callable[[], float]) -> None:
        self._recogniser, self._clock = recogniser, clock
        self._begun: dict[Viewer, _Utterance] = {}
        self._underway: dict[Viewer, list[asyncio.Task[None]]] = {}
        self._pending: dict[Viewer, tuple[CellHub, Pending]] = {}

    def take(self, hub: CellHub, viewer: Viewer, piece: Speech) -> None:
        """Take a piece of speech; after the last piece carry out the phrase, if the speaker may."""
        said = self._begun.get(viewer)
        if said is None or said.id != piece.id:
            said = self._begun[viewer] = _Utterance(piece.id, piece.robot, self._clock(), bytearray())
            self._recogniser.prepare()
        if not said.pcm:  # while the microphone opens, no samples come
            said.began = self._clock()
        # One sample above the limit is enough to see that the utterance is too long.
        said.pcm += piece.pcm[: MAX_BYTES + 2 - len(said.pcm)]
        if not piece.last:
            return
        del self._begun[viewer]
        said.late = said.is_late(self._clock())
        underway = self._underway.setdefault(viewer, [])
        problem = BUSY if len(underway) >= MAX_QUEUED else utterance_problem(bytes(said.pcm))
        if problem:
            self._not_understood(hub, viewer, said, problem)
            return
        task = asyncio.get_running_loop().create_task(self._follow(hub, viewer, said))
        underway.append(task)
        task.add_done_callback(lambda done: self._followed(viewer, done))

    def confirm(self, hub: CellHub, viewer: Viewer, id_: int) -> None:
        """Carry out the command that a viewer confirms with the page's button."""
        pending = self._waiting(hub, viewer)
        if pending is None or pending.id != id_:
            viewer.tell(SpeechResult(id=id_, ok=False, text=NOTHING_PENDING))
            return
        del self._pending[viewer]
        self._confirmed(hub, viewer, pending, id_, self._clock())

    def stopped(self, hub: CellHub) -> None:
        """Cancel all waiting commands of a cell, because of a Stop."""
        for viewer, (where, pending) in list(self._pending.items()):
            if where is hub:
                self._cancel(viewer, pending, STOPPED)

    def sweep(self) -> None:
        """Cancel commands that can no longer be confirmed, and tell their speakers."""
        now = self._clock()
        for viewer, (hub, pending) in list(self._pending.items()):
            begun = self._begun.get(viewer)
            # A confirmation that began in time counts, whenever it ends.
            at = begun.began if begun is not None and begun.pcm else now
            why = refusal(pending, at, _status(hub, pending.robot))
            if why and not self._underway.get(viewer):
                self._cancel(viewer, pending, why)

    def forget(self, viewer: Viewer) -> None:
        """Drop the unfinished speech of a viewer who has left; a finished "stop" still counts."""
        self._begun.pop(viewer, None)
        self._pending.pop(viewer, None)

    def _followed(self, viewer: Viewer, task: asyncio.Task[None]) -> None:
        self._underway[viewer].remove(task)
        if not self._underway[viewer]:
            del self._underway[viewer]

    def _cancel(self, viewer: Viewer, pending: Pending, why: str) -> None:
        del self._pending[viewer]
        viewer.tell(SpeechResult(id=pending.id, ok=False, phrase=pending.phrase, text=why))

    def _waiting(self, hub: CellHub, viewer: Viewer) -> Pending | None:
        where, pending = self._pending.get(viewer, (hub, None))
        return pending if where is hub else None

    async def _follow(self, hub: CellHub, viewer: Viewer, said: _Utterance) -> None:
        problem, phrase = NOT_UNDERSTOOD, ""
        try:
            async with asyncio.timeout(TIMEOUT_S):
                phrase = (await self._recogniser.hear(bytes(said.pcm))).phrase
        except TimeoutError:
            problem = LATE
        except SpeechError as error:
            problem = str(error)
        if hub.viewers.get(viewer.number) is not viewer and phrase != STOP_PHRASE:
            return  # the speaker has gone
        if said.late and phrase and phrase != STOP_PHRASE:
            phrase, problem = "", DELAYED
        if not phrase:
            self._not_understood(hub, viewer, said, problem)
        elif phrase in CONFIRM_PHRASES:
            self._said_to_confirm(hub, viewer, said, phrase)
        else:
            self._command(hub, viewer, said, phrase)

    def _not_understood(self, hub: CellHub, viewer: Viewer, said: _Utterance, problem: str) -> None:
        """Tell the speaker the problem, and cancel a waiting command: the utterance did not confirm it."""
        pending = self._waiting(hub, viewer)
        self._pending.pop(viewer, None)
        viewer.tell(SpeechResult(id=said.id, ok=False, text=cancelled(pending, problem) if pending else problem))

    def _said_to_confirm(self, hub: CellHub, viewer: Viewer, said: _Utterance, phrase: str) -> None:
        """Carry out the waiting command if the phrase confirms it; otherwise cancel it."""
        pending = self._waiting(hub, viewer)
        self._pending.pop(viewer, None)
        if pending is None:
            viewer.tell(SpeechResult(id=said.id, ok=False, phrase=phrase, text=NOTHING_PENDING))
        elif why := mismatch(pending, phrase):
            viewer.tell(SpeechResult(id=said.id, ok=False, text=cancelled(pending, why)))
        else:
            self._confirmed(hub, viewer, pending, said.id, said.began)

    def _confirmed(self, hub: CellHub, viewer: Viewer, pending: Pending, id_: int, at: float) -> None:
        """Carry out a confirmed command, unless it can no longer be confirmed."""
        why = refusal(pending, at, _status(hub, pending.robot))
        if why:
            viewer.tell(SpeechResult(id=id_, ok=False, phrase=pending.phrase, text=why))
        else:
            _do(hub, viewer, id_, pending.phrase, pending.meaning)

    def _command(self, hub: CellHub, viewer: Viewer, said: _Utterance, phrase: str) -> None:
        """Carry out a phrase, or ask the speaker to confirm it; cancel any earlier command that waits."""
        self._pending.pop(viewer, None)
        if phrase == STOP_PHRASE:
            self.stopped(hub)
        try:
            meaning = meant(phrase, _situation(hub, said.robot))
        except CommandError as error:
            viewer.tell(SpeechResult(id=said.id, ok=False, phrase=phrase, text=str(error)))
            return
        if phrase not in MOVING_PHRASES or hub.commands.problem(viewer, meaning.event):
            _do(hub, viewer, said.id, phrase, meaning)
            return
        status = _status(hub, said.robot)
        pending = Pending(
            id=said.id, robot=said.robot, phrase=phrase, meaning=meaning, since=self._clock(), status=status
        )
        self._pending[viewer] = hub, pending
        viewer.tell(SpeechResult(id=said.id, ok=False, phrase=phrase, text=question(pending), confirm=CONFIRM_S))


def _do(hub: CellHub, viewer: Viewer, id_: int, phrase: str, meaning: Meant) -> None:
    """Carry out a phrase as its button on the page would."""

    def tell(answer: Answer) -> None:
        text = meaning.done if answer.ok else answer.text
        viewer.tell(SpeechResult(id=id_, ok=answer.ok, phrase=phrase, text=text))

    hub.commands.take(viewer, id_, meaning.event, how="said", tell=tell)


def _status(hub: CellHub, robot: str) -> RobotStatus:
    """Return the lease epoch of a robot, and its mode in the newest frame."""
    known = hub.robot_now(robot)
    return RobotStatus(hub.control.epoch(robot), known[1].mode if known else "")


def _situation(hub: CellHub, robot: str) -> Situation:
    """Return the situation in which a phrase is interpreted, from the newest frame."""
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
