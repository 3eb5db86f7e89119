"""The arbiter: it picks one source per tick, by the mode; an autonomous one may be interrupted, resumed or stuck."""

from __future__ import annotations

import math
from typing import Any

from msgspec.structs import replace

from farhand.errors import CommandError, FarhandError
from farhand.lane.intake.requests import NO_REQUESTS, Requests, Start, refused
from farhand.lane.memory import LaneMemory
from farhand.lane.modes.mode_machine import UNKNOWN, ModeMemory, ModeSignals, WatchdogSpec, may_move
from farhand.lane.sources import (
    SOURCES,
    Active,
    Aimed,
    Autonomous,
    Awaited,
    Retracing,
    Source,
    SourceConfig,
    SourceView,
    Wanted,
)
from farhand.lane.sources.planned import PLANNED
from farhand.lane.sources.teleoperation import HandMemory
from farhand.poses import Pose
from farhand.surroundings import FreeSpace
from farhand.types import HOLD, STOP, Demand, Event, Note, PlanFound, PlanRequest, RobotState, Subject, Vector
from farhand.types.events.declaration import declaration_of, needs_world

__all__ = ["Arbiter", "clear_stuck", "hindered_by", "source_view"]

Notes = tuple[Note, ...]
NOTHING, HELD = Note("move.nothing"), Note("move.held")
PLANNING, LATE, NO_PLAN = Note("lane.planning"), Note("plan.late"), Note("plan.none")
MOVED, CHANGED = Note("plan.moved"), Note("plan.changed")
START_TOLERANCE = 0.01  # rad or m between the arm and the start of a plan
AT_REST_RATE = 1e-4  # rad/s or m/s
PLAN_TIMEOUT_S = 4.0  # longest wait for a plan; a planner gives up earlier


