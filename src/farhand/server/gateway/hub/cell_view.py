"""What a hub knows of its cell just now, and who looks at it."""

from __future__ import annotations

from farhand.server.gateway.viewer import Viewer
from farhand.server.protocol.internal_messages import Frame
from farhand.server.protocol.messages import Scene

__all__ = ["CellView"]


class CellView:
    """What the parts of a hub look at; only the hub itself changes it.

    Attributes:
        scene: What the cell is like, once it has told.
        trainees: The same as a trainee in an exam may know it.
        frame: What the cell said last.
        viewers: Who looks at it, by number.
    """

    def __init__(self) -> None:
        self.scene: Scene | None = None
        self.trainees: Scene | None = None
        self.frame: Frame | None = None
        self.viewers: dict[int, Viewer] = {}
