"""Find an OpenGL backend that works here, by trying: EGL, or OSMesa, which draws on the processor alone.

``python -m farhand.server.pictures.gl_backend`` prints its name, or tells you which packages to install. Only the
picture process imports this module, and OpenGL only inside functions: without the libraries the import itself can fail.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

__all__ = ["NO_GL", "NoGlError", "open_context"]

NO_GL = (
    "The server cannot draw camera pictures: it found neither EGL nor OSMesa. On Debian or Ubuntu: "
    "apt-get install libegl1 libgl1-mesa-dri, or apt-get install libosmesa6."
)
LINUX = (("EGL", "mujoco.egl", "egl"), ("OSMesa", "mujoco.osmesa", "osmesa"))
ELSEWHERE = (("Core OpenGL", "mujoco.cgl", ""), ("GLFW", "mujoco.glfw", ""))
WINDOW_PIXELS = 64  # width and height of the window that some backends need


class NoGlError(Exception):
    """No OpenGL backend works on this machine."""


def open_context(wanted: str = "") -> tuple[str, Any]:
    """Return the name of a working backend and its context, which is made current.

    Args:
        wanted: "EGL" or "OSMesa"; empty: the first that works.

    Raises:
        NoGlError: No backend works; the message tells the user what to install.
    """
    tried = []
    for name, make in _kinds():
        if wanted and name != wanted:
            continue
        try:
            context = make()
            context.make_current()
        except Exception as error:  # noqa: BLE001 - missing or outdated libraries raise errors of any type
            tried.append(f"{name}: {type(error).__name__}: {str(error).splitlines()[0][:120] if str(error) else ''}")
        else:
            return name, context
    raise NoGlError(f"{NO_GL} ({'; '.join(tried)})" if tried else NO_GL)


def _kinds() -> Iterator[tuple[str, Callable[[], Any]]]:
    for name, module, platform in LINUX if sys.platform.startswith("linux") else ELSEWHERE:

        def make(module: str = module, platform: str = platform) -> Any:
            _forget_opengl()
            os.environ["PYOPENGL_PLATFORM"] = platform
            return import_module(module).GLContext(WINDOW_PIXELS, WINDOW_PIXELS)

        yield name, make


def _forget_opengl() -> None:
    """Unload PyOpenGL: it chooses its platform at import, and would keep one that failed."""
    for module in [m for m in sys.modules if m == "OpenGL" or m.startswith(("OpenGL.", "mujoco.egl", "mujoco.osmesa"))]:
        del sys.modules[module]


def main() -> int:
    """Print the name of the backend, or the packages to install."""
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
    os._exit(code)  # the normal shutdown makes the driver's wrappers print errors
