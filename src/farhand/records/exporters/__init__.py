"""Exporters of records: one file each, found by name.

An exporter is a function ``(record, target, progress) → None`` that writes a file.
"""

from __future__ import annotations

from farhand.records.exporters.exporter import EXPORTERS, Exporter
from farhand.registry import import_all

__all__ = ["EXPORTERS", "Exporter"]

import_all(__name__, __path__)
