"""A robot as read from a file: one normalised MJCF text, its meshes, and the data of its joints.

Every reader (DH table, URDF, MJCF) produces this. It holds plain data only, so a limited child process can make it and
send it.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from farhand.poses import Quaternion, Vec3
from farhand.types import Note, Vector

__all__ = [
    "ArmSpec",
    "CameraSpec",
    "DeltaSpec",
    "GripperSpec",
    "HeadSpec",
    "JointSpec",
    "RobotModel",
    "TieSpec",
    "TracksSpec",
    "WristSpec",
]


class JointSpec(Struct, frozen=True, kw_only=True):
    """One joint of the chain from base to tip.

    Args:
        name: Its name in the MJCF text.
        kind: "hinge" turns (radians), "slide" slides (metres).
        lower: Lower position limit; minus infinity for a continuous joint.
        upper: Upper position limit; infinity for a continuous joint.
        velocity: Top rate.
        acceleration: Top acceleration.
        jerk: Top rate of change of the acceleration.
        effort: Top drive torque (Nm) or force (N).
        home: Position at home.
        label: Name on the operator's page.
        link: The operator's name of the link that it moves, if the file has one.
    """

    name: str
    kind: Literal["hinge", "slide"]
    lower: float
    upper: float
    velocity: float
    acceleration: float
    jerk: float
    effort: float
    home: float
    label: str = ""
    link: str = ""


class TieSpec(Struct, frozen=True, kw_only=True):
    """A joint of the arm that follows a driven one: q = multiplier·q_leader + offset.

    Args:
        joint: Its name in the MJCF text.
        leader: The driven joint that it follows.
        multiplier: Radians (metres) for one radian (metre) of the leader.
        offset: Its position with the leader at zero.
    """

    joint: str
    leader: str
    multiplier: float
    offset: float = 0.0


class ArmSpec(Struct, frozen=True, kw_only=True):
    """The arm that the operator drives: a chain, or the motors of a mechanism.

    Args:
        joints: From base to tip, the driven ones only.
        base: Body whose frame is the robot's base frame.
        tip: Site whose frame is the tip.
        tool: Body at which the tool begins, and a wrist sensor sits: the link of the last joint, or a separate tool.
        contact_body: Body whose contacts, with those of its descendants, count as the tip's; empty: the tool.
        followers: Undriven joints between base and tip, which follow driven ones.
    """

    joints: tuple[JointSpec, ...]
    base: str
    tip: str
    tool: str
    contact_body: str = ""
    followers: tuple[TieSpec, ...] = ()


class GripperSpec(Struct, frozen=True, kw_only=True):
    """Finger joints moved together by one number, the opening between the fingers.

    Args:
        joints: Their names in the MJCF text.
        closed: Position of each joint with the gripper closed.
        opened: Position of each joint with the gripper open.
        opening: Metres between the fingers when open.
        speed: Top speed of the opening, m/s.
        effort: Top force (N) or torque (Nm) of each finger joint.
    """

    joints: tuple[str, ...]
    closed: Vector
    opened: Vector
    opening: float
    speed: float
    effort: float


class DeltaSpec(Struct, frozen=True, kw_only=True):
    """A mechanism that is not a chain: three driven arms that carry one platform. The arm's joints are its motors.

    Args:
        base_radius: Metres from the base's centre to each motor.
        platform_radius: Metres from the platform's centre to each lower arm.
        upper: Length of an upper arm, metres.
        lower: Length of a lower arm, metres.
        platform: Body of the platform.
        undriven: Undriven joints: x, y, z of the platform, then bar, rod and second rod of each arm.
        loops: Constraints that close its loops.
        titles: The operator's names of its moving bodies, by body.
    """

    base_radius: float
    platform_radius: float
    upper: float
    lower: float
    platform: str
    undriven: tuple[str, ...]
    loops: tuple[str, ...]
    titles: dict[str, str] = {}


class TracksSpec(Struct, frozen=True, kw_only=True):
    """The tracks of a vehicle: a belt on each side, and four flippers with belts around them.

    Args:
        flippers: Front left, front right, rear left, rear right; positive angles raise the tip.
        left: Shapes whose surface is the left belt.
        right: Shapes whose surface is the right belt.
        gauge: Metres from belt to belt.
        wheelbase: Metres from the front hubs to the rear ones.
        length: Of a flipper from axle to axle, metres.
        hub: Radius of the wheel about which a flipper turns.
        tip: Radius of the wheel at its end.
        speed: Top speed of a belt, m/s.
        acceleration: Top acceleration of a belt, m/s².
        jerk: Top rate of change of that, m/s³.
        force: Greatest force of a belt's motor, N.
        gain: Force of the motor for each m/s that the belt is too slow, N·s/m.
        inertia: Apparent inertia of a belt and its motor, kg.
        scrub: Ease with which the belts slide sideways in a turn of the robot: 0 not at all, 1 as if they rolled.
    """

    flippers: tuple[JointSpec, ...]
    left: tuple[str, ...]
    right: tuple[str, ...]
    gauge: float
    wheelbase: float
    length: float
    hub: float
    tip: float
    speed: float
    acceleration: float
    jerk: float
    force: float
    gain: float
    inertia: float
    scrub: float


class HeadSpec(Struct, frozen=True, kw_only=True):
    """The head of a camera, which turns and zooms it. An axis whose limits are both zero does not exist.

    Args:
        pan: Limits, rad; positive to the left.
        tilt: Limits, rad; positive up.
        zoom: Greatest zoom factor; 1 without zoom.
        rate: Top rate of both axes, rad/s.
    """

    pan: tuple[float, float] = (0.0, 0.0)
    tilt: tuple[float, float] = (0.0, 0.0)
    zoom: float = 1.0
    rate: float = 1.0


class CameraSpec(Struct, frozen=True, kw_only=True):
    """A camera on a link. It looks along -z of its own frame, x to the right, y up, as in MuJoCo and OpenGL.

    Args:
        name: Unique on its robot.
        label: The operator's name for it.
        link: The body that carries it, or a joint of the arm for that joint's link; empty: the base.
        position: Of its lens in the link's frame, or of the point about which its head turns.
        rotation: Of its frame there, looking straight ahead.
        fov: Vertical field of view, rad, without zoom.
        width: Pixels.
        height: Pixels.
        head: Its head; None for a fixed camera.
    """

    name: str
    label: str
    link: str
    position: Vec3
    rotation: Quaternion
    fov: float
    width: int
    height: int
    head: HeadSpec | None = None


Six = tuple[float, float, float, float, float, float]


class WristSpec(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A six-axis force sensor between wrist and tool.

    Args:
        force_noise: Standard deviation of each force, N.
        torque_noise: Standard deviation of each torque, Nm.
        bias: Constant error: three forces, three torques; left out: none.
        drift: Error per second; left out: none.
        rate: Samples a second; between two of them it repeats the last one.
        payload: Greatest mass that the robot may lift, kg: a heavier pull is never taken for a held object.
    """

    force_noise: Annotated[float, Meta(ge=0.0, le=1e3)] = 0.2
    torque_noise: Annotated[float, Meta(ge=0.0, le=1e3)] = 0.01
    bias: Six | None = None
    drift: Six | None = None
    rate: Annotated[float, Meta(ge=10.0, le=1e5)] = 1000.0
    payload: Annotated[float, Meta(gt=0.0, le=1e4)] = 3.0


