"""Run a script in place of the operator: pick up a cube, carry it, put it down."""

from farhand import Cell, Run

cell = Cell.load("irb120-grasp")
run = Run(cell)  # with the masters of the cell file
before = cell.state.objects["cube"].position
highest = 0.0
while cell.time < 8.5:
    tick = run.tick()
    highest = max(highest, tick.state.objects["cube"].position[2])

after = tick.state.objects["cube"].position
print(f"The cube was lifted by {(highest - before[2]) * 1e3:.0f} mm")
print(f"and put down {(after[1] - before[1]) * 1e3:.0f} mm to the left.")
