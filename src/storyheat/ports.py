"""What the shell promises to the pipeline: a fetcher, so that tests and recordings can stand in for the network.

The time is no port: a run is told its one `now`.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Protocol

from storyheat.core.model import FetchReply, FetchRequest


class Fetcher(Protocol):
    """Fetches many addresses at once. Never raises for what a server does: see `FetchReply`."""

    def fetch(self, requests: Sequence[FetchRequest], now: datetime, on_reply: Callable[[FetchReply], None]) -> None:
        """Fetches all requests and calls `on_reply` once for each, as they end, in one thread.

        `now` is the run's instant; header dates (Expires, Retry-After) are measured against it.
        """
        ...
