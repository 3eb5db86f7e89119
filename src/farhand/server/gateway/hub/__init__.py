"""The gateway's part for one cell and its viewers.

::

    cell ──Frame, Scene, Done──▶ CellHub ─┬─ broadcaster: the scene and its updates ──▶ viewers
                                          ├─ journal: the log
                                          ├─ samples: signals that viewers plot
                                          └─ control: leases of the robots
    cell ◀──Order, sent until answered── orders ◀── commands ◀── viewers
"""

from farhand.server.gateway.hub.cell_hub import CellHub
from farhand.server.gateway.hub.orders import CellLink

__all__ = ["CellHub", "CellLink"]
