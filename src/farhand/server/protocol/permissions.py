"""The rights of each role, and the sentences that refuse everything else."""

from __future__ import annotations

from farhand.types import Event
from farhand.types.events.declaration import declaration_of
from farhand.types.events.rights import GRANTS, Grant, Role

__all__ = ["INSTRUCTORS_ONLY", "STAFF", "grant_of", "never"]

INSTRUCTORS_ONLY = "Only the instructor may do that during an exam."
INSIDE_ONLY = "Only Farhand itself may send that."
STAFF: frozenset[Role] = frozenset({"superuser", "instructor", "owner"})
"""Roles that may send others away and cannot be sent away."""
_NEVER: dict[Role, str] = {
    "guest": "Guests may drive, but may not change the cell.",
    "trainee": INSTRUCTORS_ONLY,
    "observer": "Observers may only watch and stop.",
}


def grant_of(role: Role, event: Event) -> Grant:
    """Return whether a role may send an event: always, in control of its robot, or never."""
    return GRANTS[role][declaration_of(event).right]


def never(role: Role) -> str:
    """Return the sentence that refuses an event which a role may never send."""
    return _NEVER.get(role, INSIDE_ONLY)
