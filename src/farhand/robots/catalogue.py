"""The robots and tools of the catalogue: one folder each; other packages add theirs by entry points.

A folder ``robots/NAME/`` with a ``robot.toml``, ``robot.urdf`` or ``robot.xml`` is a robot. Another package adds one by
an entry point of the group ``farhand.robots`` whose object is the path of such a file, or a function that returns it.
"""

from __future__ import annotations

from importlib.metadata import entry_points
from pathlib import Path

__all__ = ["robot_files", "robot_names", "tool_folders", "tool_names"]

_HERE = Path(__file__).parent
_FILES = ("robot.toml", "robot.urdf", "robot.xml")
_GROUP = "farhand.robots"


def robot_files() -> dict[str, Path]:
    """Return the file of every robot of the catalogue, by name."""
    found: dict[str, Path] = {}
    for folder in sorted(_HERE.iterdir()):
        for name in _FILES:
            if (folder / name).is_file():
                found.setdefault(folder.name, folder / name)
    for point in entry_points(group=_GROUP):
        target = point.load()
        found.setdefault(point.name, Path(target() if callable(target) else target))
    return found


def robot_names() -> list[str]:
    """Return the names of the robots of the catalogue, sorted."""
    return sorted(robot_files())


def tool_folders() -> dict[str, Path]:
    """Return the folder of every tool, by name."""
    return {f.name: f for f in sorted((_HERE / "tools").iterdir()) if (f / "tool.toml").is_file()}


def tool_names() -> list[str]:
    """Return the names of the tools, sorted."""
    return sorted(tool_folders())
