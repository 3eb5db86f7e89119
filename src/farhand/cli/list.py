"""``farhand list``: list robots, tools, masters, devices, mappings, filters, pieces, surfaces or cells."""

from __future__ import annotations

import argparse
import json
from typing import Any

__all__ = ["main"]


def main(options: argparse.Namespace) -> int:
    """Print each name with a sentence about it."""
    rows = _rows(options.kind)
    if options.json:
        print(json.dumps([{"name": name, "summary": summary} for name, summary in rows.items()], indent=2))
        return 0
    width = max(map(len, rows), default=0)
    for name, summary in rows.items():
        print(f"{name:<{width}}  {summary}".rstrip())
    return 0


def _rows(kind: str) -> dict[str, str]:
    if kind == "cells":
        from farhand.cell.cell_files import cell_summaries

        return cell_summaries()
    if kind == "robots":
        from farhand.robots import robot_summaries

        return robot_summaries()
    if kind == "tools":
        from farhand.robots import tool_summaries

        return tool_summaries()
    return _registered(kind)


def _registered(kind: str) -> dict[str, str]:
    from farhand.devices import DEVICES
    from farhand.filters import FILTERS
    from farhand.mapping import MAPPINGS
    from farhand.masters import MASTERS
    from farhand.registry import Registry
    from farhand.world.pieces import PIECES
    from farhand.world.surface_kinds import SURFACES

    registries: dict[str, Registry[Any]] = {
        "masters": MASTERS,
        "devices": DEVICES,
        "mappings": MAPPINGS,
        "filters": FILTERS,
        "pieces": PIECES,
        "surfaces": SURFACES,
    }
    return {name: _sentence(registries[kind][name]) for name in registries[kind]}


def _sentence(item: object) -> str:
    text = str(getattr(item, "summary", "") or item.__doc__ or "").strip()
    return text.splitlines()[0] if text else ""
