"""Use the kinematics alone: forward, Jacobian and inverse."""

import numpy as np

from farhand.kinematics import SerialChain

PI = np.pi
# ABB IRB 120: rows of (a, alpha, d, theta offset), metres and radians.
rows = [(0, -PI / 2, 0.29, 0), (0.27, 0, 0, -PI / 2), (0.07, -PI / 2, 0, 0)]
rows += [(0, PI / 2, 0.302, 0), (0, -PI / 2, 0, 0), (0, 0, 0.072, PI)]
upper = np.array([2.879, 1.919, 1.221, 2.793, 2.094, 6.981])
lower = np.array([-2.879, -1.919, -1.919, -2.793, -2.094, -6.981])
chain = SerialChain.from_dh(rows, lower, upper)

q = np.array([0.3, 0.2, -0.1, 0.4, 0.5, 0.6])
T_base_tip = chain.forward(q)
print("tip at", T_base_tip[:3, 3].round(4))
print("smallest singular value of the Jacobian:", np.linalg.svd(chain.jacobian(q))[1].min().round(4))

solution = chain.inverse(T_base_tip, seed=np.zeros(6))
print("inverse reached it:", solution.reached, "joints", solution.q.round(3))

T_base_tip[0, 3] += 2.0  # out of reach
far = chain.inverse(T_base_tip, seed=q)
print(f"2 m further: {far.reason}, {far.position_error:.2f} m short")
