"""Frozen values that travel through a tick, in the order in which they travel.

::

    Inputs (Reading, Event) → Demand (Motion) → Setpoint → State → Tick

Each module holds the values of one stage; import all of them from here. Constant data, such as the scene and the
robots' limits, live elsewhere; the values here change every tick. Lengths are metres, angles radians, quaternions wxyz.
Joint vectors are tuples: they compare, hash and serialise without conversion, and kernels turn them into arrays at
their own border. Mappings in these values are read-only by agreement.
"""

from __future__ import annotations

from farhand.types.demands import (
    HOLD,
    STOP,
    Demand,
    DriveRate,
    Frame,
    GripRate,
    GripTo,
    Hold,
    JointRates,
    JointTrack,
    Motion,
    Setpoint,
    TipTrack,
    TipTwist,
    Wall,
)
from farhand.types.events import Event
from farhand.types.events.commands import (
    Continue,
    FollowPath,
    FreeMe,
    HoldHere,
    MoveFlippers,
    MoveJoints,
    MoveTip,
    Park,
    Part,
    Power,
    Reconfigure,
    Reset,
    SelectMapping,
    SetScale,
    SetSpeed,
    Stop,
    Teach,
    TeachAction,
    Trajectory,
)
from farhand.types.events.edits import (
    AddObject,
    AimCamera,
    ChangeTool,
    MoveObject,
    RemoveObject,
    ResetObjects,
    ResetRobot,
    ZeroWrist,
)
from farhand.types.events.injected_faults import (
    BreakWrist,
    ClearLoad,
    DegradeCamera,
    Generate,
    Generator,
    Load,
    SwitchFeedforward,
    SwitchFilter,
    Wave,
)
from farhand.types.events.plans import PlanFound, PlanRequest
from farhand.types.inputs import Arrival, Inputs, Reading
from farhand.types.notes import Level, Note, Quantity, Subject, Unit
from farhand.types.objects import ObjectJoint, ObjectPart, ObjectSpec, Shape, Touch
from farhand.types.quantities import Twist, Vector, Wrench
from farhand.types.reports import BaseWord, Feedback, LaneReport, Mode, Tick
from farhand.types.state import CameraState, Contact, GroupState, Limb, PairContact, RobotState, State

__all__ = [
    "HOLD",
    "STOP",
    "AddObject",
    "AimCamera",
    "Arrival",
    "BaseWord",
    "BreakWrist",
    "CameraState",
    "ChangeTool",
    "ClearLoad",
    "Contact",
    "Continue",
    "DegradeCamera",
    "Demand",
    "DriveRate",
    "Event",
    "Feedback",
    "FollowPath",
    "Frame",
    "FreeMe",
    "Generate",
    "Generator",
    "GripRate",
    "GripTo",
    "GroupState",
    "Hold",
    "HoldHere",
    "Inputs",
    "JointRates",
    "JointTrack",
    "LaneReport",
    "Level",
    "Limb",
    "Load",
    "Mode",
    "Motion",
    "MoveFlippers",
    "MoveJoints",
    "MoveObject",
    "MoveTip",
    "Note",
    "ObjectJoint",
    "ObjectPart",
    "ObjectSpec",
    "PairContact",
    "Park",
    "Part",
    "PlanFound",
    "PlanRequest",
    "Power",
    "Quantity",
    "Reading",
    "Reconfigure",
    "RemoveObject",
    "Reset",
    "ResetObjects",
    "ResetRobot",
    "RobotState",
    "SelectMapping",
    "SetScale",
    "SetSpeed",
    "Setpoint",
    "Shape",
    "State",
    "Stop",
    "Subject",
    "SwitchFeedforward",
    "SwitchFilter",
    "Teach",
    "TeachAction",
    "Tick",
    "TipTrack",
    "TipTwist",
    "Touch",
    "Trajectory",
    "Twist",
    "Unit",
    "Vector",
    "Wall",
    "Wave",
    "Wrench",
    "ZeroWrist",
]
