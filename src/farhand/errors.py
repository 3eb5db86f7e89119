"""The errors that Farhand raises, as one small tree.

::

    FarhandError
    ├── FileError            a file with a wrong content
    │   ├── CellFileError    … a work cell's TOML file
    │   └── RobotFileError   … a robot's TOML, URDF or MJCF file, or a mesh of it
    ├── UnknownNameError     a name that no registry or scene has
    ├── WorldError           an edit or a state that the world refuses
    ├── DriveError           a drive that cannot hold its robot stably
    ├── PlanningError        no path was found, or its start or goal is blocked
    │   └── PlanningCancelledError   the plan is no longer needed
    ├── MissingExtraError    a part that is not installed (farhand.extras)
    └── CommandError         an argument that a function cannot accept

Every message says what was wrong, what was expected and, where it helps, which values were available.
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

MAX_PATH_CHARS = 400  # longest path that a message repeats in full


class FarhandError(Exception):
    """The base class of every error that Farhand raises on purpose."""


class CommandError(FarhandError):
    """An argument that a function cannot accept."""


class WorldError(FarhandError):
    """An edit or a state that the world refuses."""


class DriveError(FarhandError):
    """A drive that cannot hold its robot stably.

    Args:
        robot: The robot's name.
        problem: The problem, as part of a sentence without a full stop.
    """

    def __init__(self, robot: str, problem: str) -> None:
        self.robot, self.problem = robot, problem
        super().__init__(robot, problem)

    def __str__(self) -> str:
        return f"robot {self.robot!r}: {self.problem}"


class PlanningError(FarhandError):
    """No path was found, or its start or goal is blocked.

    Args:
        problem: The problem, as part of a sentence without a full stop.
        first: The link, or its payload, that is too near to a body; empty for other problems.
        second: The body that it is too near to.
    """

    def __init__(self, problem: str, *, first: str = "", second: str = "") -> None:
        self.problem, self.first, self.second = problem, first, second
        super().__init__(problem)


class PlanningCancelledError(PlanningError):
    """A plan was cancelled because it is no longer needed."""


class UnknownNameError(FarhandError):
    """An unknown name; the message lists the known ones and the likeliest.

    Args:
        kind: The kind of thing named, in the user's words ("robot", "master").
        name: The name given.
        known: The known names.
    """

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        self.kind, self.name, self.known = kind, name, sorted(known)
        listed = ", ".join(self.known) or "none"
        super().__init__(f"no {kind} is called {shown(name)}{_meant(name, self.known)}; there are: {listed}")


class FileError(FarhandError):
    """A file with a wrong content.

    Args:
        path: The file.
        problem: The value found and the value expected, as part of a sentence without a full stop.
        field: Place in the file, e.g. ``robots.arm.home[2]`` or ``line 3, column 9``.
        found: The value given, if a name may have been mistyped.
        known: The names that are valid there.
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
        place = f"{path}" if len(str(path)) <= MAX_PATH_CHARS else shown(path)
        where = f"{place}: {field if len(field) <= MAX_PATH_CHARS else shown(field)}" if field else place
        super().__init__(f"{where}: {problem}{_meant(found, sorted(known))}")


class CellFileError(FileError):
    """A work cell's file with a wrong content."""

    kind = "cell file"


class RobotFileError(FileError):
    """A robot's file, or a mesh it refers to, with a wrong content."""

    kind = "robot file"


def shown(text: object, most: int = 80) -> str:
    """Return a text in quotes for a message; of a long text only its two ends and its length."""
    whole = str(text)
    if len(whole) <= most:
        return repr(whole)
    half = most // 2
    return f"{whole[:half]!r} … {whole[-half:]!r} ({len(whole)} characters)"


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name nearest to a mistyped one, or None."""
    lower = {k.lower(): k for k in known}
    close = difflib.get_close_matches(name.lower(), lower, n=1, cutoff=0.6)
    return lower[close[0]] if close else None


def _meant(name: str, known: list[str]) -> str:
    guess = nearest(name, known) if name else None
    return f" (did you mean {guess!r}?)" if guess else ""
