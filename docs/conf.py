"""Settings of the documentation site: `make docs` builds it into build/site, without a network."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_site"))

import farhand

# Pages link to each other and to sources as the repository has them, so the whole repository is the source folder.
project = "Farhand"
author = "The Farhand authors"
version = release = farhand.__version__
project_copyright = "Apache 2.0 licence"
root_doc = "docs/index"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "repository", "docstrings"]
include_patterns = ["docs/**.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "benchmarks/*.md"]
exclude_patterns = [
    ".*",
    "build",
    "dist",
    "src",
    "tests",
    "web",
    "examples",
    "scripts",
    "requirements",
    "**/node_modules",
]

# ── Markdown ─────────────────────────────────────────────────────────────────────────────────────────────────────────
myst_heading_anchors = 4  # links to headings work as on the repository's web page
myst_url_schemes = ["http", "https", "mailto", "repository"]
suppress_warnings = ["myst.header"]  # pages may skip a level of headings
highlight_language = "text"

# ── Reference of the public interface ────────────────────────────────────────────────────────────────────────────────
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True, "exclude-members": "__init__, __new__"}
autodoc_class_signature = "mixed"
add_module_names = False
python_use_unqualified_type_names = True
toc_object_entries_show_parents = "hide"
napoleon_numpy_docstring = False
napoleon_use_rtype = False

# ── Look ─────────────────────────────────────────────────────────────────────────────────────────────────────────────
html_theme = "furo"
html_title = "Farhand"
html_static_path = ["_site/static"]
html_css_files = ["site.css"]
html_favicon = "_site/static/icon.svg"
html_copy_source = False
html_show_sphinx = False
html_theme_options = {"navigation_with_keys": True, "sidebar_hide_name": False}
pygments_style = "a11y-light"
pygments_dark_style = "a11y-dark"

# ── Order of the pages: put into these pages when the site is built ──────────────────────────────────────────────────
navigation = {
    "docs/index": {
        "Use": ["start", "drive", "your-robot", "your-master", "cells", "protection", "cameras"],
        "Program": ["python-api", "records", "write-a-client", "api/index"],
        "Understand": [
            "architecture",
            "world",
            "avoidance",
            "moves",
            "tracks",
            "kernels",
            "results",
            "campaigns",
            "../benchmarks/RESULTS",
            "../benchmarks/README",
            "decisions/index",
        ],
        "Look up": [
            "modes",
            "events",
            "notes",
            "time",
            "server",
            "voice",
            "drives-and-forces",
            "conventions",
            "numerics",
            "platforms",
            "dependencies",
            "glossary",
            "../CHANGELOG",
            "../CONTRIBUTING",
            "../SECURITY",
        ],
    },
    "docs/api/index": {"Reference": ["farhand", "client", "kinematics", "distances", "planning", "records"]},
    "docs/decisions/index": {"Decisions": ["0*"]},
}
