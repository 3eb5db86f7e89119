"""What viewers say: pieces become an utterance, that becomes a phrase, and that the event of a button."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from farhand.errors import CommandError
from farhand.net.gateway.hub import CellHub
from farhand.net.gateway.viewer import Viewer
from farhand.net.messages import Answer, Heard, Speech
from farhand.types import Stop
from farhand.voice.messages import Verdict
from farhand.voice.utterance import BYTES_PER_SECOND, MOST_BYTES, utterance_problem
from farhand.voice.vocabulary import Situation, meant

__all__ = ["DEAF", "EarError", "Hearing", "Spoken"]

PATIENCE = 5.0  # seconds; what is understood later than that is no longer what the speaker means
NOT_UNDERSTOOD = "Not understood. “?” shows what can be said."
BUSY = "One thing at a time: what was said before is still being listened to."
LATE = "It took too long to understand that, so nothing was done."
BEHIND = 2.0  # seconds by which an utterance may come later than it was spoken
HELD_UP = "What was said came too late, so nothing was done: the page or its line was held up. Say it again."


class EarError(Exception):
    """Nothing can be understood, and why, as a sentence."""


class Hearing(Protocol):
    """Whoever understands speech."""

    def prepare(self) -> None:
        """Be ready soon: somebody has begun to speak."""

    async def hear(self, pcm: bytes) -> Verdict:
        """Return what an utterance was.

        Raises:
            EarError: If that cannot be told.
        """


class _Deaf:
    def prepare(self) -> None:
        return

    async def hear(self, pcm: bytes) -> Verdict:
        del pcm
        raise EarError("This server does not listen to speech.")


DEAF: Hearing = _Deaf()


class _Utterance(Struct):
    id: int
    began: float
    pcm: bytearray

    def is_late(self, now: float) -> bool:
        """Tell whether its end came later than it can have been spoken: it was held up on its way."""
        return now - self.began > len(self.pcm) / BYTES_PER_SECOND + BEHIND


class Spoken:
    """Takes what viewers say, one utterance of each at a time.

    Args:
        ear: Understands it.
        clock: Monotonic seconds.
    """

    def __init__(self, ear: Hearing, clock: Callable[[], float]) -> None:
        self._ear, self._clock = ear, clock
        self._begun: dict[Viewer, _Utterance] = {}
        self._underway: dict[Viewer, asyncio.Task[None]] = {}

    def take(self, hub: CellHub, viewer: Viewer, piece: Speech, *, trainer: bool) -> None:
        """Take a piece; after the last one do what was said, if the speaker may."""
        utterance = self._begun.get(viewer)
        if utterance is None or utterance.id != piece.id:
            utterance = self._begun[viewer] = _Utterance(piece.id, self._clock(), bytearray())
            self._ear.prepare()
        # One sample more than may be is enough to tell that it was too long.
        utterance.pcm += piece.pcm[: MOST_BYTES + 2 - len(utterance.pcm)]
        if not piece.last:
            return
        del self._begun[viewer]
        pcm, late = bytes(utterance.pcm), utterance.is_late(self._clock())
        problem = BUSY if viewer in self._underway else utterance_problem(pcm)
        if problem:
            viewer.tell(Heard(id=piece.id, ok=False, text=problem))
            return
        task = asyncio.get_running_loop().create_task(self._follow(hub, viewer, piece, pcm, trainer=trainer, late=late))
        self._underway[viewer] = task
        task.add_done_callback(lambda _: self._underway.pop(viewer, None))

    def forget(self, viewer: Viewer) -> None:
        """Drop what a viewer who has gone was about to say; what he has said to its end still counts, if it is stop."""
        self._begun.pop(viewer, None)

    async def _follow(
        self, hub: CellHub, viewer: Viewer, piece: Speech, pcm: bytes, *, trainer: bool, late: bool
    ) -> None:
        problem = phrase = ""
        try:
            async with asyncio.timeout(PATIENCE):
                phrase = (await self._ear.hear(pcm)).phrase
        except TimeoutError:
            problem = LATE
        except EarError as error:
            problem = str(error)
        if phrase:
            _do(hub, viewer, piece, phrase, trainer=trainer, late=late)
        else:
            viewer.tell(Heard(id=piece.id, ok=False, text=problem or NOT_UNDERSTOOD))


def _do(hub: CellHub, viewer: Viewer, piece: Speech, phrase: str, *, trainer: bool, late: bool) -> None:
    """Do what a viewer said, on the way of the button that does the same; what comes late only if it is stop."""
    try:
        meaning = meant(phrase, _situation(hub, piece.robot))
    except CommandError as error:
        viewer.tell(Heard(id=piece.id, ok=False, phrase=phrase, text=str(error)))
        return
    if hub.viewers.get(viewer.number) is not viewer and not isinstance(meaning.event, Stop):
        return  # the speaker has gone
    if late and not isinstance(meaning.event, Stop):
        viewer.tell(Heard(id=piece.id, ok=False, phrase=phrase, text=HELD_UP))
        return

    def tell(answer: Answer) -> None:
        text = meaning.done if answer.ok else answer.text
        viewer.tell(Heard(id=piece.id, ok=answer.ok, phrase=phrase, text=text))

    hub.commands.take(viewer, piece.id, meaning.event, trainer=trainer, how="said", tell=tell)


def _situation(hub: CellHub, robot: str) -> Situation:
    """Return what a phrase is said about, from what the cell last told."""
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
