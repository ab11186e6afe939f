"""Asks servers politely and safely for feeds and pages; the home of httpx (its addresses are also in `chain`).

One request is one chain of hops. Every hop waits for its turn at the host, is checked by the
guard, goes to exactly the addresses that were checked, and is read with a count of its bytes
and a deadline. What a server does wrong becomes a `Failure`; any other exception is a bug of
ours and ends the run.
"""

import asyncio
import ssl
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from http import HTTPStatus
from socket import EAI_AGAIN

import httpx

from storyheat import __version__
from storyheat.core.feeds.network import NetworkParams
from storyheat.core.model import Failure, FailureKind, FetchOutcome, FetchReply, FetchRequest, Url
from storyheat.errors import ConfigError
from storyheat.ingest import failures
from storyheat.ingest.chain import PERMANENT, TEMPORARY, AstrayError, Chain, begin
from storyheat.ingest.charset import decode
from storyheat.ingest.connect import Pins, in_own_thread, pinned_pool, system_resolver
from storyheat.ingest.decode import ACCEPT_ENCODING, CutShort, TooLarge, Undecodable, decoded_body, decoded_start
from storyheat.ingest.guard import Refused, Resolver, Target, allowed_addresses, is_exempt, target_of
from storyheat.ingest.headers import fresh_for, retry_after, user_agent, validator, validator_bytes
from storyheat.ingest.pace import HostPacer
from storyheat.ingest.sniff import asks_for_a_human

_ACCEPT = (
    b"application/atom+xml, application/rss+xml, application/feed+json, application/rdf+xml, "
    b"application/xml;q=0.9, text/xml;q=0.9, application/json;q=0.8, text/html;q=0.7, */*;q=0.1"
)


@dataclass(frozen=True, slots=True)
class RiddleParams:
    """When an error is looked at for a riddle that a protection service sets to browsers, and how much of it."""

    # With others a page that has the marks of one (a captcha on a "not found" page) is what it says it is.
    statuses: frozenset[int] = frozenset({401, 403, 405, 406, 429, 503})
    max_bytes: int = 100_000  # of the page, decompressed; the marks stand in its first 20,000
    seconds: float = 5.0  # waited for it: the status is known already


