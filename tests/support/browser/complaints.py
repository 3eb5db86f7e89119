"""Collect the errors of pages: console errors, uncaught errors and rejections, policy violations."""

from __future__ import annotations

from playwright.sync_api import BrowserContext, ConsoleMessage, Error, WebError

__all__ = ["Complaints"]

# Not every browser version reports violated policies on the console, and none does so in a worker.
POLICY = """addEventListener("securitypolicyviolation", (event) => {
  console.error(`policy ${event.effectiveDirective} broken by ${event.blockedURI}`);
});"""


class Complaints:
    """The errors of a test's pages, except those that the test permits."""

    def __init__(self) -> None:
        self._said: list[str] = []
        self._forgiven: list[str] = []
        self._contexts: list[BrowserContext] = []

    def listen_to(self, context: BrowserContext) -> None:
        """Collect the errors of every page of a context."""
        self._contexts.append(context)
        context.add_init_script(POLICY)
        context.on("console", self._console)
        context.on("weberror", self._error)

    def forgive(self, *texts: str) -> None:
        """Expect errors with these words, for the rest of the test."""
        self._forgiven += texts

    def hear_out(self, context: BrowserContext) -> None:
        """Wait for the messages of a context so far, and stop listening to it."""
        self._flush(context)
        self._contexts.remove(context)

    def collect(self) -> list[str]:
        """Return all unexpected errors since the last call."""
        for context in self._contexts:
            self._flush(context)
        said = [text for text in self._said if not any(part in text for part in self._forgiven)]
        self._said, self._forgiven = [], []
        return said

    @staticmethod
    def _flush(context: BrowserContext) -> None:
        """Wait for the messages of a context: they arrive in order, before a page's answer."""
        for page in context.pages:
            try:
                page.evaluate("() => 0")
            except Error:  # it is just going away
                continue

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self._said.append(f"{message.text} ({message.location.get('url', '')})")

    def _error(self, error: WebError) -> None:
        self._said.append(str(error.error))
