"""DH tables: our own ``robot.toml``.

Each row makes one body whose frame turns (or slides) with the row's joint, z along the joint's axis, so the joint
sits at the body's origin in both conventions::

    standard   T = Rz(θ+q) · Tz(d) Tx(a) Rx(α)      the constant part after the joint moves on to the next body
    modified   T = Rx(α) Tx(a) Tz(d) Rz(θ) · Rz(q)  the constant part before the joint belongs to this body
"""

from __future__ import annotations

from farhand.errors import RobotFileError
from farhand.formats.camera_tables import cameras_of_file
from farhand.formats.dh.dh_file import BaseFile, DhRobotFile, RowFile, ShapeFile, Triple, angle, decode
from farhand.formats.dh.dh_shapes import drawn, geoms_of, volume
from farhand.formats.draft import Draft, JointHint
from farhand.formats.file_access import Files
from farhand.formats.reader_registry import reader
from farhand.formats.xmltext import Element, written
from farhand.poses import IDENTITY, Pose, compose, from_rpy

__all__ = ["FLANGE", "read_dh"]

#: Name of the body at the end of the table.
FLANGE = "flange"

_DENSITY = 1500.0
FOOT = 1.2  # height of the first link above z = 0, in radii of the link


@reader("DH table", (".toml",), (b"[dh]", b"[[dh.rows]]"))
def read_dh(files: Files) -> Draft:
    """Return the draft of a robot.toml."""
    file, rows = decode(files.text, files.path)
    name = file.name or files.path.parent.name
    mjcf = Element("mujoco", {"model": name})
    mjcf.append(Element("compiler", {"angle": "radian", "autolimits": "true"}))
    for tag in ("worldbody", "contact"):
        mjcf.append(Element(tag))
    draft = Draft(
        path=files.path,
        name=name,
        mjcf=mjcf,
        summary=file.summary,
        tip=FLANGE,
        cameras=cameras_of_file(file.cameras, files.path),
        wrist=file.wrist,
    )
    _build(draft, file, rows)
    return draft


def _build(draft: Draft, file: DhRobotFile, rows: list[RowFile]) -> None:
    befores, afters = _steps(rows, file.dh.convention == "modified")
    links = _links(file, rows, befores, afters)
    masses = _masses(draft, file, rows, links)
    parent = draft.worldbody
    names = ["base", *(_name(rows, i) for i in range(len(rows))), FLANGE]
    between = [IDENTITY, *befores, IDENTITY]
    for i, name in enumerate(names):
        pose = compose(afters[i - 2], between[i]) if i > 1 else between[i]
        attributes = {"pos": written(*pose.position), "quat": written(*pose.rotation)}
        body = Element("body", {"name": name if i in {0, len(names) - 1} else f"link_{i}"} | attributes)
        if 0 < i < len(names) - 1:
            _add_joint(draft, body, rows[i - 1], name, f"dh.rows[{i - 1}]")
        where = "base" if i == 0 else FLANGE if i == len(names) - 1 else f"dh.rows[{i - 1}]"
        own = file.base if i == 0 else file.flange if i == len(names) - 1 else rows[i - 1]
        body.extend(geoms_of(links[i], masses[i], own.colour or file.colour, draft.path, where))
        parent.append(body)
        parent = body


def _steps(rows: list[RowFile], modified: bool) -> tuple[list[Pose], list[Pose]]:
    """Return the constant poses before and after each joint."""
    befores, afters = [], []
    for row in rows:
        alpha, theta = angle(row, "alpha") or 0.0, angle(row, "theta") or 0.0
        turn = Pose((0.0, 0.0, 0.0), from_rpy(0.0, 0.0, theta))
        along_x = Pose((row.a, 0.0, 0.0), from_rpy(alpha, 0.0, 0.0))
        along_z = Pose((0.0, 0.0, row.d))
        befores.append(compose(along_x, compose(along_z, turn)) if modified else turn)
        afters.append(IDENTITY if modified else compose(along_z, along_x))
    return befores, afters


def _links(file: DhRobotFile, rows: list[RowFile], befores: list[Pose], afters: list[Pose]) -> list[list[ShapeFile]]:
    reach = sum(abs(row.a) + abs(row.d) for row in rows) or 0.5
    radius = max(0.05 * reach, 0.01)
    links = [list(file.base.shapes) or _drawn_base(befores[0].position, radius)]
    for i, row in enumerate(rows):
        nexts = befores[i + 1] if i + 1 < len(rows) else IDENTITY
        end = compose(afters[i], nexts).position
        corner: Triple = (end[0], 0.0, 0.0) if afters[i] == IDENTITY else (0.0, 0.0, end[2])
        points: list[Triple] = [(0.0, 0.0, 0.0), corner, end]
        own, housing = row.radius or radius * 0.93**i, 0.0
        if row.joint == "prismatic":
            points.insert(0, (0.0, 0.0, -(row.upper or 0.0)))
        elif i == 0 and befores[0].position == (0.0, 0.0, 0.0) and corner[2] > 2.0 * FOOT * own:
            housing = FOOT * own  # on the base, whose lowest point is z = 0
            points[0] = (0.0, 0.0, housing)
        links.append(list(row.shapes) or drawn(points, own, housing=housing))
    disc = ShapeFile("cylinder", start=(0.0, 0.0, -0.15 * radius), to=(0.0, 0.0, 0.0), radius=0.6 * radius)
    return [*links, list(file.flange.shapes) or [disc]]


