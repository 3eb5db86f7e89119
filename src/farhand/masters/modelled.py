"""A modelled master: a device, the hand that holds it, and the motion that the hand intends.

::

    intent ─► intended pose ─► hand ─► tip ─► joints of the device ─► Reading
                                ▲
    feedback.felt ─► port ─► motors of the device

It shows force feedback without hardware: hand and motors together determine the motion of the tip.
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

__all__ = ["HasStart", "Modelled"]

TOP_SPEED, TOP_TURN_RATE, TOP_JOINT_RATE = 1.0, 6.0, 3.0  # m/s, rad/s, rad/s: limits of an intended motion
RANGE_S = 0.5  # least time in which an intended joint crosses its range
STALE_S = 0.1  # a deflection older than this counts as zero: its sender may be gone
LONGEST_STEP_S = 0.02  # of a longer gap between two readings the hand moves only for this time
HAND_ACCELERATION = (60.0, 60.0, 60.0, 300.0, 300.0, 300.0)  # m/s², rad/s²: a hand of 0.5 kg that pushes with 30 N
REACHED = 1e-6  # m, rad: greatest error of the device's tip against the hand
ITERATIONS = 3  # of the inverse kinematics, at most


@runtime_checkable
class HasStart(Protocol):
    """An intent whose motion is relative to the hand's first pose."""

    def begin(self, pose: Pose) -> None:
        """Set the start, a pose of the device's tip in its base frame."""


class ModelledState(Struct, frozen=True):
    """The state of a modelled master between two ticks, for snapshots; fields as the master's own."""

    joints: Vector
    felt: Wrench
    intended: Pose
    memory: PortMemory
    q: Floats
    hand: HandState
    joint_target: Floats | None
    input: Reading
    input_time: float
    usable: bool
    time: float | None
    sequence: int


