"""Paths: joint motions over time; recorded, timed, followed, and kept for backing out."""
