"""A compiled robot as a tree of moving parts: bodies that are fixed to each other are one part."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

__all__ = ["MovingPart", "Tree"]


@dataclass
class MovingPart:
    """Bodies that move as one.

    Args:
        root: The body that carries the joints; for the fixed part the world (0).
        bodies: All bodies of the part, in the order of the file.
        joints: Joints between the parent part and this one.
        parent: The part that carries it.
        children: The parts that it carries.
    """

    root: int
    bodies: list[int]
    joints: list[int]
    parent: MovingPart | None = None
    children: list[MovingPart] = field(default_factory=list)

    @property
    def height(self) -> int:
        """Return the greatest number of joints in a chain beyond this part."""
        return max((len(c.joints) + c.height for c in self.children), default=0)

    def path(self) -> list[MovingPart]:
        """Return the parts from the fixed one to this one."""
        return ([] if self.parent is None else self.parent.path()) + [self]

    def subtree(self) -> list[MovingPart]:
        """Return this part and all beyond it."""
        return [self] + [p for c in self.children for p in c.subtree()]


class Tree:
    """The moving parts of a compiled model, and its names.

    Args:
        model: MuJoCo's model.
    """

    def __init__(self, model: Any) -> None:
        self.model = model
        self.body_names = [model.body(i).name for i in range(model.nbody)]
        self.joint_names = [model.joint(i).name for i in range(model.njnt)]
        self.site_names = [model.site(i).name for i in range(model.nsite)]
        self.parts = _parts(model)
        self.part_of = {body: part for part in self.parts for body in part.bodies}

    @property
    def standing(self) -> MovingPart:
        """The part that does not move."""
        return self.parts[0]

    def depth(self, body: int) -> int:
        """Return the number of bodies from the world to this one."""
        depth = 0
        while body:
            body, depth = int(self.model.body_parentid[body]), depth + 1
        return depth


def _parts(model: Any) -> list[MovingPart]:
    parts: dict[int, MovingPart] = {}
    for body in range(model.nbody):
        root = int(model.body_weldid[body])
        if root not in parts:
            first = int(model.body_jntadr[root])
            joints = list(range(first, first + int(model.body_jntnum[root]))) if first >= 0 else []
            parent = parts[int(model.body_weldid[model.body_parentid[root]])] if root else None
            parts[root] = MovingPart(root, [], joints, parent)
            if parent is not None:
                parent.children.append(parts[root])
        parts[root].bodies.append(body)
    return list(parts.values())