class Modelled:
    """A device in a hand that follows an intent.

    The intent's reading is the intended motion: a pose of the tip in the device's base frame, joint positions of the
    device, or deflections that move the intended pose (three shifts, three turns, base axes). If the robot itself is
    driven by deflections, they pass through and the device rests. Deadman, grip, presses, view, epoch and the echoed
    tick always pass. An intent that is not finite moves nothing and releases the deadman.

    Args:
        device: The device.
        hand: The hand that holds it.
        intent: The master whose readings are the intended motion.
        speed: Speed of the intended pose at full deflection, m/s.
        turn: Its turn rate at full deflection, rad/s.
        weight: Motion scale × force scale of the mapping, for the port's energy; see `Port`.
        credit: Joules that the port may give before any were put in. A wall needs none; a fixture that attracts needs
            the depth of its well.

    Attributes:
        device: As given.
        joints: Joint positions of the device.
        felt: Force feedback on the hand, after port and motors, in the device's base axes.
        intended: Intended pose of the tip.
        port: The port between hand and device.
        memory: The port's memory, with the energy that the hand has put in.
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
        self.port = Port(masses=(device.mass,) * 3 + (device.inertia,) * 3, agility=HAND_ACCELERATION, weight=weight)
        self.memory = PortMemory(credit, credit, force=(0.0,) * 6, velocity=(0.0,) * 6)
        self._limits = ForceLimits(device)
        self._q = np.array(device.rest)
        self._state = HandState(from_matrix(device.kinematics.forward(self._q)))
        self.intended = self._state.pose
        self._speeds = (speed,) * 3 + (turn,) * 3
        self._joint_steps = np.minimum(TOP_JOINT_RATE, (device.kinematics.upper - device.kinematics.lower) / RANGE_S)
        self._joint_target: Floats | None = None  # while the intent gives joints
        self._input = Reading()
        self._input_time = -math.inf
        self._usable = True
        self._time: float | None = None
        self._sequence = 0
        if isinstance(intent, HasStart):
            intent.begin(self.intended)

    @property
    def pose(self) -> Pose:
        """Pose of the tip in the device's base frame."""
        return self._state.pose

    def saved_state(self) -> ModelledState:
        """Return the state between two ticks."""
        return ModelledState(
            self.joints,
            self.felt,
            self.intended,
            self.memory,
            self._q,
            self._state,
            self._joint_target,
            self._input,
            self._input_time,
            self._usable,
            self._time,
            self._sequence,
        )

    def load_state(self, state: object) -> None:
        """Continue from a saved state.

        Raises:
            CommandError: If it is of another kind of device.
        """
        if not isinstance(state, ModelledState) or state.q.shape != self._q.shape:
            raise CommandError("the saved state is of another kind of master")
        self.joints, self.felt, self.intended, self.memory = state.joints, state.felt, state.intended, state.memory
        self._q, self._state, self._joint_target = state.q, state.hand, state.joint_target
        self._input, self._input_time, self._usable = state.input, state.input_time, state.usable
        self._time, self._sequence = state.time, state.sequence

    def step(self, feedback: Feedback, now: float) -> Reading | None:
        """Move hand and device under the force feedback up to now; return the device's reading."""
        dt = 0.0 if self._time is None else min(max(now - self._time, 0.0), LONGEST_STEP_S)
        self._time = now
        new = self.intent.step(feedback, now)
        if new is not None:
            if new.arrival is not None:
                new = replace(new, arrival=replace(new.arrival, taken=feedback.tick + 1))
            self._input, self._input_time = new, now
        fresh = now - self._input_time <= STALE_S
        if dt > 0.0:
            pace = self._intend(dt, rests=feedback.deflected or not fresh)
            self._exert(feedback.felt, dt)
            self._move(pace, dt)
        self._sequence = max(self._sequence, feedback.tick) + 1  # never below that of a master it replaces
        given, state = self._input, self._state
        return Reading(
            sequence=self._sequence,
            epoch=given.epoch,
            tick=given.tick,  # the age of a remote intent counts, though the modelled hand is here
            deadman=given.deadman and self._usable,
            axes=self._deflections(fresh=fresh) if feedback.deflected else (),
            joints=self.joints,
            pose=state.pose,
            twist=Twist(state.linear, state.angular),
            view=given.view,
            grip=given.grip,
            presses=given.presses,
            drawn=given.drawn,
            arrival=given.arrival,
        )

    def _deflections(self, *, fresh: bool) -> tuple[float, ...]:
        """Return the deflections for the robot; stale ones are zero, so the hand counts as at rest, not as lost."""
        if not self._usable:
            return ()
        return self._input.axes if fresh else (0.0,) * len(self._input.axes)

    def _intend(self, dt: float, *, rests: bool) -> Twist:
        """Move the intended pose towards the intent's, no faster than a hand; return its velocity.

        Args:
            dt: Seconds.
            rests: Deflections do not move it.
        """
        before = self.intended
        wanted = self._wanted(self._input, dt, rests=rests)
        self._usable = wanted is not None
        if wanted is None:
            return Twist()
        low, high = self._stops()
        shift = _limited(less(_within(wanted.position, low, high), before.position), TOP_SPEED * dt)
        turn = _limited(_turn(before.rotation, wanted.rotation), TOP_TURN_RATE * dt)
        self.intended = moved(before, shift, turn)
        return Twist(times(1.0 / dt, shift), times(1.0 / dt, turn))

    def _wanted(self, given: Reading, dt: float, *, rests: bool) -> Pose | None:
        """Return the pose of the intent's reading; None if the reading is not finite or its joints give no pose."""
        if not _finite(given.axes):
            return None
        if given.pose is not None:
            self._joint_target = None
            sound = _finite(given.pose.position) and abs(math.hypot(*given.pose.rotation) - 1.0) < 1e-3
            return given.pose if sound else None
        if given.joints:
            return self._move_joint_target(given.joints, dt)
        self._joint_target = None
        if rests:
            return self.intended
        rates = [v * min(max(a, -1.0), 1.0) * dt for v, a in zip(self._speeds, given.axes, strict=False)]
        x, y, z, a, b, c = (*rates, *(0.0,) * (6 - len(rates)))
        return moved(self.intended, (x, y, z), (a, b, c))

    def _move_joint_target(self, joints: Vector, dt: float) -> Pose | None:
        """Move the intended joints towards the wanted ones; return the tip's pose there."""
        kinematics = self.device.kinematics
        if len(joints) != kinematics.n or not _finite(joints):
            return None
        target = self._q if self._joint_target is None else self._joint_target
        aim = np.clip(joints, kinematics.lower, kinematics.upper)
        target = target + np.clip(aim - target, -self._joint_steps * dt, self._joint_steps * dt)
        try:
            pose = from_matrix(kinematics.forward(target))
        except CommandError:  # a parallel mechanism cannot be assembled at these joints
            return None
        self._joint_target = target
        return pose

    def _stops(self) -> tuple[Vec3, Vec3]:
        """Return the limits of the tip: the device's travel, or none if joints lead, which have their own limits."""
        if self._joint_target is not None:
            return (-math.inf,) * 3, (math.inf,) * 3
        x, y, z = self._state.pose.position
        (a, b, c), (d, e, f) = self.device.lower, self.device.upper
        return (min(a, x), min(b, y), min(c, z)), (max(d, x), max(e, y), max(f, z))

    def _exert(self, felt: Wrench, dt: float) -> None:
        """Let the device exert the part of the force feedback that its motors and passivity allow."""
        wanted = (*felt.force, *felt.torque)
        if not _finite(wanted):
            wanted = (0.0,) * 6
        resisted = self.port.resist(wanted, dt, self.memory)
        self.memory = self.port.allow(self._limits.exerted(self.joints, resisted), dt, self.memory)
        fx, fy, fz, tx, ty, tz = self.memory.force
        self.felt = Wrench((fx, fy, fz), (tx, ty, tz))

    def _move(self, pace: Twist, dt: float) -> None:
        """Move hand and device by a step, and pass their displacement to the port."""
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
        """Move the device's joints to a pose of the tip, or as near as they reach; return the pose reached."""
        kinematics, T = self.device.kinematics, matrix(target)
        self._q = self._q if self._joint_target is None else self._joint_target
        near = False
        for _ in range(ITERATIONS):
            self._q = kinematics.follow(T, self._q)
            T_base_tip = kinematics.forward(self._q)
            near = bool(np.abs(T_base_tip - T).max() <= REACHED)
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
    """A modelled device in a modelled hand, with force feedback."""
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
        source = intent(settings, folder)
    except ConfigError as error:
        raise error.within("intent") from error
    return Modelled(made, _hand(config.hand), source, config.speed, config.turn, config.weight, config.credit)


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
