"""The servo stage: from a demand to joint rates within the arm's limits, starting from its own set-point."""

from __future__ import annotations

import copy
import math

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from farhand.distances import AvoidingServo, ClearStep, Nearest
from farhand.errors import CommandError
from farhand.formats.model import JointSpec
from farhand.kinematics import Mechanism, Servo, ServoStep, joint_limits
from farhand.kinematics.servo.target import limit_target_lead, push_target
from farhand.lane.contact.sticking import stuck_joints, stuck_to, stuck_track
from farhand.lane.motion.approach_slowing import EASED, eased_jog, eased_track, is_eased, next_ease
from farhand.lane.motion.avoidance_notes import blocking_notes
from farhand.lane.motion.tip_drift import ON_PATH, add_drop, carried_notes, slowed_by
from farhand.poses import Pose, Vec3, rotate, rows_of
from farhand.types import (
    HOLD,
    Demand,
    Hold,
    JointRates,
    JointTrack,
    Motion,
    Note,
    Quantity,
    Setpoint,
    Subject,
    TipTrack,
    TipTwist,
    Vector,
    Wall,
)
from farhand.vectors import dot

__all__ = ["ServoMemory", "ServoStage"]

Floats = NDArray[np.float64]
TRACK_GAIN = 20.0  # 1/s: gain of a joint track's error
# The lead of a tip target over the set-point. A tip that is jogged leads by its motion in LEAD_S and a little more: a
# longer lead would have to be undone before the tip leaves a wall. A tip that is to stay may lag further behind: its
# target must not be dragged along.
LEAD_S = 0.05
LEAD_M, LEAD_RAD = 0.001, 0.005
STAY_LEAD_M, STAY_LEAD_RAD = 0.05, 0.3
SAME_LINE_COS = 0.995  # cosine of 0.1 rad: within it a jog keeps its direction
SETTLE_S = 0.5  # after a release; then settling ends, wherever the tip is
DRIFT_MPS = 0.002  # of a tip that is only turned while a joint is at its limit
SETTLED_ERROR = 1e-5  # m, rad and their rates: at rest at the target
MAX_ERROR_M, MAX_ERROR_RAD = 0.001, 0.01  # of the tip; a larger error of an arm with few joints needs a note
SERVED_SHARE = 0.02  # largest share of a dimension out of reach at which the arm still serves it
NO_WALLS = np.zeros((0, 4))
NO_TWIST = np.zeros(6)


class ServoMemory(Struct, frozen=True):
    """The memory of the servo stage.

    Args:
        T_base_target: (3, 4) tip target of a jog, which keeps straight lines straight; None without a jog.
        wanted: Joint rates wanted in the last tick, read-only; None after a hold.
        settling: Seconds since the release of a jog.
        limited: True if a joint was at its limit in the last tick.
        close: The pair with the least clearance among those that must not touch, if it is close.
        ease: Allowed share of the next motion; below 1 so that the arm may touch a surface that it slides over.
        line: Direction of a jog, base axes, while its target is kept on a line: nothing is in the way.
        carried: Shift and turn of a hand's path that the tip could not follow since it was engaged, base axes.
    """

    T_base_target: Floats | None = None
    wanted: Floats | None = None
    settling: float = 0.0
    limited: bool = False
    close: Nearest | None = None
    ease: float = 1.0
    line: Vec3 | None = None
    carried: Vector = ON_PATH


