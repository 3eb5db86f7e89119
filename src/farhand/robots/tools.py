"""Tools for a robot's tip: an MJCF body with a site and maybe fingers, and the gripper's data in a ``tool.toml``."""

from __future__ import annotations

import math
from pathlib import Path
from xml.etree import ElementTree as ET

import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from farhand.errors import CommandError, RobotFileError, UnknownNameError
from farhand.formats.compiling import compiled, quiet, text_of
from farhand.formats.file_access import Files
from farhand.formats.model import GripperSpec, RobotModel
from farhand.formats.names import TIP_SITE
from farhand.formats.posing import Posed
from farhand.formats.size_limits import DEFAULT_LIMITS
from farhand.formats.xmltext import Element, numbers, parse_xml, written
from farhand.poses import Pose, Quaternion, compose
from farhand.robots.catalogue import tool_folders
from farhand.types import Note, Subject, Vector

__all__ = ["ToolFile", "attach_tool"]

_PREFIX = "tool_"
_TURNS: dict[tuple[int, int], Quaternion] = {
    (2, 1): (1.0, 0.0, 0.0, 0.0),
    (2, -1): (0.0, 1.0, 0.0, 0.0),
    (0, 1): (math.sqrt(0.5), 0.0, math.sqrt(0.5), 0.0),
    (0, -1): (math.sqrt(0.5), 0.0, -math.sqrt(0.5), 0.0),
    (1, 1): (math.sqrt(0.5), -math.sqrt(0.5), 0.0, 0.0),
    (1, -1): (math.sqrt(0.5), math.sqrt(0.5), 0.0, 0.0),
}


class ToolFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The fields of a ``tool.toml``: see `GripperSpec`; a tool without fingers has only a summary."""

    summary: str
    joints: tuple[str, ...] = ()
    closed: Vector = ()
    opened: Vector = ()
    opening: float = 0.0
    speed: float = 0.0
    effort: float = 0.0

    def gripper(self) -> GripperSpec | None:
        """Return the gripper, with the names of its joints on a robot, or None."""
        if not self.joints:
            return None
        return GripperSpec(
            joints=tuple(_PREFIX + joint for joint in self.joints),
            closed=self.closed,
            opened=self.opened,
            opening=self.opening,
            speed=self.speed,
            effort=self.effort,
        )


def attach_tool(model: RobotModel, name: str) -> RobotModel:
    """Return the robot with a tool of the catalogue at its tip; the tip moves to that of the tool.

    The tool's z axis points out of the flange, along the axis of the tip's frame that points away from the last joint:
    z for most robots.

    Args:
        model: A robot without a gripper.
        name: The tool.

    Raises:
        UnknownNameError: If there is no such tool.
        CommandError: If the robot already has a gripper.
    """
    folders = tool_folders()
    if name not in folders:
        raise UnknownNameError("tool", name, folders)
    if model.gripper is not None:
        raise CommandError(f"{model.name} already has a gripper, so it cannot take the tool {name!r}")
    numbers_of = _read_numbers(folders[name] / "tool.toml")
    path = folders[name] / "tool.xml"
    tool = parse_xml(Files(path).text, path, DEFAULT_LIMITS)
    robot = parse_xml(model.mjcf.encode(), path, DEFAULT_LIMITS)
    axis = _outwards(model, robot, path)
    palm = _merge(robot, tool, path, _TURNS[axis])
    gripper = numbers_of.gripper()
    rest = dict(zip(gripper.joints, gripper.opened, strict=True)) if gripper else {}
    notes = model.notes
    if axis != (2, 1):
        sign = "-" if axis[1] < 0 else ""
        looks = Subject("axis", f"{sign}{'xyz'[axis[0]]}")
        notes = (*notes, Note("robot.tool", about=(Subject("tool", name), looks)))
    result = replace(
        model,
        gripper=gripper,
        arm=replace(model.arm, tool=palm, contact_body=model.arm.contact_body or model.arm.tool),
        rest=model.rest | rest,
        notes=notes,
    )
    _exclude_touching(result, robot, path)
    return replace(result, mjcf=text_of(robot))


def _read_numbers(path: Path) -> ToolFile:
    try:
        return msgspec.toml.decode(path.read_bytes(), type=ToolFile)
    except msgspec.DecodeError as error:
        raise RobotFileError(path, str(error)) from None


def _tip(robot: ET.Element) -> tuple[ET.Element, ET.Element]:
    for body in robot.iter("body"):
        for site in body.findall("site"):
            if site.get("name") == TIP_SITE:
                return body, site
    raise CommandError(f"the robot has no site {TIP_SITE!r}")


def _merge(robot: ET.Element, tool: ET.Element, path: Path, turn: Quaternion) -> str:
    """Add the tool's body at the tip, move the tip, and return the name of the tool's body."""
    for element in tool.iter():
        for attribute in ("name", "joint1", "joint2", "body1", "body2"):
            if attribute in element.attrib and element is not tool:
                element.set(attribute, _PREFIX + element.get(attribute, ""))
    body, site = _tip(robot)
    palm = tool.find("worldbody/body")
    own = palm.find("site") if palm is not None else None
    if palm is None or own is None:
        raise RobotFileError(path, "expected one body with a site for the tip in <worldbody>")
    x, y, z = numbers(site, "pos", 3, path, "site")
    qw, qx, qy, qz = numbers(site, "quat", 4, path, "site")
    pose = compose(Pose((x, y, z), (qw, qx, qy, qz)), Pose((0.0, 0.0, 0.0), turn))
    palm.attrib |= {"pos": written(*pose.position), "quat": written(*pose.rotation)}
    body.remove(site)
    own.attrib |= {"name": TIP_SITE, "group": "4"}
    if not own.get("quat"):
        own.set("quat", "1 0 0 0")
    body.append(palm)
    for section in tool.findall("equality"):
        robot.append(section)
    return palm.get("name", "")


def _outwards(model: RobotModel, robot: ET.Element, path: Path) -> tuple[int, int]:
    """Return the axis of the tip's frame, and its sign, that points away from the last joint."""
    if model.delta is not None:
        return 2, -1  # the platform hangs
    posed = Posed(compiled(robot, model.assets, path))
    posed.go(posed.rest)
    m, data = posed.model, posed.data
    site = m.site(TIP_SITE).id
    # the last joint of the chain, which may be a follower
    joint = max(m.joint(name).id for name in _chained(model))
    R = data.site_xmat[site].reshape(3, 3)
    away = np.asarray((data.site_xpos[site] - data.xanchor[joint]) @ R)
    longest = int(np.argmax(np.abs(away)))
    if abs(away[longest]) < max(0.01, 0.9 * float(np.linalg.norm(away))):
        return 2, 1
    return longest, 1 if away[longest] > 0 else -1


def _chained(model: RobotModel) -> list[str]:
    """Return the joints of the arm, driven or not."""
    return [*[joint.name for joint in model.arm.joints], *[tie.joint for tie in model.arm.followers]]


def _exclude_touching(model: RobotModel, robot: ET.Element, path: Path) -> None:
    """Exclude contacts between the tool and links that it overlaps at home."""
    with quiet():
        posed = Posed(compiled(robot, model.assets, path))
        m = posed.model
        home = {j.name: j.home for j in model.arm.joints} | model.rest
        pairs = posed.touching(posed.pose({m.joint(name).id: value for name, value in home.items()}))
    contact = robot.find("contact")
    if contact is None:
        contact = Element("contact")
        robot.append(contact)
    for a, b in sorted(pairs):
        contact.append(Element("exclude", {"body1": m.body(a).name, "body2": m.body(b).name}))
