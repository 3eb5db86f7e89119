"""One robot's lane: a fold of its inputs over an explicit memory."""

from __future__ import annotations

import copy
import functools
import math
from collections.abc import Callable
from collections.abc import Mapping as Names

from msgspec.structs import replace

from farhand.distances import Arena, VehicleArena
from farhand.filters import Felt, Filter, Scale, View, run_filters
from farhand.filters.wrist import Wrist
from farhand.formats.model import RobotModel
from farhand.kinematics import Mechanism
from farhand.kinematics.tip import TipReader
from farhand.lane.avoidance import AvoidSpec
from farhand.lane.base_notes import PARKED, sense_base
from farhand.lane.base_stage import BASE, FLIPPERS, BaseStage, asks_to_drive
from farhand.lane.checks import Watch, demand_problem
from farhand.lane.choices import Choices, take_choices
from farhand.lane.faults import FaultFinder
from farhand.lane.feeling import blind, feel, felt, most_zeroed, sense
from farhand.lane.grip_notes import grip_notes
from farhand.lane.gripper_stage import GripperStage
from farhand.lane.guard_stage import GuardStage, at_rest
from farhand.lane.hand_stage import HandStage
from farhand.lane.inbox import Inbox, receive
from farhand.lane.lessons import learnt
from farhand.lane.memory import LaneMemory, rested, standing
from farhand.lane.modes import (
    HANDED_OVER,
    ModeMemory,
    PowerSpec,
    Signals,
    WatchdogSpec,
    advance,
)
from farhand.lane.move_stage import MoveStage, answered, hindered_by
from farhand.lane.moves import Mover
from farhand.lane.reflection import ReflectionSpec
from farhand.lane.report import idle_note, lane_report, standing_notes
from farhand.lane.requests import Requests
from farhand.lane.restraint import Held, hold_back
from farhand.lane.scales import SCALES, next_scale
from farhand.lane.servo_stage import ServoMemory, ServoStage
from farhand.lane.setup import Setup, adopted
from farhand.lane.trail import Trail
from farhand.mapping import Driven, Mapping, Remarks
from farhand.poses import Pose, Quaternion
from farhand.types import (
    HOLD,
    STOP,
    Demand,
    LaneReport,
    Note,
    Reading,
    RobotState,
    State,
    Vector,
    Wrench,
)

__all__ = ["Lane"]

Notes = tuple[Note, ...]
NO_OBJECTS: Names[str, Pose] = {}
NO_NOTES: Notes = ()
STALE = Note("lane.reading", "A reading was refused: it is old, repeated, from another lease, or no number.")


