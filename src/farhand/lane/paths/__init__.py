"""Paths: joint motions over time, recorded, followed, timed, and remembered for backing out."""
