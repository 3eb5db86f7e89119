"""Voice commands: a closed list of phrases; each gives an event that a button gives too."""
