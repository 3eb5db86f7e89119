"""The cell: one fold of inputs over robots' lanes and one physics step."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from farhand.cell.arenas import Arenas
from farhand.cell.assemble import (
    blueprint_of,
    compiled_of,
    lanes_of,
    masters_of,
)
from farhand.cell.checkpoint import STARTED_ANEW, Checkpoint, fitting_blueprint
from farhand.cell.degraded import UNHARMED, Degraded, with_degraded
from farhand.cell.files import check_robot, find_cell, read_cell
from farhand.cell.plain import plain_cell
from farhand.cell.respec import respec
from farhand.cell.spec import CellSpec, RobotSpec
from farhand.cell.standing import check_standing
from farhand.cell.tools import after_change, tool_problem, tools_on, with_tools
from farhand.cell.vetting import vetted
from farhand.cell.ways import Ways, changed, retooled
from farhand.distances import Arena
from farhand.errors import CommandError, FarhandError
from farhand.formats.model import RobotModel
from farhand.kernels import compile_all
from farhand.kernels.notice import NOT_IN_A_TICK, slow_notice
from farhand.lane import Lane, LaneMemory
from farhand.lane.faults import FEEDFORWARD
from farhand.lane.guard_stage import name_obstacles
from farhand.lane.lane import NO_OBJECTS
from farhand.lane.requests import NO_REQUESTS, requests_for
from farhand.masters import Master
from farhand.poses import Pose, Vec3, normalized
from farhand.types import (
    AddObject,
    AimCamera,
    BreakWrist,
    ChangeTool,
    ClearLoad,
    DegradeCamera,
    Event,
    Inputs,
    LaneReport,
    Load,
    MoveObject,
    Note,
    Reconfigure,
    RemoveObject,
    Reset,
    ResetObjects,
    ResetRobot,
    Setpoint,
    State,
    Tick,
)
from farhand.world import Blueprint, Compiled, Edit, Snapshot, World, compile_world, fresh_data

__all__ = ["Cell", "CellSnapshot"]

T = TypeVar("T")
NOTHING = Inputs()


class _Ready(Struct, frozen=True):
    """A world that lies ready for a coming edit.

    Args:
        compiled: The world.
        data: Fresh `MjData` of its model, if that has been made.
        arenas: What the arms keep clear of in it.
        ways: How the robots were driven when these were made.
    """

    compiled: Compiled
    data: Any
    arenas: dict[str, Arena]
    ways: Ways


class CellSnapshot(Struct, frozen=True):
    """Everything needed to go on from here to the bit."""

    number: int
    lanes: dict[str, LaneMemory]
    loads: dict[str, Vec3]
    world: Snapshot
    fault: str | None
    ways: Ways
    degraded: Degraded


class Cell:
    """A work cell in virtual time: each step is one tick, and the same inputs and seed give the same ticks.

    Args:
        spec: What the cell file says.
        path: Where the file is; relative paths in it start from its folder.
        seed: Decides everything random.
        models: Robots' models that have been read already, by robot name.

    Raises:
        CellFileError: If something in the file cannot be had, does not fit, makes no world or no stable drive.
    """

    def __init__(
        self, spec: CellSpec, path: Path, seed: int = 0, models: Mapping[str, RobotModel] | None = None
    ) -> None:
        # loads what is kept, so that no tick ever waits for a compiler
        compile_all(slow_notice(), without=NOT_IN_A_TICK)
        self.spec, self.path, self.seed = spec, path, seed
        self.world = World(compiled_of(blueprint_of(spec, path, seed, models or {}), path))
        check_standing(self.world, path)
        self._first = self._ways = Ways(lanes_of(spec, path, self.world), spec.robots)
        self._arenas = Arenas(spec, path, self.world.compiled)
        self._arenas.check_names(self.world.compiled)
        self._look_anew()
        self.dt = spec.timestep
        self._masters = {name: robot.master or next(iter(spec.masters), "") for name, robot in spec.robots.items()}
        self._driving = frozenset(self._masters.values())
        self._memory = {name: self._started(name) for name in self.lanes}
        self._loads: dict[str, Vec3] = {}
        self.degraded: Degraded = UNHARMED
        self._still: tuple[Blueprint | None, dict[str, Pose]] = (None, {})
        self._number = 0
        self._fault: str | None = None
        self._prepared: _Ready | None = None

    @classmethod
    def load(cls, name: str | Path, seed: int = 0) -> Cell:
        """Return the cell of a name of the catalogue, or of a cell file.

        Raises:
            UnknownNameError: If the catalogue has no such cell.
            CellFileError: If the file is not what it should be.
        """
        path = find_cell(name)
        return cls(read_cell(path), path, seed)

    @classmethod
    def for_robot(
        cls,
        robot: str | Path,
        *,
        tip: str | None = None,
        base: str | None = None,
        tool: str | None = None,
        seed: int = 0,
    ) -> Cell:
        """Return a plain cell around any robot: a name of the catalogue, or the path of a URDF, MJCF or robot.toml.

        Args:
            robot: Name or path.
            tip: Which end effector, if there are several.
            base: Which body is the base, if not the root.
            tool: A tool of the catalogue to mount at the tip.
            seed: Decides everything random.

        Raises:
            UnknownNameError: If it is neither a file nor a name of the catalogue.
            RobotFileError: If the file cannot be read.
        """
        spec, models = plain_cell(robot, tip, base, tool)
        return cls(spec, Path.cwd() / "cell.toml", seed, models)

    @property
    def lanes(self) -> dict[str, Lane]:
        """What is between each robot's inputs and its drives; another dict after every change of one."""
        return self._ways.lanes

    @property
    def robots(self) -> Mapping[str, RobotSpec]:
        """What the robots' tables in the cell file would say, with what was changed since."""
        return self._ways.specs

    @property
    def state(self) -> State:
        """The world as last measured."""
        return self.world.state

    @property
    def number(self) -> int:
        """Number of the last tick; 0 before the first."""
        return self._number

    @property
    def time(self) -> float:
        """Seconds of virtual time."""
        return self._number * self.dt

    @property
    def memory(self) -> Mapping[str, LaneMemory]:
        """What each robot's lane remembers from the last tick; not to be changed."""
        return self._memory

    def notes(self) -> dict[str, tuple[Note, ...]]:
        """Return what the readers of the robots' files had to assume, by robot."""
        return {p.name: p.model.notes for p in self.world.blueprint.robots}

    def master_of(self, robot: str) -> str:
        """Return the name of the master that drives a robot."""
        return self._masters[robot]

    def make_masters(self) -> dict[str, Master]:
        """Return fresh masters as the cell file describes them, by name."""
        return masters_of(self.spec, self.path)

    # ── The tick ─────────────────────────────────────────────────────────────────────────────────────────────────

    def step(self, inputs: Inputs = NOTHING) -> Tick:
        """Advance by one tick.

        Args:
            inputs: New readings by master name, and events in order. Nothing else enters.
        """
        number = self._number + 1
        events, notes = self._take(inputs.events) if inputs.events else ((), ())
        robots = self.world.state.robots  # as the events left them
        notes += self._strangers(inputs)
        reports: dict[str, LaneReport] = {}
        memory: dict[str, LaneMemory] = {}
        setpoints: dict[str, dict[str, Setpoint]] = {}
        unhelped: list[str] = []
        special = events or self._fault or inputs.held_up
        for name, lane in self.lanes.items():
            requests = requests_for(name, events, self._fault, inputs.held_up) if special else NO_REQUESTS
            reading = inputs.readings.get(self._masters[name])
            last, robot = self._memory[name], robots[name]
            try:
                objects = self._places() if lane.placed else NO_OBJECTS
                report, memory[name] = lane.step(number, reading, requests, robot, last, objects, self.world.state)
            except Exception as error:  # noqa: BLE001 - whatever breaks in a stage, its robot must stop and the others go on
                problem = f"a stage of {name} broke ({type(error).__name__}: {error})."
                report, memory[name] = lane.failed(number, problem, robot, last)
            setpoints[name], reports[name] = report.setpoints, self._with_obstacles(name, report)
            if FEEDFORWARD in report.off:
                unhelped.append(name)
        state, said = self.world.step(setpoints, self._loads, unhelped)
        self._number, self._memory = number, memory
        if said:
            self._freeze(said[0].text)
        return Tick(number, number * self.dt, state, reports, (*notes, *said))

    def _places(self) -> dict[str, Pose]:
        """Return where all objects are, also those that do not move."""
        blueprint = self.world.blueprint
        if self._still[0] is not blueprint:
            self._still = blueprint, {o.name: Pose(o.position, normalized(o.rotation)) for o in blueprint.objects}
        return {**self._still[1], **self.world.state.objects}

    def _with_obstacles(self, name: str, report: LaneReport) -> LaneReport:
        """Name what may block the robot, where a lane can only say that something does."""
        if not report.notes:
            return report
        notes = name_obstacles(report.notes, functools.partial(self.world.touched_by, name))
        return report if notes is report.notes else replace(report, notes=notes)

    def _strangers(self, inputs: Inputs) -> tuple[Note, ...]:
        """Say whose readings drive nothing."""
        known = self._driving
        if inputs.readings.keys() <= known:
            return ()
        return tuple(
            [
                Note("cell.stranger", f"No robot is driven by a master called {name!r}; its readings are ignored.")
                for name in inputs.readings
                if name not in known
            ]
        )

    def _freeze(self, problem: str) -> None:
        """Keep the lanes from running on while the physics stands."""
        self._fault = self._fault or problem
        self._rest_all()

    def _rest_all(self) -> None:
        robots = self.world.state.robots
        self._memory = {name: lane.rested(robots[name], self._memory[name]) for name, lane in self.lanes.items()}

    def _take(self, events: tuple[Event, ...]) -> tuple[tuple[Event, ...], tuple[Note, ...]]:
        """Apply what changes the world; return the events that the lanes shall see, and why others were refused.

        Nothing is half done: an event is checked as a whole before it changes anything, and one that breaks all the
        same is refused while the others, a stop among them, still count.
        """
        passed: list[Event] = []
        notes: list[Note] = []
        for event in events:
            try:
                vetted(event, self.world.blueprint)
                notes += self._apply(event)
                passed.append(event)
            except FarhandError as error:
                notes.append(Note("cell.refused", f"Refused: {error}."))
            except (TypeError, ValueError, LookupError, ArithmeticError, RuntimeError) as error:
                notes.append(Note("cell.refused", f"Refused: {type(event).__name__} cannot be done ({error})."))
        return tuple(passed), tuple(notes)

    def _apply(self, event: Event) -> tuple[Note, ...]:
        """Do what an event asks of the world; return what there is to say of it."""
        if isinstance(event, ResetRobot):
            return self._reset_robot(event.robot)
        if isinstance(event, ResetObjects):
            stayed = self._thaw(lambda: self.world.reset_objects(event.name))
            return tuple([Note("cell.blocked", f"{name} stays as it is: something is in its way.") for name in stayed])
        if isinstance(event, (AddObject, RemoveObject, MoveObject)):
            self._edit(event)
        elif isinstance(event, Load):
            self._loads = {**self._loads, event.robot: event.force}
        elif isinstance(event, ClearLoad):
            self._loads = {**self._loads, event.robot: (0.0, 0.0, 0.0)}
        elif isinstance(event, ChangeTool):
            self._change_tool(event)
        elif isinstance(event, BreakWrist):
            sensor = self.world.rig(event.robot).wrist
            assert sensor is not None
            sensor.broken = event.how
        elif isinstance(event, AimCamera):
            self.world.rig(event.robot).cameras.aim(event.camera, event.pan, event.tilt, event.zoom)
        elif isinstance(event, DegradeCamera):
            cameras = self.world.rig(event.robot).placement.cameras
            self.degraded = with_degraded(self.degraded, event, [camera.name for camera in cameras])
        elif isinstance(event, Reconfigure):
            self._reconfigure(event)
        elif isinstance(event, Reset) and not self.world.frozen:
            self._fault = None
        return ()

    def _reset_robot(self, name: str) -> tuple[Note, ...]:
        raised = self._thaw(lambda: self.world.reset_robot(name))
        self._memory[name] = self.lanes[name].rested(self.world.state.robots[name], self._memory[name])
        if not raised:
            return ()
        return (
            Note("cell.raised", f"Something stands where {name} belongs: it is put {raised:.2f} m above its place."),
        )

    def _reconfigure(self, event: Reconfigure) -> None:
        """Change how a robot is driven: what is new is built aside, and takes over between two ticks."""
        name, before = event.robot, self.lanes[event.robot]
        ways = changed(self._ways, name, respec(self.robots[name], event, self.spec), self.spec, self.world)
        self._memory[name] = ways.lanes[name].adopted(self._memory[name], before)
        self._ways = ways
        if event.part == "filter":
            self._look_anew()

    def _thaw(self, reset: Callable[[], T]) -> T:
        """Reset part of the world; if it was frozen, every robot starts from where it is found."""
        was_frozen = self.world.frozen
        said = reset()
        if was_frozen:
            self._rest_all()
        return said

    def _started(self, name: str) -> LaneMemory:
        return self.lanes[name].start(self.world.state.robots[name], self.spec.speed_level)

    # ── Edits of the world ───────────────────────────────────────────────────────────────────────────────────────

    def _edit(self, event: AddObject | RemoveObject | MoveObject) -> None:
        blueprint = self.world.after(event)
        if isinstance(event, MoveObject) and self.world.move_object(event):
            return
        ready = self._ready(blueprint)
        # made before anything changes: what they refuse shall not be half done
        arenas = ready.arenas if ready.ways is self._ways else self._arenas_in(ready.compiled)
        after = World(ready.compiled, ready.data, self.world)
        if isinstance(event, (AddObject, MoveObject)):
            name = event.object.name if isinstance(event, AddObject) else event.name
            if robot := after.inside.of_object(name):
                raise CommandError(f"the {name} would be inside {robot}")
        self.world.become(after)
        self._put_among(arenas)

    def _ready(self, blueprint: Blueprint) -> _Ready:
        """Return the world of a blueprint: the one that lies ready, if it is that."""
        ready, self._prepared = self._prepared, None
        if ready is None or ready.compiled.blueprint != blueprint:
            compiled = compile_world(blueprint)
            ready = _Ready(compiled, None, self._arenas_in(compiled), self._ways)
        return ready

    def _aside(self, blueprint: Blueprint) -> World:
        """Return another world that goes on from this one, whose arms have other shapes."""
        ready = self._ready(blueprint)
        return World(ready.compiled, ready.data, self.world)

    def _arenas_in(self, compiled: Compiled) -> dict[str, Arena]:
        """Return what the arms would keep clear of in a world; nothing where one of them has another tool."""
        if not self._arenas or tools_on(compiled.blueprint) != tools_on(self.world.blueprint):
            return {}
        return self._arenas.made(compiled, {name: lane.filters for name, lane in self.lanes.items()})

    def _put_among(self, arenas: Mapping[str, Arena]) -> None:
        for name, arena in arenas.items():
            self.lanes[name].put_among(arena)

    def _look_anew(self) -> None:
        """Tell the arms that keep clear what is around them now."""
        self._put_among(self._arenas_in(self.world.compiled))

    def after(self, event: Edit | ChangeTool) -> Blueprint:
        """Return the blueprint that an event would give, without changing anything.

        Raises:
            FarhandError: If it makes no world.
        """
        if not isinstance(event, ChangeTool):
            return self.world.after(event)
        return after_change(self.world.blueprint, event, self.spec, self.path)

    def _change_tool(self, event: ChangeTool) -> None:
        """Put another tool on a robot that stands still with nothing in its hand; its arm stays where it is."""
        name = event.robot
        robot, memory = self.world.state.robots[name], self._memory[name]
        problem = tool_problem(robot, memory, self.lanes[name].model.gripper)
        if problem:
            raise CommandError(f"{name} cannot change its tool: {problem}")
        blueprint = self.after(event)
        if blueprint == self.world.blueprint:
            return
        after = self._aside(blueprint)
        met = after.inside.of_tool(name) if event.tool else ""
        if met:
            problem = f"{event.tool} would be inside {met}; raise the arm first"
            raise CommandError(f"{name} cannot change its tool: {problem}")
        self._retool((name,), after)
        self._memory[name] = self.lanes[name].rested(self.world.state.robots[name], memory)

    def _retool(self, names: Iterable[str], world: World) -> None:
        """Go on in a world in which robots have another tool: another tip, another gripper, another lane.

        All of it is made before anything changes: what cannot be done is not half done.
        """
        ways = retooled(self._ways, names, self.spec, self.path, world)
        arenas = Arenas(self.spec, self.path, world.compiled)
        made = arenas.made(world.compiled, {name: lane.filters for name, lane in ways.lanes.items()})
        if world is not self.world:
            self.world.become(world)
        self._ways, self._arenas = ways, arenas
        self._put_among(made)

    def _fit_anew(self) -> None:
        """Find the shapes of the arms anew, which change with their tools, and what is around them."""
        self._retool((), self.world)

    def offer(self, compiled: Compiled) -> None:
        """Lay ready the compiled world that a coming edit will give, so that its tick is not late.

        Call it between two earlier ticks. An edit compiles its world itself if nothing fitting lies ready; the
        outcome is the same.
        """
        self._prepared = _Ready(compiled, fresh_data(compiled), self._arenas_in(compiled), self._ways)

    # ── Going back ───────────────────────────────────────────────────────────────────────────────────────────────

    def snapshot(self) -> CellSnapshot:
        """Return a copy from which the cell goes on to the bit."""
        memory, world = dict(self._memory), self.world.snapshot()
        return CellSnapshot(self._number, memory, self._loads, world, self._fault, self._ways, self.degraded)

    def restore(self, snapshot: CellSnapshot) -> None:
        """Go back to a snapshot of this cell."""
        self._number, self._memory = snapshot.number, dict(snapshot.lanes)
        self._loads, self._fault, self.degraded = snapshot.loads, snapshot.fault, snapshot.degraded
        before = self.world.compiled
        edited = snapshot.world.compiled is not before or snapshot.ways is not self._ways
        self._ways = snapshot.ways
        self.world.restore(snapshot.world)
        if tools_on(before.blueprint) != tools_on(self.world.blueprint):
            self._fit_anew()
        elif edited:
            self._look_anew()

    def resume(self, checkpoint: Checkpoint) -> None:
        """Go on in the world of a checkpoint of the same cell file: at rest, every robot stopped, ticks counted on.

        Raises:
            FarhandError: If the checkpoint does not fit; the cell is as it was.
        """
        before = self.snapshot()
        try:
            self._ways = self._first
            self._take_tools({name: found.tool for name, found in checkpoint.robots.items()})
            self._take_up(checkpoint)
        except FarhandError:
            self.restore(before)
            raise

    def _take_tools(self, tools: Mapping[str, str]) -> None:
        """Give robots the tools that they carried."""
        world = self.world
        if any(tools.get(p.name, p.tool) != p.tool for p in world.blueprint.robots):
            world = self._aside(with_tools(world.blueprint, tools, self.spec, self.path))
        others = [p.name for p in world.blueprint.robots if p.tool != (self.spec.robots[p.name].tool or "")]
        self._retool(others, world)

    def _take_up(self, checkpoint: Checkpoint) -> None:
        ways = self._ways
        for name, found in checkpoint.robots.items():
            if found.way and name in ways.specs:
                after = found.way.within(ways.specs[name])
                check_robot(after, self.spec, name)
                ways = changed(ways, name, after, self.spec, self.world, checkpoint.objects)
        blueprint = fitting_blueprint(checkpoint, self.world, ways.lanes)
        same = blueprint == self.world.blueprint
        compiled = self.world.compiled if same else compile_world(blueprint)
        self.world.swap(compiled)
        self._ways = ways
        self._look_anew()
        postures = {name: found.posture for name, found in checkpoint.robots.items()}
        self.world.put(postures, checkpoint.poses, checkpoint.joints)
        for name, found in checkpoint.robots.items():
            self.world.rig(name).cameras.hold(found.zooms)
        self.degraded = checkpoint.degraded
        robots = self.world.state.robots
        self._memory = {
            name: self.lanes[name].resumed(
                robots[name],
                found.told,
                found.mapping,
                found.speed_level,
                STARTED_ANEW,
                scale=found.scale,
                parked=found.parked,
            )
            for name, found in checkpoint.robots.items()
        }
        self._number, self._loads, self._fault, self._prepared = checkpoint.number, {}, None, None
