"""Plan around a post: fit capsules to a robot's links, find a collision-free path, and time it."""

from farhand import Cell
from farhand.distances import Clearance, Solid, arm_capsules
from farhand.kinematics import SerialChain, joint_limits
from farhand.planning import Planner
from farhand.poses import Pose

compiled = Cell.load("irb120").world.compiled
placement = compiled.blueprint.robots[0]
name, arm = placement.name, placement.model.arm
base, tip = f"{name}/{arm.base}", f"{name}/{arm.tip}"
fingers = {f"{name}/{joint}": ends for joint, ends in placement.model.sweeps.items()}  # closed and open
fit = arm_capsules(compiled.model, base, tip, fingers)
for link, waste in fit.waste.items():
    print(f"{link}: the capsules' volume is {100 * waste:.0f} % larger than the link's")

post = Solid("post", "cylinder", Pose((0.35, 0.0, 0.3)), (0.04, 0.3))
home = placement.home_joints()
around = Clearance(SerialChain.from_model(compiled.model, base, tip), fit.capsules, [post], rest=home)
ahead = around.distance(home)
print(f"straight ahead {ahead.first} and {ahead.second} overlap by {-1e3 * ahead.distance:.0f} mm")

left, right = (0.9, *home[1:]), (-0.9, *home[1:])
plan = Planner(around, joint_limits(arm.joints), keep=0.003).plan(left, right, seed=1)
print(f"{len(plan.pieces)} pieces, {plan.duration:.2f} s, {plan.length:.2f} rad, {plan.checks} postures checked")
least = around.distances([plan.at(plan.duration * k / 200)[0] for k in range(201)]).min()
print("clearance above 3 mm everywhere:", least > 0.003)
