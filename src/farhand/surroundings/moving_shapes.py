"""A robot that is no chain, as arms beside it see it: from the compiled world to its limbs."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
from msgspec.structs import replace

from farhand.distances import Capsule, Clearance, Limb, Linkage, arm_capsules
from farhand.formats.model import RobotModel
from farhand.kinematics import Delta, SerialChain
from farhand.world import Compiled, Placement

__all__ = ["linkage_of", "moved_bodies"]

NO_PAIRS = np.zeros((0, 2), np.int64)  # how its limbs stand to each other is its own affair
MOST = 32  # robots in memory: fitting one takes half a second, and gives the same every time
_LINKAGES: dict[bytes, Linkage] = {}


def linkage_of(placement: Placement, compiled: Compiled) -> Linkage:
    """Return the limbs of a robot: one to each end of it, and the one that carries its tool.

    Args:
        placement: The robot.
        compiled: The world that it is in.
    """
    model = placement.model
    key = msgspec.msgpack.encode((model.mjcf, model.arm, model.delta, model.gripper, placement.attached))
    if key not in _LINKAGES:
        if len(_LINKAGES) >= MOST:
            _LINKAGES.pop(next(iter(_LINKAGES)))
        _LINKAGES[key] = _fitted(placement, compiled)
    return _LINKAGES[key]


def moved_bodies(placement: Placement, model: Any) -> frozenset[str]:
    """Return the bodies of a robot that are seen as its arm or its limbs; the rest of it stands.

    Args:
        placement: The robot.
        model: The compiled model.
    """
    spec, arm = placement.model.delta, placement.model.arm
    roots = {f"{placement.name}/{body}" for body in (spec.titles if spec else (arm.base,))}
    names = [str(model.body(i).name) for i in range(model.nbody)]
    return frozenset([body for body in names if body.startswith(f"{placement.name}/") and roots & _way(model, body)])


def _fitted(placement: Placement, compiled: Compiled) -> Linkage:
    name, model, spec = placement.name, placement.model, placement.model.delta
    delta = compiled.chains[name]
    assert spec is not None
    assert isinstance(delta, Delta)
    joints = [f"{name}/{joint}" for joint in (*[j.name for j in model.arm.joints], *spec.undriven)]
    bodies = [f"{name}/{body}" for body in spec.titles]
    ways = {body: _way(compiled.model, body) for body in bodies}
    inner = {above for body, way in ways.items() for above in way if above != body}
    limbs, seen = [], set[str]()
    for end in [body for body in bodies if body not in inner]:
        capsules = _capsules(placement, compiled.model, end, [body for body in bodies if body not in ways[end]])
        chain = SerialChain.from_model(compiled.model, f"{name}/{model.arm.base}", end)
        # what carries two limbs is seen once
        own = [replace(c, name=_title(c, model)) for c in capsules if c.name not in seen]
        limbs.append(Limb(Clearance(chain, own, pairs=NO_PAIRS), len(own), tuple(map(joints.index, chain.names))))
        seen |= {c.name for c in capsules}
    return Linkage(tuple(limbs), delta)


def _way(model: Any, body: str) -> set[str]:
    """Return a body and all that it hangs on."""
    at, found = int(model.body(body).id), set()
    while at:
        found.add(str(model.body(at).name))
        at = int(model.body_parentid[at])
    return found


def _capsules(placement: Placement, model: Any, end: str, others: list[str]) -> tuple[Capsule, ...]:
    name = placement.name
    base = f"{name}/{placement.model.arm.base}"
    sweeps = {f"{name}/{joint}": ends for joint, ends in placement.model.sweeps.items()}
    fit = arm_capsules(model, base, end, sweeps, ignore=others, with_base=False, measure=False)
    return fit.capsules


def _title(capsule: Capsule, model: RobotModel) -> str:
    """Return what the operator calls a part: what carries a tool goes by the tool's name."""
    assert model.delta is not None
    if capsule.name == model.delta.platform and model.arm.tool != model.delta.platform:
        return "gripper" if model.gripper else "tool"
    return model.delta.titles[capsule.name]
