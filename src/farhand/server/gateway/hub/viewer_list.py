"""The list of a cell's viewers, for those who may send one away: viewers in control, instructors and the owner."""

from __future__ import annotations

from collections.abc import Mapping

from farhand.server.gateway.hub.control import Control
from farhand.server.gateway.viewer import Viewer
from farhand.server.protocol.messages import Person, Viewers
from farhand.server.protocol.permissions import STAFF

__all__ = ["ViewerList"]

NOBODY = Viewers(people=())


class ViewerList:
    """The list of one cell's viewers.

    Args:
        viewers: Viewers by number.
        control: Leases of the robots.
    """

    def __init__(self, viewers: Mapping[int, Viewer], control: Control) -> None:
        self._viewers, self._control = viewers, control
        self._seen: tuple[object, ...] = ()
        self._told: set[int] = set()

    def may_send_away(self, viewer: Viewer) -> bool:
        """Return whether a viewer may send another one away."""
        return viewer.role in STAFF or self._control.holds_any(viewer)

    def problem(self, by: Viewer, number: int) -> str:
        """Return the reason why one viewer may not send another one away; empty if they may."""
        other = self._viewers.get(number)
        if not self.may_send_away(by):
            return "You need control to send a viewer away. Ask for control first."
        if other is None or other is by:
            return "That viewer has already left."
        if other.role in STAFF:
            return f"{other.name} is the {other.role} and cannot be sent away."
        if self._control.holds_any(other):
            return f"{other.name} controls a robot and cannot be sent away."
        return ""

    def sweep(self) -> None:
        """Send the list to those who may see it, if it has changed."""
        seen = (self._control.changes, *self._viewers)
        if seen == self._seen:
            return
        self._seen = seen
        people = tuple(Person(viewer=v.number, name=v.name, role=v.role) for v in self._viewers.values())
        told = {viewer.number for viewer in self._viewers.values() if self.may_send_away(viewer)}
        for number, viewer in self._viewers.items():
            if number in told:
                viewer.tell(Viewers(people=people))
            elif number in self._told:
                viewer.tell(NOBODY)
        self._told = told
