"""Runs the command line as ``python -m farhand.cli``."""

import sys

from farhand.cli.main import main

sys.exit(main())
