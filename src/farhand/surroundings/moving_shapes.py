"""The moving shapes of a robot whose joints form no chain, for the arms beside it."""

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

NO_PAIRS = np.zeros((0, 2), np.int64)  # other arms do not need the distances between its limbs
MAX_CACHED = 32  # robots in memory: fitting one takes half a second
_LINKAGES: dict[bytes, Linkage] = {}


def linkage_of(placement: Placement, compiled: Compiled) -> Linkage:
    """Return the limbs of a robot: one chain to each end, and the one that carries its tool.

    Args:
        placement: The robot.
        compiled: The compiled world.
    """
    model = placement.model
    key = msgspec.msgpack.encode((model.mjcf, model.arm, model.delta, model.gripper, placement.attached))
    if key not in _LINKAGES:
        if len(_LINKAGES) >= MAX_CACHED:
            _LINKAGES.pop(next(iter(_LINKAGES)))
        _LINKAGES[key] = _fitted(placement, compiled)
    return _LINKAGES[key]


def moved_bodies(placement: Placement, model: Any) -> frozenset[str]:
    """Return the bodies of a robot that move with its arm or limbs; all others stand still.

    Args:
        placement: The robot.
        model: The compiled MuJoCo model.
    """
    spec, arm = placement.model.delta, placement.model.arm
    roots = {f"{placement.name}/{body}" for body in (spec.titles if spec else (arm.base,))}
    names = [str(model.body(i).name) for i in range(model.nbody)]
    return frozenset(
        [body for body in names if body.startswith(f"{placement.name}/") and roots & _with_parents(model, body)]
    )


def _fitted(placement: Placement, compiled: Compiled) -> Linkage:
    name, model, spec = placement.name, placement.model, placement.model.delta
    delta = compiled.chains[name]
    assert spec is not None
    assert isinstance(delta, Delta)
    joints = [f"{name}/{joint}" for joint in (*[j.name for j in model.arm.joints], *spec.undriven)]
    bodies = [f"{name}/{body}" for body in spec.titles]
    parents = {body: _with_parents(compiled.model, body) for body in bodies}
    inner = {above for body, chain in parents.items() for above in chain if above != body}
    limbs, seen = [], set[str]()
    for end in [body for body in bodies if body not in inner]:
        capsules = _capsules(placement, compiled.model, end, [body for body in bodies if body not in parents[end]])
        chain = SerialChain.from_model(compiled.model, f"{name}/{model.arm.base}", end)
        # a part that carries two limbs counts once
        own = [replace(c, name=_title(c, model)) for c in capsules if c.name not in seen]
        limbs.append(Limb(Clearance(chain, own, pairs=NO_PAIRS), len(own), tuple(map(joints.index, chain.names))))
        seen |= {c.name for c in capsules}
    return Linkage(tuple(limbs), delta)


def _with_parents(model: Any, body: str) -> set[str]:
    """Return a body and all of its parents."""
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
    """Return the operator's name of a part; a platform that carries a tool has the tool's name."""
    assert model.delta is not None
    if capsule.name == model.delta.platform and model.arm.tool != model.delta.platform:
        return "gripper" if model.gripper else "tool"
    return model.delta.titles[capsule.name]
