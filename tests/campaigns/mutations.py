"""Small changes to a module's source, each of which a test should notice.

A mutant is one change: a comparison or its bound, `and` for `or`, a condition negated, a number doubled or raised by
one, a sum for a difference, a value left out of `replace(...)`, a statement left out. Sentences, names and types stay.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["Mutant", "mutants_of"]

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
SUMS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
}
EXTREMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
# A note's text and a log line are read by people; a type by the type checker.
UNREAD = ("Note", "TypeVar", "cast")


class Mutant(NamedTuple):
    """A changed module.

    Attributes:
        where: The function or class that was changed; empty: the module itself.
        change: What stood there and what stands there now, in Python.
        source: The whole module.
        function: The outermost function whose body was changed; empty: the module has to be imported again.
    """

    where: str
    change: str
    source: str
    function: str


def mutants_of(source: str) -> list[Mutant]:
    """Return every mutant of a module, in the order of its lines."""
    tree = ast.parse(source)
    _forget_prose(tree)
    found: list[Mutant] = []
    sources = {ast.unparse(tree)}
    for where, function, node in _nodes(tree, "", ""):
        for change in _changes(node, where):
            original, before = copy.copy(node.__dict__), _text(node)
            change.apply(node)
            words, changed = f"{before} → {change.words or _text(node)}", ast.unparse(ast.fix_missing_locations(tree))
            node.__dict__.clear()
            node.__dict__.update(original)
            if changed not in sources:  # two changes may come to the same
                sources.add(changed)
                found.append(Mutant(where, _named_apart(words, where, found), changed, function))
    return found


def _named_apart(words: str, where: str, found: list[Mutant]) -> str:
    """Number changes that read the same in the same function."""
    same = sum(mutant.where == where and mutant.change.split(" #")[0] == words for mutant in found)
    return f"{words} #{same + 1}" if same else words


class _Change:
    """Sets some fields of a node."""

    def __init__(self, words: str = "", **fields: object) -> None:
        self.words, self._fields = words, fields

    def apply(self, node: ast.AST) -> None:
        for name, value in self._fields.items():
            setattr(node, name, value)


def _nodes(node: ast.AST, where: str, function: str) -> Iterator[tuple[str, str, ast.AST]]:
    """Walk a tree in order, with the function or class and the outermost function that each node is in."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
        where = f"{where}.{node.name}" if where else node.name
    if _is_all(node) or isinstance(node, ast.JoinedStr):
        return
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in UNREAD:
        return
    yield where, function, node
    body: list[ast.stmt] = node.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else []
    for child in node.body if isinstance(node, ast.ClassDef) else ast.iter_child_nodes(node):
        yield from _nodes(child, where, function or where if child in body else function)


def _changes(node: ast.AST, where: str) -> Iterator[_Change]:
    if isinstance(node, ast.Compare):
        for i, op in enumerate(node.ops):
            yield _Change(ops=[*node.ops[:i], COMPARISONS[type(op)](), *node.ops[i + 1 :]])
    elif isinstance(node, ast.BoolOp):
        yield _Change(op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
        for i in range(len(node.values)):
            rest = [*node.values[:i], *node.values[i + 1 :]]
            yield _Change(values=rest)
    elif isinstance(node, ast.If | ast.IfExp | ast.While):
        yield _Change(f"if {ast.unparse(_negated(node.test))}", test=_negated(node.test))
    elif isinstance(node, ast.BinOp) and type(node.op) in SUMS:
        yield _Change(op=SUMS[type(node.op)]())
    elif isinstance(node, ast.Constant):
        yield from _numbers(node.value)
    elif isinstance(node, ast.Call):
        yield from _calls(node)
    elif isinstance(node, ast.Expr | ast.Assign | ast.AugAssign) and where:
        yield from _left_out(node)


def _negated(test: ast.expr) -> ast.expr:
    """Negate a condition, in the plainest form, so that other changes to the same effect are the same text."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test.operand
    if isinstance(test, ast.Compare) and isinstance(
        test.ops[0], ast.Eq | ast.NotEq | ast.Is | ast.IsNot | ast.In | ast.NotIn
    ):
        return ast.Compare(test.left, [COMPARISONS[type(test.ops[0])]()], test.comparators)
    return ast.UnaryOp(ast.Not(), test)


def _numbers(value: object) -> Iterator[_Change]:
    if isinstance(value, bool):
        yield _Change(value=not value)
    elif isinstance(value, int | float):
        yield _Change(value=value + 1)
        if value != 0:
            yield _Change(value=value * 2)


def _calls(node: ast.Call) -> Iterator[_Change]:
    if isinstance(node.func, ast.Name) and node.func.id in EXTREMES:
        yield _Change(func=ast.Name(EXTREMES[node.func.id], ast.Load()))
    named = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    if named == "replace":
        for i, keyword in enumerate(node.keywords):
            rest = [*node.keywords[:i], *node.keywords[i + 1 :]]
            yield _Change(f"without {keyword.arg}", keywords=rest)


def _left_out(node: ast.Expr | ast.Assign | ast.AugAssign) -> Iterator[_Change]:
    """Leave a statement out: a call for what it does, or an assignment that replaces a value or sets an attribute."""
    if isinstance(node, ast.Expr):
        if isinstance(node.value, ast.Call):
            yield _Change("left out", value=ast.Constant(None))
    elif isinstance(node, ast.AugAssign):
        yield _Change("left out", value=ast.Constant(0))
    elif len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        target = node.targets[0]
        if any(isinstance(n, ast.Name) and n.id == target.id for n in ast.walk(node.value)):
            yield _Change("left out", value=ast.Name(target.id, ast.Load()))


def _forget_prose(tree: ast.Module) -> None:
    """Take docstrings out; they hold numbers too, but nothing reads them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body = [*node.body[1:]] or [ast.Pass()]


def _is_all(node: ast.AST) -> bool:
    return isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets)


def _text(node: ast.AST) -> str:
    if isinstance(node, ast.If | ast.While):
        return f"if {ast.unparse(node.test)}"
    text = ast.unparse(node)
    return text if len(text) <= 100 else f"{text[:97]}…"
