"""The gateway's hand on the studio, the process that draws: started when somebody looks, ended when nobody does."""

from __future__ import annotations

import asyncio
import contextlib
import os
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from typing import Protocol

import msgspec

from farhand.processes.python_start import child_environment, python_command
from farhand.server.pictures.picture_messages import (
    LENGTH,
    FromStudio,
    Picture,
    PictureStage,
    PicturesUnable,
    Shot,
    packed,
)

__all__ = ["Drawing", "PictureError", "PictureWorker"]

IDLE = 20.0  # seconds without a picture after which the studio ends
PATIENCE = 30.0  # seconds for a picture; the first one waits for the process and the driver
TRY_AGAIN = 10.0  # seconds after which a machine that could not draw is asked again
BROKEN = "The studio, which draws the cameras' pictures, has ended. It is started anew with the next picture."
SLOW = "The studio, which draws the cameras' pictures, does not answer."
_decode: msgspec.msgpack.Decoder[FromStudio] = msgspec.msgpack.Decoder(FromStudio)


class PictureError(Exception):
    """There is no picture, and why, as a sentence."""


class Drawing(Protocol):
    """Whoever draws."""

    @property
    def life(self) -> int:
        """Counts its lives: a new one knows no stage."""

    async def start(self) -> None:
        """Be ready to draw."""

    def set(self, stage: PictureStage) -> None:
        """Learn what there is to see."""

    async def draw(self, shot: Shot) -> bytes:
        """Return a picture as JPEG."""


class PictureWorker:
    """The studio's process.

    Args:
        clock: Monotonic seconds.
        command: What to run.
    """

    def __init__(self, clock: Callable[[], float], command: tuple[str, ...] = ()) -> None:
        self._clock = clock
        self._command = command or python_command("-m", "farhand.server.pictures.picture_process")
        self.life = 0
        self._process: Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self._starting: asyncio.Lock = asyncio.Lock()
        self._waiting: dict[int, asyncio.Future[bytes]] = {}
        self._number = 0
        self._used = 0.0
        self._unable: tuple[float, str] = (-1e9, "")

    @property
    def running(self) -> bool:
        """Whether there is a process."""
        return self._process is not None

    async def start(self) -> None:
        """Start the process, if there is none.

        Raises:
            PictureError: If this machine cannot draw.
        """
        async with self._starting:
            self._used = self._clock()
            if self._process is not None:
                return
            since, reason = self._unable
            if self._clock() - since < TRY_AGAIN:
                raise PictureError(reason)
            process = await asyncio.create_subprocess_exec(
                *self._command, stdin=PIPE, stdout=PIPE, start_new_session=True, env=_environment(), limit=1 << 24
            )
            try:
                first = await asyncio.wait_for(_heard(process), PATIENCE)
            except (TimeoutError, asyncio.IncompleteReadError, msgspec.MsgspecError):
                first = PicturesUnable(reason=BROKEN)
            if isinstance(first, PicturesUnable):
                await _ended(process)
                self._unable = self._clock(), first.reason
                raise PictureError(first.reason)
            self._process, self.life = process, self.life + 1
            self._reader = asyncio.create_task(self._read(process))

    def set(self, stage: PictureStage) -> None:
        """Tell the studio what there is to see."""
        self._tell(packed(stage))

    async def draw(self, shot: Shot) -> bytes:
        """Return a picture as JPEG; its id is given here.

        Raises:
            PictureError: If there is none.
        """
        self._used, self._number = self._clock(), self._number + 1
        number, answer = self._number, asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        try:
            self._tell(packed(msgspec.structs.replace(shot, id=number)))
            picture: bytes = await asyncio.wait_for(answer, PATIENCE)
            return picture
        except TimeoutError:
            await self.close()
            raise PictureError(SLOW) from None
        finally:
            self._waiting.pop(number, None)

    async def sweep(self) -> None:
        """End the process when nobody has looked for a while."""
        if self._process is not None and not self._waiting and self._clock() - self._used > IDLE:
            await self.close()

    async def close(self) -> None:
        """End the process."""
        process, reader = self._process, self._reader
        self._process = self._reader = None
        if reader is not None:
            reader.cancel()
        if process is not None:
            await _ended(process)
        self._give_up()

    def _tell(self, content: bytes) -> None:
        if self._process is None or self._process.stdin is None or self._process.stdin.is_closing():
            raise PictureError(BROKEN)
        self._process.stdin.write(content)

    async def _read(self, process: Process) -> None:
        """Take pictures until the process ends."""
        try:
            while True:
                message = await _heard(process)
                if isinstance(message, Picture) and message.id in self._waiting:
                    _settle(self._waiting[message.id], message)
        except (asyncio.IncompleteReadError, msgspec.MsgspecError, ConnectionError):
            if self._process is process:
                self._process = None
            await _ended(process)
            self._give_up()

    def _give_up(self) -> None:
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(PictureError(BROKEN))


def _settle(answer: asyncio.Future[bytes], picture: Picture) -> None:
    if answer.done():
        return
    if picture.problem:
        answer.set_exception(PictureError(picture.problem))
    else:
        answer.set_result(picture.jpeg)


async def _heard(process: Process) -> FromStudio:
    assert process.stdout is not None
    head = await process.stdout.readexactly(LENGTH)
    return _decode.decode(await process.stdout.readexactly(int.from_bytes(head, "little")))


async def _ended(process: Process) -> None:
    """End a process: by closing its pipe, and if that takes too long, by force."""
    if process.stdin is not None:
        process.stdin.close()
    try:
        await asyncio.wait_for(process.wait(), 1.0)
    except TimeoutError:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def _environment() -> dict[str, str]:
    """Return the studio's environment: Mesa's threads leave a processor to the cells."""
    threads = str(max(1, (os.cpu_count() or 2) - 1))
    return child_environment({} if "LP_NUM_THREADS" in os.environ else {"LP_NUM_THREADS": threads})
