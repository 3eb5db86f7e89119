"""Where the robots work: the world, how they are driven in it and what their arms keep clear of, changed together.

All of a change is made before anything is changed: what cannot be done is not half done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from farhand.cell.arenas import Arenas
from farhand.cell.assemble import blueprint_of, compiled_of, lanes_of
from farhand.cell.checkpoint import Checkpoint, fitting_blueprint
from farhand.cell.files import check_robot
from farhand.cell.limits import check_clear
from farhand.cell.respec import respec
from farhand.cell.spec import CellSpec
from farhand.cell.standing import check_standing
from farhand.cell.tools import after_change, no_change, tools_on, with_drives, with_tools
from farhand.cell.vetting import vetted
from farhand.cell.ways import Ways, changed, retooled
from farhand.config import ConfigError
from farhand.distances import Arena
from farhand.errors import CellFileError
from farhand.formats.model import RobotModel
from farhand.lane import AvoidSpec
from farhand.notes import RefusedError
from farhand.types import AddObject, ChangeTool, Event, MoveObject, Note, Reconfigure, RemoveObject, Subject
from farhand.types.events.declaration import Handlers
from farhand.world import Blueprint, Compiled, Edit, Snapshot, World, compile_world, fresh_data

__all__ = ["BLUEPRINTS", "Coming", "Site"]

BLUEPRINTS: Handlers[Callable[[Any, Any], Blueprint]] = Handlers("blueprint")
"""The blueprint after each event that needs another world, called with the site."""


class Coming(Struct, frozen=True):
    """How the robots are to be driven, made aside.

    Args:
        ways: How.
        arenas: What makes the arenas, where an arm is to keep clear otherwise.
        among: What each arm keeps clear of then, where that is made anew.
    """

    ways: Ways
    arenas: Arenas
    among: dict[str, Arena] | None = None


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


class _Edited(Struct, frozen=True):
    """A world after an edit, and what the arms keep clear of in it."""

    world: World
    arenas: dict[str, Arena]


class Site:
    """The world of a cell and the lanes of its robots.

    Args:
        spec: What the cell file says.
        path: Where the file is.
        seed: Decides everything random.
        models: Robots' models that have been read already, by robot name.

    Attributes:
        world: The same one for good; an edit changes what it is made of.
        ways: How the robots are driven.

    Raises:
        CellFileError: If something in the file cannot be had, does not fit, makes no world or no stable drive.
    """

    def __init__(self, spec: CellSpec, path: Path, seed: int, models: Mapping[str, RobotModel]) -> None:
        self._spec, self._path = spec, path
        self.world = World(compiled_of(blueprint_of(spec, path, seed, models), path))
        check_standing(self.world, path)
        self._first = self.ways = Ways(lanes_of(spec, path, self.world), spec.robots)
        self._arenas = Arenas(spec, path, self.world.compiled)
        self._arenas.check_names(self.world.compiled)
        self._look_anew()
        self._check_clear()
        self._prepared: _Ready | None = None

    # ── What the arms keep clear of ──────────────────────────────────────────────────────────────────────────────

    def _arenas_in(self, compiled: Compiled) -> dict[str, Arena]:
        """Return what the arms would keep clear of in a world; nothing where one of them has another tool."""
        if not self._arenas or tools_on(compiled.blueprint) != tools_on(self.world.blueprint):
            return {}
        return _made(self._arenas, compiled, self.ways)

    def _check_clear(self) -> None:
        for name, lane in self.ways.lanes.items():
            try:
                if lane.arena:
                    check_clear(lane, lane.arena, self.world.state)
            except ConfigError as error:
                raise error.within(f"robots.{name}").in_file(self._path, CellFileError) from error

    def _put_among(self, arenas: Mapping[str, Arena]) -> None:
        for name, lane in self.ways.lanes.items():
            lane.put_among(arenas.get(name))

    def _look_anew(self) -> None:
        """Tell the arms that keep clear what is around them now."""
        self._put_among(self._arenas_in(self.world.compiled))

    # ── Edits of the world ───────────────────────────────────────────────────────────────────────────────────────

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
        vetted(event, self.world.blueprint)
        return after_change(self.world.blueprint, event, self._spec, self._path)

    @BLUEPRINTS.register(Reconfigure)
    def _after_drive(self, event: Reconfigure) -> Blueprint:
        vetted(event, self.world.blueprint)
        drive = respec(self.ways.specs[event.robot], event, self._spec).drive
        return with_drives(self.world.blueprint, {event.robot: drive})

    def offer(self, compiled: Compiled) -> None:
        """Lay ready the compiled world that a coming edit will give."""
        self._prepared = _Ready(compiled, fresh_data(compiled), self._arenas_in(compiled), self.ways)

    def add(self, event: AddObject) -> None:
        """Put an object into the world.

        Raises:
            FarhandError: If that makes no world, or it would be inside something else.
        """
        name, after = event.object.name, self._edited(event)
        if met := after.world.inside.of_object(name) or after.world.inside.around_object(name):
            raise _inside(name, self._thing(met))
        self._go_on_in(after)

    def move(self, event: MoveObject) -> None:
        """Put an object elsewhere.

        Raises:
            FarhandError: If that makes no world, or it would be inside a robot.
        """
        self.world.after(event)  # refuses an object that is not there, or hangs on another
        if self.world.move_object(event):
            return
        after = self._edited(event)
        if robot := after.world.inside.of_object(event.name):
            raise _inside(event.name, Subject("robot", robot))
        self._go_on_in(after)

    def remove(self, event: RemoveObject) -> None:
        """Take an object out of the world.

        Raises:
            FarhandError: If there is no such object, it is held, or it carries something.
        """
        self.world.after(event)  # refuses an object that is not there, or on which another hangs
        self._check_free(event.name)
        self._go_on_in(self._edited(event))

    def _edited(self, event: Edit) -> _Edited:
        """Return the world after an edit, made before anything changes: what is refused shall not be half done."""
        ready = self._ready(self.world.after(event))
        arenas = ready.arenas if ready.ways is self.ways else self._arenas_in(ready.compiled)
        return _Edited(World(ready.compiled, ready.data, self.world), arenas)

    def _go_on_in(self, after: _Edited) -> None:
        self.world.become(after.world)
        self._put_among(after.arenas)

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

    def _ready(self, blueprint: Blueprint) -> _Ready:
        """Return the world of a blueprint: the one that lies ready, if it is that."""
        ready, self._prepared = self._prepared, None
        if ready is None or ready.compiled.blueprint != blueprint:
            compiled = compile_world(blueprint)
            ready = _Ready(compiled, None, self._arenas_in(compiled), self.ways)
        return ready

    # ── How the robots are driven ────────────────────────────────────────────────────────────────────────────────

    def reconfigured(self, event: Reconfigure) -> Coming:
        """Return how the robots would be driven after a change, made aside.

        Raises:
            FarhandError: If there is no such part, or its settings do not fit.
        """
        after = respec(self.ways.specs[event.robot], event, self._spec)
        ways, arenas = changed(self.ways, event.robot, after, self._spec, self.world), self._arenas
        if event.part == "avoid":
            arenas = self._arenas_of(ways, self.world.compiled)
            arenas.check_names(self.world.compiled)
        elif event.part != "filter":  # they say how fast something may be touched
            return Coming(ways, arenas)
        among = _made(arenas, self.world.compiled, ways)
        if event.part == "avoid" and event.robot in among:
            check_clear(ways.lanes[event.robot], among[event.robot], self.world.state)
        return Coming(ways, arenas, among)

    def change_ways(self, coming: Coming) -> None:
        """Drive the robots otherwise from the next tick on."""
        self.ways, self._arenas = coming.ways, coming.arenas
        if coming.among is not None:
            self._put_among(coming.among)

    def _arenas_of(self, ways: Ways, compiled: Compiled) -> Arenas:
        """Return what makes the arenas of arms that keep clear as their tables say now.

        Raises:
            CellFileError: If an arm cannot keep clear.
        """
        return Arenas(replace(self._spec, robots=ways.specs), self._path, compiled)

    # ── Tools ────────────────────────────────────────────────────────────────────────────────────────────────────

    def change_tool(self, event: ChangeTool) -> bool:
        """Put another tool on a robot, whose arm stays where it is; return whether it is another one.

        Raises:
            FarhandError: If there is no such tool, or no room for it.
        """
        name, blueprint = event.robot, self.after(event)
        if blueprint == self.world.blueprint:
            return False
        after = self._aside(blueprint)
        met = after.inside.of_tool(name) if event.tool else ""
        if met:
            cause = Note("change.inside", about=(Subject("tool", event.tool), self._thing(met)))
            raise RefusedError(no_change(name, "tool", cause))
        self._retool((name,), after)
        return True

    def change_drive(self, event: Reconfigure) -> None:
        """Drive the joints of a robot otherwise; they stay where they are.

        Raises:
            FarhandError: If the drive does not fit, would be unstable or too soft.
        """
        name, blueprint = event.robot, self.after(event)
        after = respec(self.ways.specs[name], event, self._spec)
        ways = Ways(self.ways.lanes, {**self.ways.specs, name: after})
        self._retool((name,), self._aside(blueprint), ways)

    def _aside(self, blueprint: Blueprint) -> World:
        """Return another world that goes on from this one, whose arms have other shapes."""
        ready = self._ready(blueprint)
        return World(ready.compiled, ready.data, self.world)

    def _retool(self, names: Iterable[str], world: World, ways: Ways | None = None) -> None:
        """Go on in a world in which robots have another tool or drive: another tip, another gripper, another lane."""
        ways = retooled(ways or self.ways, names, self._spec, self._path, world)
        arenas = self._arenas_of(ways, world.compiled)
        made = _made(arenas, world.compiled, ways)
        if world is not self.world:
            self.world.become(world)
        self.ways, self._arenas = ways, arenas
        self._put_among(made)

    # ── Going back ───────────────────────────────────────────────────────────────────────────────────────────────

    def restore(self, snapshot: Snapshot, ways: Ways) -> None:
        """Go back to a snapshot of the world, and to how the robots were driven."""
        before = self.world.compiled
        edited, clear = snapshot.compiled is not before or ways is not self.ways, _avoids(self.ways)
        self.ways = ways
        self.world.restore(snapshot)
        if tools_on(before.blueprint) != tools_on(self.world.blueprint) or _avoids(ways) != clear:
            self._retool((), self.world)  # the shapes of the arms change with their tools
        elif edited:
            self._look_anew()

    def resume(self, checkpoint: Checkpoint) -> None:
        """Go on in the world of a checkpoint, everything at rest.

        Raises:
            FarhandError: If the checkpoint does not fit; some of it may be done by then.
        """
        self.ways = self._first
        self._take_tools({name: found.tool for name, found in checkpoint.robots.items()})
        ways = self.ways
        for name, found in checkpoint.robots.items():
            if found.way and name in ways.specs:
                after = found.way.within(ways.specs[name])
                check_robot(after, self._spec, name)
                ways = changed(ways, name, after, self._spec, self.world, checkpoint.objects)
        drives = {name: robot.drive for name, robot in ways.specs.items()}
        blueprint = with_drives(fitting_blueprint(checkpoint, self.world, ways.lanes), drives)
        same = blueprint == self.world.blueprint
        self.world.swap(self.world.compiled if same else compile_world(blueprint))
        redriven = [name for name, drive in drives.items() if drive != self._spec.robots[name].drive]
        ways = retooled(ways, redriven, self._spec, self._path, self.world)
        self.ways, self._prepared = ways, None
        self._arenas = self._arenas_of(ways, self.world.compiled)
        self._look_anew()
        postures = {name: found.posture for name, found in checkpoint.robots.items()}
        self.world.put(postures, checkpoint.poses, checkpoint.joints)
        for name, found in checkpoint.robots.items():
            self.world.rig(name).cameras.hold(found.zooms)

    def _take_tools(self, tools: Mapping[str, str]) -> None:
        """Give robots the tools that they carried."""
        world = self.world
        if any(tools.get(p.name, p.tool) != p.tool for p in world.blueprint.robots):
            world = self._aside(with_tools(world.blueprint, tools, self._spec, self._path))
        others = [p.name for p in world.blueprint.robots if p.tool != (self._spec.robots[p.name].tool or "")]
        self._retool(others, world)


def _inside(name: str, other: Subject) -> RefusedError:
    return RefusedError(Note("refused.inside", about=(Subject("body", name), other)))


def _made(arenas: Arenas, compiled: Compiled, ways: Ways) -> dict[str, Arena]:
    return arenas.made(compiled, {name: lane.filters for name, lane in ways.lanes.items()})


def _avoids(ways: Ways) -> list[AvoidSpec | None]:
    return [robot.avoid for robot in ways.specs.values()]
