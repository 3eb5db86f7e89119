"""Reading files below allowed folders only, with a budget of bytes.

Which folders are allowed:

- With `root` given: that folder, nothing else.
- Otherwise the nearest folder above the file (at most five levels up) that has a ``package.xml``; without one the
  file's own folder, or the one above it where its own is called ``urdf``, ``mjcf``, ``xml`` or the like, because such
  folders lie beside ``meshes``. A file cannot widen that by what it says, say by references that begin with ``../``.
- Without `root` also packages named by ``package://``: see `farhand.formats.packages`.

Links are followed first and judged by where they lead.
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path
from urllib.parse import unquote

from farhand.errors import RobotFileError, shown
from farhand.formats.packages import package_folders
from farhand.formats.size_limits import DEFAULT_LIMITS, SizeLimits

__all__ = ["Files", "default_root"]

_LEVELS_UP = 5
_INNER_FOLDERS = re.compile(r"urdf|sdf|mjcf|xml|xacro|robots?|models?|scenes?", re.IGNORECASE)
LONGEST_PATH, LONGEST_NAME = 2000, 255  # characters of a reference, and of a name in it


class Files:
    """The files that one robot's description may read.

    Args:
        path: The description itself.
        root: The only folder to read below; None chooses as the module's docstring says.
        limits: The budget.
    """

    def __init__(self, path: Path, root: Path | None = None, limits: SizeLimits = DEFAULT_LIMITS) -> None:
        self.path, self.limits = path, limits
        self.bytes_left, self.files_left = limits.total_bytes, limits.files
        self.explicit = root is not None
        self.roots = [root.resolve() if root else path.resolve().parent]
        self.text = self.read(path)
        if not self.explicit:
            self.roots = [default_root(path.resolve())]

    def read(self, path: Path) -> bytes:
        """Return a file's bytes, if it lies below an allowed folder and the budget allows it."""
        real = self._allowed(path)
        self.files_left -= 1
        if self.files_left < 0:
            raise RobotFileError(self.path, f"refers to more than {self.limits.files} files, which is the limit")
        data = _bytes_of(path, real, self.bytes_left)
        self.bytes_left -= len(data)
        if self.bytes_left < 0:
            megabytes = self.limits.total_bytes / 1e6
            raise RobotFileError(self.path, f"its files hold more than {megabytes:.0f} MB together, which is the limit")
        return data

    def find(self, reference: str, folder: Path, field: str, beside: Path | None = None) -> Path:
        """Return the file that a reference (relative, absolute, ``file://``, ``package://``) means.

        Args:
            reference: As the file has it.
            folder: Where it is looked for first.
            field: Where in the file it is, for errors.
            beside: Where it is looked for next: the folder of an included file.

        Raises:
            RobotFileError: It does not exist or lies outside the allowed folders.
        """
        if "\0" in reference or not reference.strip():
            raise RobotFileError(self.path, f"expected the name of a file, found {reference!r}", field=field)
        reference = reference.strip().replace("\\", "/")
        if len(reference) > LONGEST_PATH or max(map(len, reference.split("/"))) > LONGEST_NAME:
            problem = f"expected the name of a file, found {shown(reference)}"
            raise RobotFileError(self.path, problem, field=field)
        if reference.startswith(("package://", "model://")):
            return self._in_package(reference.partition("://")[2], field)
        if reference.startswith("file://"):
            return self._existing([Path(unquote(reference[7:]))], reference, field)
        if "://" in reference:
            raise RobotFileError(self.path, f"{reference!r} is not a file; expected a path or package://", field=field)
        places = [folder, *([beside] if beside else [])]
        return self._existing(
            [*(place / reference for place in places), self.roots[0] / reference.lstrip("/")], reference, field
        )

    def _in_package(self, rest: str, field: str) -> Path:
        package, _, inner = rest.partition("/")
        folders = package_folders(package, self.path.resolve(), self.roots[0], outside=not self.explicit)
        # A package folder that was renamed is still found: its own root stands in for it.
        candidates = [f / inner for f in folders] + [self.roots[0] / inner, self.roots[0] / package / inner]
        for folder in folders:
            if folder not in self.roots:
                self.roots.append(folder)
        return self._existing(candidates, f"package://{rest}", field)

    def _existing(self, candidates: list[Path], reference: str, field: str) -> Path:
        outside = False
        for candidate in candidates:
            try:
                real = self._allowed(candidate)
            except RobotFileError:
                outside = True
                continue
            if real.is_file():
                return real
        if outside:
            problem = (
                f"{reference!r} lies outside {self.roots[0]}; only files below that folder are read. Put them there"
            )
            problem += ", or a package.xml into the folder that holds all of them"
            raise RobotFileError(self.path, problem, field=field)
        raise RobotFileError(self.path, f"there is no file {reference!r} (looked below {self.roots[0]})", field=field)

    def _allowed(self, path: Path) -> Path:
        try:
            real = path.resolve()
        except (OSError, RuntimeError, ValueError) as error:
            raise RobotFileError(self.path, f"{path} cannot be followed: {error}") from None
        if not any(real.is_relative_to(root) for root in self.roots):
            raise RobotFileError(self.path, f"{path} lies outside {self.roots[0]}; only files below it are read")
        return real


def default_root(path: Path) -> Path:
    """Return the folder below which a description at `path` may read."""
    for folder in list(path.parents)[:_LEVELS_UP]:
        if (folder / "package.xml").is_file():
            return folder
    if _INNER_FOLDERS.fullmatch(path.parent.name) and len(path.parent.parent.parts) > 2:
        return path.parent.parent
    return path.parent


def _bytes_of(path: Path, real: Path, most: int) -> bytes:
    try:
        # Without O_NONBLOCK a named pipe would hold us up for ever.
        descriptor = os.open(real, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise RobotFileError(path, "is not an ordinary file")
            return file.read(most + 1)
    except OSError as error:
        raise RobotFileError(path, f"cannot be read: {error.strerror or error}") from None
