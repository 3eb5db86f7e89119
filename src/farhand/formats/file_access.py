"""Reading files below allowed folders only, with a budget of bytes.

Which folders are allowed:

- With `root` given: that folder, nothing else.
- Otherwise the nearest folder above the file (at most five levels up) that has a ``package.xml``; without one the
  file's own folder, or the one above it if its own is called ``urdf``, ``mjcf``, ``xml`` or the like, because such
  folders lie beside ``meshes``. A file cannot widen that by its content, such as references that begin with ``../``.
- Without `root` also packages named by ``package://``: see `farhand.formats.packages`.

Links are resolved first; their targets count.
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
MAX_PATH, MAX_NAME = 2000, 255  # characters of a reference, and of a name in it


class Files:
    """The files that one robot's description may read.

    Args:
        path: The description itself.
        root: The only folder to read from; None chooses one as described for this module.
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
            raise RobotFileError(self.path, f"refers to more files than the limit of {self.limits.files}")
        data = _bytes_of(path, real, self.bytes_left)
        self.bytes_left -= len(data)
        if self.bytes_left < 0:
            megabytes = self.limits.total_bytes / 1e6
            raise RobotFileError(self.path, f"its files are larger than the limit of {megabytes:.0f} MB together")
        return data

    def find(self, reference: str, folder: Path, field: str, beside: Path | None = None) -> Path:
        """Return the file for a reference (relative, absolute, ``file://``, ``package://``).

        Args:
            reference: The text in the file.
            folder: The folder to search first.
            field: Its place in the file, for errors.
            beside: The next folder to search: that of an included file.

        Raises:
            RobotFileError: If it does not exist or lies outside the allowed folders.
        """
        if "\0" in reference or not reference.strip():
            raise RobotFileError(self.path, f"expected the name of a file, found {reference!r}", field=field)
        reference = reference.strip().replace("\\", "/")
        if len(reference) > MAX_PATH or max(map(len, reference.split("/"))) > MAX_NAME:
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
        # for a renamed package folder the root is tried as well
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
        # without O_NONBLOCK a named pipe would block for ever
        descriptor = os.open(real, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise RobotFileError(path, "is not an ordinary file")
            return file.read(most + 1)
    except OSError as error:
        raise RobotFileError(path, f"cannot be read: {error.strerror or error}") from None
