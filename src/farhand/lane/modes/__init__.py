"""Modes: who is in charge of a robot, which source drives it, and faults injected on purpose."""
