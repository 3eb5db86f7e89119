"""What the gateway knows of one cell, and what it does for those who look at it.

::

    cell ──Frame, Scene, Done──▶ CellHub ─┬─ showing: the scene, and updates of it ──▶ viewers
                                          ├─ journal: the log
                                          ├─ samples: signals that somebody plots
                                          └─ control: who controls which robot
    cell ◀──Order, sent until answered── orders ◀── commands ◀── viewers
"""

from farhand.server.gateway.hub.cell_hub import CellHub
from farhand.server.gateway.hub.orders import Wire

__all__ = ["CellHub", "Wire"]
