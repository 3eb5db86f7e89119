"""Motion: from a demand to set-points within every limit, for arm, gripper, base and flippers."""
