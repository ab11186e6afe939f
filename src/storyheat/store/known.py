"""What was read of one state of the database, or made of it alone, kept for further questions about that state."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

MOST = 20_000  # values kept at once; about 100 MB where each is a story of ten reports


class Known:
    """Values by what they answer. Threads may share one: they would only read the same value twice."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._kept: dict[Hashable, Any] = {}

    def one(self, question: Hashable, read: Callable[[], V]) -> V:
        """The answer to one question; `read` finds it the first time."""
        try:
            found: V = self._kept[question]
        except KeyError:
            found = read()
            self._keep({question: found})
        return found

    def each(self, question: str, wanted: Iterable[K], read: Callable[[list[K]], Mapping[K, V]]) -> dict[K, V]:
        """The answer for each that has one, in the order wanted; `read` finds those not known yet, all at once."""
        keys, kept = list(dict.fromkeys(wanted)), self._kept
        known = {key: kept[question, key] for key in keys if (question, key) in kept}
        if new := [key for key in keys if key not in known]:
            read_now = read(new)
            known |= {key: read_now.get(key) for key in new}
            self._keep({(question, key): known[key] for key in new})
        return {key: known[key] for key in keys if known[key] is not None}

    def _keep(self, values: Mapping[Hashable, Any]) -> None:
        if len(self._kept) + len(values) > self._most:
            self._kept = {}
        self._kept.update(values)
