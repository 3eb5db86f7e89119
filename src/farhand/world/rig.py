"""One robot inside the physics: applies set-points, drives its actuators, measures its joints and its tip."""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from farhand.kernels import kernel
from farhand.kinematics.arithmetic.link_frames import frames_into
from farhand.kinematics.serial.tip_pose import quaternion_into
from farhand.poses import Pose, Vec3
from farhand.types import GroupState, RobotState, Setpoint, Twist, Vector, Wrench
from farhand.world.belts import Tracks
from farhand.world.blueprint import Placement, drive_memory
from farhand.world.compiled import Compiled
from farhand.world.drives import DriveArrays, drive_of
from farhand.world.index import GroupIndex
from farhand.world.passive_joints import loop_of
from farhand.world.placing import below
from farhand.world.robot_cameras import Cameras
from farhand.world.wrist_mount import ToolOnSensor, WristSensor, tool_on_sensor

__all__ = ["Posture", "Rig"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
NO_CONTACT = Wrench()
CREEP = 0.01  # rad/s, m/s: below this rate dry friction is compensated only in part, which avoids chatter
MAX_LEAD = 0.2  # rad or m, for soft drives
GRIP_LEAD = 3.0  # times the lead that gives the full grip


@kernel()
def gather(qpos: Floats, qvel: Floats, force: Floats, at: Ints, dofs: Ints, actuators: Ints, out: Floats) -> None:
    """Collect positions, rates and efforts of a group, one after the other."""
    # three runs of n numbers
    n = at.shape[0]
    for i in range(n):
        out[i] = qpos[at[i]]
        out[n + i] = qvel[dofs[i]]
        out[2 * n + i] = force[actuators[i]]


@kernel(
    "void(f8[::1], f8[::1], f8[::1], i8[::1], i8[::1], i8[::1], i8[:, ::1], f8[:, ::1],"
    " f8[:, :, ::1], i8[::1], f8[:, ::1], f8[:, :, ::1], f8[::1])"
)
def measure_arm(
    qpos: Floats, qvel: Floats, force: Floats, at: Ints, dofs: Ints, actuators: Ints, fingers: Ints, opens: Floats,
    fixed: Floats, kinds: Ints, tool: Floats, frames: Floats, out: Floats,
) -> None:  # fmt: skip
    """Write positions, rates and efforts of an arm, position and quaternion of its tip, and the gripper's opening.

    Args:
        qpos: Positions of everything.
        qvel: Rates of everything.
        force: Efforts of all actuators.
        at: (n,) places of the arm's joints in the positions.
        dofs: (n,) in the rates.
        actuators: (n,) in the efforts.
        fingers: (3, m) the same three of the fingers.
        opens: (2, m) position of each closed finger, and its travel per metre of the opening.
        fixed: The chain's fixed transforms.
        kinds: The chain's kinds of joints.
        tool: The chain's tool transform.
        frames: Scratch.
        out: (3n + 7 + 3) result; at its end the opening and its rate, averaged over the fingers, and the effort of the
            finger that presses hardest towards closed; below 0 all of them push open.
    """
    # joints, then the tip by forward kinematics
    n, m = at.shape[0], fingers.shape[1]
    gather(qpos, qvel, force, at, dofs, actuators, out)
    frames_into(fixed, kinds, tool, out[:n], frames)
    quaternion_into(frames[n], out[3 * n :])
    # gripper: mean opening and rate, largest closing effort
    opening, rate, effort = 0.0, 0.0, -np.inf if m > 0 else 0.0
    for i in range(m):
        opening += (qpos[fingers[0, i]] - opens[0, i]) / opens[1, i] / m
        rate += qvel[fingers[1, i]] / opens[1, i] / m
        effort = max(effort, -math.copysign(1.0, opens[1, i]) * force[fingers[2, i]])
    k = 3 * n + 7
    out[k], out[k + 1], out[k + 2] = opening, rate, effort


@kernel("void(f8[::1],i8[::1],f8[::1])")
def scatter(values: Floats, at: Ints, out: Floats) -> None:
    """Write values to scattered places."""
    # one value per place
    for i in range(at.shape[0]):
        out[at[i]] = values[i]


@kernel("void(f8,f8[::1],f8[::1],i8[::1],f8[::1])")
def fingers_to(opening: float, zero: Floats, slope: Floats, actuators: Ints, ctrl: Floats) -> None:
    """Set the finger joints' targets for an opening: q = zero + slope·opening."""
    # one target per finger
    for i in range(actuators.shape[0]):
        ctrl[actuators[i]] = zero[i] + slope[i] * opening


@kernel("void(f8[::1],f8[::1],f8[::1],f8[::1],f8[::1],i8[::1],f8[::1])")
def add_known_forces(
    forward: Floats, bias: Floats, spring: Floats, damping: Floats, friction: Floats, dofs: Ints, rates: Floats
) -> None:
    """Add the modelled forces on some dofs: gravity and Coriolis, springs, dampers, dry friction.

    Dampers and friction count at the wanted rate. At the measured rate the compensation would come a tick late and add
    to MuJoCo's own damping, which shakes light joints apart.
    """
    # each dof at its wanted rate
    for i in range(dofs.shape[0]):
        dof, rate = dofs[i], rates[i]
        forward[dof] += bias[dof] - spring[dof] + damping[dof] * rate + friction[dof] * math.tanh(rate / CREEP)


class Posture(Struct, frozen=True):
    """Positions of all joints of a robot: arm, fingers, and all others (held ones, followers)."""

    arm: Vector
    fingers: Vector = ()
    others: Vector = ()


class Rig:
    """A robot's part of the physics.

    Args:
        placement: The robot in the blueprint.
        compiled: The compiled world.
        data: MuJoCo's data of that world; the rig keeps views of it.
    """

    def __init__(self, placement: Placement, compiled: Compiled, data: Any) -> None:
        name = placement.name
        self.placement, self._model, self._data = placement, compiled.model, data
        self.index, self.chain = compiled.index.robots[name], compiled.chains[name]
        self.tuned, self._start = compiled.drives[name], compiled.qpos_start
        self._feedforward = placement.drive.feedforward
        self._loop = loop_of(self.chain, self.index)
        self._forward_dofs = self._loop.dofs if self._loop else self.index.arm.dofs
        self._effort = np.array([joint.effort for joint in placement.model.arm.joints])
        self._fixed, self._kinds, self._tool = self.chain.arrays
        self._frames = np.zeros((self.chain.n + 1, 3, 4))
        self._qpos, self._qvel, self._ctrl = data.qpos, data.qvel, data.ctrl
        self._bias, self._force, self._sensors = data.qfrc_bias, data.actuator_force, data.sensordata
        self._spring = data.qfrc_spring
        self._damping, self._friction = compiled.model.dof_damping, compiled.model.dof_frictionloss
        n = len(self._effort)
        at = self.index.kept_at
        self._kept = data.userdata[at : at + drive_memory(placement)]
        group, dt = self.index.arm, float(compiled.model.opt.timestep)
        arrays = DriveArrays(
            self._ctrl, self._qpos, self._qvel, self._kept, group.actuators, group.qpos, group.dofs, dt
        )
        self._drive = drive_of(self.tuned, arrays)
        self.wrist: WristSensor | None = None
        if placement.wrist and self.index.wrist:
            seed = zlib.crc32(name.encode()) ^ compiled.blueprint.seed
            self.wrist = WristSensor(placement.wrist, self.index.wrist, data, dt, seed)
        self.tracks: Tracks | None = None
        if placement.model.tracks and self.index.tracks:
            self.tracks = Tracks(placement.model.tracks, self.index.tracks, compiled.model, data)
        self.cameras = Cameras(placement.cameras, self.index.cameras, data, dt)
        self._setpoint = np.zeros(3 * n)
        self._q, self._rates, self._wanted = self._setpoint[:n], self._setpoint[n : 2 * n], self._setpoint[2 * n :]
        self._moving = self._rates  # rates of all joints in the feed-forward
        self._out = np.zeros(3 * n + 7 + 3)
        self._no_forward = np.zeros(compiled.model.nv)
        self._joints = _joints_of(compiled.model, name)
        joints_at = [i for at, _ in self._joints.values() for i in at]
        self._dofs = np.array([i for _, dofs in self._joints.values() for i in dofs], dtype=np.int64)
        driven = {*self.index.arm.qpos.tolist(), *self.index.gripper.qpos.tolist()}
        self._others_at = np.array([i for i in joints_at if i not in driven], dtype=np.int64)
        self._gripper = placement.model.gripper
        self._fingers, self._opens = np.zeros((3, 0), np.int64), np.zeros((2, 0))
        if self._gripper:
            grip, closed, opened = self.index.gripper, np.array(self._gripper.closed), np.array(self._gripper.opened)
            self._fingers = np.array([grip.qpos, grip.dofs, grip.actuators])
            self._opens = np.array([closed, (opened - closed) / self._gripper.opening])
            self._finger_zero, self._finger_slope = self._opens

    def groups(self) -> Iterator[GroupIndex]:
        """Yield every group of joints of this robot."""
        yield self.index.arm
        yield self.index.gripper
        yield self.index.held
        if self.tracks:
            yield self.tracks.index.flippers

    def leads(self) -> Vector:
        """Return the permitted lead of each set-point over its joint (rad, m), a little more than gives full effort."""
        return tuple(np.minimum(1.2 * self._effort / self.tuned.stiffness(), MAX_LEAD).tolist())

    def grip_lead(self) -> float:
        """Return the permitted lead of a wanted opening over the measured one (m).

        It is three times the lead that gives the full grip: a held object settles between the fingers, and the grip
        must stay as firm as before. Reducing the lead costs an opening gripper some hundredths of a second.
        """
        if not self._gripper:
            return 0.0
        kp = self._model.actuator_gainprm[self.index.gripper.actuators, 0]
        return float((GRIP_LEAD * self._gripper.effort / kp / np.abs(self._finger_slope)).max())

    def flipper_leads(self) -> Vector:
        """Return the permitted lead of each flipper's set-point (rad): a little more than gives the full effort."""
        tracks = self.placement.model.tracks
        if not tracks or not self.tracks:
            return ()
        kp = self._model.actuator_gainprm[self.tracks.index.flippers.actuators, 0].tolist()
        return tuple([1.2 * joint.effort / k for joint, k in zip(tracks.flippers, kp, strict=True)])

    def tool_on_sensor(self) -> ToolOnSensor:
        """Return the tool on the wrist sensor; only for a robot that has one."""
        return tool_on_sensor(self._model, np.array(self._start), self.index)

    # ── Driving ──────────────────────────────────────────────────────────────────────────────────────────────────

    def take(self, groups: Mapping[str, Setpoint], acceleration: Floats) -> None:
        """Apply this tick's set-points, and write the wanted joint accelerations for the dynamics."""
        arm = groups["arm"]
        self._setpoint[:] = arm.positions + arm.rates + arm.accelerations
        scatter(self._wanted, self.index.arm.dofs, acceleration)
        self._moving = self._rates
        if self._loop:
            self._moving = self._loop.move(self._qpos[self.index.arm.qpos], self._rates, self._wanted, acceleration)
        if self._gripper and "gripper" in groups:
            opening, fingers = groups["gripper"].positions[0], self.index.gripper.actuators
            fingers_to(opening, self._finger_zero, self._finger_slope, fingers, self._ctrl)
        if self.tracks:
            self.tracks.take(groups["base"], groups["flippers"])
        self.cameras.step()

    def drive(self, inertia_force: Floats, *, feedforward: bool = True) -> None:
        """Write the commands of the arm's actuators.

        Args:
            inertia_force: M·q̈ of the wanted motion.
            feedforward: Whether to add the feed-forward in this tick.
        """
        forward = self._no_forward
        if self._feedforward and feedforward:
            forward = inertia_force
            dofs = self._forward_dofs
            add_known_forces(forward, self._bias, self._spring, self._damping, self._friction, dofs, self._moving)
            if self._loop:
                self._loop.project_forces(forward)
        self._drive.write(self._q, self._rates, forward)

    def push(self, force: Vec3) -> None:
        """Apply a force (N, world axes) at the tip in the next step."""
        body = self.index.tip_body
        arm = self._data.site_xpos[self.index.tip_site] - self._data.xipos[body]
        self._data.xfrc_applied[body, :3] = force
        self._data.xfrc_applied[body, 3:] = np.cross(arm, force)

    def hold_here(self) -> None:
        """Set the targets of all drives to the present joints."""
        index = self.index
        self._ctrl[index.held.actuators] = index.held_at
        self._ctrl[index.gripper.actuators] = self._qpos[index.gripper.qpos]
        self._drive.hold()
        if self.tracks:
            self.tracks.hold()
        self.cameras.hold()

    def put(self, posture: Posture) -> None:
        """Place every joint, at rest, and hold the driven ones there."""
        arm, fingers = self.index.arm, self.index.gripper
        self._qpos[arm.qpos], self._qpos[fingers.qpos] = posture.arm, posture.fingers
        self._qpos[self._others_at] = posture.others
        self._qvel[self._dofs] = 0.0
        self.hold_here()

    def inherit(self, other: Rig) -> None:
        """Continue the state of the same robot in another compiled world; a different tool starts with open fingers."""
        same = self.placement.tool == other.placement.tool
        new = frozenset() if same else self._on_tool()
        for name, (at, dofs) in self._joints.items():
            if name in other._joints and name not in new:
                others_at, others_dofs = other._joints[name]
                self._qpos[at], self._qvel[dofs] = other._qpos[others_at], other._qvel[others_dofs]
        self.hold_here()
        driven_alike = self.placement.drive == other.placement.drive
        for own, others in zip(self.groups(), other.groups(), strict=True):
            if own is self.index.arm and not driven_alike:
                continue  # commands and state of another kind of drive do not apply
            if len(own.actuators) == len(others.actuators) and (same or own is not self.index.gripper):
                self._ctrl[own.actuators] = other._ctrl[others.actuators]
        if self.tracks and other.tracks:
            self.tracks.inherit(other.tracks)
        self.cameras.inherit(other.cameras)
        if self.wrist and other.wrist:
            self.wrist.kept[:] = other.wrist.kept
        if driven_alike and len(self._kept) == len(other._kept):
            self._kept[:] = other._kept

    def _on_tool(self) -> frozenset[str]:
        """Return the joints of the tool, without the arm's own."""
        arm, model = self.placement.model.arm, self._model
        bodies = below(model, int(model.body(f"{self.placement.name}/{arm.tool}").id))
        own = {f"{self.placement.name}/{joint.name}" for joint in arm.joints}
        return frozenset(name for name in self._joints if int(model.joint(name).bodyid[0]) in bodies) - own

    # ── Measuring ────────────────────────────────────────────────────────────────────────────────────────────────

    def posture(self, qpos: Floats | None = None) -> Posture:
        """Return the positions of all joints now, or in another state of the same world."""
        state = self._qpos if qpos is None else qpos
        arm, fingers, others = (
            tuple(state[at].tolist()) for at in (self.index.arm.qpos, self.index.gripper.qpos, self._others_at)
        )
        return Posture(arm, fingers, others)

    @property
    def T_world_base(self) -> Pose:
        """Pose of the robot's base frame in the world."""
        x, y, z = self._data.xpos[self.index.base_body].tolist()
        w, i, j, k = self._data.xquat[self.index.base_body].tolist()
        return Pose((x, y, z), (w, i, j, k))

    def measure(self) -> RobotState:
        """Return the robot's measured state."""
        index, n, out = self.index.arm, len(self._effort), self._out
        measure_arm(
            self._qpos, self._qvel, self._force, index.qpos, index.dofs, index.actuators, self._fingers, self._opens,
            self._fixed, self._kinds, self._tool, self._frames, out,
        )  # fmt: skip
        values = tuple(out.tolist())
        x, y, z, w, i, j, k, opening, rate, effort = values[3 * n :]
        groups = {"arm": GroupState(values[:n], values[n : 2 * n], values[2 * n : 3 * n])}
        if self._gripper:
            groups["gripper"] = GroupState((opening,), (rate,), (effort,))
        contact, touching = self._measure_contact()
        wrist = self.wrist.read() if self.wrist else None
        cameras = self.cameras.measure()
        robot = RobotState(groups, Pose((x, y, z), (w, i, j, k)), contact, touching, wrist=wrist, cameras=cameras)
        return self._measure_base(robot) if self.tracks else robot

    def _measure_base(self, robot: RobotState) -> RobotState:
        """Return the state of a driving robot with the pose and twist of its base."""
        assert self.tracks is not None
        at = self.tracks.index.base_dof
        R = self._data.xmat[self.index.base_body].reshape(3, 3)
        # MuJoCo has a free body's velocity in world axes, its turn rate in body axes
        x, y, z = (self._qvel[at : at + 3] @ R).tolist()
        a, b, c = self._qvel[at + 3 : at + 6].tolist()
        groups = robot.groups | {"base": self.tracks.belts(), "flippers": self.tracks.flippers()}
        return replace(robot, groups=groups, T_world_base=self.T_world_base, base_twist=Twist((x, y, z), (a, b, c)))

    def _measure_contact(self) -> tuple[Wrench, bool]:
        at = self.index.contact_at
        if self._sensors[at] == 0.0:
            return NO_CONTACT, False
        _, fx, fy, fz, tx, ty, tz, px, py, pz = self._sensors[at : at + 10].tolist()
        sx, sy, sz = self._data.site_xpos[self.index.tip_site].tolist()
        # the sensor gives the wrench at its own point; move it to the tip: τ' = τ + (p − tip) × f
        x, y, z = px - sx, py - sy, pz - sz
        torque = (tx + y * fz - z * fy, ty + z * fx - x * fz, tz + x * fy - y * fx)
        # it is the wrench of the tool on the surroundings; the contact force on the tip is the opposite
        return Wrench((-fx, -fy, -fz), (-torque[0], -torque[1], -torque[2])), True


def _joints_of(model: Any, robot: str) -> dict[str, tuple[list[int], list[int]]]:
    """Return the places of each joint of a robot in positions and velocities."""
    found = {}
    for i in range(model.njnt):
        name = str(model.joint(i).name)
        if name.startswith(f"{robot}/"):
            q, v = int(model.jnt_qposadr[i]), int(model.jnt_dofadr[i])
            positions, rates = _SIZES[int(model.jnt_type[i])]
            found[name] = list(range(q, q + positions)), list(range(v, v + rates))
    return found


# Numbers of positions and rates of a joint: free, ball, slide, hinge.
_SIZES = ((7, 6), (4, 3), (1, 1), (1, 1))
