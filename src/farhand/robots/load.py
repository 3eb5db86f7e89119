"""Loading a robot by its name in the catalogue or by the path of its file."""

from __future__ import annotations

from pathlib import Path

from farhand.errors import UnknownNameError
from farhand.formats import RobotModel, read_robot, read_robot_guarded
from farhand.formats.motor_strength import fitted
from farhand.robots.catalogue import robot_files

__all__ = ["load_robot"]

_SUFFIXES = (".toml", ".urdf", ".xml", ".mjcf", ".xacro")


def load_robot(
    name_or_path: str | Path, *, tip: str | None = None, base: str | None = None, tool: str | None = None
) -> RobotModel:
    """Load a robot from the catalogue by name, or from a file (in a child process with limits) by path.

    Args:
        name_or_path: A name of `robot_names`, or the path of a URDF, MJCF or TOML file.
        tip: Link, body or site that is the tip; None chooses.
        base: Link whose frame is the base; None takes the root.
        tool: A tool of `tool_names` for the tip.

    Raises:
        UnknownNameError: If no robot or tool has that name.
        RobotFileError: If the file is wrong.
    """
    files = robot_files()
    if str(name_or_path) in files:
        return _with_tool(read_robot(files[str(name_or_path)], base=base, tip=tip), tool)
    if not _is_path(name_or_path):
        raise UnknownNameError("robot", str(name_or_path), files)
    return fitted(_with_tool(read_robot_guarded(name_or_path, base=base, tip=tip), tool))


def _with_tool(model: RobotModel, tool: str | None) -> RobotModel:
    if tool is None:
        return model
    from farhand.robots.tools import attach_tool

    return attach_tool(model, tool)


def _is_path(text: str | Path) -> bool:
    try:
        return isinstance(text, Path) or text.endswith(_SUFFIXES) or "/" in text or Path(text).is_file()
    except (OSError, ValueError):  # too long, or not a valid path: it can only be a name
        return False
