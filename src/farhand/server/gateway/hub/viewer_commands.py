"""Commands of viewers: check the sender's right, order the cell, and answer the sender.

Whether a viewer may send a command is decided here. Its delivery to the cell is the task of `hub/orders.py`.
"""

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

NOT_IN_CONTROL = "You do not control {robot}. Ask for control first."
NOT_IN_CONTROL_OF_ALL = "That needs control of every robot. Ask for control first."
IN_CONTROL_OF_NONE = "You are not in control. Ask for control first."


class Commands:
    """The commands of viewers to one cell: rights, taught moves and answers to people; `Orders` delivers them.

    Args:
        orders: Orders to the cell.
        control: Leases of its robots.
        moves: Taught moves.
        stops: The last Stop of each viewer.
    """

    def __init__(self, orders: Orders, control: Control, moves: MoveStore, stops: RepeatedStops) -> None:
        self._orders, self._control, self._moves, self._stops = orders, control, moves, stops

    def take(
        self,
        viewer: Viewer,
        id_: int,
        event: Event,
        *,
        how: Literal["pressed", "said"] = "pressed",
        tell: Callable[[Answer], None] | None = None,
    ) -> None:
        """Order an event if its sender may, and answer.

        Args:
            viewer: The sender.
            id_: Number that the answer repeats.
            event: The event.
            how: How a Stop was given: "pressed" or "said".
            tell: Takes the answer; None: it goes to the viewer.
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

    def cell_restarted(self) -> None:
        """Forget earlier Stops: a new process of the cell has started."""
        self._stops.forget()

    def problem(self, viewer: Viewer, event: Event) -> str:
        """Return the reason why a viewer may not send an event, as a sentence; empty if they may."""
        grant = grant_of(viewer.role, event)
        if grant == "never":
            return never(viewer.role)
        problem = self._control_problem(viewer, event) if grant == "control" else ""
        if not problem and isinstance(event, Teach) and event.action == "finish":
            return self._moves.problem(event.robot, event.name)
        return problem

    def kept_move(self, viewer: Viewer, asked: KeptMove) -> None:
        """Run, rename or delete a taught move if the viewer may, and answer."""
        robot, name = asked.robot, asked.name
        if not self._control.holds(viewer, robot):
            _answer(viewer, asked.id, NOT_IN_CONTROL.format(robot=robot))
        elif asked.action != "run" and GRANTS[viewer.role]["task"] == "never":  # a role that may not change files
            _answer(viewer, asked.id, never(viewer.role))
        elif asked.action == "rename":
            self._moves.rename(robot, name, asked.to, lambda problem: _answer(viewer, asked.id, problem))
        elif asked.action == "delete":
            self._moves.remove(robot, name, lambda problem: _answer(viewer, asked.id, problem))
        else:
            move = self._moves.find(robot, name)
            if move is None:
                _answer(viewer, asked.id, f"{robot} has no move called {name!r}.")
            else:
                self.take(viewer, asked.id, FollowPath(robot, move))

    def ping(self, viewer: Viewer, id_: int) -> None:
        """Order the cell to answer a viewer's ping."""
        self._orders.send(
            None, lambda done: viewer.tell(Answer(id=id_, ok=done.ok, text=said(done.refused, viewer.reader)))
        )

    def _done(self, viewer: Viewer, id_: int, event: Event, done: Done, tell: Callable[[Answer], None]) -> None:
        """Answer a viewer whose command was carried out; keep a taught move first."""
        if isinstance(event, Teach) and done.taught is not None:
            self._moves.keep(event.robot, done.taught, lambda problem: _answer(viewer, id_, problem))
        else:
            tell(Answer(id=id_, ok=done.ok, text=said(done.refused, viewer.reader)))

    def _control_problem(self, viewer: Viewer, event: Event) -> str:
        """Return the reason why a viewer lacks the control that an event needs; empty if they have it."""
        declared, robot = declaration_of(event), robot_of(event)
        if declared.scope == "person":
            return ""
        if robot:
            may = self._control.holds(viewer, robot)
            return "" if may else NOT_IN_CONTROL.format(robot=robot)
        may = self._control.holds_all(viewer) if declared.every else self._control.holds_any(viewer)
        return "" if may else NOT_IN_CONTROL_OF_ALL if declared.every else IN_CONTROL_OF_NONE


def _answer(viewer: Viewer, id_: int, problem: str) -> None:
    viewer.tell(Answer(id=id_, ok=not problem, text=problem))
