"""Spoken commands: a closed list of phrases, each of which is an event that a button gives too."""
