"""Intake: readings, requests and choices as they enter a lane, and how old they are."""
