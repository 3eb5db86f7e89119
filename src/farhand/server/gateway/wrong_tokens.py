"""Count wrong tokens by address. The right token is always accepted: all pages of a machine have one address."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

__all__ = ["WrongTokens"]

MAX_TRIES = 10  # wrong tokens of one address before it must wait
WAIT_S = 60.0
MAX_ADDRESSES = 1000


class WrongTokens:
    """Makes addresses wait that keep sending wrong tokens.

    Args:
        clock: Monotonic clock, s.
        say: Takes a kind and a sentence for the terminal.
    """

    def __init__(self, clock: Callable[[], float], say: Callable[[str, str], None]) -> None:
        self._clock, self._say = clock, say
        self._counts: OrderedDict[str, tuple[float, int]] = OrderedDict()  # start of the minute, and number

    def count(self, address: str) -> str:
        """Count a wrong token; return a sentence if its address must wait, otherwise an empty text."""
        now = self._clock()
        since, tries = self._counts.pop(address, (now, 0))
        if now - since >= WAIT_S:
            since, tries = now, 0
        self._counts[address] = (since, tries + 1)
        if len(self._counts) > MAX_ADDRESSES:
            self._counts.popitem(last=False)
        if tries < MAX_TRIES:
            return ""
        self._say(f"token {address}", f"Wrong tokens come from {address}: {tries + 1} within a minute.")
        wait = max(1, round(since + WAIT_S - now))
        return f"Too many wrong tokens came from this address. Use the link that Farhand printed, or wait {wait} s."
