"""Optional parts of an installation, as ``pip install 'farhand[server]'`` adds them to the engine.

The engine alone has kinematics, distances, planning, cells and robots from files. Code that needs more calls
`require_extra`, which says how to install it.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec

from farhand.errors import FarhandError

__all__ = ["EXTRAS", "MissingExtraError", "has_extra", "install_hint", "require_extra"]

EXTRAS = {
    "server": ("starlette", "uvicorn", "websockets", "zenoh"),
    "records": ("mcap", "sqlalchemy", "zstandard"),
    "data": ("pyarrow",),
    "voice": ("pocketsphinx",),
    "cameras": ("simplejpeg", *(("OpenGL",) if sys.platform.startswith("linux") else ())),
    "bench": ("farhand_bench",),
}
"""Import names of the packages that each extra adds; `uvloop` is left out, which is used only where it is installed."""


class MissingExtraError(FarhandError, ImportError):
    """A part of Farhand that is not installed; the message says how to install it."""


def has_extra(extra: str) -> bool:
    """Return whether every package of an extra is installed; nothing is imported."""
    return all(find_spec(package) is not None for package in EXTRAS[extra])


def install_hint(extra: str) -> str:
    """Return the command that installs an extra."""
    return f"pip install 'farhand[{extra}]'"


def require_extra(extra: str, need: str) -> None:
    """Check that an extra is installed.

    Args:
        extra: Its name.
        need: A clause that says who needs what, as "driving in the browser needs the server".

    Raises:
        MissingExtraError: It is not installed.
    """
    if not has_extra(extra):
        raise MissingExtraError(f"{need}: {install_hint(extra)}")
