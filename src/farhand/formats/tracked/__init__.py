"""Vehicles on tracks that carry an arm, in our own TOML format."""
