"""The description of a run that begins, from the cell that runs."""

from __future__ import annotations

import time

from farhand.cell import Cell
from farhand.records import build_info
from farhand.records.entries import Origin, RunInfo

__all__ = ["info_of", "joint_names", "text_of"]


def info_of(cell: Cell, run: str, *, who: str = "", title: str = "", origin: Origin | None = None) -> RunInfo:
    """Return the description of a run that begins now."""
    return RunInfo(
        run=run,
        cell=cell.spec.name or cell.path.stem,
        started=time.time_ns(),
        tick=cell.number,
        seed=cell.seed,
        timestep=cell.dt,
        versions=build_info.versions(),
        machine=build_info.machine(),
        build=build_info.build_hash(),
        who=who,
        title=title,
        origin=origin,
    )


def joint_names(cell: Cell) -> dict[str, tuple[str, ...]]:
    """Return the names of the joints of each robot's arm."""
    return {name: tuple(joint.name for joint in lane.model.arm.joints) for name, lane in cell.lanes.items()}


def text_of(cell: Cell) -> str:
    """Return the text of a cell's file; empty if there is none."""
    try:
        return cell.path.read_text(encoding="utf-8") if cell.path.is_file() else ""
    except (OSError, UnicodeDecodeError):
        return ""
