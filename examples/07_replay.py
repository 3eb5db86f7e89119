"""Record the inputs of a run, and simulate it again with the same ticks, to the bit."""

from farhand import Cell, Run
from farhand.types import Inputs, Tick

recording: list[tuple[Inputs, Tick]] = []
run = Run(Cell.load("irb120-grasp", seed=1), listeners=[lambda inputs, tick: recording.append((inputs, tick))])
run.run(3.0)

again = Cell.load("irb120-grasp", seed=1)
same = all(again.step(inputs) == tick for inputs, tick in recording)
print(f"{len(recording)} ticks replayed, identical: {same}.")
