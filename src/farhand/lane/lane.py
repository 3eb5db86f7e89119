"""One robot's lane: a fold of its inputs over an explicit memory."""

from __future__ import annotations

import math
from collections.abc import Mapping as Names
from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from farhand.filters import Filter, View, run_filters
from farhand.formats.model import RobotModel
from farhand.kinematics import SerialChain
from farhand.kinematics.tip import TipReader
from farhand.lane.gripper_stage import GripperStage
from farhand.lane.guard_stage import GuardStage
from farhand.lane.inbox import Inbox, receive
from farhand.lane.modes import ModeMemory, Signals, WatchdogSpec, advance, mode_note
from farhand.lane.moves import Move, follow_move, start_move
from farhand.lane.requests import Requests
from farhand.lane.servo_stage import ServoMemory, ServoStage
from farhand.mapping import Mapping
from farhand.poses import Pose
from farhand.types import HOLD, STOP, Demand, LaneReport, Motion, Note, Reading, RobotState, Setpoint, Vector

__all__ = ["Lane", "LaneMemory"]


class LaneMemory(Struct, frozen=True):
    """All that a lane remembers from one tick to the next.

    Args:
        mode: Who is in charge.
        inbox: What the master sent.
        mapping: Name of the chosen mapping.
        mapping_memory: The mapping's own latch; None starts it anew.
        speed_level: Counted from 1.
        move: The autonomous move under way or interrupted.
        filters: Memory of each filter.
        servo: Memory of the servo.
        setpoints: What the drives were told last, by group.
        tip: Where the set-points before those had the tip; None at the start.
    """

    mode: ModeMemory
    inbox: Inbox
    mapping: str
    mapping_memory: Any
    speed_level: int
    move: Move | None
    filters: tuple[Any, ...]
    servo: ServoMemory
    setpoints: dict[str, Setpoint]
    tip: Pose | None = None


