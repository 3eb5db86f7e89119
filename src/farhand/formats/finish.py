"""From a draft to a robot model: choose, measure, complete, check. The same for every format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from farhand.errors import RobotFileError
from farhand.formats.arm_chain import Choice, choose_chain
from farhand.formats.body_tree import Tree
from farhand.formats.compiling import compiled, quiet, text_of
from farhand.formats.document import element_of, give_names, wrap_base
from farhand.formats.draft import Draft
from farhand.formats.gripper import MeasuredFingers
from farhand.formats.home import home_pose
from farhand.formats.joint_defaults import TIME_TO_SPEED, Drives, find_drives, joint_spec, say_small_ranges
from farhand.formats.meshes.lighten import lighten
from farhand.formats.mimic_joints import tie_arm
from farhand.formats.model import ArmSpec, RobotModel, TieSpec
from farhand.formats.names import TIP_SITE
from farhand.formats.posing import Floats, Pair, Posed
from farhand.formats.size_limits import SizeLimits
from farhand.formats.xmltext import Element, written

__all__ = ["finish"]

#: Rate at which a joint without a motor slows down by itself, 1/s.
SLOWING = 1.0


def finish(draft: Draft, base: str | None, tip: str | None, limits: SizeLimits) -> RobotModel:
    """Return the robot model of a draft.

    Args:
        draft: From the format's reader.
        base: Name of the base link; None takes the root.
        tip: Name of the tip link or site; None chooses.
        limits: Limits on bodies and joints.

    Raises:
        RobotFileError: If a name is unknown, nothing moves, or MuJoCo refuses the robot.
    """
    if draft.ready is not None:
        return _ready(draft, draft.ready, base, tip)
    wrap_base(draft)
    give_names(draft)
    lighten(draft)
    model = compiled(draft.mjcf, draft.assets, draft.path)
    if model.nbody > limits.bodies or model.njnt > limits.joints:
        found = f"{model.nbody} bodies and {model.njnt} joints"
        raise RobotFileError(draft.path, f"has {found}; the limits are {limits.bodies} and {limits.joints}")
    with quiet(), np.errstate(all="ignore"):
        return _finish(draft, Tree(model), base, tip)


def _ready(draft: Draft, model: RobotModel, base: str | None, tip: str | None) -> RobotModel:
    """Return a robot that its reader has finished, with fixed base and tip."""
    for frame, asked, only in (("base", base, model.arm.base), ("tip", tip, model.arm.tool)):
        if asked not in (None, only):
            raise RobotFileError(draft.path, f"the {frame} can only be {only!r} here, found {asked!r}")
    compiled(draft.mjcf, draft.assets, draft.path)
    return model


def _finish(draft: Draft, tree: Tree, base: str | None, tip: str | None) -> RobotModel:
    choice = choose_chain(tree, draft, base, tip)
    posed = Posed(tree.model)
    driven, ties = _check_arm(draft, tree, posed, choice)
    fingers = MeasuredFingers(tree, posed, choice, draft.driven) if choice.fingers else None
    if fingers and not fingers.joints:
        fingers = None
    always = _always_touching(posed)
    home = _home(draft, tree, posed, replace(choice, arm=driven), fingers, always)
    _exclude(draft, tree, always | posed.touching(home))
    drives = find_drives(tree, posed, draft, home)
    say_small_ranges(draft, tree, posed, choice.arm)
    _complete_joints(draft, tree, posed, drives)
    _mark_tip(draft, tree, choice, fingers)
    gripper = fingers.spec(drives.velocity, drives.effort) if fingers else None
    compiled(draft.mjcf, draft.assets, draft.path)
    _say_choice(draft, tree, choice, tip)
    tool = int(tree.model.jnt_bodyid[choice.arm[-1]])
    arm = ArmSpec(
        joints=tuple(joint_spec(tree, posed, draft, drives, j, home) for j in driven),
        base=tree.body_names[choice.base],
        tip=TIP_SITE,
        tool=tree.body_names[tool],
        contact_body=_contact_body(draft, tree, tool),
        followers=ties,
    )
    held = _held(draft, tree, posed, choice, fingers)
    others = [j for j in range(tree.model.njnt) if j not in driven and posed.scalar[j]]
    return RobotModel(
        name=draft.name,
        summary=draft.summary,
        mjcf=text_of(draft.mjcf),
        assets=_used(draft.assets, text_of(draft.mjcf)),
        arm=arm,
        gripper=gripper,
        held=tuple(tree.joint_names[j] for j in held),
        cameras=draft.cameras,
        wrist=draft.wrist,
        rest={tree.joint_names[j]: float(home[tree.model.jnt_qposadr[j]]) for j in others},
        notes=tuple(draft.notes),
    )


def _check_arm(draft: Draft, tree: Tree, posed: Posed, choice: Choice) -> tuple[list[int], tuple[TieSpec, ...]]:
    for joint in choice.arm:
        name = tree.joint_names[joint]
        if not posed.scalar[joint]:
            raise RobotFileError(draft.path, "ball and free joints cannot be driven", field=f"joint {name}")
    return tie_arm(draft, tree, posed, choice)


def _always_touching(posed: Posed) -> set[Pair]:
    poses = [posed.touching(q) for q in posed.random_poses()]
    model = posed.model
    # MuJoCo skips contacts of a part with its parent, unless the parent is fixed
    moved = [b for b in range(model.nbody) if model.body_weldid[b] and not _above(model, b)]
    standing = [b for b in range(1, model.nbody) if not model.body_weldid[b]]
    adjacent = {(a, b) for a in standing for b in moved if model.body_geomnum[a] and model.body_geomnum[b]}
    return set.intersection(*poses) | adjacent


def _above(model: object, body: int) -> int:
    m = model
    return int(m.body_weldid[m.body_parentid[m.body_weldid[body]]])  # type: ignore[attr-defined]  # MuJoCo is untyped


def _home(
    draft: Draft, tree: Tree, posed: Posed, choice: Choice, fingers: MeasuredFingers | None, always: set[Pair]
) -> Floats:
    hints = {j: h.home for j, n in enumerate(tree.joint_names) if (h := draft.hints.get(n)) and h.home is not None}
    posed.rest = posed.pose((fingers.opened if fingers else {}) | hints)
    if any(j in hints for j in choice.arm):
        return posed.rest
    pose, bent = home_pose(posed, choice, always)
    if bent:
        draft.note("home", "At zero the arm is stretched out or touches itself, so home is a bent pose.")
    return pose


def _exclude(draft: Draft, tree: Tree, pairs: set[Pair]) -> None:
    contact = draft.mjcf.find("contact")
    if contact is None:
        contact = Element("contact")
        draft.mjcf.append(contact)
    there = {frozenset((e.get("body1"), e.get("body2"))) for e in contact.findall("exclude")}
    for a, b in sorted(pairs):
        first, second = tree.body_names[a], tree.body_names[b]
        if a and frozenset((first, second)) not in there:
            contact.append(Element("exclude", {"body1": first, "body2": second}))


def _complete_joints(draft: Draft, tree: Tree, posed: Posed, drives: Drives) -> None:
    """Add a rotor inertia and a little damping to joints without them, and remove the file's own force limits.

    The inertia of a geared rotor at its joint is assumed as a twentieth of what its motor can accelerate, or of the
    load on the joint; at most a twentieth of the heaviest joint's, since some files give every joint a huge effort.
    """
    m = tree.model
    heaviest = float(drives.inertia.max(initial=0.0))
    for joint, name in enumerate(tree.joint_names):
        element = element_of(draft, "joint", name)
        if element is None or not posed.scalar[joint]:
            continue
        dof = int(m.jnt_dofadr[joint])
        element.attrib.pop("actuatorfrcrange", None)
        element.set("actuatorfrclimited", "false")
        armature = float(m.dof_armature[dof])
        if armature == 0:
            motor = drives.effort.get(joint, 0.0) * TIME_TO_SPEED / drives.velocity.get(joint, 1.0)
            armature = 0.05 * max(float(drives.inertia[dof]), min(motor, heaviest), 0.002)
            element.set("armature", written(armature))
        if m.dof_damping[dof] == 0 and joint in drives.effort:
            element.set("damping", written(SLOWING * (float(drives.inertia[dof]) + armature)))


def _mark_tip(draft: Draft, tree: Tree, choice: Choice, fingers: MeasuredFingers | None) -> None:
    body = element_of(draft, "body", tree.body_names[choice.body])
    if body is None:
        raise RobotFileError(
            draft.path, "the tip lies in a <replicate>; name another one", field=tree.body_names[choice.body]
        )
    position, rotation = np.zeros(3), np.array([1.0, 0, 0, 0])
    if choice.site >= 0:
        position, rotation = tree.model.site_pos[choice.site], tree.model.site_quat[choice.site]
    elif fingers is not None:
        position = fingers.tip(choice.body, choice.fingers)
    attributes = {"name": TIP_SITE, "pos": written(*position), "quat": written(*rotation), "group": "4"}
    body.append(Element("site", attributes))


def _contact_body(draft: Draft, tree: Tree, tool: int) -> str:
    """Return the body whose contacts count as the tip's if the tool has no collision shapes: the last with some."""
    body = tool
    while body and not _collides(tree, body):
        body = int(tree.model.body_parentid[body])
    if body == tool:
        return ""
    if not body:
        draft.note("contact", "No shape of this arm collides, so it measures no contact force.")
        return ""
    name = str(tree.body_names[body])
    draft.note("contact", f"{tree.body_names[tool]} has no collision shapes: contacts of {name} count as the tip's.")
    return name


