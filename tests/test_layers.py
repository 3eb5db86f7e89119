"""Imports only go down the layers, nothing heavy is imported early, and every public name is documented."""

import ast
import importlib
import inspect
import pkgutil
import subprocess
import sys
from pathlib import Path

import farhand

ROOT = Path(farhand.__file__).parent
# Lowest first. A package may import from itself and from rows above it in this list.
LAYERS = (
    ("errors",),
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
    ("experiments",),
    ("tuning",),
    ("voice",),
    ("net",),
    ("bench",),
    ("cli",),
)
RANK = {name: rank for rank, row in enumerate(LAYERS) for name in row}


def modules() -> list[str]:
    return [name for _, name, _ in pkgutil.walk_packages([str(ROOT)], "farhand.") if not name.endswith("__main__")]


def imports_of(path: Path) -> list[tuple[str, int]]:
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            found.append((node.module, node.lineno))
        elif isinstance(node, ast.Import):
            found += [(alias.name, node.lineno) for alias in node.names]
    return found


def test_every_package_has_a_layer() -> None:
    parts = {p.stem for p in ROOT.iterdir() if p.suffix == ".py" or (p / "__init__.py").exists()}
    assert parts - {"__init__"} == set(RANK)


def test_imports_only_go_down() -> None:
    wrong = []
    for path in ROOT.rglob("*.py"):
        own = path.relative_to(ROOT).parts[0].removesuffix(".py")
        if own == "__init__":
            continue
        for name, line in imports_of(path):
            target = name.split(".")[1] if name.startswith("farhand.") else None
            if target and target != own and RANK[target] >= RANK[own]:
                wrong.append(f"{path.relative_to(ROOT)}:{line} imports {name}")
    assert wrong == []


def test_sockets_and_asyncio_stay_out_of_the_engine() -> None:
    banned = {"socket", "asyncio", "threading", "http"}
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in ROOT.rglob("*.py")
        if path.relative_to(ROOT).parts[0] != "net"
        for name, line in imports_of(path)
        if name.split(".")[0] in banned
    ]
    assert wrong == []


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