class Lane:
    """The stages between one robot's inputs and its drives.

    Args:
        name: The robot's name.
        model: The robot.
        chain: Its kinematics.
        mappings: Ways to drive it, by name; the first is chosen at start.
        filters: In order.
        watchdog: When readings count as lost.
        speeds: Speed levels as shares of full speed.
        home: Joint positions of "home".
        leads: How far each set-point may lead its measured joint.
        dt: Seconds per tick.
    """

    def __init__(
        self,
        name: str,
        model: RobotModel,
        chain: SerialChain,
        mappings: Names[str, Mapping],
        filters: Sequence[Filter],
        watchdog: WatchdogSpec,
        speeds: Vector,
        home: Vector,
        leads: Vector,
        dt: float,
    ) -> None:
        self.name, self.model, self.chain, self.dt = name, model, chain, dt
        self.mappings, self.filters, self.watchdog = dict(mappings), tuple(filters), watchdog
        self.speeds, self.home = speeds, home
        self.tip = TipReader(chain)
        self.servo = ServoStage(chain, model.arm.joints, dt)
        self.guard = GuardStage(model.arm.joints, leads, dt)
        self.gripper = GripperStage(model.gripper, dt) if model.gripper else None

    def start(self, robot: RobotState, speed_level: int) -> LaneMemory:
        """Return the memory of a lane that holds the robot where it is measured to be."""
        return LaneMemory(
            mode=ModeMemory(),
            inbox=Inbox(),
            mapping=next(iter(self.mappings)),
            mapping_memory=None,
            speed_level=speed_level,
            move=None,
            filters=(None,) * len(self.filters),
            servo=ServoMemory(),
            setpoints={name: _at_rest(group.positions) for name, group in robot.groups.items()},
        )

    def step(
        self, tick: int, reading: Reading | None, requests: Requests, robot: RobotState, memory: LaneMemory
    ) -> tuple[LaneReport, LaneMemory]:
        """Return what the lane does in this tick, and what it remembers.

        Args:
            tick: This tick's number.
            reading: What the master said since the last tick, if anything.
            requests: What this tick's events ask of this robot.
            robot: As measured at the end of the last tick.
            memory: Of the last tick.
        """
        memory, notes = self._take_requests(requests, memory)
        memory = replace(memory, inbox=receive(memory.inbox, reading, tick))
        mode = self._advance_mode(tick, requests, memory)
        demand, memory = self._ask(mode, requests, robot, memory)
        tip = self.tip(memory.setpoints["arm"].positions)
        moved = math.dist(tip.position, memory.tip.position) if memory.tip else math.inf
        view = View(robot, tip, moved / self.dt, self.speeds[memory.speed_level - 1], self.dt)
        demand, kept, said = run_filters(self.filters, demand, view, memory.filters)
        rates, servo, limits = self.servo(demand, memory.setpoints["arm"], tip, memory.servo)
        arm, held_back = self.guard(
            rates,
            memory.servo.wanted if servo.wanted is not None else None,
            memory.setpoints["arm"],
            robot.groups["arm"].positions,
        )
        setpoints = {"arm": arm}
        if self.gripper:
            setpoints["gripper"] = self.gripper(demand.motions.get("gripper"), memory.setpoints["gripper"])
        memory = replace(memory, mode=mode, filters=kept, servo=servo, setpoints=setpoints, tip=tip)
        report = LaneReport(
            mode.mode,
            demand,
            setpoints,
            memory.speed_level,
            memory.mapping,
            memory.inbox.age(tick, self.dt),
            (*notes, *mode_note(mode), *said, *limits, *held_back),
        )
        return report, memory

    # ── Requests and modes ───────────────────────────────────────────────────────────────────────────────────────

    def _take_requests(self, requests: Requests, memory: LaneMemory) -> tuple[LaneMemory, tuple[Note, ...]]:
        """Take over choices; those that cannot be are refused with a note."""
        notes: tuple[Note, ...] = ()
        if requests.mapping:
            if requests.mapping in self.mappings:
                memory = replace(memory, mapping=requests.mapping, mapping_memory=None)
            else:
                known = ", ".join(self.mappings)
                notes += (_refused(f"{self.name} has no mapping {requests.mapping!r}; there are: {known}."),)
        if requests.speed_level:
            if 1 <= requests.speed_level <= len(self.speeds):
                memory = replace(memory, speed_level=requests.speed_level)
            else:
                text = f"Speed {requests.speed_level} is not one of 1 to {len(self.speeds)}."
                notes += (_refused(text),)
        return memory, notes

    def _advance_mode(self, tick: int, requests: Requests, memory: LaneMemory) -> ModeMemory:
        inbox = memory.inbox
        driving = memory.mode.mode in ("teleoperation", "paused")
        stop = requests.stop or inbox.bad
        if inbox.epoch_changed and driving:
            stop = stop or "Control passed to someone else."
        signals = Signals(
            held=inbox.reading.deadman,
            pressed=inbox.pressed,
            age=inbox.age(tick, self.dt),
            stop=stop,
            fault=requests.fault,
            reset=requests.reset,
            hold=requests.hold,
            move=requests.goal is not None or (requests.go_on and memory.move is not None),
            arrived=memory.mode.mode == "autonomous" and memory.move is None,
        )
        return advance(memory.mode, signals, self.watchdog, self.dt)

    # ── The arbiter: one source per tick ─────────────────────────────────────────────────────────────────────────

    def _ask(
        self, mode: ModeMemory, requests: Requests, robot: RobotState, memory: LaneMemory
    ) -> tuple[Demand, LaneMemory]:
        if mode.mode == "teleoperation":
            latch = memory.mapping_memory if memory.mode.mode == "teleoperation" else None
            motions, latch = self.mappings[memory.mapping](memory.inbox.reading, robot, latch)
            move = memory.move and Move(memory.move.goal)  # interrupted, to be continued on request
            return Demand(memory.mapping, motions), replace(memory, mapping_memory=latch, move=move)
        if mode.mode == "autonomous":
            return self._follow(requests, memory)
        if memory.move and memory.move.trajectory is not None:
            memory = replace(memory, move=None if mode.mode == "idle" else Move(memory.move.goal))
        return Demand(HOLD if mode.mode == "idle" else STOP), memory

    def _follow(self, requests: Requests, memory: LaneMemory) -> tuple[Demand, LaneMemory]:
        arm, move = memory.setpoints["arm"], memory.move
        goal = requests.goal if requests.goal is not None else (move.goal if move and requests.go_on else None)
        if goal is not None:
            speed = self.speeds[memory.speed_level - 1]
            move = start_move(self.model.arm.joints, goal or self.home, arm, speed)
        if move is None:
            return Demand(HOLD), memory
        track, move, arrived = follow_move(move, arm, self.dt)
        motions: dict[str, Motion] = {"arm": track}
        return Demand("move", motions), replace(memory, move=None if arrived else move)


def _at_rest(positions: Vector) -> Setpoint:
    still = (0.0,) * len(positions)
    return Setpoint(positions, still, still)


def _refused(text: str) -> Note:
    return Note("lane.refused", text)
