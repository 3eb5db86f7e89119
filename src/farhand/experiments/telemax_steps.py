"""System 1's step responses: each joint of the tracked robot's arm goes to another place, and its effort with it."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from farhand.experiments.armlog import ROBOT, ArmLog, Stand, settled, tracked_cell
from farhand.experiments.outcome import EXPERIMENTS, Figure, Outcome, lasting
from farhand.experiments.plot import Level, Panel, PlotLine
from farhand.formats.model import JointSpec
from farhand.kernels import Floats
from farhand.types import Setpoint, Vector

__all__ = ["JointStep", "answers_on", "figures_of", "step_of", "telemax_steps"]

POSTURE: Vector = (0.3, -1.4, 1.6, 0.1, 0.2, 0.4, 0.2)  # free of limits and of the ground, and no axis upright
STEPS: Vector = (0.6, 0.5, -0.6, 0.15, 0.8, -0.8, 1.0)  # rad, m
LOOP_STEPS: Vector = (0.01, 0.01, 0.01, 0.002, 0.01, 0.01, 0.01)  # rad, m: within what the drives can do at once
LOOP_S = 0.5  # of each true step
SECONDS = 2.4  # of each step
LEAST = 1.6
OVERSHOOT = 2.0  # % of the step
BAND = 0.02  # share of the step within which it has settled
SPARE = 0.3  # s beyond the way at top speed
STILL = 0.005  # share of the step below which a swing is none


class JointStep(Struct, frozen=True):
    """How a joint answered.

    Args:
        overshoot: Beyond its goal, % of the step.
        swings: How often it came back over its goal by more than can be told from nothing.
        settling: Seconds until it stayed within 2 % of the step.
        spare: Seconds of that beyond the way at the joint's top speed.
        effort: Largest, as a share of what the drive has.
    """

    overshoot: float
    swings: int
    settling: float
    spare: float
    effort: float


def step_of(time: Floats, joint: Floats, effort: Floats, size: float, spec: JointSpec) -> JointStep:
    """Return how a joint answered a step.

    Args:
        time: (m,) seconds since it was asked.
        joint: (m,) where it was, from its start.
        effort: (m,) of its drive.
        size: Where it was asked to go, from its start.
        spec: The joint.
    """
    way = joint / size
    outside = np.flatnonzero(np.abs(way - 1.0) > BAND)
    settling = float(time[outside[-1]]) if len(outside) else 0.0
    off = np.sign(way - 1.0)[np.abs(way - 1.0) > STILL]
    return JointStep(
        overshoot=100.0 * max(float(way.max()) - 1.0, 0.0),
        swings=max(int(np.count_nonzero(np.diff(off))) - 1, 0),  # going over it once is the overshoot
        settling=settling,
        spare=settling - abs(size) / spec.velocity,
        effort=float(np.abs(effort).max()) / spec.effort,
    )


def answers_on(stand: Stand, seconds: float) -> list[tuple[ArmLog, JointStep]]:
    """Return how each joint answers a step, one after the other, each from the same posture.

    Args:
        stand: What the robot stands on.
        seconds: How long each step is looked at.
    """
    cell = settled(tracked_cell(stand, {"joints": {"kind": "jog-joints"}}), POSTURE)
    found = []
    for i, spec in enumerate(cell.lanes[ROBOT].model.arm.joints):
        goal = tuple([q + STEPS[i] * (k == i) for k, q in enumerate(POSTURE)])
        log = ArmLog(cell).move(goal, seconds)
        found.append((log, step_of(log.time, log.joints[:, i] - POSTURE[i], log.efforts[:, i], STEPS[i], spec)))
        settled(cell, POSTURE, rest=0.1)
    return found


def loop_steps(stand: Stand, seconds: float) -> list[tuple[Floats, Floats]]:
    """Return how each joint's own loop answers a true step of its set-point, past lane and guard: time, share of it.

    Args:
        stand: What the robot stands on.
        seconds: How long each step is looked at.
    """
    cell = settled(tracked_cell(stand, {"joints": {"kind": "jog-joints"}}), POSTURE)
    world, held = cell.world, dict(cell.memory[ROBOT].setpoints)
    count, rest = round(seconds / cell.dt), (0.0,) * len(POSTURE)
    found = []
    for i, size in enumerate(LOOP_STEPS):
        start, way = world.state.robots[ROBOT].groups["arm"].positions[i], np.zeros(count + 1)
        goal = tuple([q + size * (k == i) for k, q in enumerate(held["arm"].positions)])
        for tick in range(1, count + 1):
            world.step({ROBOT: {**held, "arm": Setpoint(goal, rest, rest)}})
            way[tick] = (world.state.robots[ROBOT].groups["arm"].positions[i] - start) / size
        for _ in range(count):
            world.step({ROBOT: {**held, "arm": Setpoint(held["arm"].positions, rest, rest)}})
        found.append((cell.dt * np.arange(count + 1, dtype=np.float64), way))
    return found


@EXPERIMENTS.register("telemax-steps")
def telemax_steps(seconds: float | None = None) -> Outcome:
    """Step responses: each joint of the tracked robot's arm is asked for another place, one after the other.

    The robot stands on its tracks. Settled is within 2 % of the step; the bar is the way at the joint's top speed and
    0.3 s. A swing is a return over the goal by more than 0.5 % of the step.
    """
    found = answers_on("level ground", lasting(seconds, SECONDS, LEAST))
    joints, loops = found[0][0].specs, loop_steps("level ground", LOOP_S)
    columns: dict[str, Floats] = {"time (s)": found[0][0].time}
    for spec, (log, _) in zip(joints, found, strict=True):
        own = log.columns()
        columns |= {f"step of {spec.name}: {name}": own[name] for name in own if name.startswith(spec.name + " ")}
    return Outcome(
        title="Step responses of the tracked robot's arm: position, velocity and effort of each joint",
        figures=(*figures_of(joints, [answer for _, answer in found]), *_loop_figures(joints, loops)),
        columns=columns,
        panels=tuple(
            panel
            for i, (log, _) in enumerate(found)
            for panel in (*_panels(i, joints[i], log), _loop(joints[i], i, *loops[i]))
        ),
        abreast=4,
    )


def figures_of(joints: tuple[JointSpec, ...], answers: list[JointStep]) -> tuple[Figure, ...]:
    """Return each joint's answer beside its bars."""
    both = list(zip([joint.label for joint in joints], answers, strict=True))
    return (
        *[Figure(f"{name}: overshoot", a.overshoot, "%", OVERSHOOT) for name, a in both],
        *[Figure(f"{name}: swings", a.swings, "", 0.0) for name, a in both],
        *[Figure(f"{name}: settled, beyond its way at top speed", a.spare, "s", SPARE) for name, a in both],
        *[Figure(f"{name}: largest effort, of what it has", 100.0 * a.effort, "%", 100.0) for name, a in both],
    )


