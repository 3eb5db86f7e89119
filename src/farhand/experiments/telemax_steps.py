"""Step responses of each joint of the tracked robot's arm, with efforts."""

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

POSTURE: Vector = (0.3, -1.4, 1.6, 0.1, 0.2, 0.4, 0.2)  # clear of limits and ground, with no axis upright
STEPS: Vector = (0.6, 0.5, -0.6, 0.15, 0.8, -0.8, 1.0)  # rad, m
LOOP_STEPS: Vector = (0.01, 0.01, 0.01, 0.002, 0.01, 0.01, 0.01)  # rad, m: the drives do not saturate
LOOP_S = 0.5  # of each true step
SECONDS = 2.4  # of each step
MIN_SECONDS = 1.6
MAX_OVERSHOOT = 2.0  # % of the step
BAND = 0.02  # share of the step within which it has settled
MAX_EXTRA_S = 0.3  # beyond the travel at top speed
MIN_SWING = 0.005  # share of the step; smaller swings do not count


class JointStep(Struct, frozen=True):
    """The step response of a joint.

    Args:
        overshoot: Overshoot, % of the step.
        swings: Number of returns over the goal, beyond a negligible size.
        settling: Time until it stays within 2 % of the step, s.
        extra: The part of that time beyond the travel at the joint's top speed, s.
        effort: Largest effort, as a share of the drive's limit.
    """

    overshoot: float
    swings: int
    settling: float
    extra: float
    effort: float


def step_of(time: Floats, joint: Floats, effort: Floats, size: float, spec: JointSpec) -> JointStep:
    """Return the step response of a joint.

    Args:
        time: (m,) time since the command, s.
        joint: (m,) position relative to the start.
        effort: (m,) effort of the drive.
        size: The step.
        spec: The joint.
    """
    share = joint / size
    outside = np.flatnonzero(np.abs(share - 1.0) > BAND)
    settling = float(time[outside[-1]]) if len(outside) else 0.0
    off = np.sign(share - 1.0)[np.abs(share - 1.0) > MIN_SWING]
    return JointStep(
        overshoot=100.0 * max(float(share.max()) - 1.0, 0.0),
        swings=max(int(np.count_nonzero(np.diff(off))) - 1, 0),  # the first crossing is the overshoot
        settling=settling,
        extra=settling - abs(size) / spec.velocity,
        effort=float(np.abs(effort).max()) / spec.effort,
    )


def answers_on(stand: Stand, seconds: float) -> list[tuple[ArmLog, JointStep]]:
    """Return the step response of each joint, one after the other, from the same posture.

    Args:
        stand: The ground that the robot stands on.
        seconds: The duration of each step.
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
    """Return time and share of the step for each joint's own loop, whose set-point jumps past lane and guard.

    Args:
        stand: The ground that the robot stands on.
        seconds: The duration of each step.
    """
    cell = settled(tracked_cell(stand, {"joints": {"kind": "jog-joints"}}), POSTURE)
    world, held = cell.world, dict(cell.memory[ROBOT].setpoints)
    count, rest = round(seconds / cell.dt), (0.0,) * len(POSTURE)
    found = []
    for i, size in enumerate(LOOP_STEPS):
        start, share = world.state.robots[ROBOT].groups["arm"].positions[i], np.zeros(count + 1)
        goal = tuple([q + size * (k == i) for k, q in enumerate(held["arm"].positions)])
        for tick in range(1, count + 1):
            world.step({ROBOT: {**held, "arm": Setpoint(goal, rest, rest)}})
            share[tick] = (world.state.robots[ROBOT].groups["arm"].positions[i] - start) / size
        for _ in range(count):
            world.step({ROBOT: {**held, "arm": Setpoint(held["arm"].positions, rest, rest)}})
        found.append((cell.dt * np.arange(count + 1, dtype=np.float64), share))
    return found


@EXPERIMENTS.register("telemax-steps")
def telemax_steps(seconds: float | None = None) -> Outcome:
    """Step responses: each joint of the tracked robot's arm moves to another position, one after the other.

    The robot stands on its tracks. A joint has settled within 2 % of the step; the bar is the travel at the joint's top
    speed and 0.3 s. A swing is a return over the goal by more than 0.5 % of the step.
    """
    found = answers_on("level ground", lasting(seconds, SECONDS, MIN_SECONDS))
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
    """Return the figures of each joint's step response."""
    both = list(zip([joint.label for joint in joints], answers, strict=True))
    return (
        *[Figure(f"{name}: overshoot", a.overshoot, "%", MAX_OVERSHOOT) for name, a in both],
        *[Figure(f"{name}: swings", a.swings, "", 0.0) for name, a in both],
        *[
            Figure(f"{name}: settling time beyond the travel at top speed", a.extra, "s", MAX_EXTRA_S)
            for name, a in both
        ],
        *[Figure(f"{name}: largest effort, share of the limit", 100.0 * a.effort, "%", 100.0) for name, a in both],
    )


def _loop_figures(joints: tuple[JointSpec, ...], loops: list[tuple[Floats, Floats]]) -> tuple[Figure, ...]:
    names = [joint.label for joint in joints]
    over = [100.0 * max(float(share.max()) - 1.0, 0.0) for _, share in loops]
    rise = [float(time[int(np.argmax(share >= 0.9))]) for time, share in loops]
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


def _loop(spec: JointSpec, i: int, time: Floats, share: Floats) -> Panel:
    scale, unit = (180.0 / np.pi, "°") if spec.kind == "hinge" else (1e3, "mm")
    size = scale * LOOP_STEPS[i]
    asked = np.concatenate([[0.0], np.full(len(time) - 1, size)])
    lines = (PlotLine("commanded", time, asked, asked=True), PlotLine("joint", time, size * share))
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
            (PlotLine("commanded", time, asked, asked=True), PlotLine("joint", time, moved)),
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