_RIDDLE = RiddleParams()


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
        *,
        host_down: bool = False,
        outcome: FetchOutcome = FetchOutcome.FAILED,
    ) -> None:
        super().__init__(failure.message)
        self.failure = failure
        self.status = status
        self.stay_away = stay_away
        self.outcome = outcome
        self.wants_rest = bool(stay_away) or status == HTTPStatus.TOO_MANY_REQUESTS
        # The other requests to this host are not made for the rest of the run: it asked for that, or
        # it cannot be reached, and sixty feeds of a dead host would hold up the run for an hour.
        self.whole_host = host_down or self.wants_rest


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
    resting: dict[str, _Failed] = field(default_factory=dict)  # hosts that are left alone, and why
    reading: dict[Url, asyncio.Lock] = field(default_factory=dict)  # one at a time asks for a site's rules

    def __post_init__(self) -> None:
        self.slots = asyncio.Semaphore(self.params.concurrency)

    async def reply_to(self, request: FetchRequest) -> FetchReply:
        """Follows one request to its end."""
        try:
            chain = begin(request)
        except httpx.InvalidURL:
            failure = failures.never_asked("this is not a valid address", redirected=False)
            return FetchReply(request.key, FetchOutcome.FAILED, Url(""), failure=failure)
        return await self._followed(chain)

    async def _followed(self, chain: Chain) -> FetchReply:
        try:
            while True:
                reply = await self._hop(chain)
                if reply is not None:
                    return replace(reply, seconds=chain.seconds)
        except _Failed as failed:
            if chain.seen and failed.failure.kind is FailureKind.REFUSED_ADDRESS:
                chain.url = chain.seen[-1]  # a refused target was not reached, and is not passed on
            return FetchReply(
                chain.request.key,
                failed.outcome,
                chain.final_url,
                status=failed.status,
                retry_after=failed.stay_away,
                failure=failed.failure,
                seconds=chain.seconds,
            )

    async def _hop(self, chain: Chain) -> FetchReply | None:
        """Asks `chain.url`. None: it was a redirect, and the chain stands at the next address."""
        try:
            target = target_of(chain.url.scheme, chain.url.raw_host.decode("ascii"), chain.url.port)
        except Refused as why:
            raise _Failed(failures.never_asked(str(why), redirected=chain.redirected)) from None
        self._leave_alone(target.host)
        await self._obey(chain)
        async with self.pacer.turn(target.host), self.slots:
            self._leave_alone(target.host)  # it may have asked for that while we waited
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

    def _leave_alone(self, host: str) -> None:
        """Ends the chain at a host that is not asked any more in this run."""
        rest = self.resting.get(host)
        if rest is not None:
            outcome = FetchOutcome.NOT_ASKED if rest.wants_rest else FetchOutcome.FAILED
            failure = failures.host_is_resting(rest.failure)
            raise _Failed(failure, None, rest.stay_away, outcome=outcome)

    async def _obey(self, chain: Chain) -> None:
        """Ends the chain where the rules of the site object to a page; asks for them first if need be."""
        rules, url = chain.request.rules, Url(str(chain.url))
        if rules is None:
            return
        rest: timedelta | None = None
        address = rules.unread(url)
        if address is not None:
            async with self.reading.setdefault(address, asyncio.Lock()):
                if rules.unread(url) is not None:
                    asked = begin(FetchRequest(chain.request.key, address))
                    asked.led, asked.local = chain.redirected, chain.local
                    reply = await self._followed(asked)
                    rest = reply.retry_after
                    if reply.outcome is FetchOutcome.NOT_ASKED and reply.failure is not None:
                        raise _Failed(reply.failure, None, rest, outcome=reply.outcome)
                    rules.learn(address, reply)
        objection = rules.objection(url)
        if objection is not None:
            raise _Failed(objection, None, rest)

    async def _check(self, target: Target, chain: Chain) -> None:
        """Looks the host up and pins it to addresses that may be asked."""
        if not chain.redirected:
            chain.local = is_exempt(target, self.params.allow_hosts)
        allow_hosts = self.params.allow_hosts if chain.local else ()
        try:
            async with asyncio.timeout(self.params.timeout_seconds):
                self.pins[target.host, target.port] = await in_own_thread(
                    lambda: allowed_addresses(target, self.resolve, allow_hosts)
                )
        except Refused as why:
            raise _Failed(failures.not_public(str(why), redirected=chain.redirected)) from None
        except TimeoutError:
            raise _Failed(failures.slow_lookup(target.host), host_down=True) from None
        except OSError as error:
            again = error.errno == EAI_AGAIN
            failure = failures.slow_lookup(target.host) if again else failures.no_such_host(target.host)
            raise _Failed(failure, host_down=True) from None

    async def _exchange(self, chain: Chain, target: Target) -> FetchReply | None:
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

    def _headers(self, chain: Chain) -> list[tuple[bytes, bytes]]:
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

    async def _read(self, chain: Chain, host: str, response: httpx.Response) -> FetchReply | None:
        status = response.status_code
        headers = _joined(response.headers)
        if status in PERMANENT or status in TEMPORARY:
            try:
                chain.follow(status, headers.get("location", ""), self.params.max_redirects)
            except AstrayError as why:
                raise _Failed(failures.bad_redirect(host, str(why)), status) from None
            return None
        challenge = failures.challenged(host, headers)
        if challenge is not None:
            raise _Failed(challenge, status, retry_after(headers, self.now))
        body = b""
        if status != HTTPStatus.NOT_MODIFIED:
            if not 200 <= status < 300 or status == HTTPStatus.PARTIAL_CONTENT:
                stay_away = retry_after(headers, self.now)
                if status in _RIDDLE.statuses and asks_for_a_human(await self._error_page(response, headers)):
                    raise _Failed(failures.challenge(host), status, stay_away)
                raise _Failed(failures.unsuccessful(host, status, stay_away), status, stay_away)
            body = await self._body(host, response, headers.get("content-encoding", ""))
            if not body or body.isspace():
                raise _Failed(failures.empty(host), status)
        return FetchReply(
            chain.request.key,
            FetchOutcome.BODY if body else FetchOutcome.NOT_MODIFIED,
            chain.final_url,
            status=status,
            content_type=headers.get("content-type"),
            body=body,
            etag=validator(response.headers.raw, b"etag"),
            last_modified=validator(response.headers.raw, b"last-modified"),
            moved_to=None if chain.moved_to is None else Url(str(chain.moved_to)),
            fresh_for=fresh_for(headers, self.now),
        )

    async def _error_page(self, response: httpx.Response, headers: Mapping[str, str]) -> str:
        """The beginning of what came with an error, as far as it comes at once and can be read."""
        assert isinstance(response.stream, httpx.AsyncByteStream)
        start = bytearray()
        with suppress(Undecodable, TimeoutError, httpx.TransportError, ssl.SSLError):
            async with asyncio.timeout(_RIDDLE.seconds):
                encoding = headers.get("content-encoding", "")
                await decoded_start(response.stream, encoding, _RIDDLE.max_bytes, start)
        return decode(bytes(start), headers.get("content-type")).text

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


def _joined(headers: httpx.Headers) -> dict[str, str]:
    """Lower-case name → value; repeated ones joined by commas, as HTTP means them."""
    return {name.lower(): value for name, value in headers.items()}
