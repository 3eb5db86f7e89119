"""Vehicles on tracks: our own ``robot.toml`` with a ``[tracks]`` table, and the file of the arm that it carries."""

from __future__ import annotations

from msgspec.structs import replace

from farhand.errors import RobotFileError
from farhand.formats.camera_tables import cameras_of_file
from farhand.formats.compiling import text_of
from farhand.formats.draft import Draft
from farhand.formats.file_access import Files
from farhand.formats.finish import finish
from farhand.formats.model import RobotModel
from farhand.formats.reader_registry import reader
from farhand.formats.readers.dh_reader import read_dh
from farhand.formats.tracked.tracked_file import TrackedRobotFile, decode
from farhand.formats.tracked.tracked_tree import BASE, mount_arm, spec_of
from farhand.formats.xmltext import parse_xml

__all__ = ["read_tracked"]


@reader("tracked vehicle", (".toml",), (b"[tracks]",))
def read_tracked(files: Files) -> Draft:
    """Return the draft of a tracked vehicle's robot.toml; the file is complete, so the robot is ready."""
    file = decode(files.text, files.path)
    arm = _arm(files, file)
    mjcf = mount_arm(file, parse_xml(arm.mjcf.encode(), files.path, files.limits), files.path)
    tracks, name = spec_of(file.tracks), file.name or files.path.parent.name
    mjcf.set("model", name)
    robot = replace(
        arm,
        name=name,
        summary=file.summary,
        mjcf=text_of(mjcf),
        arm=replace(arm.arm, base=BASE),
        tracks=tracks,
        cameras=cameras_of_file(file.cameras, files.path),
        wrist=file.wrist or arm.wrist,
        rest=arm.rest | {joint.name: joint.home for joint in tracks.flippers},
    )
    return Draft(path=files.path, name=name, mjcf=mjcf, summary=file.summary, ready=robot)


def _arm(files: Files, file: TrackedRobotFile) -> RobotModel:
    """Return the arm alone, as if it stood on the floor."""
    path = files.find(file.arm, files.path.parent, "arm")
    arm = finish(read_dh(Files(path, files.roots[0], files.limits)), None, None, files.limits)
    taken = {joint.name for joint in arm.arm.joints} & {joint.name for joint in spec_of(file.tracks).flippers}
    if taken:
        raise RobotFileError(path, f"its joints must not have the names of flippers: {', '.join(sorted(taken))}")
    return arm
