"""What can go wrong, as one small tree.

::

    FarhandError
    ├── FileError            a file we were given is not what it should be
    │   ├── CellFileError    … a work cell's TOML file
    │   └── RobotFileError   … a robot's TOML, URDF or MJCF file, or a mesh of it
    ├── UnknownNameError     a name that no registry or scene has
    ├── WorldError           an edit or a state the world cannot take
    ├── DriveError           a drive that would not hold its robot stably
    ├── PlanningError        no way was found, or its start or goal is blocked
    │   └── PlanningCancelledError   nobody wanted the plan any more
    └── CommandError         a value given to a function that it cannot work with

Every message says what was wrong, what was expected and, where it helps, what was available.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path

__all__ = [
    "CellFileError",
    "CommandError",
    "DriveError",
    "FarhandError",
    "FileError",
    "PlanningCancelledError",
    "PlanningError",
    "RobotFileError",
    "UnknownNameError",
    "WorldError",
    "nearest",
    "shown",
]

MAX_PATH = 400  # characters of a path that a message repeats in full


class FarhandError(Exception):
    """The base of every error that Farhand raises on purpose."""


class CommandError(FarhandError):
    """A value given to a function is not one it can work with."""


class WorldError(FarhandError):
    """The world cannot take this edit or this state."""


class DriveError(FarhandError):
    """A drive would not hold its robot stably.

    Args:
        robot: The robot's name.
        problem: What is wrong, as a sentence part without a full stop.
    """

    def __init__(self, robot: str, problem: str) -> None:
        self.robot, self.problem = robot, problem
        super().__init__(robot, problem)

    def __str__(self) -> str:
        return f"robot {self.robot!r}: {self.problem}"


class PlanningError(FarhandError):
    """No way was found, or its start or goal is blocked.

    Args:
        problem: What is wrong, as a sentence part without a full stop.
        first: The link, or what it carries, that is too near to something; empty if that is not the problem.
        second: What it is too near to.
    """

    def __init__(self, problem: str, *, first: str = "", second: str = "") -> None:
        self.problem, self.first, self.second = problem, first, second
        super().__init__(problem)


class PlanningCancelledError(PlanningError):
    """The plan was given up because nobody wanted it any more."""


class UnknownNameError(FarhandError):
    """A name that is not known; says which are, and which one was probably meant.

    Args:
        kind: What the name should name, as the user would call it ("robot", "master").
        name: The name that was given.
        known: The names there are.
    """

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        self.kind, self.name, self.known = kind, name, sorted(known)
        listed = ", ".join(self.known) or "none"
        super().__init__(f"no {kind} is called {shown(name)}{_meant(name, self.known)}; there are: {listed}")


class FileError(FarhandError):
    """A file is not what it should be.

    Args:
        path: The file.
        problem: What was found and what was expected, as a sentence part without a full stop.
        field: Where in the file, e.g. ``robots.arm.home[2]`` or ``line 3, column 9``.
        found: The value as given, if a name may have been mistyped.
        known: The names that would have been valid there.
    """

    kind = "file"

    def __init__(
        self,
        path: Path | str,
        problem: str,
        *,
        field: str = "",
        found: str = "",
        known: Iterable[str] = (),
    ) -> None:
        self.path, self.problem, self.field = Path(path), problem, field
        place = f"{path}" if len(str(path)) <= MAX_PATH else shown(path)
        where = f"{place}: {field if len(field) <= MAX_PATH else shown(field)}" if field else place
        super().__init__(f"{where}: {problem}{_meant(found, sorted(known))}")


class CellFileError(FileError):
    """A work cell's file is not what it should be."""

    kind = "cell file"


class RobotFileError(FileError):
    """A robot's file, or a mesh it refers to, is not what it should be."""

    kind = "robot file"


def shown(text: object, most: int = 80) -> str:
    """Return a text in quotes for a message; of a long one its two ends and its length."""
    whole = str(text)
    if len(whole) <= most:
        return repr(whole)
    half = most // 2
    return f"{whole[:half]!r} … {whole[-half:]!r} ({len(whole)} characters)"


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that `name` was probably meant to be, or None."""
    lower = {k.lower(): k for k in known}
    close = difflib.get_close_matches(name.lower(), lower, n=1, cutoff=0.6)
    return lower[close[0]] if close else None


def _meant(name: str, known: list[str]) -> str:
    guess = nearest(name, known) if name else None
    return f" (did you mean {guess!r}?)" if guess else ""
