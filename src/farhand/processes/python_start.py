"""Start Python without the current directory on its path.

``python -m`` and ``python -c`` put the current directory first on ``sys.path``: a ``secrets.py`` in it would run in
place of Python's own. Start every child process through this module; a test looks for exceptions.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

__all__ = ["SAFE_PATH", "child_environment", "python_command", "use_safe_path"]

SAFE_PATH = "PYTHONSAFEPATH"  # Python's own variable: like `-P`, and inherited by grandchildren


def python_command(*arguments: str, python: str = "") -> list[str]:
    """Return the command that runs Python with these arguments, e.g. ``"-m", "farhand.cli"``.

    Args:
        arguments: Arguments of Python.
        python: The Python program; empty for the present one.
    """
    return [python or sys.executable, "-P", *arguments]


def child_environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment of a child, with a safe path for it and its own children."""
    return {**os.environ, SAFE_PATH: "1", **(more or {})}


def use_safe_path() -> None:
    """Give every child process from now on a safe path.

    Only for the command line: in a user's script the environment belongs to the user.
    """
    os.environ[SAFE_PATH] = "1"
