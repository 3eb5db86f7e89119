"""What an experiment gives: figures with bars, the data, and what to draw of it."""

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
    """One number and what is asked of it.

    Args:
        name: What was measured.
        value: In `unit`.
        unit: As printed.
        bar: What it shall be at most or at least; None for a figure that is only told.
        side: On which side of the bar it shall be.
    """

    name: str
    value: float
    unit: str
    bar: float | None = None
    side: Literal["at most", "at least"] = "at most"

    @property
    def met(self) -> bool:
        """Whether it is as asked for."""
        if self.bar is None:
            return True
        return self.value <= self.bar if self.side == "at most" else self.value >= self.bar


class Outcome(Struct, frozen=True):
    """All that came out.

    Args:
        title: One line on what was done.
        figures: The numbers.
        columns: The data, by column name with its unit; all of the same length.
        panels: What to draw.
        abreast: How many of them in a row.
    """

    title: str
    figures: tuple[Figure, ...]
    columns: Mapping[str, Floats]
    panels: tuple[Panel, ...]
    abreast: int = 2


Experiment = Callable[[float | None], Outcome]
"""Runs for some virtual seconds; None takes the experiment's own length."""


def lasting(seconds: float | None, own: float, least: float) -> float:
    """Return how long an experiment runs.

    Args:
        seconds: What is asked for; None for its own length.
        own: Its own length.
        least: What it needs to show anything.

    Raises:
        CommandError: If that is less than it needs.
    """
    if seconds is not None and seconds < least:
        raise CommandError(f"this experiment needs at least {least:g} s to show anything, found {seconds:g}")
    return own if seconds is None else seconds


EXPERIMENTS: Registry[Experiment] = Registry("experiment")


def table(figures: Sequence[Figure]) -> str:
    """Return figures as lines, each with its bar."""
    width = max(len(figure.name) for figure in figures)
    lines = []
    for figure in figures:
        asked = f"{figure.side} {figure.bar:g} {figure.unit}" if figure.bar is not None else ""
        verdict = "" if figure.bar is None else "met" if figure.met else "NOT MET"
        value = f"{figure.value:>10.4g} {figure.unit:<5}"
        lines.append(f"{figure.name:<{width}}  {value}  {asked:<18}  {verdict}".rstrip())
    return "\n".join(lines)
