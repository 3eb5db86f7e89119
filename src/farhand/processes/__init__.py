"""Child processes: how Python is started, and a worker that runs functions one after the other."""
