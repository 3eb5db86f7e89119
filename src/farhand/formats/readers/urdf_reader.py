"""URDF: a list of links and joints, from which the tree is built."""

from __future__ import annotations

from farhand.errors import RobotFileError
from farhand.formats.draft import Draft
from farhand.formats.file_access import Files
from farhand.formats.reader_registry import reader
from farhand.formats.urdf.frames import origin_of
from farhand.formats.urdf.geometry import Shapes
from farhand.formats.urdf.links import Links
from farhand.formats.urdf.urdf_joints import add_joint, add_mimic
from farhand.formats.xmltext import Element, parse_xml, written

__all__ = ["read_urdf"]

_XACRO = "xacro"


@reader("URDF", (".urdf", ".xml"), (b"<robot",))
def read_urdf(files: Files) -> Draft:
    """Return the draft of a URDF file."""
    robot = parse_xml(files.text, files.path, files.limits)
    _refuse_xacro(robot, files)
    if robot.tag != "robot":
        raise RobotFileError(files.path, f"the outermost element must be <robot>, found <{robot.tag}>")
    draft = _empty(files, robot.get("name") or files.path.stem)
    links = _named(robot, "link", files, draft)
    joints = _named(robot, "joint", files, draft)
    children = _children(links, joints, files)
    root = _root(links, joints, files)
    bodies = Links(robot, Shapes(files, draft), draft)
    _grow(draft, bodies, links, joints, children, root, files.limits.depth)
    bodies.say()
    equality = draft.mjcf.find("equality")
    assert equality is not None
    for name, joint in joints.items():
        add_mimic(equality, joint, name, draft)
    return draft


def _refuse_xacro(robot: Element, files: Files) -> None:
    if files.path.suffix == ".xacro" or any(e.tag.startswith(f"{_XACRO}:") for e in robot.iter()):
        name = files.path.name.removesuffix(".xacro").removesuffix(".urdf")
        problem = f"is a xacro file; expand it first: xacro {files.path.name} > {name}.urdf (pip install xacro)"
        raise RobotFileError(files.path, problem)


def _empty(files: Files, name: str) -> Draft:
    mjcf = Element("mujoco", {"model": name})
    mjcf.append(Element("compiler", {"angle": "radian", "autolimits": "true"}))
    for tag in ("asset", "worldbody", "equality", "contact"):
        mjcf.append(Element(tag))
    return Draft(path=files.path, name=name, mjcf=mjcf)


def _named(robot: Element, tag: str, files: Files, draft: Draft) -> dict[str, Element]:
    found: dict[str, Element] = {}
    most = files.limits.bodies if tag == "link" else max(files.limits.joints, files.limits.bodies)
    for element in robot.findall(tag):
        name = element.get("name")
        if not name:
            raise RobotFileError(files.path, f"a <{tag}> has no name=", field=f"{tag} {len(found) + 1}")
        if name in found:
            raise RobotFileError(files.path, f"two {tag}s are called {name!r}; names must differ")
        found[name] = element
        if len(found) > most:
            raise RobotFileError(files.path, f"has more {tag}s than the limit of {most}")
    if tag == "link" and not found:
        raise RobotFileError(files.path, "has no <link>; expected at least one")
    if tag == "link" and "world" in found:
        # MuJoCo reserves this name
        draft.aliases["world"] = next(n for n in ("world_link", *map("world_{}".format, range(9999))) if n not in found)
    return found


def _children(links: dict[str, Element], joints: dict[str, Element], files: Files) -> dict[str, list[str]]:
    children: dict[str, list[str]] = {name: [] for name in links}
    seen: dict[str, str] = {}
    for name, joint in joints.items():
        ends = []
        for tag in ("parent", "child"):
            element = joint.find(tag)
            link = element.get("link", "") if element is not None else ""
            if link not in links:
                problem = f"its <{tag}> must name a link; found {link!r}"
                raise RobotFileError(files.path, problem, field=f"joint {name}", found=link, known=links)
            ends.append(link)
        parent, child = ends
        if child in seen:
            problem = f"link {child!r} has two parents, joints {seen[child]!r} and {name!r}; loops are not read"
            raise RobotFileError(files.path, problem)
        seen[child] = name
        children[parent].append(name)
    return children


def _root(links: dict[str, Element], joints: dict[str, Element], files: Files) -> str:
    moved = {child.get("link") for j in joints.values() if (child := j.find("child")) is not None}
    roots = [name for name in links if name not in moved]
    if len(roots) == 1:
        return roots[0]
    if not roots:
        raise RobotFileError(files.path, "every link is some joint's child, so they form a loop; one must be the root")
    listed = ", ".join(roots[:8])
    raise RobotFileError(files.path, f"has {len(roots)} root links ({listed}); expected one that carries all others")


def _grow(
    draft: Draft,
    bodies: Links,
    links: dict[str, Element],
    joints: dict[str, Element],
    children: dict[str, list[str]],
    root: str,
    most: int,
) -> None:
    todo: list[tuple[str, Element, str | None, int]] = [(root, draft.worldbody, None, 1)]
    done = 0
    while todo:
        link, parent, joint_name, depth = todo.pop(0)
        if depth > most:
            problem = f"a chain has more links than the limit of {most}; the robot has {len(links)} links"
            raise RobotFileError(draft.path, problem, field=f"link {link}")
        body = Element("body", {"name": draft.aliases.get(link, link)})
        if joint_name is not None:
            joint = joints[joint_name]
            pose = origin_of(joint, draft.path, f"joint {joint_name}")
            body.attrib |= {"pos": written(*pose.position), "quat": written(*pose.rotation)}
            add_joint(body, joint, joint_name, draft)
        bodies.fill(body, links[link])
        parent.append(body)
        done += 1
        for name in children[link]:
            child = joints[name].find("child")
            assert child is not None
            todo.append((child.get("link", ""), body, name, depth + 1))
    if done < len(links):
        lost = len(links) - done
        raise RobotFileError(draft.path, f"{lost} links form a loop apart from the root {root!r}")
