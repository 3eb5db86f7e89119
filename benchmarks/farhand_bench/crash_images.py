"""Files as a crash of the machine can leave them: writes and syncs of a writer are logged, and prefixes replayed.

After a sync everything before it is on the disk. Of what follows, any part may be there: nothing, the first writes, the
last of them torn at any byte, or some of them in any order, with zeros in the places of the others.
"""

from __future__ import annotations

import io
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Literal

from msgspec import Struct

from farhand.records.durable_file import DISK

__all__ = ["Image", "LoggedDisk", "LoggedStream", "Step", "crash_image", "crash_images"]


class Step(Struct, frozen=True):
    """One step of a log.

    Args:
        kind: "write", "truncate", "sync", "name" (the folder's names are synced) or "acknowledge".
        place: Offset of a write, size of a truncation, number of the acknowledged tick.
        content: Bytes of a write.
    """

    kind: Literal["write", "truncate", "sync", "name", "acknowledge"]
    place: int = 0
    content: bytes = b""


class Image(Struct, frozen=True):
    """A file after a crash.

    Args:
        content: Its bytes; None: not even its name is there.
        acknowledged: The last tick that had been acknowledged; 0: none.
    """

    content: bytes | None
    acknowledged: int


Loss = Callable[[list[Step], random.Random], list[Step]]


class LoggedDisk:
    """The disk of this machine, with a log of what is done to one file.

    Args:
        log: Takes every step.
    """

    def __init__(self, log: list[Step]) -> None:
        self._log = log

    def open(self, path: Path, *, new: bool) -> int:
        """Open a file, as a `Disk` does."""
        return DISK.open(path, new=new)

    def write(self, descriptor: int, content: bytes, offset: int) -> int:
        """Write, as a `Disk` does."""
        self._log.append(Step("write", offset, content))
        return DISK.write(descriptor, content, offset)

    def sync(self, descriptor: int) -> None:
        """Log a sync; the disk of this machine is spared."""
        del descriptor
        self._log.append(Step("sync"))

    def sync_folder(self, folder: Path) -> None:
        """Log a sync of a folder."""
        del folder
        self._log.append(Step("name"))

    def truncate(self, descriptor: int, size: int) -> None:
        """Truncate, as a `Disk` does."""
        self._log.append(Step("truncate", size))
        DISK.truncate(descriptor, size)

    def close(self, descriptor: int) -> None:
        """Close, as a `Disk` does."""
        DISK.close(descriptor)


class LoggedStream(io.RawIOBase):
    """A file for a writer that knows no disk, with a log; its name is taken to be on the disk from the beginning."""

    def __init__(self, log: list[Step]) -> None:
        super().__init__()
        self._log, self._size = log, 0
        log.append(Step("name"))

    def writable(self) -> bool:
        """Return that it can be written."""
        return True

    def write(self, content: object) -> int:
        """Append bytes."""
        written = bytes(content)  # type: ignore[call-overload]  # any buffer
        self._log.append(Step("write", self._size, written))
        self._size += len(written)
        return len(written)

    def tell(self) -> int:
        """Return the number of bytes."""
        return self._size


def crash_images(log: Sequence[Step], count: int, seed: int) -> Iterator[Image]:
    """Yield files after crashes at random steps of a log, each with its unsynced writes lost in a way of its own."""
    dice = random.Random(seed)
    for i in range(count):
        end = dice.randrange(1, len(log) + 1)
        yield crash_image(log[:end], LOSSES[i % len(LOSSES)], dice)


def crash_image(log: Sequence[Step], lose: Loss, dice: random.Random) -> Image:
    """Return the file after a crash at the end of a log."""
    synced = max((i for i, step in enumerate(log) if step.kind == "sync"), default=-1)
    acknowledged = max((step.place for step in log if step.kind == "acknowledge"), default=0)
    if not any(step.kind == "name" for step in log):
        return Image(None, acknowledged)
    changes = [step for step in log[synced + 1 :] if step.kind in ("write", "truncate")]
    content = bytearray()
    for step in (*log[: synced + 1], *lose(changes, dice)):
        _apply(step, content)
    return Image(bytes(content), acknowledged)


def _apply(step: Step, content: bytearray) -> None:
    if step.kind == "truncate":
        del content[step.place :]
    elif step.kind == "write":
        content.extend(bytes(max(0, step.place - len(content))))
        content[step.place : step.place + len(step.content)] = step.content


def _none(steps: list[Step], dice: random.Random) -> list[Step]:
    """Lose nothing: only the process has ended."""
    del dice
    return steps


def _first(steps: list[Step], dice: random.Random) -> list[Step]:
    """Keep the first ones."""
    return steps[: dice.randrange(len(steps) + 1)]


def _torn(steps: list[Step], dice: random.Random) -> list[Step]:
    """Keep the first ones, the last of them torn at any byte."""
    kept = _first(steps, dice)
    if kept and kept[-1].kind == "write":
        last = kept[-1]
        kept[-1] = Step("write", last.place, last.content[: dice.randrange(len(last.content) + 1)])
    return kept


def _some(steps: list[Step], dice: random.Random) -> list[Step]:
    """Keep any of them: the disk wrote them in another order."""
    return [step for step in steps if dice.random() < 0.5]


LOSSES: tuple[Loss, ...] = (_none, _first, _torn, _some)
