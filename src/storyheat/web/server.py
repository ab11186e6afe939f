"""Serving the application on a socket until it is told to stop."""

import socket
from copy import deepcopy
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.config import LOGGING_CONFIG

from storyheat.errors import UsageError, WorkError

GRACE_SECONDS = 3  # for replies that are under way when it ends
MOST_CONNECTIONS = 200
BACKLOG = 128


def listen(host: str, port: int) -> socket.socket:
    """A bound socket. Raises WorkError where the port is taken or the address is not of this machine."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        # The protocol must be named: without it asyncio leaves Nagle's algorithm on, and a reply waits 40 ms.
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise UsageError(f'--host: "{host}" is no address of this machine') from error
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise WorkError(f"cannot listen on {host}, port {port} ({error.strerror}): choose another --port") from error
    return listener


def serve(app: ASGIApp, listener: socket.socket, *, log_requests: bool) -> None:
    """Serves until SIGTERM or Ctrl-C; replies under way are finished."""
    config = uvicorn.Config(
        app,
        log_config=_log_config(),
        lifespan="off",
        log_level="info" if log_requests else "warning",
        access_log=log_requests,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    uvicorn.Server(config).run(sockets=[listener])


def _log_config() -> dict[str, Any]:
    """Its own, but with requests on standard error like all that is no result."""
    config = deepcopy(LOGGING_CONFIG)
    config["handlers"]["access"]["stream"] = "ext://sys.stderr"
    return config


def address_of(listener: socket.socket) -> str:
    """Where a browser finds it."""
    host, port = listener.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"
