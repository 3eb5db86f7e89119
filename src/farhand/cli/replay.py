"""``farhand replay``: replay the record of a run in the operator page."""

from __future__ import annotations

import argparse
import sys
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING

from farhand.extras import require_extra

if TYPE_CHECKING:
    from farhand.server.cell_process.cell_order import CellOrder
    from farhand.server.supervisor.supervisor import Server

__all__ = ["main"]


def main(options: argparse.Namespace) -> int:
    """Check the record, and serve its replay."""
    require_extra("server", "a replay in the browser needs the server")
    require_extra("records", "records of runs need packages of their own")
    from farhand.records import RecordError
    from farhand.records import open as open_record

    path = _path(options.record, options.folder)
    with open_record(path) as record:
        cell, run, duration = record.info.cell, record.info.run, record.duration
        if next(record.ticks(), None) is None:
            raise RecordError(f"{path.name} holds no tick that could be shown")
    return _serve(options, path, cell, f"{run} ({duration:.1f} s)")


def _path(name: str, folder: Path | None) -> Path:
    """Return the path of a record: a file, or a run of the data folder."""
    from farhand.records.data_folder import runs_folder

    path = Path(name)
    return path if path.exists() or path.suffix else runs_folder(folder) / f"{name}.mcap"


def _serve(options: argparse.Namespace, path: Path, cell: str, title: str) -> int:
    from farhand.server.cell_process.cell_order import CellOrder
    from farhand.server.fabric.folders import private_folder
    from farhand.server.supervisor.supervisor import Server, listen

    name = cell or "replay"
    with private_folder() as folder:
        cells: dict[str, CellOrder] = {name: CellOrder(name=name, folder=str(folder), replay=str(path.resolve()))}
        listener = listen(options.host, options.port, _say)
        with listener, Server(cells, listener, folder, _say, spare=False) as server:
            return server.serve(lambda address: _ready(server, address, title, browse=options.browser))


def _ready(server: Server, address: str, title: str, *, browse: bool) -> None:
    from farhand.server.supervisor.supervisor import has_display

    print(f"Farhand is at {server.owners_address}", flush=True)
    print(f"Link for others: {address}", flush=True)
    print(f"Replay of {title}", flush=True)
    if browse and has_display():
        webbrowser.open(server.owners_address)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
