"""A robot between its file and a `RobotModel`: an MJCF document, and data of the file beyond MJCF."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree as ET

from farhand.formats.model import CameraSpec, RobotModel, WristSpec
from farhand.types import Note, Subject

__all__ = ["Draft", "JointHint"]


@dataclass(frozen=True)
class JointHint:
    """Data of a joint that MJCF has no place for; None if the file gives none."""

    velocity: float | None = None
    acceleration: float | None = None
    jerk: float | None = None
    effort: float | None = None
    home: float | None = None
    label: str = ""
    link: str = ""


@dataclass
class Draft:
    """The result of a format's reader, for the common finishing steps.

    Args:
        path: The file it came from.
        name: The robot's name.
        mjcf: The ``<mujoco>`` element; meshes are named as in `assets`.
        summary: One sentence about the robot.
        assets: Mesh and texture files by name.
        hints: By joint name.
        aliases: Changed names: the name in `mjcf` by the name in the file.
        driven: Joints with a drive in the file; None if it has no drives.
        tip: Name of the tip's body or site, if the file gives it.
        cameras: The robot's cameras.
        wrist: Its own force sensor, if it has one.
        ready: The robot itself, if the file is complete and nothing is left to choose.
        notes: Assumptions of the reader.
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
        """Add a note for the user, with a sentence of the reader."""
        self.notes.append(Note(f"robot.{code}", about=(Subject("detail", text),)))

    @property
    def worldbody(self) -> ET.Element:
        """The ``<worldbody>`` element."""
        found = self.mjcf.find("worldbody")
        assert found is not None
        return found
