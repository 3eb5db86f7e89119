"""The physics world, the only mutable part of a tick: set-points go in, the measured state comes out."""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import mujoco
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from farhand.errors import UnknownNameError, WorldError
from farhand.notes import RefusedError
from farhand.poses import Pose, Vec3
from farhand.types import Contact, Limb, MoveObject, Note, PairContact, RobotState, Setpoint, State, Subject, Vector
from farhand.world.attach import title_of
from farhand.world.blueprint import Blueprint, Edit, edited
from farhand.world.compiled import Compiled, compile_world, fresh_data
from farhand.world.contacts import ContactReader
from farhand.world.grasp import Grasps
from farhand.world.index import ObjectIndex
from farhand.world.overlap import Overlaps, OverlapTrial
from farhand.world.passive_joints import loop_of
from farhand.world.placing import FreePlaces, below
from farhand.world.rig import Posture, Rig
from farhand.world.runaway import bounds_of, keep_if_good
from farhand.world.saved_physics import SavedPhysics, load_arrays, saved_arrays
from farhand.world.support import falls, load_on

__all__ = ["Snapshot", "World"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
NO_LOADS: Mapping[str, Vec3] = {}
NO_JOINTS: Mapping[str, float] = {}
NO_ROBOTS: Collection[str] = ()
NO_NUMBERS: Ints = np.zeros(0, np.int64)
FROZEN = Note("world.frozen", "fault", free=("reset-world",))


class Snapshot(Struct, frozen=True):
    """The complete state to continue from: the compiled world, a copy of the physics, the measured state."""

    compiled: Compiled
    data: Any
    state: State
    frozen: bool


class World:
    """A running physics world.

    Args:
        compiled: The compiled blueprint.
        data: New `MjData` of its model, if it exists already.
        before: The world that this one continues, which is not changed: robots and objects in both keep their state and
            velocity.
    """

    def __init__(self, compiled: Compiled, data: Any = None, before: World | None = None) -> None:
        self.state: State
        self._load(compiled, fresh_data(compiled) if data is None else data)
        self._data.qpos[:] = compiled.qpos_start
        self._hold_still()
        if before:
            self._inherit(before)
        self._refresh()

    @classmethod
    def of(cls, blueprint: Blueprint) -> World:
        """Compile a blueprint and start it."""
        return cls(compile_world(blueprint))

    def _load(self, compiled: Compiled, data: Any) -> None:
        self.compiled, self._model, self._data = compiled, compiled.model, data
        self.dt = float(compiled.model.opt.timestep)
        self.frozen = False
        self._rigs = {p.name: Rig(p, compiled, data) for p in compiled.blueprint.robots}
        self._tracks = [rig.tracks for rig in self._rigs.values() if rig.tracks]
        # views of MuJoCo's arrays are made once: making one costs more than using it
        self._qpos, self._qvel = data.qpos, data.qvel
        self._acceleration, self._forward = np.zeros(self._model.nv), np.zeros(self._model.nv)
        self._good_qpos, self._good_qvel = data.qpos.copy(), data.qvel.copy()
        arms = [rig.index.arm for rig in self._rigs.values()]
        self._arms_at = np.concatenate([arm.qpos for arm in arms] or [NO_NUMBERS])
        self._arms_dofs = np.concatenate([arm.dofs for arm in arms] or [NO_NUMBERS])
        self._bounds = bounds_of(joint for p in compiled.blueprint.robots for joint in p.model.arm.joints)
        self._tree_awake = data.tree_awake
        self._contacts = ContactReader(self._model, data, self._rigs)
        self._grasps = Grasps(compiled)
        self._pairs: tuple[PairContact, ...] = ()
        self._trial: OverlapTrial | None = None

    @property
    def blueprint(self) -> Blueprint:
        """The present blueprint."""
        return self.compiled.blueprint

    def rig(self, robot: str) -> Rig:
        """Return a robot's part of the physics."""
        return self._rigs[robot]

    @property
    def overlaps(self) -> Overlaps:
        """The present overlaps."""
        return Overlaps(self.compiled, self._data)

    # ── The tick ─────────────────────────────────────────────────────────────────────────────────────────────────

    def step(
        self,
        setpoints: Mapping[str, Mapping[str, Setpoint]],
        loads: Mapping[str, Vec3] = NO_LOADS,
        without_feedforward: Collection[str] = NO_ROBOTS,
    ) -> tuple[State, tuple[Note, ...]]:
        """Advance by one time step.

        Args:
            setpoints: By robot and group; robots without one keep their last set-points.
            loads: Forces (N, world axes) at the tips of robots, unknown to their drives.
            without_feedforward: Robots whose drives have no feed-forward in this step.

        Returns:
            The measured state, and notes if the physics had to be frozen.
        """
        if self.frozen:
            return self.state, (FROZEN,)
        self._drive(setpoints, without_feedforward)
        for name, force in loads.items():
            self._rigs[name].push(force)
        self._advance()
        if not self._keep():
            note = self._freeze()
            return self.state, (note,)
        self.state = self._measure(self.state)
        return self.state, ()

    def _keep(self) -> bool:
        """Return whether the physics is sound; if so, keep this state as the last good one."""
        return keep_if_good(
            self._qpos, self._qvel, self._arms_at, self._arms_dofs, self._bounds, self._good_qpos, self._good_qvel
        )

    def _advance(self) -> None:
        """Integrate, then compute positions and velocities of the new state.

        This is mj_step, begun in its middle, so that all measurements and the feed-forward of the next tick belong to
        one instant.
        """
        mujoco.mj_step2(self._model, self._data)
        self._pairs = self._contacts.pairs()
        for tracks in self._tracks:
            tracks.measure_loads()
        mujoco.mj_step1(self._model, self._data)

    def _drive(self, setpoints: Mapping[str, Mapping[str, Setpoint]], without_feedforward: Collection[str]) -> None:
        acceleration, forward = self._acceleration, self._forward
        for name, groups in setpoints.items():
            self._rigs[name].take(groups, acceleration)
        mujoco.mj_mulM(self._model, self._data, forward, acceleration)
        for name in setpoints:
            self._rigs[name].drive(forward, feedforward=name not in without_feedforward)

    def _freeze(self) -> Note:
        culprit = _culprit(self.compiled, self._data)
        controls, now = self._data.ctrl.copy(), self._data.time
        zooms = {name: rig.cameras.zooms() for name, rig in self._rigs.items()}
        mujoco.mj_resetData(self._model, self._data)  # clears everything else that is not finite: warm starts, forces
        self._qpos[:], self._data.ctrl[:], self._data.time = self._good_qpos, controls, now
        for name, rig in self._rigs.items():
            rig.cameras.hold(zooms[name])
        mujoco.mj_forward(self._model, self._data)
        self._measure_all()
        self.frozen = True
        return Note(
            "world.diverged" if len(culprit) > 1 else "world.diverged.object", "fault", culprit, free=FROZEN.free
        )

    # ── Measuring ────────────────────────────────────────────────────────────────────────────────────────────────

    def _measure(self, last: State) -> State:
        robots = self._measure_robots()
        objects, asleep, joints, items = last.objects, last.asleep, last.joints, self.compiled.index.objects
        awake = self._tree_awake.tolist()
        moving = [item for item in items if awake[item.tree]]
        if moving:
            objects = objects.copy()
            for item in moving:
                objects[item.name] = self._pose_of(item)
            joints = self._joints(moving, joints)
        # resting objects cost nothing here: their poses are kept, and the set of names too until one wakes
        if len(moving) + len(asleep) != len(items) or any([item.name in asleep for item in moving]):
            asleep = frozenset([item.name for item in items if not awake[item.tree]])
        return State(robots, objects, asleep, self._data.ncon, joints, self._pairs)

    def _measure_robots(self) -> dict[str, RobotState]:
        robots = {name: rig.measure() for name, rig in self._rigs.items()}
        for name, held in self._grasps.found(self._data).items():
            robots[name] = replace(robots[name], held=held)
        if any([robot.touching for robot in robots.values()]):
            for name in self._grasps.clamped(self._data):
                robots[name] = replace(robots[name], clamped=True)
        return robots

    def _pose_of(self, item: ObjectIndex) -> Pose:
        if item.loose:
            x, y, z, w, i, j, k = self._qpos[item.at].tolist()
        else:
            x, y, z = self._data.xpos[item.body].tolist()
            w, i, j, k = self._data.xquat[item.body].tolist()
        return Pose((x, y, z), (w, i, j, k))

    def _joints(self, items: Iterable[ObjectIndex], last: dict[str, float]) -> dict[str, float]:
        """Return the positions of objects' joints, with those of the given objects measured again."""
        found = {item.name: float(self._qpos[item.qpos]) for item in items if not item.loose}
        return last | found if found else last

    def _refresh(self) -> None:
        """Compute everything again after a change from outside."""
        resting = self._data.tree_asleep
        resting[resting < 0] = -(1 + mujoco.mjMINAWAKE)  # an object that lost its support must not sleep in the air
        mujoco.mj_forward(self._model, self._data)
        self._keep()
        self._measure_all()

    def _measure_all(self) -> None:
        """Measure everything, including resting objects."""
        robots = self._measure_robots()
        items = self.compiled.index.objects
        objects = {item.name: self._pose_of(item) for item in items}
        self._pairs = self._contacts.pairs()
        self.state = State(robots, objects, frozenset(), self._data.ncon, self._joints(items, {}), self._pairs)

    def contacts(self) -> tuple[Contact, ...]:
        """Return every present contact, with the names of the bodies."""
        return self._contacts.contacts()

    def body_poses(self, bodies: Ints) -> tuple[Floats, Floats]:
        """Return positions and quaternions (wxyz) of bodies, by their numbers in the compiled model."""
        return self._data.xpos[bodies], self._data.xquat[bodies]

    def show(self, qpos: Floats) -> None:
        """Show recorded joint positions of the whole physics without a step: the poses of all bodies follow them.

        Raises:
            WorldError: If they are of another world.
        """
        if len(qpos) != len(self._qpos) or not np.isfinite(qpos).all():
            raise WorldError(f"the world has {len(self._qpos)} joint positions, the record has {len(qpos)}")
        self._qpos[:] = qpos
        mujoco.mj_kinematics(self._model, self._data)

    def body_poses_with(self, robot: str, joints: Vector, bodies: Ints) -> tuple[Floats, Floats]:
        """Return positions and quaternions of bodies for other joints of a robot's arm.

        Args:
            robot: Its name.
            joints: Of its arm (rad, m).
            bodies: By their numbers in the compiled model.
        """
        data = mujoco.MjData(self._model)
        data.qpos[:] = self._qpos
        rig = self.rig(robot)
        data.qpos[rig.index.arm.qpos] = joints
        if loop := loop_of(rig.chain, rig.index):
            loop.close(data.qpos)
        mujoco.mj_kinematics(self._model, data)
        return data.xpos[bodies], data.xquat[bodies]

    def contact_marks(self) -> Floats:
        """Return a row of x, y, z (world frame) and normal force (N) for each present contact."""
        return self._contacts.marks()

    def touched_by(self, robot: str, limb: Limb | None = None) -> tuple[str, ...]:
        """Return the names of everything that a robot's moving links touch; its own name if they touch each other.

        Args:
            robot: Its name.
            limb: Count this part of it only; contacts with the robot's other parts come last.
        """
        return self._contacts.touched_by(robot, limb)

    # ── Changes from outside, between two ticks ──────────────────────────────────────────────────────────────────

    def reset_robot(self, name: str) -> float:
        """Reset a robot to its home in the blueprint, at rest.

        Returns:
            The height (m) by which a driving robot had to be raised because its place was taken. A bolted robot is
                never raised.
        """
        self._check_robot(name)
        rig = self._rigs[name]
        rig.put(rig.posture(np.array(self.compiled.qpos_start)))
        rig.cameras.hold(zooms={})
        raised = self._raise_clear(rig) if rig.tracks else 0.0
        self._thaw()
        return raised

    def _raise_clear(self, rig: Rig) -> float:
        assert rig.tracks is not None
        places, at = FreePlaces(self._model, self._qpos), rig.tracks.index.base_at
        return places.raise_clear(below(self._model, rig.index.base_body), at, belts=rig.tracks.index.belts)

    def reset_objects(self, name: str = "") -> tuple[str, ...]:
        """Reset moving objects, or one of them, to their places in the blueprint, at rest.

        A loose object whose place is taken is placed above it; one on a joint stays where it is.

        Returns:
            Names of the objects that stayed.

        Raises:
            UnknownNameError: If there is no such object.
        """
        items = self.compiled.index.objects
        if name:
            items = tuple(item for item in items if item.name == name)
            if not items:
                raise UnknownNameError("object that moves", name, [item.name for item in self.compiled.index.objects])
        stayed = self._put_back(items)
        self._thaw()
        return stayed

    def _put_back(self, items: tuple[ObjectIndex, ...]) -> tuple[str, ...]:
        start, places = np.array(self.compiled.qpos_start), FreePlaces(self._model, self._qpos)
        before = self._qpos.copy()
        for item in items:
            self._place(item, start[item.at])
        # the lowest first, so that objects find their support in place
        waiting = sorted(items, key=lambda item: start[item.qpos + 2] if item.loose else -np.inf)
        pending = {body for item in waiting for body in below(self._model, item.body)}
        stayed: tuple[str, ...] = ()
        for item in waiting:
            bodies = below(self._model, item.body)
            pending -= bodies
            if item.loose:
                places.raise_clear(bodies, item.qpos, pending)
            elif places.blocked(bodies, pending):
                self._place(item, before[item.at])
                stayed = (*stayed, item.name)
        return stayed

    def put(
        self, robots: Mapping[str, Posture], objects: Mapping[str, Pose], joints: Mapping[str, float] = NO_JOINTS
    ) -> None:
        """Place robots and objects, at rest; those not named stay where they are.

        Names and numbers are trusted: check them first.

        Args:
            robots: All joints of robots.
            objects: Poses of loose objects.
            joints: Positions of objects on joints.
        """
        for name, posture in robots.items():
            self._rigs[name].put(posture)
        for item in self.compiled.index.objects:
            if item.loose and item.name in objects:
                pose = objects[item.name]
                self._place(item, np.array([*pose.position, *pose.rotation]))
            elif item.name in joints:
                self._place(item, np.array([joints[item.name]]))
        self._thaw()

    def load_on(self, name: str) -> str:
        """Return the name of an object or robot that stands on an object, or an empty text."""
        return load_on(self.compiled, self._qpos, name)

    def falls(self, name: str) -> bool:
        """Return whether an object is in mid-air."""
        return falls(self.compiled, self._qpos, name)

    def after(self, event: Edit) -> Blueprint:
        """Return the blueprint after an edit, without changing anything.

        Raises:
            UnknownNameError: If it names an object that does not exist.
            RefusedError: If the edit is not possible.
        """
        return edited(self.blueprint, event)

    def move_object(self, event: MoveObject) -> bool:
        """Move a loose object at once and return True; return False for a fixed one, which needs compiling.

        Raises:
            RefusedError: If it would overlap a robot there; nothing has changed.
        """
        for item in self.compiled.index.objects:
            if item.loose and item.name == event.name:
                at = np.array([*event.pose.position, *event.pose.rotation])
                self._trial = self._trial or OverlapTrial(self.compiled)
                if robot := self._trial.robot_at(item, at, self._qpos):
                    about = (Subject("body", event.name), Subject("robot", robot))
                    raise RefusedError(Note("refused.inside", about=about))
                self._place(item, at)
                self._refresh()
                return True
        return False

    def swap(self, compiled: Compiled, data: Any = None) -> None:
        """Continue with another compiled world; robots and objects in both keep their state and velocity.

        Args:
            compiled: The other world.
            data: New `MjData` of its model, if it exists already.
        """
        self.become(World(compiled, data, self))

    def become(self, other: World) -> None:
        """Become a world that was made to continue this one."""
        vars(self).update(vars(other))

    def _inherit(self, before: World) -> None:
        self._data.time = before._data.time
        sources = {item.name: item for item in before.compiled.index.objects}
        for item in self.compiled.index.objects:
            source = sources.get(item.name)
            if source and source.loose == item.loose:
                self._qpos[item.at], self._qvel[item.rates] = before._qpos[source.at], before._qvel[source.rates]
        for name, rig in self._rigs.items():
            if name in before._rigs:
                rig.inherit(before._rigs[name])
        # belts must move before the first contacts are made, or these would brake a driving robot
        mujoco.mj_kinematics(self._model, self._data)
        for tracks in self._tracks:
            tracks.move()
        self.frozen = before.frozen  # only a reset ends a freeze

    def _place(self, item: ObjectIndex, at: Floats) -> None:
        self._qpos[item.at], self._qvel[item.rates] = at, 0.0

    def _hold_still(self) -> None:
        for rig in self._rigs.values():
            rig.hold_here()

    def _thaw(self) -> None:
        self.frozen = False
        self._refresh()

    def _check_robot(self, name: str) -> None:
        if name not in self._rigs:
            raise UnknownNameError("robot", name, self._rigs)

    # ── Going back ───────────────────────────────────────────────────────────────────────────────────────────────

    def snapshot(self) -> Snapshot:
        """Return a copy from which the world continues identically, to the bit."""
        return Snapshot(self.compiled, copy.copy(self._data), self.state, self.frozen)

    def restore(self, snapshot: Snapshot) -> None:
        """Restore a snapshot."""
        self._load(snapshot.compiled, copy.copy(snapshot.data))
        self.state, self.frozen = snapshot.state, snapshot.frozen

    def saved_physics(self) -> SavedPhysics:
        """Return the physics as plain values, from which a world of the same blueprint continues in any process."""
        return SavedPhysics(*saved_arrays(self._model, self._data), self.frozen)

    def load_physics(self, saved: SavedPhysics, state: State) -> None:
        """Continue from saved physics of a world of the same blueprint.

        Args:
            saved: The physics.
            state: The state as measured then.

        Raises:
            WorldError: If it is of another world.
        """
        data = fresh_data(self.compiled)
        load_arrays(self._model, data, saved)
        self._load(self.compiled, data)
        mujoco.mj_step1(self._model, self._data)
        self.state, self.frozen, self._pairs = state, saved.frozen, state.pairs

    @property
    def qpos(self) -> Floats:
        """The joint positions of the whole physics; not to be changed."""
        qpos: Floats = self._qpos
        return qpos


def _culprit(compiled: Compiled, data: Any) -> tuple[Subject, ...]:
    """Return the body that diverged, and its robot if any: the first that MuJoCo found, else the fastest one."""
    dof = int(np.argmax(np.nan_to_num(np.abs(data.qvel), nan=np.inf)))
    for kind in (mujoco.mjtWarning.mjWARN_BADQVEL, mujoco.mjtWarning.mjWARN_BADQACC):
        if data.warning[int(kind)].number:
            dof = int(data.warning[int(kind)].lastinfo)
            break
    name = str(compiled.model.body(compiled.model.dof_bodyid[dof]).name)
    robot, _, body = name.partition("/")
    placements = {p.name: p for p in compiled.blueprint.robots}
    if not body or robot not in placements:
        return (Subject("body", name),)
    return (Subject("link", title_of(placements[robot].model, body)), Subject("robot", robot))


def _ignore(text: str) -> None:
    """Ignore MuJoCo's warnings, which it would print and append to a file in the middle of a tick; they are counted."""
    del text


mujoco.set_mju_user_warning(_ignore)
