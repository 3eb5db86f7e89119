"""Moves that go by themselves go around what is in the way; a plan that is out of date never starts."""

from __future__ import annotations

import math
from concurrent.futures import Future
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from farhand.cell import Cell
from farhand.lane.intake.requests import requests_for
from farhand.loop import Run
from farhand.loop.plan_queue import PlanQueue
from farhand.planning import Found
from farhand.poses import Pose, compose
from farhand.types import (
    AddObject,
    Continue,
    FollowPath,
    HoldHere,
    Inputs,
    MoveJoints,
    MoveObject,
    MoveTip,
    ObjectSpec,
    PlanFound,
    PlanRequest,
    Reading,
    Reconfigure,
    Reset,
    ResetObjects,
    SelectMapping,
    SetSpeed,
    Stop,
    Tick,
    Trajectory,
)

HOME = (0.0, 0.35, 0.1, 0.0, 1.12, 0.0)
LEFT, RIGHT = (1.2, *HOME[1:]), (-1.2, *HOME[1:])
POST = ObjectSpec(name="post", size=(0.04, 0.04, 1.2), position=(0.39, -0.12, 0.6), mass=0.0)


def at(cell: Cell) -> tuple[float, ...]:
    return cell.memory["arm"].setpoints["arm"].positions


def is_idle(tick: Tick) -> bool:
    report = tick.lanes["arm"]
    return report.mode == "idle" and report.planning is None


def behind_a_post(*objects: ObjectSpec) -> Run:
    """Return a run whose arm stands to the right of a post."""
    run = Run(Cell.load("irb120"), {})
    run.send(SetSpeed("arm", 5))
    run.send(MoveJoints("arm", RIGHT))
    run.tick()
    run.run(10.0, until=is_idle)
    for thing in objects or (POST,):
        added = run.send(AddObject(thing))
        run.tick()
        assert added.ok, added.notes
    assert math.dist(at(run.cell), RIGHT) < 1e-3
    return run


def finished(run: Run, seconds: float = 30.0) -> tuple[Tick, set[str]]:
    """Run until the arm is idle; return the last tick, and by what it was led. It touches nothing on its way."""
    led: set[str] = set()

    def ended(tick: Tick) -> bool:
        led.add(tick.lanes["arm"].demand.source)
        assert not tick.state.robots["arm"].touching
        return is_idle(tick)

    run.tick()
    return run.run(seconds, until=ended), led


# ── Around what is in the way ────────────────────────────────────────────────────────────────────────────────────


def test_a_move_goes_around_a_post() -> None:
    run = behind_a_post()
    run.send(MoveJoints("arm", LEFT))
    tick, led = finished(run)
    assert led == {"planned", "hold"}
    assert math.dist(at(run.cell), LEFT) < 1e-3
    assert not [note for note in tick.lanes["arm"].notes if note.level == "stop"]


def test_a_move_whose_straight_way_is_free_takes_it_at_once() -> None:
    run = behind_a_post()
    run.send(MoveJoints("arm", (-1.6, *HOME[1:])))
    assert run.tick().lanes["arm"].mode == "autonomous"
    _, led = finished(run)
    assert led == {"move", "hold"}


def test_the_tip_is_moved_to_a_pose_around_a_post() -> None:
    run = behind_a_post()
    pose = run.cell.lanes["arm"].tip(LEFT)
    run.send(MoveTip("arm", pose))
    finished(run)
    assert run.cell.lanes["arm"].tip(at(run.cell)).position == pytest.approx(pose.position, abs=1e-3)


def test_the_tip_is_moved_straight_where_that_is_free_and_told_where_it_cannot_go() -> None:
    run = behind_a_post()
    pose = run.cell.lanes["arm"].tip((-1.6, *HOME[1:]))
    run.send(MoveTip("arm", pose))
    _, led = finished(run)
    assert led == {"move tip", "hold"}
    assert run.cell.lanes["arm"].tip(at(run.cell)).position == pytest.approx(pose.position, abs=1e-3)
    run.send(MoveTip("arm", compose(Pose((5.0, 0.0, 0.0)), pose)))
    tick, _ = finished(run)
    assert {"plan.reach"} == {n.cause.code for n in tick.lanes["arm"].notes if n.code == "lane.stuck" and n.cause}


