"""Write a master for a device of your own, on any machine: say where it is, and take what its hand shall feel."""

import math

from farhand.client import join, running_server
from farhand.poses import Pose
from farhand.types import Feedback, Reading


class MyDevice:
    """Put your device's driver in here; this one swings to and fro by itself."""

    hardest, steps = 0.0, 0

    def step(self, feedback: Feedback, now: float) -> Reading:
        """Is called 500 times a second."""
        self.steps += 1
        self.hardest = max(self.hardest, math.hypot(*feedback.felt.force))  # N for its motors, in its own axes
        position = (0.04 - 0.04 * math.cos(2.0 * now), 0.0, 0.0)  # metres, as your device reads
        return Reading(deadman=now % math.pi > 0.2, pose=Pose(position))  # pressed anew for every swing


device = MyDevice()
with running_server("irb120-remote") as server:  # elsewhere: farhand run irb120-remote, and its address into join
    join(server.address, device, ended=lambda: device.steps > 2500)
print(f"{device.steps} readings sent; the hand felt at most {device.hardest:.1f} N")
