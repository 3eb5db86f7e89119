"""The life of child processes: their messages to the supervisor, their end with it, and standbys that fork at once."""
