"""Safe reading of XML (no document types, no entities, limited size and depth), and numbers from attributes."""

from __future__ import annotations

import math
from pathlib import Path
from xml.etree import ElementTree as ET
from xml.parsers import expat

from farhand.errors import RobotFileError
from farhand.formats.size_limits import SizeLimits

__all__ = ["Element", "number", "numbers", "parse_xml", "written"]

Element = ET.Element

#: Nothing on a robot is longer, heavier or stronger than this in SI units.
_LARGEST = 1e6
_BODY_PARTS = ("body", "joint", "freejoint", "inertial", "geom", "site")


def parse_xml(data: bytes, path: Path, limits: SizeLimits) -> Element:
    """Return the root element.

    Raises:
        RobotFileError: If it is not well formed, has a document type or entities, is too large or nested too deeply.
    """
    builder = _Builder(path, limits)
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.data
    parser.StartDoctypeDeclHandler = builder.refuse
    try:
        parser.Parse(data, True)  # noqa: FBT003 - expat takes no keywords
        return builder.tree.close()
    except (expat.ExpatError, ValueError, LookupError, AssertionError) as error:
        raise RobotFileError(path, f"is not well-formed XML: {error}") from None


class _Builder:
    def __init__(self, path: Path, limits: SizeLimits) -> None:
        self.path, self.limits = path, limits
        self.tree = ET.TreeBuilder()
        self.depth = self.count = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.depth, self.count = self.depth + 1, self.count + 1
        if self.depth > self.limits.depth:
            parts = "bodies" if tag in _BODY_PARTS else "elements"
            raise RobotFileError(self.path, f"{parts} are nested deeper than the limit of {self.limits.depth}")
        if self.count > self.limits.elements:
            raise RobotFileError(self.path, f"has more XML elements than the limit of {self.limits.elements}")
        self.tree.start(tag, attributes)

    def end(self, tag: str) -> None:
        self.depth -= 1
        self.tree.end(tag)

    def data(self, text: str) -> None:
        self.tree.data(text)

    def refuse(self, *_: object) -> None:
        problem = "declares a document type or entities, which are not read; remove the <!DOCTYPE …> part"
        raise RobotFileError(self.path, problem)


def numbers(
    element: Element, attribute: str, count: int, path: Path, field: str, default: tuple[float, ...] | None = None
) -> tuple[float, ...]:
    """Return `count` finite numbers of an attribute.

    Args:
        element: The element.
        attribute: Its name.
        count: The number of values.
        path: The file, for the error.
        field: The place in the file, for the error.
        default: The value of a missing attribute; None makes it required.
    """
    text = element.get(attribute)
    if text is None:
        if default is None:
            raise RobotFileError(path, f"<{element.tag}> needs {attribute}=, which is missing", field=field)
        return default
    words = text.split()
    try:
        values = tuple(float(word) for word in words)
    except ValueError:
        values = ()
    if len(values) != count or not all(math.isfinite(v) and abs(v) <= _LARGEST for v in values):
        expected = "a finite number" if count == 1 else f"{count} finite numbers"
        problem = f"{attribute}= of <{element.tag}> must be {expected} of at most {_LARGEST:g}, found {text[:60]!r}"
        raise RobotFileError(path, problem, field=field)
    return values


def number(element: Element, attribute: str, path: Path, field: str, default: float | None = None) -> float:
    """Return one finite number of an attribute; see `numbers`."""
    return numbers(element, attribute, 1, path, field, None if default is None else (default,))[0]


def written(*values: float) -> str:
    """Return numbers as text of an attribute, without loss."""
    return " ".join(repr(float(v)) for v in values)
