"""What the shell promises to the pipeline: a fetcher, so that tests and recordings can stand in for the network.

The time is no port: a run is told its one `now`.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Protocol

from storyheat.core.clustering.meaning import Embedded
from storyheat.core.model import FetchReply, FetchRequest


class Fetcher(Protocol):
    """Fetches many addresses at once. Never raises for what a server does: see `FetchReply`."""

    def fetch(self, requests: Sequence[FetchRequest], now: datetime, on_reply: Callable[[FetchReply], None]) -> None:
        """Fetches all requests and calls `on_reply` once for each, as they end, in one thread.

        Before each hop of a request with `rules` those are asked for where they must be, and obeyed.
        `now` is the run's instant; header dates (Expires, Retry-After) are measured against it.
        """
        ...


class Embedder(Protocol):
    """Turns texts into vectors that lie close where texts say the same. Vectors of two models never mix."""

    @property
    def model(self) -> str:
        """The model's name."""
        ...

    @property
    def version(self) -> str:
        """Of the model as installed: another one may give other vectors."""
        ...

    @property
    def dimensions(self) -> int:
        """Of each vector."""
        ...

    def embed(self, texts: Sequence[str]) -> list[Embedded]:
        """One vector of length one for each text, in their order; the same text always gives the same vector."""
        ...
