"""The recogniser's process as the gateway uses it: started when a viewer speaks, ended when it overruns or idles."""

from __future__ import annotations

import asyncio
import contextlib
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable

import msgspec

from farhand.processes.python_start import child_environment, python_command
from farhand.server.gateway.speech import SpeechError
from farhand.voice.speech_messages import LENGTH_BYTES, FromRecogniser, SpeechUnable, Verdict, framed

__all__ = ["SpeechWorker"]

START_S = 20.0  # within which the process must be ready
OVERRUN_S = 3.0  # for one utterance, which usually takes some hundredths
IDLE_S = 600.0  # without speech, after which the process ends
RETRY_S = 10.0  # after which a machine without a recogniser is tried again
MAX_WAITING = 8  # utterances at a time
ENDED = "The recogniser has ended and restarts. Say it again."
SLOW = "The recogniser does not answer and restarts. Say it again."
FULL = "Too many people are speaking at once. Say it again."
_decode: msgspec.msgpack.Decoder[FromRecogniser] = msgspec.msgpack.Decoder(FromRecogniser)


class SpeechWorker:
    """Recognises utterances one after the other, in a process of its own.

    Args:
        clock: Monotonic clock, s.
        command: Command that starts the process.
        overrun: Time for one utterance, s, after which the process is killed.
    """

    def __init__(self, clock: Callable[[], float], command: tuple[str, ...] = (), overrun: float = OVERRUN_S) -> None:
        self._clock, self._overrun = clock, overrun
        self._command = command or python_command("-m", "farhand.voice.speech_process")
        self._turn = asyncio.Lock()
        self._process: Process | None = None
        self._preparing: asyncio.Task[None] | None = None
        self._unable: tuple[float, str] = (-1e9, "")
        self._waiting = 0
        self._asked = False
        self._used = 0.0

    @property
    def pid(self) -> int | None:
        """Identifier of the process; None while it does not run."""
        return self._process.pid if self._process is not None and self._process.returncode is None else None

    @property
    def busy(self) -> bool:
        """Whether the process is recognising an utterance."""
        return self._asked

    def prepare(self) -> None:
        """Start the process, if it does not run, while the viewer still speaks."""
        if self._preparing is None or self._preparing.done():
            self._preparing = asyncio.get_running_loop().create_task(self._prepare())

    async def hear(self, pcm: bytes) -> Verdict:
        """Return the phrase of an utterance.

        Raises:
            SpeechError: If it cannot be recognised.
        """
        if self._waiting >= MAX_WAITING:
            raise SpeechError(FULL)
        self._waiting += 1
        try:
            async with self._turn:
                return await self._ask(await self._running(), pcm)
        finally:
            self._waiting -= 1

    async def sweep(self) -> None:
        """End the process after `IDLE_S` without speech."""
        if self._process is not None and not self._turn.locked() and self._clock() - self._used > IDLE_S:
            await self.close()

    async def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            await _killed(process)

    async def _prepare(self) -> None:
        with contextlib.suppress(SpeechError):  # `hear` tells the speaker
            async with self._turn:
                await self._running()

    async def _running(self) -> Process:
        """Return the running process; start it if necessary."""
        self._used = self._clock()
        if self._process is not None and self.pid is not None:
            return self._process
        await self.close()
        since, reason = self._unable
        if self._clock() - since < RETRY_S:
            raise SpeechError(reason)
        process = await asyncio.create_subprocess_exec(
            *self._command, stdin=PIPE, stdout=PIPE, start_new_session=True, env=child_environment()
        )
        try:
            first = await _answer(process, START_S)
            if isinstance(first, SpeechUnable):
                raise SpeechError(first.reason)
        except SpeechError as error:
            self._unable = self._clock(), str(error)
            raise
        else:
            self._process = process
        finally:
            if self._process is not process:
                await _killed(process)
        return process

    async def _ask(self, process: Process, pcm: bytes) -> Verdict:
        assert process.stdin is not None
        answer: FromRecogniser | None = None
        try:
            process.stdin.write(framed(pcm))
            self._asked = True
            answer = await _answer(process, self._overrun)
            if not isinstance(answer, Verdict):
                raise SpeechError(ENDED)
            return answer
        finally:
            self._asked = False
            # End it even if nobody waits any more: its late answer must not be taken for that of the next utterance.
            if not isinstance(answer, Verdict):
                await self.close()


async def _answer(process: Process, timeout_s: float) -> FromRecogniser:
    """Return the next message of the process.

    Raises:
        SpeechError: If it has ended, or sends nothing in time.
    """
    assert process.stdout is not None
    try:
        async with asyncio.timeout(timeout_s):
            head = await process.stdout.readexactly(LENGTH_BYTES)
            return _decode.decode(await process.stdout.readexactly(int.from_bytes(head, "little")))
    except (asyncio.IncompleteReadError, msgspec.MsgspecError, ConnectionError):
        raise SpeechError(ENDED) from None
    except TimeoutError:
        raise SpeechError(SLOW) from None


async def _killed(process: Process) -> None:
    """Kill a process, which has no data to lose."""
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    await process.wait()
