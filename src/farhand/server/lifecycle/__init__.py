"""The life of child processes: what they tell the supervisor, how they end with it, and spares that start at once."""