class Lane:
    """The stages between one robot's inputs and its drives.

    Args:
        name: The robot's name.
        model: The robot.
        chain: Its kinematics.
        mappings: Ways to drive it, by name; the first is chosen at start.
        filters: By name, in order; the speed level is put first if it is not among them.
        watchdog: When readings count as lost.
        speeds: Speed levels as shares of full speed.
        home: Joint positions of "home".
        leads: How far each set-point may lead its measured joint.
        grip_lead: How far the gripper's may, metres.
        dt: Seconds per tick.
        base: How the robot's base is turned in the world.
        reflection: How much of a contact the hand feels.
        power: For a robot that must be powered up; it starts off.
        scales: Of the hand's motion, to step through; the first is chosen at start.
        avoid: How the arm keeps clear, once it is put among things.
        wrist: Makes sense of the wrist sensor, for a robot that has one.
        driven: What mappings must know of the robot, for those that are added later.
        flipper_leads: How far each flipper's set-point may lead it, for a robot on tracks.
    """

    def __init__(
        self,
        name: str,
        model: RobotModel,
        chain: Mechanism,
        mappings: Names[str, Mapping],
        filters: Names[str, Filter],
        watchdog: WatchdogSpec,
        speeds: Vector,
        home: Vector,
        leads: Vector,
        grip_lead: float,
        dt: float,
        base: Quaternion = (1.0, 0.0, 0.0, 0.0),
        reflection: ReflectionSpec = ReflectionSpec(),  # noqa: B008 - frozen
        power: PowerSpec | None = None,
        scales: Vector = SCALES,
        avoid: AvoidSpec | None = None,
        wrist: Wrist | None = None,
        driven: Driven | None = None,
        flipper_leads: Vector = (),
    ) -> None:
        self.driven = driven
        self.name, self.model, self.chain, self.dt = name, model, chain, dt
        self.avoid = avoid
        self.arena: Arena | None = None
        self.base, self.power, self.home, self.wrist = base, power, home, wrist
        self._at_start = ModeMemory("off", powered=False) if power else ModeMemory()
        self._set_up(Setup(mappings, filters, watchdog, speeds, scales, reflection))
        self.tip, self.watch = TipReader(chain), Watch(model.arm.joints)
        self.mover, self.trail = Mover(model.arm.joints, dt), Trail(model.arm.joints)
        self.moves = MoveStage(name, home, self.mover, self.trail)
        self.servo = ServoStage(chain, model.arm.joints, dt, yields=model.tracks is not None)
        self.guard = GuardStage(model.arm.joints, leads, dt)
        self.gripper = GripperStage(model.gripper, grip_lead, dt) if model.gripper else None
        self.tracks = BaseStage(model.tracks, flipper_leads, dt) if model.tracks else None
        self._led = ("arm", BASE, FLIPPERS) if model.tracks else ("arm",)  # what a stop brings to rest
        self._leads = {"arm": leads, "gripper": (grip_lead,), BASE: (math.inf, math.inf), FLIPPERS: flipper_leads}

    def _set_up(self, setup: Setup) -> None:
        self.setup, filters = setup, setup.filters
        self.mappings, self.watchdog, self.reflection = dict(setup.mappings), setup.watchdog, setup.reflection
        self.speeds, self.scales = setup.speeds, setup.scales
        self._axes = {title: mapping.axes for title, mapping in self.mappings.items()}
        remarks = {title: mapping for title, mapping in self.mappings.items() if isinstance(mapping, Remarks)}
        self.hand = HandStage(self.mappings, remarks, tuple(j.velocity for j in self.model.arm.joints), self.dt)
        scaled = any(isinstance(stage, Scale) for stage in filters.values())
        self.finder = FaultFinder(self.name, filters if scaled else {"scale": Scale(), **filters})
        self.placed = any(isinstance(stage, Felt) for stage in filters.values())
        self._most_zeroed = most_zeroed(filters.values())
        self._felt = [(i, stage) for i, stage in enumerate(self.finder.filters.values()) if isinstance(stage, Felt)]
        power, brake = self.power is not None, self.model.tracks is not None
        self._choices = Choices(self.name, self._axes, len(setup.speeds), self.finder, power, brake)
        self.filters, self.filter_names = tuple(self.finder.filters.values()), tuple(self.finder.filters)

    def altered(self, setup: Setup) -> Lane:
        """Return the lane with another set-up; its servo, guard and other stages are the same ones."""
        lane = copy.copy(self)
        lane._set_up(setup)
        return lane

    def adopted(self, memory: LaneMemory, before: Lane) -> LaneMemory:
        """Return the memory of a lane that this one takes the place of: nothing jumps, nothing unchanged is forgotten.

        Whoever drives lets go if anything is looser than before, or if what he holds would mean something else.

        Args:
            memory: Of the last tick.
            before: The lane it is of.
        """
        return adopted(memory, before.setup, self.setup, before.setup_filters(), self.setup_filters())

    def setup_filters(self) -> dict[str, Filter]:
        """Return the filters by name, in order, the speed level among them."""
        return self.finder.filters

    def put_among(self, arena: Arena) -> None:
        """Keep clear of what is in an arena from the next tick on."""
        self.arena, self.servo.avoiding = arena, arena.servo

    def start(self, robot: RobotState, speed_level: int) -> LaneMemory:
        """Return the memory of a lane that holds the robot where it is measured to be."""
        return LaneMemory(
            mode=self._at_start,
            inbox=Inbox(),
            mapping=next(iter(self.mappings)),
            mapping_memory=None,
            speed_level=speed_level,
            move=None,
            filters=(None,) * len(self.filters),
            servo=ServoMemory(),
            setpoints={name: standing(group.positions) for name, group in robot.groups.items()},
            scale=self.scales[0],
        )

    def rested(self, robot: RobotState, memory: LaneMemory) -> LaneMemory:
        """Return the memory with the robot at rest where it is measured to be; choices and a latched stop stay."""
        return rested(self.start(robot, memory.speed_level), memory)

    def resumed(
        self,
        robot: RobotState,
        told: Names[str, Vector],
        mapping: str,
        speed_level: int,
        reason: str,
        *,
        scale: float,
        parked: bool,
    ) -> LaneMemory:
        """Return the memory of a lane that is stopped, latched, and tells its drives what they were told before.

        Args:
            robot: At rest, as measured.
            told: Set-points by group, brought as near to the measured joints as they may lead them.
            mapping: The chosen one.
            speed_level: The chosen one.
            reason: Why it is stopped.
            scale: The chosen one.
            parked: Its parking brake is set.
        """
        fresh = self.start(robot, speed_level)
        setpoints = {
            group: standing(_near(told[group], state.positions, self._leads[group]))
            for group, state in robot.groups.items()
        }
        mode = ModeMemory("stopped", 0.0, reason, powered=self.power is None)
        return replace(fresh, mode=mode, mapping=mapping, setpoints=setpoints, scale=scale, parked=parked)

    def step(
        self,
        tick: int,
        reading: Reading | None,
        requests: Requests,
        robot: RobotState,
        memory: LaneMemory,
        objects: Names[str, Pose] = NO_OBJECTS,
        state: State | None = None,
    ) -> tuple[LaneReport, LaneMemory]:
        """Return what the lane does in this tick, and what it remembers.

        Args:
            tick: This tick's number.
            reading: What the master said since the last tick, if anything.
            requests: What this tick's events ask of this robot.
            robot: As measured at the end of the last tick.
            memory: Of the last tick.
            objects: Where the objects of the world are; needed if `placed`.
            state: The world as measured at the end of the last tick; needed by an arm that keeps clear.
        """
        memory, notes = take_choices(requests, self._choices, answered(requests, memory))
        memory = replace(memory, inbox=receive(memory.inbox, reading, tick))
        if memory.inbox.turned_away:
            notes += (STALE,)
        if memory.inbox.stepped:
            memory = replace(memory, scale=next_scale(self.scales, memory.scale, memory.inbox.stepped))
        memory, contact, sensed = sense(self.wrist, self._most_zeroed, requests, robot, memory)
        memory, said = self._advance_mode(tick, requests, robot, memory)
        memory = feel(self.reflection, contact, self.base, robot, memory, self.dt)
        demand, memory, asked = self._ask(tick, robot, memory)
        demand, memory = self._stopped_first(demand, memory)
        tip = self.tip(memory.setpoints["arm"].positions)
        moved = math.dist(tip.position, memory.tip.position) if memory.tip else math.inf
        share, told = self.speeds[memory.speed_level - 1], memory.setpoints["arm"].positions
        view = View(robot, tip, moved / self.dt, share, self.dt, objects, contact, told, self.tip)
        demand, kept, altered = run_filters(self._live(memory), demand, view, memory.filters)
        memory, demand = self._checked(demand, replace(memory, filters=kept))
        memory = self._look_around(state, robot, memory)
        memory, limits = self._move(demand, tip, robot, memory)
        memory, learning = self._remember(robot, hindered_by((*limits, *altered), memory))
        notes += (*sensed, *learning)
        every = (*notes, *said, *asked, *self._standing(memory), *idle_note(memory), *altered, *limits)
        return self._report(tick, demand, memory, every, contact), memory

    def failed(self, tick: int, problem: str, robot: RobotState, memory: LaneMemory) -> tuple[LaneReport, LaneMemory]:
        """Return what the lane does in a tick in which one of its stages broke: it brakes, and the fault is latched."""
        mode = ModeMemory("fault", 0.0, problem, powered=memory.mode.powered)
        memory = replace(memory, mode=mode, mapping_memory=None, servo=ServoMemory())
        memory = replace(memory, move=None, filters=(None,) * len(self.filters))
        demand = Demand(STOP)
        try:
            memory, limits = self._move(demand, self.tip(memory.setpoints["arm"].positions), robot, memory)
        except Exception:  # noqa: BLE001 - the stage that broke is needed for braking: hold where the robot is
            memory, limits = replace(memory, setpoints=self.start(robot, memory.speed_level).setpoints), ()
        said = (*self._standing(memory), *limits)
        return self._report(tick, demand, memory, said, robot.contact), memory

    def _report(self, tick: int, demand: Demand, memory: LaneMemory, notes: Notes, contact: Wrench) -> LaneReport:
        feels = felt(self.reflection, self.avoid, self._felt, self.mappings[memory.mapping], memory)
        age = memory.inbox.age(tick, self.dt)
        return lane_report(demand, memory, notes, age=age, contact=contact, felt=feels)

    def _standing(self, memory: LaneMemory) -> Notes:
        return standing_notes(self.finder, self._axes[memory.mapping], memory)

    def _live(self, memory: LaneMemory) -> tuple[Filter | None, ...]:
        """Return the filters, with None for those that are switched off."""
        return self.finder.live(memory.finding) if memory.finding.off else self.filters

    # ── Requests and modes ───────────────────────────────────────────────────────────────────────────────────────

    def _advance_mode(
        self, tick: int, requests: Requests, robot: RobotState, memory: LaneMemory
    ) -> tuple[LaneMemory, Notes]:
        """Go on to this tick's mode, and start or take up a move if that is asked for and possible."""
        inbox, mode = memory.inbox, memory.mode
        beyond = self.watch(robot.groups["arm"])
        stop = requests.stop or inbox.bad or (beyond if beyond and not memory.violating else None)
        stop = stop or blind(memory.wrist.problem, self._live(memory))
        if inbox.epoch_changed and mode.mode in HANDED_OVER:
            stop = stop or "Control passed to someone else."
        signals = Signals(
            held=inbox.reading.deadman,
            pressed=inbox.pressed,
            age=inbox.age(tick, self.dt),
            stop=stop,
            fault=requests.fault,
            reset=requests.reset,
            hold=requests.hold,
            arrived=mode.mode == "autonomous" and memory.move is None,
            held_up=requests.held_up,
            power=requests.power,
        )
        notes: Notes = ()
        if requests.moves:
            speed = self.speeds[memory.speed_level - 1]
            memory, signals, notes = self.moves.start(requests, signals, self.watchdog, speed, memory)
        mode = advance(mode, signals, self.watchdog, self.dt, self.power)
        return replace(memory, mode=mode, violating=beyond is not None), notes

    def _remember(self, robot: RobotState, memory: LaneMemory) -> tuple[LaneMemory, Notes]:
        """Keep the way that the arm goes: for who must back out of it, and for a lesson."""
        arm, notes = memory.setpoints["arm"], NO_NOTES
        backing = memory.move is not None and memory.move.trail >= 0 and memory.move.start is not None
        if not backing:
            trail = self.trail.longer(memory.trail, robot.groups["arm"].positions)
            memory = memory if trail is memory.trail else replace(memory, trail=trail)
        if memory.lesson is not None:
            lesson, notes = learnt(memory.lesson, arm, self.dt)
            memory = memory if lesson is memory.lesson else replace(memory, lesson=lesson)
        return memory, notes

    # ── The arbiter: one source per tick ─────────────────────────────────────────────────────────────────────────

    def _ask(self, tick: int, robot: RobotState, memory: LaneMemory) -> tuple[Demand, LaneMemory, Notes]:
        mode, speed = memory.mode.mode, self.speeds[memory.speed_level - 1]
        if mode == "autonomous" and memory.move and memory.move.start:
            return self.moves.follow(memory.move, speed, memory)
        if memory.move and memory.move.start:
            memory = replace(memory, move=memory.move.interrupted())  # to be continued on request
        if mode == "teleoperation":
            return self.hand(tick, robot, speed, memory)
        return Demand(HOLD if mode in ("idle", "autonomous") else STOP), memory, ()

    def _checked(self, demand: Demand, memory: LaneMemory) -> tuple[LaneMemory, Demand]:
        """Let only demands through that the robot can read; another one stops it, latched."""
        problem = demand_problem(demand, len(self.model.arm.joints))
        if not problem:
            return memory, demand
        stopped = ModeMemory("stopped", 0.0, problem, powered=memory.mode.powered)
        fresh = replace(memory, mode=stopped, servo=ServoMemory(), filters=(None,) * len(self.filters))
        return replace(fresh, mapping_memory=None), Demand(STOP)

    def _stopped_first(self, demand: Demand, memory: LaneMemory) -> tuple[Demand, LaneMemory]:
        """Let nothing else be asked until a stop is carried out; filters too forget what was asked meanwhile."""
        stopping = demand.source == STOP or (
            memory.stopping and not all([at_rest(memory.setpoints[group]) for group in self._led])
        )
        if stopping == memory.stopping:
            return STOPPED if stopping else demand, memory
        return STOPPED if stopping else demand, replace(memory, stopping=stopping)

    # ── Servo and guard ──────────────────────────────────────────────────────────────────────────────────────────

    def _look_around(self, state: State | None, robot: RobotState, memory: LaneMemory) -> LaneMemory:
        """Bring what the arm keeps clear of up to date."""
        if self.arena is None or state is None:
            return memory
        last, told = memory.seen or state, memory.setpoints["arm"].positions
        self.arena.look(told, robot, state.objects, last.objects, state.robots, last.robots)
        return replace(memory, seen=state)

    def _move(self, demand: Demand, tip: Pose, robot: RobotState, memory: LaneMemory) -> tuple[LaneMemory, Notes]:
        last = memory.setpoints
        stopping = memory.stopping or demand.source == STOP
        rates, servo, limits = self.servo(demand, last["arm"], tip, memory.servo)
        before = memory.servo.wanted if servo.wanted is not None else None
        arm, held_back = self.guard(rates, before, last["arm"], robot.groups["arm"].positions, stop=stopping)
        setpoints = {"arm": arm}
        if self.gripper:
            measured = robot.groups["gripper"].positions[0]
            asked = demand.motions.get("gripper")
            setpoints["gripper"] = self.gripper(asked, last["gripper"], measured)
            held_back += grip_notes(asked, setpoints["gripper"], measured, self.gripper.lead)
        if self.tracks:
            drive = demand.motions.get(BASE)
            if memory.parked:
                drive, held_back = None, (*held_back, *((PARKED,) if asks_to_drive(drive) else ()))
            lifts = demand.motions.get(FLIPPERS)
            clear = None if drive is None and lifts is None else self._restraint(memory)
            carried, stuck = self.tracks(drive, lifts, last, robot, stop=stopping, restrain=clear)
            base, felt = sense_base(robot, last[BASE], memory.base, self.tracks.tracks.gauge, self.dt)
            memory = memory if base is memory.base else replace(memory, base=base)
            setpoints, held_back = setpoints | carried, (*held_back, *stuck, *felt)
        return replace(memory, servo=servo, setpoints=setpoints, tip=tip, stopping=stopping), (*limits, *held_back)

    def _restraint(self, memory: LaneMemory) -> Callable[[tuple[float, float], Vector], Held] | None:
        """Return what holds the vehicle back for its arm's sake; nothing where the arm does not look around."""
        if not isinstance(self.arena, VehicleArena) or memory.seen is None:
            return None
        return functools.partial(hold_back, self.arena, memory.setpoints["arm"].positions)


STOPPED = Demand(STOP)


def _near(told: Vector, measured: Vector, leads: Vector) -> Vector:
    return tuple(
        [min(max(there, here - lead), here + lead) for there, here, lead in zip(told, measured, leads, strict=True)]
    )
