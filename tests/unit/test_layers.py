"""Imports only go down the layers, nothing heavy is imported early, and every public name is documented."""

import ast
import importlib
import inspect
import pkgutil
import subprocess
import sys
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import farhand

ROOT = Path(farhand.__file__).parent
# Lowest first. A package may import from itself and from rows above it in this list.
LAYERS = (
    ("errors",),
    ("extras",),
    ("poses",),
    ("vectors",),
    ("types",),
    ("processes",),
    ("notes",),
    ("registry", "config", "kernels", "cell_paths"),
    ("formats",),
    ("kinematics",),
    ("distances",),
    ("devices",),
    ("masters", "mapping", "filters"),
    ("robots", "planning"),
    ("world",),
    ("surroundings",),
    ("lane",),
    ("cell",),
    ("loop",),
    ("records",),
    ("experiments",),
    ("tuning",),
    ("voice",),
    ("server",),
    ("client",),
    ("cli",),
)
# Inside large packages. The folders of `lane` are subjects, not layers: its `memory.py` gathers the memory of each.
INNER_LAYERS = {
    "kinematics": (
        ("argument_checks", "arithmetic"),
        ("contract",),
        ("servo",),
        ("closed", "parallel"),
        ("serial",),
        ("mechanism",),
    ),
    "server": (
        ("fabric",),
        ("lifecycle", "protocol"),
        ("pictures", "recorder"),
        ("cell_process",),
        ("gateway",),
        ("supervisor",),
    ),
}
# The public API: these names are kept, or go through a release that warns. Everything else may change at any time.
PUBLIC = ("farhand", "farhand.client", "farhand.kinematics", "farhand.distances", "farhand.planning", "farhand.records")
SOCKETS = ("server", "client")


def modules() -> list[str]:
    return [name for _, name, _ in pkgutil.walk_packages([str(ROOT)], "farhand.") if not name.endswith("__main__")]


def module_of(path: Path) -> str:
    return ".".join(("farhand", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")


@cache
def imports_of(path: Path) -> tuple[tuple[str, int], ...]:
    """Return every module that a file imports, with the line: at the top, inside functions and for types alone."""
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno} imports relatively"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            found += [(name if is_module(name) else str(node.module), node.lineno) for name in names]
        elif isinstance(node, ast.Import):
            found += [(alias.name, node.lineno) for alias in node.names]
    return tuple(found)


@cache
def is_module(name: str) -> bool:
    path = ROOT.joinpath(*name.split(".")[1:])
    return name.split(".")[0] == "farhand" and (path.with_suffix(".py").exists() or (path / "__init__.py").exists())


def rising(rows: tuple[tuple[str, ...], ...], package: str = "") -> list[str]:
    """Return the imports that do not go down the rows, inside one package or between all of them."""
    rank = {name: number for number, row in enumerate(rows) for name in row}
    base = ROOT / package
    start = 2 if package else 1
    wrong = []
    for path in base.rglob("*.py"):
        own = path.relative_to(base).parts[0].removesuffix(".py")
        if own == "__init__":
            continue
        for name, line in imports_of(path):
            parts = name.split(".")
            if parts[0] != "farhand" or (package and parts[1:2] != [package]) or len(parts) <= start:
                continue
            if parts[start] != own and rank[parts[start]] >= rank[own]:
                wrong.append(f"{path.relative_to(ROOT)}:{line} imports {name}")
    return wrong


def test_every_package_has_a_layer() -> None:
    parts = {p.stem for p in ROOT.iterdir() if p.suffix == ".py" or (p / "__init__.py").exists()}
    assert parts - {"__init__"} == {name for row in LAYERS for name in row}


def test_imports_only_go_down() -> None:
    assert rising(LAYERS) == []


@pytest.mark.parametrize("package", sorted(INNER_LAYERS))
def test_imports_go_down_inside_large_packages(package: str) -> None:
    assert rising(INNER_LAYERS[package], package) == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Lazy imports and those for types count too; a package's `__init__` only gathers, so it is left out."""
    graph = {
        module_of(path): {name for name, _ in imports_of(path) if is_module(name) and not is_package(name)}
        for path in ROOT.rglob("*.py")
        if path.name != "__init__.py"
    }
    try:
        list(TopologicalSorter(graph).static_order())
    except CycleError as error:
        pytest.fail(" → ".join(error.args[1]))


def is_package(name: str) -> bool:
    return ROOT.joinpath(*name.split(".")[1:], "__init__.py").exists()


def test_sockets_and_asyncio_stay_out_of_the_engine() -> None:
    banned = {"socket", "asyncio", "threading", "http"}
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in ROOT.rglob("*.py")
        if path.relative_to(ROOT).parts[0] not in SOCKETS
        for name, line in imports_of(path)
        if name.split(".")[0] in banned
    ]
    assert wrong == []


def test_nothing_of_the_library_needs_its_benchmarks() -> None:
    users = {path.relative_to(ROOT) for path in ROOT.rglob("*.py") for name, _ in imports_of(path) if "_bench" in name}
    assert users == {Path("cli/bench.py")}


def test_a_module_that_is_run_defines_everything_before_it_runs() -> None:
    late = []
    for path in ROOT.rglob("*.py"):
        body = ast.parse(path.read_text()).body
        runs = [i for i, node in enumerate(body) if isinstance(node, ast.If) and "__main__" in ast.unparse(node.test)]
        late += [f"{path.relative_to(ROOT)}:{node.lineno}" for i in runs for node in body[i + 1 :]]
    assert late == []


def test_importing_stays_light() -> None:
    code = "import farhand, farhand.cli, sys; print([m for m in ('numpy', 'numba', 'mujoco') if m in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.strip() == "[]"


@pytest.mark.parametrize("name", PUBLIC)
def test_the_public_packages_list_their_names(name: str) -> None:
    package = importlib.import_module(name)
    assert package.__all__
    assert all([hasattr(package, public) for public in package.__all__])


def test_every_public_name_is_listed_and_documented() -> None:
    missing = []
    for name in modules():
        module = importlib.import_module(name)
        if not module.__doc__:
            missing.append(name)
        for public in getattr(module, "__all__", ()):
            item = getattr(module, public)
            ours = getattr(item, "__module__", "").startswith("farhand")
            if ours and (inspect.isclass(item) or inspect.isfunction(item)):
                missing += _undocumented(f"{name}.{public}", item)
    assert missing == []


def _undocumented(name: str, item: object) -> list[str]:
    found = [] if inspect.getdoc(item) else [name]
    if inspect.isclass(item):
        for member, value in vars(item).items():
            function = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
            if inspect.isfunction(function) and not member.startswith("_") and not inspect.getdoc(function):
                found.append(f"{name}.{member}")
    return found


def at_import(node: ast.AST) -> list[ast.Call]:
    """Return the calls that run when a file is imported: those in the bodies of functions do not."""
    found = [node] if isinstance(node, ast.Call) else []
    for name, value in ast.iter_fields(node):
        if name == "body" and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        for child in value if isinstance(value, list) else [value]:
            found += at_import(child) if isinstance(child, ast.AST) else []
    return found


def test_no_test_loads_a_cell_at_import() -> None:
    """Every test process imports all files, whichever tests it runs."""
    tests = Path(__file__).parent.parent
    files = [*tests.glob("unit/**/*.py"), *tests.glob("support/**/*.py")]
    calls = [(file, call) for file in files for call in at_import(ast.parse(file.read_text()))]
    loading = {"Cell", "Cell.load", "Cell.for_robot"}
    assert [f"{file.name}:{call.lineno}" for file, call in calls if ast.unparse(call.func) in loading] == []
