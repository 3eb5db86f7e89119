"""The command line. Each verb lives in a file of its own and is imported only when it is used."""

from farhand.cli.main import main

__all__ = ["main"]