class Arbiter:
    """Starts, steps and ends the sources of one robot.

    Args:
        config: The robot.
    """

    def __init__(self, config: SourceConfig) -> None:
        self.robot = config.robot
        self.hand, self.autonomous = _sources_of(config)
        self._retracing = {name: source for name, source in self.autonomous.items() if isinstance(source, Retracing)}
        self._aimed = {name: source for name, source in self.autonomous.items() if isinstance(source, Aimed)}

    def start(
        self, requests: Requests, signals: ModeSignals, watchdog: WatchdogSpec, view: SourceView, memory: LaneMemory
    ) -> tuple[LaneMemory, ModeSignals, Notes]:
        """Start the requested source; return memory, signals and notes, among them the reason of a refusal.

        Args:
            requests: Requests of this tick's events to the robot, with a motion among them.
            signals: Signals for the mode machine.
            watchdog: Time limits of the readings.
            view: The view of this tick.
            memory: The memory of the last tick.
        """
        problem = may_move(memory.mode, signals, watchdog)
        if problem:
            return self._not_begun(problem, requests, memory), signals, self._refused(problem, requests)
        try:
            begun = self._begun(requests, view, memory)
        except CommandError as error:
            begun = Note("move.detail", about=(Subject("detail", str(error)),))
        if isinstance(begun, Note):
            return self._not_begun(begun, requests, memory), signals, self._refused(begun, requests)
        if isinstance(begun, Awaited):
            kept = memory.active if requests.resume else None  # stays interrupted until there is a plan
            return replace(memory, awaited=begun, active=kept), signals, (PLANNING,)
        asked = replace(signals, move=not requests.resume, resume=requests.resume)
        return replace(memory, active=begun, awaited=None), asked, ()

    def _not_begun(self, cause: Note, requests: Requests, memory: LaneMemory) -> LaneMemory:
        """Return the memory after a motion did not start; a failed plan stays reported until the next command."""
        if requests.plan is None or not _answers(requests.plan, memory):
            return memory
        return replace(memory, awaited=None, stuck=_stuck(self.robot, cause))

    def _begun(self, requests: Requests, view: SourceView, memory: LaneMemory) -> Active | Note | Awaited:
        """Return the requested source at its start or resumption, the plan that it waits for, or a problem."""
        active = memory.active
        if requests.plan is not None:
            return MOVED if _commanded(requests) else self._arrived(requests.plan, view, memory)
        if requests.start is not None:
            return self._started(requests.start, view, memory)
        if active is None:
            return NOTHING
        return self._waited_for(active.source, self.autonomous[active.source].resume(active.memory, view), view, memory)

    def _started(self, start: Start, view: SourceView, memory: LaneMemory) -> Active | Note | Awaited:
        return self._waited_for(start.source, self.autonomous[start.source].begin(start.argument, view), view, memory)

    @staticmethod
    def _waited_for(name: str, begun: Any, view: SourceView, memory: LaneMemory) -> Active | Note | Awaited:
        if isinstance(begun, Wanted):
            return Awaited(PlanRequest(view.tick, memory.inbox.reading.epoch, begun.goal), begun.then)
        return begun if isinstance(begun, Note) else Active(name, begun)

    def _arrived(self, found: PlanFound, view: SourceView, memory: LaneMemory) -> Active | Note:
        """Return the motion along a finished plan, or the reason that it does not start.

        It starts only if the lane still waits for it, that is without a press, stop, reset, change or command since the
        request, and only from the plan's start.
        """
        awaited = memory.awaited
        if awaited is None or not _answers(found, memory) or memory.inbox.epoch_changed:
            return MOVED
        if found.trajectory is None:
            return found.problem or NO_PLAN
        at = (view.setpoint.positions, view.robot.groups["arm"].positions)
        if any(math.dist(found.request.start, where) > START_TOLERANCE for where in at):
            return MOVED
        if view.around is not None and not view.around.stays_free(found.trajectory, found.room):
            return CHANGED
        return Active(PLANNED, self.autonomous[PLANNED].begin((found.trajectory, awaited.then), view))

    def waits(self, tick: int, requests: Requests, memory: LaneMemory, dt: float) -> tuple[LaneMemory, Notes]:
        """Return the memory with the awaited plan, if the lane still waits for it, and the notes on that.

        Args:
            tick: Number of this tick.
            requests: Requests of this tick's events to the robot.
            memory: The memory with this tick's mode and reading.
            dt: Seconds per tick.
        """
        awaited = memory.awaited
        if awaited is None or awaited.request.number == tick:
            return memory, ()
        taken = memory.inbox.epoch_changed or memory.inbox.reading.deadman
        if taken or memory.mode.mode != "idle" or requests.hold or requests.start:  # the operator knows of it
            return replace(memory, awaited=None), ()
        if _commanded(requests):
            return replace(memory, awaited=None, stuck=_stuck(self.robot, MOVED)), ()
        if (tick - awaited.request.number) * dt > PLAN_TIMEOUT_S:
            return replace(memory, awaited=None, stuck=_stuck(self.robot, LATE)), ()
        resting = not awaited.request.start and max(map(abs, memory.setpoints["arm"].rates)) < AT_REST_RATE
        if resting:
            request = replace(awaited.request, start=memory.setpoints["arm"].positions)
            memory = replace(memory, awaited=replace(awaited, request=request))
        return memory, (PLANNING,)

    def refused(self, requests: Requests, mode: ModeMemory, signals: ModeSignals, watchdog: WatchdogSpec) -> Notes:
        """Return the note on a source that did not start because of another request in the same tick.

        Args:
            requests: Requests of this tick's events to the robot, with a motion among them.
            mode: The mode of this tick.
            signals: The signals of this tick.
            watchdog: Time limits of the readings.
        """
        return self._refused(may_move(mode, signals, watchdog) or mode.reason or HELD, requests)

    def _refused(self, cause: Note, requests: Requests) -> Notes:
        return refused(Note("refused.move", about=(Subject("robot", self.robot),), cause=cause), requests.move_number)

    def ask(self, tick: int, robot: RobotState, speed: float, memory: LaneMemory) -> tuple[Demand, LaneMemory, Notes]:
        """Return this tick's demand, the next memory and notes.

        Args:
            tick: Number of this tick.
            robot: The measured state.
            speed: The chosen share of full speed.
            memory: The memory of the last tick, with this tick's mode and reading.
        """
        mode, active = memory.mode.mode, memory.active
        under_way = active is not None and active.state != "interrupted"
        if mode == "autonomous" and active is not None and under_way:
            return self._step(active, source_view(tick, robot, speed, memory), memory)
        if active is not None and under_way:
            memory = replace(memory, active=replace(active, state="interrupted"))  # resumed on request
        if mode == "teleoperation":
            memory, left = self._taken_over(memory)
            held = HandMemory(memory.mapping_memory, memory.finding)
            demand, held, _, asked = self.hand.step(source_view(tick, robot, speed, memory), held)
            return demand, replace(memory, mapping_memory=held.latch, finding=held.finding), (*left, *asked)
        return Demand(HOLD if mode in ("idle", "autonomous") else STOP), memory, ()

    def _step(self, active: Active, view: SourceView, memory: LaneMemory) -> tuple[Demand, LaneMemory, Notes]:
        """Step an autonomous source; a stuck one ends, and the robot holds."""
        demand, kept, status, notes = self.autonomous[active.source].step(view, active.memory)
        if status == "stuck":
            return Demand(HOLD), replace(memory, active=None, stuck=_stuck(self.robot, memory.hindered)), ()
        if status == "arrived" and isinstance(kept, Start):
            return demand, self._handed_over(kept, view, memory), notes
        memory = replace(memory, active=None if status == "arrived" else Active(active.source, kept, status))
        if active.source in self._retracing:
            # the path already retraced no longer leads in
            memory = replace(memory, trail=memory.trail[: self._retracing[active.source].remaining(kept)])
        return demand, memory, notes

    def _handed_over(self, start: Start, view: SourceView, memory: LaneMemory) -> LaneMemory:
        """Start the source that follows one that has arrived; end the motion if it cannot start."""
        try:
            begun = self._started(start, view, memory)
        except CommandError as error:
            begun = Note("move.detail", about=(Subject("detail", str(error)),))
        if isinstance(begun, Active):
            return replace(memory, active=begun)
        return replace(memory, active=None, stuck=_stuck(self.robot, begun if isinstance(begun, Note) else MOVED))

    def _taken_over(self, memory: LaneMemory) -> tuple[LaneMemory, Notes]:
        """End a source that does not resume after driving."""
        left = self.autonomous[memory.active.source].ended_by_press if memory.active else None
        return (replace(memory, active=None), (left,)) if left else (memory, ())

    def goal(self, memory: LaneMemory) -> Vector | Pose | None:
        """Return the goal of the motion that runs or is being planned: joints, or a pose of the tip."""
        if memory.awaited:
            return memory.awaited.request.goal
        active = memory.active
        if active is None or active.state == "interrupted" or active.source not in self._aimed:
            return None
        return self._aimed[active.source].goal(active.memory)

    def retraces(self, memory: LaneMemory) -> bool:
        """Return whether the arm moves back along its trail."""
        active = memory.active
        return active is not None and active.state != "interrupted" and active.source in self._retracing


