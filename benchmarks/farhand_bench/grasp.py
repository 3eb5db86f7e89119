"""``farhand bench grasp``: the claw lifts, shakes, carries, sets down and releases many objects, held by friction only.

Everything goes through the lane as from an operator's hand, in virtual time. Positions of objects and the shaking are
random. A rule (`benchmarks/farhand_bench/things.py`) predicts which of them can be held.
"""

from __future__ import annotations

import math
from pathlib import Path
from random import Random
from statistics import median

from msgspec import Struct

from farhand.cell import Cell
from farhand.cell.cell_spec import CellSpec, RobotSpec, WorldSpec
from farhand.poses import Pose, Vec3, angle_between, compose, inverse
from farhand.types import Inputs, ObjectSpec, Tick
from farhand_bench.courts import MASTER, ROBOT, TOOL
from farhand_bench.handler import ABOVE, AHEAD, DRIVE, TIP, Handler
from farhand_bench.rows import Row, row
from farhand_bench.things import THINGS, Thing

__all__ = ["Trial", "attempt", "matrix", "measure", "rows_of"]

SEED = 100
TABLE = 0.25  # m
AWAY = 0.85  # m from the robot's middle to the object
OVER = {
    "above": (0.0, -1.279, 1.131, 0.148, 0.0, 1.719, 0.0),
    "ahead": (0.0, -1.42, 2.1, 0.01, 0.0, -0.68, 0.0),
}  # the arm, ready
BEFORE = 0.13  # m before the object at which the claw stops first
LIFT = 0.12  # m
SHAKEN, TWISTED = 0.008, math.radians(5.0)  # m and rad by which objects are displaced
JOLT = 0.25  # m/s of the tip while it is shaken
BACK, ON = -0.6, 4.6  # m to drive with it
SLID = 0.02  # m by which a held object may shift in the claw
FAST = 4.0  # m/s: an object that falls off a table is slower
THING = "thing"
PRESSES = 21  # ticks over which a force is measured


class Trial(Struct, frozen=True):
    """Result of one object.

    Args:
        thing: The object.
        lifted: True if it came up with the claw and was still held after a rest.
        carried: True if it was still held after the shaking and five metres.
        slid: Metres that it shifted in the claw meanwhile.
        turned: Radians that it turned in the claw.
        creep: Largest shift while the claw was at rest, mm/s.
        fastest: Its largest speed, m/s.
        released: True if the open claw moved away and left it where it was set down.
        broken: True if the physics diverged.
        force: Force of the jaws on it, N.
    """

    thing: Thing
    lifted: bool
    carried: bool = False
    slid: float = 0.0
    turned: float = 0.0
    creep: float = 0.0
    fastest: float = 0.0
    released: bool = False
    broken: bool = False
    force: float = 0.0

    @property
    def as_predicted(self) -> bool:
        """Whether the rule's prediction, if it makes one, was right."""
        if self.thing.prediction == "holds":
            return self.lifted and self.carried
        return not self.lifted


class Watched(Handler):
    """A handler that records the largest speed of the object, and whether the physics diverges."""

    def __init__(self, cell: Cell) -> None:
        self.fastest, self.broken, self._last = 0.0, False, cell.state.objects[THING].position
        super().__init__(cell)

    def take(self, inputs: Inputs) -> Tick:
        """Do one tick and record it."""
        tick = super().take(inputs)
        here = tick.state.objects[THING].position
        self.fastest = max(self.fastest, math.dist(here, self._last) / self.cell.dt)
        self.broken |= bool(tick.notes)
        self._last = here
        return tick

    @property
    def T_claw_thing(self) -> Pose:
        """Pose of the object in the claw's frame."""
        base = self.robot.T_world_base
        assert base is not None
        return compose(inverse(compose(base, self.robot.T_base_tip)), self.tick.state.objects[THING])


def court_of(thing: Thing, random: Random) -> Cell:
    """Return a cell with the robot in front of a table with the object, and another table to carry it to."""
    x, y = AWAY + random.uniform(-SHAKEN, SHAKEN), random.uniform(-SHAKEN, SHAKEN)
    standing = thing.at(x, y, TABLE, random.uniform(-TWISTED, TWISTED))
    robot = RobotSpec(
        model="telemax",
        tool=TOOL,
        master=MASTER,
        home=OVER[thing.approach],
        mappings={DRIVE: {"kind": "drive-tracks"}, TIP: {"kind": "jog-tip", "frame": "base"}},
        filters=({"kind": "scale"}, {"kind": "smooth"}),
    )
    spec = CellSpec(
        name="table",
        speeds=(1.0,),
        speed_level=1,
        world=WorldSpec(objects=(_table("table", 0.95, 0.0), _table("second table", BACK, ON + 0.95), standing)),
        robots={ROBOT: robot},
        masters={MASTER: {"kind": "manual"}},
    )
    return Cell(spec, Path("table.toml"))


def _table(name: str, x: float, y: float) -> ObjectSpec:
    size = (0.50, 1.2, TABLE) if y == 0.0 else (1.2, 0.5, TABLE)
    return ObjectSpec(name=name, size=size, position=(x, y, 0.5 * TABLE), mass=0.0)


