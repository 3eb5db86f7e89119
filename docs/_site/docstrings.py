"""Turn docstrings, plain text with `code` in single backticks, into markup that Sphinx reads."""

import re
from typing import Any

from sphinx.application import Sphinx

CODE = re.compile(r"(``?[^`\n]+``?)")
SPECIAL = re.compile(r"([*|\\]|(?<=\w)_(?!\w))")


def setup(app: Sphinx) -> dict[str, Any]:
    """Join the build, ahead of the extension that reads the sections of a docstring."""
    app.connect("autodoc-process-docstring", plain, priority=100)
    app.connect("autodoc-skip-member", skip)
    return {"version": "1", "parallel_read_safe": True}


def plain(app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """Mark code as code, and take characters that are markup elsewhere as themselves."""
    del app, what, name, thing, options
    literal = False
    for index, line in enumerate(lines):
        if literal and line.strip() and not line.startswith(" "):
            literal = False
        if not literal:
            parts = CODE.split(line)
            parts[::2] = [SPECIAL.sub(r"\\\1", part) for part in parts[::2]]
            parts[1::2] = [f"``{part.strip('`')}``" for part in parts[1::2]]
            lines[index] = "".join(parts)
            literal = line.rstrip().endswith("::")


def skip(app: Sphinx, what: str, name: str, thing: object, skipped: bool, options: object) -> bool | None:
    """Leave out fields of named tuples: their class describes them."""
    del app, what, name, skipped, options
    return True if (getattr(thing, "__doc__", None) or "").startswith("Alias for field number") else None
