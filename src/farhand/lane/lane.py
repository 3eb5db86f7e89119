"""The lane of one robot: it folds inputs over an explicit memory, tick by tick."""

from __future__ import annotations

import math
from collections.abc import Mapping as Names
from typing import Any

from msgspec.structs import replace

from farhand.distances import Arena
from farhand.filters import Felt, Filter, Scale, View, run_filters
from farhand.lane.contact.contact import estimate, feedback, max_sensor_error, sensor_fault, smooth
from farhand.lane.contact.unloading import should_unload
from farhand.lane.intake.ages import add_lead
from farhand.lane.intake.choices import Choices, take_choices
from farhand.lane.intake.hand_scales import next_scale
from farhand.lane.intake.inbox import Inbox, receive
from farhand.lane.intake.link_notes import UNECHOED, never_drives, refused_press, why_late
from farhand.lane.intake.link_timing import pass_time, update_link
from farhand.lane.intake.presence import presence
from farhand.lane.intake.requests import Requests
from farhand.lane.lane_setup import LaneSetup, migrate_memory
from farhand.lane.memory import LaneMemory, limit_lead, rested, standing_setpoint
from farhand.lane.modes.arbiter import Arbiter, clear_stuck, hindered_by, source_view
from farhand.lane.modes.fault_finding import FaultFinder
from farhand.lane.modes.mode_machine import ModeMemory, ModeSignals, advance
from farhand.lane.modes.mode_signals import TimeSignals, signals_from
from farhand.lane.motion.base_stage import BASE, FLIPPERS
from farhand.lane.motion.braking import tip_brakes
from farhand.lane.motion.grip_notes import grip_notes
from farhand.lane.motion.guard_stage import at_rest
from farhand.lane.motion.overrun import bound_demand, bound_rates, is_bounded, overrun_note
from farhand.lane.motion.servo_stage import ServoMemory
from farhand.lane.motion.validity import demand_problem
from farhand.lane.motion.vehicle_stage import move_vehicle
from farhand.lane.paths.path_log import log_motion
from farhand.lane.report import lane_report, standing_notes
from farhand.lane.robot_config import RobotConfig
from farhand.lane.sources import SourceConfig
from farhand.lane.stages import Stages
from farhand.poses import Pose
from farhand.surroundings import FreeSpace
from farhand.types import STOP, Demand, LaneReport, Note, Reading, RobotState, State, Vector, Wrench

__all__ = ["Lane"]

Notes = tuple[Note, ...]
Kept = tuple[Any, ...]
NO_OBJECTS: Names[str, Pose] = {}
NO_NOTES: Notes = ()
STOPPED = Demand(STOP)
STALE = Note("lane.reading")


