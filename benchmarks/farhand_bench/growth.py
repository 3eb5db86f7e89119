"""Growth of cost with the work: more boxes, more joints."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from farhand.distances import AvoidingServo, Capsule, Clearance
from farhand.kernels import compile_all
from farhand.kinematics import SerialChain
from farhand_bench.arms import irb120, limits_of, many_joints
from farhand_bench.sampling import in_turns
from farhand_bench.scenes import CAPSULES, PAIRS, random_boxes

__all__ = ["Growth", "measure_growth", "plot"]

BOXES, JOINTS, CALLS = (10, 50, 200, 1000), (6, 7, 8, 9, 10, 11, 12), 1000
DT = 0.002


class Growth(Struct, frozen=True):
    """Medians in microseconds of some calls over an amount of work."""

    of: str
    amounts: tuple[int, ...]
    medians: dict[str, tuple[float, ...]]


def measure_growth() -> list[Growth]:
    """Return the growth of cost with the number of boxes and with the number of joints."""
    compile_all()
    chain = irb120()
    boxes = [_jobs(Clearance(chain, CAPSULES, random_boxes(count), PAIRS)) for count in BOXES]
    joints = [_jobs(_snake(n)) for n in JOINTS]
    return [_together("boxes", BOXES, boxes), _together("joints", JOINTS, joints)]


def _together(of: str, amounts: Sequence[int], measured: list[dict[str, float]]) -> Growth:
    return Growth(of, tuple(amounts), {name: tuple(m[name] for m in measured) for name in measured[0]})


def _snake(n: int) -> Clearance:
    """Return an arm of n joints as n capsules among 50 boxes."""
    chain = many_joints(n)
    way = 0.9 / n
    capsules = [Capsule(i, (0.0, 0.0, 0.0), (way, 0.0, 0.0), 0.03, f"link {i + 1}") for i in range(n)]
    return Clearance(chain, capsules, random_boxes(50))


def _jobs(clearance: Clearance) -> dict[str, float]:
    chain: SerialChain = clearance.chain
    rng = np.random.default_rng(3)
    Q = rng.uniform(chain.lower, chain.upper, (CALLS, chain.n))
    targets = np.array([chain.forward(np.clip(q + 0.02, chain.lower, chain.upper)) for q in Q])
    servo = AvoidingServo(clearance, limits_of(chain), DT)
    still, twist = np.zeros(chain.n), np.zeros(6)
    spent = in_turns(
        {
            "collision check": lambda k: clearance.free(Q[k]),
            "servo step that avoids": lambda k: servo.clear_tip(Q[k], still, targets[k], twist),
            "inverse kinematics, target near the seed": lambda k: chain.inverse(targets[k], Q[k]),
        },
        CALLS,
    )
    return {name: float(np.median(times)) for name, times in spent.items()}


def plot(growth: Sequence[Growth]) -> str:
    """Return the growth as an SVG drawing: one panel each, both axes logarithmic."""
    width, height, gap = 420, 300, 80
    panels = [_panel(g, 60 + k * (width + gap), 30, width, height) for k, g in enumerate(growth)]
    total = 60 + len(growth) * (width + gap)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total} {height + FOOT}" font-family="sans-serif"'
    return "\n".join([f'{head} font-size="12">', f'<rect width="{total}" height="{height + FOOT}" fill="white"/>',
                      *panels, "</svg>"])  # fmt: skip


FOOT = 130  # below the panels, for the legend
COLOURS = ("#c2410c", "#0f766e", "#4338ca")


def _panel(growth: Growth, left: float, top: float, width: float, height: float) -> str:
    x0, x1 = math.log10(min(growth.amounts)), math.log10(max(growth.amounts))
    values = [v for row in growth.medians.values() for v in row]
    y0, y1 = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))

    def at(amount: float, value: float) -> tuple[float, float]:
        x = left + width * (math.log10(amount) - x0) / (x1 - x0)
        return x, top + height * (1.0 - (math.log10(value) - y0) / (y1 - y0))

    parts = [f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="none" stroke="#999"/>']
    for power in range(y0, y1 + 1):
        x, y = at(growth.amounts[0], 10.0**power)
        parts.append(f'<line x1="{x}" y1="{y:.1f}" x2="{x + width}" y2="{y:.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{x - 6}" y="{y + 4:.1f}" text-anchor="end">{10.0**power:g} µs</text>')
    for amount in growth.amounts:
        x, _ = at(amount, 10.0**y0)
        parts.append(f'<text x="{x:.1f}" y="{top + height + 16}" text-anchor="middle">{amount}</text>')
    title = f"median time of a call over the number of {growth.of}"
    parts.append(f'<text x="{left + width / 2}" y="{top - 10}" text-anchor="middle">{title}</text>')
    parts.append(f'<text x="{left + width / 2}" y="{top + height + 34}" text-anchor="middle">{growth.of}</text>')
    for k, (name, row) in enumerate(growth.medians.items()):
        colour = COLOURS[k % len(COLOURS)]
        dots = [at(amount, value) for amount, value in zip(growth.amounts, row, strict=True)]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in dots)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in dots]
        parts.append(f'<text x="{left + 10}" y="{top + height + 52 + 14 * k}" fill="{colour}">{name}</text>')
    return "\n".join(parts)
