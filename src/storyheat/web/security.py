"""What stands around every request and reply: whose host names are answered, and what a browser may do with a page."""

from collections.abc import Iterable
from ipaddress import ip_address
from urllib.parse import quote

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from storyheat.web import problems

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")
EVERY_ADDRESS = ("", "0.0.0.0", "::")  # to bind to these is to be reached from elsewhere

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; "
        "base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",  # for browsers that do not know frame-ancestors
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def host_name(host: str) -> str:
    """The name in a Host header or in what `--host` was given: without port and brackets, in lower case."""
    text = host.strip().lower()
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text if text.count(":") > 1 else text.partition(":")[0].rstrip(".")


def is_loopback(host: str) -> bool:
    """Whether what is bound to this host can be reached from this machine only."""
    name = host_name(host)
    return name in LOOPBACK_NAMES or (_is_address(name) and ip_address(name).is_loopback)


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


class Guard:
    """Refuses foreign host names, and puts the headers on every reply.

    A page elsewhere can have its own name lead to this machine (DNS rebinding) and then read what is served here. An
    address cannot be made to lead elsewhere, so only names are checked.
    """

    def __init__(self, app: ASGIApp, allowed: Iterable[str]) -> None:
        self._app = app
        self._allowed = {host_name(name) for name in (*LOOPBACK_NAMES, *allowed)} - set(EVERY_ADDRESS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        name = host_name(Headers(scope=scope).get("host", ""))
        if name in self._allowed or _is_address(name):
            await self._app(scope, receive, send_guarded)
            return
        said = "This host name is not served here. Names are allowed in feeds.yaml: web, allowed_hosts."
        refusal: Response = PlainTextResponse(f"{said}\n", 400)
        if problems.is_api(scope["path"]):
            body = problems.body(problems.REQUEST, said, quote(scope["path"]))
            refusal = Response(body, 400, media_type=problems.MEDIA_TYPE)
        await refusal(scope, receive, send_guarded)
