"""Measures how long the stages of a run take; the figures are shown and never decide anything."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic


class Stopwatch:
    """Seconds by stage, added up over its laps."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        """One lap of a stage: `with watch("parse"): ...`."""
        start = monotonic()
        yield
        self.seconds[stage] = self.seconds.get(stage, 0.0) + monotonic() - start
