"""Events: all inputs of a tick besides readings. One module per family; a new module in this folder is found by itself.

An event has its struct and declaration here, its check and its handlers in the packages that act on it, and its button
on the page.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Union

from farhand.types.events.declaration import EVENTS, Declaration

__all__ = ["EVENTS", "Declaration", "Event"]

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")

if TYPE_CHECKING:
    from farhand.types.events.declaration import EventStruct as Event
else:
    Event = Union[tuple(EVENTS)]  # noqa: UP007 - the members are known when this runs; decoders need them all
