"""A remote master: a page, or a device on another machine. Its readings are put here and taken once a tick."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from farhand.config import ConfigError, convert
from farhand.devices import DEVICES, Device
from farhand.masters.manual import Manual
from farhand.masters.master import MASTERS, Master
from farhand.masters.modelled import Modelled
from farhand.types import Feedback, Reading

__all__ = ["Remote", "TakeoverIntent", "attach_remote", "driven_by_operator"]


class Remote:
    """Gives each reading once; the newest by number wins, even if an older one arrives later.

    Args:
        device: The device there, if known: it gives mappings its joints and its travel.
    """

    def __init__(self, device: Device | None = None) -> None:
        self.device = device
        self._waiting: Reading | None = None

    def put(self, reading: Reading) -> None:
        """Store a reading for the next tick."""
        last = self._waiting
        if last is None or (reading.epoch, reading.sequence) > (last.epoch, last.sequence):
            self._waiting = reading

    def step(self, feedback: Feedback, now: float) -> Reading | None:
        """Return the newest reading, or None if there is no new one."""
        del feedback, now
        reading, self._waiting = self._waiting, None
        return reading


class TakeoverIntent:
    """An automatic intent that an operator takes over, once and for all, by pressing the deadman.

    At the takeover the automatic intent is released first, so the operator's press counts as a fresh one.

    Args:
        intent: The automatic intent.
    """

    def __init__(self, intent: Master) -> None:
        self.remote = Remote()
        self._intent: Master | None = intent
        self._next: list[Reading] = []

    @property
    def automatic(self) -> bool:
        """Whether no operator has taken over yet."""
        return self._intent is not None

    def step(self, feedback: Feedback, now: float) -> Reading | None:
        """Return the automatic intent's reading, or the operator's after a takeover."""
        reading = self.remote.step(feedback, now)
        if self._intent is not None:
            if reading is None or not reading.deadman:
                return self._intent.step(feedback, now)
            self._intent = None
            self._next = [replace(reading, deadman=False), reading]
            return Reading(tick=feedback.tick)
        return self._next.pop(0) if self._next else reading


def driven_by_operator(master: Master) -> bool:
    """Return whether an operator can drive this master; otherwise it is automatic."""
    if isinstance(master, Modelled):
        return driven_by_operator(master.intent)
    return isinstance(master, Manual | Remote | TakeoverIntent)


def attach_remote(master: Master) -> tuple[Master, Remote | None]:
    """Return a master that a remote operator can drive, and the `Remote` for their readings; None if it is automatic.

    A modelled device keeps its hand: the operator's readings replace the intent.
    """
    if isinstance(master, Modelled):
        intent, remote = attach_remote(master.intent)
        if remote is None:
            intent = TakeoverIntent(intent)
            remote = intent.remote
        master.intent = intent
        return master, remote
    if isinstance(master, Manual):
        master = Remote()
    return master, master if isinstance(master, Remote) else None


class _RemoteTable(Struct, frozen=True, forbid_unknown_fields=True):
    device: str = ""
    settings: dict[str, Any] = {}


@MASTERS.register("remote")
def _make(table: dict[str, Any], folder: Path) -> Remote:
    """In another process or on another machine: `farhand join` sends its readings and receives force feedback."""
    del folder
    config = convert(table, _RemoteTable)
    if not config.device:
        return Remote()
    known = tuple(DEVICES)
    if config.device not in known:
        problem = f"no device is called {config.device!r}; there are: {', '.join(known)}"
        raise ConfigError("device", problem, config.device, known)
    try:
        return Remote(DEVICES[config.device](config.settings))
    except ConfigError as error:
        raise error.within("settings") from error
