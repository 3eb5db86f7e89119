"""Modes: the mode of a robot, the source that drives it, and faults injected on purpose."""
