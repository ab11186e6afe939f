"""The application: routes to pages, errors to words, and the guard around all of it."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import datetime
from urllib.parse import urlsplit

from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from storyheat.errors import StoryheatError
from storyheat.settings import Settings
from storyheat.store.database import sqlite_path
from storyheat.web.api import METHODS, Api
from storyheat.web.assets import PREFIX, Assets
from storyheat.web.ballots import Ballots
from storyheat.web.brake import Brake
from storyheat.web.failures import Failures
from storyheat.web.feeds import Feeds
from storyheat.web.metrics import Metrics
from storyheat.web.pages import Pages
from storyheat.web.reader import Reader
from storyheat.web.seal import Seal
from storyheat.web.security import Guard
from storyheat.web.site import Site

READ = ["GET", "HEAD"]
Kept = Callable[[Request], Response | None]
Route = tuple[str, Callable[[Request], Response]]


def make_app(
    settings: Settings, clock: Callable[[], datetime], log: Callable[[str], None], host: str = "127.0.0.1"
) -> ASGIApp:
    """The application over the database of the settings. `host`: as it is bound; `log` writes one line."""
    app = FastAPI(title="storyheat", openapi_url=None, docs_url=None, redoc_url=None)
    assets = Assets()
    pages = Pages(assets)
    ballots = Ballots(settings.database, Seal(settings.secret, sqlite_path(settings.database)), clock, Brake(clock))
    reader = Reader(settings.database, settings.topics, settings.clustering.names)
    site = Site(settings, reader, clock, pages, ballots)
    add_pages(app, site, assets)
    add_routes(app, Feeds(settings, reader, clock).routes())
    api = Api(settings, reader, clock)
    add_routes(app, api.routes(), METHODS, api.kept)
    add_routes(app, [("/metrics", Metrics(settings, reader, clock).serve)])
    add_failures(app, Failures(pages, log))
    served_as = () if settings.web.base_url is None else (urlsplit(settings.web.base_url).netloc,)
    return Guard(app, (host, *served_as, *settings.web.allowed_hosts))


def add_pages(app: FastAPI, site: Site, assets: Assets) -> None:
    """The routes of the pages, and of what goes with them."""
    routes: list[Route] = [
        ("/", site.hot),
        ("/story/{name}", site.story),
        ("/story/{name}/from/{old}", site.merged_story),
        ("/search", site.search),
        ("/sources", site.sources),
    ]
    add_routes(app, routes, kept=site.kept)
    others: list[Route] = [
        ("/story/{name}/heat.csv", site.heat_csv),
        ("/about", site.about),
        ("/docs", site.docs),
        ("/healthz", site.healthz),
        (PREFIX + "/{name}", assets.serve),
    ]
    add_routes(app, others)
    app.add_route("/story/{name}/poll", site.answer_poll, methods=[*READ, "POST"], include_in_schema=False)


def add_routes(app: FastAPI, routes: Iterable[Route], methods: Sequence[str] = READ, kept: Kept | None = None) -> None:
    """What answers is a plain function each, so it runs in a thread and may wait for the database.

    `kept`: the reply that was made already, if it was; where the machine is busy, a thread of its own makes it late.
    """
    for path, endpoint in routes:
        quick = endpoint if kept is None else _quickly(kept, endpoint)
        app.add_route(path, quick, methods=list(methods), include_in_schema=False)


def _quickly(kept: Kept, endpoint: Callable[[Request], Response]) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        made = kept(request)
        return await run_in_threadpool(endpoint, request) if made is None else made

    return answer


def add_failures(app: FastAPI, failures: Failures) -> None:
    """Whatever goes wrong ends as a page."""

    def answer(request: Request, error: Exception) -> Response:
        return failures.answer(request, error)

    for kind in (HTTPException, StoryheatError, Exception):
        app.add_exception_handler(kind, answer)
