"""``farhand tune``: find the gains of a robot's drive, test them, print the results and plot them."""

from __future__ import annotations

import argparse
from pathlib import Path

from farhand.errors import CommandError
from farhand.kernels.notice import compile_with_bar

__all__ = ["main"]

MAX_OVERSHOOT = 0.05  # of a step, for every joint


def main(options: argparse.Namespace) -> int:
    """Tune the drive, print and write the results; the exit code is 1 if a joint overshoots by more than 5 %."""
    from farhand.experiments import drawing
    from farhand.robots import load_robot
    from farhand.tuning import panels, snippet, table, tune
    from farhand.world import Placement

    model = load_robot(options.robot, tip=options.tip, base=options.base, tool=options.tool)
    compile_with_bar()
    tuning = tune(Placement(options.name, model), options.drive, options.pace)
    text = snippet(tuning, options.name)
    print(f"{model.name}: {options.drive} drive\n\n{table(tuning)}\n\n{text}")
    title = f"{model.name}, {options.drive} drive: step responses"
    plot = Path(options.out) / f"tune-{model.name}-{options.drive}.svg"
    _write(plot, drawing(title, panels(tuning)))
    if options.write:
        _write(Path(options.write), text)
    print(f"Wrote {' and '.join(str(path) for path in (plot, options.write) if path)}.")
    worst = max(step.overshoot for step in (*tuning.home, *tuning.heavy))
    return 0 if worst <= MAX_OVERSHOOT else 1


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}") from error
