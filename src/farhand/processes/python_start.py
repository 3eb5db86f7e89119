"""Start Python without the current directory on its path.

``python -m`` and ``python -c`` put the current directory first on ``sys.path``: a ``secrets.py`` that lies there would
be executed in place of Python's own. Every child of ours is started through this module; a test looks for others.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

__all__ = ["SAFE_PATH", "child_environment", "python_command", "use_safe_path"]

SAFE_PATH = "PYTHONSAFEPATH"  # Python's own name; as `-P`, and children of children inherit it


def python_command(*arguments: str, python: str = "") -> list[str]:
    """Return the command that runs Python with these arguments, e.g. ``"-m", "farhand.cli"``.

    Args:
        arguments: Of Python.
        python: Its program; empty: the one that runs now.
    """
    return [python or sys.executable, "-P", *arguments]


def child_environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return our environment for a child, with a safe path for it and for its own children."""
    return {**os.environ, SAFE_PATH: "1", **(more or {})}


def use_safe_path() -> None:
    """Give every child that is started from now on a safe path.

    For the command line alone: in a script of the user's, the environment is the user's.
    """
    os.environ[SAFE_PATH] = "1"
