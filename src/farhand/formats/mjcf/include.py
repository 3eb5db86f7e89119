"""Replacing ``<include file=…>`` by the files' content, and merging sections of the same name."""

from __future__ import annotations

from pathlib import Path

from farhand.errors import RobotFileError
from farhand.formats.file_access import Files
from farhand.formats.xmltext import Element, parse_xml

__all__ = ["expanded", "merged"]

_DEEPEST = 8
_SECTIONS = ("asset", "worldbody", "contact", "equality", "tendon", "actuator")


def expanded(element: Element, files: Files, depth: int = 0, beside: Path | None = None) -> None:
    """Replace every ``<include>`` below an element, in place.

    Args:
        element: The element.
        files: The files that may be read.
        depth: Number of nested includes so far.
        beside: Folder of the included file that the element comes from, where its own includes are searched too.
    """
    for index, child in reversed(list(enumerate(element))):
        if child.tag != "include":
            expanded(child, files, depth, beside)
            continue
        if depth >= _DEEPEST:
            raise RobotFileError(files.path, f"<include> is nested more than {_DEEPEST} deep")
        path = files.find(child.get("file", ""), files.path.parent, "include", beside)
        inner = parse_xml(files.read(path), path, files.limits)
        expanded(inner, files, depth + 1, path.parent)
        element.remove(child)
        for offset, part in enumerate(inner):
            element.insert(index + offset, part)


def merged(mjcf: Element) -> None:
    """Merge sections of the same name; add missing ones."""
    for tag in _SECTIONS:
        sections = mjcf.findall(tag)
        if not sections:
            mjcf.append(Element(tag))
        for extra in sections[1:]:
            sections[0].extend(list(extra))
            mjcf.remove(extra)
