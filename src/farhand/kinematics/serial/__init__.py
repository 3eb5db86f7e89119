"""Serial chains: forward kinematics, Jacobians, the iterative inverse, and joints that follow others."""
