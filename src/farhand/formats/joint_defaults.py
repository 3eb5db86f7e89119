"""Limits and drives of joints that a file does not give."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from farhand.errors import RobotFileError
from farhand.formats.body_tree import Tree
from farhand.formats.draft import Draft, JointHint
from farhand.formats.model import JointSpec
from farhand.formats.posing import Floats, Posed

__all__ = ["Drives", "find_drives", "joint_spec", "say_small_ranges"]

#: Time from rest to top rate, and from no to full acceleration: no robot file gives these limits, and these values suit
#: light arms with stiff drives.
TIME_TO_SPEED, TIME_TO_ACCELERATION = 0.15, 0.005

_LEAST_INERTIA = 1e-12
_HINGE_RATE, _SLIDE_RATE = 3.0, 0.25
#: A turn of 2π in radians, read as degrees.
_TURN_READ_AS_DEGREES = 2.0 * math.pi * math.pi / 180.0


@dataclass(frozen=True)
class Drives:
    """Top rate and effort of every joint, by joint number, and the robot's inertia at each joint at home."""

    velocity: dict[int, float]
    effort: dict[int, float]
    inertia: Floats


def find_drives(tree: Tree, posed: Posed, draft: Draft, home: Floats) -> Drives:
    """Return the drives; missing and too weak data are assumed, with notes."""
    poses = [home, *posed.random_poses()]
    weights = np.max([np.abs(posed.weight(q)) for q in poses], axis=0)
    # an assumed motor must also hold a robot that hangs on a wall or a turned base
    turned = np.max([posed.weight_any_base(q) for q in poses], axis=0)
    inertia = posed.inertia(home)
    if not (np.isfinite(weights).all() and np.isfinite(inertia).all() and (inertia > _LEAST_INERTIA).all()):
        raise RobotFileError(draft.path, "its masses or sizes are so small or large that its motion cannot be computed")
    velocity, effort = {}, {}
    slow, silent, weak = [], [], []
    for joint, name in enumerate(tree.joint_names):
        if not posed.scalar[joint] or joint in posed.followers:
            continue
        hint = draft.hints.get(name, JointHint())
        dof = int(tree.model.jnt_dofadr[joint])
        velocity[joint] = hint.velocity or (_SLIDE_RATE if posed.slides[joint] else _HINGE_RATE)
        velocity[joint] = min(velocity[joint], _follower_limit(tree, posed, draft, joint, "velocity"))
        acceleration = hint.acceleration or velocity[joint] / TIME_TO_SPEED
        needed = float(weights[dof])
        assumed = 2 * max(needed, float(turned[dof])) + float(inertia[dof]) * acceleration
        effort[joint] = hint.effort or max(assumed, 0.5)
        if hint.velocity is None:
            slow.append(name)
        if hint.effort is None:
            silent.append(name)
        elif hint.effort < 1.1 * needed:
            weak.append(f"{name} ({1.5 * needed:.3g} instead of {hint.effort:.3g})")
            effort[joint] = 1.5 * needed
    _say(
        draft,
        "velocity",
        slow,
        f"No top rate is given for {{}}; assumed is {_HINGE_RATE:g} rad/s or {_SLIDE_RATE:g} m/s.",
    )
    _say(
        draft,
        "effort",
        silent,
        "No effort limit is given for {}; assumed is twice the greatest effort of gravity, for any turn of the base, "
        "plus that of acceleration.",
    )
    _say(
        draft,
        "effort",
        weak,
        "Effort limits in the file are too small for the robot's own weight; they are raised for {}.",
    )
    return Drives(velocity, effort, inertia)


def joint_spec(tree: Tree, posed: Posed, draft: Draft, drives: Drives, joint: int, home: Floats) -> JointSpec:
    """Return the data of one joint of the arm."""
    name, m = tree.joint_names[joint], tree.model
    hint = draft.hints.get(name, JointHint())
    velocity = drives.velocity[joint]
    keeping = _follower_limit(tree, posed, draft, joint, "acceleration")
    acceleration = min(hint.acceleration or velocity / TIME_TO_SPEED, keeping)
    limited = bool(m.jnt_limited[joint])
    own = (float(m.jnt_range[joint, 0]), float(m.jnt_range[joint, 1])) if limited else (-np.inf, np.inf)
    lower, upper = posed.narrowed.get(joint, own)
    return JointSpec(
        name=name,
        kind="slide" if posed.slides[joint] else "hinge",
        lower=lower,
        upper=upper,
        velocity=velocity,
        acceleration=acceleration,
        jerk=min(hint.jerk or acceleration / TIME_TO_ACCELERATION, _follower_limit(tree, posed, draft, joint, "jerk")),
        effort=drives.effort[joint],
        home=float(home[m.jnt_qposadr[joint]]),
        label=hint.label or name,
        link=hint.link,
    )


def _follower_limit(tree: Tree, posed: Posed, draft: Draft, leader: int, limit: str) -> float:
    """Return the limit of a joint that keeps its followers within their own limits in the file."""
    least = np.inf
    for joint, (led_by, multiplier) in posed.ties.items():
        given = getattr(draft.hints.get(tree.joint_names[joint], JointHint()), limit)
        if led_by == leader and given and multiplier != 0.0:
            least = min(least, float(given) / abs(multiplier))
    return least


def say_small_ranges(draft: Draft, tree: Tree, posed: Posed, arm: Sequence[int]) -> None:
    """Add a note if no joint of an arm turns by more than a few degrees: the file may mean radians."""
    m = tree.model
    hinges = [j for j in arm if not posed.slides[j]]
    if len(hinges) < 2 or not all([m.jnt_limited[j] for j in hinges]):
        return
    largest = float(np.abs(m.jnt_range[hinges]).max())
    if 0.0 < largest <= _TURN_READ_AS_DEGREES:
        draft.note(
            "degrees",
            f"No joint of the arm turns further than {np.degrees(largest):.2g}°. If the file means radians, "
            'its compiler element needs angle="radian".',
        )


def _say(draft: Draft, code: str, names: list[str], sentence: str) -> None:
    if names:
        listed = ", ".join(names[:6]) + (f" and {len(names) - 6} others" if len(names) > 6 else "")
        draft.note(code, sentence.format(listed))
