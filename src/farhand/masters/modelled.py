"""A master that is modelled as a whole: a device, the hand that holds it, and what the hand means to do.

::

    intent ─► intended pose ─► hand ─► tip ─► joints of the device ─► Reading
                                ▲
    feedback.felt ─► port ─► motors of the device

So force feedback can be tried without hardware: the tip is where the hand and what it feels let it be.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Any, Protocol, runtime_checkable

import numpy as np
from msgspec import Meta, Struct
from msgspec.structs import replace

from farhand.config import ConfigError, convert
from farhand.devices import DEVICES, Device
from farhand.devices.force_limits import ForceLimits
from farhand.errors import CommandError
from farhand.kernels import Floats
from farhand.masters.master import MASTERS, Master
from farhand.masters.modelled_hand import HANDS, HandState, ModelledHand, move_hand
from farhand.masters.passivity import Port, PortMemory
from farhand.poses import Pose, Quaternion, Vec3, conjugate, from_matrix, matrix, moved, multiply, rotation_vector
from farhand.registry import Registry
from farhand.types import Feedback, Reading, Twist, Vector, Wrench
from farhand.vectors import less, times

__all__ = ["Begins", "Modelled"]

SPEED, TURN_SPEED, JOINT_SPEED = 1.0, 6.0, 3.0  # m/s and rad/s by which an intention moves at most
RANGE_TIME = 0.5  # seconds in which an intended joint crosses its range at the fastest
OLD = 0.1  # seconds after which a deflection counts no more: whoever held it may be gone
LONGEST = 0.02  # seconds; a hand that was not asked for longer has stood still meanwhile
AGILITY = (60.0, 60.0, 60.0, 300.0, 300.0, 300.0)  # m/s² and rad/s² of a hand by itself: 30 N on half a kilogram
CLOSE = 1e-6  # metres and radians within which the device is where the hand is
TRIES = 3


@runtime_checkable
class Begins(Protocol):
    """An intent that wants to know where the hand begins."""

    def begin(self, pose: Pose) -> None:
        """Start from a pose of the device's tip, in its base frame."""


