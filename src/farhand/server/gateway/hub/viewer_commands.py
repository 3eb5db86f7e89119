"""What viewers command, as far as they may, and what they are answered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from farhand.notes import said
from farhand.server.gateway.hub.control import Control
from farhand.server.gateway.hub.orders import Orders
from farhand.server.gateway.hub.stop_limit import RepeatedStops
from farhand.server.gateway.move_store import MoveStore
from farhand.server.gateway.viewer import Viewer
from farhand.server.protocol.internal_messages import Done
from farhand.server.protocol.messages import Answer, KeptMove
from farhand.server.protocol.permissions import grant_of, never
from farhand.types import Event, FollowPath, Stop, Teach
from farhand.types.events.declaration import declaration_of, robot_of
from farhand.types.events.rights import GRANTS

__all__ = ["Commands"]


class Commands:
    """The commands to one cell.

    Args:
        orders: How to send them.
        control: Who may.
        shelf: The moves that were taught.
        stops: The last Stop of each viewer.
    """

    def __init__(self, orders: Orders, control: Control, shelf: MoveStore, stops: RepeatedStops) -> None:
        self._orders, self._control, self._shelf, self._stops = orders, control, shelf, stops

    def take(
        self,
        viewer: Viewer,
        id_: int,
        event: Event,
        *,
        how: Literal["pressed", "said"] = "pressed",
        tell: Callable[[Answer], None] | None = None,
    ) -> None:
        """Pass an event on if its sender may, and answer him.

        Args:
            viewer: Who sends it.
            id_: Of the answer.
            event: What shall happen.
            how: What he did to say so: "pressed", "said".
            tell: Takes the answer; None: the viewer himself.
        """
        tell = tell or viewer.tell
        problem = self.problem(viewer, event)
        if problem:
            tell(Answer(id=id_, ok=False, text=problem))
            return

        def answered(done: Done) -> None:
            self._done(viewer, id_, event, done, tell)

        if not isinstance(event, Stop):
            self._stops.forget()
            self._orders.send(event, answered)
        elif not self._stops.joins(viewer.number, answered):
            stop = Stop(by=viewer.name, how=how)
            self._orders.send(stop, self._stops.passes(viewer.number, answered))

    def begin_anew(self) -> None:
        """Forget what was commanded: the cell's process is another one."""
        self._stops.forget()

    def problem(self, viewer: Viewer, event: Event) -> str:
        """Return why a viewer may not command something, as a sentence, or an empty text."""
        grant = grant_of(viewer.role, event)
        if grant == "never":
            return never(viewer.role)
        problem = self._control_problem(viewer, event) if grant == "control" else ""
        if not problem and isinstance(event, Teach) and event.action == "finish":
            return self._shelf.problem(event.robot, event.name)
        return problem

    def kept_move(self, viewer: Viewer, asked: KeptMove) -> None:
        """Do what a viewer asks with a taught move, if he may, and answer him."""
        robot, name = asked.robot, asked.name
        if not self._control.holds(viewer, robot):
            _answer(viewer, asked.id, f"Only who controls {robot} may do that. Ask for control first.")
        elif asked.action != "run" and GRANTS[viewer.role]["task"] == "never":  # what is on the disk stays there
            _answer(viewer, asked.id, never(viewer.role))
        elif asked.action == "rename":
            self._shelf.rename(robot, name, asked.to, lambda problem: _answer(viewer, asked.id, problem))
        elif asked.action == "delete":
            self._shelf.remove(robot, name, lambda problem: _answer(viewer, asked.id, problem))
        else:
            move = self._shelf.find(robot, name)
            if move is None:
                _answer(viewer, asked.id, f"{robot} has no move called {name!r}.")
            else:
                self.take(viewer, asked.id, FollowPath(robot, move))

    def ping(self, viewer: Viewer, id_: int) -> None:
        """Have the cell answer a viewer."""
        self._orders.send(
            None, lambda done: viewer.tell(Answer(id=id_, ok=done.ok, text=said(done.refused, viewer.reader)))
        )

    def _done(self, viewer: Viewer, id_: int, event: Event, done: Done, tell: Callable[[Answer], None]) -> None:
        """Answer a viewer whose command was done; what he taught is kept first."""
        if isinstance(event, Teach) and done.taught is not None:
            self._shelf.keep(event.robot, done.taught, lambda problem: _answer(viewer, id_, problem))
        else:
            tell(Answer(id=id_, ok=done.ok, text=said(done.refused, viewer.reader)))

    def _control_problem(self, viewer: Viewer, event: Event) -> str:
        """Return why a viewer is not in control of what an event is for, or an empty text."""
        declared, robot = declaration_of(event), robot_of(event)
        if declared.scope == "person":
            return ""
        if robot:
            may = self._control.holds(viewer, robot)
            return "" if may else f"Only who controls {robot} may do that. Ask for control first."
        may = self._control.holds_all(viewer) if declared.every else self._control.holds_any(viewer)
        return "" if may else "Only who is in control may do that. Ask for control first."


def _answer(viewer: Viewer, id_: int, problem: str) -> None:
    viewer.tell(Answer(id=id_, ok=not problem, text=problem))
