"""What the shell promises to the pipeline: clock and fetcher, so that tests can stand in for both."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Protocol

from storyheat.core.model import FetchReply, FetchRequest


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> datetime:
        """The present instant, aware, UTC, whole seconds."""
        ...


class Fetcher(Protocol):
    """Fetches many addresses at once. Never raises for what a server does: see `FetchReply`."""

    def fetch(self, requests: Sequence[FetchRequest], now: datetime, on_reply: Callable[[FetchReply], None]) -> None:
        """Fetches all requests and calls `on_reply` once for each, as they end, in one thread.

        `now` is the run's instant; header dates (Expires, Retry-After) are measured against it.
        """
        ...
