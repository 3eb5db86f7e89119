"""The taught moves of one cell as its viewers see them: known at once, written to disk aside."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import unquote

from msgspec.structs import replace

from farhand.cell.path_library import PathLibrary
from farhand.errors import FarhandError
from farhand.server.protocol.messages import MoveInfo, Moves
from farhand.types import Trajectory
from farhand.world.object_kinds import check_name

__all__ = ["Aside", "MoveStore", "at_once"]

Answer = Callable[[str], None]
"""Takes why something could not be done, or an empty text."""
Aside = Callable[[Callable[[], None], Answer], None]
"""Does some work that may wait for a disk, and then answers, on the thread that asked."""

MOST = 200  # moves of a robot


def at_once(work: Callable[[], None], answer: Answer) -> None:
    """Do it here and now."""
    answer(problem_of(work))


def problem_of(work: Callable[[], None]) -> str:
    """Do some work and return why it failed, or an empty text."""
    try:
        work()
    except FarhandError as error:
        return f"It is known for now, but will be forgotten: {error}."
    return ""


class MoveStore:
    """Taught moves by robot and name.

    Args:
        library: Where they are kept; None: nowhere, they end with the gateway.
        aside: How to wait for the disk.
        changed: Called when there are others.
    """

    def __init__(self, library: PathLibrary | None, aside: Aside, changed: Callable[[], None]) -> None:
        self._library, self._aside, self._changed = library, aside, changed
        found, self.problems = library.read() if library else ({}, [])
        self._moves = {unquote(robot): moves for robot, moves in found.items()}

    def told(self) -> Moves:
        """Return what viewers are told of them."""
        return Moves(robots={r: tuple(_info(m) for m in moves.values()) for r, moves in self._moves.items()})

    def find(self, robot: str, name: str) -> Trajectory | None:
        """Return a move."""
        return self._moves.get(robot, {}).get(name)

    def problem(self, robot: str, name: str) -> str:
        """Return why a new move cannot have a name, or an empty text."""
        wrong = check_name(name)
        if wrong:
            return f"{wrong}."
        if self.find(robot, name) is not None:
            return f"{robot} has a move called {name!r} already. Choose another name, or delete that one first."
        return f"{robot} has {MOST} moves already. Delete one first." if len(self._of(robot)) >= MOST else ""

    def keep(self, robot: str, move: Trajectory, answer: Answer) -> None:
        """Add a move."""
        self._of(robot)[move.name] = move
        self._after(lambda library: library.keep(robot, move), answer)

    def rename(self, robot: str, name: str, to: str, answer: Answer) -> None:
        """Give a move another name."""
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
        """Take a move away."""
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

        self._aside(done, answer)


def _info(move: Trajectory) -> MoveInfo:
    seconds = move.times[-1] if move.times else 0.0
    return MoveInfo(name=move.name, points=len(move.points), seconds=round(seconds, 1))


def _unknown(robot: str, name: str) -> str:
    return f"{robot} has no move called {name!r}."
