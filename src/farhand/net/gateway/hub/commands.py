"""What viewers command, as far as they may, and what they are answered."""

from __future__ import annotations

from collections.abc import Callable

from farhand.net.gateway.exam import TRAINERS_ONLY, trainee_may, trainer_may, unmeasured
from farhand.net.gateway.hub.control import Control
from farhand.net.gateway.hub.orders import Orders
from farhand.net.gateway.shelf import MoveShelf
from farhand.net.gateway.viewer import Viewer
from farhand.net.inside import Done
from farhand.net.messages import Answer, KeptMove
from farhand.types import Event, Replay, Reset, Stop, Teach

__all__ = ["Commands"]


class Commands:
    """The commands to one cell.

    Args:
        orders: How to send them.
        control: Who may.
        shelf: The moves that were taught.
    """

    def __init__(self, orders: Orders, control: Control, shelf: MoveShelf) -> None:
        self._orders, self._control, self._shelf = orders, control, shelf

    def take(
        self,
        viewer: Viewer,
        id_: int,
        event: Event,
        *,
        trainer: bool = False,
        how: str = "pressed",
        tell: Callable[[Answer], None] | None = None,
    ) -> None:
        """Pass an event on if its sender may, and answer him.

        Args:
            viewer: Who sends it.
            id_: Of the answer.
            event: What shall happen.
            trainer: He is one, and may more.
            how: What he did to say so: "pressed", "said".
            tell: Takes the answer; None: the viewer himself.
        """
        tell = tell or viewer.tell
        problem = "" if trainer and trainer_may(event) else self._problem(viewer, event)
        if problem:
            tell(Answer(id=id_, ok=False, text=problem))
            return
        if isinstance(event, Stop):
            event = Stop(reason=f"{viewer.name} {how} Stop.")
        self._orders.send(event, lambda done: self._done(viewer, id_, event, done, tell))

    def kept_move(self, viewer: Viewer, asked: KeptMove) -> None:
        """Do what a viewer asks with a taught move, if he may, and answer him."""
        robot, name = asked.robot, asked.name
        if not self._control.holds(viewer, robot):
            _answer(viewer, asked.id, f"Only who controls {robot} may do that. Ask for control first.")
        elif viewer.exam and asked.action != "replay":  # what is on the disk is the trainer's
            _answer(viewer, asked.id, TRAINERS_ONLY)
        elif asked.action == "rename":
            self._shelf.rename(robot, name, asked.to, lambda problem: _answer(viewer, asked.id, problem))
        elif asked.action == "delete":
            self._shelf.remove(robot, name, lambda problem: _answer(viewer, asked.id, problem))
        else:
            move = self._shelf.find(robot, name)
            if move is None:
                _answer(viewer, asked.id, f"{robot} has no move called {name!r}.")
            else:
                self.take(viewer, asked.id, Replay(robot, move))

    def ping(self, viewer: Viewer, id_: int) -> None:
        """Have the cell answer a viewer."""
        self._orders.send(None, lambda done: viewer.tell(Answer(id=id_, ok=done.ok, text=done.text)))

    def _done(self, viewer: Viewer, id_: int, event: Event, done: Done, tell: Callable[[Answer], None]) -> None:
        """Answer a viewer whose command was done; what he taught is kept first."""
        if isinstance(event, Teach) and done.taught is not None:
            self._shelf.keep(event.robot, done.taught, lambda problem: _answer(viewer, id_, problem))
        else:
            tell(Answer(id=id_, ok=done.ok, text=unmeasured(done.text) if viewer.exam else done.text))

    def _problem(self, viewer: Viewer, event: Event) -> str:
        """Return why a viewer may not command something, or an empty text."""
        if isinstance(event, Stop):
            return ""
        if viewer.exam and not trainee_may(event):
            return TRAINERS_ONLY
        robot, control = getattr(event, "robot", ""), self._control
        if isinstance(event, Teach) and event.action == "finish" and control.holds(viewer, robot):
            return self._shelf.problem(robot, event.name)
        if robot:
            may = control.holds(viewer, robot)
            return "" if may else f"Only who controls {robot} may do that. Ask for control first."
        may = control.holds_all(viewer) if isinstance(event, Reset) else control.holds_any(viewer)
        return "" if may else "Only who is in control may do that. Ask for control first."


def _answer(viewer: Viewer, id_: int, problem: str) -> None:
    viewer.tell(Answer(id=id_, ok=not problem, text=problem))
