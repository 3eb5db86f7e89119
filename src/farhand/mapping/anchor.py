"""Where master and robot were when they were joined: what incremental mappings measure from."""

from __future__ import annotations

import math

from msgspec import Struct
from msgspec.structs import replace

from farhand.mapping.axes import Table, handedness, to_robot_axes
from farhand.poses import Pose, conjugate, from_rotation_vector, multiply, rotation_vector
from farhand.types import Note, Quantity
from farhand.vectors import less, plus, times

__all__ = ["Anchor", "limit_lead", "slip_notes", "target_pose"]


class Anchor(Struct, frozen=True):
    """The instant at which master and robot were joined.

    Args:
        master: The master's tip then, in its own base.
        robot: The robot's tip then, in its base.
        table: How the master's axes lead the robot's; kept until the hand lets go, also when the view changes.
        scale: Metres of the robot for a metre of the master.
        side: On which side of the fingers the gripper's trigger is.
        slipped: Some way of the hand was given up in this tick.
    """

    master: Pose
    robot: Pose
    table: Table
    scale: float
    side: int | None = None
    slipped: bool = False


def target_pose(anchor: Anchor, master: Pose, turn_scale: float) -> Pose:
    """Return where the robot's tip shall be while the master's is there.

    p = p₀ + k·A·(m − m₀), and the master's turn since then, about the table's axes, times `turn_scale`.
    """
    way = to_robot_axes(anchor.table, less(master.position, anchor.master.position))
    position = plus(anchor.robot.position, times(anchor.scale, way))
    if turn_scale == 0.0:
        return Pose(position, anchor.robot.rotation)
    turn = to_robot_axes(anchor.table, rotation_vector(multiply(master.rotation, conjugate(anchor.master.rotation))))
    turn = times(turn_scale * handedness(anchor.table), turn)
    return Pose(position, multiply(from_rotation_vector(turn), anchor.robot.rotation))


def limit_lead(anchor: Anchor, target: Pose, tip: Pose, lead: float) -> tuple[Anchor, Pose]:
    """Return anchor and target with the target at most `lead` from the measured tip.

    What is too much is taken out of the anchor: a hand that pushes through a wall, or outruns the robot, does not
    stretch a spring that pulls ever harder, and the way back begins at once.
    """
    way = less(target.position, tip.position)
    length = math.hypot(*way)
    if length <= lead:
        return (replace(anchor, slipped=False) if anchor.slipped else anchor), target
    slack = times(lead / length - 1.0, way)
    shifted = Pose(plus(anchor.robot.position, slack), anchor.robot.rotation)
    return replace(anchor, robot=shifted, slipped=True), Pose(plus(target.position, slack), target.rotation)


def slip_notes(anchor: Anchor, lead: float) -> tuple[Note, ...]:
    """Say that the hand ran ahead of the robot, or pushes through what holds it, and that this way is given up."""
    if not anchor.slipped:
        return ()
    return (Note("mapping.slip", "slow", quantities=(Quantity("lead", lead, "m"),)),)
