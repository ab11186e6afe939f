"""Slows down who sends too much: so many at once, and then one at a time."""

from collections import OrderedDict
from collections.abc import Callable
from datetime import datetime
from threading import Lock

BURST = 60.0  # a class behind one address may answer at once
PER_SECOND = 0.5  # after that
MOST_SENDERS = 10_000  # remembered; those silent for longest are forgotten


class Brake:
    """Remembers how much each sender may still send."""

    def __init__(self, clock: Callable[[], datetime], burst: float = BURST, per_second: float = PER_SECOND) -> None:
        self._clock, self._burst, self._per_second = clock, burst, per_second
        self._left: OrderedDict[str, tuple[float, datetime]] = OrderedDict()
        self._lock = Lock()

    def lets(self, sender: str) -> bool:
        """Whether a sender may send once more; if so that counts."""
        now = self._clock()
        with self._lock:
            left, since = self._left.pop(sender, (self._burst, now))
            left = min(self._burst, left + self._per_second * max(0.0, (now - since).total_seconds()))
            self._left[sender] = (left - 1 if left >= 1 else left, now)
            while len(self._left) > MOST_SENDERS:
                self._left.popitem(last=False)
            return left >= 1
