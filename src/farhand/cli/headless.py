"""``farhand run --headless``: run a cell without a page, and print the motion of its robots."""

from __future__ import annotations

import argparse

from farhand.cell import Cell
from farhand.cli.robot_lines import Reporter
from farhand.errors import CommandError
from farhand.kernels.notice import NOT_IN_A_TICK, compile_with_bar
from farhand.loop import Pace, Run, VirtualClock, WallClock
from farhand.masters import Master, Scripted, Step

__all__ = ["main"]

DEFAULT_CELL = "irb120-grasp"
DEFAULT_S = 10.0


def main(options: argparse.Namespace) -> int:
    """Run the cell, report regularly, and print at the end how fast it ran."""
    if len(options.cell) > 1:
        raise CommandError("--headless runs one cell at a time")
    compile_with_bar(NOT_IN_A_TICK)
    cell = _load(options)
    masters = _demonstration(cell) if options.robot else cell.masters
    reporter = Reporter(cell, json=options.json, driven=bool(options.robot))
    reporter.introduce()
    clock = VirtualClock(cell.dt) if options.fast else WallClock(cell.dt)
    run = Run(cell, masters, clock, [reporter])
    code = 0
    try:
        run.run(options.seconds or _length(masters))
    except KeyboardInterrupt:
        code = 130
    if not options.json:
        _say_pace(clock.pace())
    return code


def _say_pace(pace: Pace) -> None:
    lost = f"; {pace.lost} more were skipped because this computer was too busy" if pace.lost else ""
    print(
        f"\n{pace.ticks} ticks at {pace.real_time_factor:.3g} times real time, "
        f"{pace.work_median * 1e6:.0f} µs of work each (median){lost}."
    )


def _load(options: argparse.Namespace) -> Cell:
    if options.robot:
        return Cell.for_robot(
            options.robot,
            tip=options.tip,
            base=options.base,
            tool=options.tool,
            seed=options.seed,
        )
    return Cell.load(options.cell[0] if options.cell else DEFAULT_CELL, seed=options.seed)


def _demonstration(cell: Cell) -> dict[str, Master]:
    """Return a master that moves each joint a little back and forth, then closes and opens the gripper."""
    lane = next(iter(cell.lanes.values()))
    count = lane.chain.n + (1 if lane.gripper else 0)
    steps = [Step(seconds=0.2)]
    for joint in range(count):
        for direction in (1.0, -1.0):
            axes = tuple(direction if i == joint else 0.0 for i in range(count))
            steps.append(Step(seconds=0.6, axes=axes))
    return {"hand": Scripted([*steps, Step(seconds=0.4)])}


def _length(masters: dict[str, Master]) -> float:
    scripts = [master.length for master in masters.values() if isinstance(master, Scripted)]
    return max(scripts, default=DEFAULT_S)
