"""The recording of a cell's run, as the page shows it."""

from __future__ import annotations

from typing import Literal

from farhand.server.protocol.wire.message import Message

__all__ = ["Interruption", "Recording", "RecordingState"]

RecordingState = Literal["off", "recording", "alarm"]
Interruption = Literal["", "full", "quota", "read-only", "failed", "silent"]


class Recording(Message, frozen=True, kw_only=True):
    """State of the recording of the watched cell; sent whenever it changes.

    Args:
        state: "off": runs of this server are not recorded; "alarm": the recording is interrupted.
        run: Identifier of the run; empty while there is none.
        tick: Number of its last tick that is safe on the disk.
        size: Bytes of its file.
        left: Bytes that runs may still take before the oldest one goes.
        reason: Kind of interruption; "quota": the room that runs may take is used up; "silent": the recorder does not
            answer.
        alarm: An English sentence about the interruption, with details.
    """

    state: RecordingState = "off"
    run: str = ""
    tick: int = 0
    size: int = 0
    left: int = 0
    reason: Interruption = ""
    alarm: str = ""
