"""Signals that viewers plot: the cell samples all chosen signals, and each viewer gets their own."""

from __future__ import annotations

import numpy as np

from farhand.server.gateway.hub.cell_view import CellView
from farhand.server.gateway.hub.orders import Orders
from farhand.server.gateway.viewer import Viewer
from farhand.server.protocol.internal_messages import Done, Frame, Listening
from farhand.server.protocol.messages import Signals

__all__ = ["Samples"]


class Samples:
    """The sampled signals of one cell.

    Args:
        view: The gateway's view of the cell.
        orders: Orders to the cell.
    """

    def __init__(self, view: CellView, orders: Orders) -> None:
        self._view, self._orders = view, orders
        self._listening: tuple[str, ...] = ()

    def cell_restarted(self) -> None:
        """Order the samples again: a new process of the cell has started."""
        self._listening = ()
        self.relisten()

    def listen(self, viewer: Viewer, signals: tuple[str, ...]) -> None:
        """Set the signals of a viewer."""
        viewer.signals = tuple(name for name in signals if self._may_hear(viewer, name))
        self.relisten()

    def relisten(self) -> None:
        """Order the cell to sample the signals of all viewers."""
        viewers = self._view.viewers.values()
        wanted = tuple(dict.fromkeys(name for viewer in viewers for name in viewer.signals))
        if wanted != self._listening:
            self._listening = wanted
            self._orders.send(Listening(wanted), _nobody_waits)

    def share(self, frame: Frame) -> None:
        """Send each viewer the samples of their signals."""
        if not frame.signals:
            return
        table = np.frombuffer(frame.samples, dtype="<f4").reshape(-1, len(frame.signals))
        for viewer in self._view.viewers.values():
            wanted = [name for name in viewer.signals if self._may_hear(viewer, name)]
            columns = [i for i, name in enumerate(frame.signals) if name in wanted]
            if columns and not viewer.crowded:
                names = tuple(frame.signals[i] for i in columns)
                viewer.tell(Signals(tick=frame.first, names=names, values=table[:, columns].tobytes()))

    def _may_hear(self, viewer: Viewer, name: str) -> bool:
        """Return whether a viewer may plot a signal: a trainee only those of the trainees' scene."""
        told = self._view.trainees
        return not viewer.exam or (told is not None and any(signal.name == name for signal in told.signals))


def _nobody_waits(done: Done) -> None:
    """Ignore an answer."""
    del done
