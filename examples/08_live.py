"""Drive a live server from a program, as a page does: take control, hold the deadman, let go."""

import struct

from farhand.net.messages import Update
from farhand.net.started import started
from farhand.net.visitor import Visitor


def turned(update: Update) -> float:
    """Return where the first joint is, in radians."""
    return float(struct.unpack_from("<f", update.robots[0].joints)[0])


with started("irb120") as server, Visitor(server.address, name="A script") as me:
    print("Open", server.address.partition("#")[0], "to look on.")
    lease = me.take_control()
    print(lease.name, "controls", lease.robot)
    start = turned(me.wait(Update))
    me.drive(lambda update: turned(update) - start > 0.2, axes=(1.0,))
    me.hand()  # let go
    update = me.wait(Update, lambda update: update.robots[0].mode == "idle")
    print(f"turned by {turned(update) - start:.2f} rad, in {update.time:.1f} s of the cell's time")
