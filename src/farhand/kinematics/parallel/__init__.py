"""Parallel mechanisms: Delta and Stewart platform."""