class Modelled:
    """A device in a hand that follows an intent.

    What the intent reads is what the operator means: a pose of the tip in the device's base frame, or joint positions
    of the device, or else deflections that move the intended pose (three shifts, three turns, base axes). Where the
    robot is led by deflections itself, they pass through and the device rests. Deadman, grip, presses, view, epoch and
    the echoed tick always pass. An intention that is no number moves nothing and lets the deadman go.

    Args:
        device: What is held.
        hand: How it is held.
        intent: What the hand means to do.
        speed: m/s of the intended pose at full deflection.
        turn: rad/s likewise.
        weight: Motion scale × force scale of the mapping, for the port's energy; see `Port`.
        credit: Joules that the port may give before any were put in. A wall needs none; a fixture that attracts needs
            the depth of its well.

    Attributes:
        device: As given.
        joints: Where the device's joints are.
        felt: What the hand really feels, after the port and the motors, in the device's base axes.
        intended: Where the hand means to be.
        port: The port between hand and device.
        memory: What the port remembers: the energy that the hand has put in, among others.
    """

    def __init__(
        self,
        device: Device,
        hand: ModelledHand,
        intent: Master,
        speed: float = 0.1,
        turn: float = 0.8,
        weight: float = 1.0,
        credit: float = 0.0,
    ) -> None:
        self.device, self.hand, self.intent = device, hand, intent
        self.joints = device.rest
        self.felt = Wrench()
        self.port = Port(masses=(device.mass,) * 3 + (device.inertia,) * 3, agility=AGILITY, weight=weight)
        self.memory = PortMemory(credit, credit, force=(0.0,) * 6, velocity=(0.0,) * 6)
        self._strength = ForceLimits(device)
        self._q = np.array(device.rest)
        self._state = HandState(from_matrix(device.kinematics.forward(self._q)))
        self.intended = self._state.pose
        self._speeds = (speed,) * 3 + (turn,) * 3
        self._joint_steps = np.minimum(JOINT_SPEED, (device.kinematics.upper - device.kinematics.lower) / RANGE_TIME)
        self._led: Floats | None = None  # intended joints, while joints are intended
        self._said = Reading()
        self._said_at = -math.inf
        self._usable = True
        self._time: float | None = None
        self._sequence = 0
        if isinstance(intent, Begins):
            intent.begin(self.intended)

    @property
    def pose(self) -> Pose:
        """Where the tip is, in the device's base frame."""
        return self._state.pose

    def step(self, feedback: Feedback, now: float) -> Reading | None:
        """Return what the device reads after the time since the last step, under the force that is fed back."""
        dt = 0.0 if self._time is None else min(max(now - self._time, 0.0), LONGEST)
        self._time = now
        said = self.intent.step(feedback, now)
        if said is not None:
            if said.arrival is not None:
                said = replace(said, arrival=replace(said.arrival, taken=feedback.tick + 1))
            self._said, self._said_at = said, now
        fresh = now - self._said_at <= OLD
        if dt > 0.0:
            pace = self._intend(dt, rests=feedback.deflected or not fresh)
            self._feel(feedback.felt, dt)
            self._move(pace, dt)
        self._sequence = max(self._sequence, feedback.tick) + 1  # a new hand is not older than the last one
        said, state = self._said, self._state
        return Reading(
            sequence=self._sequence,
            epoch=said.epoch,
            tick=said.tick,  # an intention from afar grows old though the hand is here
            deadman=said.deadman and self._usable,
            axes=self._deflections(fresh=fresh) if feedback.deflected else (),
            joints=self.joints,
            pose=state.pose,
            twist=Twist(state.linear, state.angular),
            view=said.view,
            grip=said.grip,
            presses=said.presses,
            drawn=said.drawn,
            arrival=said.arrival,
        )

    def _deflections(self, *, fresh: bool) -> tuple[float, ...]:
        """Return what leads the robot itself; a hand without news for a moment has come to rest, it is not lost."""
        if not self._usable:
            return ()
        return self._said.axes if fresh else (0.0,) * len(self._said.axes)

    def _intend(self, dt: float, *, rests: bool) -> Twist:
        """Move the intended pose as the intent says, no faster than a hand; return how it moves.

        Args:
            dt: Seconds.
            rests: Deflections do not move it.
        """
        before, said = self.intended, self._said
        wanted = self._wanted(said, dt, rests=rests)
        self._usable = wanted is not None
        if wanted is None:
            return Twist()
        low, high = self._stops()
        shift = _limited(less(_within(wanted.position, low, high), before.position), SPEED * dt)
        turn = _limited(_turn(before.rotation, wanted.rotation), TURN_SPEED * dt)
        self.intended = moved(before, shift, turn)
        return Twist(times(1.0 / dt, shift), times(1.0 / dt, turn))

    def _wanted(self, said: Reading, dt: float, *, rests: bool) -> Pose | None:
        """Return the pose that the intent asks for; None if it asks for something that is no number, or no pose."""
        if not _finite(said.axes):
            return None
        if said.pose is not None:
            self._led = None
            sound = _finite(said.pose.position) and abs(math.hypot(*said.pose.rotation) - 1.0) < 1e-3
            return said.pose if sound else None
        if said.joints:
            return self._lead(said.joints, dt)
        self._led = None
        if rests:
            return self.intended
        rates = [v * min(max(a, -1.0), 1.0) * dt for v, a in zip(self._speeds, said.axes, strict=False)]
        x, y, z, a, b, c = (*rates, *(0.0,) * (6 - len(rates)))
        return moved(self.intended, (x, y, z), (a, b, c))

    def _lead(self, joints: Vector, dt: float) -> Pose | None:
        """Move the intended joints towards those asked for; return the pose that they hold."""
        kinematics = self.device.kinematics
        if len(joints) != kinematics.n or not _finite(joints):
            return None
        led = self._q if self._led is None else self._led
        aim = np.clip(joints, kinematics.lower, kinematics.upper)
        led = led + np.clip(aim - led, -self._joint_steps * dt, self._joint_steps * dt)
        try:
            pose = from_matrix(kinematics.forward(led))
        except CommandError:  # a parallel mechanism has no tip at these joints
            return None
        self._led = led
        return pose

    def _stops(self) -> tuple[Vec3, Vec3]:
        """Return how far the tip may go: the device's travel; led by joints, their limits are the stops."""
        if self._led is not None:
            return (-math.inf,) * 3, (math.inf,) * 3
        x, y, z = self._state.pose.position
        (a, b, c), (d, e, f) = self.device.lower, self.device.upper
        return (min(a, x), min(b, y), min(c, z)), (max(d, x), max(e, y), max(f, z))

    def _feel(self, felt: Wrench, dt: float) -> None:
        """Let the device exert what it can, and may, of what shall be felt."""
        wanted = (*felt.force, *felt.torque)
        if not _finite(wanted):
            wanted = (0.0,) * 6
        resisted = self.port.resist(wanted, dt, self.memory)
        self.memory = self.port.allow(self._strength.exerted(self.joints, resisted), dt, self.memory)
        fx, fy, fz, tx, ty, tz = self.memory.force
        self.felt = Wrench((fx, fy, fz), (tx, ty, tz))

    def _move(self, pace: Twist, dt: float) -> None:
        """Move hand and device on, and let the port see how far they went."""
        device, before = self.device, self._state.pose
        state = move_hand(
            self.hand, self._state, self.intended, pace, self.memory.force, dt,
            device.mass, device.inertia, device.friction,
        )  # fmt: skip
        low, high = self._stops()
        pose = self._carry(Pose(_within(state.pose.position, low, high), state.pose.rotation))
        shift = less(pose.position, before.position)
        turn = _turn(before.rotation, pose.rotation)
        self._state = HandState(pose, times(1.0 / dt, shift), times(1.0 / dt, turn))
        self.memory = self.port.observe((*shift, *turn), dt, self.memory)

    def _carry(self, target: Pose) -> Pose:
        """Bring the device's joints to a pose of the tip, or as near as they go; return the pose that they hold."""
        kinematics, T = self.device.kinematics, matrix(target)
        self._q = self._q if self._led is None else self._led
        near = False
        for _ in range(TRIES):
            self._q = kinematics.follow(T, self._q)
            T_base_tip = kinematics.forward(self._q)
            near = bool(np.abs(T_base_tip - T).max() <= CLOSE)
            if near:
                break
        self.joints = tuple(self._q.tolist())
        return target if near else from_matrix(T_base_tip)


