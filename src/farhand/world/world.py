"""The physics: the one thing in a tick that is not a value. Set-points go in, the measured state comes out."""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import mujoco
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from farhand.errors import UnknownNameError
from farhand.notes import RefusedError
from farhand.poses import Pose, Vec3
from farhand.types import Contact, Limb, MoveObject, Note, PairContact, RobotState, Setpoint, State, Subject, Vector
from farhand.world.attach import title_of
from farhand.world.blueprint import Blueprint, Edit, edited
from farhand.world.compiled import Compiled, compile_world, fresh_data
from farhand.world.contacts import Touching
from farhand.world.grasp import Grasps
from farhand.world.index import ObjectIndex
from farhand.world.overlap import Inside, Trial
from farhand.world.passive_joints import loop_of
from farhand.world.placing import FreePlaces, below
from farhand.world.rig import Posture, Rig
from farhand.world.runaway import bounds_of, keep_if_good
from farhand.world.support import falls, load_on

__all__ = ["Snapshot", "World"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
NO_LOADS: Mapping[str, Vec3] = {}
NO_JOINTS: Mapping[str, float] = {}
NOBODY: Collection[str] = ()
NO_NUMBERS: Ints = np.zeros(0, np.int64)
FROZEN = Note("world.frozen", "fault", free=("reset-world",))


class Snapshot(Struct, frozen=True):
    """Everything needed to go on from here exactly: the compiled world, a copy of the physics, the measured state."""

    compiled: Compiled
    data: Any
    state: State
    frozen: bool


class World:
    """A running physics world.

    Args:
        compiled: What `compile_world` made of a blueprint.
        data: Fresh `MjData` of its model, if that has been made ahead.
        before: The world that it goes on from, which is left as it is: robots and objects that both have keep their
            state, and go on as fast as they went.
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
        """Compile a blueprint here and now, and start it."""
        return cls(compile_world(blueprint))

    def _load(self, compiled: Compiled, data: Any) -> None:
        self.compiled, self._model, self._data = compiled, compiled.model, data
        self.dt = float(compiled.model.opt.timestep)
        self.frozen = False
        self._rigs = {p.name: Rig(p, compiled, data) for p in compiled.blueprint.robots}
        self._tracks = [rig.tracks for rig in self._rigs.values() if rig.tracks]
        # Views of MuJoCo's arrays, made once: making one costs more than using it.
        self._qpos, self._qvel = data.qpos, data.qvel
        self._acceleration, self._forward = np.zeros(self._model.nv), np.zeros(self._model.nv)
        self._good_qpos, self._good_qvel = data.qpos.copy(), data.qvel.copy()
        arms = [rig.index.arm for rig in self._rigs.values()]
        self._arms_at = np.concatenate([arm.qpos for arm in arms] or [NO_NUMBERS])
        self._arms_dofs = np.concatenate([arm.dofs for arm in arms] or [NO_NUMBERS])
        self._bounds = bounds_of(joint for p in compiled.blueprint.robots for joint in p.model.arm.joints)
        self._tree_awake = data.tree_awake
        self._touching = Touching(self._model, data, self._rigs)
        self._grasps = Grasps(compiled)
        self._pairs: tuple[PairContact, ...] = ()
        self._trial: Trial | None = None

    @property
    def blueprint(self) -> Blueprint:
        """What the world is made of now."""
        return self.compiled.blueprint

    def rig(self, robot: str) -> Rig:
        """Return the robot's place in the physics."""
        return self._rigs[robot]

    @property
    def inside(self) -> Inside:
        """Tells what is inside of what at present."""
        return Inside(self.compiled, self._data)

    # ── The tick ─────────────────────────────────────────────────────────────────────────────────────────────────

    def step(
        self,
        setpoints: Mapping[str, Mapping[str, Setpoint]],
        loads: Mapping[str, Vec3] = NO_LOADS,
        unhelped: Collection[str] = NOBODY,
    ) -> tuple[State, tuple[Note, ...]]:
        """Advance by one time step.

        Args:
            setpoints: By robot and group; robots without one keep what they were told last.
            loads: Forces (N, world axes) at the tips of robots, unknown to their drives.
            unhelped: Robots whose drives go without feed-forward in this step.

        Returns:
            The measured state, and notes if the physics had to be frozen.
        """
        if self.frozen:
            return self.state, (FROZEN,)
        self._drive(setpoints, unhelped)
        for name, force in loads.items():
            self._rigs[name].push(force)
        self._advance()
        if not self._keep():
            note = self._freeze()
            return self.state, (note,)
        self.state = self._measure(self.state)
        return self.state, ()

    def _keep(self) -> bool:
        """Keep this state if one can go back to it, and return whether the physics did not run away."""
        return keep_if_good(
            self._qpos, self._qvel, self._arms_at, self._arms_dofs, self._bounds, self._good_qpos, self._good_qvel
        )

    def _advance(self) -> None:
        """Integrate, then compute positions and velocities of the new state.

        The same arithmetic as mj_step, begun in its middle: so everything measured, and the feed-forward of the next
        tick, belongs to one instant.
        """
        mujoco.mj_step2(self._model, self._data)
        self._pairs = self._touching.pairs()
        for tracks in self._tracks:
            tracks.weigh()
        mujoco.mj_step1(self._model, self._data)

    def _drive(self, setpoints: Mapping[str, Mapping[str, Setpoint]], unhelped: Collection[str]) -> None:
        acceleration, forward = self._acceleration, self._forward
        for name, groups in setpoints.items():
            self._rigs[name].take(groups, acceleration)
        mujoco.mj_mulM(self._model, self._data, forward, acceleration)
        for name in setpoints:
            self._rigs[name].drive(forward, helped=name not in unhelped)

    def _freeze(self) -> Note:
        culprit = _culprit(self.compiled, self._data)
        controls, now = self._data.ctrl.copy(), self._data.time
        zooms = {name: rig.cameras.zooms() for name, rig in self._rigs.items()}
        mujoco.mj_resetData(self._model, self._data)  # clears what else is not finite: warm starts, forces
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
        # What rests costs nothing here either: its pose and, as long as nothing wakes, the set of names are kept.
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
        """Return where joints of objects are, those of the given ones anew."""
        found = {item.name: float(self._qpos[item.qpos]) for item in items if not item.loose}
        return last | found if found else last

    def _refresh(self) -> None:
        """Compute everything anew after the state was set from outside."""
        resting = self._data.tree_asleep
        resting[resting < 0] = -(1 + mujoco.mjMINAWAKE)  # what has just lost its hold must not fall asleep in the air
        mujoco.mj_forward(self._model, self._data)
        self._keep()
        self._measure_all()

    def _measure_all(self) -> None:
        """Measure everything anew, also what rests."""
        robots = self._measure_robots()
        items = self.compiled.index.objects
        objects = {item.name: self._pose_of(item) for item in items}
        self._pairs = self._touching.pairs()
        self.state = State(robots, objects, frozenset(), self._data.ncon, self._joints(items, {}), self._pairs)

    def contacts(self) -> tuple[Contact, ...]:
        """Return every contact of the moment, with the names of the bodies that touch."""
        return self._touching.contacts()

    def body_poses(self, bodies: Ints) -> tuple[Floats, Floats]:
        """Return positions and quaternions (wxyz) of bodies, by their numbers in the compiled model."""
        return self._data.xpos[bodies], self._data.xquat[bodies]

    def body_poses_with(self, robot: str, joints: Vector, bodies: Ints) -> tuple[Floats, Floats]:
        """Return positions and quaternions of bodies as they would be if a robot's arm were elsewhere.

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
        """Return a row of x, y, z (world frame) and normal force (N) for each contact of the moment."""
        return self._touching.marks()

    def touched_by(self, robot: str, limb: Limb | None = None) -> tuple[str, ...]:
        """Return what a robot's moving links touch, by name, each once; its own name if they touch each other.

        Args:
            robot: Its name.
            limb: Count this part of it only; what it touches of the robot's other parts comes last.
        """
        return self._touching.touched_by(robot, limb)

    # ── Changes from outside, between two ticks ──────────────────────────────────────────────────────────────────

    def reset_robot(self, name: str) -> float:
        """Put a robot to where the blueprint has it, at home and at rest.

        Returns:
            By how much a robot that drives about had to be put higher, because something was in its place, fixed or
            not, m. One that is bolted down is put there all the same.
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
        room, at = FreePlaces(self._model, self._qpos), rig.tracks.index.base_at
        return room.raise_clear(below(self._model, rig.index.base_body), at, belts=rig.tracks.index.belts)

    def reset_objects(self, name: str = "") -> tuple[str, ...]:
        """Put objects that move, or one of them, back to where the blueprint has them, at rest.

        A loose one whose place is taken is put above that; one on a joint stays as it is.

        Returns:
            Names of those that stayed as they are.

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
        start, room = np.array(self.compiled.qpos_start), FreePlaces(self._model, self._qpos)
        before = self._qpos.copy()
        for item in items:
            self._place(item, start[item.at])
        # The lowest first: what stands on others finds them in their place.
        waiting = sorted(items, key=lambda item: start[item.qpos + 2] if item.loose else -np.inf)
        pending = {body for item in waiting for body in below(self._model, item.body)}
        stayed: tuple[str, ...] = ()
        for item in waiting:
            bodies = below(self._model, item.body)
            pending -= bodies
            if item.loose:
                room.raise_clear(bodies, item.qpos, pending)
            elif room.blocked(bodies, pending):
                self._place(item, before[item.at])
                stayed = (*stayed, item.name)
        return stayed

    def put(
        self, robots: Mapping[str, Posture], objects: Mapping[str, Pose], joints: Mapping[str, float] = NO_JOINTS
    ) -> None:
        """Put robots and objects somewhere, at rest; those that are not named stay as they are.

        Names and numbers are trusted: check them first.

        Args:
            robots: Where all their joints are.
            objects: Where loose ones are.
            joints: Where those on joints are.
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
        """Return what stands on an object, or an empty text."""
        return load_on(self.compiled, self._qpos, name)

    def falls(self, name: str) -> bool:
        """Return whether an object is in mid-air."""
        return falls(self.compiled, self._qpos, name)

    def after(self, event: Edit) -> Blueprint:
        """Return the blueprint that an edit would give, without changing anything.

        Raises:
            UnknownNameError: If it names an object that is not there.
            WorldError: If it makes no world.
        """
        return edited(self.blueprint, event)

    def move_object(self, event: MoveObject) -> bool:
        """Move a loose object at once and return True; return False for a fixed one, which needs compiling.

        Raises:
            RefusedError: If it would be inside a robot there; nothing has changed.
        """
        for item in self.compiled.index.objects:
            if item.loose and item.name == event.name:
                at = np.array([*event.pose.position, *event.pose.rotation])
                self._trial = self._trial or Trial(self.compiled)
                if robot := self._trial.robot_at(item, at, self._qpos):
                    about = (Subject("body", event.name), Subject("robot", robot))
                    raise RefusedError(Note("refused.inside", about=about))
                self._place(item, at)
                self._refresh()
                return True
        return False

    def swap(self, compiled: Compiled, data: Any = None) -> None:
        """Go on with another compiled world; robots and objects that both have keep their state and their speed.

        Args:
            compiled: The other world.
            data: Fresh `MjData` of its model, if that has been made ahead.
        """
        self.become(World(compiled, data, self))

    def become(self, other: World) -> None:
        """Go on as a world that was made to go on from this one."""
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
        # Belts run on before the first contacts are made: those would hold back what drives.
        mujoco.mj_kinematics(self._model, self._data)
        for tracks in self._tracks:
            tracks.move()
        self.frozen = before.frozen  # only a reset thaws

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
        """Return a copy from which the world goes on to the bit."""
        return Snapshot(self.compiled, copy.copy(self._data), self.state, self.frozen)

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot."""
        self._load(snapshot.compiled, copy.copy(snapshot.data))
        self.state, self.frozen = snapshot.state, snapshot.frozen


def _culprit(compiled: Compiled, data: Any) -> tuple[Subject, ...]:
    """Return the body that ran away, and its robot if it has one: the first that MuJoCo found, else the fastest one."""
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
    """Take MuJoCo's warnings, which it would print and append to a file in the middle of a tick; we count them."""
    del text


mujoco.set_mju_user_warning(_ignore)
