"""Keeps to one request per host at a time, with a pause: waits for a turn and gives it back."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager


class HostPacer:
    """Turns at hosts, first come first served.

    `free_at` (host → moment on the clock `monotonic`, seconds) is the caller's and outlives the
    pacer, so that a pause also holds between two runs of one process.
    """

    def __init__(
        self,
        per_host: int,
        pause_seconds: float,
        free_at: MutableMapping[str, float],
        monotonic: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]],
    ) -> None:
        self._per_host = per_host
        self._pause = pause_seconds
        self._free_at = free_at
        self._monotonic = monotonic
        self._sleep = sleep
        self._slots: dict[str, asyncio.Semaphore] = {}
        self._closed: set[str] = set()

    def close(self, host: str) -> None:
        """Says that `host` will not be asked again: further turns there come without a pause."""
        self._closed.add(host)

    @asynccontextmanager
    async def turn(self, host: str) -> AsyncIterator[None]:
        """Enters when `host` may be asked; the pause starts anew when the block is left."""
        async with self._slots.setdefault(host, asyncio.Semaphore(self._per_host)):
            if host in self._closed:
                yield
                return
            now = self._monotonic()
            start = max(now, self._free_at.get(host, now))
            # Taken before the wait: with per_host > 1 the neighbour must not start in the same moment.
            self._free_at[host] = start + self._pause
            if start > now:
                await self._sleep(start - now)
            try:
                yield
            finally:
                self._free_at[host] = max(self._free_at[host], self._monotonic() + self._pause)
