"""Whole-arm collision avoidance in a cell: no forbidden contacts, also with moving bodies, and a free path back."""

from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from worded import worded

from farhand.cell import Cell
from farhand.cell.cell_spec import CellSpec
from farhand.distances import Arena, calibrate_slacks, clearance_report
from farhand.errors import CellFileError, CommandError
from farhand.filters.compliance import PEAK
from farhand.poses import Pose
from farhand.surroundings import arm_shapes
from farhand.surroundings.arenas import Arenas
from farhand.types import (
    AddObject,
    Inputs,
    MoveObject,
    ObjectSpec,
    Reading,
    RemoveObject,
    SelectMapping,
    Tick,
)
from farhand_bench.jogs import campaign
from farhand_bench.pressing import How, press
from farhand_bench.straight import straight_to

FIXED = {"mass": 0.0}
MAPPINGS = {
    "base axes": {"kind": "jog-tip", "frame": "base", "speed": 0.5},
    "joints": {"kind": "jog-joints", "share": 1.0},
}


def robot(**more: Any) -> dict[str, Any]:
    return {"model": "irb120", "tool": "two-finger", "mappings": MAPPINGS, "avoid": {}, **more}


def cell_of(objects: list[dict[str, Any]], robots: dict[str, Any] | None = None, **more: Any) -> Cell:
    table = {
        "name": "test",
        "speeds": [1.0],
        "speed_level": 1,
        "robots": robots or {"arm": robot()},
        "world": {"objects": objects},
        **more,
    }
    return Cell(msgspec.convert(table, CellSpec), Path("test.toml"))


class Driver:
    """Holds the deadman and deflects axes."""

    def __init__(self, cell: Cell) -> None:
        self.cell, self.sequence = cell, 0

    def step(
        self, axes: tuple[float, ...] = (), *events: Any, held: bool = True, masters: tuple[str, ...] = ("hand",)
    ) -> Tick:
        self.sequence += 1
        reading = Reading(sequence=self.sequence, deadman=held, axes=axes)
        return self.cell.step(Inputs(dict.fromkeys(masters, reading), events))

    def drive(self, axes: tuple[float, ...], ticks: int) -> Tick:
        self.step(held=False)
        for _ in range(ticks):
            tick = self.step(axes)
        return tick


def codes(tick: Tick, name: str = "arm") -> set[str]:
    return {note.code for note in tick.lanes[name].notes}


def test_a_campaign_touches_nothing_and_finds_every_way_back_open() -> None:
    found = campaign(20, seed=44)
    assert found.touches == 0
    assert 0.1 < found.fastest <= 1.0  # something was touched at all
    assert found.trapped == 0
    assert found.least > 0.0
    assert found.stuck > 0  # it was in corners at all


@pytest.mark.slow
def test_ten_thousand_jogs_touch_nothing() -> None:
    for seed in range(10):
        found = campaign(1000, seed)
        assert found.touches == 0
        assert found.fastest <= 1.0
        assert found.knocked <= PEAK  # what slips off something and springs on presses no harder than a first touch may
        assert found.trapped == 0


WALL = {"name": "wall", "size": [0.1, 1.0, 0.35], "position": [0.62, 0.0, 0.175], "touch": "never", **FIXED}


def test_arm_stops_before_a_wall_says_why_and_slides_along_it() -> None:
    driver = Driver(cell_of([WALL]))
    tick = driver.drive((1.0, 0.0, 0.0), 700)
    assert "avoid.near" in codes(tick)
    note = next(note for note in tick.lanes["arm"].notes if note.code == "avoid.near")
    assert "wall" in worded(note)
    assert note.free
    stopped = tick.state.robots["arm"].T_base_tip.position
    assert not driver.cell.world.touched_by("arm")
    tick = driver.drive((1.0, 1.0, 0.0), 300)
    assert tick.state.robots["arm"].T_base_tip.position[1] > stopped[1] + 0.1
    tick = driver.drive((-1.0, 0.0, 0.0), 200)
    assert tick.state.robots["arm"].T_base_tip.position[0] < stopped[0] - 0.03