def test_a_path_is_approached_around_a_post_and_then_followed() -> None:
    run = behind_a_post()
    points = (LEFT, (1.3, *HOME[1:]), (1.4, *HOME[1:]))
    run.send(FollowPath("arm", Trajectory("there", points)))
    _, led = finished(run)
    assert {"planned", "path"} <= led
    assert math.dist(at(run.cell), points[-1]) < 1e-3


def test_a_goal_that_is_blocked_names_the_two() -> None:
    run = behind_a_post()
    run.send(MoveJoints("arm", (-0.3, *HOME[1:])))  # right in the post
    tick, led = finished(run)
    (stuck,) = [note for note in tick.lanes["arm"].notes if note.code == "lane.stuck"]
    assert stuck.cause is not None
    assert stuck.cause.code == "plan.goal"
    assert "post" in {subject.name for subject in stuck.cause.about}
    assert led == {"hold"}
    assert math.dist(at(run.cell), RIGHT) < 1e-3


def test_an_interrupted_one_is_planned_anew() -> None:
    run = behind_a_post()
    run.send(MoveJoints("arm", LEFT))
    run.run(1.5)
    run.send(Stop())
    run.run(1.0)
    there = at(run.cell)
    run.send(Reset())
    run.run(0.2)
    assert at(run.cell) == there
    run.send(Continue("arm"))
    tick, led = finished(run)
    assert led <= {"planned", "move", "hold"}
    assert math.dist(at(run.cell), LEFT) < 1e-3
    assert not tick.lanes["arm"].waiting


def test_an_approach_that_was_interrupted_still_leads_to_its_path() -> None:
    run = behind_a_post()
    points = (LEFT, (1.3, *HOME[1:]))
    run.send(FollowPath("arm", Trajectory("there", points)))
    run.run(1.0)
    run.send(Stop())
    run.run(0.5)
    run.send(Reset())
    run.tick()
    run.send(Continue("arm"))
    finished(run)
    assert math.dist(at(run.cell), points[-1]) < 1e-3


@pytest.mark.parametrize("by_tip", [False, True])
def test_a_move_goes_on_around_what_has_come_into_its_way(by_tip: bool) -> None:
    run = behind_a_post(ObjectSpec(name="block", size=(0.1,) * 3, position=(-0.6, 0.0, 0.05), mass=0.0))
    run.send(MoveTip("arm", run.cell.lanes["arm"].tip(LEFT)) if by_tip else MoveJoints("arm", LEFT))
    run.run(0.1)
    run.send(Stop())
    run.run(0.5)
    run.send(Reset())
    added = run.send(AddObject(POST))
    run.tick()
    assert added.ok, added.notes
    run.send(Continue("arm"))
    _, led = finished(run)
    assert led == {"planned", "hold"}
    assert math.dist(at(run.cell), LEFT) < 1e-2


def test_a_move_that_cannot_be_continued_yet_is_kept() -> None:
    run = behind_a_post()
    run.send(MoveJoints("arm", LEFT))
    run.run(1.0)
    run.send(Stop())
    run.run(0.5)
    run.send(Reset())
    run.tick()
    request = run.cell.step(Inputs(events=(Continue("arm"),))).lanes["arm"].planning
    for _ in range(2):
        assert request is not None
        request = run.cell.step().lanes["arm"].planning
    assert request is not None
    tick = run.cell.step(Inputs(events=(PlanFound("arm", request),)))
    assert tick.lanes["arm"].waiting
    assert causes_of(tick) == {"plan.none"}
    assert run.cell.step(Inputs(events=(Continue("arm"),))).lanes["arm"].planning is not None


