"""The picture process as the gateway uses it: started by the first request, ended when no more come."""

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
    FromRenderer,
    Picture,
    PictureRequest,
    PictureScene,
    PicturesUnable,
    packed,
)

__all__ = ["PictureError", "PictureWorker", "Renderer"]

IDLE_S = 20.0  # without a request, after which the process ends
TIMEOUT_S = 30.0  # for a picture; the first one waits for the process and the driver
RETRY_S = 10.0  # after which a machine that could not draw is tried again
ENDED = "The process that draws the camera pictures has ended. It restarts with the next picture."
SLOW = "The process that draws the camera pictures does not answer."
_decode: msgspec.msgpack.Decoder[FromRenderer] = msgspec.msgpack.Decoder(FromRenderer)


class PictureError(Exception):
    """A picture could not be drawn; the message is a sentence for the user."""


class Renderer(Protocol):
    """A process that draws pictures."""

    @property
    def life(self) -> int:
        """Counts its starts: a new process has no scene."""

    async def start(self) -> None:
        """Start, if it does not run."""

    def set(self, scene: PictureScene) -> None:
        """Set the scene of a cell."""

    async def draw(self, request: PictureRequest) -> bytes:
        """Return a picture as JPEG."""


class PictureWorker:
    """The picture process.

    Args:
        clock: Monotonic clock, s.
        command: Command that starts it.
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
        """Whether the process runs."""
        return self._process is not None

    async def start(self) -> None:
        """Start the process, if it does not run.

        Raises:
            PictureError: If this machine cannot draw.
        """
        async with self._starting:
            self._used = self._clock()
            if self._process is not None:
                return
            since, reason = self._unable
            if self._clock() - since < RETRY_S:
                raise PictureError(reason)
            process = await asyncio.create_subprocess_exec(
                *self._command, stdin=PIPE, stdout=PIPE, start_new_session=True, env=_environment(), limit=1 << 24
            )
            try:
                first = await asyncio.wait_for(_heard(process), TIMEOUT_S)
            except (TimeoutError, asyncio.IncompleteReadError, msgspec.MsgspecError):
                first = PicturesUnable(reason=ENDED)
            if isinstance(first, PicturesUnable):
                await _ended(process)
                self._unable = self._clock(), first.reason
                raise PictureError(first.reason)
            self._process, self.life = process, self.life + 1
            self._reader = asyncio.create_task(self._read(process))

    def set(self, scene: PictureScene) -> None:
        """Set the scene of a cell."""
        self._tell(packed(scene))

    async def draw(self, request: PictureRequest) -> bytes:
        """Return a picture as JPEG; this sets the id of the request.

        Raises:
            PictureError: If it cannot be drawn.
        """
        self._used, self._number = self._clock(), self._number + 1
        number, answer = self._number, asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        try:
            self._tell(packed(msgspec.structs.replace(request, id=number)))
            picture: bytes = await asyncio.wait_for(answer, TIMEOUT_S)
            return picture
        except TimeoutError:
            await self.close()
            raise PictureError(SLOW) from None
        finally:
            self._waiting.pop(number, None)

    async def sweep(self) -> None:
        """End the process after `IDLE_S` without a request."""
        if self._process is not None and not self._waiting and self._clock() - self._used > IDLE_S:
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
            raise PictureError(ENDED)
        self._process.stdin.write(content)

    async def _read(self, process: Process) -> None:
        """Receive pictures until the process ends."""
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
                answer.set_exception(PictureError(ENDED))


def _settle(answer: asyncio.Future[bytes], picture: Picture) -> None:
    if answer.done():
        return
    if picture.problem:
        answer.set_exception(PictureError(picture.problem))
    else:
        answer.set_result(picture.jpeg)


async def _heard(process: Process) -> FromRenderer:
    assert process.stdout is not None
    head = await process.stdout.readexactly(LENGTH)
    return _decode.decode(await process.stdout.readexactly(int.from_bytes(head, "little")))


async def _ended(process: Process) -> None:
    """End a process: close its pipe, and kill it after 1 s."""
    if process.stdin is not None:
        process.stdin.close()
    try:
        await asyncio.wait_for(process.wait(), 1.0)
    except TimeoutError:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def _environment() -> dict[str, str]:
    """Return the environment of the process: Mesa's threads leave one processor to the cells."""
    threads = str(max(1, (os.cpu_count() or 2) - 1))
    return child_environment({} if "LP_NUM_THREADS" in os.environ else {"LP_NUM_THREADS": threads})
