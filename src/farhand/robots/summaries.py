"""One sentence about each robot and tool of the catalogue, without reading the whole file."""

from __future__ import annotations

import tomllib
from pathlib import Path

from farhand.robots.catalogue import robot_files, tool_folders

__all__ = ["robot_summaries", "tool_summaries"]


def robot_summaries() -> dict[str, str]:
    """Return a sentence about each robot, by name."""
    return {name: _summary(path) for name, path in robot_files().items()}


def tool_summaries() -> dict[str, str]:
    """Return a sentence about each tool, by name."""
    return {name: _summary(folder / "tool.toml") for name, folder in tool_folders().items()}


def _summary(path: Path) -> str:
    """Return the summary in a TOML file; other formats have no place for one."""
    if path.suffix != ".toml":
        return f"Read from {path.name}."
    return str(tomllib.loads(path.read_text(encoding="utf-8")).get("summary", ""))
