"""How many connections the descriptors of this process allow, so that the next one can always be answered.

::

    descriptors = OWN + connections + backlog + masters at the door + files that are being sent

At the limit itself the system closes a newcomer without a word. So every kind of connection is bounded below it.
"""

from __future__ import annotations

from msgspec import Struct

__all__ = ["USUAL", "DescriptorBudget", "allow_descriptors", "places_for"]

WANTED = 2048  # descriptors for all connections together
OWN = 48  # descriptors of the gateway itself: fabric, studio, speech, pipes
LEAST_BACKLOG = 16  # one that does not fit in is tried again by its own system only after a second
LEAST = 48  # descriptors for connections, however low the limit is


class DescriptorBudget(Struct, frozen=True):
    """Upper bounds.

    Args:
        connections: To the web server, of all kinds.
        http: Of these, without a running request.
        pages: Of these, pages that have greeted.
        kept: Of the pages, places for those that control a robot or did so before.
        ungreeted: Sockets that have not greeted.
        masters: At the door.
        backlog: Connections that wait in the system until they are taken.
    """

    connections: int = 800
    http: int = 256
    pages: int = 256
    kept: int = 16
    ungreeted: int = 64
    masters: int = 64
    backlog: int = 200

    @property
    def few(self) -> bool:
        """Whether the system allows fewer than Farhand is made for."""
        return self != USUAL


USUAL = DescriptorBudget()


def places_for(descriptors: int) -> DescriptorBudget:
    """Return the bounds for a process that may have so many descriptors."""
    free, most = max(descriptors - OWN, LEAST), USUAL
    connections = min(most.connections, free * 2 // 5)
    pages = min(most.pages, connections // 2)
    return DescriptorBudget(
        connections=connections,
        http=min(most.http, connections // 3),
        pages=pages,
        kept=min(most.kept, pages // 4),
        ungreeted=min(most.ungreeted, connections // 6),
        masters=min(most.masters, free // 8),
        backlog=min(most.backlog, max(LEAST_BACKLOG, free // 8)),
    )


def allow_descriptors() -> int:
    """Allow this process the descriptors that it may need, as far as the system lets it, and return how many."""
    try:
        import resource
    except ImportError:  # not made for Windows
        return WANTED
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED if hard == resource.RLIM_INFINITY else min(WANTED, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    return WANTED if soft == resource.RLIM_INFINITY else soft
