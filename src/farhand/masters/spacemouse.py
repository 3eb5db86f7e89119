"""A SpaceMouse (3Dconnexion) on this machine, read through Linux's ``/dev/hidraw*`` without a driver of its own.

::

    report 1: shift along the device's axes, three int16, or six with the turns behind them
    report 2: turn about them
    report 3: a bit for each button

The device's x points right, y towards the operator, z down. Readings have x forward, y left and z up, as everywhere.
"""

from __future__ import annotations

import os
import stat
import struct
import sys
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from farhand.config import ConfigError, convert
from farhand.errors import FileError
from farhand.masters.master import MASTERS
from farhand.types import Feedback, Reading, Vector

__all__ = ["AT_REST", "Puck", "SpaceMouse", "decode", "find"]

FULL_COUNTS = 350  # at full deflection
MAX_REPORT_BYTES = 64
MAX_REPORTS = 64  # taken in one tick
RETRY_S = 1.0  # between two searches for a missing device
MAKERS = (0x046D, 0x256F)  # Logitech, which sold the older ones, and 3Dconnexion
NAMES = ("space", "3dconnexion")  # Logitech also makes mice and keyboards
SYSTEM = Path("/sys/class/hidraw")
DEVICES = "/dev/hidraw"


class Puck(Struct, frozen=True):
    """The state of cap and buttons.

    Args:
        axes: Forward, left, up, then turns about these, from -1 to 1.
        buttons: A bit for each pressed button.
    """

    axes: Vector = (0.0,) * 6
    buttons: int = 0

    def pressed(self, button: int | None) -> bool:
        """Return whether a button, counted from 0, is pressed."""
        return button is not None and bool(self.buttons >> button & 1)


AT_REST = Puck()


def decode(puck: Puck, report: bytes) -> Puck:
    """Return the state after a report, which starts with its number; other reports change nothing."""
    number, data = report[:1], report[1:]
    if number == b"\x01" and len(data) >= 12:
        return replace(puck, axes=_turned(data) + _turned(data[6:]))
    if number == b"\x01" and len(data) >= 6:
        return replace(puck, axes=_turned(data) + puck.axes[3:])
    if number == b"\x02" and len(data) >= 6:
        return replace(puck, axes=puck.axes[:3] + _turned(data))
    if number == b"\x03":
        return replace(puck, buttons=int.from_bytes(data[:4], "little"))
    return puck


def _turned(data: bytes) -> Vector:
    """Return three counts as shares of the full deflection, in the axes of readings."""
    x, y, z = struct.unpack_from("<3h", data)
    return tuple([min(max(-count / FULL_COUNTS, -1.0), 1.0) + 0.0 for count in (y, x, z)])


def find(system: Path = SYSTEM) -> str | None:
    """Return the path of the first SpaceMouse that is plugged in, or None.

    Args:
        system: Folder in which the kernel lists its HID devices.
    """
    for entry in sorted(system.glob("hidraw*")):
        try:
            lines = (entry / "device" / "uevent").read_text().splitlines()
        except OSError:  # unplugged meanwhile
            continue
        fields = dict(line.split("=", 1) for line in lines if "=" in line)
        if _is_spacemouse(fields.get("HID_ID", ""), fields.get("HID_NAME", "")):
            return f"/dev/{entry.name}"
    return None


def _is_spacemouse(identity: str, name: str) -> bool:
    """Return whether the kernel's ``bus:vendor:product`` and the device's name are those of a SpaceMouse."""
    parts = identity.split(":")
    try:
        maker = int(parts[1], 16)
    except (IndexError, ValueError):
        return False
    return maker in MAKERS and any(part in name.lower() for part in NAMES)


