"""Delta robots described by their lengths in our own TOML format."""