def test_a_move_that_is_refused_leaves_the_interrupted_one() -> None:
    run = behind_a_post()
    run.send(MoveJoints("arm", (-1.6, *HOME[1:])))
    run.run(0.2)
    run.send(HoldHere("arm"))
    run.run(0.3)
    run.send(MoveJoints("arm", (-1.9, *HOME[1:])))
    run.run(0.2)
    run.send(Stop())
    run.run(0.5)
    run.send(Reset())
    run.tick()
    waiting = run.cell.memory["arm"].active
    assert waiting is not None
    run.cell.step(Inputs(events=(MoveJoints("arm", RIGHT), Stop())))
    assert run.cell.memory["arm"].active == waiting


def test_an_arm_in_motion_comes_to_rest_before_a_way_is_looked_for() -> None:
    run = behind_a_post()
    run.send(MoveJoints("arm", (-1.9, *HOME[1:])))
    run.run(0.3)
    run.send(MoveJoints("arm", LEFT))
    asked_at = []

    def ended(tick: Tick) -> bool:
        report = tick.lanes["arm"]
        if report.planning and report.planning.start:
            asked_at.append(max(map(abs, report.setpoints["arm"].rates)))
        return is_idle(tick)

    run.tick()
    run.run(30.0, until=ended)
    assert asked_at
    assert max(asked_at) < 1e-3
    assert math.dist(at(run.cell), LEFT) < 1e-3


def test_a_motion_is_free_only_if_the_arm_can_come_to_rest_beside_it() -> None:
    run, _ = asked()
    free_space, told = run.cell.lanes["arm"].free_space, run.cell.memory["arm"].setpoints["arm"]
    goal = (-1.6, *HOME[1:])
    assert free_space is not None
    assert free_space.is_free(told, goal)
    assert not free_space.is_free(replace(told, rates=(8.0, 0.0, 0.0, 0.0, 0.0, 0.0)), goal)
    assert free_space.job(PlanRequest(1, 0, goal, told.positions)).keep > free_space.keep


def test_the_same_inputs_give_the_same_motion() -> None:
    ends = []
    for _ in range(2):
        run = behind_a_post()
        run.send(MoveJoints("arm", LEFT))
        run.run(3.0)
        ends.append(at(run.cell))
    assert ends[0] == ends[1]


# ── No plan starts that is out of date ───────────────────────────────────────────────────────────────────────────

SITUATION: list[tuple[Run, Any]] = []
HAPPENINGS: dict[str, Inputs] = {
    "stop": Inputs(events=(Stop(),)),
    "stop and reset": Inputs(events=(Stop(), Reset())),
    "hold": Inputs(events=(HoldHere("arm"),)),
    "speed": Inputs(events=(SetSpeed("arm", 2),)),
    "another move": Inputs(events=(MoveJoints("arm", (-1.21, *HOME[1:])),)),
    "the same move": Inputs(events=(MoveJoints("arm", LEFT),)),
    "a press": Inputs(),
    "another lease": Inputs(),  # both are filled in once the master is known
}


def asked() -> tuple[Run, PlanFound]:
    """Return a cell that waits for a plan, and the plan; the cell goes on from there every time."""
    if not SITUATION:
        run = behind_a_post()
        master = run.cell.master_of("arm")
        HAPPENINGS["a press"] = Inputs(readings={master: Reading(sequence=2, deadman=True)})
        HAPPENINGS["another lease"] = Inputs(readings={master: Reading(sequence=0, epoch=1)})
        run.cell.step(Inputs(readings={master: Reading(sequence=1)}))
        run.cell.step(Inputs(events=(MoveJoints("arm", LEFT),)))
        tick = run.cell.step(Inputs())
        request = tick.lanes["arm"].planning
        assert request is not None
        assert request.start == at(run.cell)
        desk = PlanQueue(run.cell, None)
        desk.look(tick)
        (found,) = desk.found()
        assert found.trajectory is not None
        SITUATION.append((run, (run.cell.snapshot(), found)))
    run, (snapshot, found) = SITUATION[0]
    run.cell.restore(snapshot)
    return run, found


