"""A robot that moves by itself: which move is asked for, whether it may start, and what is said when it is given up."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from farhand.errors import CommandError
from farhand.lane.memory import LaneMemory
from farhand.lane.modes import UNKNOWN, ModeMemory, Signals, WatchdogSpec, may_move
from farhand.lane.moves import STUCK, Move, Mover
from farhand.lane.requests import NO_REQUESTS, Requests, refused
from farhand.lane.trail import Trail
from farhand.types import HOLD, Demand, Note, Subject, Vector

__all__ = ["MoveStage", "answered", "hindered_by", "taken_over"]

Notes = tuple[Note, ...]
GENTLE = 0.25  # share of full speed of backing out
LEFT = Note("lane.free.left")
BACKING = Note("lane.free")
NOTHING, NO_TRAIL, HELD = Note("move.nothing"), Note("move.no-trail"), Note("move.held")


class MoveStage(Struct, frozen=True):
    """Starts and follows moves of one arm: home, to joint positions, along a taught way, back along the way in.

    Args:
        robot: The robot's name.
        home: Joint positions of "home".
        mover: Plans and follows them.
        trail: Knows the way back.
    """

    robot: str
    home: Vector
    mover: Mover
    trail: Trail

    def start(
        self, requests: Requests, signals: Signals, watchdog: WatchdogSpec, speed: float, memory: LaneMemory
    ) -> tuple[LaneMemory, Signals, Notes]:
        """Return the memory with the move that is asked for, and the signals with it; or why it cannot start.

        Args:
            requests: What this tick's events ask of the robot; a move among it.
            signals: What the modes will look at.
            watchdog: When readings count as lost.
            speed: The chosen share of full speed.
            memory: Of the last tick.
        """
        wanted = self._wanted(requests, memory)
        problem = may_move(memory.mode, signals, watchdog)
        if problem:
            return memory, signals, self._refused(problem, requests)
        if isinstance(wanted, Note):
            return memory, signals, self._refused(wanted, requests)
        try:
            move = self.mover.resume(wanted, memory.setpoints["arm"], speed)
        except CommandError as error:
            cause = Note("move.detail", about=(Subject("detail", str(error)),))
            return memory, signals, self._refused(cause, requests)
        asked = replace(signals, move=not requests.go_on, go_on=requests.go_on)
        return replace(memory, move=move), asked, ()

    def refused(self, requests: Requests, mode: ModeMemory, signals: Signals, watchdog: WatchdogSpec) -> Notes:
        """Return the note of a move that did not start, because of what came in the same tick.

        Args:
            requests: What this tick's events ask of the robot; a move among it.
            mode: Of this tick.
            signals: What the modes have looked at.
            watchdog: When readings count as lost.
        """
        return self._refused(may_move(mode, signals, watchdog) or mode.reason or HELD, requests)

    def _refused(self, cause: Note, requests: Requests) -> Notes:
        return refused(Note("refused.move", about=(Subject("robot", self.robot),), cause=cause), requests.mover)

    def _wanted(self, requests: Requests, memory: LaneMemory) -> Move | Note:
        """Return the move that is asked for, before it begins, or why there is none."""
        if requests.goal is not None:
            return Move(requests.goal or self.home)
        if requests.path is not None:
            return Move(requests.path.points[0], taught=requests.path)
        if requests.go_on:
            return memory.move or NOTHING
        back = self.trail.back(memory.trail, memory.setpoints["arm"].positions)
        if back is None:
            return NO_TRAIL
        way, count = back
        return Move(way.points[0], taught=way, most=GENTLE, trail=count)

    def follow(self, move: Move, speed: float, memory: LaneMemory) -> tuple[Demand, LaneMemory, Notes]:
        """Return what a move asks for in this tick; one that does not get on is given up.

        Args:
            move: Under way.
            speed: The chosen share of full speed.
            memory: Of the last tick.
        """
        track, move, arrived = self.mover.follow(move, memory.setpoints["arm"], speed)
        if move.waited > STUCK:
            return Demand(HOLD), replace(memory, move=None, stuck=_stuck(self.robot, memory.hindered)), ()
        notes: Notes = ()
        memory = replace(memory, move=None if arrived else move)
        if move.trail >= 0:
            # what has been backed out of is no longer a way in
            memory, notes = replace(memory, trail=memory.trail[: move.trail - self.mover.passed(move)]), (BACKING,)
        return Demand(_source(move), {"arm": track}), memory, notes


def taken_over(memory: LaneMemory) -> tuple[LaneMemory, Notes]:
    """Return the memory of an arm that is driven: backing out is not taken up again, the way in is another now."""
    if memory.move is None or memory.move.trail < 0:
        return memory, ()
    return replace(memory, move=None), (LEFT,)


def answered(requests: Requests, memory: LaneMemory) -> LaneMemory:
    """Return the memory without the note of a move that was given up, once there is another command."""
    if memory.stuck and (requests is not NO_REQUESTS or memory.mode.mode == "teleoperation"):
        return replace(memory, stuck=None)
    return memory


def hindered_by(notes: Notes, memory: LaneMemory) -> LaneMemory:
    """Return the memory with what holds back a move that does not get on, as far as that is said."""
    move = memory.move
    if move is None or move.start is None or move.waited == 0.0:
        return replace(memory, hindered=None) if memory.hindered else memory
    said = next((note for note in notes if note.level == "slow"), None)
    return replace(memory, hindered=said) if said and said != memory.hindered else memory


def _stuck(robot: str, hindered: Note | None) -> Note:
    """Return the note of a move that is given up, with what is known to be in its way."""
    return Note("lane.stuck", "stop", (Subject("robot", robot),), cause=hindered or UNKNOWN)


def _source(move: Move) -> str:
    return "move" if move.taught is None else "path" if move.trail < 0 else "free me"
