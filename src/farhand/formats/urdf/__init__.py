"""The parts of a URDF file: geometry, mass, joints."""
