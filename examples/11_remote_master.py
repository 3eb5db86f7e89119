"""Write a master for your own device, on any machine: send its pose and receive force feedback."""

import math

from farhand.client import join, running_server
from farhand.poses import Pose
from farhand.types import Feedback, Reading


class MyDevice:
    """Put your device's driver here; this one swings to and fro by itself."""

    max_force, steps = 0.0, 0

    def step(self, feedback: Feedback, now: float) -> Reading:
        """Return the device's reading; called 500 times a second."""
        self.steps += 1
        self.max_force = max(self.max_force, math.hypot(*feedback.felt.force))  # N for its motors, in its own axes
        position = (0.04 - 0.04 * math.cos(2.0 * now), 0.0, 0.0)  # metres, as your device reads
        return Reading(deadman=now % math.pi > 0.2, pose=Pose(position))  # a fresh press for every swing


device = MyDevice()
with running_server("irb120-remote") as server:  # or run `farhand run irb120-remote`, and pass its address to join
    join(server.address, device, ended=lambda: device.steps > 2500)
print(f"{device.steps} readings sent; greatest force feedback: {device.max_force:.1f} N")
