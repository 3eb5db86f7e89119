"""Run the tests that guard a module against every small change of it, and list the changes that no test notices.

    python tests/campaigns/mutants.py                               # all guarding modules
    python tests/campaigns/mutants.py lane/intake/ages              # one of them
    python tests/campaigns/mutants.py lane/intake/ages --part 1/4   # every fourth of its changes, from the first on
    python tests/campaigns/mutants.py --all                         # also print what was caught, and by which test

A change of a function is shown only to those tests that call the function, those first that caught the one before it,
then the quickest. Survivors that cannot be told from the original are explained in `survivors.toml`; the nightly test
fails on every other one.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import functools
import gc
import importlib
import io
import os
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

import pytest

HERE = Path(__file__).parent
TESTS, SRC = HERE.parent, HERE.parents[1] / "src"
sys.path[:0] = [str(TESTS), str(TESTS / "support")]

from campaigns.mutations import Mutant, mutants_of  # noqa: E402 - found from there, however it is run
from campaigns.trials import OPTIONS, Changed, Examiner, Processes, run_again  # noqa: E402 - likewise

__all__ = ["GUARDS", "Explained", "Outcome", "examine", "explained", "main"]

# Tests that go through a module rule by rule. Those that drive whole cells notice changes too, but take far longer.
GUARDS = {
    "server/gateway/lease": ("unit/server/test_lease", "unit/server/test_promised_numbers_of_server"),
    "server/gateway/hub/control": ("unit/server/test_control_hub",),
    "server/gateway/exam": ("unit/server/test_exam",),
    "filters/workspace": ("unit/filters/test_workspace",),
    "lane/paths/path_following": ("unit/lane/test_move_rules",),
    "lane/paths/joint_profiles": ("unit/lane/test_move_rules",),
    "lane/sources/source": ("unit/lane/test_move_rules",),
    "lane/sources/joint_move": ("unit/lane/test_move_rules",),
    "lane/sources/taught_path": ("unit/lane/test_move_rules",),
    "lane/sources/back_out": ("unit/lane/test_move_rules",),
    "lane/modes/mode_machine": ("unit/lane/test_mode_rules", "unit/lane/test_promised_numbers"),
    "lane/intake/ages": ("unit/lane/test_ages_rules", "unit/lane/test_promised_numbers"),
    "lane/intake/link_timing": ("unit/lane/test_link_timing",),
    "lane/intake/inbox": ("unit/lane/test_inbox_rules",),
    "lane/intake/presence": ("unit/lane/test_presence_rules", "unit/lane/test_promised_numbers"),
}


class Outcome(NamedTuple):
    """What became of a mutant; `by` is the test that caught it, or empty."""

    module: str
    mutant: Mutant
    by: str


class Explained(NamedTuple):
    """A survivor that no test can tell from the original, and why."""

    module: str
    where: str
    change: str
    why: str


def explained() -> list[Explained]:
    """Return the survivors that are explained."""
    rows = tomllib.loads((HERE / "survivors.toml").read_text()).get("survivor", [])
    return [Explained(**row) for row in rows]


def examine(
    module: str, report: Callable[[Outcome], None], only: str = "", part: tuple[int, int] = (1, 1), at_once: int = 2
) -> None:
    """Run every mutant of a module against its tests.

    Args:
        module: Path below the package, without its ending.
        report: Told of each outcome.
        only: Leave out mutants whose function and change do not contain this.
        part: Which share of them, of how many.
        at_once: How many run beside each other.
    """
    path = SRC / "farhand" / f"{module}.py"
    mutants = [m for m in mutants_of(path.read_text()) if only in f"{m.where}: {m.change}"][part[0] - 1 :: part[1]]
    files = [str(TESTS / f"{test}.py") for test in GUARDS[module]]
    name = _dotted(path)
    _prepare(name)
    stale = _dependents(name)

    def note(number: int, by: str) -> None:
        report(Outcome(module, mutants[number], by))

    with tempfile.TemporaryDirectory() as folder:
        processes = Processes(Path(folder), at_once)
        unchanged = processes.result(lambda: run_again(Changed(name, path, path.read_text()), stale, files))
        if unchanged:
            raise RuntimeError(f"{unchanged}: fails without any change")
        for number, mutant in enumerate(mutants):
            if not mutant.function:
                changed = Changed(name, path, mutant.source)
                processes.start(functools.partial(run_again, changed, stale, files), functools.partial(note, number))
        processes.finish()
        inside = [(number, m.function, m.source) for number, m in enumerate(mutants) if m.function]
        examiner = Examiner(path, inside, processes, note)
        with contextlib.redirect_stdout(io.StringIO()) as said:
            code = pytest.main([*OPTIONS, *files], [examiner]) if inside else 0
        if code or (inside and not examiner.ran):
            raise RuntimeError(f"{module}: its tests could not be run\n{said.getvalue()}")


def _prepare(name: str) -> None:
    """Import, once and before the forks, all that is slow to import."""
    os.environ |= {"FARHAND_HYPOTHESIS": "quick to fail", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    for module in ("hypothesis", "hypothesis.stateful", "farhand.cell", name):
        importlib.import_module(module)
    importlib.import_module("farhand.kernels").compile_all()
    gc.collect()
    gc.freeze()  # else each process would go through all of that again


def _dependents(name: str) -> set[str]:
    """Return a module and all of the package that import it, by whatever way."""
    paths = {_dotted(path): path for path in SRC.rglob("*.py")}
    imports = {module: set(_imports(path)) for module, path in paths.items()}
    registering = {module for module, path in paths.items() if ".register(" in path.read_text()}
    found: set[str] = set()
    fresh = {name}
    while fresh:
        # A package takes part in what its modules do, for it may offer their names.
        fresh |= {".".join(module.split(".")[:i]) for module in fresh for i in range(2, module.count(".") + 1)}
        # What registers itself does so once: its registry, in the same package, starts anew with it.
        packages = tuple(f"{module.rpartition('.')[0]}." for module in fresh & registering)
        fresh |= {module for module in imports if module.startswith(packages)} if packages else set()
        found |= fresh
        fresh = {module for module, needs in imports.items() if needs & fresh} - found
    return found


def _dotted(path: Path) -> str:
    parts = path.relative_to(SRC).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imports(path: Path) -> Iterable[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def main() -> None:
    """Examine modules and print what survived."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="*", default=[])
    parser.add_argument("--only", default="", help="mutants whose function or change contains this")
    parser.add_argument("--all", action="store_true", help="also print what was caught")
    parser.add_argument("--at-once", type=int, default=2, help="how many run beside each other")
    parser.add_argument("--part", default="1/1", help="a share of the mutants: 2/4 is the second of four")
    options = parser.parse_args()
    modules = options.modules or list(GUARDS)
    if len(modules) == 1:
        _examine_one(modules[0], options)
        return
    how = [argument for argument in sys.argv[1:] if argument not in options.modules]
    for module in modules:  # each in a process of its own: tests that one has collected would not see another's changes
        subprocess.run([sys.executable, __file__, module, *how], check=True)


def _examine_one(module: str, options: argparse.Namespace) -> None:
    share, _, shares = options.part.partition("/")
    start, outcomes = time.monotonic(), list[Outcome]()

    def report(outcome: Outcome) -> None:
        outcomes.append(outcome)
        if options.all or not outcome.by:
            _say(f"{outcome.by or _mark(outcome)}: {outcome.module} {outcome.mutant.where}: {outcome.mutant.change}")

    examine(module, report, options.only, (int(share), int(shares)), options.at_once)
    caught = sum(bool(outcome.by) for outcome in outcomes)
    _say(f"{module}: {caught} of {len(outcomes)} caught, {time.monotonic() - start:.0f} s")


def _mark(outcome: Outcome) -> str:
    known = {(row.module, row.where, row.change) for row in explained()}
    return "explained" if (outcome.module, outcome.mutant.where, outcome.mutant.change) in known else "SURVIVED"


def _say(line: str) -> None:
    assert sys.__stdout__ is not None
    sys.__stdout__.write(f"{line}\n")
    sys.__stdout__.flush()


if __name__ == "__main__":
    main()
