"""Drive a live server from a program, like a page: take control, hold the deadman, release it."""

import struct

from farhand.client import Client, running_server
from farhand.server.protocol.messages import Update


def height(update: Update) -> float:
    """Return the height of the tip above the robot's base, in metres."""
    return float(struct.unpack_from("<3f", update.robots[0].tip)[2])


with running_server("irb120") as server, Client(server.address, name="A script") as me:
    print("Open", server.address.partition("#")[0], "to watch.")
    lease = me.take_control()
    print(lease.name, "controls", lease.robot)
    start = height(me.wait(Update))
    me.drive(lambda update: height(update) - start > 0.05, axes=(0.0, 0.0, 1.0))
    me.send_reading()  # release the deadman
    update = me.wait(Update, lambda update: update.robots[0].mode == "idle")
    print(f"lifted by {1e3 * (height(update) - start):.0f} mm, in {update.time:.1f} s of the cell's time")
