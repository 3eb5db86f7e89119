"""Reading a robot from a file of any known format, in this process."""

from __future__ import annotations

from pathlib import Path

from farhand.formats.file_access import Files
from farhand.formats.finish import finish
from farhand.formats.model import RobotModel
from farhand.formats.reader_registry import choose
from farhand.formats.size_limits import DEFAULT_LIMITS, SizeLimits

__all__ = ["read_robot"]


def read_robot(
    path: Path | str,
    *,
    base: str | None = None,
    tip: str | None = None,
    root: Path | str | None = None,
    options: SizeLimits = DEFAULT_LIMITS,
) -> RobotModel:
    """Read a robot from URDF, MJCF or TOML, chosen by the file's content.

    For files of unknown origin use `read_robot_guarded`: here a parser's crash ends the process.

    Args:
        path: The file.
        base: Link whose frame is the base; None takes the root.
        tip: Link, body or site that is the tip; None chooses, with a note.
        root: The only folder to read files from; None chooses (see `farhand.formats.file_access`).
        options: Limits.

    Raises:
        RobotFileError: If the file, or one it refers to, is wrong.
    """
    files = Files(Path(path), Path(root) if root is not None else None, options)
    return finish(choose(files).read(files), base, tip, options)