def _answers(found: PlanFound, memory: LaneMemory) -> bool:
    """Return whether a plan is the awaited one."""
    return memory.awaited is not None and memory.awaited.request == found.request


def _commanded(requests: Requests) -> bool:
    """Return whether a tick's events contain a command besides a finished plan."""
    return any([_commands(event) for _, event in requests.events])


def _commands(event: Event) -> bool:
    """Return whether an event is a command to a robot; a plan and an edit of the world are not."""
    return not isinstance(event, PlanFound) and (declaration_of(event).scope == "robot" or not needs_world(event))


def _sources_of(config: SourceConfig) -> tuple[Source, dict[str, Autonomous]]:
    """Return the source of the hand, and the autonomous sources by name.

    Raises:
        FarhandError: If there is not exactly one source of the hand, or another source cannot begin and resume.
    """
    hands: dict[str, Source] = {}
    autonomous: dict[str, Autonomous] = {}
    for name in SOURCES:
        source: Any = SOURCES[name](config)
        if source.kind == "hand":
            hands[name] = source
        elif isinstance(source, Autonomous):
            autonomous[name] = source
        else:
            raise FarhandError(f"the autonomous source {name!r} must have begin, resume and ended_by_press")
    if len(hands) != 1:
        raise FarhandError(f"expected one source of the hand, found {', '.join(hands) or 'none'}")
    return next(iter(hands.values())), autonomous


def source_view(
    tick: int, robot: RobotState, speed: float, memory: LaneMemory, around: FreeSpace | None = None
) -> SourceView:
    """Return the state that sources read in a tick.

    Args:
        tick: Number of this tick.
        robot: The measured state.
        speed: The chosen share of full speed.
        memory: The memory of the last tick, with this tick's reading.
        around: Free space around the arm; needed where a motion is to start.
    """
    return SourceView(
        tick=tick,
        robot=robot,
        setpoints=memory.setpoints,
        setpoint=memory.setpoints["arm"],
        speed=speed,
        trail=memory.trail,
        reading=memory.inbox.reading,
        mapping=memory.mapping,
        scale=memory.scale,
        engaged=memory.mode.since == 0.0 or memory.stopping,  # driving restarts at the end of a stop
        around=around,
    )


def clear_stuck(requests: Requests, memory: LaneMemory) -> LaneMemory:
    """Return the memory without the note on a stuck source, once there is another command."""
    if memory.stuck and (requests is not NO_REQUESTS or memory.mode.mode == "teleoperation"):
        return replace(memory, stuck=None)
    return memory


def hindered_by(notes: Notes, memory: LaneMemory) -> LaneMemory:
    """Return the memory with the note on the obstacle or limit that holds back a source without progress."""
    if memory.active is None or memory.active.state != "waiting":
        return replace(memory, hindered=None) if memory.hindered else memory
    said = next((note for note in notes if note.level == "slow"), None)
    return replace(memory, hindered=said) if said and said != memory.hindered else memory


def _stuck(robot: str, hindered: Note | None) -> Note:
    """Return the note on a stuck source, with the obstacle or limit if it is known."""
    return Note("lane.stuck", "stop", (Subject("robot", robot),), cause=hindered or UNKNOWN)
