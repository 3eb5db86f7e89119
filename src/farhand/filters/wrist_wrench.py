"""Contact force and torque at the tip, from a force sensor in the wrist.

The sensor sits between wrist and tool and measures the tool's weight, the payload's weight, and contacts. With g the
apparent gravity in its own axes (gravity less the acceleration of the tool's centre), tool mass m with centre c,
payload mass mₚ with centre cₚ, and an offset (f₀, τ₀) found by zeroing::

    f = F − f₀ − (m + mₚ)·g
    τ = T − τ₀ − (m·c + mₚ·cₚ) × g − r × f          moved to the tip, r from sensor to tip

then turned into world axes. Posture and acceleration follow from the measured joints and, for a robot that drives, from
the pose of its base: the centre's acceleration is the second difference of its last three positions. Without it a heavy
tool that speeds up would seem to touch an obstacle, compliance would brake it, and the braking would seem a contact
again. The torque that turns tool and payload about their own centres is left in; it is small.

A payload is weighed when it is grasped. Once the fingers press on an object and no longer move, a pull straight down is
taken for its weight, up to the robot's rated payload, so that compliance does not yield to a heavy object that is to be
lifted. When the tip has risen a little and the pull is steady, the mass is fixed; from then on any other force, of a
shelf under the object, say, is a contact again. The payload's centre follows from the torque: m·c × g = τ leaves it
open along g, and least squares over all postures since, starting between the fingers, close that gap as the wrist
turns.

On a tool without fingers, such as a hook, loads hang. No signal marks when that begins, so a pull is at first a
contact, to which compliance yields. A pull straight down that stays the same while the tip rises or sinks is a load: a
beam over the tool keeps it in place or pulls harder, and a table pushes up. While a load is set down, only its
remaining pull is subtracted; when that is next to nothing, the load is forgotten.
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

G_MPS2 = 9.81
NO_NOTES: tuple[Note, ...] = ()
NOTHING = Wrench()
ORIGIN: Vec3 = (0.0, 0.0, 0.0)

HOLD_SHARE, SLIP_SHARE = (
    0.3,
    0.1,
)  # shares of the gripper's force: it grips above, slips below
STILL_MPS = 0.005  # slower fingers have met an object
OPENING_M = 0.002  # least opening with an object between the fingers
FOLLOW_S, FIX_S = 0.05, 0.15  # time constants of the pull: to follow it, and to fix a mass
RISE_M = 0.01  # lift before a payload counts as weighed
STEADY_S = 0.4  # how long its pull must be steady by then
VARY_SHARE = 0.03  # share of the weight by which a steady pull may vary
SIDEWAYS_SHARE = 0.2  # share of the weight that may pull sideways
LIGHT_SHARE = 0.02  # share of the rated payload: lighter payloads may vary as much as this one
LEAST_SHARE = 1e-3  # share of the rated payload: lighter objects are not weighed
GONE_SHARE = 0.5  # share of LIGHT_SHARE: below it a load has gone
ZEROING_S = 0.2  # time over which the sensor is zeroed
PRIOR_S = 0.02  # weight of the first guess of a centre, as time of measuring
FADE_S = 5.0  # time constant with which old measurements of a centre fade

SILENT = Note("wrist.silent")
NO_NUMBERS = Note("wrist.numbers")
ZEROED = Note("wrist.zeroed")
HOLDING = Note("wrist.zero.holding")
TOUCHING = Note("wrist.zero.touching")


class Mount(Struct, frozen=True):
    """Mounting of the sensor, and the tool on it.

    Args:
        T_tip_sensor: Pose of the sensor's frame in the tip's.
        mass: Mass of tool and flange behind the sensor, kg.
        centre: Centre of that mass, in the sensor's frame, m.
        payload: Rated payload of the robot, kg.
        base: Orientation in the world of the base of a robot that stands.
        gripper: The tool's gripper, if it has one.
        solid: Whether the tool has collision shapes: contacts then reach the sensor.
    """

    T_tip_sensor: Pose
    mass: float
    centre: Vec3
    payload: float
    base: Quaternion = (1.0, 0.0, 0.0, 0.0)
    gripper: GripperSpec | None = None
    solid: bool = True


class Payload(Struct, frozen=True):
    """The object that the tool holds.

    Args:
        mass: kg.
        centre: In the sensor's frame, m.
        known: Whether it is weighed; until then its mass is the present downward pull.
        pull: Force on the sensor other than the tool's weight, smoothed, N in world axes.
        believed: Mass since the pull has been steady, smoothed for longer, kg.
        first: On a tool without fingers: mass at the moment the pull became steady, kg.
        calm: How long the pull has been steady, seconds.
        seen: Least squares of the centre: Σ(|g|²·1 − g·gᵀ)·dt as xx, yy, zz, xy, xz, yz.
        moment: Least squares of the centre: Σ(g × τ)·dt.
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
    """The state kept from tick to tick.

    Args:
        wrench: Last known contact force and torque on the tip, world axes.
        zero: Offset of the sensor, in its frame.
        zeroing: Average under way: its seconds so far, and the sums of force and torque.
        payload: The held object, if there is one.
        height: Height of the tip at the grasp or, on a tool without fingers, when the pull became steady, m.
        before: Positions of the tool's centre in the last two ticks, in the robot's base frame; in the world's, if the
            robot drives.
        problem: Why the sensor's reading cannot be used now; None if it can.
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
    """Return whether the gripper holds an object between its fingers.

    Fingers that are pushed apart press towards open, and hold nothing.

    Args:
        robot: Measured state.
        gripper: Its gripper, if it has one.
        held: Whether it held one before: a smaller force then suffices.
    """
    if gripper is None:
        return False
    fingers = robot.groups["gripper"]
    if fingers.positions[0] < OPENING_M or fingers.efforts[0] < (SLIP_SHARE if held else HOLD_SHARE) * gripper.effort:
        return False
    return held or abs(fingers.rates[0]) < STILL_MPS


def carries(robot: RobotState, gripper: GripperSpec | None, memory: WristMemory) -> bool:
    """Return whether a gripper holds an object, or a load hangs on a tool without fingers.

    Args:
        robot: Measured state.
        gripper: Its gripper, if it has one.
        memory: State of the wrist.
    """
    payload = memory.payload
    if gripper is None:
        return payload is not None and payload.known
    return payload is not None or holds(robot, gripper)


class Wrist:
    """Estimates contact force and torque at the tip of a robot that has a wrist sensor.

    Args:
        mount: The sensor and the tool on it.
        dt: Seconds per tick.
    """

    def __init__(self, mount: Mount, dt: float) -> None:
        self.mount, self._dt = mount, dt
        x, y, z = rotate(conjugate(mount.T_tip_sensor.rotation), mount.T_tip_sensor.position)
        self._tip: Vec3 = (-x, -y, -z)  # tip, in the sensor's frame
        self._centre = transform_point(mount.T_tip_sensor, mount.centre)  # the tool's centre, in the tip's frame

    def __call__(
        self, robot: RobotState, memory: WristMemory, *, zero: bool = False, most: float = math.inf
    ) -> tuple[WristMemory, tuple[Note, ...]]:
        """Return the next memory, with the contact as of now, and notes.

        Args:
            robot: Measured state.
            memory: Memory of the last tick.
            zero: Whether to begin to zero the sensor.
            most: Greatest offset that zeroing accepts, N: a larger force is a contact, not an error of the sensor.
        """
        reading = robot.wrist
        problem = SILENT if reading is None else None if _finite(reading) else NO_NUMBERS
        if reading is None or problem:
            # The last contact is kept, so that no force jumps while the robot brakes.
            return replace(self._released(robot, memory), problem=problem, zeroing=None, before=()), NO_NOTES
        memory, speeding = self._moved(robot, memory)
        base = robot.T_world_base.rotation if robot.T_world_base else self.mount.base
        turn = multiply(multiply(base, robot.T_base_tip.rotation), self.mount.T_tip_sensor.rotation)
        g = rotate(conjugate(turn), less((0.0, 0.0, -G_MPS2), speeding))
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
        """Return the memory with the new position of the tool's centre, and its acceleration in world axes."""
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
        """Average the reading, and take the mean as the new offset."""
        if zero and memory.payload is not None and self.mount.gripper:
            return memory, (HOLDING,)
        if zero:  # a seeming load on a tool without fingers may be the sensor's error
            memory = replace(memory, zeroing=(0.0, ORIGIN, ORIGIN), payload=None)
        if memory.zeroing is None:
            return memory, NO_NOTES
        seconds, forces, torques = memory.zeroing
        forces, torques = plus(forces, times(self._dt, force)), plus(torques, times(self._dt, torque))
        seconds += self._dt
        if seconds < ZEROING_S:
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
        pull = plus(payload.pull, times(self._share(FOLLOW_S), less(rotate(turn, force), payload.pull)))
        payload = replace(payload, pull=pull)
        if payload.known:
            return replace(memory, payload=self._located(payload, g, torque))
        return replace(memory, payload=self._lifted(payload, g, height - memory.height, torque))

    def _released(self, robot: RobotState, memory: WristMemory) -> WristMemory:
        """Forget an object that the fingers no longer hold; they tell it without the sensor."""
        gripper = self.mount.gripper
        if memory.payload is None or gripper is None or holds(robot, gripper, held=True):
            return memory
        return replace(memory, payload=None)

    def _hung(
        self, robot: RobotState, memory: WristMemory, turn: Quaternion, g: Vec3, felt: tuple[Vec3, Vec3]
    ) -> WristMemory:
        """Follow the pull on a tool without fingers; an equal downward pull at another height is a load."""
        payload, least, (force, torque) = memory.payload, LIGHT_SHARE * self.mount.payload, felt
        now = rotate(turn, force)
        if payload is None:
            seems = -now[2] > G_MPS2 * least and memory.zeroing is None
            return replace(memory, payload=Payload(0.0, self._tip, pull=now)) if seems else memory
        pull = plus(payload.pull, times(self._share(FOLLOW_S), less(now, payload.pull)))
        mass = -pull[2] / G_MPS2
        if mass < GONE_SHARE * least:
            return replace(memory, payload=None)
        payload = replace(payload, pull=pull)
        if payload.known:
            return replace(memory, payload=self._borne(payload, mass, g, torque))
        steady = mass <= self.mount.payload and math.hypot(pull[0], pull[1]) < SIDEWAYS_SHARE * G_MPS2 * mass
        height = self._height(robot)
        if not steady or abs(mass - payload.first) > self._waver(mass):
            return replace(memory, payload=Payload(0.0, self._tip, pull=pull, believed=mass, first=mass), height=height)
        seconds = payload.calm + self._dt
        believed = payload.believed + self._dt / min(seconds, FIX_S) * (mass - payload.believed)
        payload = replace(payload, believed=believed, calm=seconds)
        if seconds > STEADY_S and abs(height - memory.height) > RISE_M:
            payload = self._fixed(payload, self._across(believed, g, torque))
        return replace(memory, payload=payload)

    def _borne(self, payload: Payload, mass: float, g: Vec3, torque: Vec3) -> Payload:
        """Follow the carried share of a known load: no more than its mass, and less while it stands on a surface."""
        carried = payload.mass + self._share(FOLLOW_S) * (min(mass, payload.believed) - payload.mass)
        return replace(self._located(replace(payload, mass=payload.believed), g, torque), mass=carried)

    def _height(self, robot: RobotState) -> float:
        """Return the height of the tip over a fixed level."""
        if robot.T_world_base is not None:
            return transform_point(robot.T_world_base, robot.T_base_tip.position)[2]
        return rotate(self.mount.base, robot.T_base_tip.position)[2]

    def _share(self, seconds: float) -> float:
        """Return the share of a change that a filter with this time constant takes over in one tick."""
        return 1.0 - math.exp(-self._dt / seconds)

    def _waver(self, mass: float) -> float:
        """Return by how many kilograms a steady pull may vary."""
        return VARY_SHARE * max(mass, LIGHT_SHARE * self.mount.payload)

    def _lifted(self, payload: Payload, g: Vec3, rise: float, torque: Vec3) -> Payload:
        """Follow the downward pull; once the payload is off the ground and the pull steady, it is the weight."""
        x, y, z = payload.pull
        mass = min(max(-z / G_MPS2, 0.0), self.mount.payload)
        calm = abs(payload.believed - mass) < self._waver(mass) and math.hypot(x, y) < SIDEWAYS_SHARE * G_MPS2 * mass
        seconds = payload.calm + self._dt if calm else 0.0
        believed = payload.believed + self._dt / min(seconds, FIX_S) * (mass - payload.believed) if calm else mass
        known = rise > RISE_M and seconds > STEADY_S and mass > LEAST_SHARE * self.mount.payload
        guess = self._across(mass, g, torque) if mass > LEAST_SHARE * self.mount.payload else self._tip
        if not known:
            return Payload(mass, guess, pull=payload.pull, believed=believed, calm=seconds)
        return self._fixed(Payload(believed, guess, pull=payload.pull, believed=believed, calm=seconds), guess)

    def _fixed(self, payload: Payload, guess: Vec3) -> Payload:
        """Return a weighed payload, with a first guess of its centre."""
        worth = PRIOR_S * G_MPS2 * G_MPS2
        seen, moment = (worth, worth, worth, 0.0, 0.0, 0.0), times(worth * payload.believed, guess)
        return replace(payload, known=True, centre=guess, seen=seen, moment=moment)

    def _across(self, mass: float, g: Vec3, torque: Vec3) -> Vec3:
        """Return the centre that a torque implies across gravity, and that of the tip along it."""
        k = 1.0 / (G_MPS2 * G_MPS2)
        along = k * dot(self._tip, g)
        return plus(times(k / mass, cross(g, torque)), times(along, g))

    def _located(self, payload: Payload, g: Vec3, torque: Vec3) -> Payload:
        """Refine the centre of a payload that touches no other object."""
        x, y, z = payload.pull
        if math.hypot(x, y, z + payload.mass * G_MPS2) > G_MPS2 * self._waver(payload.mass):
            return payload
        fade, dt, size = 1.0 - self._dt / FADE_S, self._dt, dot(g, g)
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