class RobotModel(Struct, frozen=True, kw_only=True):
    """A robot, ready to be put into a world.

    Args:
        name: Its name.
        summary: One sentence about it.
        mjcf: MJCF text of the robot alone, without actuators; mesh files are named as in `assets`.
        assets: Mesh files by name.
        arm: The chain from base to tip.
        delta: The mechanism, if the arm is not a chain.
        tracks: The tracks, if it drives; its base is free then.
        gripper: The gripper, if there is one.
        held: Other joints, which the drives hold still.
        cameras: Its cameras.
        wrist: Its own force sensor between wrist and tool, if any.
        rest: Position at home of every joint that is not the arm's (gripper open, followers, held ones), by name.
        notes: The reader's assumptions, for the user.
    """

    name: str
    summary: str = ""
    mjcf: str
    assets: dict[str, bytes] = {}
    arm: ArmSpec
    delta: DeltaSpec | None = None
    tracks: TracksSpec | None = None
    gripper: GripperSpec | None = None
    held: tuple[str, ...] = ()
    cameras: tuple[CameraSpec, ...] = ()
    wrist: WristSpec | None = None
    rest: dict[str, float] = {}
    notes: tuple[Note, ...] = ()

    @property
    def sweeps(self) -> dict[str, tuple[float, float]]:
        """Range of each finger: its position with the gripper closed and open, by joint."""
        if self.gripper is None:
            return {}
        ends = zip(self.gripper.closed, self.gripper.opened, strict=True)
        return dict(zip(self.gripper.joints, ends, strict=True))
