"""From what a force sensor in the wrist says to what the surroundings do to the tip.

The sensor sits between wrist and tool and feels the tool's weight, that of what is held, and contacts. With g the
apparent gravity in its own axes (gravity less the acceleration of the tool's centre), tool mass m with centre c,
payload mₚ with centre cₚ, and an offset (f₀, τ₀) found by zeroing::

    f = F − f₀ − (m + mₚ)·g
    τ = T − τ₀ − (m·c + mₚ·cₚ) × g − r × f          moved to the tip, r from sensor to tip

then turned into world axes. Posture and acceleration follow from the measured joints, and for a robot that drives about
from where its base is, however that is tilted: the centre's acceleration is the second difference of its last three
places. Without it a heavy tool that speeds up would feel like one that touches
something, compliance would brake it, and that would feel like a touch again. What it takes to turn tool and payload
about their own centres is left in; it is small.

A payload is weighed when it is grasped. Once the fingers press on something and no longer move, a pull straight down is
taken for its weight, up to what the robot may lift: so compliance does not give way to a heavy object that is to be
lifted. When the tip has risen a little and the pull is steady the mass is fixed; from then on any other force, a shelf
under the object, say, is a contact again. Its centre follows from the torque: m·c × g = τ leaves it open along g, and
least squares over all postures since, begun between the fingers, close that as the wrist turns.

On a tool without fingers, a hook, things hang. Nothing says when that begins, so a pull is at first a contact, to which
compliance gives way. What pulls straight down, and as hard wherever the tip rises or sinks to, is a load: a beam over
the tool keeps it where it is or pulls harder, and a table pushes up. Of a load that is set down, only what still pulls
is subtracted; once that is next to nothing, it is forgotten.
"""

from __future__ import annotations

import math

from msgspec import Struct
from msgspec.structs import replace

from farhand.formats.model import GripperSpec
from farhand.poses import Pose, Quaternion, Vec3, conjugate, multiply, rotate, transform_point
from farhand.types import Note, RobotState, Wrench
from farhand.vectors import cross, dot, less, plus, times

__all__ = ["AT_REST", "Mount", "Payload", "Wrist", "WristMemory", "carries", "holds"]

GRAVITY = 9.81
NO_NOTES: tuple[Note, ...] = ()
NOTHING = Wrench()
ORIGIN: Vec3 = (0.0, 0.0, 0.0)

PRESSES, SLIPS = 0.3, 0.1  # shares of the gripper's force from which on it holds, and below which it does not
STILL = 0.005  # m/s of fingers that have come to something
BETWEEN = 0.002  # m of opening that something between them leaves
WEIGH, LONGER = 0.05, 0.15  # s over which a pull is smoothed, to follow it and to believe it
RISE = 0.01  # m that a payload is lifted before it counts as weighed
CALM = 0.4  # s for which its pull is steady by then
STEADY = 0.03  # share of a weight by which a steady pull may waver
SIDEWAYS = 0.2  # share of a weight that may pull aside
LIGHT = 0.02  # share of what the robot may lift below which wavering is that of a payload so light
LIGHTEST = 1e-3  # share of what the robot may lift: nothing lighter is weighed
SLACK = 0.5  # of what is just noticed, LIGHT: what pulls less does not hang there
AVERAGE = 0.2  # s over which the sensor is zeroed
PRIOR = 0.02  # s of measuring that the guess of a centre is worth
FORGET = 5.0  # s after which what was measured of a centre counts less

SILENT = Note("wrist.silent")
NO_NUMBERS = Note("wrist.numbers")
ZEROED = Note("wrist.zeroed")
FULL = Note("wrist.zero.holding")
TOUCHING = Note("wrist.zero.touching")


class Mount(Struct, frozen=True):
    """How a sensor is mounted, and what hangs on it.

    Args:
        T_tip_sensor: The sensor's frame in that of the tip.
        mass: Of tool and all, kg.
        centre: Of its mass, in the sensor's frame, m.
        payload: What the robot may lift, kg.
        base: How the base of a robot that stands is turned in the world.
        gripper: Of the tool, if it has one.
        solid: The tool has a shape that collides: contacts reach the sensor.
    """

    T_tip_sensor: Pose
    mass: float
    centre: Vec3
    payload: float
    base: Quaternion = (1.0, 0.0, 0.0, 0.0)
    gripper: GripperSpec | None = None
    solid: bool = True


