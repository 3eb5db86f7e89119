"""Compiled, stateless arithmetic of chains and loops: frames, Jacobians, tables and descents."""
