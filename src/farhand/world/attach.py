"""Shapes with a mass that a cell file attaches to a robot's links, such as a battery, a lamp or a ballast."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from msgspec import Meta

from farhand.errors import UnknownNameError
from farhand.formats.model import RobotModel
from farhand.formats.size_limits import DEFAULT_LIMITS
from farhand.formats.xmltext import parse_xml
from farhand.types import ObjectPart

__all__ = ["AttachSpec", "body_of_link", "geom_of", "links_of", "title_of"]


class AttachSpec(ObjectPart, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A shape fixed to a link of a robot; the drives know its weight.

    Args:
        link: Name of the link in the robot's file ("front left flipper"), of a body of its model, or of the joint that
            moves it.
        mass: kg.
    """

    link: str = "base"
    mass: Annotated[float, Meta(ge=0.0, le=1000.0)] = 0.0


def links_of(model: RobotModel) -> dict[str, str]:
    """Return the bodies of a robot by the names that a cell file may use."""
    root = parse_xml(model.mjcf.encode(), Path(f"{model.name}.xml"), DEFAULT_LIMITS)
    bodies = {body.get("name", ""): body for body in root.iter("body")}
    carried = {joint.get("name", ""): name for name, body in bodies.items() for joint in body.findall("joint")}
    joints = (*model.arm.joints, *(model.tracks.flippers if model.tracks else ()))
    named = {joint.link: carried[joint.name] for joint in joints if joint.link and joint.name in carried}
    moved = {joint.name: carried[joint.name] for joint in joints if joint.name in carried}
    if model.tracks:
        named["body"] = model.arm.base
    return moved | {name: name for name in bodies if name} | {"base": model.arm.base} | named


def body_of_link(model: RobotModel, link: str) -> str:
    """Return the body for a link's name; of several joints that move one link, the last one counts.

    Raises:
        UnknownNameError: If the robot has no such link.
    """
    known = links_of(model)
    if link not in known:
        raise UnknownNameError("link", link, known)
    return known[link]


def title_of(model: RobotModel, body: str) -> str:
    """Return the operator's name for a body of a robot: its link, if the robot's file names it."""
    titles = {own: link for link, own in links_of(model).items()} | (model.delta.titles if model.delta else {})
    return titles.get(body, body).replace("_", " ")


def geom_of(number: int) -> str:
    """Return the name, in a robot's model, of the shape of an attachment."""
    return f"attach[{number}]"
