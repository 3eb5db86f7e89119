"""The servo stage: from what is asked to joint rates that the arm can take, starting from its own set-point."""

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
from farhand.kinematics.servo.target import push_target, rein_in
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
TRACK_GAIN = 20.0  # 1/s: how fast a joint track's error is closed
# How far a tip target may run ahead of the set-point. Where the tip is asked to move, as much as it goes in LEAD_TIME
# and a little: more would have to be taken back before a way out of a wall begins. Where it is asked to stay, further:
# there the target must not be dragged along.
LEAD_TIME = 0.05  # s
LEAD, TURN_LEAD = 0.001, 0.005  # m, rad
STAY_LEAD, STAY_TURN_LEAD = 0.05, 0.3  # m, rad
STRAIGHT = 0.995  # cosine of a tenth of a radian: within it a jog leads the same way as before
SETTLE_TIME = 0.5  # s after which letting go ends, wherever the tip is
DRIFT = 0.002  # m/s that the tip may creep while it is only turned and a joint is at its limit
SETTLED = 1e-5  # m, rad and their rates: at rest at the target
OFF, TURNED_OFF = 0.001, 0.01  # m, rad by which a tip may be off before an arm with few joints is said to be why
SERVED = 0.02  # share of a way that may be out of reach where it counts as served
NO_WALLS = np.zeros((0, 4))
NO_TWIST = np.zeros(6)