def _loop_figures(joints: tuple[JointSpec, ...], loops: list[tuple[Floats, Floats]]) -> tuple[Figure, ...]:
    names = [joint.label for joint in joints]
    over = [100.0 * max(float(way.max()) - 1.0, 0.0) for _, way in loops]
    rise = [float(time[int(np.argmax(way >= 0.9))]) for time, way in loops]
    return (
        *[
            Figure(f"{name}: true step into the joint loop, overshoot", v, "%")
            for name, v in zip(names, over, strict=True)
        ],
        *[
            Figure(f"{name}: true step into the joint loop, to 90 %", v, "s")
            for name, v in zip(names, rise, strict=True)
        ],
    )


def _loop(spec: JointSpec, i: int, time: Floats, way: Floats) -> Panel:
    scale, unit = (180.0 / np.pi, "°") if spec.kind == "hinge" else (1e3, "mm")
    size = scale * LOOP_STEPS[i]
    asked = np.concatenate([[0.0], np.full(len(time) - 1, size)])
    lines = (PlotLine("asked for", time, asked, asked=True), PlotLine("joint", time, size * way))
    return Panel(f"{spec.label}: a true step into its loop", "time (s)", f"position ({unit})", lines)


def _panels(i: int, spec: JointSpec, log: ArmLog) -> tuple[Panel, Panel, Panel]:
    turn = spec.kind == "hinge"
    scale, unit = (180.0 / np.pi, "°") if turn else (1e3, "mm")
    asked = scale * np.concatenate([[0.0], np.full(len(log.time), STEPS[i])])
    time = np.concatenate([[0.0], log.time])
    moved = scale * np.concatenate([[0.0], log.joints[:, i] - POSTURE[i]])
    return (
        Panel(
            f"{spec.label}: position",
            "time (s)",
            f"position ({unit})",
            (PlotLine("asked for", time, asked, asked=True), PlotLine("joint", time, moved)),
        ),
        Panel(
            f"{spec.label}: velocity",
            "time (s)",
            f"velocity ({unit}/s)",
            (PlotLine("velocity", log.time, scale * log.rates[:, i]),),
            (Level("top speed", np.copysign(scale * spec.velocity, STEPS[i])),),
        ),
        Panel(
            f"{spec.label}: effort",
            "time (s)",
            f"effort ({'Nm' if turn else 'N'})",
            (PlotLine("effort", log.time, log.efforts[:, i]),),
        ),
    )
