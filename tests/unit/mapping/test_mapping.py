"""The axes that a mapping declares match its motions: the page and the signal generator rely on them."""

import pytest

from farhand.mapping import MAPPINGS, DrivenRobot, Mapping
from farhand.poses import IDENTITY
from farhand.robots import load_robot
from farhand.types import DriveRate, GripRate, GroupState, JointRates, Reading, RobotState, TipTwist

TRACKS = load_robot("telemax").tracks
WITH_GRIPPER, WITHOUT = (
    DrivenRobot((1.0, 2.0, 3.0), 0.1, 0.2, tracks=TRACKS),
    DrivenRobot((1.0, 2.0, 3.0), tracks=TRACKS),
)
ROBOT = RobotState({"arm": GroupState((0.0,) * 3, (0.0,) * 3, (0.0,) * 3)}, IDENTITY)
LIFTS = {
    "flippers": (1, 1, 1, 1),
    "flippers:front": (1, 1, 0, 0),
    "flippers:rear": (0, 0, 1, 1),
    "flipper:0": (1, 0, 0, 0),
    "flipper:1": (0, 1, 0, 0),
    "flipper:2": (0, 0, 1, 0),
    "flipper:3": (0, 0, 0, 1),
}
RAISES = {name: name.replace("flippers", "raise").replace("flipper", "raise") for name in LIFTS}
TURNS = ("x", "y", "z", "roll", "pitch", "yaw")
SAYS = [
    ("jog-joints", {}, "", ("joint:0", "joint:1", "joint:2")),
    ("jog-tip", {"frame": "base"}, "base", TURNS),
    ("jog-tip", {"frame": "tool"}, "tool", TURNS),
    ("jog-view", {}, "view", TURNS),
    ("drag-tip", {}, "base", ()),
    ("clutch", {}, "base", ()),
    ("clutch", {"view": True}, "view", ()),
    ("velocity", {}, "base", ()),
    ("rate", {}, "base", ()),
    ("hybrid", {}, "base", ()),
    ("absolute", {}, "base", ()),
    ("copy-joints", {}, "", ()),
    ("drive-tracks", {}, "", ("forward", "turn", *LIFTS)),
    ("raise-flippers", {}, "", ("raise", "raise:front", "raise:rear", *(f"raise:{i}" for i in range(4)))),
]


@pytest.mark.parametrize(("kind", "table", "frame", "axes"), SAYS)
def test_a_mapping_says_its_kind_its_frame_and_its_axes(
    kind: str, table: dict[str, str], frame: str, axes: tuple[str, ...]
) -> None:
    bare, gripping = MAPPINGS[kind](table, WITHOUT), MAPPINGS[kind](table, WITH_GRIPPER)
    assert (bare.kind, bare.frame) == (kind, frame)
    assert bare.axes == axes
    assert gripping.axes == ((*axes, "grip") if axes else ())
    assert bare.feel.endswith(".")


def test_every_kind_is_asked() -> None:
    assert {kind for kind, *_ in SAYS} == set(MAPPINGS)


def moved(mapping: Mapping, axis: int) -> str:
    """Return the names of the axes that one deflection moves."""
    motions, _ = mapping(Reading(axes=tuple(float(i == axis) for i in range(20))), ROBOT, None)
    arm, base, flippers, found = motions.get("arm"), motions.get("base"), motions.get("flippers"), []
    if isinstance(base, DriveRate):
        found += ["forward"] * (base.forward > 0.0) + ["turn"] * (base.turn > 0.0)
    if isinstance(flippers, JointRates):
        up = tuple(int(rate > 0.0) for rate in flippers.rates)
        found += [name if base else RAISES[name] for name, lifted in LIFTS.items() if lifted == up]
    if isinstance(arm, JointRates):
        found = [f"joint:{i}" for i, rate in enumerate(arm.rates) if rate > 0.0]
    elif isinstance(arm, TipTwist):
        found = [name for name, rate in zip(TURNS, arm.linear + arm.angular, strict=True) if rate > 0.0]
    grip = motions.get("gripper")
    if isinstance(grip, GripRate) and grip.rate > 0.0:
        found.append("grip")
    return " ".join(found)


@pytest.mark.parametrize("driven", [WITH_GRIPPER, WITHOUT])
@pytest.mark.parametrize(("kind", "table", "frame", "axes"), SAYS)
def test_each_axis_does_what_it_says_and_no_other_does_anything(
    kind: str, table: dict[str, str], frame: str, axes: tuple[str, ...], driven: DrivenRobot
) -> None:
    del frame, axes
    mapping = MAPPINGS[kind](table, driven)
    assert [moved(mapping, i) for i in range(len(mapping.axes))] == list(mapping.axes)
    assert not any(moved(mapping, i) for i in range(len(mapping.axes), 20))
