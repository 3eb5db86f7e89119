"""Attitude and tracks of a mobile robot for the page, as its own sensors measure them."""

from __future__ import annotations

from farhand.lane.motion.base_notes import attitude_of, base_word
from farhand.lane.motion.base_stage import BASE, FLIPPERS
from farhand.server.cell_process.packing import floats
from farhand.server.protocol.messages import TracksUpdate
from farhand.types import LaneReport, RobotState

__all__ = ["tracks_update"]


def tracks_update(report: LaneReport, robot: RobotState) -> TracksUpdate | None:
    """Return the state of a robot's tracks; None if it has none.

    Args:
        report: Report of its lane.
        robot: Its measured state.
    """
    if robot.T_world_base is None or BASE not in report.setpoints:
        return None
    pitch, roll = attitude_of(robot.T_world_base.rotation)
    told = report.setpoints[BASE]
    return TracksUpdate(
        pitch=round(pitch, 4),
        roll=round(roll, 4),
        flippers=floats(robot.groups[FLIPPERS].positions),
        asked=floats(report.setpoints[FLIPPERS].positions),
        belts=floats(robot.groups[BASE].rates),
        braked=not any(told.rates),
        parked=report.parked,
        word=base_word(report.notes, told),
    )
