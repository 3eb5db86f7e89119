"""Sources of motion: each returns the demand of one robot in a tick, by one function, `step`.

A new source is one file here, which registers the source and the request of its event. Importing this package registers
all of them.
"""

from farhand.lane.sources.source import (
    SOURCES,
    Active,
    Aimed,
    Autonomous,
    Awaited,
    Retracing,
    Source,
    SourceConfig,
    SourceView,
    Status,
    Step,
    Wanted,
)
from farhand.registry import import_all

__all__ = [
    "SOURCES",
    "Active",
    "Aimed",
    "Autonomous",
    "Awaited",
    "Retracing",
    "Source",
    "SourceConfig",
    "SourceView",
    "Status",
    "Step",
    "Wanted",
]

import_all(__name__, __path__)
