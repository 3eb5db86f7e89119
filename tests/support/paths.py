"""Where the files are that tests read."""

from pathlib import Path

__all__ = ["CELLS", "DATA", "PACKAGE", "ROBOTS", "ROOT", "TESTS"]

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent
DATA = TESTS / "data"
ROBOTS = TESTS / "robots_data"
PACKAGE = ROOT / "src" / "farhand"
CELLS = PACKAGE / "cell" / "cells"
