"""The command line. Each verb has a file of its own, which is imported only when the verb is used."""

from farhand.cli.main import main

__all__ = ["main"]
