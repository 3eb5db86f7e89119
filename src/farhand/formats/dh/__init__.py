"""Robots described by a DH table in our own TOML format."""