def _turn(before: Quaternion, after: Quaternion) -> Vec3:
    """Return the rotation vector, in base axes, from one rotation to another."""
    return (0.0, 0.0, 0.0) if before == after else rotation_vector(multiply(after, conjugate(before)))


def _finite(values: Vector) -> bool:
    return all([math.isfinite(value) for value in values])


def _within(v: Vec3, low: Vec3, high: Vec3) -> Vec3:
    x, y, z = [min(max(value, a), b) for value, a, b in zip(v, low, high, strict=True)]
    return (x, y, z)


def _limited(v: Vec3, longest: float) -> Vec3:
    length = math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    return v if length <= longest else times(longest / length, v)


class _ModelledTable(Struct, frozen=True, forbid_unknown_fields=True):
    device: str
    intent: dict[str, Any]
    hand: str | ModelledHand = "normal"
    settings: dict[str, Any] = {}
    speed: Annotated[float, Meta(gt=0.0, le=1.0)] = 0.1
    turn: Annotated[float, Meta(gt=0.0, le=6.0)] = 0.8
    weight: Annotated[float, Meta(gt=0.0, le=1e6)] = 1.0
    credit: Annotated[float, Meta(ge=0.0, le=1.0)] = 0.0


@MASTERS.register("modelled")
def _make(table: dict[str, Any], folder: Path) -> Modelled:
    """A modelled device in a modelled hand, which feels what the robot touches."""
    config = convert(table, _ModelledTable)
    device = _known(config.device, DEVICES, "device")
    kind = config.intent.get("kind")
    intent = _known(kind, MASTERS, "intent.kind")
    settings = {key: value for key, value in config.intent.items() if key != "kind"}
    try:
        made = device(config.settings)
    except ConfigError as error:
        raise error.within("settings") from error
    try:
        meant = intent(settings, folder)
    except ConfigError as error:
        raise error.within("intent") from error
    return Modelled(made, _hand(config.hand), meant, config.speed, config.turn, config.weight, config.credit)


def _known(name: Any, registry: Registry[Any], field: str) -> Any:
    known = tuple(registry)
    if not isinstance(name, str) or name not in known:
        problem = f"no {registry.kind} is called {name!r}; there are: {', '.join(known)}"
        raise ConfigError(field, problem, str(name), known)
    return registry[name]


def _hand(hand: str | ModelledHand) -> ModelledHand:
    if isinstance(hand, ModelledHand):
        return hand
    if hand not in HANDS:
        known = tuple(sorted(HANDS))
        raise ConfigError("hand", f"no hand is called {hand!r}; there are: {', '.join(known)}", hand, known)
    return HANDS[hand]
