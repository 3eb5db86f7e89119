"""MJCF, MuJoCo's own format; the robot is taken out of its scene."""

from __future__ import annotations

from farhand.errors import RobotFileError
from farhand.formats.document import give_names
from farhand.formats.draft import Draft
from farhand.formats.file_access import Files
from farhand.formats.mjcf.assets import take_assets
from farhand.formats.mjcf.drives import take_drives
from farhand.formats.mjcf.include import expanded, merged
from farhand.formats.mjcf.scene_parts import refuse_generators, strip_scene
from farhand.formats.reader_registry import reader
from farhand.formats.xmltext import parse_xml

__all__ = ["read_mjcf"]


@reader("MJCF", (".mjcf", ".xml"), (b"<mujoco",))
def read_mjcf(files: Files) -> Draft:
    """Return the draft of an MJCF file."""
    mjcf = parse_xml(files.text, files.path, files.limits)
    if mjcf.tag != "mujoco":
        raise RobotFileError(files.path, f"the outermost element must be <mujoco>, found <{mjcf.tag}>")
    expanded(mjcf, files)
    merged(mjcf)
    name = mjcf.get("model") or files.path.stem
    draft = Draft(path=files.path, name=name, mjcf=mjcf)
    refuse_generators(draft)
    give_names(draft)
    take_assets(draft, files)
    take_drives(draft)
    strip_scene(draft)
    return draft
