"""The gateway's view of a cell: scene, newest frame and viewers."""

from __future__ import annotations

from farhand.server.gateway.viewer import Viewer
from farhand.server.protocol.internal_messages import Frame
from farhand.server.protocol.messages import Scene

__all__ = ["CellView"]


class CellView:
    """State that the parts of a hub share; only the hub changes it.

    Attributes:
        scene: Scene of the cell; None before it is known.
        trainees: The scene as a trainee in an exam gets it.
        frame: Newest frame.
        viewers: Viewers of the cell, by number.
    """

    def __init__(self) -> None:
        self.scene: Scene | None = None
        self.trainees: Scene | None = None
        self.frame: Frame | None = None
        self.viewers: dict[int, Viewer] = {}
