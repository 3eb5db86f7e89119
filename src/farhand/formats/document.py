"""Small edits to an MJCF document."""

from __future__ import annotations

from farhand.formats.draft import Draft
from farhand.formats.xmltext import Element

__all__ = ["element_of", "give_names", "wrap_base"]

_INSIDE = ("body", "frame", "replicate")


def element_of(draft: Draft, tag: str, name: str) -> Element | None:
    """Return the element with this tag and name in the body tree, or None."""
    for element in draft.worldbody.iter(tag):
        if element.get("name") == name:
            return element
    return None


def wrap_base(draft: Draft) -> None:
    """Put everything into one fixed body if there is none, so that the base has a name and a frame."""
    world = draft.worldbody
    tops = list(world)
    single = len(tops) == 1 and tops[0].tag == "body" and tops[0].find("joint") is None
    if single and tops[0].find("freejoint") is None:
        return
    used = {e.get("name") for e in world.iter("body")}
    name = next(n for n in ("base", "robot_base", *(f"base_{i}" for i in range(len(used) + 1))) if n not in used)
    base = Element("body", {"name": name})
    base.extend(tops)
    for element in tops:
        world.remove(element)
    world.append(base)


def give_names(draft: Draft) -> None:
    """Name unnamed bodies, joints and geoms after the body they belong to."""
    for tag in ("body", "joint", "geom"):
        used = {e.get("name") for e in draft.worldbody.iter(tag)}
        for parent in draft.worldbody.iter():
            if parent.tag not in (*_INSIDE, "worldbody"):
                continue
            for element in [e for e in parent if e.tag == tag and not e.get("name")]:
                stem = f"{parent.get('name') or 'part'}_{tag}"
                number = next(i for i in range(1, len(used) + 2) if f"{stem}_{i}" not in used)
                element.set("name", f"{stem}_{number}")
                used.add(f"{stem}_{number}")