class ServoMemory(Struct, frozen=True):
    """What the servo keeps from one tick to the next.

    Args:
        T_base_target: (3, 4) tip target of a jog, which keeps straight lines straight; None while nothing is jogged.
        wanted: The joint rates it wanted last, not to be changed; None after a hold.
        settling: Seconds since a jog was let go.
        limited: A joint was at its limit in the last tick.
        close: The pair that must not touch and has least room, if there is little.
        ease: Share of the next motion that is let on, so that it may touch what it slides over.
        line: Which way a jog leads, base axes, while its target is kept on it: nothing is in the way.
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
        yields: It also backs out of what it presses while it holds: its base may bring it nearer.
    """

    def __init__(self, chain: Mechanism, joints: tuple[JointSpec, ...], dt: float, *, yields: bool = False) -> None:
        self.chain, self.joints, self.dt, self._yields = chain, joints, dt, yields
        self.servo = Servo(chain, joint_limits(joints), dt)
        self.avoiding: AvoidingServo | None = None
        self._folds = _fold_notes(self.servo, joints)
        self._hold = Hold()
        # Scratch that the kernels read; written anew before every call.
        self._twist, self._dropped = np.zeros(6), np.zeros(6)

    def beside(self, avoiding: AvoidingServo) -> ServoStage:
        """Return the stage of an arm that keeps clear."""
        stage = copy.copy(self)
        stage.avoiding = avoiding
        return stage

    def __call__(
        self, demand: Demand, setpoint: Setpoint, T_base_tip: Pose, memory: ServoMemory
    ) -> tuple[Floats, ServoMemory, tuple[Note, ...]]:
        """Return the wanted joint rates, the next memory, and what limits them.

        Args:
            demand: What is asked, after the filters.
            setpoint: Where the arm was told to be last.
            T_base_tip: Where that has the tip.
            memory: Of the last tick.
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
            return clear.step.rates, self._kept(clear, self._way(motion, T_base_tip), demand.walls, memory), notes
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

    def _way(self, motion: TipTrack | TipTwist, T_base_tip: Pose) -> Vec3:
        """Return where the tip is asked to go, base axes."""
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
        raise CommandError(f"an arm cannot {type(motion).__name__}")

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
        # the target as the last tick has left it, with its velocity in this one: so the tip is where the target is
        clear = self._tip(q, rates, reached, twist, walls)
        step = clear.step
        notes = self._notes(clear, q, bounds, memory) if moving or turning else ()
        limited = not AT_AN_END.isdisjoint(step.active.tolist())
        lead = LEAD + LEAD_TIME * math.hypot(*motion.linear) if moving else STAY_LEAD
        turn_lead = TURN_LEAD + LEAD_TIME * math.hypot(*motion.angular) if turning else STAY_TURN_LEAD
        line, dropped = None, self._dropped
        if moving and not clear.blocking and not any(step.walls.tolist()):
            line = self._line(_linear(twist), q, rates, memory)
        # on a line the tip stays by its way, also where the arm ends; only what is in the way it slides along
        on_line, begins = line is not None, line is not memory.line
        rein_in(target, step.error, twist, on_line, begins, lead, STAY_LEAD, turn_lead, dropped)
        carried = memory.carried
        if asked.copies:
            carried = add_drop(carried, slowed_by(asked, motion, T_base_tip, self.dt), dropped)
            notes += carried_notes(carried)
        ease = memory.ease
        if ease != 1.0 or clear.blocking:
            ease = next_ease(ease, clear.blocking, self._way(motion, T_base_tip), bounds, self.dt)
        kept = ServoMemory(target, step.rates.copy(), 0.0, limited, self._close(clear), ease, line, carried)
        return step.rates, kept, notes

    def _line(self, way: Vec3, q: Floats, rates: Floats, memory: ServoMemory) -> Vec3 | None:
        """Return which way a jog is kept on; None while the tip still comes from another."""
        if memory.line is not None and (memory.line == way or not _bends(memory.line, way)):
            return memory.line
        x, y, z = (self.chain.jacobian(q)[:3] @ rates).tolist()
        return None if _bends((x, y, z), way) else way

    def _settle(
        self, q: Floats, rates: Floats, walls: Floats, target: Floats, since: float
    ) -> tuple[Floats, ServoMemory, tuple[Note, ...]]:
        """Bring the tip to rest at the target that a jog has left, so that letting go does not bend its path."""
        clear = self._tip(q, rates, target, NO_TWIST, walls)
        step = clear.step
        away = max(map(abs, (*step.error.tolist(), *rates.tolist())))
        going_on = away > SETTLED and since < SETTLE_TIME
        return step.rates, ServoMemory(target if going_on else None, step.rates.copy(), since + self.dt), ()

    def _notes(self, clear: ClearStep, q: Floats, bounds: tuple[Wall, ...], memory: ServoMemory) -> tuple[Note, ...]:
        step = clear.step
        notes = list(blocking_notes(clear.blocking)) if clear.blocking else []
        if is_eased(memory.ease):
            notes.append(EASED)
        flags = step.active.tolist()
        if FREE.issuperset(flags) and step.damping == 0.0 and 1 not in step.walls.tolist():
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
        """Say which way an arm of fewer than six joints cannot go, where nothing else keeps it from its target."""
        if len(flags) >= len(WAYS) or any(flags):
            return ()
        # a way that its joints serve wholly is not lacking: there it is only behind
        error = [e if share > SERVED else 0.0 for e, share in zip(step.error.tolist(), step.lost.tolist(), strict=True)]
        if math.hypot(*error[:3]) <= OFF and math.hypot(*error[3:]) <= TURNED_OFF:
            return ()
        weights = [abs(e) / self.chain.length for e in error[:3]] + [abs(e) for e in error[3:]]
        way = WAYS[weights.index(max(weights))]
        return (Note("servo.lacks", "slow", (way,), (Quantity("joints", len(flags), "count"),)),)


WAYS = tuple([Subject("motion", f"{how}-{axis}") for how in ("shift", "turn") for axis in "xyz"])
UPPER, LOWER = Subject("side", "upper"), Subject("side", "lower")
PASSED = 0.001  # m by which a tip is beyond a wall, and not only against it
REACHED = 0.0005  # m from a wall below which the tip has reached it
AT_VELOCITY, AT_POSITION, AT_ACCELERATION, AT_FOLD = 1, 2, 3, 4
AT_AN_END = {AT_POSITION, -AT_POSITION, AT_FOLD, -AT_FOLD}
FREE = {0, AT_ACCELERATION, -AT_ACCELERATION}  # getting faster as fast as it may is no news
SINGULAR = Note("servo.singular", "slow", free=("back-out",))


def _backing(walls: tuple[Wall, ...]) -> bool:
    """Return whether the tip must back out from somewhere."""
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
    """Return whether a jog leads another way than before."""
    return dot(before, now) < STRAIGHT * math.hypot(*before) * math.hypot(*now)


def _pinned(target: Floats, T_base_tip: Pose, gain: float) -> tuple[Wall, ...]:
    """Return nameless walls that keep the tip in its place while it is only turned: the turn gives way."""
    walls = []
    for axis, (there, here) in enumerate(zip(target[:, 3].tolist(), T_base_tip.position, strict=True)):
        back = gain * (there - here)
        for sign in (1.0, -1.0):
            normal = (sign * (axis == 0), sign * (axis == 1), sign * (axis == 2))
            walls.append(Wall(normal, max(0.0, sign * back) + DRIFT, "", 0.0))
    return tuple(walls)


def _fold_notes(servo: Servo, joints: tuple[JointSpec, ...]) -> list[list[tuple[float, Note]]]:
    """Return what to say of each joint's folds, and where they are."""
    notes: list[list[tuple[float, Note]]] = []
    for i, joint in enumerate(joints):
        notes.append([])
        for angle in servo.folds[:, i].tolist():
            if math.isfinite(angle):
                posture = Subject("posture", "straight" if servo.chain.is_stretched(i, angle) else "folded")
                notes[i].append((angle, Note("servo.fold", "slow", (_subject(joint), posture))))
    return notes


def _nearest(folds: list[tuple[float, Note]], angle: float) -> Note:
    """Return the note of the fold that is nearest to an angle."""
    return min(folds, key=lambda fold: abs(math.remainder(fold[0] - angle, 2.0 * math.pi)))[1]


def _wall_note(wall: Wall) -> Note:
    about = (Subject(wall.kind, wall.name),)
    if wall.gap <= -PASSED:
        if wall.hollow:
            return Note("servo.wall.inside", "slow", about, free=("out", "along"))
        return Note("servo.wall.beyond", "slow", about, free=("inside", "along"))
    clearance = (Quantity("clearance", wall.gap, "m"),) if wall.gap >= REACHED else ()
    return Note("servo.wall", "slow", about, clearance, ("along", "back"))


def _subject(joint: JointSpec) -> Subject:
    return Subject("joint", joint.label or joint.name)
