"""The runtime of a cell: the world and the robots' configurations, which change together.

A change is planned, then committed: all of it is prepared first, so that an impossible change has no effect.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from farhand.cell.apply_change import apply_change
from farhand.cell.assemble import blueprint_of, compiled_of
from farhand.cell.cell_files import check_robot
from farhand.cell.cell_spec import CellSpec
from farhand.cell.checkpoint import Checkpoint, fitting_blueprint
from farhand.cell.limit_conflicts import check_clear
from farhand.cell.model_store import ModelStore
from farhand.cell.robot_configs import RobotConfigs, RobotMaker
from farhand.cell.start_clearance import check_standing
from farhand.cell.tool_changes import after_change, no_change, tools_on, with_drives, with_tools
from farhand.cell.validation import validate_event
from farhand.devices import Device
from farhand.notes import RefusedError
from farhand.types import AddObject, ChangeTool, Event, MoveObject, Note, Reconfigure, RemoveObject, Subject
from farhand.types.events.declaration import Handlers
from farhand.world import Blueprint, Compiled, Edit, Snapshot, World, compile_world, fresh_data

__all__ = ["BLUEPRINTS", "CellRuntime", "Change"]

BLUEPRINTS: Handlers[Callable[[Any, Any], Blueprint]] = Handlers("blueprint")
"""Functions that return the blueprint after an event that needs another world, called with the runtime."""


class Change(Struct, frozen=True):
    """A prepared change of a cell.

    Args:
        configs: The robots' configurations after the change.
        world: The world after the change; None for the same.
        rested: Names of robots that restart at rest, at their measured positions.
    """

    configs: RobotConfigs
    world: World | None = None
    rested: tuple[str, ...] = ()


class _Edited(Change, frozen=True):
    """A prepared change to another world."""

    world: World


PLANS: Handlers[Callable[[Any, Any], Change]] = Handlers("plan of a change")
"""Functions that prepare the change of an event, called with the runtime."""


class _PreparedWorld(Struct, frozen=True):
    """A world prepared for a coming edit.

    Args:
        compiled: The compiled world.
        data: Fresh `MjData` of its model, if it is prepared.
        before: The robots' configurations at the time of preparation.
        configs: Their configurations in that world; None if one of them has another tool.
    """

    compiled: Compiled
    data: Any
    before: RobotConfigs
    configs: RobotConfigs | None


class CellRuntime:
    """The world of a cell and the configurations of its robots.

    Args:
        spec: Contents of the cell file.
        path: Path of that file.
        seed: Seed of everything random.
        models: Models of robots already read, by robot name.
        devices: Devices with joints among the masters, by master name.

    Attributes:
        world: The world; always the same object, whose contents an edit replaces.
        configs: The robots' configurations.

    Raises:
        CellFileError: If a part named in the file is missing or does not fit, or the world or a drive is not stable.
    """

    def __init__(
        self, spec: CellSpec, path: Path, seed: int, models: ModelStore, devices: Mapping[str, Device]
    ) -> None:
        self._spec, self._path, self._models = spec, path, models
        self.world = World(compiled_of(blueprint_of(spec, path, seed, models), path))
        check_standing(self.world, path)
        self._maker = RobotMaker(spec, path, devices)
        self._first = self.configs = self._maker.first(self.world)
        self._prepared: _PreparedWorld | None = None

    # ── Prepared worlds ──────────────────────────────────────────────────────────────────────────────────────────

    def after(self, event: Event) -> Blueprint:
        """Return the blueprint after an event, without changing the runtime.

        Raises:
            FarhandError: If the event makes no valid world.
        """
        return BLUEPRINTS[type(event)](self, event)

    @BLUEPRINTS.register(AddObject, MoveObject, RemoveObject)
    def _after_edit(self, event: Edit) -> Blueprint:
        return self.world.after(event)

    @BLUEPRINTS.register(ChangeTool)
    def _after_tool(self, event: ChangeTool) -> Blueprint:
        validate_event(event, self.world.blueprint)
        return after_change(self.world.blueprint, event, self._spec, self._path, self._models)

    @BLUEPRINTS.register(Reconfigure)
    def _after_drive(self, event: Reconfigure) -> Blueprint:
        validate_event(event, self.world.blueprint)
        drive = apply_change(self.configs.specs[event.robot], event, self._spec).drive
        return with_drives(self.world.blueprint, {event.robot: drive})

    def offer(self, compiled: Compiled) -> None:
        """Prepare the compiled world of a coming edit."""
        self._prepared = self._prepare(compiled, fresh_data(compiled))

    def _prepare(self, compiled: Compiled, data: Any) -> _PreparedWorld:
        same_tools = tools_on(compiled.blueprint) == tools_on(self.world.blueprint)
        return _PreparedWorld(compiled, data, self.configs, self.configs.among(compiled) if same_tools else None)

    def _prepared_world(self, blueprint: Blueprint) -> _PreparedWorld:
        """Return the prepared world of a blueprint; compile it now if it is not prepared."""
        ready, self._prepared = self._prepared, None
        if ready is None or ready.compiled.blueprint != blueprint:
            ready = self._prepare(compile_world(blueprint), None)
        return ready

    # ── Planning and committing a change ─────────────────────────────────────────────────────────────────────────

    def plan(self, event: Event) -> Change:
        """Prepare the change of an event, without effect yet.

        Raises:
            FarhandError: If the change is impossible.
        """
        return PLANS[type(event)](self, event)

    def commit(self, change: Change) -> None:
        """Put a prepared change into effect from the next tick on."""
        if change.world is not None:
            self.world.become(change.world)
        self.configs = change.configs

    def moved(self, event: MoveObject) -> bool:
        """Move an object within the present world; return whether that was possible.

        Raises:
            FarhandError: If the object is missing, hangs on another, or would overlap a body.
        """
        self.world.after(event)
        return self.world.move_object(event)

    @PLANS.register(AddObject)
    def _add(self, event: AddObject) -> Change:
        """Add an object; it must not overlap another body."""
        name, change = event.object.name, self._edited(event)
        inside = change.world.overlaps
        if met := inside.of_object(name) or inside.around_object(name):
            raise _inside(name, self._thing(met))
        return change

    @PLANS.register(MoveObject)
    def _move(self, event: MoveObject) -> Change:
        """Move a fixed object; it must not overlap a robot."""
        change = self._edited(event)
        if robot := change.world.overlaps.of_object(event.name):
            raise _inside(event.name, Subject("robot", robot))
        return change

    @PLANS.register(RemoveObject)
    def _remove(self, event: RemoveObject) -> Change:
        """Remove an object that no robot holds and that carries no other."""
        self.world.after(event)  # refuses a missing object, or one on which another hangs
        self._check_free(event.name)
        return self._edited(event)

    @PLANS.register(ChangeTool)
    def _change_tool(self, event: ChangeTool) -> Change:
        """Change the tool of a robot, whose arm keeps its position."""
        name, blueprint = event.robot, self.after(event)
        if blueprint == self.world.blueprint:
            return Change(self.configs)
        world = self._new_world(blueprint)
        met = world.overlaps.of_tool(name) if event.tool else ""
        if met:
            cause = Note("change.inside", about=(Subject("tool", event.tool), self._thing(met)))
            raise RefusedError(no_change(name, "tool", cause))
        return Change(self._maker.remade(self.configs, (name,), world), world, (name,))

    @PLANS.register(Reconfigure)
    def _reconfigure(self, event: Reconfigure) -> Change:
        """Change the configuration of a robot."""
        name, part = event.robot, event.part
        after = apply_change(self.configs.specs[name], event, self._spec)
        if part == "drive":
            world = self._new_world(self.after(event))
            specs = {**self.configs.specs, name: after}
            return Change(self._maker.remade(self.configs, (name,), world, specs), world, (name,))
        configs = self._maker.altered(self.configs, name, after, self.world)
        if part == "avoid":
            configs = self._maker.keeping_clear(configs, self.world.compiled)
            lane = configs.lanes[name]
            if lane.arena:
                check_clear(lane, lane.arena, self.world.state)
        elif part == "filter":  # filters set the speed at which bodies may be touched
            configs = configs.among(self.world.compiled)
        return Change(configs)

    def _new_world(self, blueprint: Blueprint) -> World:
        """Return a new world that continues from the present one."""
        ready = self._prepared_world(blueprint)
        return World(ready.compiled, ready.data, self.world)

    def _edited(self, event: Edit) -> _Edited:
        """Prepare an edit: the world after it, and the robots with its obstacles."""
        ready = self._prepared_world(self.world.after(event))
        configs = ready.configs if ready.before is self.configs and ready.configs else None
        world = World(ready.compiled, ready.data, self.world)
        return _Edited(configs or self.configs.among(ready.compiled), world)

    def _check_free(self, name: str) -> None:
        """Check that no robot holds an object and that nothing stands on it.

        Raises:
            RefusedError: If it is held or carries something.
        """
        for robot, state in self.world.state.robots.items():
            if name in state.held:
                held = (Subject("robot", robot), Subject("body", name))
                raise RefusedError(Note("refused.gripped", about=held))
        if load := self.world.load_on(name):
            raise RefusedError(Note("refused.loaded", about=(Subject("body", name), self._thing(load))))

    def _thing(self, name: str) -> Subject:
        """Return a robot or another body as the subject of a note."""
        return Subject("robot" if name in self.world.state.robots else "body", name)

    # ── Snapshots and checkpoints ────────────────────────────────────────────────────────────────────────────────

    def restore(self, snapshot: Snapshot, configs: RobotConfigs) -> None:
        """Restore a snapshot of the world, with the robots' configurations."""
        self.world.restore(snapshot)
        self.configs = configs

    def resume(self, checkpoint: Checkpoint) -> None:
        """Resume in the world of a checkpoint, with all bodies at rest.

        Raises:
            FarhandError: If the checkpoint does not fit; it may be applied in part by then.
        """
        self._take_tools({name: found.tool for name, found in checkpoint.robots.items()})
        configs = self.configs
        for name, found in checkpoint.robots.items():
            if found.changed and name in configs.specs:
                after = found.changed.within(configs.specs[name])
                check_robot(after, self._spec, name)
                configs = self._maker.altered(configs, name, after, self.world, checkpoint.objects)
        drives = {name: robot.drive for name, robot in configs.specs.items()}
        blueprint = with_drives(fitting_blueprint(checkpoint, self.world, configs.lanes), drives)
        same = blueprint == self.world.blueprint
        self.world.swap(self.world.compiled if same else compile_world(blueprint))
        redriven = [name for name, drive in drives.items() if drive != self._spec.robots[name].drive]
        self.configs, self._prepared = self._maker.remade(configs, redriven, self.world), None
        postures = {name: found.posture for name, found in checkpoint.robots.items()}
        self.world.put(postures, checkpoint.poses, checkpoint.joints)
        for name, found in checkpoint.robots.items():
            self.world.rig(name).cameras.hold(found.zooms)

    def _take_tools(self, tools: Mapping[str, str]) -> None:
        """Mount the given tools on the robots, with the configurations of the cell file."""
        world = self.world
        if any(tools.get(p.name, p.tool) != p.tool for p in world.blueprint.robots):
            world = self._new_world(with_tools(world.blueprint, tools, self._spec, self._path, self._models))
        others = [p.name for p in world.blueprint.robots if p.tool != (self._spec.robots[p.name].tool or "")]
        self.commit(Change(self._maker.remade(self._first, others, world), None if world is self.world else world))


def _inside(name: str, other: Subject) -> RefusedError:
    return RefusedError(Note("refused.inside", about=(Subject("body", name), other)))
