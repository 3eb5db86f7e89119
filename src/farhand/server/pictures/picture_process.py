"""``python -m farhand.server.pictures.picture_process``: draw pictures for the gateway, until its pipe ends."""

from __future__ import annotations

import os
import signal
import sys
import time
from typing import TYPE_CHECKING, BinaryIO

from farhand.extras import has_extra, install_hint
from farhand.server.lifecycle.priority import lower_priority
from farhand.server.pictures.gl_backend import NoGlError, open_context
from farhand.server.pictures.picture_messages import (
    FromRenderer,
    Picture,
    PictureRequest,
    PictureScene,
    PicturesReady,
    PicturesUnable,
    packed,
    received,
)

if TYPE_CHECKING:
    from farhand.server.pictures.camera_renderer import CameraRenderer

__all__ = ["main"]

MAX_CELLS = 8  # whose scenes are kept


def main() -> int:
    """Find an OpenGL backend, then draw each requested picture."""
    lower_priority()  # before the driver starts its threads: no tick waits for a picture
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends this process by its pipe
    said = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # a driver's own output must not mix with messages
    if not has_extra("cameras"):
        _say(said, PicturesUnable(reason=f"Camera pictures are not installed on the server: {install_hint('cameras')}"))
        return 1
    try:
        by, context = open_context()
        from farhand.server.pictures.camera_renderer import CameraRenderer
    except (NoGlError, ImportError) as error:
        _say(said, PicturesUnable(reason=str(error)))
        return 1
    _say(said, PicturesReady(by=by))
    renderers: dict[str, CameraRenderer] = {}
    while (message := received(sys.stdin.buffer)) is not None:
        if isinstance(message, PictureScene):
            _set(renderers, CameraRenderer, message)
        else:
            _say(said, _picture(renderers, message))
    del context
    return 0


def _set(renderers: dict[str, CameraRenderer], make: type[CameraRenderer], scene: PictureScene) -> None:
    """Replace the scene of a cell; beyond `MAX_CELLS` drop the oldest one."""
    if scene.cell in renderers:
        renderers.pop(scene.cell).close()
    while len(renderers) >= MAX_CELLS:
        renderers.pop(next(iter(renderers))).close()
    renderers[scene.cell] = make(scene)


def _picture(renderers: dict[str, CameraRenderer], request: PictureRequest) -> Picture:
    if request.cell not in renderers:
        return Picture(id=request.id, problem=f"There is no scene of cell {request.cell!r} to draw.")
    begin = time.process_time()
    try:
        jpeg = renderers[request.cell].jpeg(request)
        return Picture(id=request.id, jpeg=jpeg, spent=time.process_time() - begin)
    except (ValueError, RuntimeError, LookupError) as error:
        return Picture(id=request.id, problem=f"The picture could not be drawn: {error}.")


def _say(pipe: BinaryIO, message: FromRenderer) -> None:
    pipe.write(packed(message))
    pipe.flush()


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    # The normal shutdown makes the driver's wrappers print errors.
    os._exit(code)
