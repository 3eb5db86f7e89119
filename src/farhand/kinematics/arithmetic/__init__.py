"""Arithmetic of chains and loops: frames, Jacobians, tables and descents, compiled and free of state."""
