"""The catalogue of robots and tools, and loading of any robot by name or by path."""

from __future__ import annotations

from farhand.robots.catalogue import robot_names, tool_names
from farhand.robots.load import load_robot
from farhand.robots.summaries import robot_summaries, tool_summaries

__all__ = ["load_robot", "robot_names", "robot_summaries", "tool_names", "tool_summaries"]
