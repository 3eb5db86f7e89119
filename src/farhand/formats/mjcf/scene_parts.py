"""Taking the robot out of its scene: lights, floors, loose objects, settings and drives are removed."""

from __future__ import annotations

from farhand.errors import RobotFileError
from farhand.formats.draft import Draft
from farhand.formats.xmltext import Element

__all__ = ["refuse_generators", "strip_scene"]

_SETTINGS = ("option", "size", "visual", "statistic", "keyframe", "sensor", "actuator", "custom", "extension")
_GENERATORS = ("composite", "flexcomp", "attach", "plugin", "deformable", "skin", "flex")
_MOST_COPIES = 200


def refuse_generators(draft: Draft) -> None:
    """Raise an error for elements that generate parts in an unsupported way or without limit."""
    for element in draft.mjcf.iter():
        if element.tag in _GENERATORS:
            raise RobotFileError(draft.path, f"<{element.tag}> is not read; expected bodies, joints, geoms and meshes")
        if element.tag == "replicate":
            try:
                fine = 0 < float(element.get("count", "1")) <= _MOST_COPIES
            except ValueError:
                fine = False
            if not fine:
                problem = f"count= of <replicate> must be a number up to {_MOST_COPIES}, found {element.get('count')!r}"
                raise RobotFileError(draft.path, problem)


def strip_scene(draft: Draft) -> None:
    """Remove the parts of a scene and everything that would clash with the cell's own, with notes."""
    gone = [tag for tag in _SETTINGS if any(len(e) or e.attrib for e in draft.mjcf.findall(tag))]
    for element in [e for e in draft.mjcf if e.tag in _SETTINGS]:
        draft.mjcf.remove(element)
    kept = [tag for tag in gone if tag in {"actuator", "keyframe", "sensor", "option"}]
    if kept:
        names = ", ".join(f"<{tag}>" for tag in kept)
        draft.note(
            "scene",
            f"The file's own {names} are left out, except a home pose and effort limits: the cell has its own.",
        )
    _strip_world(draft)
    _fix_root(draft)
    for compiler in draft.mjcf.findall("compiler"):
        # Fused or discarded parts could not be chosen as tip, seen or collided with.
        for attribute in ("fusestatic", "discardvisual", "strippath"):
            compiler.attrib.pop(attribute, None)


def _strip_world(draft: Draft) -> None:
    world = draft.worldbody
    for parent in [world, *world.iter("body"), *world.iter("frame")]:
        for element in [e for e in parent if e.tag == "light"]:
            parent.remove(element)
    for element in list(world):
        scenery = element.tag == "geom" and element.get("type") in {"plane", "hfield"}
        if scenery or element.tag == "camera" or (element.tag == "body" and element.get("mocap") == "true"):
            world.remove(element)
    bodies = world.findall("body")
    loose = [b for b in bodies if _freejoint(b) is not None and not _jointed(b)]
    if len(loose) < len(bodies):
        for body in loose:
            draft.note("scene", f"Body {body.get('name', '?')} is a loose object of the scene and is left out.")
            world.remove(body)


def _fix_root(draft: Draft) -> None:
    for body in draft.worldbody.iter("body"):
        free = _freejoint(body)
        if free is not None:
            body.remove(free)
            name = body.get("name", "the root")
            draft.note(
                "fixed", f"Body {name} floats freely in the file; here it is fixed where the cell places the robot."
            )


def _freejoint(body: Element) -> Element | None:
    for element in body:
        if element.tag == "freejoint" or (element.tag == "joint" and element.get("type") == "free"):
            return element
    return None


def _jointed(body: Element) -> bool:
    return any(e.tag == "joint" and e.get("type") != "free" for e in body.iter())
