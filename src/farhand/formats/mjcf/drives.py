"""Efforts, driven joints and a home pose from an MJCF file's own actuators and keyframes."""

from __future__ import annotations

from typing import Any

from farhand.errors import RobotFileError
from farhand.formats.compiling import quiet, text_of
from farhand.formats.draft import Draft, JointHint

__all__ = ["take_drives"]

_HOMES = ("home", "rest", "ready", "neutral")


def take_drives(draft: Draft) -> None:
    """Fill the draft's hints, driven joints and home from the document, before these sections are removed."""
    import mujoco  # loaded only when a robot is read

    try:
        with quiet():
            spec = mujoco.MjSpec.from_string(text_of(draft.mjcf))
    except (ValueError, RuntimeError, TypeError, OverflowError) as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        raise RobotFileError(draft.path, f"MuJoCo refuses it: {', '.join(lines)[:300]}") from None
    efforts: dict[str, float] = {}
    driven: set[str] = set()
    for actuator in spec.actuators:
        names = _joints_of(actuator, draft, mujoco)
        driven.update(names)
        effort = _effort(actuator, mujoco)
        if effort and len(names) == 1:
            efforts[names[0]] = max(effort, efforts.get(names[0], 0.0))
    for joint in spec.joints:
        limit = max(abs(float(v)) for v in joint.actfrcrange)
        if limit > 0 and joint.name:
            efforts[joint.name] = min(limit, efforts.get(joint.name, limit))
    homes = _homes(spec, mujoco)
    for name in {*efforts, *homes}:
        draft.hints[name] = JointHint(effort=efforts.get(name), home=homes.get(name))
    if driven:
        draft.driven = frozenset(driven)


def _joints_of(actuator: Any, draft: Draft, mujoco: Any) -> list[str]:
    kind, target = actuator.trntype, str(actuator.target)
    if kind == mujoco.mjtTrn.mjTRN_JOINT or kind == mujoco.mjtTrn.mjTRN_JOINTINPARENT:  # `in` fails here
        return [target]
    if kind == mujoco.mjtTrn.mjTRN_TENDON:
        tendons = [t for t in draft.mjcf.iter("fixed") if t.get("name") == target]
        return [j.get("joint", "") for t in tendons for j in t.findall("joint")]
    return []


def _effort(actuator: Any, mujoco: Any) -> float:
    gear = abs(float(actuator.gear[0])) or 1.0
    if actuator.forcelimited != mujoco.mjtLimited.mjLIMITED_FALSE and any(actuator.forcerange):
        return gear * max(abs(float(v)) for v in actuator.forcerange)
    motor = actuator.gaintype == mujoco.mjtGain.mjGAIN_FIXED and actuator.biastype == mujoco.mjtBias.mjBIAS_NONE
    if motor and actuator.ctrllimited != mujoco.mjtLimited.mjLIMITED_FALSE:
        return gear * abs(float(actuator.gainprm[0])) * max(abs(float(v)) for v in actuator.ctrlrange)
    return 0.0


def _homes(spec: Any, mujoco: Any) -> dict[str, float]:
    keys = {str(key.name).lower(): list(key.qpos) for key in spec.keys}
    values = next((keys[name] for name in _HOMES if keys.get(name)), [])
    homes, address = {}, 0
    for joint in spec.joints:
        wide = 7 if joint.type == mujoco.mjtJoint.mjJNT_FREE else 4 if joint.type == mujoco.mjtJoint.mjJNT_BALL else 1
        if wide == 1 and joint.name and address < len(values) and abs(values[address]) < 1e4:
            homes[str(joint.name)] = float(values[address])
        address += wide
    return homes
