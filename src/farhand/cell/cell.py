"""The cell: each tick folds the inputs over the robots' lanes and does one physics step."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from msgspec.structs import replace

from farhand.cell.cell_files import find_cell, read_cell
from farhand.cell.cell_masters import devices_of, masters_of
from farhand.cell.cell_spec import CellSpec, RobotSpec
from farhand.cell.checkpoint import Checkpoint, memories_of
from farhand.cell.degraded_cameras import NONE_DEGRADED, Degraded, with_degraded
from farhand.cell.model_store import ModelStore
from farhand.cell.object_places import ObjectPlaces
from farhand.cell.plain_cell import plain_cell
from farhand.cell.runtime import CellRuntime, Change
from farhand.cell.setup_warnings import setup_warnings
from farhand.cell.slow_notes import slow_note
from farhand.cell.snapshot import CellSnapshot, CellValues
from farhand.cell.tool_changes import no_change, rest_problem
from farhand.cell.validation import validate_event
from farhand.errors import CommandError, FarhandError
from farhand.formats.model import RobotModel
from farhand.kernels import compile_all
from farhand.kernels.notice import NOT_IN_A_TICK, slow_notice
from farhand.lane import Lane, LaneMemory
from farhand.lane.intake.requests import NO_REQUESTS, Numbered, Requests, requests_for
from farhand.lane.lane import NO_OBJECTS
from farhand.lane.modes.fault_finding import FEEDFORWARD
from farhand.lane.motion.guard_stage import name_obstacles
from farhand.notes import RefusedError, refusal_of
from farhand.poses import Vec3
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
    Quantity,
    Reconfigure,
    RemoveObject,
    Reset,
    ResetObjects,
    ResetRobot,
    Setpoint,
    State,
    Subject,
    Tick,
)
from farhand.types.events.declaration import Handlers
from farhand.world import Blueprint, Compiled, SavedPhysics

__all__ = ["HANDLERS", "Cell"]

T = TypeVar("T")
Notes = tuple[Note, ...]
NOTHING = Inputs()
HANDLERS: Handlers[Callable[[Any, Any], Notes]] = Handlers("cell handler")
"""Functions that apply an event to the cell and return notes; the lanes see the event afterwards."""


class Cell:
    """A work cell in virtual time: each step is one tick, and the same inputs and seed give the same ticks.

    Args:
        spec: Contents of the cell file.
        path: Path of that file; relative paths in it start from its folder.
        seed: Seed of everything random.
        models: Models of robots already read, by robot name.

    Raises:
        CellFileError: If a part named in the file is missing or does not fit, or the world or a drive is not stable.
    """

    def __init__(
        self, spec: CellSpec, path: Path, seed: int = 0, models: ModelStore | Mapping[str, RobotModel] | None = None
    ) -> None:
        # load the kernel cache now, so that no tick waits for the compiler
        compile_all(slow_notice(), without=NOT_IN_A_TICK)
        self.spec, self.path, self.seed = spec, path, seed
        self.models = ModelStore.of(models, spec.robots)
        self.masters = masters_of(spec, path, self.models)
        self._runtime = CellRuntime(spec, path, seed, self.models, devices_of(self.masters))
        self.world = self._runtime.world
        self.dt = spec.timestep
        self._masters = {name: robot.master or next(iter(spec.masters), "") for name, robot in spec.robots.items()}
        self._driving = frozenset(self._masters.values())
        robots, level = self.world.state.robots, spec.speed_level
        self._memory = {name: lane.start(robots[name], level) for name, lane in self.lanes.items()}
        self._loads: dict[str, Vec3] = {}
        self.degraded: Degraded = NONE_DEGRADED
        self._places = ObjectPlaces()
        self._number = 0
        self._fault: Note | None = None

    @classmethod
    def load(cls, name: str | Path, seed: int = 0) -> Cell:
        """Return the cell of a name in the catalogue, or of a cell file.

        Raises:
            UnknownNameError: If the catalogue has no such cell.
            CellFileError: If the file is not a valid cell file.
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
            tip: Name of the end effector, if there are several.
            base: Name of the base body, if it is not the root.
            tool: A tool of the catalogue to mount at the tip.
            seed: Seed of everything random.

        Raises:
            UnknownNameError: If it is neither a file nor a name of the catalogue.
            RobotFileError: If the file cannot be read.
        """
        spec, models = plain_cell(robot, tip, base, tool)
        return cls(spec, Path.cwd() / "cell.toml", seed, models)

    @property
    def lanes(self) -> dict[str, Lane]:
        """The lane of each robot, by its name; a new dict after every change of a lane."""
        return self._runtime.configs.lanes

    @property
    def robots(self) -> Mapping[str, RobotSpec]:
        """The robots' tables of the cell file, with all changes since, by name."""
        return self._runtime.configs.specs

    @property
    def state(self) -> State:
        """The last measured state of the world."""
        return self.world.state

    @property
    def number(self) -> int:
        """Number of the last tick; 0 before the first."""
        return self._number

    @property
    def time(self) -> float:
        """Virtual time, s."""
        return self._number * self.dt

    @property
    def memory(self) -> Mapping[str, LaneMemory]:
        """The memory of each robot's lane after the last tick; read-only."""
        return self._memory

    def notes(self) -> dict[str, tuple[Note, ...]]:
        """Return the assumptions of the robot files' readers, and warnings about set-ups, by robot."""
        return {p.name: p.model.notes + setup_warnings(self.lanes[p.name]) for p in self.world.blueprint.robots}

    def master_of(self, robot: str) -> str:
        """Return the name of the master that drives a robot."""
        return self._masters[robot]

    # ── The tick ─────────────────────────────────────────────────────────────────────────────────────────────────

    def step(self, inputs: Inputs = NOTHING) -> Tick:
        """Advance by one tick.

        Args:
            inputs: New readings by master name, and events in order. The cell has no other inputs.
        """
        number = self._number + 1
        events, notes = self._take(inputs.numbered) if inputs.events else ((), ())
        robots = self.world.state.robots  # as the events left them
        if not inputs.readings.keys() <= self._driving:
            notes += self._strangers(inputs)
        if inputs.time_factor != 1.0:
            notes += slow_note(inputs.time_factor)
        reports: dict[str, LaneReport] = {}
        memory: dict[str, LaneMemory] = {}
        setpoints: dict[str, dict[str, Setpoint]] = {}
        without_feedforward: list[str] = []
        special = events or self._fault or inputs.wall_lead or inputs.time_factor != 1.0
        for name, lane in self.lanes.items():
            requests = self._requests(name, events, inputs) if special else NO_REQUESTS
            reading = inputs.readings.get(self._masters[name])
            last, robot = self._memory[name], robots[name]
            try:
                objects = self._places(self.world) if lane.placed else NO_OBJECTS
                report, memory[name] = lane.step(number, reading, requests, robot, last, objects, self.world.state)
            except Exception as error:  # noqa: BLE001 - if a stage fails, its robot stops and the others go on
                broke = Subject("detail", f"{type(error).__name__}: {error}")
                problem = Note("stage.broke", about=(Subject("robot", name), broke))
                report, memory[name] = lane.failed(number, problem, requests, robot, last)
            setpoints[name], reports[name] = report.setpoints, self._with_obstacles(name, report)
            if FEEDFORWARD in report.off:
                without_feedforward.append(name)
        state, said = self.world.step(setpoints, self._loads, without_feedforward)
        self._number, self._memory = number, memory
        if said:
            self._freeze(said[0])
        return Tick(number, number * self.dt, state, reports, (*notes, *said))

    def _requests(self, name: str, events: tuple[Numbered, ...], inputs: Inputs) -> Requests:
        return requests_for(name, events, self._fault, inputs.wall_lead, inputs.time_factor)

    def _with_obstacles(self, name: str, report: LaneReport) -> LaneReport:
        """Add the names of bodies that may block the robot, which the lane does not know."""
        if not report.notes:
            return report
        notes = name_obstacles(report.notes, functools.partial(self.world.touched_by, name))
        return report if notes is report.notes else replace(report, notes=notes)

    def _strangers(self, inputs: Inputs) -> tuple[Note, ...]:
        """Return the notes on masters whose readings drive no robot."""
        strangers = [name for name in inputs.readings if name not in self._driving]
        return tuple([Note("cell.stranger", about=(Subject("master", name),)) for name in strangers])

    def _freeze(self, problem: Note) -> None:
        """Latch the fault and rest all lanes while the physics is frozen."""
        self._fault = self._fault or problem
        self._rest_all()

    def _rest_all(self) -> None:
        robots = self.world.state.robots
        self._memory = {name: lane.rested(robots[name], self._memory[name]) for name, lane in self.lanes.items()}

    def _take(self, events: tuple[Numbered, ...]) -> tuple[tuple[Numbered, ...], Notes]:
        """Apply the events to the cell; return the accepted ones for the lanes, and notes with the reasons of refusals.

        No event is half done: each is checked as a whole before it changes the cell. An event that fails nevertheless
        is refused, and the others, a stop among them, still count.
        """
        passed: list[Numbered] = []
        notes: list[Note] = []
        for number, event in events:
            try:
                validate_event(event, self.world.blueprint)
                handle = HANDLERS.get(type(event))
                notes += handle(self, event) if handle else ()
                passed.append((number, event))
            except FarhandError as error:
                notes.append(Note("cell.refused", cause=refusal_of(error), answers=number))
            except (TypeError, ValueError, LookupError, ArithmeticError, RuntimeError) as error:
                broke = (Subject("event", type(event).__name__), Subject("detail", str(error)))
                notes.append(Note("cell.refused", cause=Note("refused.broken", about=broke), answers=number))
        return tuple(passed), tuple(notes)

    # ── Handlers of events; the lanes see the events afterwards ──────────────────────────────────────────────────

    @HANDLERS.register(Reset)
    def _reset(self, _: Reset) -> Notes:
        if not self.world.frozen:
            self._fault = None
        return ()

    @HANDLERS.register(ResetRobot)
    def _reset_robot(self, event: ResetRobot) -> Notes:
        name, raised = event.robot, self._thaw(lambda: self.world.reset_robot(event.robot))
        self._rest(name)
        if not raised:
            return ()
        return (Note("cell.raised", about=(Subject("robot", name),), quantities=(Quantity("height", raised, "m"),)),)

    @HANDLERS.register(ResetObjects)
    def _reset_objects(self, event: ResetObjects) -> Notes:
        stayed = self._thaw(lambda: self.world.reset_objects(event.name))
        return tuple([Note("cell.blocked", about=(Subject("body", name),)) for name in stayed])

    @HANDLERS.register(AddObject)
    def _add_object(self, event: AddObject) -> Notes:
        self._commit(self._runtime.plan(event))
        name = event.object.name
        return (Note("cell.falls", about=(Subject("body", name),)),) if self.world.falls(name) else ()

    @HANDLERS.register(MoveObject)
    def _move_object(self, event: MoveObject) -> Notes:
        if not self._runtime.moved(event):
            self._commit(self._runtime.plan(event))
        return ()

    @HANDLERS.register(RemoveObject)
    def _remove_object(self, event: RemoveObject) -> Notes:
        self._commit(self._runtime.plan(event))
        return ()

    @HANDLERS.register(BreakWrist)
    def _break_wrist(self, event: BreakWrist) -> Notes:
        sensor = self.world.rig(event.robot).wrist
        assert sensor is not None
        sensor.broken = event.how
        return ()

    @HANDLERS.register(AimCamera)
    def _aim_camera(self, event: AimCamera) -> Notes:
        self.world.rig(event.robot).cameras.aim(event.camera, event.pan, event.tilt, event.zoom)
        return ()

    @HANDLERS.register(DegradeCamera)
    def _degrade_camera(self, event: DegradeCamera) -> Notes:
        cameras = self.world.rig(event.robot).placement.cameras
        self.degraded = with_degraded(self.degraded, event, [camera.name for camera in cameras])
        return ()

    @HANDLERS.register(Load)
    def _load(self, event: Load) -> Notes:
        self._loads = {**self._loads, event.robot: event.force}
        return ()

    @HANDLERS.register(ClearLoad)
    def _clear_load(self, event: ClearLoad) -> Notes:
        self._loads = {**self._loads, event.robot: (0.0, 0.0, 0.0)}
        return ()

    @HANDLERS.register(Reconfigure)
    def _reconfigure(self, event: Reconfigure) -> Notes:
        """Change the set-up of a robot; its drive only while it stands still."""
        if event.part == "drive":
            self._check_rest(event.robot, "drive")
        self._commit(self._runtime.plan(event))
        return ()

    @HANDLERS.register(ChangeTool)
    def _change_tool(self, event: ChangeTool) -> Notes:
        """Change the tool of a robot that stands still with an empty gripper; its arm keeps its position."""
        self._check_rest(event.robot, "tool")
        self._commit(self._runtime.plan(event))
        return ()

    def _commit(self, change: Change) -> None:
        """Commit a planned change; lanes with a new set-up take over their memory."""
        before = self.lanes
        self._runtime.commit(change)
        for name, lane in self.lanes.items():
            if name in change.rested:
                self._rest(name)
            elif lane.setup is not before[name].setup:
                self._memory[name] = lane.migrate_memory(self._memory[name], before[name])

    def _check_rest(self, name: str, part: str) -> None:
        problem = rest_problem(self.world.state.robots[name], self._memory[name], self.lanes[name].model.gripper)
        if problem:
            raise RefusedError(no_change(name, part, problem))

    def _rest(self, name: str) -> None:
        self._memory[name] = self.lanes[name].rested(self.world.state.robots[name], self._memory[name])

    def _thaw(self, reset: Callable[[], T]) -> T:
        """Reset part of the world; if it was frozen, every robot restarts from its present position."""
        was_frozen = self.world.frozen
        said = reset()
        if was_frozen:
            self._rest_all()
        return said

    # ── Prepare edits ahead of their tick ────────────────────────────────────────────────────────────────────────

    def after(self, event: Event) -> Blueprint:
        """Return the blueprint after an event, without changing the cell.

        Raises:
            FarhandError: If the event makes no valid world.
        """
        return self._runtime.after(event)

    def offer(self, compiled: Compiled) -> None:
        """Prepare the compiled world of a coming edit, so that its tick is not late.

        Call it between two earlier ticks. Without a fitting prepared world, the edit compiles its own; the result is
        the same.
        """
        self._runtime.offer(compiled)

    # ── Snapshots and checkpoints ────────────────────────────────────────────────────────────────────────────────

    def snapshot(self) -> CellSnapshot:
        """Return a snapshot from which the cell continues exactly, to the bit."""
        memory, world = dict(self._memory), self.world.snapshot()
        return CellSnapshot(self._number, memory, self._loads, world, self._fault, self._runtime.configs, self.degraded)

    def restore(self, snapshot: CellSnapshot) -> None:
        """Restore a snapshot of this cell."""
        self._number, self._memory = snapshot.number, dict(snapshot.lanes)
        self._loads, self._fault, self.degraded = snapshot.loads, snapshot.fault, snapshot.degraded
        self._runtime.restore(snapshot.world, snapshot.configs)

    def values(self) -> CellValues:
        """Return the plain values between two ticks; with the saved physics and a checkpoint they are everything."""
        return CellValues(self._number, dict(self._memory), self._loads, self.world.state, self._fault)

    def restore_values(self, values: CellValues, physics: SavedPhysics) -> None:
        """Continue bit for bit from saved values, in the world and the configuration that the cell has.

        Raises:
            FarhandError: If they are of another cell; part of it may be changed by then.
        """
        if values.lanes.keys() != self.lanes.keys() or values.state.robots.keys() != self.lanes.keys():
            raise CommandError(f"the saved values are of the robots {', '.join(values.lanes)}")
        self.world.load_physics(physics, values.state)
        self._number, self._memory = values.number, dict(values.lanes)
        self._loads, self._fault = values.loads, values.fault

    def resume(self, checkpoint: Checkpoint) -> None:
        """Resume from a checkpoint of the same cell file: at rest, all robots stopped, tick numbers continued.

        Raises:
            FarhandError: If the checkpoint does not fit; the cell is then unchanged.
        """
        before = self.snapshot()
        try:
            self._runtime.resume(checkpoint)
        except FarhandError:
            self.restore(before)
            raise
        self.degraded = checkpoint.degraded
        self._memory = memories_of(checkpoint, self.lanes, self.world.state.robots)
        self._number, self._loads, self._fault = checkpoint.number, {}, None
