"""Asks servers politely and safely for feeds and pages; the only home of httpx.

One request is one chain of hops. Every hop waits for its turn at the host, is checked by the
guard, goes to exactly the addresses that were checked, and is read with a count of its bytes
and a deadline. What a server does wrong becomes a `Failure`; any other exception is a bug of
ours and ends the run.
"""

import asyncio
import ssl
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from http import HTTPStatus
from socket import EAI_AGAIN

import httpx

from storyheat import __version__
from storyheat.core.model import Failure, FailureKind, FetchOutcome, FetchReply, FetchRequest, Url
from storyheat.core.network import NetworkParams
from storyheat.errors import ConfigError
from storyheat.ingest import failures
from storyheat.ingest.connect import Pins, in_own_thread, pinned_pool, system_resolver
from storyheat.ingest.decode import ACCEPT_ENCODING, CutShort, TooLarge, Undecodable, decoded_body
from storyheat.ingest.guard import Refused, Resolver, Target, allowed_addresses, is_exempt, target_of
from storyheat.ingest.headers import (
    basic_authorization,
    fresh_for,
    retry_after,
    user_agent,
    validator,
    validator_bytes,
)
from storyheat.ingest.pace import HostPacer

_ACCEPT = (
    b"application/atom+xml, application/rss+xml, application/feed+json, application/rdf+xml, "
    b"application/xml;q=0.9, text/xml;q=0.9, application/json;q=0.8, text/html;q=0.7, */*;q=0.1"
)
_PERMANENT = frozenset({HTTPStatus.MOVED_PERMANENTLY, HTTPStatus.PERMANENT_REDIRECT})
_TEMPORARY = frozenset({HTTPStatus.FOUND, HTTPStatus.SEE_OTHER, HTTPStatus.TEMPORARY_REDIRECT})


