"""Pages that were made within this minute and from the data as they still stand, kept in memory up to a bound."""

from collections import OrderedDict
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from datetime import tzinfo
from hashlib import sha256
from threading import Lock

from storyheat.core.stories.polls import Poll

MOST_BYTES = 32_000_000


@dataclass(frozen=True, slots=True)
class Asked:
    """A poll in a page. `action`: where its form goes; `zone`: of the times shown."""

    poll: Poll
    action: str
    zone: tzinfo


@dataclass(frozen=True, slots=True)
class Made:
    """A finished page. `etag`: names its content; `headers`: further ones that go with it.

    `asks`: the poll in it, which each browser sees in its own way; see `Site`.
    """

    body: bytes
    etag: str
    headers: Mapping[str, str] = field(default_factory=dict)
    asks: Asked | None = None

    @classmethod
    def of(cls, body: bytes, headers: Mapping[str, str] | None = None, asks: Asked | None = None) -> "Made":
        """The page with this content."""
        return cls(body, f'"{sha256(body).hexdigest()[:20]}"', headers or {}, asks)


class PageCache:
    """The pages last used, by what they were made from."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most, self._bytes = most_bytes, 0
        self._pages: OrderedDict[Hashable, Made] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> Made | None:
        """The page made from `key`, if it is still here."""
        with self._lock:
            if key in self._pages:
                self._pages.move_to_end(key)
            return self._pages.get(key)

    def put(self, key: Hashable, page: Made) -> None:
        """Keeps a page, and lets go those unused for longest. One larger than all together is not kept."""
        with self._lock:
            before = self._pages.pop(key, None)
            self._pages[key] = page
            self._bytes += len(page.body) - (0 if before is None else len(before.body))
            while self._bytes > self._most:
                _, gone = self._pages.popitem(last=False)
                self._bytes -= len(gone.body)
