"""The taught moves of one cell: known at once, and written to disk in the background."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import unquote

from msgspec.structs import replace

from farhand.cell.path_library import PathLibrary
from farhand.errors import FarhandError
from farhand.server.protocol.messages import MoveInfo, Moves
from farhand.types import Trajectory
from farhand.world.object_kinds import check_name

__all__ = ["Background", "MoveStore", "run_now"]

Answer = Callable[[str], None]
"""Takes the reason of a failure; empty for success."""
Background = Callable[[Callable[[], None], Answer], None]
"""Runs work that may wait for the disk, then answers on the caller's thread."""

MAX_MOVES = 200  # of a robot


def run_now(work: Callable[[], None], answer: Answer) -> None:
    """Run the work at once, on this thread."""
    answer(problem_of(work))


def problem_of(work: Callable[[], None]) -> str:
    """Run the work and return the reason of a failure; empty for success."""
    try:
        work()
    except FarhandError as error:
        return f"The change is not saved and ends with the server: {error}."
    return ""


class MoveStore:
    """Taught moves by robot and name.

    Args:
        library: Files of the moves; None: moves end with the gateway.
        background: Runs work that may wait for the disk.
        changed: Called when the moves have changed.
    """

    def __init__(self, library: PathLibrary | None, background: Background, changed: Callable[[], None]) -> None:
        self._library, self._background, self._changed = library, background, changed
        found, self.problems = library.read() if library else ({}, [])
        self._moves = {unquote(robot): moves for robot, moves in found.items()}

    def message(self) -> Moves:
        """Return the message about all moves."""
        return Moves(robots={r: tuple(_info(m) for m in moves.values()) for r, moves in self._moves.items()})

    def find(self, robot: str, name: str) -> Trajectory | None:
        """Return a move; None if there is no such move."""
        return self._moves.get(robot, {}).get(name)

    def problem(self, robot: str, name: str) -> str:
        """Return the reason why a new move cannot have a name; empty if it can."""
        wrong = check_name(name)
        if wrong:
            return f"{wrong}."
        if self.find(robot, name) is not None:
            return f"{robot} already has a move called {name!r}. Choose another name, or delete that move first."
        full = len(self._of(robot)) >= MAX_MOVES
        return f"{robot} already has {MAX_MOVES} moves. Delete one first." if full else ""

    def keep(self, robot: str, move: Trajectory, answer: Answer) -> None:
        """Add a move."""
        self._of(robot)[move.name] = move
        self._after(lambda library: library.keep(robot, move), answer)

    def rename(self, robot: str, name: str, to: str, answer: Answer) -> None:
        """Rename a move."""
        move, problem = self.find(robot, name), self.problem(robot, to)
        if move is None or problem:
            answer(problem if move else _unknown(robot, name))
            return
        moves, named = self._of(robot), replace(move, name=to)
        self._moves[robot] = {to if n == name else n: named if n == name else m for n, m in moves.items()}

        def renamed(library: PathLibrary) -> None:
            library.keep(robot, named)
            library.remove(robot, name)

        self._after(renamed, answer)

    def remove(self, robot: str, name: str, answer: Answer) -> None:
        """Delete a move."""
        if self._of(robot).pop(name, None) is None:
            answer(_unknown(robot, name))
            return
        self._after(lambda library: library.remove(robot, name), answer)

    def _of(self, robot: str) -> dict[str, Trajectory]:
        return self._moves.setdefault(robot, {})

    def _after(self, work: Callable[[PathLibrary], object], answer: Answer) -> None:
        self._changed()
        library = self._library
        if library is None:
            answer("")
            return

        def done() -> None:
            work(library)

        self._background(done, answer)


def _info(move: Trajectory) -> MoveInfo:
    seconds = move.times[-1] if move.times else 0.0
    return MoveInfo(name=move.name, points=len(move.points), seconds=round(seconds, 1))


def _unknown(robot: str, name: str) -> str:
    return f"{robot} has no move called {name!r}."
