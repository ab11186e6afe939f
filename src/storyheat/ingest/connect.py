"""Opens connections to addresses that were checked before, and to no other; the only home of httpcore.

The name is looked up once, by us; what the guard saw is what the socket goes to, so a name
server that changes its answer in between gains nothing. TLS still checks the certificate
against the name.
"""

import asyncio
import ssl
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from socket import SOCK_STREAM, getaddrinfo
from typing import TypeAlias, TypeVar

import httpcore

T = TypeVar("T")
Pins: TypeAlias = dict[tuple[str, int], tuple[str, ...]]
"""(host, port) → the checked addresses it may be reached at, in order of preference."""

_MOST_ADDRESSES = 4  # tried one after the other; more only make a dead host slow


def pinned_pool(pins: Pins, tls: ssl.SSLContext) -> httpcore.AsyncConnectionPool:
    """A connection pool that resolves nothing: `pins` says where each host is.

    Connections are not kept: feeds of one host are few and seconds apart, and a connection that
    the server has dropped meanwhile would look like a broken feed.
    """
    return httpcore.AsyncConnectionPool(
        ssl_context=tls,
        max_connections=None,
        max_keepalive_connections=0,
        network_backend=_PinnedBackend(pins),
    )


async def in_own_thread(work: Callable[[], T]) -> T:
    """`work()` (a look-up that blocks) in a thread of its own, so that it holds up nobody else.

    The thread is a daemon: a look-up that was given up does not delay the end of the program.
    Raises what `work` raises.
    """
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[T] = loop.create_future()

    def deliver(settle: Callable[[], None]) -> None:
        if not answer.done():  # done: given up meanwhile
            settle()

    def run() -> None:
        settle: Callable[[], None]
        try:
            settle = partial(answer.set_result, work())
        except BaseException as error:  # noqa: BLE001 - handed to the waiting task, not swallowed
            settle = partial(answer.set_exception, error)
        with suppress(RuntimeError):  # the loop has ended, nobody waits
            loop.call_soon_threadsafe(deliver, settle)

    threading.Thread(target=run, name="storyheat look-up", daemon=True).start()
    return await answer


def system_resolver(host: str) -> tuple[str, ...]:
    """The addresses of `host` as the system knows them, in its order of preference."""
    return tuple(str(entry[4][0]) for entry in getaddrinfo(host, None, type=SOCK_STREAM))


class _PinnedBackend(httpcore.AsyncNetworkBackend):
    def __init__(self, pins: Pins) -> None:
        self._pins = pins
        self._network = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        addresses = self._pins[host, port][:_MOST_ADDRESSES]  # no pin, no check: a bug
        share = None if timeout is None else timeout / len(addresses)
        for address in addresses[:-1]:
            with suppress(httpcore.ConnectError, httpcore.ConnectTimeout):
                return await self._network.connect_tcp(address, port, share, local_address, socket_options)
        return await self._network.connect_tcp(addresses[-1], port, share, local_address, socket_options)
