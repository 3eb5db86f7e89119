"""Jog the tip: hold an axis, release it, and read the notes on limits."""

from farhand import Cell, Run
from farhand.masters import Manual
from farhand.notes import render
from farhand.types import SelectMapping, SetSpeed

cell, hand = Cell.load("irb120"), Manual()
run = Run(cell, {"hand": hand})
run.send(SelectMapping("arm", "base axes"))
run.send(SetSpeed("arm", 5))
start = run.tick().state.robots["arm"].T_base_tip.position

hand.set(deadman=True, axes=(0.0, 0.0, -1.0))  # down to the bottom of the work area
tick = run.run(2.0)
for note in tick.lanes["arm"].notes:
    message = render(note)
    print(f"{message.text} {message.free}")

hand.release()
end = run.run(0.5).state.robots["arm"].T_base_tip.position
print(f"The tip moved {(start[2] - end[2]) * 1e3:.0f} mm down.")