class Payload(Struct, frozen=True):
    """What is held.

    Args:
        mass: kg.
        centre: In the sensor's frame, m.
        known: Weighed; before that it is only what pulls down just now.
        pull: All that pulls at it, smoothed, N in world axes.
        believed: The mass, smoothed for longer, since the pull has been steady, kg.
        first: On a tool without fingers: the mass that the pull said when it became steady, kg.
        calm: Seconds for which the pull has been steady.
        seen: Of the centre: Σ(|g|²·1 − g·gᵀ)·dt as xx, yy, zz, xy, xz, yz.
        moment: Of the centre: Σ(g × τ)·dt.
    """

    mass: float
    centre: Vec3
    known: bool = False
    pull: Vec3 = ORIGIN
    believed: float = 0.0
    first: float = 0.0
    calm: float = 0.0
    seen: tuple[float, float, float, float, float, float] = (0.0,) * 6
    moment: Vec3 = ORIGIN


class WristMemory(Struct, frozen=True):
    """What is remembered from tick to tick.

    Args:
        wrench: What the surroundings did to the tip, as last known, world axes.
        zero: What counts as nothing, in the sensor's frame.
        zeroing: Seconds of an average under way, with the sums of force and torque.
        payload: What is held, if anything.
        height: Where the tip was when it was grasped, or when the pull on a tool without fingers became steady, m.
        before: Where the tool's centre was in the last two ticks, in the robot's base frame; in the world's, if that
            drives about.
        problem: Why the sensor cannot be believed just now; None if it can.
    """

    wrench: Wrench = NOTHING
    zero: Wrench = NOTHING
    zeroing: tuple[float, Vec3, Vec3] | None = None
    payload: Payload | None = None
    height: float = 0.0
    before: tuple[Vec3, ...] = ()
    problem: Note | None = None


AT_REST = WristMemory()


def holds(robot: RobotState, gripper: GripperSpec | None, *, held: bool = False) -> bool:
    """Return whether the gripper presses on something between its fingers.

    Fingers that something pushes aside press towards open, and hold nothing.

    Args:
        robot: As measured.
        gripper: Its gripper, if it has one.
        held: It did so before: then it takes less to go on.
    """
    if gripper is None:
        return False
    fingers = robot.groups["gripper"]
    if fingers.positions[0] < BETWEEN or fingers.efforts[0] < (SLIPS if held else PRESSES) * gripper.effort:
        return False
    return held or abs(fingers.rates[0]) < STILL


def carries(robot: RobotState, gripper: GripperSpec | None, memory: WristMemory) -> bool:
    """Return whether a tool holds something, or a load hangs on one without fingers.

    Args:
        robot: As measured.
        gripper: Its gripper, if it has one.
        memory: Of the wrist.
    """
    payload = memory.payload
    if gripper is None:
        return payload is not None and payload.known
    return payload is not None or holds(robot, gripper)


