"""Each page: what is asked, which answers are needed, and which template shows them."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from secrets import token_hex
from typing import Any
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from storyheat import __version__
from storyheat.answers.age import age
from storyheat.answers.explain import explain_at
from storyheat.answers.search import search
from storyheat.answers.sources import sources
from storyheat.answers.story import heat, story
from storyheat.answers.top import top, without_each
from storyheat.answers.topics import known_topics
from storyheat.core.model import StoryId
from storyheat.errors import StoryheatError
from storyheat.present import objects
from storyheat.present.objects import instant
from storyheat.present.page import hot, rule, times
from storyheat.present.page.age import age_view
from storyheat.present.page.found import found_view
from storyheat.present.page.health import sources_view
from storyheat.present.page.story import merged_in_words, story_view
from storyheat.present.tables import heat_csv
from storyheat.settings import Settings
from storyheat.store.queries import Questions
from storyheat.web.ballots import Ballots
from storyheat.web.cache import Asked, Made, PageCache
from storyheat.web.operations import PREFIX, described
from storyheat.web.pages import Pages
from storyheat.web.problems import KINDS, kind_of
from storyheat.web.query import LIST, PER_PAGE, SEARCH, STORY, Query, View
from storyheat.web.reader import Reader
from storyheat.web.replies import reply

Values = Mapping[str, Any]


@dataclass(frozen=True)
class Site:
    """All pages of one server. `clock` tells the instant; pages are made for whole minutes."""

    settings: Settings
    reader: Reader
    clock: Callable[[], datetime]
    pages: Pages
    ballots: Ballots
    cache: PageCache = field(default_factory=PageCache)
    _slot: str = field(default_factory=lambda: f"poll-{token_hex(16)}")  # where a poll goes; no text can hold it

    def kept(self, request: Request) -> Response | None:
        """The page that was made of the same data in this minute; None: it was not. It waits for nothing."""
        made = self.cache.get(self._key(request, Query(request), self._now()))
        return None if made is None or made.asks is not None else reply(request, made)

    def hot(self, request: Request) -> Response:
        """The hot list."""

        def values(query: Query, questions: Questions, view: View) -> Values:
            wish, links, heat_rule = query.top_wish(), query.links("/", LIST), self.settings.heat
            answer = top(questions, wish, view.at, heat_rule)
            shown = hot.hot_view(answer, wish, view.zone, rule.in_a_sentence(heat_rule))
            dropped: Mapping[str, int] = {}
            if not answer.stories and hot.is_narrowed(wish):
                dropped = without_each(questions, wish, view.at, heat_rule)
            page = wish.skip // PER_PAGE + 1
            return {
                "hot": shown,
                "links": links,
                "is_empty": answer.newest is None and not answer.stories,
                "newest": None if answer.newest is None else times.whole(answer.newest, view.zone),
                "newest_at": None if answer.newest is None else instant(answer.newest),
                "topic": wish.topics[0] if len(wish.topics) == 1 else None,
                "filters": hot.filters_in_words(wish, questions.sources),
                "dropped": hot.narrowest(dropped),
                "all_hot": answer.hot,
                "period": hot.period_in_words(wish.period),
                "sorts": hot.order_choices(),
                "periods": hot.period_choices(),
                "topics": hot.topic_choices(known_topics(questions)),
                "languages": hot.language_choices(questions.sources),
                "sources_known": len(questions.sources) or len(self.settings.sources),
                "previous": None if page == 1 else links.here(page=str(page - 1) if page > 2 else None),
                "following": links.here(page=str(page + 1)) if answer.more else None,
                "age": age_view(age(questions, view.at), view.zone, of_story=False),
            }

        return self._page(request, "hot.html", values, self._now())

    def story(self, request: Request) -> Response:
        """One story; an old id or a prefix leads to the address of the story that it means."""
        name = request.path_params["name"]
        now = self._now()
        if self.cache.get(self._key(request, Query(request), now)) is not None:
            return self._story(request, name, None, now)  # made for others: only the poll in it is asked for
        with self.reader.ask() as questions:
            found = questions.story_named(name)
        if found != name:
            query = f"?{request.url.query}" if request.url.query else ""
            merged = "" if found.startswith(name) else f"/from/{quote(name)}"
            return RedirectResponse(f"/story/{found}{merged}{query}", 302, {"Cache-Control": "no-cache"})
        return self._story(request, found, None, now)

    def merged_story(self, request: Request) -> Response:
        """The story that an old id led to, saying so."""
        name, old = request.path_params["name"], StoryId(request.path_params["old"])
        with self.reader.ask() as questions:
            found = questions.story_named(name)
            known = old in questions.aliases(found)
        if found != name or not known:
            return RedirectResponse(f"/story/{found}", 302, {"Cache-Control": "no-cache"})
        return self._story(request, found, old, self._now())

    def _story(self, request: Request, name: StoryId, old: StoryId | None, now: datetime) -> Response:
        def values(query: Query, questions: Questions, view: View) -> Values:
            heat_rule = self.settings.heat
            answer = story(questions, name, view.period, view.at, heat_rule)
            hour = query.hour(view.at, view.zone)
            explained = explain_at(questions, answer.story, hour or answer.story.figures.trend.peak.at, heat_rule)
            wish = query.timeline_wish()
            merged = None
            if old is not None:
                merged = merged_in_words(old, questions.merged_at(old), view.at, view.zone)
            shown = story_view(answer, explained, wish, view.zone, hour_asked=hour is not None)
            asked = None
            if answer.poll is not None:
                asked = Asked(answer.poll, query.links("", STORY).to(f"/story/{name}/poll"), view.zone)
            return {
                "story": shown,
                "asks": asked,
                "poll_slot": None if asked is None else self._slot,
                "links": query.links(f"/story/{name}", STORY, shown.timeline.ids),
                "periods": hot.period_choices(),
                "merged": merged,
                "age": age_view(age(questions, view.at, answer.story.sources), view.zone, of_story=True),
            }

        return self._page(request, "story.html", values, now)

    async def answer_poll(self, request: Request) -> Response:
        """Counts a reader's answer and leads back to the page; so does an address that is only looked at."""
        name = StoryId(request.path_params["name"])
        links = Query(request).links("")
        cookie = None
        if request.method == "POST":
            ballot = await self.ballots.read(request)
            cookie = await run_in_threadpool(self.ballots.take, request, name, ballot)
        return RedirectResponse(links.to(f"/story/{name}", "poll"), 303, personal_headers(cookie))

    def heat_csv(self, request: Request) -> Response:
        """The hours of a story as a table for spreadsheets."""
        query = Query(request)
        view = query.view(self._now(), self.settings.timezone)
        with self.reader.ask() as questions:
            answer = heat(questions, request.path_params["name"], view.period, view.at, self.settings.heat)
        headers = {
            "Content-Disposition": f'attachment; filename="heat-{answer.story.id}.csv"',
            "Cache-Control": "no-cache",
        }
        return Response(heat_csv(answer), headers=headers, media_type="text/csv")

    def search(self, request: Request) -> Response:
        """Stories and items with certain words; without any the form alone."""

        def values(query: Query, questions: Questions, view: View) -> Values:
            words = query.words()
            found = None
            if words:
                answer = search(questions, words, PER_PAGE, view.at, self.settings.heat)
                found = found_view(answer, questions.sources, view.zone)
            return {
                "words": words,
                "found": found,
                "links": query.links("/search", SEARCH),
                "age": age_view(age(questions, view.at), view.zone, of_story=False),
            }

        return self._page(request, "search.html", values, self._now())

    def sources(self, request: Request) -> Response:
        """The health of every source."""

        def values(query: Query, questions: Questions, view: View) -> Values:
            configured = None if self.settings.config is None else self.settings.sources
            answer = sources(questions, configured, view.at, self.settings.polling)
            return {
                "sources": sources_view(answer, view.zone),
                "links": query.links("/sources"),
                "age": age_view(age(questions, view.at), view.zone, of_story=False),
            }

        return self._page(request, "sources.html", values, self._now())

    def about(self, request: Request) -> Response:
        """How heat is counted; needs no data."""
        query = Query(request)
        view = query.view(self._now(), self.settings.timezone)
        own = {"rule": rule.rule_view(self.settings.heat), "links": query.links("/about"), "age": None}
        return reply(request, Made.of(self.pages.render("about.html", {**_common(view), **own})))

    def docs(self, request: Request) -> Response:
        """How the JSON API is asked; needs no data."""
        query = Query(request)
        view = query.view(self._now(), self.settings.timezone)
        own = {"operations": described(), "kinds": KINDS, "prefix": PREFIX, "links": query.links("/docs"), "age": None}
        return reply(request, Made.of(self.pages.render("docs.html", {**_common(view), **own})))

    def healthz(self, request: Request) -> Response:
        """That the server lives; and whether the database can be read, and a daemon looks after it."""
        database, daemon = "ok", None
        try:
            with self.reader.ask() as questions:
                beat = questions.heartbeat()
            daemon = None if beat is None else objects.daemon(beat, self.clock())
        except StoryheatError as error:
            database = kind_of(error).name
        told = {"status": "ok", "version": __version__, "database": database, "daemon": daemon}
        return JSONResponse(told, headers={"Cache-Control": "no-store"})

    def _now(self) -> datetime:
        """The minute that it is: pages of one minute are alike, so they can be kept and compared."""
        return self.clock().replace(second=0, microsecond=0)

    def _key(self, request: Request, query: Query, now: datetime) -> Hashable:
        """What a page is made from: address, minute and data."""
        return request.scope["path"], query.asked, now, self.reader.mark()

    def _page(
        self, request: Request, template: str, values: Callable[[Query, Questions, View], Values], now: datetime
    ) -> Response:
        """The page made of values, or the one that was made of the same data in this minute."""
        query = Query(request)
        key = self._key(request, query, now)
        made = self.cache.get(key)
        if made is None:
            view = query.view(now, self.settings.timezone)
            with self.reader.ask() as questions:
                own = values(query, questions, view)
            made = Made.of(self.pages.render(template, {**_common(view), **own}), asks=own.get("asks"))
            self.cache.put(key, made)
        return reply(request, made) if made.asks is None else self._personal(request, made, made.asks)

    def _personal(self, request: Request, made: Made, asked: Asked) -> Response:
        """A page that asks its readers something, with the poll as this browser sees it."""
        poll, cookie = self.ballots.shown(asked, request, self.reader)
        block = self.pages.render("poll.html", {"poll": poll})
        own = Made.of(made.body.replace(self._slot.encode(), block, 1))
        return reply(request, own, more=personal_headers(cookie))


def personal_headers(cookie: str | None) -> dict[str, str]:
    """Of a reply that is for one browser only. `cookie`: what it is to keep."""
    headers = {"Cache-Control": "private, no-cache", "Vary": "Cookie"}
    return headers if cookie is None else {**headers, "Set-Cookie": cookie}


def _common(view: View) -> dict[str, Any]:
    """What the frame of every page shows."""
    return {
        "as_of": times.whole(view.at, view.zone),
        "as_of_iso": instant(view.at),
        "zone": str(view.zone),
        "is_past": view.is_past,
    }
