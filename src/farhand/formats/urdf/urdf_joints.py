"""URDF joints as MJCF joints, with their limits and mimics."""

from __future__ import annotations

import math

import numpy as np

from farhand.errors import RobotFileError
from farhand.formats.draft import Draft, JointHint
from farhand.formats.xmltext import Element, number, numbers, written

__all__ = ["KINDS", "add_joint", "add_mimic"]

KINDS = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")

#: Range of a joint without limits in the file: half a turn, or half a metre, to either side.
_FREE_HINGE, _FREE_SLIDE = math.pi, 0.5


def add_joint(body: Element, joint: Element, name: str, draft: Draft) -> None:
    """Add a URDF joint to the body that it moves; a fixed one adds nothing."""
    kind, where = joint.get("type", ""), f"joint {name}"
    if kind not in KINDS:
        problem = f"type= must be one of {', '.join(KINDS)}; found {kind!r}"
        raise RobotFileError(draft.path, problem, field=where, found=kind, known=KINDS)
    if kind in {"floating", "planar"}:
        draft.note("fixed", f"Joint {name} is {kind}; here it is fixed, because the cell places the robot.")
    if kind in {"fixed", "floating", "planar"}:
        return
    limit = joint.find("limit")
    limit = Element("limit") if limit is None else limit
    given = _range(limit, kind, name, draft)
    if given is not None and given[0] == given[1]:
        draft.note("fixed", f"Joint {name} has no range ({given[0]:g} to {given[1]:g}); it is fixed.")
        return
    attributes = {"name": name, "type": "slide" if kind == "prismatic" else "hinge", "axis": _axis(joint, where, draft)}
    attributes |= {"limited": "false"} if given is None else {"limited": "true", "range": written(*given)}
    attributes |= _dynamics(joint, where, draft)
    body.append(Element("joint", attributes))
    effort = abs(number(limit, "effort", draft.path, where, 0.0)) if _sane(limit, "effort") else 0.0
    velocity = abs(number(limit, "velocity", draft.path, where, 0.0)) if _sane(limit, "velocity") else 0.0
    draft.hints[name] = JointHint(velocity=velocity or None, effort=effort or None)


def add_mimic(equality: Element, joint: Element, name: str, draft: Draft) -> None:
    """Add the equality that makes a joint follow its leader."""
    mimic, where = joint.find("mimic"), f"joint {name}, mimic"
    if mimic is None or name not in draft.hints:
        return
    leader = mimic.get("joint", "")
    leader = draft.aliases.get(leader, leader)
    if leader not in draft.hints or leader == name:
        problem = f"follows {leader!r}, which is not another moving joint"
        raise RobotFileError(draft.path, problem, field=where, found=leader, known=draft.hints)
    factor = number(mimic, "multiplier", draft.path, where, 1.0)
    offset = number(mimic, "offset", draft.path, where, 0.0)
    coefficients = written(offset, factor, 0, 0, 0)
    equality.append(Element("joint", {"joint1": name, "joint2": leader, "polycoef": coefficients}))


def _range(limit: Element, kind: str, name: str, draft: Draft) -> tuple[float, float] | None:
    where = f"joint {name}, limit"
    if kind == "continuous":
        return None
    lower, upper = (number(limit, side, draft.path, where, 0.0) for side in ("lower", "upper"))
    free = _FREE_HINGE if kind == "revolute" else _FREE_SLIDE
    if lower > upper:
        draft.note(
            "limits", f"Joint {name} has its limits in the wrong order ({lower:g}, {upper:g}); they are swapped."
        )
        return upper, lower
    given = limit.get("lower") is not None or limit.get("upper") is not None
    if lower == upper == 0 and not (given and number(limit, "velocity", draft.path, where, 0.0)):
        unit = "rad" if kind == "revolute" else "m"
        draft.note("limits", f"Joint {name} has no position limits; ±{free:.3g} {unit} is assumed.")
        return -free, free
    if kind == "revolute" and upper - lower > 100:
        # some files write a continuous joint as ±1e16 or the like
        draft.note("limits", f"Joint {name} may turn {upper - lower:.3g} rad by its limits; it counts as continuous.")
        return None
    return lower, upper


def _axis(joint: Element, where: str, draft: Draft) -> str:
    element = joint.find("axis")
    if element is None:
        draft.note("axis", f"No axis is given for joint {joint.get('name', '?')}; x is assumed.")
    values = (1.0, 0.0, 0.0) if element is None else numbers(element, "xyz", 3, draft.path, where, (1.0, 0.0, 0.0))
    length = float(np.linalg.norm(values))
    if length < 1e-6:
        raise RobotFileError(draft.path, "the axis of a moving joint must not be zero", field=where)
    return written(*(v / length for v in values))


def _dynamics(joint: Element, where: str, draft: Draft) -> dict[str, str]:
    element = joint.find("dynamics")
    if element is None:
        return {}
    damping = number(element, "damping", draft.path, where, 0.0)
    friction = number(element, "friction", draft.path, where, 0.0)
    values = {"damping": damping, "frictionloss": friction}
    return {key: written(value) for key, value in values.items() if value > 0}


def _sane(limit: Element, attribute: str) -> bool:
    # "inf" or 1e9 as effort or velocity means unknown
    try:
        return 0 < abs(float(limit.get(attribute, "0"))) < 1e5
    except ValueError:
        return True
