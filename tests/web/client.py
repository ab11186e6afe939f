"""A browser's requests to the application, without a socket."""

import asyncio
from collections.abc import Mapping
from urllib.parse import urlencode

import httpx
from starlette.types import ASGIApp


class Client:
    """Asks the application as a browser on this machine would; redirects are not followed."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    def get(self, path: str, headers: Mapping[str, str] | None = None, method: str = "GET") -> httpx.Response:
        """The reply to one request. What the application raises ends as its page for it."""
        return asyncio.run(self._send(method, path, headers or {}))

    def post(
        self, path: str, form: Mapping[str, str] | bytes, headers: Mapping[str, str] | None = None
    ) -> httpx.Response:
        """The reply to a form, or to bytes that claim to be one."""
        body = form if isinstance(form, bytes) else urlencode(form).encode()
        sent = {"Content-Type": "application/x-www-form-urlencoded", **(headers or {})}
        return asyncio.run(self._send("POST", path, sent, body))

    async def _send(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes | None = None
    ) -> httpx.Response:
        transport = httpx.ASGITransport(self._app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.request(method, path, headers=dict(headers), content=body)