def test_a_joint_that_is_jogged_stops_before_a_wall_and_takes_no_other_along() -> None:
    driver = Driver(cell_of([WALL]))
    driver.step((), SelectMapping("arm", "joints"), held=False)
    first = driver.drive((), 50)
    tick = driver.drive((0.0, 0.3), 2000)
    assert "avoid.near" in codes(tick)
    before, after = (found.lanes["arm"].setpoints["arm"].positions for found in (first, tick))
    assert after[1] > before[1] + 0.1
    others = [i for i in range(6) if i != 1]
    assert [after[i] for i in others] == pytest.approx([before[i] for i in others], abs=2e-3)


def test_touchable_bodies_are_touched_gently_and_free_ones_do_not_slow_the_arm() -> None:
    speeds = {}
    for touch in ("may", "free"):
        driver = Driver(cell_of([{**WALL, "touch": touch}], {"arm": robot(avoid={"contact_speed": 0.03})}))
        driver.step(held=False)
        for _ in range(2500):
            before = driver.cell.state.robots["arm"].T_base_tip.position
            tick = driver.step((1.0, 0.0, 0.0))
            if driver.cell.world.touched_by("arm"):
                way = np.subtract(tick.state.robots["arm"].T_base_tip.position, before)
                speeds[touch] = float(np.linalg.norm(way)) / driver.cell.dt
                break
    assert speeds["may"] < 0.04
    assert speeds["free"] > 0.1


def test_a_contact_speed_that_is_given_is_passed_by_little_where_light_things_are_touched() -> None:
    box = {"name": "box", "size": [0.1, 0.3, 0.3], "position": [0.62, 0.0, 0.35], "mass": 0.1}
    stand = {"name": "stand", "size": [0.1, 0.3, 0.199], "position": [0.62, 0.0, 0.1], **FIXED}
    arm = robot(avoid={"contact_speed": 0.01}, filters=[{"kind": "compliance", "threshold": 30.0}])
    driver = Driver(cell_of([box, stand], {"arm": arm}))
    driver.step(held=False)
    notes = [note for _ in range(1500) for note in driver.step((1.0, 0.0, 0.0)).lanes["arm"].notes]
    assert {worded(note) for note in notes if "touch the box" in worded(note)} == {
        "Slowing to 16 mm/s: the gripper may touch the box."
    }


@pytest.mark.parametrize(("name", "most"), [("irb120", 0.050), ("titan3-cyberimpact", 0.019)])
def test_a_heavy_arm_must_slide_more_slowly_when_it_touches(name: str, most: float) -> None:
    arena = Cell.load(name).lanes["arm"].arena
    assert arena is not None
    table = [solid.name for solid in arena.clearance.solids].index("table")
    gripper = [capsule.name for capsule in arena.clearance.capsules].index("gripper")
    slides = 2.0 * arena.servo.slides * arena.servo.touch_speed(gripper, table)
    assert slides == pytest.approx(most, abs=0.001)


def test_autonomous_moves_keep_clear_too() -> None:
    post = {"name": "post", "shape": "cylinder", "size": [0.04, 1.2], "position": [0.36, 0.25, 0.6], **FIXED}
    cell = cell_of([{**post, "touch": "never"}])
    home = cell.state.robots["arm"].groups["arm"].positions
    tick = cell.step(Inputs(events=(straight_to(cell, "arm", (1.5, *home[1:])),)))
    said: set[str] = set()
    for _ in range(2000):
        tick = cell.step()
        said |= codes(tick)
        assert not cell.world.touched_by("arm")
    assert "avoid.near" in said
    assert tick.lanes["arm"].mode == "idle"  # it gave up


MOVER = {"name": "mover", "size": [0.2, 0.2, 0.2], "position": [0.9, 0.0, 0.6], "mass": 1.0, "touch": "never"}


def approach(driver: Driver, ticks: int, speed: float, *, held: bool) -> Tick:
    for k in range(ticks):
        x = 0.9 - speed * k * driver.cell.dt
        tick = driver.step((0.0, 0.05, 0.0), MoveObject("mover", Pose((x, 0.0, 0.6))), held=held)
    return tick


