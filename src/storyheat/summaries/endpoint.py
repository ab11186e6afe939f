"""One request to a chat-completions endpoint over HTTP: bounded in time and size, with nothing taken from elsewhere.

The endpoint is the operator's own choice, so no address is refused, unless texts and key would travel in the open.
"""

import asyncio
import ssl
from collections.abc import Mapping, Sequence
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import httpx

from storyheat import __version__
from storyheat.core.addresses.secrets import Secret, Secrets
from storyheat.core.briefs.summarising import ModelAccess, SummaryParams
from storyheat.errors import ConfigError
from storyheat.summaries.completion import Exchange, Outcome, Wishes, read_completion, read_refusal, request_body

_PATH = "/chat/completions"
_NO_ADDRESS = "STORYHEAT_LLM_URL is no address: write it like https://host/v1"
_LOCAL_NAMES = (".localhost", ".local", ".internal", ".lan", ".home.arpa")


class ModelEndpoint:
    """A model at its address. `transport` stands in for the network in tests."""

    def __init__(
        self, access: ModelAccess, params: SummaryParams, *, transport: httpx.AsyncBaseTransport | None = None
    ) -> None:
        """Raises ConfigError for what cannot be used as it is; without a word of the key."""
        missing = [
            name
            for name, value in (("STORYHEAT_LLM_URL", access.url), ("STORYHEAT_LLM_MODEL", access.model))
            if not value
        ]
        if access.url is None or access.model is None or missing:
            raise ConfigError(
                f"no language model is set up: set {' and '.join(missing)} (and STORYHEAT_LLM_KEY where it wants one); "
                "summaries go on without one"
            )
        self.url = completions_url(access.url)
        self.host = urlsplit(self.url).hostname or ""
        self.name = access.model
        key = access.key or ""
        if not key.isascii() or not key.isprintable() or " " in key:
            raise ConfigError("STORYHEAT_LLM_KEY holds blanks or other signs that no key has: set it anew")
        self.secrets = Secrets((Secret(key, "${STORYHEAT_LLM_KEY}", key=True),) if key else ())
        self._headers = {
            "Accept": "application/json",
            "Accept-Encoding": "identity",  # so that the bytes counted are all there are
            "Content-Type": "application/json",
            "User-Agent": f"storyheat/{__version__}",
            **({"Authorization": f"Bearer {key}"} if key else {}),
        }
        self._params = params
        self._transport = transport

    def send(self, messages: Sequence[Mapping[str, str]], schema: Mapping[str, Any], wishes: Wishes) -> Exchange:
        """Asks once. What the endpoint does wrong is an outcome; the key is in none of its words."""
        body = request_body(self.name, messages, schema, wishes, self._params.max_answer_tokens)
        return asyncio.run(self._send(body))

    async def _send(self, body: bytes) -> Exchange:
        transport = self._transport or httpx.AsyncHTTPTransport(verify=_trusted(self.url), trust_env=False)
        request = httpx.Request("POST", self.url, headers=self._headers, content=body)
        try:
            async with asyncio.timeout(self._params.timeout_seconds):
                response = await transport.handle_async_request(request)
                try:
                    return await self._received(response)
                finally:
                    await response.aclose()
        except TimeoutError:
            limit = f"{self._params.timeout_seconds:g} seconds (timeout_seconds)"
            return Exchange(Outcome.TIMEOUT, message=f"{self.host} did not answer in {limit}")
        except httpx.ConnectError as error:
            return Exchange(Outcome.UNREACHABLE, message=self._unreachable(error))
        except httpx.TransportError:
            return Exchange(Outcome.BROKEN, message=f"the connection to {self.host} broke")
        finally:
            if transport is not self._transport:
                await transport.aclose()

    async def _received(self, response: httpx.Response) -> Exchange:
        """What a response says, read no further than is taken."""
        if response.headers.get("content-encoding", "identity") != "identity":
            return Exchange(Outcome.MALFORMED, message=f"{self.host} sent an encoding that was not asked for")
        parts: list[bytes] = []
        size = 0
        async for part in response.aiter_raw():
            parts.append(part)
            size += len(part)
            if size > self._params.max_answer_bytes:
                limit = f"{self._params.max_answer_bytes} bytes (max_answer_bytes)"
                return Exchange(Outcome.TOO_LARGE, message=f"{self.host} sent more than {limit}")
        text = self.secrets.in_text(b"".join(parts).decode("utf-8", "replace"))
        if response.is_success:
            return read_completion(text)
        return read_refusal(response.status_code, text, self.host, response.headers.get("retry-after", ""))

    def _unreachable(self, error: httpx.ConnectError) -> str:
        causes: list[BaseException | None] = [error]
        while causes[-1] is not None:
            causes.append(causes[-1].__cause__ or causes[-1].__context__)
        if any(isinstance(one, ssl.SSLError) for one in causes):
            return f"no secure connection to {self.host}: its certificate is not trusted here"
        return f"no connection to {self.host}: check STORYHEAT_LLM_URL, and whether it runs"


def completions_url(base: str) -> str:
    """The address to ask, of a base such as `https://host/v1` or the whole address. Raises ConfigError."""
    try:
        parts = urlsplit(str(httpx.URL(base)))
    except (ValueError, httpx.InvalidURL) as error:
        raise ConfigError(_NO_ADDRESS) from error
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConfigError(_NO_ADDRESS)
    if parts.username or parts.password:
        raise ConfigError("STORYHEAT_LLM_URL holds a login: give the key as STORYHEAT_LLM_KEY")
    if parts.scheme == "http" and not _is_near(parts.hostname or ""):
        raise ConfigError("STORYHEAT_LLM_URL: over http, key and texts would travel in the open; use https")
    path = parts.path.rstrip("/")
    return urlunsplit((parts.scheme, parts.netloc, path if path.endswith(_PATH) else path + _PATH, parts.query, ""))


def _is_near(host: str) -> bool:
    """Whether a host is this machine, or stands in the operator's own network by its name or address."""
    try:
        address = ip_address(host)
    except ValueError:
        return "." not in host or host.endswith(_LOCAL_NAMES)
    return address.is_loopback or address.is_private


def _trusted(url: str) -> ssl.SSLContext | bool:
    return httpx.create_ssl_context(trust_env=False) if url.startswith("https:") else False
