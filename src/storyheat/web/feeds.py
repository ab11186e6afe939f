"""Stories as feeds, and the sources as OPML, for other programs."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from storyheat.answers.top import TopWish
from storyheat.answers.topics import known_topics
from storyheat.answers.updates import story_update, top_updates
from storyheat.present.feeds.forms import FORMS, Form
from storyheat.present.feeds.outgoing import Outgoing, Place, feed_of_story, feed_of_top
from storyheat.present.opml import opml
from storyheat.settings import Settings
from storyheat.settings.checks import origin
from storyheat.store.queries import Questions
from storyheat.web.cache import Made, PageCache
from storyheat.web.reader import Reader
from storyheat.web.replies import Changes, reply

_FORMS = {form.ending: form for form in FORMS}


@dataclass(frozen=True)
class Feeds:
    """All feeds of one server."""

    settings: Settings
    reader: Reader
    clock: Callable[[], datetime]
    cache: PageCache = field(default_factory=PageCache)
    changes: Changes = field(default_factory=Changes)

    def routes(self) -> list[tuple[str, Callable[[Request], Response]]]:
        """Addresses, and what answers there."""
        return [
            ("/feeds/top.{ending}", self.top),
            ("/feeds/topic/{topic:path}.{ending}", self.topic),
            ("/feeds/story/{name}.{ending}", self.story),
            ("/opml", self.opml),
        ]

    def top(self, request: Request) -> Response:
        """The hot list."""
        return self._feed(request, lambda questions, place, at: self._listed(questions, TopWish(), place, at))

    def topic(self, request: Request) -> Response:
        """The hot stories of one topic; 404 for one that nothing has."""
        asked = request.path_params["topic"].casefold()

        def made(questions: Questions, place: Place, at: datetime) -> Outgoing:
            topic = next((topic for topic in known_topics(questions) if topic.casefold() == asked), None)
            if topic is None:
                raise HTTPException(404)
            return self._listed(questions, TopWish(topics=(topic,)), place, at)

        return self._feed(request, made)

    def story(self, request: Request) -> Response:
        """One story; an old id or the beginning of one leads to the feed of the story that it means."""
        name, form = request.path_params["name"], _form(request)
        with self.reader.ask() as questions:
            found = questions.story_named(name)
        if found != name:
            address = f"/feeds/story/{found}.{form.ending}"
            return RedirectResponse(address, 302, {"Cache-Control": "no-cache"})

        def made(questions: Questions, place: Place, at: datetime) -> Outgoing:
            told = story_update(questions, found, at, self.settings.heat)
            return feed_of_story(told, place, self.settings.timezone)

        return self._feed(request, made)

    def opml(self, request: Request) -> Response:
        """The sources that are followed: those of feeds.yaml, or without one those that the database knows."""
        sources = self.settings.sources
        if self.settings.config is None:
            with self.reader.ask() as questions:
                sources = tuple(source for source in questions.sources.values() if source.enabled)
        made = Made.of(opml(sources, self.settings.hidden, self.settings.secrets, self._first_asked).text.encode())
        since = self.changes.since(request.url.path, made.etag, self.clock())
        named = {"Content-Disposition": 'attachment; filename="storyheat.opml"'}
        return reply(request, made, "text/x-opml", since, named)

    @cached_property
    def _first_asked(self) -> datetime:
        """The date of the list of sources; feeds.yaml is read once, so it does not change."""
        return self.clock()

    def _listed(self, questions: Questions, wish: TopWish, place: Place, at: datetime) -> Outgoing:
        return feed_of_top(top_updates(questions, wish, at, self.settings.heat), place, self.settings.timezone)

    def _feed(self, request: Request, make: Callable[[Questions, Place, datetime], Outgoing]) -> Response:
        """The feed, or the one that was made of the same data in this minute."""
        form, now = _form(request), self.clock()
        minute = now.replace(second=0, microsecond=0)
        base = self.settings.web.base_url or _asked_at(request)
        key = (request.url.path, base, minute, self.reader.mark())
        made = self.cache.get(key)
        if made is None:
            with self.reader.ask() as questions:
                made = Made.of(form.write(make(questions, Place(base, form.ending), minute)).encode())
            self.cache.put(key, made)
        since = self.changes.since(f"{base}{request.url.path}", made.etag, now)
        return reply(request, made, form.media_type, since)


def _form(request: Request) -> Form:
    """The format that the address asks for; 404 for another."""
    form = _FORMS.get(request.path_params["ending"])
    if form is None:
        raise HTTPException(404)
    return form


def _asked_at(request: Request) -> str | None:
    """Where this server was reached, if the request says so in a way that can be written into a link."""
    try:
        return origin(str(request.base_url))
    except ValueError:
        return None
