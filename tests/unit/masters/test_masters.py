"""Masters and mappings: scripts, recordings, jogging."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from farhand.config import ConfigError
from farhand.errors import FarhandError, FileError, UnknownNameError
from farhand.mapping import MAPPINGS, DrivenRobot, JogJoints, JogTip
from farhand.masters import MASTERS, Manual, Recorded, Scripted, Step, load_readings, save_readings
from farhand.poses import IDENTITY, Pose
from farhand.registry import Registry
from farhand.types import Feedback, GripRate, GripTo, GroupState, JointRates, Reading, RobotState, TipTwist

ROBOT = RobotState({}, IDENTITY)
DRIVEN = DrivenRobot((1.0, 2.0, 4.0), opening=0.1, grip_speed=0.2)


def test_a_script_starts_released_and_ends_released() -> None:
    script = Scripted([Step(seconds=1.0, axes=(1.0,)), Step(seconds=1.0), Step(seconds=1.0, axes=(0.0,), deadman=True)])
    seen = [script.step(Feedback(n), n * 0.5) for n in range(8)]
    assert [r.deadman for r in seen if r] == [False, True, False, False, True, True, False, False]
    numbers = [r.sequence for r in seen if r]
    assert numbers == sorted(set(numbers))
    assert [r.tick for r in seen if r] == list(range(8))


def test_a_script_can_repeat() -> None:
    script = Scripted([Step(seconds=1.0, axes=(1.0,)), Step(seconds=1.0, axes=(-1.0,))], repeat=True)
    seen = [script.step(Feedback(0), n + 0.5) for n in range(5)]
    assert [r.axes for r in seen if r] == [(), (-1.0,), (1.0,), (-1.0,), (1.0,)]


def test_a_manual_master_keeps_its_reading() -> None:
    hand = Manual()
    hand.set(deadman=True, axes=(0.5,))
    first, second = hand.step(Feedback(4), 0.0), hand.step(Feedback(5), 0.0)
    assert first
    assert second
    assert (first.axes, second.axes) == ((0.5,), (0.5,))
    assert second.sequence > first.sequence
    hand.release()
    after = hand.step(Feedback(6), 0.0)
    assert after
    assert not after.deadman


readings = st.builds(
    Reading,
    sequence=st.integers(0, 10**6),
    epoch=st.integers(0, 5),
    deadman=st.booleans(),
    axes=st.lists(st.floats(-1, 1), max_size=7).map(tuple),
    pose=st.none() | st.just(Pose((0.1, 0.2, 0.3))),
    grip=st.none() | st.floats(0, 1),
    presses=st.dictionaries(st.text(max_size=5), st.integers(0, 9), max_size=2),
)


@given(st.dictionaries(st.integers(0, 1000), readings, max_size=8))
def test_readings_survive_a_file(tmp_path_factory: pytest.TempPathFactory, given: dict[int, Reading]) -> None:
    path = tmp_path_factory.mktemp("readings") / "a.jsonl"
    save_readings(path, given.items())
    assert load_readings(path) == given


def test_a_recorded_master_gives_readings_at_their_ticks() -> None:
    master = Recorded({10: Reading(sequence=1), 12: Reading(sequence=2, axes=(1.0,))})
    seen = [master.step(Feedback(n), 0.0) for n in range(4)]
    assert [r and r.sequence for r in seen] == [1, None, 2, None]


@pytest.mark.parametrize("line", ["nonsense", '{"tick": 1}', '{"tick": 1, "reading": {"axes": "x"}}', "\xff\xfe"])
def test_a_broken_recording_names_the_line(tmp_path: Path, line: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(b'{"tick": 1, "reading": {}}\n' + line.encode("latin-1") + b"\n")
    with pytest.raises(FileError, match="line 2: is not a recorded reading"):
        load_readings(path)


def test_a_missing_recording_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be read: No such file"):
        load_readings(tmp_path / "none.jsonl")


def test_masters_check_their_tables(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"steps\[0\].seconds"):
        MASTERS["scripted"]({"steps": [{"seconds": -1}]}, tmp_path)
    with pytest.raises(ConfigError, match="has no field 'sped'"):
        MASTERS["manual"]({"sped": 1}, tmp_path)
    assert isinstance(MASTERS["manual"]({}, tmp_path), Manual)


def test_jog_joints_gives_a_share_of_each_top_rate() -> None:
    motions, _ = JogJoints(driven=DRIVEN, share=0.5)(Reading(axes=(1.0, -1.0)), ROBOT, None)
    assert motions == {"arm": JointRates((0.5, -1.0, 0.0))}


def test_jog_tip_takes_frames_and_speeds() -> None:
    jog = MAPPINGS["jog-tip"]({"frame": "tool", "turn_frame": "base", "speed": 0.1, "turn_speed": 2.0}, DRIVEN)
    motions, _ = jog(Reading(axes=(1.0, 0.0, -0.5, 0.0, 0.0, 1.0)), ROBOT, None)
    assert motions == {"arm": TipTwist((0.1, 0.0, -0.05), (0.0, 0.0, 2.0), "tool", "base")}
    assert "axes of the tool" in jog.feel


def test_the_gripper_follows_its_axis_or_the_trigger() -> None:
    jog = JogTip(driven=DRIVEN)
    motions, _ = jog(Reading(axes=(0, 0, 0, 0, 0, 0, -1.0)), ROBOT, None)
    assert motions["gripper"] == GripRate(-0.2)
    motions, _ = JogTip(driven=DrivenRobot((1.0,)))(Reading(grip=1.0), ROBOT, None)
    assert "gripper" not in motions


def with_opening(opening: float) -> RobotState:
    return RobotState({"gripper": GroupState((opening,), (0.0,), (0.0,))}, IDENTITY)


def test_a_trigger_moves_the_fingers_only_after_it_has_met_them() -> None:
    jog, memory, holding = JogTip(driven=DRIVEN), None, with_opening(0.05)
    for grip in (0.0, 0.2, 0.4):  # engaged with an open trigger while holding an object: it is not dropped
        motions, memory = jog(Reading(grip=grip), holding, memory)
        assert "gripper" not in motions
    motions, memory = jog(Reading(grip=0.49), holding, memory)
    assert motions["gripper"] == GripTo((1.0 - 0.49) * 0.1)
    motions, memory = jog(Reading(grip=0.0), holding, memory)
    assert motions["gripper"] == GripTo(0.1)


def test_a_trigger_that_jumps_past_the_fingers_has_met_them() -> None:
    jog, holding = JogTip(driven=DRIVEN), with_opening(0.05)
    _, memory = jog(Reading(grip=0.0), holding, None)
    motions, _ = jog(Reading(grip=1.0), holding, memory)
    assert motions["gripper"] == GripTo(0.0)


def test_a_registry_refuses_a_name_twice_and_offers_the_nearest() -> None:
    things: Registry[int] = Registry("thing")
    things.register("hammer")(1)
    with pytest.raises(FarhandError, match="two things are called 'hammer'"):
        things.register("hammer")(2)
    with pytest.raises(UnknownNameError, match="did you mean 'hammer'"):
        things["hamer"]