def test_a_driven_arm_makes_way_for_what_comes_and_an_idle_one_stays() -> None:
    driver = Driver(cell_of([MOVER]))
    driver.step(held=False)
    start = driver.cell.state.robots["arm"].T_base_tip.position[0]
    tick = approach(driver, 2600, 0.08, held=True)
    assert not driver.cell.world.touched_by("arm")
    assert tick.state.robots["arm"].T_base_tip.position[0] < start - 0.015
    idle = Driver(cell_of([MOVER]))
    idle.step(held=False)
    told = idle.cell.step().lanes["arm"].setpoints["arm"].positions
    assert approach(idle, 1500, 0.08, held=False).lanes["arm"].setpoints["arm"].positions == told


def two_arms(**left: Any) -> Driver:
    robots = {
        "left": robot(master="hand", **left),
        "right": robot(master="hand", position=[1.15, 0.0, 0.0], rotation=[0.0, 0.0, 0.0, 1.0]),
    }
    return Driver(cell_of([], robots))


def test_two_arms_keep_clear_of_each_other() -> None:
    driver = two_arms()
    tick = driver.drive((1.0, 0.0, 0.0), 900)
    assert "avoid.near" in codes(tick, "left") | codes(tick, "right")
    assert any("of right" in worded(note) for note in tick.lanes["left"].notes)
    assert "right" not in driver.cell.world.touched_by("left")


def test_another_arm_may_be_touched_if_it_is_named() -> None:
    driver = two_arms(avoid={"may": ["right"]})
    arena = driver.cell.lanes["left"].arena
    assert arena is not None
    q = driver.cell.state.robots["left"].groups["arm"].positions
    gently = {pair.second: arena.touchable(pair) for pair in arena.clearance.near(q, 1.0) if pair.first == "gripper"}
    assert gently["gripper of right"]
    other = driver.cell.lanes["right"].arena
    assert other is not None
    assert not any(other.touchable(pair) for pair in other.clearance.near(q, 1.0) if pair.second.endswith("of left"))


def test_an_obstacle_put_into_the_arm_is_refused_and_one_against_it_neither_crashes_nor_throws_it() -> None:
    driver = Driver(cell_of([]))
    driver.step(held=False)
    before = driver.cell.state.robots["arm"].T_base_tip.position
    block = ObjectSpec(name="block", size=(0.2, 0.2, 0.2), position=(0.3, 0.0, 0.6), mass=0.0, touch="never")
    tick = driver.step((), AddObject(block))
    assert [worded(note) for note in tick.notes] == ["Refused: the block would be inside arm."]
    tick = driver.step((), AddObject(msgspec.structs.replace(block, position=(0.395, 0.0, 0.159))))
    assert tick.notes == ()
    assert "block" in driver.cell.world.touched_by("arm")
    for _ in range(50):
        tick = driver.step((1.0, 0.0, 0.0))
    assert np.isfinite(tick.state.robots["arm"].T_base_tip.position).all()
    told = tick.lanes["arm"].setpoints["arm"]
    assert max(map(abs, told.rates)) < 5.0
    tick = driver.step((), RemoveObject("block"))
    assert np.linalg.norm(np.subtract(tick.state.robots["arm"].T_base_tip.position, before)) < 0.3


def test_an_edit_that_cannot_be_kept_clear_of_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    cell = cell_of([])

    def refuse(*_args: object) -> dict[str, Arena]:
        raise CommandError("it has no hull")

    monkeypatch.setattr(Arenas, "made", refuse)
    tick = cell.step(Inputs(events=(AddObject(ObjectSpec(name="block", size=(0.1, 0.1, 0.1))),)))
    assert [worded(note) for note in tick.notes] == ["Refused: it has no hull."]
    assert "block" not in tick.state.objects
    assert cell.world.blueprint.objects == ()


