"""The arbiter: one source per tick, picked by its kind; one may be interrupted, continued, ended or stuck."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from farhand.errors import CommandError, FarhandError
from farhand.lane.memory import LaneMemory
from farhand.lane.modes import UNKNOWN, ModeMemory, Signals, WatchdogSpec, may_move
from farhand.lane.requests import NO_REQUESTS, Requests, refused
from farhand.lane.sources import SOURCES, Active, Autonomous, Retracing, Source, SourceConfig, SourceView
from farhand.lane.sources.hand import HandMemory
from farhand.types import HOLD, STOP, Demand, Note, RobotState, Subject

__all__ = ["Arbiter", "answered", "hindered_by", "source_view"]

Notes = tuple[Note, ...]
NOTHING, HELD = Note("move.nothing"), Note("move.held")


class Arbiter:
    """Starts, steps and ends the sources of one robot.

    Args:
        config: The robot.
    """

    def __init__(self, config: SourceConfig) -> None:
        self.robot = config.robot
        self.hand, self.autonomous = _made(config)
        self._retracing = {name: source for name, source in self.autonomous.items() if isinstance(source, Retracing)}

    def start(
        self, requests: Requests, signals: Signals, watchdog: WatchdogSpec, view: SourceView, memory: LaneMemory
    ) -> tuple[LaneMemory, Signals, Notes]:
        """Return the memory with the source that shall move the arm, and the signals with it; or why it cannot start.

        Args:
            requests: What this tick's events ask of the robot; a motion among it.
            signals: What the modes will look at.
            watchdog: When readings count as lost.
            view: Of this tick.
            memory: Of the last tick.
        """
        problem = may_move(memory.mode, signals, watchdog)
        if problem:
            return memory, signals, self._refused(problem, requests)
        try:
            begun = self._begun(requests, view, memory.active)
        except CommandError as error:
            begun = Note("move.detail", about=(Subject("detail", str(error)),))
        if isinstance(begun, Note):
            return memory, signals, self._refused(begun, requests)
        asked = replace(signals, move=not requests.go_on, go_on=requests.go_on)
        return replace(memory, active=begun), asked, ()

    def _begun(self, requests: Requests, view: SourceView, active: Active | None) -> Active | Note:
        """Return the source that is asked for as it begins or is taken up again, or why there is none."""
        if requests.start is not None:
            name = requests.start.source
            begun = self.autonomous[name].begin(requests.start.argument, view)
        elif active is not None:
            name = active.source
            begun = self.autonomous[name].resume(active.memory, view)
        else:
            return NOTHING
        return begun if isinstance(begun, Note) else Active(name, begun)

    def refused(self, requests: Requests, mode: ModeMemory, signals: Signals, watchdog: WatchdogSpec) -> Notes:
        """Return the note of a source that did not start, because of what came in the same tick.

        Args:
            requests: What this tick's events ask of the robot; a motion among it.
            mode: Of this tick.
            signals: What the modes have looked at.
            watchdog: When readings count as lost.
        """
        return self._refused(may_move(mode, signals, watchdog) or mode.reason or HELD, requests)

    def _refused(self, cause: Note, requests: Requests) -> Notes:
        return refused(Note("refused.move", about=(Subject("robot", self.robot),), cause=cause), requests.mover)

    def ask(self, tick: int, robot: RobotState, speed: float, memory: LaneMemory) -> tuple[Demand, LaneMemory, Notes]:
        """Return what is asked for in this tick.

        Args:
            tick: This tick's number.
            robot: As measured.
            speed: The chosen share of full speed.
            memory: Of the last tick, with this tick's mode and reading.
        """
        mode, active = memory.mode.mode, memory.active
        under_way = active is not None and active.state != "interrupted"
        if mode == "autonomous" and active is not None and under_way:
            return self._step(active, source_view(tick, robot, speed, memory), memory)
        if active is not None and under_way:
            memory = replace(memory, active=replace(active, state="interrupted"))  # to be continued on request
        if mode == "teleoperation":
            memory, left = self._taken_over(memory)
            held = HandMemory(memory.mapping_memory, memory.finding)
            demand, held, _, asked = self.hand.step(source_view(tick, robot, speed, memory), held)
            return demand, replace(memory, mapping_memory=held.latch, finding=held.finding), (*left, *asked)
        return Demand(HOLD if mode in ("idle", "autonomous") else STOP), memory, ()

    def _step(self, active: Active, view: SourceView, memory: LaneMemory) -> tuple[Demand, LaneMemory, Notes]:
        """Step an autonomous source; one that is stuck ends and is held."""
        demand, kept, status, notes = self.autonomous[active.source].step(view, active.memory)
        if status == "stuck":
            return Demand(HOLD), replace(memory, active=None, stuck=_stuck(self.robot, memory.hindered)), ()
        memory = replace(memory, active=None if status == "arrived" else Active(active.source, kept, status))
        if active.source in self._retracing:
            # what has been backed out of is no longer a way in
            memory = replace(memory, trail=memory.trail[: self._retracing[active.source].remaining(kept)])
        return demand, memory, notes

    def _taken_over(self, memory: LaneMemory) -> tuple[LaneMemory, Notes]:
        """End a source that is not continued after driving."""
        left = self.autonomous[memory.active.source].ended_by_press if memory.active else None
        return (replace(memory, active=None), (left,)) if left else (memory, ())

    def retraces(self, memory: LaneMemory) -> bool:
        """Return whether the arm is being led back along its trail."""
        active = memory.active
        return active is not None and active.state != "interrupted" and active.source in self._retracing


def _made(config: SourceConfig) -> tuple[Source, dict[str, Autonomous]]:
    """Return the source by hand and the autonomous ones by name.

    Raises:
        FarhandError: If there is not one source by hand, or another cannot begin and resume.
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
            raise FarhandError(f"the source {name!r} is autonomous, but cannot begin, resume or be ended by a press")
    if len(hands) != 1:
        raise FarhandError(f"one source is led by the hand, found {', '.join(hands) or 'none'}")
    return next(iter(hands.values())), autonomous


def source_view(tick: int, robot: RobotState, speed: float, memory: LaneMemory) -> SourceView:
    """Return what sources look at in a tick.

    Args:
        tick: This tick's number.
        robot: As measured.
        speed: The chosen share of full speed.
        memory: Of the last tick, with this tick's reading.
    """
    return SourceView(
        tick=tick,
        robot=robot,
        setpoint=memory.setpoints["arm"],
        speed=speed,
        trail=memory.trail,
        reading=memory.inbox.reading,
        mapping=memory.mapping,
        scale=memory.scale,
        engaged=memory.mode.since == 0.0 or memory.stopping,  # who drives on begins where a stop ends
    )


def answered(requests: Requests, memory: LaneMemory) -> LaneMemory:
    """Return the memory without the note of a source that was stuck, once there is another command."""
    if memory.stuck and (requests is not NO_REQUESTS or memory.mode.mode == "teleoperation"):
        return replace(memory, stuck=None)
    return memory


def hindered_by(notes: Notes, memory: LaneMemory) -> LaneMemory:
    """Return the memory with what holds back a source that does not get on, as far as that is said."""
    if memory.active is None or memory.active.state != "waiting":
        return replace(memory, hindered=None) if memory.hindered else memory
    said = next((note for note in notes if note.level == "slow"), None)
    return replace(memory, hindered=said) if said and said != memory.hindered else memory


def _stuck(robot: str, hindered: Note | None) -> Note:
    """Return the note of a source that is stuck, with what is known to be in its way."""
    return Note("lane.stuck", "stop", (Subject("robot", robot),), cause=hindered or UNKNOWN)
