"""A hand that tests move, and a restless operator who sends whatever there is to send."""

from random import Random

from msgspec.structs import replace

from farhand.cell import Cell
from farhand.cell.cell_files import find_cell, read_cell
from farhand.loop import Run
from farhand.masters import Manual
from farhand.poses import Pose
from farhand.types import (
    AddObject,
    ClearLoad,
    Continue,
    Event,
    FreeMe,
    Generate,
    Generator,
    HoldHere,
    Inputs,
    Load,
    MoveJoints,
    MoveObject,
    ObjectSpec,
    Reading,
    Reconfigure,
    RemoveObject,
    Reset,
    ResetObjects,
    ResetRobot,
    SelectMapping,
    SetSpeed,
    Stop,
    SwitchFeedforward,
    SwitchFilter,
    Teach,
    Tick,
)

BOX = ObjectSpec(name="extra", size=(0.05, 0.05, 0.05), position=(0.5, 0.3, 0.7))


def rough_cell() -> Cell:
    """Return the default cell without avoidance and compliance, which keep an arm from where some tests want it."""
    path = find_cell("irb120")
    spec = read_cell(path)
    arm = spec.robots["arm"]
    filters = tuple(table for table in arm.filters if table["kind"] != "compliance")
    return Cell(replace(spec, robots={"arm": replace(arm, avoid=None, filters=filters)}), path)


class Hand:
    """A run with a hand that tests move, and shortcuts for the values that they check."""

    def __init__(self, cell: Cell, mapping: str = "joints", speed: int = 5) -> None:
        self.cell, self.hand = cell, Manual()
        self.run = Run(cell, {"hand": self.hand})
        self.send(SelectMapping("arm", mapping), SetSpeed("arm", speed))
        self.tick = self.run.tick()

    def send(self, *events: Event) -> None:
        for event in events:
            self.run.send(event)

    def drive(self, seconds: float, *axes: float) -> Tick:
        """Hold axes for some time; without any, hold nothing."""
        self.hand.set(axes=axes, deadman=bool(axes))
        self.tick = self.run.run(seconds)
        return self.tick

    @property
    def joints(self) -> tuple[float, ...]:
        return self.tick.state.robots["arm"].groups["arm"].positions

    @property
    def tip(self) -> Pose:
        return self.tick.state.robots["arm"].T_base_tip

    @property
    def mode(self) -> str:
        return self.tick.lanes["arm"].mode

    @property
    def codes(self) -> list[str]:
        return [note.code for note in self.tick.lanes["arm"].notes]


def random_inputs(ticks: int, seed: int) -> list[Inputs]:
    """Return readings and events of every kind at random, as a restless operator would send them."""
    random, inputs = Random(seed), []
    axes: tuple[float, ...] = (0.0,) * 7
    held, pose = False, Pose((0.4, 0.0, 0.3))
    for number in range(1, ticks + 1):
        if random.random() < 0.004:
            held = not held
        if random.random() < 0.01:
            axes = tuple(random.choice((-1.0, 0.0, 0.0, 1.0)) for _ in range(7))
            pose = Pose((random.uniform(0.0, 0.6), random.uniform(-0.4, 0.4), random.uniform(-0.1, 0.7)))
        readings = {}
        if random.random() < 0.95:
            readings["hand"] = Reading(sequence=number, deadman=held, axes=axes, pose=pose, tick=number - 1)
        events: list[Event] = []
        if random.random() < 0.02:
            events.append(random.choice(_EVENTS))
        inputs.append(Inputs(readings, tuple(events)))
    return inputs


_EVENTS: list[Event] = [
    SelectMapping("arm", "joints"),
    SelectMapping("arm", "base axes"),
    SelectMapping("arm", "tool axes"),
    SetSpeed("arm", 3),
    SetSpeed("arm", 5),
    MoveJoints("arm"),
    HoldHere("arm"),
    Continue("arm"),
    Stop(),
    *(Reset(),) * 4,
    AddObject(BOX),
    RemoveObject("extra"),
    MoveObject("cube", Pose((0.4, 0.1, 0.8))),
    ResetObjects(),
    ResetRobot("arm"),
    Load("arm", (0.0, 5.0, -10.0)),
    ClearLoad("arm"),
    SelectMapping("arm", "pointer"),
    SwitchFilter("arm", "workspace", on=False),
    SwitchFilter("arm", "workspace", on=True),
    SwitchFilter("arm", "smooth", on=False),
    SwitchFilter("arm", "smooth", on=True),
    SwitchFeedforward("arm", on=False),
    SwitchFeedforward("arm", on=True),
    Generate("arm", Generator(0, "sine", 0.5, 3.0)),
    Generate("arm", Generator(3, "square", 0.3, 1.0)),
    Generate("arm"),
    FreeMe("arm"),
    FreeMe("arm"),
    Reconfigure("arm", "filter", "smooth", {"speed": 0.2}),
    Reconfigure("arm", "filter", "smooth", {"speed": 0.8}),
    Reconfigure("arm", "speeds", settings={"values": [0.1, 0.2, 0.3, 0.6, 0.9]}),
    Reconfigure("arm", "filter", "smooth 2"),
    Reconfigure("arm", "filter", settings={"kind": "smooth", "speed": 0.3}),
    Teach("arm", "record"),
    Teach("arm", "point"),
    Teach("arm", "finish", "way"),
    Teach("arm", "discard"),
]


def silent(hand: Hand, seconds: float) -> None:
    for _ in range(round(seconds / hand.cell.dt)):
        hand.tick = hand.cell.step()


def wall_ahead(hand: Hand) -> None:
    hand.send(AddObject(ObjectSpec(name="wall", size=(0.1, 1.0, 1.0), position=(0.52, 0.0, 1.2), mass=0.0)))
