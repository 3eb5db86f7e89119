"""Lift a steel block with a hydraulic arm, and weigh it with the force sensor in the wrist."""

from msgspec.structs import replace

from farhand import Cell, Run
from farhand.masters import Manual
from farhand.types import Power, SelectMapping, SetSpeed

plain = Cell.load("titan3-cyberimpact")
arm = replace(plain.spec.robots["arm"], master="hand")  # a program in place of the CyberImpact
cell = Cell(replace(plain.spec, robots={"arm": arm}, masters={"hand": {"kind": "manual"}}), plain.path)
hand = Manual()
run = Run(cell, {"hand": hand})
for event in (Power("arm", on=True), SelectMapping("arm", "base axes"), SetSpeed("arm", 4)):
    run.send(event)
run.run(4.0)

# Seconds, and deflections: forward, left, up, three turns, and the jaws (negative closes).
for seconds, axes in (
    (0.95, (0.2, 0.0, 0.0)),
    (1.95, (0.0, 0.0, -0.16)),
    (1.6, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0)),
    (2.0, (0.0, 0.0, 0.3)),
):
    hand.set(deadman=True, axes=axes)
    tick = run.run(seconds)

lane = tick.lanes["arm"]
print(f"The block is {tick.state.objects['steel block'].position[2]:.2f} m high and weighs {lane.payload:.1f} kg.")
