"""Follower joints of the arm: find the driven joints, tie the followers to them, and narrow the leaders' limits."""

from __future__ import annotations

import numpy as np

from farhand.errors import RobotFileError
from farhand.formats.arm_chain import Choice
from farhand.formats.body_tree import Tree
from farhand.formats.draft import Draft
from farhand.formats.model import TieSpec
from farhand.formats.posing import Posed

__all__ = ["tie_arm"]


def tie_arm(draft: Draft, tree: Tree, posed: Posed, choice: Choice) -> tuple[list[int], tuple[TieSpec, ...]]:
    """Return the driven joints of the arm and the ties of their followers, both from base to tip.

    A joint that follows along a curve, or follows a joint outside the arm, is untied and driven on its own.

    Raises:
        RobotFileError: If a leader and its followers have no position in common.
    """
    for joint in choice.arm:
        why = _untied_reason(posed, choice, joint)
        if why:
            name, leader = tree.joint_names[joint], tree.joint_names[posed.followers.pop(joint)[0]]
            draft.note("mimic", f"Joint {name} follows {leader} {why}; as part of the arm it is driven on its own.")
            _untie(draft, name)
    ties = []
    for joint in [j for j in choice.arm if j in posed.followers]:
        leader, multiplier, offset = _resolved(posed, joint)
        posed.ties[joint] = leader, multiplier
        _narrow(draft, tree, posed, joint, offset)
        ties.append(_tie(tree, joint, leader, multiplier, offset))
    if ties:
        listed = ", ".join(tie.joint for tie in ties[:6]) + (f" and {len(ties) - 6} others" if len(ties) > 6 else "")
        draft.note("mimic", f"These joints follow other joints of the arm and are not driven on their own: {listed}.")
    return [j for j in choice.arm if j not in posed.ties], tuple(ties)


def _tie(tree: Tree, joint: int, leader: int, multiplier: float, offset: float) -> TieSpec:
    names = tree.joint_names
    return TieSpec(joint=names[joint], leader=names[leader], multiplier=multiplier, offset=offset)


def _untied_reason(posed: Posed, choice: Choice, joint: int) -> str:
    """Return the reason why a joint cannot follow, or an empty text if it can or follows none."""
    seen = {joint}
    while joint in posed.followers:
        leader, curve = posed.followers[joint]
        if curve[2:].any():
            return "along a curve"
        if leader in seen:
            return "in a circle"
        if leader not in choice.arm:
            return "from outside the arm"
        seen.add(leader)
        joint = leader
    return ""


def _resolved(posed: Posed, joint: int) -> tuple[int, float, float]:
    """Return the driven leader of a joint, with multiplier and offset: q = multiplier·q_leader + offset.

    MuJoCo ties q − q₀ = c₀ + c₁·(q_leader − q₀_leader).
    """
    m, leader, multiplier, offset = posed.model, joint, 1.0, 0.0
    while leader in posed.followers:
        follower, (leader, curve) = leader, posed.followers[leader]
        rest, rest_leader = (float(m.qpos0[m.jnt_qposadr[j]]) for j in (follower, leader))
        factor = float(curve[1])
        offset += multiplier * (rest + float(curve[0]) - factor * rest_leader)
        multiplier *= factor
    return leader, multiplier, offset


def _narrow(draft: Draft, tree: Tree, posed: Posed, joint: int, offset: float) -> None:
    """Narrow the limits of a leader so that its follower stays within its own."""
    m, (leader, multiplier) = posed.model, posed.ties[joint]
    low, high = m.jnt_range[joint] if m.jnt_limited[joint] else (-np.inf, np.inf)
    names = f"joint {tree.joint_names[leader]}"
    if multiplier == 0.0:
        if not low <= offset <= high:
            problem = f"{tree.joint_names[joint]}, which follows it, is outside its limits"
            raise RobotFileError(draft.path, problem, field=names)
        return
    ends = sorted(((float(low) - offset) / multiplier, (float(high) - offset) / multiplier))
    own = m.jnt_range[leader] if m.jnt_limited[leader] else (-np.inf, np.inf)
    lower, upper = posed.narrowed.get(leader, (float(own[0]), float(own[1])))
    lower, upper = max(lower, ends[0]), min(upper, ends[1])
    if lower > upper:
        problem = f"it and {tree.joint_names[joint]}, which follows it, have no position in common within their limits"
        raise RobotFileError(draft.path, problem, field=names)
    posed.narrowed[leader] = lower, upper
    posed.lower[leader], posed.upper[leader] = max(lower, posed.lower[leader]), min(upper, posed.upper[leader])


def _untie(draft: Draft, name: str) -> None:
    for equality in draft.mjcf.findall("equality"):
        for element in [e for e in equality.findall("joint") if e.get("joint1") == name]:
            equality.remove(element)
