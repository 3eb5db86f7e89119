"""Finds what OpenGL this machine has: EGL, or OSMesa, which draws with the processor alone. Tried, not guessed.

``python -m farhand.server.pictures.gl_backend`` says which one it is, or what to install. Only the
picture process imports this, and OpenGL only inside of functions: without the libraries even an import can fail.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

__all__ = ["NO_GL", "NoGlError", "open_context"]

NO_GL = (
    "The server cannot draw pictures: it found neither EGL nor OSMesa. On Debian or Ubuntu: "
    "apt-get install libegl1 libgl1-mesa-dri, or apt-get install libosmesa6."
)
LINUX = (("EGL", "mujoco.egl", "egl"), ("OSMesa", "mujoco.osmesa", "osmesa"))
ELSEWHERE = (("Core OpenGL", "mujoco.cgl", ""), ("GLFW", "mujoco.glfw", ""))
SMALL = 64  # pixels of the window that some of them want


class NoGlError(Exception):
    """Nothing here can draw."""


def open_context(wanted: str = "") -> tuple[str, Any]:
    """Return what draws, and its context, which is current from now on.

    Args:
        wanted: "EGL" or "OSMesa", if it must be that.

    Raises:
        NoGlError: Nothing here can draw; a sentence says what to install.
    """
    tried = []
    for name, make in _kinds():
        if wanted and name != wanted:
            continue
        try:
            context = make()
            context.make_current()
        except Exception as error:  # noqa: BLE001 - libraries that are missing or too old fail in every way there is
            tried.append(f"{name}: {type(error).__name__}: {str(error).splitlines()[0][:120] if str(error) else ''}")
        else:
            return name, context
    raise NoGlError(f"{NO_GL} ({'; '.join(tried)})" if tried else NO_GL)


def _kinds() -> Iterator[tuple[str, Callable[[], Any]]]:
    for name, module, platform in LINUX if sys.platform.startswith("linux") else ELSEWHERE:

        def make(module: str = module, platform: str = platform) -> Any:
            _forget_opengl()
            os.environ["PYOPENGL_PLATFORM"] = platform
            return import_module(module).GLContext(SMALL, SMALL)

        yield name, make


def _forget_opengl() -> None:
    """Let PyOpenGL be imported anew: it chooses a platform once, and one that failed would stay."""
    for module in [m for m in sys.modules if m == "OpenGL" or m.startswith(("OpenGL.", "mujoco.egl", "mujoco.osmesa"))]:
        del sys.modules[module]


def main() -> int:
    """Say what draws here."""
    try:
        by, _ = open_context()
    except NoGlError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(f"{by}\n")
    return 0


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)  # the driver's wrappers complain about the order in which an interpreter is taken down
