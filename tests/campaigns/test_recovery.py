"""Many kills of a gateway while a page drives: that page gets control back each time, and nobody else does.

Nightly. `FARHAND_SERVERS` is how many servers are started (6); each one's gateway is killed
`FARHAND_KILLS` times (at most 4).
"""

import os
import signal
from contextlib import suppress

from servers import LiveServer, Onlooker, drive_until, make_ready, turned, wait_until_ended
from websockets.exceptions import ConnectionClosed

from farhand.client.client import Client
from farhand.server.protocol.messages import Ask, Update
from farhand.types import SelectMapping

SERVERS = int(os.environ.get("FARHAND_SERVERS", "6"))
KILLS = min(4, int(os.environ.get("FARHAND_KILLS", "4")))  # more within half a minute would be too often
PAUSE_MS = 100
CLIENT = "driver-of-the-recovery-campaign"


def _drive(driver: Client) -> None:
    make_ready(driver)
    assert driver.command(SelectMapping("arm", "joints")).ok
    assert driver.update
    start = turned(driver.update)
    axes = (1.0 if start < 0.0 else -1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    drive_until(driver, lambda u: abs(turned(u) - start) > 0.05, axes)


def _wait_until_not_driven(page: Client) -> None:
    """Wait for the end of the driving that the kill cut off: a standby can be there before its last reading is old."""
    robot = page.wait(Update).robots[0]
    while robot.mode == "teleoperation":
        assert robot.age <= PAUSE_MS
        robot = page.wait(Update).robots[0]


def test_control_comes_back_every_time() -> None:
    back, epochs = 0, [0]
    for _ in range(SERVERS):
        with LiveServer("irb120") as server:
            epochs = [0]
            for _ in range(KILLS):
                with Client(server.address, name="Ada", client=CLIENT) as driver:
                    _drive(driver)
                    epochs.append(driver.lease().epoch)
                    gateway = server.gateway
                    os.kill(gateway, signal.SIGKILL)
                    wait_until_ended(gateway)
                    with suppress(ConnectionClosed, OSError, EOFError):
                        while True:
                            driver.receive()
                with (
                    Onlooker(server.address, name="Eve") as eve,
                    Client(server.address, name="Ada", client=CLIENT) as again,
                ):
                    eve.visitor.send(Ask(robot="arm"))
                    again.ping()
                    assert again.update
                    assert again.lease().epoch > epochs[-1]
                    _wait_until_not_driven(again)
                    back += again.lease().holder == again.number
    assert back == SERVERS * KILLS
