"""Load a work cell and run a second of virtual time."""

from farhand import Cell

cell = Cell.load("irb120", seed=0)
for _ in range(500):
    tick = cell.step()

robot = tick.state.robots["arm"]
print(f"After {tick.time:.1f} s the tip is at {[round(x, 3) for x in robot.T_base_tip.position]} m.")
print(f"Resting objects: {', '.join(sorted(tick.state.asleep))}.")
