"""The outcome of an experiment: figures with bars, data and plots."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from farhand.errors import CommandError
from farhand.experiments.plot import Panel
from farhand.kernels import Floats
from farhand.registry import Registry

__all__ = ["EXPERIMENTS", "Experiment", "Figure", "Outcome", "lasting", "table"]


class Figure(Struct, frozen=True):
    """A measured number and its bar.

    Args:
        name: The quantity.
        value: Its value, in `unit`.
        unit: Its unit, as printed.
        bar: The bar; None for a figure that is only reported.
        side: Whether the value must be at most or at least the bar.
    """

    name: str
    value: float
    unit: str
    bar: float | None = None
    side: Literal["at most", "at least"] = "at most"

    @property
    def met(self) -> bool:
        """Whether it meets its bar."""
        if self.bar is None:
            return True
        return self.value <= self.bar if self.side == "at most" else self.value >= self.bar


class Outcome(Struct, frozen=True):
    """The result of an experiment.

    Args:
        title: The experiment in one line.
        figures: The figures.
        columns: The data, by column name with unit; all columns have the same length.
        panels: The plots.
        abreast: Number of plots in a row.
    """

    title: str
    figures: tuple[Figure, ...]
    columns: Mapping[str, Floats]
    panels: tuple[Panel, ...]
    abreast: int = 2


Experiment = Callable[[float | None], Outcome]
"""Runs for some virtual seconds; None takes the experiment's own length."""


def lasting(seconds: float | None, own: float, least: float) -> float:
    """Return the length of an experiment, s.

    Args:
        seconds: The requested length; None for the experiment's own.
        own: The experiment's own length.
        least: The shortest useful length.

    Raises:
        CommandError: If the requested length is too short.
    """
    if seconds is not None and seconds < least:
        raise CommandError(f"this experiment needs at least {least:g} s to show anything, found {seconds:g}")
    return own if seconds is None else seconds


EXPERIMENTS: Registry[Experiment] = Registry("experiment")


def table(figures: Sequence[Figure]) -> str:
    """Return figures as a text table, each with its bar."""
    width = max(len(figure.name) for figure in figures)
    lines = []
    for figure in figures:
        bar = f"{figure.side} {figure.bar:g} {figure.unit}" if figure.bar is not None else ""
        verdict = "" if figure.bar is None else "met" if figure.met else "NOT MET"
        value = f"{figure.value:>10.4g} {figure.unit:<5}"
        lines.append(f"{figure.name:<{width}}  {value}  {bar:<18}  {verdict}".rstrip())
    return "\n".join(lines)