class ServoStage:
    """Turns a motion of the arm into joint rates within position, velocity and acceleration limits.

    Args:
        chain: Kinematics from base to tip.
        joints: The chain's joints.
        dt: Seconds per tick.
        yields: The arm also backs out of a contact while it holds: its base may bring it closer.
    """

    def __init__(self, chain: Mechanism, joints: tuple[JointSpec, ...], dt: float, *, yields: bool = False) -> None:
        self.chain, self.joints, self.dt, self._yields = chain, joints, dt, yields
        self.servo = Servo(chain, joint_limits(joints), dt)
        self.avoiding: AvoidingServo | None = None
        self._folds = _fold_notes(self.servo, joints)
        self._hold = Hold()
        # scratch for the kernels, written before every call
        self._twist, self._dropped = np.zeros(6), np.zeros(6)

    def beside(self, avoiding: AvoidingServo) -> ServoStage:
        """Return the stage of the same arm with obstacle avoidance."""
        stage = copy.copy(self)
        stage.avoiding = avoiding
        return stage

    def __call__(
        self, demand: Demand, setpoint: Setpoint, T_base_tip: Pose, memory: ServoMemory
    ) -> tuple[Floats, ServoMemory, tuple[Note, ...]]:
        """Return the wanted joint rates, the next memory, and the notes on their limits.

        Args:
            demand: The demand after the filters.
            setpoint: The last set-point of the arm.
            T_base_tip: Tip pose at that set-point.
            memory: The memory of the last tick.
        """
        motion: Motion = demand.motions.get("arm", self._hold)
        q, rates = np.array(setpoint.positions), np.array(setpoint.rates)
        walls = _rows(demand.walls)
        if motion is self._hold and demand.source == HOLD and memory.T_base_target is not None:
            return self._settle(q, rates, walls, memory.T_base_target, memory.settling)
        if isinstance(motion, Hold) and not (self._yields and _backing(demand.walls)):
            return np.zeros(len(self.joints)), ServoMemory(), ()
        if isinstance(motion, TipTwist):
            return self._jog_tip(motion, demand.walls, walls, q, rates, T_base_tip, memory)
        if isinstance(motion, TipTrack):
            motion = eased_track(motion, memory.ease, T_base_tip)
            motion = stuck_track(motion, demand.walls, T_base_tip, self.servo.gain)
            self._twist[:] = motion.linear + motion.angular
            clear = self._tip(q, rates, _array(motion.pose), self._twist, walls)
            notes = self._notes(clear, q, demand.walls, memory)
            return clear.step.rates, self._kept(clear, self._velocity(motion, T_base_tip), demand.walls, memory), notes
        wanted, planned = memory.ease * self._wanted_rates(motion, setpoint), isinstance(motion, JointTrack)
        wanted = stuck_joints(wanted, demand.walls, self.chain, q, planned=planned)
        clear = self._joints(q, rates, wanted, walls)
        notes = self._notes(clear, q, demand.walls, memory) if wanted.any() else ()
        x, y, z = (self.chain.jacobian(q)[:3] @ wanted).tolist() if clear.blocking else (0.0, 0.0, 0.0)
        return clear.step.rates, self._kept(clear, (x, y, z), demand.walls, memory), notes

    def _tip(self, q: Floats, rates: Floats, target: Floats, twist: Floats, walls: Floats) -> ClearStep:
        if self.avoiding is None:
            return ClearStep(self.servo.tip(q, rates, target, twist, walls))
        return self.avoiding.clear_tip(q, rates, target, twist, walls)

    def _velocity(self, motion: TipTrack | TipTwist, T_base_tip: Pose) -> Vec3:
        """Return the demanded velocity of the tip, base axes."""
        if isinstance(motion, TipTwist):
            return motion.linear if motion.frame == "base" else rotate(T_base_tip.rotation, motion.linear)
        (x, y, z), (a, b, c), (u, v, w) = motion.pose.position, T_base_tip.position, motion.linear
        k = self.servo.gain
        return (u + k * (x - a), v + k * (y - b), w + k * (z - c))

    def _kept(self, clear: ClearStep, way: Vec3, walls: tuple[Wall, ...], memory: ServoMemory) -> ServoMemory:
        ease = next_ease(memory.ease, clear.blocking, way, walls, self.dt)
        return ServoMemory(None, clear.step.rates.copy(), close=self._close(clear), ease=ease)

    def _close(self, clear: ClearStep) -> Nearest | None:
        return self.avoiding.closest(clear.distance) if self.avoiding else None

    def _joints(self, q: Floats, rates: Floats, wanted: Floats, walls: Floats) -> ClearStep:
        if self.avoiding is None:
            return ClearStep(self.servo.joints(q, rates, wanted, walls))
        return self.avoiding.clear_joints(q, rates, wanted, walls)

    def _wanted_rates(self, motion: Motion, setpoint: Setpoint) -> Floats:
        if isinstance(motion, Hold):
            return np.zeros(len(self.joints))
        if isinstance(motion, JointRates):
            return np.array(motion.rates)
        if isinstance(motion, JointTrack):
            return np.array(
                [
                    rate + TRACK_GAIN * (there - here)
                    for rate, there, here in zip(motion.rates, motion.positions, setpoint.positions, strict=True)
                ]
            )
        raise CommandError(f"an arm cannot do {type(motion).__name__}; expected Hold, joint or tip motion")

    def _jog_tip(
        self,
        motion: TipTwist,
        bounds: tuple[Wall, ...],
        walls: Floats,
        q: Floats,
        rates: Floats,
        T_base_tip: Pose,
        memory: ServoMemory,
    ) -> tuple[Floats, ServoMemory, tuple[Note, ...]]:
        reached = _array(T_base_tip) if memory.T_base_target is None else memory.T_base_target
        target = reached.copy()
        twist, moving, turning = self._twist, any(motion.linear), any(motion.angular)
        asked = motion
        motion = stuck_to(eased_jog(motion, memory.ease), bounds, T_base_tip.rotation)
        twist[:] = motion.linear + motion.angular
        push_target(target, twist, motion.frame == "tool", motion.turn_frame == "tool", self.dt)
        if memory.limited and not moving:
            bounds += _pinned(reached, T_base_tip, self.servo.gain)
            walls = _rows(bounds)
        # aim at the last tick's target with this tick's velocity, so that the tip is at the target
        clear = self._tip(q, rates, reached, twist, walls)
        step = clear.step
        notes = self._notes(clear, q, bounds, memory) if moving or turning else ()
        limited = not AT_AN_END.isdisjoint(step.active.tolist())
        lead = LEAD_M + LEAD_S * math.hypot(*motion.linear) if moving else STAY_LEAD_M
        turn_lead = LEAD_RAD + LEAD_S * math.hypot(*motion.angular) if turning else STAY_LEAD_RAD
        line, dropped = None, self._dropped
        if moving and not clear.blocking and not any(step.walls.tolist()):
            line = self._line(_linear(twist), q, rates, memory)
        # on a line the tip keeps its direction, also at a reach limit; it slides only along obstacles
        on_line, begins = line is not None, line is not memory.line
        limit_target_lead(target, step.error, twist, on_line, begins, lead, STAY_LEAD_M, turn_lead, dropped)
        carried = memory.carried
        if asked.copies:
            carried = add_drop(carried, slowed_by(asked, motion, T_base_tip, self.dt), dropped)
            notes += carried_notes(carried)
        ease = memory.ease
        if ease != 1.0 or clear.blocking:
            ease = next_ease(ease, clear.blocking, self._velocity(motion, T_base_tip), bounds, self.dt)
        kept = ServoMemory(target, step.rates.copy(), 0.0, limited, self._close(clear), ease, line, carried)
        return step.rates, kept, notes

    def _line(self, way: Vec3, q: Floats, rates: Floats, memory: ServoMemory) -> Vec3 | None:
        """Return the direction of the line that a jog keeps; None while the tip still moves in another."""
        if memory.line is not None and (memory.line == way or not _bends(memory.line, way)):
            return memory.line
        x, y, z = (self.chain.jacobian(q)[:3] @ rates).tolist()
        return None if _bends((x, y, z), way) else way

    def _settle(
        self, q: Floats, rates: Floats, walls: Floats, target: Floats, since: float
    ) -> tuple[Floats, ServoMemory, tuple[Note, ...]]:
        """Bring the tip to rest at the jog's last target, so that a release does not bend its path."""
        clear = self._tip(q, rates, target, NO_TWIST, walls)
        step = clear.step
        away = max(map(abs, (*step.error.tolist(), *rates.tolist())))
        settling = away > SETTLED_ERROR and since < SETTLE_S
        return step.rates, ServoMemory(target if settling else None, step.rates.copy(), since + self.dt), ()

    def _notes(self, clear: ClearStep, q: Floats, bounds: tuple[Wall, ...], memory: ServoMemory) -> tuple[Note, ...]:
        step = clear.step
        notes = list(blocking_notes(clear.blocking)) if clear.blocking else []
        if is_eased(memory.ease):
            notes.append(EASED)
        flags = step.active.tolist()
        if UNLIMITED.issuperset(flags) and step.damping == 0.0 and 1 not in step.walls.tolist():
            return tuple(notes) or self._lacks(step, flags)
        for i, (joint, flag) in enumerate(zip(self.joints, flags, strict=True)):
            if abs(flag) == AT_VELOCITY:
                notes.append(Note("servo.velocity", "slow", (_subject(joint),)))
            elif abs(flag) == AT_POSITION:
                about = (_subject(joint), UPPER if flag > 0 else LOWER)
                notes.append(Note("servo.limit", "slow", about, free=("others", "back")))
            elif abs(flag) == AT_FOLD:
                notes.append(_nearest(self._folds[i], q[i]))
        notes += [_wall_note(wall) for wall, on in zip(bounds, step.walls.tolist(), strict=True) if on and wall.name]
        folded = AT_FOLD in flags or -AT_FOLD in flags
        if step.damping > 0.0 and not folded:
            notes.append(SINGULAR)
        return tuple(notes)

    def _lacks(self, step: ServoStep, flags: list[int]) -> tuple[Note, ...]:
        """Return the note on the dimension that an arm of fewer than six joints lacks, if nothing else limits it."""
        if len(flags) >= len(DIRECTIONS) or any(flags):
            return ()
        # an error in a dimension that the joints serve is only lag
        error = [
            e if share > SERVED_SHARE else 0.0 for e, share in zip(step.error.tolist(), step.lost.tolist(), strict=True)
        ]
        if math.hypot(*error[:3]) <= MAX_ERROR_M and math.hypot(*error[3:]) <= MAX_ERROR_RAD:
            return ()
        weights = [abs(e) / self.chain.length for e in error[:3]] + [abs(e) for e in error[3:]]
        direction = DIRECTIONS[weights.index(max(weights))]
        return (Note("servo.lacks", "slow", (direction,), (Quantity("joints", len(flags), "count"),)),)


