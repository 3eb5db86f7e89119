"""Write your own master: an object with a `step` that returns a reading can drive a robot."""

import math

from farhand import Cell, Reading, Run
from farhand.types import Feedback, SelectMapping, SetSpeed


class Circle:
    """Move the tip in a circle, and release on contact."""

    def __init__(self) -> None:
        self.count = 0

    def step(self, feedback: Feedback, now: float) -> Reading:
        """Return the reading of this tick."""
        self.count += 1
        pushed = math.hypot(*feedback.wrench.force) > 5.0
        axes = (math.cos(2 * now), math.sin(2 * now), 0.0)
        # The first reading is released: motion needs a fresh press.
        return Reading(sequence=self.count, tick=feedback.tick, deadman=self.count > 1 and not pushed, axes=axes)


run = Run(Cell.load("irb120"), {"hand": Circle()})
run.send(SelectMapping("arm", "base axes"))
run.send(SetSpeed("arm", 3))
xs = [run.tick().state.robots["arm"].T_base_tip.position[0] for _ in range(2000)]
print(f"The tip swept {(max(xs) - min(xs)) * 1e3:.0f} mm in x.")
