"""Block contact: the robot presses on a block, and the force feedback stops the hand."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from farhand.cell import Cell
from farhand.experiments.outcome import EXPERIMENTS, Figure, Outcome, lasting
from farhand.experiments.plot import Level, Panel, PlotLine
from farhand.experiments.record import Record
from farhand.kernels import Floats
from farhand.loop import Run

__all__ = ["contact"]

SECONDS = 5.0
MIN_SECONDS = 4.0
STOPPED = ("relaxed", "normal")  # hands that 3.3 N can stop
HANDS = (*STOPPED, "firm")
DEVICE_FORCE, ROBOT_FORCE = 3.3, 200.0  # N
SCALE = 2.0  # of the cell's mapping
MAX_PAST = 1.0  # mm that a stopped hand may move past the contact


@EXPERIMENTS.register("contact")
def contact(seconds: float | None = None) -> Outcome:
    """Block contact: a Touch drives an IRB 120 against a block; the intended motion goes on, the hand stops.

    Three hands make the same push. The relaxed and the normal hand are stopped. The firm hand is stronger than the
    3.3 N of the device and pushes on, but the contact force stays bounded.
    """
    length = lasting(seconds, SECONDS, MIN_SECONDS)
    records = {hand: Record(Run(_cell(hand)), "touch").take(length) for hand in HANDS}
    figures: list[Figure] = []
    for hand, record in records.items():
        figures += _figures(hand, record)
    figures.append(Figure("ticks per second", 1.0 / records["firm"].run.cell.dt, "Hz", 500.0, "at least"))
    columns: dict[str, Floats] = {}
    for hand, record in records.items():
        columns |= {f"{hand}: {name}" if name != "time (s)" else name: v for name, v in record.columns().items()}
    return Outcome(
        title="Block contact: the intended motion goes on, the hand stops",
        figures=tuple(figures),
        columns=columns,
        panels=_panels(records),
    )


def _cell(hand: str) -> Cell:
    plain = Cell.load("irb120-touch")
    return Cell(replace(plain.spec, masters={"touch": {**plain.spec.masters["touch"], "hand": hand}}), plain.path)


def _touched(record: Record) -> float:
    """Return the hand's position along x when the fingers met the block."""
    return float(record.hand[int(np.argmax(np.abs(record.contact[:, 0]) > 0.0)), 0])


def _figures(hand: str, record: Record) -> list[Figure]:
    at = _touched(record)
    past, intended = 1e3 * (record.hand[:, 0].max() - at), 1e3 * (record.intended[:, 0].max() - at)
    feedback, pressed = np.linalg.norm(record.feedback, axis=1).max(), np.linalg.norm(record.contact, axis=1).max()
    return [
        Figure(f"{hand} hand: intended motion past the block", float(intended), "mm"),
        Figure(f"{hand} hand: motion past the block", float(past), "mm", MAX_PAST if hand in STOPPED else None),
        Figure(f"{hand} hand: largest force on the hand", float(feedback), "N", DEVICE_FORCE + 1e-9),
        Figure(f"{hand} hand: largest contact force", float(pressed), "N", ROBOT_FORCE),
        Figure(f"{hand} hand: lowest port energy", 1e3 * float(record.energy.min()), "mJ", -1.0, "at least"),
    ]


def _panels(records: dict[str, Record]) -> tuple[Panel, ...]:
    normal = records["normal"]
    t = normal.time
    return (
        Panel(
            "Normal hand along x",
            "time (s)",
            "position (mm)",
            (
                PlotLine("intended", t, 1e3 * normal.intended[:, 0], asked=True),
                PlotLine("hand", t, 1e3 * normal.hand[:, 0]),
                PlotLine("tip, half size", t, 1e3 / SCALE * normal.tip[:, 0]),
            ),
        ),
        Panel(
            "Force on the hand along x",
            "time (s)",
            "force (N)",
            tuple(PlotLine(hand, r.time, r.feedback[:, 0]) for hand, r in records.items()),
            (Level("the device's 3.3 N", -DEVICE_FORCE),),
        ),
        Panel(
            "Force of the robot on the block",
            "time (s)",
            "force (N)",
            tuple(PlotLine(hand, r.time, np.linalg.norm(r.contact, axis=1)) for hand, r in records.items()),
            (Level("bar: 200 N", ROBOT_FORCE),),
        ),
        Panel(
            "Energy that the hand has put into its port",
            "time (s)",
            "energy (mJ)",
            tuple(PlotLine(hand, r.time, 1e3 * r.energy) for hand, r in records.items()),
            (Level("bar: −1 mJ", -1.0),),
        ),
    )
