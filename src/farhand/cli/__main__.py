"""Run the command line as ``python -m farhand.cli``."""

import sys

if not sys.flags.safe_path:
    del sys.path[0]  # the current directory, which `python -m` adds

from farhand.cli.main import main

sys.exit(main())