DIRECTIONS = tuple([Subject("motion", f"{how}-{axis}") for how in ("shift", "turn") for axis in "xyz"])
UPPER, LOWER = Subject("side", "upper"), Subject("side", "lower")
BEYOND_M = 0.001  # from here the tip is beyond a wall, not just at it
TOUCHING_M = 0.0005  # below it the tip has reached a wall
AT_VELOCITY, AT_POSITION, AT_ACCELERATION, AT_FOLD = 1, 2, 3, 4
AT_AN_END = {AT_POSITION, -AT_POSITION, AT_FOLD, -AT_FOLD}
UNLIMITED = {0, AT_ACCELERATION, -AT_ACCELERATION}  # full acceleration needs no note
SINGULAR = Note("servo.singular", "slow", free=("back-out",))


def _backing(walls: tuple[Wall, ...]) -> bool:
    """Return whether a wall makes the tip back out."""
    return any([wall.speed < 0.0 for wall in walls])


def _array(pose: Pose) -> Floats:
    return np.array(rows_of(pose)).reshape(3, 4)


def _rows(walls: tuple[Wall, ...]) -> Floats:
    """Return walls as the rows that `Servo.tip` takes."""
    if not walls:
        return NO_WALLS
    flat: Vector = ()
    for wall in walls:
        flat += (*wall.normal, wall.speed, *wall.turn)
    return np.array(flat).reshape(len(walls), 7)