def test_a_held_object_is_not_an_obstacle_but_moves_with_the_arm() -> None:
    cell = cell_of([{"name": "cube", "size": [0.05, 0.05, 0.05], "position": [0.6, 0.3, 0.56], "mass": 0.1}])
    arena = cell.lanes["arm"].arena
    assert arena is not None
    state = cell.state
    arm = state.robots["arm"]
    q = arm.groups["arm"].positions
    cube = {"cube": Pose(arm.T_base_tip.position)}
    around = (cube, cube, state.robots, state.robots)
    arena.look(q, arm, *around)
    free = {(pair.first, pair.second) for pair in arena.clearance.near(np.array(q), 0.2)}
    assert ("gripper", "cube") in free
    arena.look(q, msgspec.structs.replace(arm, held=("cube",)), *around)
    down = np.array([0.0, 1.0, 0.2, 0.0, 0.4, 0.0])
    held = {(pair.first, pair.second) for pair in arena.clearance.near(down, 0.4)}
    assert ("load", "floor") in held
    assert not any(second == "cube" for _, second in held)
    arena.look(q, arm, *around)
    assert not any(first == "load" for first, _ in {(p.first, p.second) for p in arena.clearance.near(down, 0.4)})


def test_going_back_to_a_snapshot_gives_the_same_ticks() -> None:
    driver = Driver(cell_of([WALL, MOVER]))
    driver.drive((1.0, 0.3, 0.0), 200)
    kept, sequence = driver.cell.snapshot(), driver.sequence
    ways = []
    for _ in range(2):
        driver.cell.restore(kept)
        driver.sequence = sequence
        for k in range(200):
            pose = Pose((0.9 - 0.001 * k, 0.1, 0.6))
            tick = driver.step((1.0, 0.3, 0.0), MoveObject("mover", pose))
        ways.append(tick.lanes["arm"].setpoints)
    assert ways[0] == ways[1]


def test_outlook_names_the_nearest_pair_the_free_ways_and_nearer_limits() -> None:
    driver = Driver(cell_of([WALL]))
    tick = driver.drive((1.0, 0.0, 0.0), 700)
    arena = driver.cell.lanes["arm"].arena
    assert arena is not None
    seen = clearance_report(arena, tick.lanes["arm"].setpoints["arm"].positions)
    assert seen is not None
    assert (seen.pair.first, seen.pair.second) == ("gripper", "wall")
    assert seen.room < 0.003
    assert not seen.gently
    assert not seen.ways[0]  # into the wall
    assert seen.ways[1]  # along it
    assert seen.ways[3]  # away from it
    limits = arena.servo.limits
    assert any(lower > fixed + 0.1 for lower, fixed in zip(seen.lower, limits.lower, strict=True))


@pytest.mark.parametrize(
    ("avoid", "problem"),
    [
        ({"never": ["tabel"]}, "there is no link, object or robot 'tabel'"),
        ({"never": ["wall"], "may": ["wall"]}, "both never and may"),
    ],
)
def test_bad_names_are_refused_with_the_field(avoid: dict[str, Any], problem: str) -> None:
    with pytest.raises(CellFileError, match=problem) as caught:
        cell_of([WALL], {"arm": robot(avoid=avoid)})
    assert "robots.arm.avoid" in str(caught.value)


def test_the_links_of_a_scara_have_names() -> None:
    arena = cell_of([], {"arm": {"model": "scara", "position": [0.0, 0.0, 0.5], "avoid": {}}}).lanes["arm"].arena
    assert arena is not None
    names = {capsule.name for capsule in arena.shape.clearance.capsules[: arena.shape.spare]}
    assert names == {"base", "turntable", "upper arm", "forearm", "tool"}


def test_a_delta_cannot_keep_clear() -> None:
    with pytest.raises(CellFileError, match="is only for arms whose joints form a chain; other arms"):
        cell_of([], {"arm": {"model": "delta", "position": [0.0, 0.0, 1.0], "avoid": {}}})


@pytest.mark.parametrize("stiffness", [1e3, 1e4, 1e5])
def test_a_wall_is_touched_slowly_at_full_jog_and_pressed_no_harder_than_allowed(stiffness: float) -> None:
    found = press(stiffness)
    assert found.speed < 0.012
    assert found.peak <= 1.1
    assert 0.9 <= found.low <= found.high <= 1.1
    assert found.chatter < 0.01  # within the cone of friction it does not slide


