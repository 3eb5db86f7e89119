"""``farhand experiment``: run one in virtual time, print its figures, write its data and a plot."""

from __future__ import annotations

import argparse
import csv
import time
from pathlib import Path

from farhand.errors import CommandError
from farhand.kernels.notice import compile_with_bar

__all__ = ["main"]


def main(options: argparse.Namespace) -> int:
    """Run the experiment; without a name list what there is. The exit code is 1 if a bar is not met."""
    from farhand.experiments import EXPERIMENTS, drawing, table

    if not options.name:
        _list()
        return 0
    experiment = EXPERIMENTS[options.name]
    compile_with_bar()
    begun = time.perf_counter()
    outcome = experiment(options.seconds)
    print(f"{outcome.title}\n\n{table(outcome.figures)}\n")
    print(f"Virtual time; took {time.perf_counter() - begun:.0f} s.")
    folder = Path(options.out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write(folder / f"{options.name}.csv", list(outcome.columns), [c.tolist() for c in outcome.columns.values()])
        picture = drawing(outcome.title, outcome.panels, outcome.abreast)
        (folder / f"{options.name}.svg").write_text(picture, encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{folder} cannot be written to: {error.strerror}") from error
    print(f"Wrote {folder / options.name}.csv and .svg.")
    return 0 if all(figure.met for figure in outcome.figures) else 1


def _list() -> None:
    from farhand.experiments import EXPERIMENTS

    width = max(map(len, EXPERIMENTS))
    for name in EXPERIMENTS:
        sentence = (EXPERIMENTS[name].__doc__ or "").strip().splitlines()[0]
        print(f"{name:<{width}}  {sentence}")


def _write(path: Path, names: list[str], columns: list[list[float]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(names)
        writer.writerows([f"{value:.9g}" for value in row] for row in zip(*columns, strict=True))
