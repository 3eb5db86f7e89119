"""Anchors: poses of master and robot at engagement, from which incremental mappings measure."""

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
    """Poses of master and robot at engagement.

    Args:
        master: The master's tip, in its base frame.
        robot: The robot's tip, in its base frame.
        table: Axes of the robot for those of the master; kept until release, even if the view changes.
        scale: Metres of the robot for a metre of the master.
        side: Side of the fingers on which the gripper's trigger is.
        slipped: The target was shortened to the permitted lead in this tick.
    """

    master: Pose
    robot: Pose
    table: Table
    scale: float
    side: int | None = None
    slipped: bool = False


def target_pose(anchor: Anchor, master: Pose, turn_scale: float) -> Pose:
    """Return the robot's target pose for a pose of the master.

    p = p₀ + k·A·(m − m₀), turned by the master's rotation since engagement in the table's axes, times `turn_scale`.
    """
    shift = to_robot_axes(anchor.table, less(master.position, anchor.master.position))
    position = plus(anchor.robot.position, times(anchor.scale, shift))
    if turn_scale == 0.0:
        return Pose(position, anchor.robot.rotation)
    turn = to_robot_axes(anchor.table, rotation_vector(multiply(master.rotation, conjugate(anchor.master.rotation))))
    turn = times(turn_scale * handedness(anchor.table), turn)
    return Pose(position, multiply(from_rotation_vector(turn), anchor.robot.rotation))


def limit_lead(anchor: Anchor, target: Pose, tip: Pose, lead: float) -> tuple[Anchor, Pose]:
    """Return anchor and target with the target at most `lead` metres from the measured tip.

    The excess is removed from the anchor. So a hand that pushes through a wall or outruns the robot builds up no error,
    and moving back responds at once.
    """
    shift = less(target.position, tip.position)
    length = math.hypot(*shift)
    if length <= lead:
        return (replace(anchor, slipped=False) if anchor.slipped else anchor), target
    slack = times(lead / length - 1.0, shift)
    shifted = Pose(plus(anchor.robot.position, slack), anchor.robot.rotation)
    return replace(anchor, robot=shifted, slipped=True), Pose(plus(target.position, slack), target.rotation)


def slip_notes(anchor: Anchor, lead: float) -> tuple[Note, ...]:
    """Return a note if the hand is too far ahead of the robot, so that the extra is ignored."""
    if not anchor.slipped:
        return ()
    return (Note("mapping.slip", "slow", quantities=(Quantity("lead", lead, "m"),)),)
