"""Plots as SVG text: panels of lines over two axes, without a plotting library."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from itertools import pairwise

import numpy as np
from msgspec import Struct

from farhand.kernels import Floats

__all__ = ["Level", "Panel", "PlotLine", "drawing", "spatial"]

WIDTH, HEIGHT = 430, 230  # of a panel's frame
LEFT, TOP, RIGHT, BOTTOM = 62, 46, 18, 46  # margins around it
TITLE_HEIGHT = 40  # above all panels
MAX_POINTS = 1200  # of a line; more cannot be seen
COLOURS = ("#c2410c", "#0f766e", "#4338ca", "#a16207", "#be185d", "#57534e", "#15803d")
BAR = "#b91c1c"


class PlotLine(Struct, frozen=True):
    """A line of a panel.

    Args:
        name: The name in the legend.
        x: (m,) horizontal values.
        y: (m,) vertical values.
        dashed: Draw it dashed: it has another unit than the others, or is an axis.
        asked: Draw it wide and pale, below the others: it is the command.
        mark: Text beyond its end, instead of a name in the legend, for a straight axis in space.
    """

    name: str
    x: Floats
    y: Floats
    dashed: bool = False
    asked: bool = False
    mark: str = ""


class Level(Struct, frozen=True):
    """A bar across a panel."""

    name: str
    y: float


class Panel(Struct, frozen=True):
    """A frame with lines in it.

    Args:
        title: The title above it.
        x: Title of the horizontal axis.
        y: Title of the vertical axis.
        lines: The lines.
        levels: Bars across it.
        square: Give both axes the same scale, for paths.
    """

    title: str
    x: str
    y: str
    lines: tuple[PlotLine, ...]
    levels: tuple[Level, ...] = ()
    square: bool = False


def drawing(title: str, panels: Sequence[Panel], columns: int = 2) -> str:
    """Return panels as one SVG drawing, row by row."""
    rows = math.ceil(len(panels) / columns)
    across, down = LEFT + WIDTH + RIGHT, TOP + HEIGHT + BOTTOM
    width, height = columns * across, TITLE_HEIGHT + rows * down
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'font-family="system-ui, sans-serif" font-size="12" fill="#292524">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="{LEFT}" y="28" font-size="16" font-weight="600">{escape(title)}</text>',
    ]
    for k, panel in enumerate(panels):
        parts += _panel(panel, k % columns * across + LEFT, TITLE_HEIGHT + k // columns * down + TOP, f"frame{k}")
    return "\n".join([*parts, "</svg>\n"])


def _panel(panel: Panel, left: float, top: float, clip: str) -> list[str]:
    (x0, x1), (y0, y1) = _ranges(panel)

    def at(x: float, y: float) -> tuple[float, float]:
        return left + WIDTH * (x - x0) / (x1 - x0), top + HEIGHT * (1.0 - (y - y0) / (y1 - y0))

    parts = [
        f'<clipPath id="{clip}"><rect x="{left}" y="{top}" width="{WIDTH}" height="{HEIGHT}"/></clipPath>',
        f'<text x="{left}" y="{top - 24}" font-weight="600">{escape(panel.title)}</text>',
        *_legend(panel, left, top - 8),
    ]
    for x in _ticks(x0, x1):
        px, _ = at(x, y0)
        parts.append(f'<line x1="{px:.1f}" y1="{top}" x2="{px:.1f}" y2="{top + HEIGHT}" stroke="#e7e5e4"/>')
        parts.append(f'<text x="{px:.1f}" y="{top + HEIGHT + 16}" text-anchor="middle">{_number(x)}</text>')
    for y in _ticks(y0, y1):
        _, py = at(x0, y)
        parts.append(f'<line x1="{left}" y1="{py:.1f}" x2="{left + WIDTH}" y2="{py:.1f}" stroke="#e7e5e4"/>')
        parts.append(f'<text x="{left - 6}" y="{py + 4:.1f}" text-anchor="end">{_number(y)}</text>')
    parts.append(
        f'<rect x="{left}" y="{top}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#a8a29e"/>'
        f'<text x="{left + WIDTH / 2}" y="{top + HEIGHT + 34}" text-anchor="middle">{escape(panel.x)}</text>'
        f'<text transform="translate({left - 46},{top + HEIGHT / 2}) rotate(-90)" text-anchor="middle">'
        f"{escape(panel.y)}</text>"
    )
    for level in panel.levels:
        _, py = at(x0, level.y)
        words = py - 4.0 if level.y > 0.5 * (y0 + y1) else py + 13.0
        parts.append(
            f'<line x1="{left}" y1="{py:.1f}" x2="{left + WIDTH}" y2="{py:.1f}" stroke="{BAR}" stroke-dasharray="2 3"/>'
            f'<text x="{left + WIDTH - 4}" y="{words:.1f}" text-anchor="end" fill="{BAR}">{escape(level.name)}</text>'
        )
    # draw the command below the motion, wide and pale, so that both are visible where they coincide
    for k, line in sorted(enumerate(panel.lines), key=lambda numbered: not numbered[1].asked):
        points = " ".join("{:.1f},{:.1f}".format(*at(x, y)) for x, y in _thinned(line))
        parts.append(
            f'<polyline points="{points}" clip-path="url(#{clip})" fill="none" stroke="{COLOURS[k % len(COLOURS)]}" '
            f'{_pen(line)} stroke-linejoin="round"/>'
        )
        if line.mark:
            (ax, ay), (bx, by) = at(float(line.x[0]), float(line.y[0])), at(float(line.x[-1]), float(line.y[-1]))
            beyond = 1.0 + 9.0 / math.hypot(bx - ax, by - ay)
            px, py = ax + beyond * (bx - ax), ay + beyond * (by - ay) + 4.0
            parts.append(f'<text x="{px:.1f}" y="{py:.1f}" text-anchor="middle">{escape(line.mark)}</text>')
    return parts


def _legend(panel: Panel, left: float, y: float) -> list[str]:
    parts, x = [], left
    for k, line in enumerate(panel.lines):
        if line.mark:
            continue
        colour = COLOURS[k % len(COLOURS)]
        parts.append(
            f'<line x1="{x}" y1="{y - 4}" x2="{x + 18}" y2="{y - 4}" stroke="{colour}" {_pen(line)}/>'
            f'<text x="{x + 23}" y="{y}">{escape(line.name)}</text>'
        )
        x += 37 + 6.4 * len(line.name)
    return parts


def _pen(line: PlotLine) -> str:
    if line.asked:
        return 'stroke-width="7" stroke-opacity="0.3"'
    return 'stroke-width="1.6"' + (' stroke-dasharray="6 4"' if line.dashed else "")


def spatial(title: str, paths: Sequence[tuple[str, Floats, bool]]) -> Panel:
    """Return paths in space as seen from the front left and above, with axes of a fixed length.

    Args:
        title: The title above it.
        paths: Name, (m, 3) points relative to a common start, m, and whether it is the command.
    """
    size = max(float(np.abs(points).max()) for _, points, _ in paths)
    length = 10.0 ** math.floor(math.log10(1e3 * size))
    length = length / 1e3 * (5.0 if 5e-3 * length <= 0.7 * size else 2.0 if 2e-3 * length <= 0.7 * size else 1.0)
    corner = np.array([-1.3 * size, 0.0, -1.3 * size])
    lines = [PlotLine(name, *_projected(points), asked=asked) for name, points, asked in paths]
    for i, axis in enumerate("xyz"):
        end = corner + length * np.eye(3)[i]
        lines.append(PlotLine(axis, *_projected(np.array([corner, end])), dashed=True, mark=axis))
    seen = f"mm; dashed axes are {1e3 * length:g} mm long"
    return Panel(title, f"to the right ({seen})", "up (mm)", tuple(lines), square=True)


def _projected(points: Floats) -> tuple[Floats, Floats]:
    """Return points in space as seen by a far camera, mm: x towards the viewer and left, y right, z up."""
    x, y, z = 1e3 * points.T
    turn, tilt = math.radians(35.0), math.radians(25.0)
    across = y * math.cos(turn) - x * math.sin(turn)
    deep = y * math.sin(turn) + x * math.cos(turn)
    return across, z * math.cos(tilt) - deep * math.sin(tilt)


def _thinned(line: PlotLine) -> list[tuple[float, float]]:
    """Return the points of a line; if there are too many, the lowest and highest of each stretch, to keep all peaks."""
    count = len(line.x)
    if count <= MAX_POINTS:
        keep = np.arange(count)
    else:
        edges = np.linspace(0, count, MAX_POINTS // 2 + 1).astype(int).tolist()
        pairs = [sorted((a + int(np.argmin(line.y[a:b])), a + int(np.argmax(line.y[a:b])))) for a, b in pairwise(edges)]
        keep = np.array([0, *[i for pair in pairs for i in pair], count - 1])
    return list(zip(line.x[keep].tolist(), line.y[keep].tolist(), strict=True))


def _ranges(panel: Panel) -> tuple[tuple[float, float], tuple[float, float]]:
    xs = [v for line in panel.lines for v in (float(line.x.min()), float(line.x.max()))]
    ys = [v for line in panel.lines for v in (float(line.y.min()), float(line.y.max()))]
    ys += [level.y for level in panel.levels]
    x, y = (min(xs), max(xs)), _wider(min(ys), max(ys))
    if not panel.square:
        return x, y
    x = _wider(*x)
    unit = max((x[1] - x[0]) / WIDTH, (y[1] - y[0]) / HEIGHT)
    return _about(x, unit * WIDTH), _about(y, unit * HEIGHT)


def _wider(low: float, high: float) -> tuple[float, float]:
    """Return a range with a margin; an empty range gets one too."""
    room = 0.08 * (high - low) or max(1e-6, 0.1 * abs(high))
    return low - room, high + room


def _about(span: tuple[float, float], length: float) -> tuple[float, float]:
    middle = 0.5 * (span[0] + span[1])
    return middle - 0.5 * length, middle + 0.5 * length


def _ticks(low: float, high: float) -> list[float]:
    """Return four to eight round numbers within a range."""
    step = 10.0 ** math.floor(math.log10((high - low) / 4.0))
    step *= next(k for k in (1, 2, 5, 10) if (high - low) / (k * step) <= 7.0)
    first = math.ceil(low / step - 0.01)  # also show 0 for a run that begins with its first tick
    return [k * step for k in range(first, math.floor(high / step + 1e-9) + 1)]


def _number(value: float) -> str:
    return f"{round(value, 9) + 0.0:g}".replace("-", "−")
