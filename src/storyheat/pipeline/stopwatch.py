"""Measures how long the stages of a run take; the figures are shown and never decide anything."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic


class Stopwatch:
    """Seconds by stage, added up over its laps; told by a clock that only goes forward."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self.seconds: dict[str, float] = {}
        self._clock = clock

    @contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        """One lap of a stage: `with watch("parse"): ...`."""
        start = self._clock()
        yield
        self.seconds[stage] = self.seconds.get(stage, 0.0) + self._clock() - start