class SpaceMouse:
    """Gives deflections of the cap as axes: x, y, z, roll, pitch, yaw, grip; a held button enables.

    Without the device there are no readings, so the robot pauses and stops as with any lost master, and the device is
    searched once a second. A device that is back counts as at rest until its first report: a fresh press is needed.

    Args:
        path: Path of the device; None: the first one that is plugged in.
        deadman: Button that enables, counted from 0; 0 is the left one of two.
        opens: Button that opens the gripper, if any.
        closes: Button that closes it, if any.
        scale: Button that selects the next scale of the hand's motion, if any.
        dead_zone: Share of the deflection that counts as zero.

    Raises:
        FileError: If the file at the path is not such a device, or cannot be read.

    Attributes:
        puck: Its last state.
        connected: Whether the device is there.
    """

    def __init__(
        self,
        path: str | None = None,
        *,
        deadman: int = 0,
        opens: int | None = None,
        closes: int | None = None,
        scale: int | None = None,
        dead_zone: float = 0.12,
    ) -> None:
        self.path, self.deadman, self.opens, self.closes, self.scale = path, deadman, opens, closes, scale
        self.dead_zone = dead_zone
        self.puck = AT_REST
        self._file: int | None = None
        self._searched = 0.0
        self._presses, self._steps, self._sequence = 0, 0, 0
        self._open()

    @property
    def connected(self) -> bool:
        """Whether the device is there."""
        return self._file is not None

    def step(self, feedback: Feedback, now: float) -> Reading | None:
        """Return the reading of cap and buttons, or None while there is no device."""
        if self._file is None and not 0.0 <= now - self._searched < RETRY_S:  # a cell's clock may restart at 0
            self._searched = now
            self._reopen()
        if self._file is not None:
            self._read(self._file, now)
        if self._file is None:
            return None
        puck = self.puck
        self._sequence = max(self._sequence, feedback.tick) + 1  # never below that of a master it replaces
        grip = float(puck.pressed(self.opens)) - float(puck.pressed(self.closes))
        return Reading(
            sequence=self._sequence,
            tick=feedback.tick,
            deadman=puck.pressed(self.deadman),
            axes=(*[self._beyond(axis) for axis in puck.axes], grip),
            presses={"deadman": self._presses, "scale": self._steps},
        )

    def close(self) -> None:
        """Close the device."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _beyond(self, axis: float) -> float:
        """Return the deflection beyond the dead zone, from 0 at its edge."""
        size = max(0.0, abs(axis) - self.dead_zone) / (1.0 - self.dead_zone)
        return size if axis > 0.0 else -size + 0.0

    def _read(self, file: int, now: float) -> None:
        """Take all reports that have arrived; close the device if it is gone."""
        for _ in range(MAX_REPORTS):
            try:
                report = os.read(file, MAX_REPORT_BYTES)
            except BlockingIOError:
                return
            except OSError:
                report = b""
            if not report:
                self.close()
                self.puck, self._searched = AT_REST, now
                return
            held, stepping = self.puck.pressed(self.deadman), self.puck.pressed(self.scale)
            self.puck = decode(self.puck, report)
            # a press and release within one tick counts too
            self._presses += self.puck.pressed(self.deadman) and not held
            self._steps += self.puck.pressed(self.scale) and not stepping

    def _reopen(self) -> None:
        """Search the device again; the system may take a moment to restore its permissions."""
        try:
            self._open()
        except FileError:
            return

    def _open(self) -> None:
        path = self.path or find()
        if path is None:
            return
        try:
            file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
        except FileNotFoundError:
            return
        except OSError as error:
            problem = f"cannot be read: {error.strerror}; a udev rule can give you access to SpaceMouse devices"
            raise FileError(path, problem) from error
        if not _is_device(path, file):
            os.close(file)
            raise FileError(path, f"is not a SpaceMouse; expected a {DEVICES}* device or a pipe")
        self._file, self.puck = file, AT_REST


def _is_device(path: str, file: int) -> bool:
    mode = os.fstat(file).st_mode
    return stat.S_ISFIFO(mode) or (stat.S_ISCHR(mode) and os.path.realpath(path).startswith(DEVICES))


Button = Annotated[int, Meta(ge=0, le=31)]


class _SpaceMouseTable(Struct, frozen=True, forbid_unknown_fields=True):
    path: str | None = None
    deadman: Button = 0
    opens: Button | None = None
    closes: Button | None = None
    scale: Button | None = None
    dead_zone: Annotated[float, Meta(ge=0.0, le=0.9)] = 0.12


@MASTERS.register("spacemouse")
def _make(table: dict[str, Any], folder: Path) -> SpaceMouse:
    """A SpaceMouse on this machine (Linux): its cap moves the tip, its left button enables."""
    config = convert(table, _SpaceMouseTable)
    if not sys.platform.startswith("linux"):
        raise ConfigError("kind", "a SpaceMouse needs /dev/hidraw, which only Linux has")
    path = None if config.path is None else str(folder / config.path)
    return SpaceMouse(
        path,
        deadman=config.deadman,
        opens=config.opens,
        closes=config.closes,
        scale=config.scale,
        dead_zone=config.dead_zone,
    )