def test_a_plan_that_is_awaited_starts() -> None:
    run, found = asked()
    assert run.cell.step(Inputs(events=(found,))).lanes["arm"].demand.source == "planned"
    run, found = asked()
    master = run.cell.master_of("arm")
    for sequence in range(2, 102):  # the operator is there all the while
        run.cell.step(Inputs(readings={master: Reading(sequence=sequence)}))
    assert run.cell.step(Inputs(events=(found,))).lanes["arm"].demand.source == "planned"


@settings(max_examples=60, deadline=None)
@given(
    what=st.lists(st.sampled_from(sorted(HAPPENINGS)), min_size=1, max_size=3),
    pauses=st.lists(st.integers(0, 20), min_size=3, max_size=3),
    same=st.booleans(),
)
def test_no_plan_starts_after_anything_has_happened(what: list[str], pauses: list[int], same: bool) -> None:
    """Whatever is commanded, stopped, reset or pressed in between, in whatever order: the plan is refused."""
    run, found = asked()
    for name, pause in zip(what[:-1] if same else what, pauses, strict=False):
        run.cell.step(HAPPENINGS[name])
        for _ in range(pause):
            run.cell.step(Inputs())
    last = HAPPENINGS[what[-1]]
    inputs = Inputs(readings=last.readings, events=(*last.events, found)) if same else Inputs(events=(found,))
    tick = run.cell.step(inputs)
    for _ in range(3):
        assert tick.lanes["arm"].demand.source != "planned"
        tick = run.cell.step(Inputs())


def causes_of(tick: Tick) -> set[str]:
    """Return why a move was given up, and why one was refused."""
    said = [
        note.cause for note in tick.lanes["arm"].notes if note.code in ("lane.stuck", "lane.refused") and note.cause
    ]
    return {cause.code for note in said for cause in (note, note.cause) if cause and cause.code != "refused.move"}


@pytest.mark.parametrize(
    "event",
    [
        SetSpeed("arm", 2),
        SelectMapping("arm", "joints"),
        Reset(),
        ResetObjects(),
        Reconfigure("arm", "speeds", settings={"values": [0.1, 0.5]}),
        Reconfigure("arm", "avoid"),
    ],
)
@pytest.mark.parametrize("after", [False, True])
def test_no_plan_starts_in_the_tick_of_another_command(event: Any, after: bool) -> None:
    run, found = asked()
    tick = run.cell.step(Inputs(events=(found, event) if after else (event, found)))
    assert tick.lanes["arm"].demand.source == "hold"
    assert tick.lanes["arm"].planning is None
    assert causes_of(tick) == {"plan.moved"}


def test_a_command_that_ends_the_waiting_is_named_unless_it_moves_or_holds() -> None:
    for event, said in ((SetSpeed("arm", 2), {"plan.moved"}), (HoldHere("arm"), set()), (Stop(), set())):
        run, _ = asked()
        tick = run.cell.step(Inputs(events=(event,)))
        assert tick.lanes["arm"].planning is None
        assert causes_of(tick) == said


@pytest.mark.parametrize("which", ["told", "measured", "neither"])
def test_no_plan_starts_where_the_arm_is_not(which: str) -> None:
    run, found = asked()
    cell, memory, robot = run.cell, run.cell.memory["arm"], run.cell.state.robots["arm"]
    away = tuple(q + 0.02 for q in found.request.start)
    if which == "told":
        memory = replace(
            memory, setpoints={**memory.setpoints, "arm": replace(memory.setpoints["arm"], positions=away)}
        )
    if which == "measured":
        robot = replace(robot, groups={**robot.groups, "arm": replace(robot.groups["arm"], positions=away)})
    requests = requests_for("arm", ((1, found),))
    report, _ = cell.lanes["arm"].step(cell.number + 1, None, requests, robot, memory, state=cell.state)
    assert report.mode == ("autonomous" if which == "neither" else "idle")


def test_the_answer_to_an_older_request_does_not_end_the_waiting_for_a_newer_one() -> None:
    run, found = asked()
    run.cell.step(Inputs(events=(MoveJoints("arm", (1.1, *HOME[1:])),)))
    run.cell.step(Inputs())
    assert run.cell.step(Inputs(events=(found,))).lanes["arm"].planning is not None
    planning = run.cell.step(Inputs()).lanes["arm"].planning
    assert planning is not None
    assert planning.goal == (1.1, *HOME[1:])