def _linear(twist: Floats) -> Vec3:
    x, y, z, _, _, _ = twist.tolist()
    return (x, y, z)


def _bends(before: Vec3, now: Vec3) -> bool:
    """Return whether a jog has changed its direction."""
    return dot(before, now) < SAME_LINE_COS * math.hypot(*before) * math.hypot(*now)


def _pinned(target: Floats, T_base_tip: Pose, gain: float) -> tuple[Wall, ...]:
    """Return walls without names that keep the tip in place while it is only turned: the turn yields."""
    walls = []
    for axis, (there, here) in enumerate(zip(target[:, 3].tolist(), T_base_tip.position, strict=True)):
        back = gain * (there - here)
        for sign in (1.0, -1.0):
            normal = (sign * (axis == 0), sign * (axis == 1), sign * (axis == 2))
            walls.append(Wall(normal, max(0.0, sign * back) + DRIFT_MPS, "", 0.0))
    return tuple(walls)


def _fold_notes(servo: Servo, joints: tuple[JointSpec, ...]) -> list[list[tuple[float, Note]]]:
    """Return the angles of each joint's folds, with their notes."""
    notes: list[list[tuple[float, Note]]] = []
    for i, joint in enumerate(joints):
        notes.append([])
        for angle in servo.folds[:, i].tolist():
            if math.isfinite(angle):
                posture = Subject("posture", "straight" if servo.chain.is_stretched(i, angle) else "folded")
                notes[i].append((angle, Note("servo.fold", "slow", (_subject(joint), posture))))
    return notes


def _nearest(folds: list[tuple[float, Note]], angle: float) -> Note:
    """Return the note on the fold nearest to an angle."""
    return min(folds, key=lambda fold: abs(math.remainder(fold[0] - angle, 2.0 * math.pi)))[1]


def _wall_note(wall: Wall) -> Note:
    about = (Subject(wall.kind, wall.name),)
    if wall.gap <= -BEYOND_M:
        if wall.hollow:
            return Note("servo.wall.inside", "slow", about, free=("out", "along"))
        return Note("servo.wall.beyond", "slow", about, free=("inside", "along"))
    clearance = (Quantity("clearance", wall.gap, "m"),) if wall.gap >= TOUCHING_M else ()
    return Note("servo.wall", "slow", about, clearance, ("along", "back"))


def _subject(joint: JointSpec) -> Subject:
    return Subject("joint", joint.label or joint.name)
