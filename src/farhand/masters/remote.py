"""A master somewhere else: a page, or a device on another machine. Readings are laid ready, and taken once a tick."""

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

__all__ = ["Remote", "TakeoverIntent", "attach_remote", "led_by_hand"]


class Remote:
    """Says each reading once; the newest one wins, not the one that came last.

    Args:
        device: What is held there, if it is known: mappings then know its joints and its travel.
    """

    def __init__(self, device: Device | None = None) -> None:
        self.device = device
        self._waiting: Reading | None = None

    def put(self, reading: Reading) -> None:
        """Lay a reading ready for the next tick."""
        last = self._waiting
        if last is None or (reading.epoch, reading.sequence) > (last.epoch, last.sequence):
            self._waiting = reading

    def step(self, feedback: Feedback, now: float) -> Reading | None:
        """Return the newest reading, if there is a new one."""
        del feedback, now
        reading, self._waiting = self._waiting, None
        return reading


class TakeoverIntent:
    """An intent that goes by itself until somebody presses the deadman, and then never again by itself.

    What went by itself lets go first, and the press counts as a fresh one: nobody is stopped by taking over.

    Args:
        intent: What it does until then.
    """

    def __init__(self, intent: Master) -> None:
        self.remote = Remote()
        self._intent: Master | None = intent
        self._next: list[Reading] = []

    @property
    def alone(self) -> bool:
        """Whether it still goes by itself."""
        return self._intent is not None

    def step(self, feedback: Feedback, now: float) -> Reading | None:
        """Return what the person says, or what the intent says while nobody has pressed."""
        reading = self.remote.step(feedback, now)
        if self._intent is not None:
            if reading is None or not reading.deadman:
                return self._intent.step(feedback, now)
            self._intent = None
            self._next = [replace(reading, deadman=False), reading]
            return Reading(tick=feedback.tick)
        return self._next.pop(0) if self._next else reading


def led_by_hand(master: Master) -> bool:
    """Return whether somebody can lead this master from outside; otherwise it goes by itself."""
    if isinstance(master, Modelled):
        return led_by_hand(master.intent)
    return isinstance(master, Manual | Remote | TakeoverIntent)


def attach_remote(master: Master) -> tuple[Master, Remote | None]:
    """Return a master as it is led from outside, and where its readings are to be laid; None if it goes by itself.

    A modelled device keeps its hand: what comes from outside is what that hand means to do, in place of what it did.
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
    """On another machine, or in another process: `farhand join` brings its readings, and takes what it feels."""
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
