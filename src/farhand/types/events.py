"""What enters a tick besides readings: a closed union."""

from __future__ import annotations

from farhand.types.commands import (
    Continue,
    FreeMe,
    HoldHere,
    MoveJoints,
    Park,
    Power,
    Reconfigure,
    Replay,
    Reset,
    SelectMapping,
    SetScale,
    SetSpeed,
    Stop,
    Teach,
)
from farhand.types.edits import (
    AddObject,
    AimCamera,
    ChangeTool,
    MoveObject,
    RemoveObject,
    ResetObjects,
    ResetRobot,
    ZeroWrist,
)
from farhand.types.faults import BreakWrist, ClearLoad, DegradeCamera, Generate, Load, SwitchFeedforward, SwitchFilter

__all__ = ["Event"]

Event = (
    Stop
    | Reset
    | MoveJoints
    | Replay
    | Teach
    | FreeMe
    | HoldHere
    | Continue
    | Power
    | Park
    | SetSpeed
    | SetScale
    | SelectMapping
    | Reconfigure
    | ResetRobot
    | ResetObjects
    | AddObject
    | MoveObject
    | RemoveObject
    | Load
    | ClearLoad
    | SwitchFilter
    | SwitchFeedforward
    | Generate
    | ChangeTool
    | ZeroWrist
    | BreakWrist
    | AimCamera
    | DegradeCamera
)
