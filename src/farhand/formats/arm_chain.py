"""The choice of a robot's arm, gripper and tip.

Without a `tip` the longest chain of joints is the arm. If its last joints branch into short fingers, the arm ends
at the part that carries them (the palm); a single last joint counts as a finger only by its name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from farhand.errors import RobotFileError
from farhand.formats.body_tree import MovingPart, Tree
from farhand.formats.draft import Draft

__all__ = ["Choice", "choose_chain"]

_FINGER = re.compile(r"grip|finger|jaw|claw|thumb|knuckle|pinky|(^|_)(index|middle|ring|little)_", re.IGNORECASE)
_TIPS = (
    re.compile(r"tcp|grasp|tip\b|(^|_)tip|pinch", re.IGNORECASE),
    re.compile(r"tool|(^|_)eef?(_|$)|end_?eff|attach|grip_?site", re.IGNORECASE),
    re.compile(r"flange|gripper|hand|palm", re.IGNORECASE),
)
_NO_TIP = re.compile(r"finger|thumb|knuckle|jaw|collision|visual|inertia|camera|sensor", re.IGNORECASE)
_LONGEST_FINGER = 9


@dataclass(frozen=True)
class Choice:
    """The parts chosen for base, arm, tip and fingers.

    Args:
        base: Body of the base frame.
        body: Body that carries the tip.
        site: Site of the file that is the tip, or -1.
        arm: Joints from base to tip.
        palm: The part that carries the tip.
        fingers: Parts beyond the palm that open and close.
        held: All other joints.
        others: Names of other possible tips.
    """

    base: int
    body: int
    site: int
    arm: list[int]
    palm: MovingPart
    fingers: list[MovingPart]
    held: list[int]
    others: list[str]


def choose_chain(tree: Tree, draft: Draft, base: str | None, tip: str | None) -> Choice:
    """Choose base, tip, arm and fingers.

    Raises:
        RobotFileError: If a name does not exist, or no joint moves between base and tip.
    """
    base_body = _base(tree, draft, base)
    start = tree.part_of[base_body]
    wanted = tip or draft.tip
    if wanted is not None:
        body, site = _find(tree, draft, wanted, "tip")
        palm, others = tree.part_of[body], list[str]()
        if start not in palm.path():
            raise RobotFileError(draft.path, f"tip {wanted!r} is not carried by base {tree.body_names[base_body]!r}")
    else:
        palm, others = _longest(tree, start)
        body, site = _tip_of(tree, palm)
    arm = [j for part in palm.path()[len(start.path()) :] for j in part.joints]
    if not arm:
        problem = "there is no moving joint between base and tip"
        raise RobotFileError(draft.path, f"{problem}; a robot needs at least one", field=tree.body_names[body])
    fingers = _fingers(tree, palm)
    taken = {*arm, *(j for f in fingers for p in f.subtree() for j in p.joints)}
    held = [j for j in range(tree.model.njnt) if j not in taken]
    return Choice(base_body, body, site, arm, palm, fingers, held, others)


def _base(tree: Tree, draft: Draft, base: str | None) -> int:
    if base is not None:
        return _find(tree, draft, base, "base")[0]
    if tree.model.nbody < 2:
        raise RobotFileError(draft.path, "has no bodies; expected at least one that moves")
    return 1


def _find(tree: Tree, draft: Draft, name: str, kind: str) -> tuple[int, int]:
    name = draft.aliases.get(name, name)
    if name in tree.body_names[1:]:
        return tree.body_names.index(name), -1
    if name in tree.site_names and kind == "tip":
        site = tree.site_names.index(name)
        return int(tree.model.site_bodyid[site]), site
    known = [n for n in (*tree.body_names[1:], *tree.site_names) if n]
    problem = f"there is no link or site {name!r} to be the {kind}; there are: {', '.join(known[:40])}"
    raise RobotFileError(draft.path, problem, found=name, known=known)


def _longest(tree: Tree, start: MovingPart) -> tuple[MovingPart, list[str]]:
    """Return the part at the end of the longest arm, and the names of the ends of other arms."""
    ends: dict[int, tuple[int, bool, MovingPart]] = {}
    for leaf in (p for p in start.subtree() if not p.children):
        palm = _palm(tree, leaf, start)
        count = sum(len(p.joints) for p in palm.path()[len(start.path()) :])
        ends[palm.root] = (count, bool(_fingers(tree, palm)), palm)
    best = max(ends.values(), key=lambda e: (e[0], e[1]))
    others = [tree.body_names[_tip_of(tree, e[2])[0]] for e in ends.values() if e is not best and e[0] > 1]
    return best[2], others


def _palm(tree: Tree, leaf: MovingPart, start: MovingPart) -> MovingPart:
    path = leaf.path()[len(start.path()) - 1 :]
    for i, part in enumerate(path[1:], 1):
        before = sum(len(p.joints) for p in path[: i + 1]) - len(path[0].joints)
        if before >= 2 and part.children and _fingers(tree, part):
            return part
    return leaf


def _fingers(tree: Tree, palm: MovingPart) -> list[MovingPart]:
    """Return the parts carried by a palm if they look like fingers."""
    children = palm.children
    longest = max((len(c.joints) + c.height for c in children), default=0)
    if not children or longest > _LONGEST_FINGER:
        return []
    if len(children) == 1:
        # for a single part the body's name proves nothing: wrists often turn a body called "gripper"
        return children if any(_FINGER.search(tree.joint_names[j]) for j in children[0].joints) else []
    named = sum(_is_finger(tree, c) for c in children) > 0.6 * len(children)
    return children if named or longest == 1 else []


def _is_finger(tree: Tree, part: MovingPart) -> bool:
    names = [tree.joint_names[j] for j in part.joints] + [tree.body_names[part.root]]
    return any(_FINGER.search(name) for name in names)


def _tip_of(tree: Tree, palm: MovingPart) -> tuple[int, int]:
    """Return the body, and the site or -1, that is most likely the tip of a part."""
    fingers = _fingers(tree, palm)
    if fingers:
        parents = [int(tree.model.body_parentid[f.root]) for f in fingers]
        return (parents[0] if len(set(parents)) == 1 else palm.root), -1
    sites = [s for s in range(tree.model.nsite) if int(tree.model.site_bodyid[s]) in palm.bodies]
    for pattern in _TIPS:
        named = [s for s in sites if _fits(pattern, tree.site_names[s])]
        if named:
            return int(tree.model.site_bodyid[named[0]]), named[0]
        bodies = [b for b in palm.bodies if b != palm.root and _fits(pattern, tree.body_names[b])]
        if bodies:
            return max(bodies, key=tree.depth), -1
    return max(palm.bodies, key=lambda b: (tree.depth(b), -b)), -1


def _fits(pattern: re.Pattern[str], name: str) -> bool:
    return bool(pattern.search(name)) and not _NO_TIP.search(name)