class Wrist:
    """Says what the surroundings do to the tip of a robot that has a sensor.

    Args:
        mount: The sensor and the tool on it.
        dt: Seconds per tick.
    """

    def __init__(self, mount: Mount, dt: float) -> None:
        self.mount, self._dt = mount, dt
        x, y, z = rotate(conjugate(mount.T_tip_sensor.rotation), mount.T_tip_sensor.position)
        self._tip: Vec3 = (-x, -y, -z)  # of the robot, in the sensor's frame
        self._centre = transform_point(mount.T_tip_sensor, mount.centre)  # in the tip's frame

    def __call__(
        self, robot: RobotState, memory: WristMemory, *, zero: bool = False, most: float = math.inf
    ) -> tuple[WristMemory, tuple[Note, ...]]:
        """Return what is felt now, as the next memory, and notes.

        Args:
            robot: As measured.
            memory: Of the last tick.
            zero: Begin to zero the sensor.
            most: N that may count as nothing altogether: what presses harder is no error of the sensor.
        """
        reading = robot.wrist
        problem = SILENT if reading is None else None if _finite(reading) else NO_NUMBERS
        if reading is None or problem:
            # What was felt last goes on to be felt, so that nothing jumps while the robot brakes.
            return replace(self._released(robot, memory), problem=problem, zeroing=None, before=()), NO_NOTES
        memory, speeding = self._moved(robot, memory)
        base = robot.T_world_base.rotation if robot.T_world_base else self.mount.base
        turn = multiply(multiply(base, robot.T_base_tip.rotation), self.mount.T_tip_sensor.rotation)
        g = rotate(conjugate(turn), less((0.0, 0.0, -GRAVITY), speeding))
        force, torque = self._without_tool(reading, memory.zero, g)
        memory, notes = self._zeroed(force, torque, memory, zero=zero, most=most)
        if memory.zeroing is None and notes == (ZEROED,):
            force, torque = self._without_tool(reading, memory.zero, g)
        memory = self._weighed(robot, memory, turn, g, (force, torque))
        payload = memory.payload
        if payload is not None:
            weight = times(payload.mass, g)
            force, torque = less(force, weight), less(torque, cross(payload.centre, weight))
        felt = Wrench(rotate(turn, force), rotate(turn, less(torque, cross(self._tip, force))))
        return replace(memory, wrench=felt, problem=None), notes

    def _moved(self, robot: RobotState, memory: WristMemory) -> tuple[WristMemory, Vec3]:
        """Return where the tool's centre was, and how it accelerates, in world axes."""
        here, driving = transform_point(robot.T_base_tip, self._centre), robot.T_world_base
        if driving is not None:
            here = transform_point(driving, here)
        before = memory.before
        memory = replace(memory, before=(*before[-1:], here))
        if len(before) < 2:
            return memory, ORIGIN
        k, (first, second) = 1.0 / self._dt**2, before
        speeding = times(k, plus(less(here, second), less(first, second)))
        return memory, speeding if driving is not None else rotate(self.mount.base, speeding)

    def _without_tool(self, reading: Wrench, zero: Wrench, g: Vec3) -> tuple[Vec3, Vec3]:
        weight = times(self.mount.mass, g)
        force = less(less(reading.force, zero.force), weight)
        torque = less(less(reading.torque, zero.torque), cross(self.mount.centre, weight))
        return force, torque

    # ── Zeroing ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _zeroed(
        self, force: Vec3, torque: Vec3, memory: WristMemory, *, zero: bool, most: float
    ) -> tuple[WristMemory, tuple[Note, ...]]:
        """Average what is felt, and take the mean for nothing."""
        if zero and memory.payload is not None and self.mount.gripper:
            return memory, (FULL,)
        if zero:  # what seems to hang on a tool without fingers may be the sensor's error
            memory = replace(memory, zeroing=(0.0, ORIGIN, ORIGIN), payload=None)
        if memory.zeroing is None:
            return memory, NO_NOTES
        seconds, forces, torques = memory.zeroing
        forces, torques = plus(forces, times(self._dt, force)), plus(torques, times(self._dt, torque))
        seconds += self._dt
        if seconds < AVERAGE:
            return replace(memory, zeroing=(seconds, forces, torques)), NO_NOTES
        k, before = 1.0 / seconds, memory.zero
        offset = Wrench(plus(before.force, times(k, forces)), plus(before.torque, times(k, torques)))
        if math.hypot(*offset.force) > most:
            return replace(memory, zeroing=None), (TOUCHING,)
        return replace(memory, zeroing=None, zero=offset), (ZEROED,)

    # ── Weighing ─────────────────────────────────────────────────────────────────────────────────────────────────

    def _weighed(
        self, robot: RobotState, memory: WristMemory, turn: Quaternion, g: Vec3, felt: tuple[Vec3, Vec3]
    ) -> WristMemory:
        if self.mount.gripper is None:
            return self._hung(robot, memory, turn, g, felt)
        memory = self._released(robot, memory)
        payload, height = memory.payload, self._height(robot)
        if payload is None and not holds(robot, self.mount.gripper):
            return memory
        if payload is None:
            return replace(memory, payload=Payload(0.0, self._tip), height=height)
        force, torque = felt
        pull = plus(payload.pull, times(self._share(WEIGH), less(rotate(turn, force), payload.pull)))
        payload = replace(payload, pull=pull)
        if payload.known:
            return replace(memory, payload=self._located(payload, g, torque))
        return replace(memory, payload=self._lifted(payload, g, height - memory.height, torque))

    def _released(self, robot: RobotState, memory: WristMemory) -> WristMemory:
        """Forget what the fingers no longer hold, which they tell without the sensor."""
        gripper = self.mount.gripper
        if memory.payload is None or gripper is None or holds(robot, gripper, held=True):
            return memory
        return replace(memory, payload=None)

    def _hung(
        self, robot: RobotState, memory: WristMemory, turn: Quaternion, g: Vec3, felt: tuple[Vec3, Vec3]
    ) -> WristMemory:
        """Follow what pulls at a tool without fingers; what pulls down as hard at another height is a load."""
        payload, least, (force, torque) = memory.payload, LIGHT * self.mount.payload, felt
        now = rotate(turn, force)
        if payload is None:
            seems = -now[2] > GRAVITY * least and memory.zeroing is None
            return replace(memory, payload=Payload(0.0, self._tip, pull=now)) if seems else memory
        pull = plus(payload.pull, times(self._share(WEIGH), less(now, payload.pull)))
        mass = -pull[2] / GRAVITY
        if mass < SLACK * least:
            return replace(memory, payload=None)
        payload = replace(payload, pull=pull)
        if payload.known:
            return replace(memory, payload=self._borne(payload, mass, g, torque))
        steady = mass <= self.mount.payload and math.hypot(pull[0], pull[1]) < SIDEWAYS * GRAVITY * mass
        height = self._height(robot)
        if not steady or abs(mass - payload.first) > self._waver(mass):
            return replace(memory, payload=Payload(0.0, self._tip, pull=pull, believed=mass, first=mass), height=height)
        seconds = payload.calm + self._dt
        believed = payload.believed + self._dt / min(seconds, LONGER) * (mass - payload.believed)
        payload = replace(payload, believed=believed, calm=seconds)
        if seconds > CALM and abs(height - memory.height) > RISE:
            payload = self._fixed(payload, self._across(believed, g, torque))
        return replace(memory, payload=payload)

    def _borne(self, payload: Payload, mass: float, g: Vec3, torque: Vec3) -> Payload:
        """Take on what pulls of a load that is known: no more than that, and less while it stands on something."""
        carried = payload.mass + self._share(WEIGH) * (min(mass, payload.believed) - payload.mass)
        return replace(self._located(replace(payload, mass=payload.believed), g, torque), mass=carried)

    def _height(self, robot: RobotState) -> float:
        """Return how high the tip is, from wherever that is counted."""
        if robot.T_world_base is not None:
            return transform_point(robot.T_world_base, robot.T_base_tip.position)[2]
        return rotate(self.mount.base, robot.T_base_tip.position)[2]

    def _share(self, seconds: float) -> float:
        """Return which share of a change a smoothing over some seconds takes over in one tick."""
        return 1.0 - math.exp(-self._dt / seconds)

    def _waver(self, mass: float) -> float:
        """Return by how many kilograms a steady pull may waver."""
        return STEADY * max(mass, LIGHT * self.mount.payload)

    def _lifted(self, payload: Payload, g: Vec3, rise: float, torque: Vec3) -> Payload:
        """Follow what pulls down; once it is off the ground and steady, that is its weight."""
        x, y, z = payload.pull
        mass = min(max(-z / GRAVITY, 0.0), self.mount.payload)
        calm = abs(payload.believed - mass) < self._waver(mass) and math.hypot(x, y) < SIDEWAYS * GRAVITY * mass
        seconds = payload.calm + self._dt if calm else 0.0
        believed = payload.believed + self._dt / min(seconds, LONGER) * (mass - payload.believed) if calm else mass
        known = rise > RISE and seconds > CALM and mass > LIGHTEST * self.mount.payload
        guess = self._across(mass, g, torque) if mass > LIGHTEST * self.mount.payload else self._tip
        if not known:
            return Payload(mass, guess, pull=payload.pull, believed=believed, calm=seconds)
        return self._fixed(Payload(believed, guess, pull=payload.pull, believed=believed, calm=seconds), guess)

    def _fixed(self, payload: Payload, guess: Vec3) -> Payload:
        """Return a payload that is weighed, with a first guess of its centre."""
        worth = PRIOR * GRAVITY * GRAVITY
        seen, moment = (worth, worth, worth, 0.0, 0.0, 0.0), times(worth * payload.believed, guess)
        return replace(payload, known=True, centre=guess, seen=seen, moment=moment)

    def _across(self, mass: float, g: Vec3, torque: Vec3) -> Vec3:
        """Return the centre that a torque tells: across gravity; along it, that of the tip."""
        k = 1.0 / (GRAVITY * GRAVITY)
        along = k * dot(self._tip, g)
        return plus(times(k / mass, cross(g, torque)), times(along, g))

    def _located(self, payload: Payload, g: Vec3, torque: Vec3) -> Payload:
        """Learn more of the centre of a payload that nothing else touches."""
        x, y, z = payload.pull
        if math.hypot(x, y, z + payload.mass * GRAVITY) > GRAVITY * self._waver(payload.mass):
            return payload
        fade, dt, size = 1.0 - self._dt / FORGET, self._dt, dot(g, g)
        x, y, z = g
        added = (size - x * x, size - y * y, size - z * z, -x * y, -x * z, -y * z)
        a, b, c, d, e, f = (fade * old + dt * new for old, new in zip(payload.seen, added, strict=True))
        seen = (a, b, c, d, e, f)
        moment = plus(times(fade, payload.moment), times(dt, cross(g, torque)))
        centre = times(1.0 / payload.mass, _solved(seen, moment))
        return replace(payload, centre=centre, seen=seen, moment=moment)


def _solved(m: tuple[float, float, float, float, float, float], v: Vec3) -> Vec3:
    """Return x with M·x = v, for a symmetric matrix xx, yy, zz, xy, xz, yz, by Cramer's rule."""
    xx, yy, zz, xy, xz, yz = m
    first: Vec3 = (yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy)
    second: Vec3 = (first[1], xx * zz - xz * xz, xy * xz - xx * yz)
    third: Vec3 = (first[2], second[2], xx * yy - xy * xy)
    k = 1.0 / (xx * first[0] + xy * first[1] + xz * first[2])
    return (k * dot(first, v), k * dot(second, v), k * dot(third, v))


def _finite(wrench: Wrench) -> bool:
    return all(map(math.isfinite, (*wrench.force, *wrench.torque)))
