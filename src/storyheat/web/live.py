"""The application that follows feeds.yaml: made anew when the file changes, unless there is a mistake in it."""

from asyncio import Lock
from collections.abc import Callable
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.types import ASGIApp, Receive, Scope, Send

from storyheat.errors import StoryheatError
from storyheat.web.reader import stamp


class Live:
    """Answers by what the file says now. Replies that are under way end by what it said before."""

    def __init__(self, path: Path, make: Callable[[], ASGIApp], log: Callable[[str], None]) -> None:
        """`make`: reads the file at `path` and makes the application. Raises StoryheatError where it cannot."""
        self._path, self._make, self._log = path, make, log
        self._made_from, self._app = stamp(path), make()
        self._turn = Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if stamp(self._path) != self._made_from:
            await self._follow()
        await self._app(scope, receive, send)

    async def _follow(self) -> None:
        async with self._turn:
            found = stamp(self._path)
            if found == self._made_from:
                return  # another request was faster
            self._made_from = found
            try:
                self._app = await run_in_threadpool(self._make)
            except StoryheatError as error:
                self._log(f"{error}; the pages go on as before until it is put right")
