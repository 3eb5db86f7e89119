"""Compute the clearance of an arm: capsules, solids, gradients, a load, and a servo that avoids contact."""

import numpy as np

from farhand.distances import AvoidingServo, Capsule, Clearance, Solid
from farhand.kinematics import JointLimits, SerialChain
from farhand.poses import Pose

# two links of 0.4 m that turn in the plane
chain = SerialChain.from_dh([(0.4, 0, 0, 0), (0.4, 0, 0, 0)], [-2.8, -2.6], [2.8, 2.6])
arm = [Capsule(k, (0, 0, 0), (0.4, 0, 0), 0.04, name) for k, name in enumerate(("upper arm", "forearm"))]
wall = Solid("wall", "box", Pose((0.0, 0.75, 0.0)), (1.0, 0.05, 0.5))
around = Clearance(chain, arm, [wall])

q = np.array([0.3, 0.4])
near = around.distance(q)
print(f"{near.first} is {1e3 * near.distance:.0f} mm from {near.second}")
for pair in around.near(q, 0.5):
    print(f"  a radian of each joint changes that by {np.round(1e3 * pair.gradient)} mm")

ball = Solid("ball", "sphere", Pose(), (0.08,))
loaded = around.carrying(ball, Pose((0.08, 0.0, 0.0)))
near = loaded.distance(q)
print(f"with a ball at the tip, {near.first} is {1e3 * near.distance:.0f} mm from {near.second}")

# drive at the wall for two seconds: the arm brakes in front of it and says why
servo = AvoidingServo(loaded, JointLimits.of(chain.lower, chain.upper, [2, 2], [20, 20], [2000, 2000]), dt=0.002)
rates = np.zeros(2)
for _ in range(1000):
    found = servo.clear_joints(q, rates, np.array([1.0, 0.0]))
    rates = found.step.rates
    q = q + 0.002 * rates
blocked = found.blocking[0]
print(f"stopped {1e3 * found.distance:.1f} mm away: {blocked.first} before {blocked.second}")
