"""Events: all that enters a tick besides readings. One file per family; a new file in this folder is found.

An event is its struct with its declaration here, its check and handlers where they are done, and its button.
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
