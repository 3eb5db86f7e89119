"""A registry: a dict filled by a decorator, which refuses a name used twice and lists the names for an unknown one.

Other packages add entries by an entry point of the group ``farhand.<kind>s``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules
from typing import Generic, TypeVar

from farhand.errors import FarhandError, UnknownNameError

__all__ = ["Registry", "import_all"]

T = TypeVar("T")


def import_all(package: str, path: Iterable[str]) -> None:
    """Import every module of a package, so that each can register its entries."""
    for module in iter_modules(path):
        import_module(f"{package}.{module.name}")


class Registry(Generic[T]):
    """Entries of one kind, by name.

    Args:
        kind: The noun for an entry, e.g. "master".
    """

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._items: dict[str, T] = {}
        self._searched = False

    def register(self, name: str) -> Callable[[T], T]:
        """Return a decorator that registers an entry under `name`.

        Raises:
            FarhandError: If the name is taken.
        """

        def file(item: T) -> T:
            if name in self._items:
                raise FarhandError(f"two {self.kind}s are called {name!r}; names are unique")
            self._items[name] = item
            return item

        return file

    def __getitem__(self, name: str) -> T:
        if name not in self._items:
            self._search()
        if name not in self._items:
            raise UnknownNameError(self.kind, name, self._items)
        return self._items[name]

    def __iter__(self) -> Iterator[str]:
        self._search()
        return iter(sorted(self._items))

    def __contains__(self, name: str) -> bool:
        return name in list(self)

    def _search(self) -> None:
        """Load the entries of other installed packages, once."""
        if self._searched:
            return
        self._searched = True
        for point in entry_points(group=f"farhand.{self.kind}s"):
            if point.name not in self._items:
                self._items[point.name] = point.load()
