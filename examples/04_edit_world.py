"""Edit the world while the cell runs: add, move and remove objects between two ticks."""

from farhand import Cell, Inputs, Pose
from farhand.notes import render
from farhand.types import AddObject, MoveObject, ObjectSpec, RemoveObject

cell = Cell.load("irb120")
ball = ObjectSpec(name="second ball", shape="sphere", size=(0.04,), position=(0.5, 0.3, 1.2), mass=0.2)

cell.step(Inputs(events=(AddObject(ball), RemoveObject("can"))))
for _ in range(1000):
    tick = cell.step()
print(f"It fell to {tick.state.objects['second ball'].position[2]:.3f} m.")

tick = cell.step(Inputs(events=(MoveObject("second ball", Pose((0.5, 0.3, 0.9))), RemoveObject("cann"))))
for note in tick.notes:
    print(render(note).text)
