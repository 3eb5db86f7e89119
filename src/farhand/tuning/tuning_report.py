"""The report of a tuning: lines for a cell file, a table of figures, and plots."""

from __future__ import annotations

import math

from farhand.experiments.plot import Level, Panel, PlotLine
from farhand.tuning.steps import StepResponse
from farhand.tuning.tune import Tuning
from farhand.world import DriveSpec

__all__ = ["panels", "snippet", "table"]


def snippet(tuning: Tuning, name: str) -> str:
    """Return the drive's table for a cell file.

    Args:
        tuning: The result of tuning.
        name: The robot's name in that file.
    """
    drive = tuning.drive
    header = f"robots.{name}.drive" if name.isidentifier() else f'robots."{name}".drive'
    return f'[{header}]\nkind = "{drive.kind}"\n{_rows(drive, [_title(step) for step in tuning.home])}\n'


def _rows(drive: DriveSpec, names: list[str]) -> str:
    if drive.kind == "position":
        rows = [list(map(repr, values)) for values in (drive.stiffness, drive.damping)]
        return f"{_list('stiffness', rows[0], names)}\n{_list('damping', rows[1], names)}"
    if drive.kind == "pid":
        return _list("gains", [f"[{', '.join(map(repr, row))}]" for row in drive.gains], names)
    loops = [
        f"{{ proportional = {loop.proportional!r}, integral = {loop.integral!r}, range = {loop.range!r}, "
        f"lead = {loop.lead!r}, lag = {loop.lag!r}, valve = {loop.valve!r} }}"
        for loop in drive.loops
    ]
    return _list("loops", loops, names)


def _list(key: str, rows: list[str], names: list[str]) -> str:
    lines = [f"    {row},  # {name}" for row, name in zip(rows, names, strict=True)]
    return "\n".join([f"{key} = [", *lines, "]"])


def table(tuning: Tuning) -> str:
    """Return a text table with the load of each joint and its step responses, at home and at its largest inertia."""
    width = max(len("joint"), *(len(_title(step)) for step in tuning.home))
    columns = f"{'inertia':>15}  {'weight':>9}  {'overshoot':>13}  {'settled':>15}  {'peak effort':>24}"
    lines = [f"{'joint':<{width}}  {columns}"]
    rows = zip(tuning.home, tuning.heavy, tuning.loads.least, tuning.loads.most, tuning.loads.weight, strict=True)
    for home, heavy, least, most, weight in rows:
        unit = "Nm" if home.joint.kind == "hinge" else "N"
        peak = max(home.peak, heavy.peak)
        share = f"{100 * peak / home.joint.effort:.0f} % of {home.joint.effort:.4g}"
        lines.append(
            f"{_title(home):<{width}}  {f'{least:.3g} … {most:.3g}':>15}  {f'{round(weight, 2):g} {unit}':>9}  "
            f"{f'{100 * home.overshoot:.1f} … {100 * heavy.overshoot:.1f} %':>13}  "
            f"{f'{home.settled:.3f} … {heavy.settled:.3f} s':>15}  {f'{peak:.4g} {unit} ({share})':>24}"
        )
    return "\n".join(lines)


def panels(tuning: Tuning) -> tuple[Panel, ...]:
    """Return two plots for each joint: its step response, and the effort of its drive."""
    found: list[Panel] = []
    for home, heavy in zip(tuning.home, tuning.heavy, strict=True):
        found += [_travel(home, heavy), _effort(home, heavy)]
    return tuple(found)


def _travel(home: StepResponse, heavy: StepResponse) -> Panel:
    end = _end(home, heavy)
    lines = [PlotLine(name, step.time[:end], 100.0 * step.travel[:end]) for name, step in _named(home, heavy)]
    size = abs(home.size)
    words = f"{math.degrees(size):.2g}°" if home.joint.kind == "hinge" else f"{1e3 * size:.2g} mm"
    title = f"{_title(home)}: a step of {words}"
    return Panel(title, "time (s)", "% of the step", tuple(lines), (Level("commanded", 100.0),))


def _effort(home: StepResponse, heavy: StepResponse) -> Panel:
    end, unit = _end(home, heavy), "Nm" if home.joint.kind == "hinge" else "N"
    lines = [
        PlotLine(name, step.time[:end], math.copysign(1.0, step.size) * step.effort[:end])
        for name, step in _named(home, heavy)
    ]
    top = home.joint.effort
    near = [Level(f"limit {top:g} {unit}", top)] if max(home.peak, heavy.peak) > 0.5 * top else []
    return Panel(f"{_title(home)}: effort towards the step", "time (s)", unit, tuple(lines), tuple(near))


def _named(home: StepResponse, heavy: StepResponse) -> tuple[tuple[str, StepResponse], ...]:
    return (("from home", home), ("at its largest inertia", heavy))


def _end(home: StepResponse, heavy: StepResponse) -> int:
    """Return the number of samples to plot: three times the settling time."""
    longest = max(home.settled, heavy.settled)
    dt = float(home.time[1])
    return min(len(home.time), max(40, round(3.0 * longest / dt)) if math.isfinite(longest) else len(home.time))


def _title(step: StepResponse) -> str:
    return step.joint.label or step.joint.name
