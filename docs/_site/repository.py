"""Let pages of the repository be pages of the site: their order, their drawings, and links to files that are no pages.

A link to a source file leads to a page of the site that shows this file, so that the site needs no other place; on the
repository's own web page the same link leads to the file.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

FENCED = re.compile(r"^(```.*?^```$)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?<=\]\()(?!\w+:|#)([^)\s#]+)(?=[)#])")
MERMAID = re.compile(r"^```mermaid\n.*?^```$", re.MULTILINE | re.DOTALL)
REFERENCE = re.compile(r"^<!-- reference: ([\w.]+) -->$", re.MULTILINE)
LANGUAGES = {".py": "python", ".toml": "toml", ".ts": "typescript", ".tsx": "tsx", ".sh": "bash", ".xml": "xml"}
SCHEME = "repository:"


def setup(app: Sphinx) -> dict[str, Any]:
    """Join the build."""
    app.add_config_value("navigation", {}, "env")
    app.connect("env-purge-doc", forget_page)
    app.connect("source-read", adapt_page)
    app.connect("doctree-resolved", link_files)
    app.connect("html-collect-pages", file_pages)
    return {"version": "1", "parallel_read_safe": False}


def _linked(env: BuildEnvironment) -> dict[str, set[str]]:
    """Return the files that each page links to, kept from build to build."""
    if not hasattr(env, "linked_files"):
        env.linked_files = {}  # type: ignore[attr-defined]
    return env.linked_files  # type: ignore[attr-defined, no-any-return]


def forget_page(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    """Forget a page that is read again or has gone."""
    del app
    _linked(env).pop(docname, None)


def adapt_page(app: Sphinx, docname: str, source: list[str]) -> None:
    """Rewrite a page for the site: links to files, the drawing of a diagram, the reference, the order of pages."""
    folder = (Path(app.srcdir) / docname).parent
    picture = folder / "pictures" / f"{Path(docname).name}.svg"
    text = source[0]
    if picture.exists():
        text = MERMAID.sub(f"![Diagram](pictures/{picture.name})", text)
    parts = FENCED.split(text)
    parts[::2] = [LINK.sub(lambda link: _target(app, docname, link[1]), part) for part in parts[::2]]
    text = REFERENCE.sub(r"```{eval-rst}\n.. highlight:: python\n.. automodule:: \1\n```", "".join(parts))
    for title, pages in app.config.navigation.get(docname, {}).items():
        text += f"\n```{{toctree}}\n:hidden:\n:glob:\n:caption: {title}\n\n" + "\n".join(pages) + "\n```\n"
    source[0] = text


def _target(app: Sphinx, docname: str, link: str) -> str:
    """Return where a link leads in the site: unchanged for pages and pictures, else a page that shows the file."""
    root = Path(app.srcdir)
    path = (root / docname).parent.joinpath(link).resolve()
    if not path.exists() or not path.is_relative_to(root):
        return link  # the parser warns
    name = path.relative_to(root)
    if str(name.with_suffix("")) in app.env.found_docs or path.suffix in {".png", ".svg", ".webp", ".gif"}:
        return link
    _linked(app.env).setdefault(docname, set()).add(str(name))
    return f"{SCHEME}{name}"


def link_files(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Point links to files of the repository at the pages that show them."""
    for node in doctree.findall(nodes.reference):
        target, _, anchor = node.get("refuri", "").partition("#")
        if target.startswith(SCHEME):
            name = target.removeprefix(SCHEME)
            node["refuri"] = app.builder.get_relative_uri(docname, f"files/{name}") + (anchor and f"#{anchor}")


def file_pages(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield a page for each file or folder that a page links to."""
    root = Path(app.srcdir)
    for name in sorted(set[str]().union(*_linked(app.env).values())):
        path = root / name
        if path.is_dir():
            body = _listing(path)
        else:
            language = LANGUAGES.get(path.suffix, "text")
            body = app.builder.highlighter.highlight_block(path.read_text(), language)  # type: ignore[attr-defined]
        yield f"files/{name}", {"title": name, "body": f"<h1><code>{name}</code></h1>{body}"}, "page.html"


def _listing(folder: Path) -> str:
    names = sorted(path.name + "/" * path.is_dir() for path in folder.iterdir() if not path.name.startswith(("_", ".")))
    return "<ul>" + "".join(f"<li><code>{name}</code></li>" for name in names) + "</ul>"
