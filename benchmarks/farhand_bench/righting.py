"""A script of an operator who rights a tracked robot with its flippers and its arm, and sees its attitude only.

On its back, the flippers of one side push it up while those of the other yield: it rolls onto its side. There its
flippers turn beside the ground and have no effect; the arm, swung out towards the ground, pushes it upright.
"""

from __future__ import annotations

import math

from farhand.types import Reset
from farhand_bench.driver import Driver

__all__ = ["right_itself"]

ON_ITS_BACK, UPRIGHT = math.radians(125.0), math.radians(15.0)
GIVING_WAY, PUSHING, RAISED = math.radians(-20.0), math.radians(120.0), math.radians(60.0)
TIME_OUT_S, ROUNDS = 8.0, 3  # to roll over, and attempts of the arm
# Turret, shoulder and elbow of the arm: swung out to the left, then pressed down, ever further until it comes over.
OUT = (1.5, -1.3, 1.0)
DOWN = ((1.5, -1.1, 1.6), (1.5, -0.9, 1.6), (1.5, -0.7, 1.6), (1.5, -0.5, 1.6))
STRAIGHT = (0.0, 0.0, 0.0, 0.0)  # the other joints
FOLDED = (0.0, -2.35, 2.45, 0.0, 0.0, -0.1, 0.0)  # closer than at home, from which the arm did not right it


def right_itself(driver: Driver) -> bool:
    """Right the robot from any attitude; return whether it looks upright to the operator."""
    driver.send(Reset())  # a fall may have bent a joint, which stops the robot
    driver.drive(0.2)
    if abs(driver.sight.roll) > ON_ITS_BACK and not _onto_its_side(driver):
        return False
    driver.pose(RAISED, RAISED)  # below the body they would keep the belts off the ground
    driver.drive(0.5)
    for _ in range(ROUNDS):
        if abs(driver.sight.roll) < UPRIGHT:
            break
        driver.reach(FOLDED, 5.0)  # keep the arm from being caught below the robot
        side = -1.0 if driver.sight.roll > 0.0 else 1.0  # the arm moves towards the ground
        for turret, shoulder, elbow in (OUT, *DOWN):
            driver.reach((side * turret, shoulder, elbow, *STRAIGHT), 5.0)
            if abs(driver.sight.roll) < UPRIGHT:
                break
    driver.reach(FOLDED)
    return max(abs(driver.sight.roll), abs(driver.sight.pitch)) < UPRIGHT


def _onto_its_side(driver: Driver) -> bool:
    """Roll over from the back: the right flippers yield first, then the left ones push."""
    since = driver.tick.time
    while driver.tick.time - since < TIME_OUT_S:
        sight = driver.sight
        if abs(sight.roll) < ON_ITS_BACK:
            driver.drive(1.0)
            return True
        right = -1.0 if max(sight.flippers[1], sight.flippers[3]) > GIVING_WAY else 0.0
        left = 1.0 if not right and min(sight.flippers[0], sight.flippers[2]) < PUSHING else 0.0
        driver.step(0.0, 0.0, (left, right, left, right))
    return False
