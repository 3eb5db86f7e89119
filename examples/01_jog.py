"""Drive the tip by hand: hold an axis, let go, look where it went and what held it back."""

from farhand import Cell, Run
from farhand.masters import Manual
from farhand.notes import render
from farhand.types import SelectMapping, SetSpeed

cell, hand = Cell.load("irb120"), Manual()
run = Run(cell, {"hand": hand})
run.send(SelectMapping("arm", "base axes"))
run.send(SetSpeed("arm", 5))
start = run.tick().state.robots["arm"].T_base_tip.position

hand.set(deadman=True, axes=(0.0, 0.0, -1.0))  # down, until the work space ends
tick = run.run(2.0)
for note in tick.lanes["arm"].notes:
    said = render(note)
    print(f"{said.text} {said.free}")

hand.release()
end = run.run(0.5).state.robots["arm"].T_base_tip.position
print(f"The tip went {(start[2] - end[2]) * 1e3:.0f} mm down.")
