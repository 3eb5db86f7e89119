"""``farhand run``: start a server with a page, or run a cell without one."""

from __future__ import annotations

import argparse
import ipaddress
import sys
import webbrowser
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from farhand.cell_paths import find_cell
from farhand.config import read_toml
from farhand.errors import CellFileError, CommandError
from farhand.extras import has_extra, install_hint, require_extra

if TYPE_CHECKING:
    from farhand.server.cell_process.cell_order import CellOrder
    from farhand.server.supervisor.supervisor import Server

__all__ = ["main"]

DEFAULT_CELL = "irb120"
EXPOSED = (
    "Warning: other machines can reach this server. Anyone with the link can drive the robots, and nothing is"
    " encrypted. Use --host only on a network that you trust."
)
ROBOT_FILES = (".urdf", ".xml", ".mjcf")


def main(options: argparse.Namespace) -> int:
    """Check the options, and run the cells."""
    if options.robot and options.cell:
        raise CommandError("give either a cell or --robot, not both")
    if not options.robot and (options.tip or options.base or options.tool):
        raise CommandError("--tip, --base and --tool need --robot; in a cell file they are fields of the robot")
    for cell in options.cell:
        if cell.endswith(ROBOT_FILES):
            raise CommandError(f"{cell} is a robot, not a cell; run it with: farhand run --robot {cell}")
        find_cell(cell)
    if options.robot and options.robot.endswith((*ROBOT_FILES, ".toml")) and not Path(options.robot).is_file():
        raise CommandError(f"{options.robot}: cannot be read: No such file or directory")
    if options.headless and options.exam:
        raise CommandError("--exam needs a page and cannot be combined with --headless")
    if options.headless:
        return int(import_module("farhand.cli.headless").main(options))
    if options.json or options.fast or options.seconds:
        raise CommandError("--seconds, --fast and --json need --headless")
    require_extra("server", "driving in the browser needs the server")
    if options.exam:
        require_extra("cameras", "an exam shows camera pictures, which need the cameras' packages")
    return _serve(options)


def _serve(options: argparse.Namespace) -> int:
    from farhand.server.fabric.folders import private_folder
    from farhand.server.supervisor.supervisor import Server, listen

    with private_folder() as folder:
        cells = _cells(options, folder)
        listener = listen(options.host, options.port, _say)
        if not _is_loopback(listener.getsockname()[0]):
            _say(EXPOSED)
        runs = _runs(options)
        wanted = {"master_port": options.master_port, "exam": options.exam, "spare": options.spare}
        wanted |= {"runs": runs, "quota": round(options.records_gb * 1e9)}
        with listener, Server(cells, listener, folder, _say, **wanted) as server:
            return server.serve(lambda address: _ready(server, address, browse=options.browser))


def _runs(options: argparse.Namespace) -> Path | None:
    """Return the folder in which runs are recorded; None if they are not."""
    if not options.record:
        return None
    if not has_extra("records"):
        _say(f"Runs are not recorded: the packages for records are missing; {install_hint('records')}")
        return None
    from farhand.records.data_folder import runs_folder
    from farhand.records.errors import RecordError

    try:
        return runs_folder()
    except RecordError as error:
        _say(f"Runs are not recorded: {error}.")
        return None


def _is_loopback(host: str) -> bool:
    return ipaddress.ip_address(host.partition("%")[0]).is_loopback


def _cells(options: argparse.Namespace, folder: Path) -> dict[str, CellOrder]:
    """Return an order for each cell, by the cell's name."""
    from farhand.server.cell_process.cell_order import CellOrder

    if options.robot:
        name = Path(options.robot).stem or "robot"
        robot = {"robot": options.robot, "tip": options.tip, "base": options.base, "tool": options.tool}
        return {name: CellOrder(name=name, folder=str(folder), seed=options.seed, **robot)}
    cells: dict[str, CellOrder] = {}
    for cell in options.cell or [DEFAULT_CELL]:
        name = _name_of(cell)
        if name in cells:
            raise CommandError(f"two cells have the name {name!r}; each cell of a server needs a name of its own")
        cells[name] = CellOrder(name=name, folder=str(folder), cell=cell, seed=options.seed)
    return cells


def _name_of(cell: str) -> str:
    """Return the name in a cell file, without checking the rest: the cell's process does that."""
    path = find_cell(cell)
    name = read_toml(path, CellFileError).get("name")
    if isinstance(name, str) and name:
        return name
    from farhand.cell import read_cell  # slow to import, but its error names the problem

    return read_cell(path).name


def _ready(server: Server, address: str, *, browse: bool) -> None:
    from farhand.server.supervisor.supervisor import has_display

    print(f"Farhand is at {server.owners_address}", flush=True)
    print(f"Link for {'instructors' if server.trainees_address else 'others'}: {address}", flush=True)
    if server.trainees_address:
        print(f"The trainee's page is at {server.trainees_address}", flush=True)
    if server.runs:
        print(f"Runs are kept in {server.runs}", flush=True)
    if browse and has_display():
        webbrowser.open(server.owners_address)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
