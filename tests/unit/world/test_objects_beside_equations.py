"""Objects on joints, such as doors and valves, against the equations of a pendulum and of dry friction."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from msgspec.structs import replace

from farhand import Cell
from farhand.cell.cell_files import find_cell, read_cell
from farhand.cell.signals import signals_of
from farhand.poses import angle_between
from farhand.types import Inputs, ObjectJoint, ObjectSpec, Reading

G = 9.81


def cell_with(*objects: ObjectSpec) -> Cell:
    """Return the default cell with some more objects."""
    path = find_cell("irb120")
    spec = read_cell(path)
    return Cell(replace(spec, world=replace(spec.world, objects=(*spec.world.objects, *objects))), path)


def turn_of(cell: Cell, name: str, seconds: float) -> list[float]:
    """Return the angle of an object, tick by tick."""
    first = cell.step().state.objects[name].rotation
    return [angle_between(first, cell.step().state.objects[name].rotation) for _ in range(round(seconds / 0.002))]


def test_a_flap_falls_about_its_hinge_as_a_pendulum_does() -> None:
    length, thick, place = 0.4, 0.02, (1.5, 1.2, 1.8)
    hinge = ObjectJoint(axis=(0.0, 1.0, 0.0), at=(-length / 2, 0.0, 0.0))
    flap = ObjectSpec(name="flap", size=(length, 0.2, thick), position=place, mass=1.3, joint=hinge)
    turned = turn_of(cell_with(flap), "flap", 0.8)
    inertia = (length**2 + thick**2) / 12 + (length / 2) ** 2  # of one kilogram, about its edge
    angle, rate, dt, expected = 0.0, 0.0, 2e-5, []
    for k in range(round(0.802 / dt)):
        rate += dt * G * (length / 2) * math.cos(angle) / inertia
        angle += dt * rate
        if k % 100 == 99 and k > 100:
            expected.append(angle)
    assert turned == pytest.approx(expected[: len(turned)], abs=0.02)


@pytest.mark.parametrize(("rest", "end"), [(1.4, 0.0), (-1.4, 0.0), (2.5, 1.0)])
def test_a_wheel_turns_only_by_torque_above_its_friction(rest: float, end: float) -> None:
    # A spring of 1 Nm/rad drives, friction of 1.5 Nm holds: it moves until the spring is down to the friction.
    joint = ObjectJoint(axis=(0.0, 0.0, 1.0), friction=1.5, spring=1.0, rest=rest, damping=3.0)
    wheel = ObjectSpec(name="wheel", size=(0.2, 0.2, 0.02), position=(1.5, 1.2, 1.2), mass=1.5, joint=joint)
    assert turn_of(cell_with(wheel), "wheel", 12.0 if end else 1.0)[-1] == pytest.approx(end, abs=0.05)


def test_signals_equal_the_ticks_and_velocities_are_rates_of_positions() -> None:
    cell = Cell.load("irb120", seed=0)
    signals = {signal.name: signal for signal in signals_of(cell)}
    rows: list[tuple[float, ...]] = []
    for k in range(1, 500):
        presses, held = {"deadman": int(k > 20)}, k > 20
        reading = Reading(sequence=k, tick=k - 1, deadman=held, axes=(0.0, 0.5, 0.3, *(0.0,) * 4), presses=presses)
        tick = cell.step(Inputs({"hand": reading}))
        position = tick.state.robots["arm"].groups["arm"].positions[1]
        rows.append((position, *(signals[f"arm/joint 2/{what}"].read(tick) for what in ("position", "rate"))))
    assert [math.degrees(row[0]) for row in rows] == pytest.approx([row[1] for row in rows], abs=1e-9)
    rates = [(after[1] - before[1]) / 0.002 for before, after in pairwise(rows[300:])]
    assert rates == pytest.approx([row[2] for row in rows[301:]], rel=0.02, abs=0.05)
