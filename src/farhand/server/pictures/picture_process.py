"""``python -m farhand.server.pictures.picture_process``: draw pictures for the gateway, until its pipe ends."""

from __future__ import annotations

import os
import signal
import sys
import time
from typing import TYPE_CHECKING, BinaryIO

from farhand.extras import has_extra, install_hint
from farhand.server.lifecycle.priority import come_last
from farhand.server.pictures.gl_backend import NoGlError, open_context
from farhand.server.pictures.picture_messages import (
    FromStudio,
    Picture,
    PicturesReady,
    PictureStage,
    PicturesUnable,
    Shot,
    packed,
    received,
)

if TYPE_CHECKING:
    from farhand.server.pictures.painter import Painter

__all__ = ["main"]

MAX_CELLS = 8  # whose scenes are kept


def main() -> int:
    """Find an OpenGL backend, then draw each requested picture."""
    come_last()  # before the driver starts its threads: no tick waits for a picture
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends this process by its pipe
    said = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # a driver's own output must not mix with messages
    if not has_extra("cameras"):
        _say(said, PicturesUnable(reason=f"Camera pictures are not installed on the server: {install_hint('cameras')}"))
        return 1
    try:
        by, context = open_context()
        from farhand.server.pictures.painter import Painter
    except (NoGlError, ImportError) as error:
        _say(said, PicturesUnable(reason=str(error)))
        return 1
    _say(said, PicturesReady(by=by))
    painters: dict[str, Painter] = {}
    while (message := received(sys.stdin.buffer)) is not None:
        if isinstance(message, PictureStage):
            _set(painters, Painter, message)
        else:
            _say(said, _picture(painters, message))
    del context
    return 0


def _set(painters: dict[str, Painter], make: type[Painter], stage: PictureStage) -> None:
    """Replace the scene of a cell; beyond `MAX_CELLS` drop the oldest one."""
    if stage.cell in painters:
        painters.pop(stage.cell).close()
    while len(painters) >= MAX_CELLS:
        painters.pop(next(iter(painters))).close()
    painters[stage.cell] = make(stage)


def _picture(painters: dict[str, Painter], shot: Shot) -> Picture:
    if shot.cell not in painters:
        return Picture(id=shot.id, problem=f"There is no scene of cell {shot.cell!r} to draw.")
    begin = time.process_time()
    try:
        jpeg = painters[shot.cell].jpeg(shot)
        return Picture(id=shot.id, jpeg=jpeg, spent=time.process_time() - begin)
    except (ValueError, RuntimeError, LookupError) as error:
        return Picture(id=shot.id, problem=f"The picture could not be drawn: {error}.")


def _say(pipe: BinaryIO, message: FromStudio) -> None:
    pipe.write(packed(message))
    pipe.flush()


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    # The normal shutdown makes the driver's wrappers print errors.
    os._exit(code)
