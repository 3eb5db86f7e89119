"""Sources: each asks for one robot's motion in a tick, one file each behind one `step`.

A new source is its file here, which registers it and the request of its event. Importing this package registers them.
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