class Lane:
    """The stages between one robot's inputs and its drives.

    A lane is constant: a change of set-up or surroundings makes a new lane, which takes over the memory of the old one.

    Args:
        config: The robot and its set-up.
        arena: The obstacles that its arm avoids; None for none.
        stages: Stages to share with another lane of the same robot.
    """

    def __init__(self, config: RobotConfig, arena: Arena | None = None, stages: Stages | None = None) -> None:
        self.config, self.arena = config, arena
        self.name, self.model, self.chain, self.dt = config.name, config.model, config.chain, config.dt
        self.base, self.power, self.home, self.wrist = config.base, config.power, config.home, config.wrist
        self._use_stages(stages or Stages(config))
        self._use_setup(config.setup)

    def _use_stages(self, stages: Stages) -> None:
        model, leads = self.model, self.config
        self.stages, self.tip, self.watch, self.trail = stages, stages.tip, stages.watch, stages.trail
        self.guard, self.gripper, self.tracks = stages.guard, stages.gripper, stages.tracks
        self.servo = stages.servo.beside(self.arena.servo) if self.arena else stages.servo
        self.free_space = FreeSpace(self.arena, model.arm.joints) if self.arena else None
        self._accelerations = tuple([joint.acceleration for joint in model.arm.joints])
        self._braked = ("arm", BASE, FLIPPERS) if model.tracks else ("arm",)  # groups that a stop brings to rest
        self._leads = {"arm": leads.leads, "gripper": (leads.grip_lead,)}
        self._leads |= {BASE: (math.inf, math.inf), FLIPPERS: leads.flipper_leads}

    def _use_setup(self, setup: LaneSetup) -> None:
        self.setup, filters = setup, setup.filters
        self.mappings, self.watchdog, self.reflection = dict(setup.mappings), setup.watchdog, setup.reflection
        self.speeds, self.scales, self.avoid = setup.speeds, setup.scales, setup.avoid
        self._axes = {title: mapping.axes for title, mapping in self.mappings.items()}
        self._led_by = {title: mapping.led_by for title, mapping in self.mappings.items()}
        joints, flippers = self.model.arm.joints, self.model.tracks.flippers if self.model.tracks else ()
        config = SourceConfig(self.name, joints, self.home, self.dt, self.mappings, self.chain, flippers)
        self.arbiter = Arbiter(config)
        scaled = any(isinstance(stage, Scale) for stage in filters.values())
        self.finder = FaultFinder(self.name, filters if scaled else {"scale": Scale(), **filters})
        self.placed = any(isinstance(stage, Felt) for stage in filters.values())
        self._max_sensor_error = max_sensor_error(filters.values())
        self._felt = [(i, stage) for i, stage in enumerate(self.finder.filters.values()) if isinstance(stage, Felt)]
        power, brake = self.power is not None, self.model.tracks is not None
        self._choices = Choices(self.name, self._axes, len(setup.speeds), self.finder, power, brake)
        self.filters, self.filter_names = tuple(self.finder.filters.values()), tuple(self.finder.filters)

    def altered(self, setup: LaneSetup) -> Lane:
        """Return a lane of the same robot with another set-up."""
        return Lane(replace(self.config, setup=setup), self.arena, self.stages)

    def among(self, arena: Arena | None) -> Lane:
        """Return a lane of the same robot among the obstacles of another arena, or of none."""
        return Lane(self.config, arena, self.stages)

    def migrate_memory(self, memory: LaneMemory, before: Lane) -> LaneMemory:
        """Return the memory of the lane that this one replaces, adapted: nothing jumps, unchanged parts stay.

        Args:
            memory: The memory after the last tick.
            before: The replaced lane.
        """
        return migrate_memory(memory, before.setup, self.setup, before.setup_filters(), self.setup_filters())

    def setup_filters(self) -> dict[str, Filter]:
        """Return the filters by name, in order, including the speed level."""
        return self.finder.filters

    def start(self, robot: RobotState, speed_level: int) -> LaneMemory:
        """Return the first memory of a lane: the robot holds its measured position."""
        return LaneMemory(
            mode=ModeMemory("off", powered=False) if self.power else ModeMemory(),
            inbox=Inbox(),
            mapping=next(iter(self.mappings)),
            mapping_memory=None,
            speed_level=speed_level,
            active=None,
            awaited=None,
            filters=(None,) * len(self.filters),
            servo=ServoMemory(),
            setpoints={name: standing_setpoint(group.positions) for name, group in robot.groups.items()},
            scale=self.scales[0],
        )

    def rested(self, robot: RobotState, memory: LaneMemory) -> LaneMemory:
        """Return the memory of the robot at rest at its measured position; choices and a latched stop stay."""
        return rested(self.start(robot, memory.speed_level), memory)

    def resumed(
        self,
        robot: RobotState,
        told: Names[str, Vector],
        mapping: str,
        speed_level: int,
        reason: Note,
        *,
        scale: float,
        parked: bool,
    ) -> LaneMemory:
        """Return the memory of a stopped lane, latched, whose drives keep their earlier set-points.

        Args:
            robot: The measured state, at rest.
            told: Earlier set-points by group; limited to the lead that each joint allows.
            mapping: The chosen mapping.
            speed_level: The chosen speed level.
            reason: The cause of the stop.
            scale: The chosen scale of the hand's motion.
            parked: True if the parking brake is set.
        """
        fresh, leads, at = self.start(robot, speed_level), self._leads, robot.groups
        setpoints = {
            group: standing_setpoint(limit_lead(told[group], at[group].positions, leads[group])) for group in at
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
        """Do one tick; return its report and the next memory.

        Args:
            tick: Number of this tick.
            reading: The master's reading since the last tick, if there is one.
            requests: Requests of this tick's events to this robot.
            robot: The state measured at the end of the last tick.
            memory: The memory after the last tick.
            objects: Poses of the world's objects by name; needed if `placed`.
            state: The world measured at the end of the last tick; needed for obstacle avoidance.
        """
        news, memory = memory.news, replace(memory, news=()) if memory.news else memory
        memory, chosen = take_choices(requests, self._choices, clear_stuck(requests, memory))
        memory, turned_away, passed = self._receive(tick, reading, requests, memory)
        memory, contact, sensed = estimate(self.wrist, self._max_sensor_error, requests, robot, memory)
        if requests.moves:  # events or a restored snapshot may have moved obstacles since the last tick
            self._look_around(state, robot, memory)
        memory, begun = self._advance_mode(tick, requests, robot, memory, passed)
        memory = smooth(self.reflection, contact, self.base, robot, memory, self.dt)
        demand, memory, asked = self._ask(tick, robot, memory)
        demand, memory = self._stopped_first(demand, memory)
        tip = self.tip(memory.setpoints["arm"].positions)
        view = self._view(tip, robot, objects, contact, memory)
        demand, kept, altered = run_filters(self._live(memory), demand, view, memory.filters)
        demand, kept, memory = self._checked(demand, kept, memory)
        memory = replace(memory, filters=kept, seen=self._look_around(state, robot, memory))
        memory, limits = self._move(demand, tip, robot, memory)
        memory, retracing = hindered_by((*limits, *altered), memory), self.arbiter.retraces(memory)
        memory, learning = log_motion(self.trail, robot, memory, self.dt, retracing=retracing)
        before = (*news, *chosen, *turned_away, *sensed, *learning, *begun, *asked)
        age = passed.ages.age if passed.ages else None
        return self._report(age, demand, memory, contact, before, (*altered, *limits)), memory

    def failed(
        self, tick: int, problem: Note, requests: Requests, robot: RobotState, memory: LaneMemory
    ) -> tuple[LaneReport, LaneMemory]:
        """Do a tick in which a stage failed: brake, and latch the fault; return the report and the next memory.

        Choices of that tick still count. The mode machine handles the other requests: a fault overrides stop and reset,
        and power that is switched off stays off.

        Args:
            tick: Number of this tick.
            problem: The failure.
            requests: Requests of this tick's events to this robot.
            robot: The state measured at the end of the last tick.
            memory: The memory after the last tick.
        """
        try:
            memory, chosen = take_choices(requests, self._choices, clear_stuck(requests, memory))
        except Exception:  # noqa: BLE001 - a choice failed: the robot must brake without it
            memory, chosen = replace(memory, taught=None), NO_NOTES
        memory = replace(memory, wall=add_lead(memory.wall, requests.wall_lead, tick, self.dt))
        broken = ModeSignals(held=False, pressed=False, age=None, fault=problem, power=requests.power)
        mode = advance(memory.mode, broken, self.watchdog, self.dt, self.power)
        memory = replace(memory, mode=mode, mapping_memory=None, servo=ServoMemory())
        memory = replace(memory, active=None, awaited=None, filters=(None,) * len(self.filters))
        try:
            memory, limits = self._move(STOPPED, self.tip(memory.setpoints["arm"].positions), robot, memory)
        except Exception:  # noqa: BLE001 - the failed stage is needed for braking: hold at the measured position
            memory, limits = replace(memory, setpoints=self.start(robot, memory.speed_level).setpoints), ()
        age = memory.inbox.age(tick, self.dt, memory.wall)
        return self._report(age, STOPPED, memory, robot.contact, chosen, limits), memory

    # ── Intake and mode ──────────────────────────────────────────────────────────────────────────────────────────

    def _receive(
        self, tick: int, reading: Reading | None, requests: Requests, memory: LaneMemory
    ) -> tuple[LaneMemory, Notes, TimeSignals]:
        """Receive the reading, update link and ages, and step the scale of the hand's motion by its button."""
        before, inbox, lead, absent = memory.inbox, receive(memory.inbox, reading, tick), 0, None
        if requests.wall_lead or memory.gap:
            memory, lead, absent = pass_time(requests.wall_lead, inbox, tick, memory, self.watchdog, self.dt)
        link = update_link(inbox, tick, memory, self.watchdog, self.dt) if inbox.received == tick else memory.link
        lost = None
        if not memory.finding.generator:  # a generator needs only the deadman
            lost = presence(self._led_by[memory.mapping], memory.lost, before, inbox, tick, self.dt, memory.wall)
        lost = UNECHOED if never_drives(inbox.reading) else lost
        memory = replace(memory, inbox=inbox, lost=lost, link=link)
        if inbox.stepped:
            memory = replace(memory, scale=next_scale(self.scales, memory.scale, inbox.stepped))
        ages = inbox.ages(tick, self.dt, memory.wall, link.baseline)
        late = why_late(ages, self.watchdog) if ages else None
        return memory, (STALE,) if inbox.turned_away else (), TimeSignals(ages, lead, late, absent)

    def _advance_mode(
        self, tick: int, requests: Requests, robot: RobotState, memory: LaneMemory, passed: TimeSignals
    ) -> tuple[LaneMemory, Notes]:
        """Advance to this tick's mode, and start or resume a motion if one is requested and possible."""
        beyond = self.watch(robot.groups["arm"])
        blinded = sensor_fault(memory.wrist.problem, self._live(memory)) if memory.wrist.problem else None
        signals, notes, waiting = signals_from(requests, memory, passed, beyond, blinded), NO_NOTES, memory.active
        if requests.moves:
            view = source_view(tick, robot, self.speeds[memory.speed_level - 1], memory, self.free_space)
            memory, signals, notes = self.arbiter.start(requests, signals, self.watchdog, view, memory)
        mode = advance(memory.mode, signals, self.watchdog, self.dt, self.power)
        if (signals.move or signals.resume) and mode.mode != "autonomous":  # another request of this tick prevents it
            notes = self.arbiter.refused(requests, mode, signals, self.watchdog)
            memory = replace(memory, active=waiting)
        refused = self._refused(mode, passed, memory)
        memory = replace(memory, mode=mode, violating=beyond is not None, refused=refused)
        if memory.awaited:
            memory, said = self.arbiter.waits(tick, requests, memory, self.dt)
            notes += said
        return memory, notes

    def _refused(self, mode: ModeMemory, passed: TimeSignals, memory: LaneMemory) -> Note | None:
        """Return the reason that a press did not count, as long as the deadman is held."""
        if not memory.inbox.reading.deadman or mode.mode == "teleoperation":
            return None
        if not memory.inbox.pressed or passed.ages is None:
            return memory.refused
        late = passed.ages.beyond > self.watchdog.pause or passed.late is not None
        return refused_press(passed.ages, memory.link, self.watchdog) if late else None

    # ── The arbiter: one source per tick ─────────────────────────────────────────────────────────────────────────

    def _ask(self, tick: int, robot: RobotState, memory: LaneMemory) -> tuple[Demand, LaneMemory, Notes]:
        return self.arbiter.ask(tick, robot, self.speeds[memory.speed_level - 1], memory)

    def _stopped_first(self, demand: Demand, memory: LaneMemory) -> tuple[Demand, LaneMemory]:
        """Replace the demand by a stop until the robot is at rest; the filters see only the stop."""
        braking = memory.stopping and not all([at_rest(memory.setpoints[group]) for group in self._braked])
        stopping = demand.source == STOP or braking
        memory = memory if stopping == memory.stopping else replace(memory, stopping=stopping)
        return STOPPED if stopping else demand, memory

    def _view(
        self, tip: Pose, robot: RobotState, objects: Names[str, Pose], contact: Wrench, memory: LaneMemory
    ) -> View:
        """Return the state that the filters read."""
        moved = math.dist(tip.position, memory.tip.position) if memory.tip else math.inf
        speed, told = self.speeds[memory.speed_level - 1], memory.setpoints["arm"].positions
        tip_speed, rates = moved / self.dt, memory.setpoints["arm"].rates
        brakes = tip_brakes(tip_speed, rates, self._accelerations)
        return View(robot, tip, tip_speed, speed, self.dt, objects, contact, told, self.tip, brakes)

    def _live(self, memory: LaneMemory) -> tuple[Filter | None, ...]:
        """Return the filters, with None for those that are switched off."""
        return self.finder.live(memory.finding) if memory.finding.off else self.filters

    def _checked(self, demand: Demand, kept: Kept, memory: LaneMemory) -> tuple[Demand, Kept, LaneMemory]:
        """Check the demand; an invalid one stops the robot, latched, and the filters start afresh."""
        problem = demand_problem(demand, len(self.model.arm.joints))
        if not problem:
            return demand, kept, memory
        stopped = ModeMemory("stopped", 0.0, problem, powered=memory.mode.powered)
        fresh = replace(memory, mode=stopped, servo=ServoMemory(), mapping_memory=None)
        return STOPPED, (None,) * len(self.filters), fresh

    # ── Servo and guard ──────────────────────────────────────────────────────────────────────────────────────────

    def _look_around(self, state: State | None, robot: RobotState, memory: LaneMemory) -> State | None:
        """Update the obstacles in the arena, and return the world that they are taken from."""
        if self.arena is None or state is None:
            return memory.seen
        last, told = memory.seen or state, memory.setpoints["arm"].positions
        self.arena.look(told, robot, state.objects, last.objects, state.robots, last.robots)
        return state

    def _move(self, demand: Demand, tip: Pose, robot: RobotState, memory: LaneMemory) -> tuple[LaneMemory, Notes]:
        last, stopping = memory.setpoints, memory.stopping or demand.source == STOP
        distant, bounds = is_bounded(memory, self.watchdog), NO_NOTES
        if distant:
            gauge = self.tracks.tracks.gauge if self.tracks else 0.0
            demand, bounds = bound_demand(demand, memory.link.lag, self.watchdog, gauge)
        rates, servo, limits = self.servo(demand, last["arm"], tip, memory.servo)
        if distant:
            rates, said = bound_rates(rates, self.chain, last["arm"].positions, memory.link.lag, self.watchdog)
            servo = replace(servo, wanted=rates.copy()) if said and servo.wanted is not None else servo
            limits = (*limits, *(bounds or said))
        before = memory.servo.wanted if servo.wanted is not None else None
        at, relieved = robot.groups["arm"].positions, self.tracks is None and should_unload(demand, memory.mode.mode)
        arm, held_back = self.guard(rates, before, last["arm"], at, stop=stopping, relieved=relieved)
        setpoints = {"arm": arm}
        if self.gripper:
            asked, measured = demand.motions.get("gripper"), robot.groups["gripper"].positions[0]
            setpoints["gripper"] = self.gripper(asked, last["gripper"], measured)
            held_back += grip_notes(asked, setpoints["gripper"], measured, self.gripper.lead)
        if self.tracks:
            carried, memory, said = move_vehicle(self.tracks, self.arena, demand, robot, memory, self.dt, stop=stopping)
            setpoints, held_back = setpoints | carried, (*held_back, *said)
        return replace(memory, servo=servo, setpoints=setpoints, tip=tip, stopping=stopping), (*limits, *held_back)

    def _report(
        self, age: float | None, demand: Demand, memory: LaneMemory, contact: Wrench, before: Notes, after: Notes
    ) -> LaneReport:
        """Return the report of the tick; standing notes come after the notes on the demand."""
        mapping = memory.mapping
        before = (*before, *overrun_note(memory, self.watchdog)) if memory.link.lag else before
        notes = (*before, *standing_notes(self.finder, self._axes[mapping], memory), *after)
        felt = feedback(self.reflection, self.avoid, self._felt, self.mappings[mapping], memory)
        deflected = self._led_by[mapping] == "axes"
        return lane_report(demand, memory, notes, age=age, contact=contact, felt=felt, deflected=deflected)
