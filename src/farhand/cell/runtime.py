"""Where the robots work: the world and how they are driven in it, changed together.

A change is planned, then committed: all of it is made before anything counts, so what cannot be done is not half done.
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
from farhand.cell.robot_configs import RobotConfigs, RobotMaker
from farhand.cell.start_clearance import check_standing
from farhand.cell.tool_changes import after_change, no_change, tools_on, with_drives, with_tools
from farhand.cell.validation import validate_event
from farhand.devices import Device
from farhand.formats.model import RobotModel
from farhand.notes import RefusedError
from farhand.types import AddObject, ChangeTool, Event, MoveObject, Note, Reconfigure, RemoveObject, Subject
from farhand.types.events.declaration import Handlers
from farhand.world import Blueprint, Compiled, Edit, Snapshot, World, compile_world, fresh_data

__all__ = ["BLUEPRINTS", "CellRuntime", "Change"]

BLUEPRINTS: Handlers[Callable[[Any, Any], Blueprint]] = Handlers("blueprint")
"""The blueprint after each event that needs another world, called with the site."""


class Change(Struct, frozen=True):
    """A change of a cell, made aside.

    Args:
        configs: How the robots are driven then.
        world: The one that they go on in; None for the same.
        rested: Robots that start at rest, where they are measured to be.
    """

    configs: RobotConfigs
    world: World | None = None
    rested: tuple[str, ...] = ()


class _Edited(Change, frozen=True):
    """A change to another world."""

    world: World


PLANS: Handlers[Callable[[Any, Any], Change]] = Handlers("plan of a change")
"""The change that each event makes to world or robots, called with the site."""


class _PreparedWorld(Struct, frozen=True):
    """A world that lies ready for a coming edit.

    Args:
        compiled: The world.
        data: Fresh `MjData` of its model, if that has been made.
        before: How the robots were driven when it was laid ready.
        configs: How they are in that world; None where one of them has another tool.
    """

    compiled: Compiled
    data: Any
    before: RobotConfigs
    configs: RobotConfigs | None


class CellRuntime:
    """The world of a cell and its robots, ready to be driven.

    Args:
        spec: What the cell file says.
        path: Where the file is.
        seed: Decides everything random.
        models: Robots' models that have been read already, by robot name.
        devices: What the masters are, as far as they are devices with joints.

    Attributes:
        world: The same one for good; an edit changes what it is made of.
        configs: How the robots are driven.

    Raises:
        CellFileError: If something in the file cannot be had, does not fit, makes no world or no stable drive.
    """

    def __init__(
        self, spec: CellSpec, path: Path, seed: int, models: Mapping[str, RobotModel], devices: Mapping[str, Device]
    ) -> None:
        self._spec, self._path = spec, path
        self.world = World(compiled_of(blueprint_of(spec, path, seed, models), path))
        check_standing(self.world, path)
        self._maker = RobotMaker(spec, path, devices)
        self._first = self.configs = self._maker.first(self.world)
        self._prepared: _PreparedWorld | None = None

    # ── Worlds, made aside ───────────────────────────────────────────────────────────────────────────────────────

    def after(self, event: Event) -> Blueprint:
        """Return the blueprint that an event would give, without changing anything.

        Raises:
            FarhandError: If it makes no world.
        """
        return BLUEPRINTS[type(event)](self, event)

    @BLUEPRINTS.register(AddObject, MoveObject, RemoveObject)
    def _after_edit(self, event: Edit) -> Blueprint:
        return self.world.after(event)

    @BLUEPRINTS.register(ChangeTool)
    def _after_tool(self, event: ChangeTool) -> Blueprint:
        validate_event(event, self.world.blueprint)
        return after_change(self.world.blueprint, event, self._spec, self._path)

    @BLUEPRINTS.register(Reconfigure)
    def _after_drive(self, event: Reconfigure) -> Blueprint:
        validate_event(event, self.world.blueprint)
        drive = apply_change(self.configs.specs[event.robot], event, self._spec).drive
        return with_drives(self.world.blueprint, {event.robot: drive})

    def offer(self, compiled: Compiled) -> None:
        """Lay ready the compiled world that a coming edit will give."""
        self._prepared = self._laid_ready(compiled, fresh_data(compiled))

    def _laid_ready(self, compiled: Compiled, data: Any) -> _PreparedWorld:
        same_tools = tools_on(compiled.blueprint) == tools_on(self.world.blueprint)
        return _PreparedWorld(compiled, data, self.configs, self.configs.among(compiled) if same_tools else None)

    def _ready(self, blueprint: Blueprint) -> _PreparedWorld:
        """Return the world of a blueprint: the one that lies ready, if it is that."""
        ready, self._prepared = self._prepared, None
        if ready is None or ready.compiled.blueprint != blueprint:
            ready = self._laid_ready(compile_world(blueprint), None)
        return ready

    # ── Plan a change, commit it ─────────────────────────────────────────────────────────────────────────────────

    def plan(self, event: Event) -> Change:
        """Plan the change that an event asks for, aside.

        Raises:
            FarhandError: If it cannot be done.
        """
        return PLANS[type(event)](self, event)

    def commit(self, change: Change) -> None:
        """Go on in a change, from the next tick on."""
        if change.world is not None:
            self.world.become(change.world)
        self.configs = change.configs

    def moved(self, event: MoveObject) -> bool:
        """Put an object elsewhere in this world; return whether that was possible.

        Raises:
            FarhandError: If the object is not there, hangs on another, or would be inside something.
        """
        self.world.after(event)
        return self.world.move_object(event)

    @PLANS.register(AddObject)
    def _add(self, event: AddObject) -> Change:
        """Put an object into the world; it must not be inside something else."""
        name, change = event.object.name, self._edited(event)
        inside = change.world.overlaps
        if met := inside.of_object(name) or inside.around_object(name):
            raise _inside(name, self._thing(met))
        return change

    @PLANS.register(MoveObject)
    def _move(self, event: MoveObject) -> Change:
        """Put an object that stands elsewhere; it must not be inside a robot."""
        change = self._edited(event)
        if robot := change.world.overlaps.of_object(event.name):
            raise _inside(event.name, Subject("robot", robot))
        return change

    @PLANS.register(RemoveObject)
    def _remove(self, event: RemoveObject) -> Change:
        """Take an object out of the world that nobody holds and that carries nothing."""
        self.world.after(event)  # refuses an object that is not there, or on which another hangs
        self._check_free(event.name)
        return self._edited(event)

    @PLANS.register(ChangeTool)
    def _change_tool(self, event: ChangeTool) -> Change:
        """Put another tool on a robot, whose arm stays where it is."""
        name, blueprint = event.robot, self.after(event)
        if blueprint == self.world.blueprint:
            return Change(self.configs)
        world = self._aside(blueprint)
        met = world.overlaps.of_tool(name) if event.tool else ""
        if met:
            cause = Note("change.inside", about=(Subject("tool", event.tool), self._thing(met)))
            raise RefusedError(no_change(name, "tool", cause))
        return Change(self._maker.remade(self.configs, (name,), world), world, (name,))

    @PLANS.register(Reconfigure)
    def _reconfigure(self, event: Reconfigure) -> Change:
        """Drive a robot otherwise."""
        name, part = event.robot, event.part
        after = apply_change(self.configs.specs[name], event, self._spec)
        if part == "drive":
            world = self._aside(self.after(event))
            specs = {**self.configs.specs, name: after}
            return Change(self._maker.remade(self.configs, (name,), world, specs), world, (name,))
        configs = self._maker.altered(self.configs, name, after, self.world)
        if part == "avoid":
            configs = self._maker.keeping_clear(configs, self.world.compiled)
            lane = configs.lanes[name]
            if lane.arena:
                check_clear(lane, lane.arena, self.world.state)
        elif part == "filter":  # they say how fast something may be touched
            configs = configs.among(self.world.compiled)
        return Change(configs)

    def _aside(self, blueprint: Blueprint) -> World:
        """Return another world that goes on from this one."""
        ready = self._ready(blueprint)
        return World(ready.compiled, ready.data, self.world)

    def _edited(self, event: Edit) -> _Edited:
        """Plan an edit: the world after it, and the robots as they keep clear in that."""
        ready = self._ready(self.world.after(event))
        configs = ready.configs if ready.before is self.configs and ready.configs else None
        world = World(ready.compiled, ready.data, self.world)
        return _Edited(configs or self.configs.among(ready.compiled), world)

    def _check_free(self, name: str) -> None:
        """Check that nobody holds an object and that nothing stands on it.

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

    # ── Going back ───────────────────────────────────────────────────────────────────────────────────────────────

    def restore(self, snapshot: Snapshot, configs: RobotConfigs) -> None:
        """Go back to a snapshot of the world, and to how the robots were driven in it."""
        self.world.restore(snapshot)
        self.configs = configs

    def resume(self, checkpoint: Checkpoint) -> None:
        """Go on in the world of a checkpoint, everything at rest.

        Raises:
            FarhandError: If the checkpoint does not fit; some of it may be done by then.
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
        """Give robots the tools that they carried, driven as the cell file says."""
        world = self.world
        if any(tools.get(p.name, p.tool) != p.tool for p in world.blueprint.robots):
            world = self._aside(with_tools(world.blueprint, tools, self._spec, self._path))
        others = [p.name for p in world.blueprint.robots if p.tool != (self._spec.robots[p.name].tool or "")]
        self.commit(Change(self._maker.remade(self._first, others, world), None if world is self.world else world))


def _inside(name: str, other: Subject) -> RefusedError:
    return RefusedError(Note("refused.inside", about=(Subject("body", name), other)))
