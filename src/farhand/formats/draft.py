"""A robot on its way from a file to a `RobotModel`: an MJCF document, and what the file says beyond MJCF."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree as ET

from farhand.formats.model import CameraSpec, RobotModel, WristSpec
from farhand.types import Note, Subject

__all__ = ["Draft", "JointHint"]


@dataclass(frozen=True)
class JointHint:
    """What a file says of a joint that MJCF has no place for; None where it says nothing."""

    velocity: float | None = None
    acceleration: float | None = None
    jerk: float | None = None
    effort: float | None = None
    home: float | None = None
    label: str = ""
    link: str = ""


@dataclass
class Draft:
    """What a format's reader hands to the common finishing steps.

    Args:
        path: The file it came from.
        name: The robot's name.
        mjcf: The ``<mujoco>`` element; meshes are named as in `assets`.
        summary: One sentence about the robot.
        assets: Mesh and texture files by name.
        hints: By joint name.
        aliases: Names of the file that had to be changed, with the name in `mjcf`.
        driven: Joints that the file itself gives a drive; None if it does not say.
        tip: Name of the tip's body or site if the file says it.
        cameras: What the robot looks through.
        wrist: Its own force sensor, if it has one.
        ready: The robot itself, if the file says everything and nothing is left to choose.
        notes: What was assumed.
    """

    path: Path
    name: str
    mjcf: ET.Element
    summary: str = ""
    assets: dict[str, bytes] = field(default_factory=dict)
    hints: dict[str, JointHint] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    driven: frozenset[str] | None = None
    tip: str | None = None
    cameras: tuple[CameraSpec, ...] = ()
    wrist: WristSpec | None = None
    ready: RobotModel | None = None
    notes: list[Note] = field(default_factory=list)

    def note(self, code: str, text: str) -> None:
        """Add a note for the user, in the words of the reader: a part of the file, a sentence."""
        self.notes.append(Note(f"robot.{code}", about=(Subject("detail", text),)))

    @property
    def worldbody(self) -> ET.Element:
        """The ``<worldbody>`` element."""
        found = self.mjcf.find("worldbody")
        assert found is not None
        return found