@pytest.mark.parametrize("how", ["jog", "hand", "move"])
@pytest.mark.parametrize("stiffness", [1e3, 1e4, 1e5])
def test_a_heavy_wall_is_not_shaken(stiffness: float, how: How) -> None:
    found = press(stiffness, how=how, mass=10.0)
    assert found.peak <= 1.1
    assert 0.9 <= found.low <= found.high <= 1.1
    assert found.chatter < (0.06 if how == "move" else 0.01)  # the move slides along the wall's edge


def test_a_fitted_arm_is_kept_for_the_next_start_and_a_damaged_one_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arm_shapes, "cache_folder", lambda: tmp_path)
    made: list[str] = []

    def kept_pairs(keep: float = 0.01) -> list[tuple[str, str]]:
        monkeypatch.setattr(arm_shapes, "_SHAPES", {})
        arena = cell_of([], {"arm": robot(avoid={"keep": keep})}).lanes["arm"].arena
        assert arena is not None
        names = [capsule.name for capsule in arena.shape.clearance.capsules]
        return [(names[i], names[j]) for i, j in arena.shape.clearance.pairs.tolist()]

    def counted(*args: Any) -> Any:
        made.append("one")
        return calibrate_slacks(*args)

    monkeypatch.setattr("farhand.surroundings.arenas.calibrate_slacks", counted)
    first = kept_pairs()
    (file,) = tmp_path.iterdir()
    assert kept_pairs() == first
    assert kept_pairs(0.02) == first  # what it keeps is no matter of its fit
    assert made == ["one"]
    file.write_bytes(file.read_bytes()[:-5])
    assert kept_pairs() == first
    assert made == ["one", "one"]


A = {"name": "a", "size": [0.24, 0.03, 0.03], "position": [0.4, -0.016, 0.6155], "mass": 0.2, "friction": 1.5}
B = {"name": "b", "size": [0.03, 0.03, 0.03], "position": [0.4, 0.0155, 0.6155], "mass": 0.1, "friction": 1.5}
BAR = {"name": "bar", "size": [0.3, 0.035, 0.05], "position": [0.4, 0.0, 0.6255], "mass": 0.3, "friction": 1.5}


@pytest.mark.parametrize("things", [[A, B], [B, A], [{**BAR, "touch": "free"}]], ids=["two", "the other two", "free"])
def test_all_that_is_carried_keeps_clear(things: list[dict[str, Any]]) -> None:
    table = {"name": "table", "size": [1.4, 1.2, 0.6], "position": [0.3, 0.0, 0.3], **FIXED}
    glass = {"name": "glass", "size": [0.03, 0.6, 0.6], "position": [0.66, 0.0, 0.95], "touch": "never", **FIXED}
    jog = {"base axes": {"kind": "jog-tip", "frame": "base", "speed": 0.25}}
    arm = robot(position=[0.0, 0.0, 0.6], mappings=jog)
    driver = Driver(cell_of([table, *things, glass], {"arm": arm}))
    driver.step(held=False)

    def tip() -> tuple[float, float, float]:
        return driver.cell.state.robots["arm"].T_base_tip.position

    for axis, axes, goal in ((0, (0.2, 0.0, 0.0), 0.4), (2, (0.0, 0.0, -0.4), 0.02)):
        for _ in range(4000):
            if abs(tip()[axis] - goal) < 0.003:
                break
            driver.step(axes)
        driver.drive((), 300)
    driver.drive((0.0,) * 6 + (-1.0,), 1000)
    driver.drive((0.0, 0.0, 0.4, 0.0, 0.0, 0.0, -0.2), 750)
    assert set(driver.cell.state.robots["arm"].held) == {thing["name"] for thing in things}
    driver.step(held=False)
    touched: set[str] = set()
    for _ in range(1500):
        tick = driver.step((1.0, 0.0, 0.0, 0.0, 0.0, 0.0, -0.2))
        touched |= {name for contact in driver.cell.world.contacts() for name in (contact.first, contact.second)}
    assert "glass" not in touched
    assert any("The load" in worded(note) and "glass" in worded(note) for note in tick.lanes["arm"].notes)