def attempt(thing: Thing, random: Random) -> Trial:
    """Return the result of grasping an object, lifting, shaking, carrying, setting it down and releasing it."""
    hand = Watched(court_of(thing, random))
    hand.rest(0.3)
    _grasp(hand, thing)
    held_at, force = hand.T_claw_thing, _force(hand)
    hand.jog((0.0, 0.0, 0.02), 0.5)
    hand.jog((0.0, 0.0, 0.25), LIFT / 0.25)
    hand.rest(0.5)
    creep = _creep(hand)
    lifted = _shift(hand, held_at) < SLID and THING in hand.robot.held
    if not lifted:
        return Trial(thing, lifted, slid=_shift(hand, held_at), fastest=hand.fastest, broken=hand.broken, force=force)
    _shake(hand, random)
    _carry(hand)
    creep = max(creep, _creep(hand))
    slid, turned = _shift(hand, held_at), angle_between(held_at.rotation, hand.T_claw_thing.rotation)
    carried = slid < SLID and THING in hand.robot.held
    released = carried and _set_down(hand, thing)
    return Trial(thing, lifted, carried, slid, turned, creep, hand.fastest, released, hand.broken, force)


def _grasp(hand: Watched, thing: Thing) -> None:
    """Move the open claw around the object and close it."""
    pitch, z = (ABOVE if thing.approach == "above" else AHEAD), TABLE + thing.grip_height
    before: Vec3 = (AWAY, 0.0, z + BEFORE) if thing.approach == "above" else (AWAY - BEFORE, 0.0, z)
    hand.narrow(thing.opening)
    hand.reach_tip(before, pitch)
    hand.reach_tip((AWAY, 0.0, z), pitch)
    hand.close(thing.squeeze, thing.width)
    hand.rest(0.3)


def _force(hand: Watched) -> float:
    """Return the force of the jaws on the object, the mean of both, over some ticks."""
    found = []
    for _ in range(PRESSES):
        hand.say(())
        touching = [c for c in hand.cell.world.contacts() if THING in (c.first, c.second)]
        found.append(0.5 * sum([c.force for c in touching if "jaw" in c.first + c.second]))
    return median(found)


def _shift(hand: Watched, before: Pose) -> float:
    return math.dist(hand.T_claw_thing.position, before.position)


def _creep(hand: Watched, seconds: float = 1.0) -> float:
    before = hand.T_claw_thing
    hand.rest(seconds)
    return 1e3 * _shift(hand, before) / seconds


def _shake(hand: Watched, random: Random) -> None:
    """Jerk the claw to and fro along every axis, as fast as the tip accelerates."""
    for axis in random.sample(range(3), 3):
        for side in (1.0, -1.0, 1.0, -1.0):
            jolt = side * JOLT * random.uniform(0.8, 1.0)
            hand.jog((jolt * (axis == 0), jolt * (axis == 1), jolt * (axis == 2)), 0.2)
    hand.rest(0.5)


def _carry(hand: Watched) -> None:
    """Back off, turn to the left, and drive on, unless the object is lost."""
    hand.go(BACK, 0.4, 0.0)
    hand.turn_to(0.5 * math.pi)
    if THING in hand.robot.held:
        hand.go(ON, 0.9, 0.5 * math.pi)


def _set_down(hand: Watched, thing: Thing) -> bool:
    """Lower the object onto the other table, open the claw and move away; return whether it stays there."""
    bottom = hand.tick.state.objects[THING].position[2] - thing.middle - TABLE
    hand.jog((0.0, 0.0, -0.1), max(bottom - 0.001, 0.0) / 0.1)
    hand.rest(0.5)
    hand.open(thing.width + 0.05)
    hand.rest(0.3)
    before = hand.tick.state.objects[THING].position
    hand.jog((0.0, 0.0, 0.2) if thing.approach == "above" else (-0.2, 0.0, 0.0), 0.8)
    hand.rest(0.5)
    after = hand.tick.state.objects[THING].position
    touched = [c for c in hand.cell.world.contacts() if THING in (c.first, c.second) and ROBOT in c.first + c.second]
    rolls = thing.shape == "sphere" or thing.lying
    return not touched and abs(after[2] - before[2]) < 0.01 and (rolls or math.dist(before, after) < 0.01)


def measure() -> list[Row]:
    """Return the rows of this benchmark."""
    return rows_of(matrix(SEED))


def matrix(seed: int) -> list[Trial]:
    """Return the results of all objects; the disturbances of each depend on its index alone."""
    return [attempt(thing, Random(seed + k)) for k, thing in enumerate(THINGS)]


def rows_of(trials: list[Trial]) -> list[Row]:
    """Return the rows of some results."""
    holds = [t for t in trials if t.thing.prediction == "holds"]
    slips = [t for t in trials if t.thing.prediction == "slips"]
    carried = [t for t in trials if t.carried]
    stuck = float(sum(not t.released for t in carried))
    fastest = max(t.fastest if not t.broken else math.inf for t in trials)
    return [
        _share(f"of {len(holds)} holdable objects held: lifted, shaken, carried 5 m", holds),
        _share(f"of {len(slips)} objects with friction for less than 0.7 of their weight: slipped", slips),
        row("creep while held and at rest", [t.creep for t in carried], "mm/s", "p99 < 0.2"),
        row("shift in the claw in total", [1e3 * t.slid for t in carried], "mm", "reported"),
        Row(f"of {len(carried)} objects set down: stuck to the open claw or fell", stuck, stuck, "", "0"),
        Row("largest speed of any object", fastest, fastest, "m/s", "< 4, nothing explodes"),
    ]


def _share(name: str, trials: list[Trial]) -> Row:
    value = 100.0 * sum(t.as_predicted for t in trials) / max(len(trials), 1)
    return Row(name, value, value, "%", "≥ 95 %")
