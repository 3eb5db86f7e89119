"""Child processes: starting Python safely, and a worker that runs one function at a time."""