def _drawn_base(first: Triple, radius: float) -> list[ShapeFile]:
    """Return a foot on z = 0 and a column up to the first joint, if that is higher."""
    foot = ShapeFile("cylinder", start=(0.0, 0.0, 0.0), to=(0.0, 0.0, 0.5 * radius), radius=1.5 * radius)
    above: Triple = (0.0, 0.0, FOOT * radius)
    return [foot, *(drawn([above, first], radius, housing=None) if first[2] > above[2] else [])]


def _masses(draft: Draft, file: DhRobotFile, rows: list[RowFile], links: list[list[ShapeFile]]) -> list[float]:
    parts: list[BaseFile | RowFile] = [file.base, *rows, file.flange]
    fields = ["base", *(f"dh.rows[{i}]" for i in range(len(rows))), FLANGE]
    volumes = [
        sum(volume(shape, draft.path, f"{field}.shapes[{i}]") for i, shape in enumerate(shapes))
        for field, shapes in zip(fields, links, strict=True)
    ]
    given = sum(part.mass for part in parts if part.mass is not None)
    silent = sum(v for v, part in zip(volumes, parts, strict=True) if part.mass is None)
    if file.mass is not None and silent and file.mass <= given:
        problem = f"the whole mass, {file.mass:g} kg, must be more than the sum of the parts' own masses, {given:g} kg"
        raise RobotFileError(draft.path, problem, field="mass")
    density = (file.mass - given) / silent if file.mass is not None and silent else _DENSITY
    if file.mass is None and silent:
        draft.note("inertia", f"Links without a mass weigh {_DENSITY:g} kg/m³ times their volume.")
    masses = [p.mass if p.mass is not None else density * v for p, v in zip(parts, volumes, strict=True)]
    for field, mass in zip(fields, masses, strict=True):
        if mass <= 0:
            raise RobotFileError(draft.path, f"a mass must be above zero, found {mass:g}", field=f"{field}.mass")
    return masses


def _name(rows: list[RowFile], index: int) -> str:
    return rows[index].name or f"joint_{index + 1}"


def _add_joint(draft: Draft, body: Element, row: RowFile, name: str, field: str) -> None:
    if name in draft.hints:
        raise RobotFileError(draft.path, f"two joints are called {name!r}", field=f"{field}.name")
    hint = JointHint(
        velocity=angle(row, "velocity"),
        acceleration=row.acceleration,
        jerk=row.jerk,
        effort=row.effort,
        home=angle(row, "home"),
        label=row.label,
        link=row.link,
    )
    for key in ("velocity", "acceleration", "jerk", "effort"):
        value = getattr(hint, key)
        if value is not None and value <= 0:
            raise RobotFileError(draft.path, f"must be above zero, found {value:g}", field=f"{field}.{key}")
    attributes = {"name": name, "type": "hinge" if row.joint == "revolute" else "slide", "axis": "0 0 1"}
    for key in ("armature", "damping"):
        value = getattr(row, key)
        if value is not None and value < 0:
            raise RobotFileError(draft.path, f"must not be below zero, found {value:g}", field=f"{field}.{key}")
        if value:
            attributes[key] = written(value)
    body.append(Element("joint", attributes | _range(draft, row, field)))
    draft.hints[name] = hint


def _range(draft: Draft, row: RowFile, field: str) -> dict[str, str]:
    lower, upper = angle(row, "lower"), angle(row, "upper")
    if lower is None and upper is None and row.joint == "revolute":
        return {"limited": "false"}
    if lower is None or upper is None:
        missing = "lower" if lower is None else "upper"
        raise RobotFileError(draft.path, "is missing; a joint needs both limits or none", field=f"{field}.{missing}")
    if lower >= upper:
        problem = f"must be below upper, found {lower:g} and {upper:g}"
        raise RobotFileError(draft.path, problem, field=f"{field}.lower")
    home = angle(row, "home") or 0.0
    if row.home is not None and not lower <= home <= upper:
        problem = f"must lie within the limits {lower:g} to {upper:g}, found {home:g}"
        raise RobotFileError(draft.path, problem, field=f"{field}.home")
    return {"limited": "true", "range": written(lower, upper)}
