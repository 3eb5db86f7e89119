"""The servo step and the guard: joint rates and set-points within every limit."""