def _collides(tree: Tree, body: int) -> bool:
    """Return whether a body or one of its descendants has a shape that collides."""
    m, below = tree.model, {body}
    for other in range(body + 1, m.nbody):
        if int(m.body_parentid[other]) in below:
            below.add(other)
    return any(int(m.geom_bodyid[g]) in below and (m.geom_contype[g] or m.geom_conaffinity[g]) for g in range(m.ngeom))


def _held(draft: Draft, tree: Tree, posed: Posed, choice: Choice, fingers: MeasuredFingers | None) -> list[int]:
    held = [j for j in choice.held if posed.scalar[j] and j not in posed.followers]
    if fingers is None:
        held += [j for f in choice.fingers for p in f.subtree() for j in p.joints if posed.scalar[j]]
    if draft.driven is not None:
        held = [j for j in held if tree.joint_names[j] in draft.driven] or held
    return held


def _say_choice(draft: Draft, tree: Tree, choice: Choice, tip: str | None) -> None:
    if choice.others and tip is None:
        listed = ", ".join(dict.fromkeys(choice.others))
        name = tree.body_names[choice.body]
        draft.note(
            "tip", f"The tip is {name}, at the end of the longest chain; others: {listed}. Choose with --tip NAME."
        )


def _used(assets: Mapping[str, bytes], text: str) -> dict[str, bytes]:
    return {name: data for name, data in assets.items() if f'"{name}"' in text}
