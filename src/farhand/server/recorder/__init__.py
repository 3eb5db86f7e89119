"""The recorder: a process that writes the runs of a server's cells to the disk."""
