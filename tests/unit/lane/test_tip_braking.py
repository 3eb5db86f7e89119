"""Walls before the tip brake no harder than its joints can."""

import math

import pytest

from farhand.filters import Workspace
from farhand.filters.filter import View
from farhand.lane.motion.braking import BRAKING_SHARE, MIN_BRAKING_MPS2, tip_brakes
from farhand.poses import Pose
from farhand.types import Demand, RobotState


def test_the_joint_that_takes_longest_to_stop_sets_how_hard_the_tip_brakes() -> None:
    # 0.1 s and 0.2 s to rest: the tip of 0.3 m/s needs 0.2 s
    assert tip_brakes(0.3, (1.0, -1.0), (10.0, 5.0)) == pytest.approx(BRAKING_SHARE * 0.3 / 0.2)


def test_at_rest_nothing_is_slower_and_a_motion_that_leaves_the_tip_alone_does_not_divide_by_zero() -> None:
    assert tip_brakes(0.3, (0.0, 0.0), (10.0, 5.0)) == math.inf
    assert tip_brakes(0.0, (1.0, 0.0), (10.0, 5.0)) == MIN_BRAKING_MPS2


@pytest.mark.parametrize(("brakes", "used"), [(0.5, 0.5), (10.0, 2.5), (math.inf, 2.5)])
def test_a_face_of_the_work_area_is_approached_as_fast_as_the_arm_can_brake(brakes: float, used: float) -> None:
    box = Workspace(lower=(-1.0,) * 3, upper=(1.0,) * 3)
    tip = Pose((0.99, 0.0, 0.0))
    view = View(RobotState(groups={}, T_base_tip=tip), tip, 0.1, 1.0, 0.002, brakes=brakes)
    (wall,) = box(Demand("hand"), view, None)[0].walls
    assert wall.speed == pytest.approx(math.sqrt(2.0 * used * 0.01))