class HttpFetcher:
    """`ports.Fetcher` over HTTP/1.1.

    `resolve` looks names up; `transport` stands in for the network in tests (the guard still
    asks `resolve`); `tls` brings other trusted certificates; `sleep` waits between two requests.
    """

    def __init__(
        self,
        params: NetworkParams,
        *,
        resolve: Resolver = system_resolver,
        transport: httpx.AsyncBaseTransport | None = None,
        tls: ssl.SSLContext | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Raises `ConfigError` for a proxy that is not an http or https address."""
        if params.proxy is not None and not params.proxy.lower().startswith(("http://", "https://")):
            raise ConfigError("network.proxy must be an http:// or https:// address")
        self._params = params
        self._resolve = resolve
        self._transport = transport
        self._tls = tls
        self._sleep = sleep
        self._free_at: dict[str, float] = {}  # of every host asked by this process

    def fetch(self, requests: Sequence[FetchRequest], now: datetime, on_reply: Callable[[FetchReply], None]) -> None:
        """Fetches all; `on_reply` runs in this thread while other replies are still on their way.

        So it should be quick: what it takes is taken from their deadlines. On KeyboardInterrupt,
        or when `on_reply` raises, all that is under way is given up and its sockets are closed.
        """
        if requests:
            asyncio.run(self._fetch(requests, now, on_reply))

    async def _fetch(
        self, requests: Sequence[FetchRequest], now: datetime, on_reply: Callable[[FetchReply], None]
    ) -> None:
        pins: Pins = {}
        transport = self._transport or self._network(pins)
        loop = asyncio.get_running_loop()
        pacer = HostPacer(self._params.per_host, self._params.pause_seconds, self._free_at, loop.time, self._sleep)
        run = _Run(self._params, self._resolve, transport, pacer, pins, now)

        async def answer(request: FetchRequest) -> None:
            on_reply(await run.reply_to(request))  # here, so that no body outlives its call

        tasks = [asyncio.create_task(answer(request)) for request in requests]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            if transport is not self._transport:
                await transport.aclose()

    def _network(self, pins: Pins) -> httpx.AsyncBaseTransport:
        if self._tls is None:
            self._tls = httpx.create_ssl_context(trust_env=False)
        if self._params.proxy is not None:
            # Names go to the proxy after the guard has looked them up; what the proxy finds is its matter.
            return httpx.AsyncHTTPTransport(verify=self._tls, trust_env=False, proxy=self._params.proxy)
        network = httpx.AsyncHTTPTransport(verify=self._tls, trust_env=False)
        # httpx offers no way to hand in a connection pool. A test makes sure that this one is used.
        network._pool = pinned_pool(pins, self._tls)
        return network


class _Failed(Exception):
    """Ends a chain of hops; carries the failure and what is known with it."""

    def __init__(
        self,
        failure: Failure,
        status: int | None = None,
        stay_away: timedelta | None = None,
        host_down: bool = False,
    ) -> None:
        super().__init__(failure.message)
        self.failure = failure
        self.status = status
        self.stay_away = stay_away
        # The other feeds of this host are left alone for the rest of the run: it asked for that, or
        # it cannot be reached, and sixty feeds of a dead host would hold up the run for an hour.
        self.whole_host = host_down or bool(stay_away) or status == HTTPStatus.TOO_MANY_REQUESTS


@dataclass(slots=True)
class _Chain:
    """Where one request has come to on its way through redirects."""

    request: FetchRequest
    url: httpx.URL  # without credentials and fragment
    authorization: bytes | None  # Basic credentials, kept only while the origin stays
    may_move: bool  # all hops so far were permanent
    local: bool = False  # begun at an exempt host: a feed from outside cannot redirect to one
    moved_to: httpx.URL | None = None
    seen: list[httpx.URL] = field(default_factory=list)
    seconds: float = 0.0  # spent on asking, without waiting for turns


@dataclass(slots=True)
class _Run:
    """One call of `fetch`: what all its requests share."""

    params: NetworkParams
    resolve: Resolver
    transport: httpx.AsyncBaseTransport
    pacer: HostPacer
    pins: Pins
    now: datetime
    slots: asyncio.Semaphore = field(init=False)
    resting: dict[str, _Failed] = field(default_factory=dict)  # hosts that asked us to stay away

    def __post_init__(self) -> None:
        self.slots = asyncio.Semaphore(self.params.concurrency)

    async def reply_to(self, request: FetchRequest) -> FetchReply:
        """Follows one request to its end."""
        try:
            chain = _start(request)
        except httpx.InvalidURL:
            failure = failures.never_asked("this is not a valid address", redirected=False)
            return FetchReply(request.key, FetchOutcome.FAILED, Url(""), failure=failure)
        try:
            while True:
                reply = await self._hop(chain)
                if reply is not None:
                    return replace(reply, seconds=chain.seconds)
        except _Failed as failed:
            if chain.seen and failed.failure.kind is FailureKind.REFUSED_ADDRESS:
                chain.url = chain.seen[-1]  # a refused target was not reached, and is not passed on
            return FetchReply(
                request.key,
                FetchOutcome.FAILED,
                _final_url(chain),
                status=failed.status,
                retry_after=failed.stay_away,
                failure=failed.failure,
                seconds=chain.seconds,
            )

    async def _hop(self, chain: _Chain) -> FetchReply | None:
        """Asks `chain.url`. None: it was a redirect, and the chain stands at the next address."""
        try:
            target = target_of(chain.url.scheme, chain.url.raw_host.decode("ascii"), chain.url.port)
        except Refused as why:
            raise _Failed(failures.never_asked(str(why), redirected=bool(chain.seen))) from None
        async with self.pacer.turn(target.host), self.slots:
            rest = self.resting.get(target.host)
            if rest is not None:
                raise _Failed(failures.host_is_resting(target.host, rest.failure), None, rest.stay_away)
            began = asyncio.get_running_loop().time()
            try:
                async with asyncio.timeout(self.params.total_seconds - chain.seconds):
                    await self._check(target, chain)
                    return await self._exchange(chain, target)
            except TimeoutError:
                raise _Failed(failures.too_long(target.host, self.params.total_seconds)) from None
            except _Failed as failed:
                if failed.whole_host:
                    self.resting[target.host] = failed
                    self.pacer.close(target.host)
                raise
            finally:
                chain.seconds += asyncio.get_running_loop().time() - began

    async def _check(self, target: Target, chain: _Chain) -> None:
        """Looks the host up and pins it to addresses that may be asked."""
        if not chain.seen:
            chain.local = is_exempt(target, self.params.allow_hosts)
        allow_hosts = self.params.allow_hosts if chain.local else ()
        try:
            async with asyncio.timeout(self.params.timeout_seconds):
                self.pins[target.host, target.port] = await in_own_thread(
                    lambda: allowed_addresses(target, self.resolve, allow_hosts)
                )
        except Refused as why:
            raise _Failed(failures.not_public(str(why), redirected=bool(chain.seen))) from None
        except TimeoutError:
            raise _Failed(failures.slow_lookup(target.host), host_down=True) from None
        except OSError as error:
            again = error.errno == EAI_AGAIN
            failure = failures.slow_lookup(target.host) if again else failures.no_such_host(target.host)
            raise _Failed(failure, host_down=True) from None

    async def _exchange(self, chain: _Chain, target: Target) -> FetchReply | None:
        url = chain.url.copy_with(host=target.host)
        timeout = httpx.Timeout(self.params.timeout_seconds).as_dict()
        request = httpx.Request("GET", url, headers=self._headers(chain), extensions={"timeout": timeout})
        try:
            response = await self.transport.handle_async_request(request)
        except (httpx.TransportError, ssl.SSLError, OSError) as error:
            down = isinstance(error, httpx.ConnectTimeout)
            raise _Failed(self._broken(target.host, error), host_down=down) from error
        try:
            return await self._read(chain, target.host, response)
        finally:
            await response.aclose()

    def _headers(self, chain: _Chain) -> list[tuple[bytes, bytes]]:
        """All that is sent. No cookies, no Referer; validators go along with every hop, since it is
        the last one that they came from."""
        optional = (
            (b"If-None-Match", validator_bytes(chain.request.etag)),
            (b"If-Modified-Since", validator_bytes(chain.request.last_modified)),
            (b"Authorization", chain.authorization),
        )
        return [
            (b"User-Agent", user_agent(__version__, self.params.user_agent_contact)),
            (b"Accept", _ACCEPT),
            (b"Accept-Encoding", ACCEPT_ENCODING.encode("ascii")),
            *((name, value) for name, value in optional if value is not None),
        ]

    async def _read(self, chain: _Chain, host: str, response: httpx.Response) -> FetchReply | None:
        status = response.status_code
        headers = _joined(response.headers)
        if status in _PERMANENT or status in _TEMPORARY:
            self._redirect(chain, host, status, headers.get("location", ""))
            return None
        challenge = failures.challenged(host, headers)
        if challenge is not None:
            raise _Failed(challenge, status, retry_after(headers, self.now))
        body = b""
        if status != HTTPStatus.NOT_MODIFIED:
            if not 200 <= status < 300 or status == HTTPStatus.PARTIAL_CONTENT:
                stay_away = retry_after(headers, self.now)
                raise _Failed(failures.unsuccessful(host, status, stay_away), status, stay_away)
            body = await self._body(host, response, headers.get("content-encoding", ""))
            if not body or body.isspace():
                raise _Failed(failures.empty(host), status)
        return FetchReply(
            chain.request.key,
            FetchOutcome.BODY if body else FetchOutcome.NOT_MODIFIED,
            _final_url(chain),
            status=status,
            content_type=headers.get("content-type"),
            body=body,
            etag=validator(response.headers.raw, b"etag"),
            last_modified=validator(response.headers.raw, b"last-modified"),
            moved_to=None if chain.moved_to is None else Url(str(chain.moved_to)),
            fresh_for=fresh_for(headers, self.now),
        )

    def _redirect(self, chain: _Chain, host: str, status: int, location: str) -> None:
        """Moves the chain on. Raises `_Failed` where it must end."""
        if not location.strip():
            raise _Failed(failures.bad_redirect(host, "redirects to nowhere"), status)
        chain.seen.append(chain.url)
        if len(chain.seen) > self.params.max_redirects:
            why = f"redirects more than {self.params.max_redirects} times"
            raise _Failed(failures.bad_redirect(host, why), status)
        try:
            # Credentials that a server writes into a target are not used: they are not the operator's.
            target = _bare(chain.url.join(location.strip()))
        except httpx.InvalidURL:
            raise _Failed(failures.bad_redirect(host, "redirects to no valid address"), status) from None
        if target in chain.seen:
            raise _Failed(failures.bad_redirect(host, "redirects in a circle"), status)
        if not _keeps_credentials(chain.url, target):
            chain.authorization = None
        # Never from https to http for good: the stored address would lose its protection.
        downgrade = chain.url.scheme == "https" and target.scheme != "https"
        chain.may_move = chain.may_move and status in _PERMANENT and not downgrade
        if chain.may_move:
            chain.moved_to = target
        chain.url = target

    async def _body(self, host: str, response: httpx.Response, content_encoding: str) -> bytes:
        assert isinstance(response.stream, httpx.AsyncByteStream)
        limit, status = self.params.max_bytes, response.status_code
        try:
            return await decoded_body(response.stream, content_encoding, limit)
        except TooLarge:
            raise _Failed(failures.too_large(host, limit), status) from None
        except Undecodable as why:
            raise _Failed(failures.undecodable(host, str(why)), status) from None
        except httpx.TimeoutException as error:
            raise _Failed(failures.too_slow(host, self.params.timeout_seconds), status) from error
        except (CutShort, httpx.TransportError, ssl.SSLError) as error:
            raise _Failed(failures.cut_short(host), status) from error

    def _broken(self, host: str, error: Exception) -> Failure:
        """The failure for an exchange that ended before the head of a reply was there."""
        if isinstance(error, httpx.TimeoutException):
            return failures.too_slow(host, self.params.timeout_seconds)
        if isinstance(error, httpx.ProtocolError):
            return failures.no_connection(host, "it does not answer in HTTP")
        cause: BaseException | None = error
        while cause is not None:
            if isinstance(cause, ssl.SSLCertVerificationError):
                return failures.untrusted(host, cause.verify_message or "its certificate is not valid")
            if isinstance(cause, ssl.SSLError):
                reason = (cause.reason or "handshake failed").replace("_", " ").lower()
                return failures.untrusted(host, reason)
            if isinstance(cause, ConnectionRefusedError):
                return failures.no_connection(host, "refused")
            cause = cause.__cause__ or cause.__context__
        broken_off = isinstance(error, httpx.ReadError | httpx.WriteError)
        return failures.no_connection(host, "broken off" if broken_off else "unreachable")


def _start(request: FetchRequest) -> _Chain:
    url = httpx.URL(request.url)
    authorization = basic_authorization(url.username, url.password) if url.userinfo else None
    # An address with credentials stays where it is: its new form would have to carry them along.
    return _Chain(request, _bare(url), authorization, may_move=authorization is None)


def _bare(url: httpx.URL) -> httpx.URL:
    """The address without credentials and fragment."""
    return url.copy_with(userinfo=b"", fragment=None)


def _final_url(chain: _Chain) -> Url:
    """As stored, where nothing was followed and nothing is secret; else the address reached."""
    if chain.seen or chain.authorization is not None:
        return Url(str(chain.url))
    return chain.request.url


def _keeps_credentials(old: httpx.URL, new: httpx.URL) -> bool:
    """Same origin, or the same host gone from http to https on the usual ports."""
    if old.raw_host != new.raw_host:
        return False
    upgraded = old.scheme == "http" and new.scheme == "https" and old.port is None and new.port is None
    return upgraded or (old.scheme == new.scheme and old.port == new.port)


def _joined(headers: httpx.Headers) -> dict[str, str]:
    """Lower-case name → value; repeated ones joined by commas, as HTTP means them."""
    return {name.lower(): value for name, value in headers.items()}
