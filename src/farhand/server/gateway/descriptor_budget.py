"""Limits on connections, from the file descriptors of this process, so that the next one can always be answered.

::

    descriptors = OWN + connections + backlog + remote masters + files being sent

At the limit the system closes a new connection without an answer. So every kind of connection is bounded below it.
"""

from __future__ import annotations

from msgspec import Struct

__all__ = ["USUAL", "DescriptorBudget", "allow_descriptors", "places_for"]

WANTED = 2048  # descriptors in all
OWN = 48  # descriptors of the gateway itself: fabric, picture process, recogniser, pipes
MIN_BACKLOG = 16  # a connection beyond the backlog is retried by its own system only after a second
MIN_CONNECTIONS = 48  # descriptors for connections, however low the limit is


class DescriptorBudget(Struct, frozen=True):
    """Upper bounds on connections.

    Args:
        connections: All connections to the web server.
        http: Of these, connections without a running request.
        pages: Of these, pages that have greeted.
        kept: Of the pages, places for those that control a robot or have controlled one before.
        ungreeted: Sockets that have not greeted.
        masters: Remote masters.
        backlog: Connections that wait in the system to be accepted.
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
        """Whether the system allows fewer than usual."""
        return self != USUAL


USUAL = DescriptorBudget()


def places_for(descriptors: int) -> DescriptorBudget:
    """Return the bounds for a process with this many descriptors."""
    free, most = max(descriptors - OWN, MIN_CONNECTIONS), USUAL
    connections = min(most.connections, free * 2 // 5)
    pages = min(most.pages, connections // 2)
    return DescriptorBudget(
        connections=connections,
        http=min(most.http, connections // 3),
        pages=pages,
        kept=min(most.kept, pages // 4),
        ungreeted=min(most.ungreeted, connections // 6),
        masters=min(most.masters, free // 8),
        backlog=min(most.backlog, max(MIN_BACKLOG, free // 8)),
    )


def allow_descriptors() -> int:
    """Raise this process's limit on descriptors to `WANTED`, as far as the system permits, and return the limit."""
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