def test_a_plan_for_which_nobody_is_there_to_look_is_given_up_with_the_reason() -> None:
    run, found = asked()
    for _ in range(60):  # the operator, who has spoken, falls silent
        run.cell.step(Inputs())
    tick = run.cell.step(Inputs(events=(found,)))
    assert tick.lanes["arm"].demand.source == "hold"
    assert tick.lanes["arm"].planning is None
    assert causes_of(run.cell.step(Inputs())) == {"move.absent"}


def test_no_plan_starts_whose_goal_has_been_taken() -> None:
    run, found = asked()
    place = compose(run.cell.world.compiled.bases["arm"], run.cell.lanes["arm"].tip(LEFT)).position
    run.cell.step(Inputs(events=(AddObject(ObjectSpec(name="block", size=(0.1,) * 3, position=place, mass=0.0)),)))
    tick = run.cell.step(Inputs(events=(found,)))
    assert tick.lanes["arm"].demand.source == "hold"
    assert "plan.changed" in causes_of(tick)


def test_no_plan_starts_for_an_arm_that_is_elsewhere_or_among_other_things() -> None:
    run, found = asked()
    away = tuple(q + 0.02 for q in found.request.start)
    elsewhere = PlanFound("arm", type(found.request)(found.request.number, found.request.epoch, LEFT, away))
    assert run.cell.step(Inputs(events=(elsewhere,))).lanes["arm"].mode == "idle"
    run, found = asked()
    assert found.trajectory is not None
    middle = found.trajectory.points[len(found.trajectory.points) // 2]
    place = compose(run.cell.world.compiled.bases["arm"], run.cell.lanes["arm"].tip(middle)).position
    run.cell.step(Inputs(events=(AddObject(ObjectSpec(name="block", size=(0.1,) * 3, position=place, mass=0.0)),)))
    run.cell.step(Inputs())
    tick = run.cell.step(Inputs(events=(found,)))
    assert tick.lanes["arm"].mode == "idle"
    causes = [n.cause.cause for n in tick.lanes["arm"].notes if n.code == "lane.refused" and n.cause]
    assert [cause.code for cause in causes if cause] == ["plan.changed"]


def test_a_plan_starts_though_something_was_put_elsewhere() -> None:
    run, found = asked()
    far = ObjectSpec(name="block", size=(0.1,) * 3, position=(-0.6, 0.0, 0.05), mass=0.0)
    run.cell.step(Inputs(events=(AddObject(far),)))
    assert run.cell.step(Inputs(events=(found,))).lanes["arm"].demand.source == "planned"


def test_a_plan_is_looked_at_again_when_it_arrives(monkeypatch: pytest.MonkeyPatch) -> None:
    run, found = asked()
    free_space = run.cell.lanes["arm"].free_space
    assert free_space is not None
    assert found.trajectory is not None
    assert free_space.stays_free(found.trajectory, found.room)
    monkeypatch.setattr(free_space, "stays_free", lambda *_: False)
    tick = run.cell.step(Inputs(events=(found,)))
    (refused,) = [n.cause for n in tick.lanes["arm"].notes if n.code == "lane.refused"]
    assert refused is not None
    assert refused.cause is not None
    assert refused.cause.code == "plan.changed"
    assert tick.lanes["arm"].mode == "idle"


def test_nobody_waits_for_ever() -> None:
    run, _ = asked()
    for _ in range(2100):
        tick = run.cell.step(Inputs())
    assert tick.lanes["arm"].planning is None
    assert "plan.late" in {n.cause.code for n in tick.lanes["arm"].notes if n.cause}


def test_a_plan_is_made_with_the_load_in_hand() -> None:
    cell = Cell.load("irb120")
    lane, state = cell.lanes["arm"], cell.state
    assert lane.arena is not None
    assert lane.free_space is not None
    arm, around = state.robots["arm"], (state.objects, state.objects, state.robots, state.robots)
    told = arm.groups["arm"].positions
    lane.arena.look(told, replace(arm, held=("cube",)), *around)
    job = lane.free_space.job(PlanRequest(1, 0, LEFT, told))
    lane.arena.look(told, arm, *around)  # it is put down again; the picture stays as it was
    assert "load" in {pair.first for pair in job.clearance.near(told, 0.9)}
    assert "load" not in {pair.first for pair in lane.arena.clearance.near(told, 0.9)}


# ── What waits for plans ─────────────────────────────────────────────────────────────────────────────────────────


class SlowShop:
    """A worker that answers when it is told to."""

    def __init__(self) -> None:
        self.work: list[Future[Any]] = []

    def run(self, *_: Any) -> Future[Any]:
        self.work.append(Future())
        return self.work[-1]


def waiting_desk() -> tuple[Run, PlanQueue, SlowShop]:
    """Return a run that waits for a plan, the desk that it waits at, and who makes the plan."""
    run, _ = asked()
    shop: Any = SlowShop()
    desk = PlanQueue(run.cell, shop)
    desk.look(run.cell.step(Inputs()))
    assert len(shop.work) == 1
    return run, desk, shop


@pytest.mark.parametrize("event", [HoldHere("arm"), MoveJoints("arm", (1.1, *HOME[1:])), SetSpeed("arm", 2)])
def test_nobody_hears_of_a_plan_that_is_no_longer_wanted(event: Any) -> None:
    run, desk, shop = waiting_desk()
    desk.look(run.cell.step(Inputs(events=(event,))))
    assert shop.work[0].cancelled()
    desk.look(run.cell.step(Inputs()))
    assert desk.found() == ()
    assert len(shop.work) == (2 if isinstance(event, MoveJoints) else 1)


def test_a_planner_that_breaks_ends_the_waiting() -> None:
    run, desk, shop = waiting_desk()
    shop.work[0].set_exception(ZeroDivisionError())
    tick = run.cell.step(Inputs(events=desk.found()))
    assert causes_of(tick) == {"plan.none"}
    assert tick.lanes["arm"].planning is None


def test_a_request_is_answered_once_and_anew_after_the_cell_went_back() -> None:
    run, desk, shop = waiting_desk()
    snapshot = run.cell.snapshot()
    desk.look(run.cell.step(Inputs()))
    shop.work[0].set_result(Found(why="late"))
    assert len(desk.found()) == 1
    desk.look(run.cell.step(Inputs()))
    assert len(shop.work) == 1
    run.cell.restore(snapshot)
    desk.look(run.cell.step(Inputs()))
    assert len(shop.work) == 2


def test_a_move_in_the_first_tick_after_going_back_sees_what_is_there_then() -> None:
    block = ObjectSpec(name="block", size=(0.06, 0.06, 0.6), position=(-0.6, 0.3, 0.3), mass=5.0)
    run = behind_a_post(block)
    run.run(0.5)
    snapshot, there = run.cell.snapshot(), Pose((0.39, -0.05, 0.901))
    free = run.cell.step(Inputs(events=(MoveJoints("arm", LEFT),)))
    assert free.lanes["arm"].mode == "autonomous"
    run.cell.restore(snapshot)
    run.cell.step(Inputs(events=(MoveObject("block", there),)))
    run.cell.step(Inputs())
    run.cell.restore(snapshot)
    assert run.cell.step(Inputs(events=(MoveJoints("arm", LEFT),))) == free
    run.cell.restore(snapshot)
    tick = run.cell.step(Inputs(events=(MoveObject("block", there), MoveJoints("arm", LEFT))))
    assert tick.lanes["arm"].mode == "idle"
    assert tick.lanes["arm"].planning is not None


def test_the_length_of_a_quaternion_does_not_matter() -> None:
    run, _ = asked()
    pose = run.cell.lanes["arm"].tip((-1.6, *HOME[1:]))
    rounded = Pose(pose.position, tuple(2.0 * round(x, 4) for x in pose.rotation))  # type: ignore[arg-type]  # four
    assert run.cell.step(Inputs(events=(MoveTip("arm", rounded),))).lanes["arm"].mode == "autonomous"
