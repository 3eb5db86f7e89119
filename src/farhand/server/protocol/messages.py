"""All messages between page, gateway and cell, each defined once.

::

    page ──Hello, Watch, Hand, Command, Ask, …──▶ gateway ──Order, Reading──▶ cell
    page ◀─Welcome, Scene, Update, LogEntries, …── gateway ◀──Frame, Entries, Done── cell

They are defined in `farhand.server.protocol.wire`, one file per subject, and imported from here. All are msgpack:
structs are maps with their name in `type`, arrays of numbers are little-endian bytes.
`farhand.server.protocol.typescript` generates the page's types from the two unions at the end; a test fails when they
differ, and a page that was built for another version of the messages is refused when it connects.
"""

from __future__ import annotations

from farhand.server.protocol.wire.answers import (
    ActiveNotes,
    Answer,
    LogEntries,
    LogEntry,
    MoveInfo,
    Moves,
    NoteText,
    Signals,
    SpeechResult,
)
from farhand.server.protocol.wire.cells import CellInfo, Cells, CellState, Refused, Welcome
from farhand.server.protocol.wire.leases import Asker, LeaseInfo, Leases, Person, Role, Viewers
from farhand.server.protocol.wire.message import POSE_ROW
from farhand.server.protocol.wire.page_requests import (
    Ask,
    Command,
    Confirm,
    Hand,
    Hello,
    KeptMove,
    Listen,
    Ping,
    Refuse,
    Release,
    Restart,
    SendAway,
    Speech,
    TakeOver,
    Watch,
    Yield,
)
from farhand.server.protocol.wire.recordings import Interruption, Recording, RecordingState
from farhand.server.protocol.wire.replays import MarkInfo, MarkKind, Playback, PlaybackUpdate, ReplayInfo
from farhand.server.protocol.wire.robot_descriptions import (
    CameraInfo,
    GripperInfo,
    JointInfo,
    MappingInfo,
    PartInfo,
    Place,
    RobotInfo,
    TracksInfo,
)
from farhand.server.protocol.wire.scenes import MasterInfo, Scene, SignalInfo
from farhand.server.protocol.wire.updates import (
    CameraUpdate,
    ClearanceUpdate,
    MasterUpdate,
    RobotUpdate,
    TracksUpdate,
    Update,
)

__all__ = [
    "POSE_ROW",
    "ActiveNotes",
    "Answer",
    "Ask",
    "Asker",
    "CameraInfo",
    "CameraUpdate",
    "CellInfo",
    "CellState",
    "Cells",
    "ClearanceUpdate",
    "Command",
    "Confirm",
    "FromPage",
    "GripperInfo",
    "Hand",
    "Hello",
    "Interruption",
    "JointInfo",
    "KeptMove",
    "LeaseInfo",
    "Leases",
    "Listen",
    "LogEntries",
    "LogEntry",
    "MappingInfo",
    "MarkInfo",
    "MarkKind",
    "MasterInfo",
    "MasterUpdate",
    "MoveInfo",
    "Moves",
    "NoteText",
    "PartInfo",
    "Person",
    "Ping",
    "Place",
    "Playback",
    "PlaybackUpdate",
    "Recording",
    "RecordingState",
    "Refuse",
    "Refused",
    "Release",
    "ReplayInfo",
    "Restart",
    "RobotInfo",
    "RobotUpdate",
    "Role",
    "Scene",
    "SendAway",
    "SignalInfo",
    "Signals",
    "Speech",
    "SpeechResult",
    "TakeOver",
    "ToPage",
    "TracksInfo",
    "TracksUpdate",
    "Update",
    "Viewers",
    "Watch",
    "Welcome",
    "Yield",
]

FromPage = (
    (Hello | Watch | Hand | Command | KeptMove | Ping)
    | (Ask | Release | Yield | Refuse | TakeOver | SendAway)
    | (Restart | Listen | Speech | Confirm | Playback)
)
ToPage = (
    Welcome
    | Refused
    | Cells
    | Scene
    | Update
    | Signals
    | ActiveNotes
    | LogEntries
    | Leases
    | Viewers
    | Moves
    | Recording
    | Answer
    | SpeechResult
)
