"""``farhand experiment``: run an experiment in virtual time, print its figures, write its data and a plot."""

from __future__ import annotations

import argparse
import csv
import time
from pathlib import Path

from farhand.config import MAX_BYTES, read_regular
from farhand.errors import CommandError
from farhand.kernels.notice import compile_with_bar

__all__ = ["main"]


def main(options: argparse.Namespace) -> int:
    """Run the experiment; without a name list all. The exit code is 1 if a bar is not met."""
    from farhand.experiments import EXPERIMENTS, drawing, table

    if options.write or options.check:
        return _publish(options)
    if not options.name:
        _list()
        return 0
    experiment = EXPERIMENTS[options.name]
    compile_with_bar()
    begun = time.perf_counter()
    outcome = experiment(options.seconds)
    print(f"{outcome.title}\n\n{table(outcome.figures)}\n")
    print(f"Run in virtual time, which took {time.perf_counter() - begun:.0f} s.")
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


def _publish(options: argparse.Namespace) -> int:
    """Write figures into the docs, or compare with them; the exit code is 1 if they differ or a bar is not met."""
    from farhand.experiments import EXPERIMENTS
    from farhand.experiments.published import FigureRow, differences, published, rows_of, write

    path = Path(options.docs)
    try:
        page = read_regular(path, MAX_BYTES).decode("utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise CommandError(f"{path} cannot be read: {reason}; choose the page with --docs") from error
    runs = {name: EXPERIMENTS[name] for name in ([options.name] if options.name else EXPERIMENTS)}
    before = {name: published(page, name) for name in runs}  # fails on a missing place before minutes of running
    compile_with_bar()
    found: dict[str, tuple[list[FigureRow], list[FigureRow]]] = {}
    met = True
    for name, run in runs.items():
        print(f"{name} …", flush=True)
        figures = run(None).figures
        met = met and all(figure.met for figure in figures)
        found[name] = before[name], rows_of(figures)
        if options.write:  # after each experiment, because the user may interrupt a later one
            path.write_text(write(path.read_text(encoding="utf-8"), name, found[name][1]), encoding="utf-8")
    told = differences(found)
    if options.write:
        print(f"Wrote {path}.\n{told}".rstrip())
        return 0 if met else 1
    print(told or f"{path} agrees with this run.")
    return 1 if told or not met else 0


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
