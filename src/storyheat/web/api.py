"""The JSON API: the objects that the commands print, for other programs, at addresses of their own."""

import json
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import Response

from storyheat.answers.corrections import history
from storyheat.answers.explain import explain, explain_item
from storyheat.answers.search import SearchAnswer, search
from storyheat.answers.sources import sources
from storyheat.answers.story import heat, story
from storyheat.answers.top import top
from storyheat.core.text.search_words import question
from storyheat.present import corrections, objects
from storyheat.settings import Settings
from storyheat.store.queries import Questions
from storyheat.web.api_query import ApiQuery
from storyheat.web.cache import Made, PageCache
from storyheat.web.openapi import document
from storyheat.web.operations import MOST_SKIPPED, OPERATIONS, PREFIX, Operation
from storyheat.web.reader import Reader
from storyheat.web.replies import reply

JSON = "application/json"
METHODS = ("GET", "HEAD", "OPTIONS")
ALLOW = ", ".join(METHODS)


@dataclass(frozen=True, slots=True)
class Told:
    """An answer as an object. `name`: the whole id of what it is about; `more`: others that fit come after it."""

    value: objects.Json
    name: str | None = None
    more: bool = False


Answer = Callable[["Asked"], Told]


@dataclass(frozen=True, slots=True)
class Asked:
    """One question to the API. `name`: of what is asked about."""

    questions: Questions
    query: ApiQuery
    name: str
    at: datetime
    settings: Settings


@dataclass(frozen=True)
class Api:
    """All answers of one server. `clock` tells the instant; answers are made for whole minutes, as pages are."""

    settings: Settings
    reader: Reader
    clock: Callable[[], datetime]
    cache: PageCache = field(default_factory=PageCache)

    def routes(self) -> Iterator[tuple[str, Callable[[Request], Response]]]:
        """Addresses, and what answers there."""
        yield "/openapi.json", self.openapi
        for name, answer in ANSWERS.items():
            operation = OPERATIONS[name]
            yield PREFIX + operation.path, self._answering(operation, answer)

    def openapi(self, request: Request) -> Response:
        """What can be asked, as a document for programs."""
        now = self.clock()
        made = self.cache.get(("openapi", now.year))
        if made is None:
            made = Made.of(_text(document(now)))
            self.cache.put(("openapi", now.year), made)
        return reply(request, made, JSON)

    def kept(self, request: Request) -> Response | None:
        """What needs no work: the answer that was made of the same data in this minute, and what can be done here."""
        if request.method == "OPTIONS":
            return Response(status_code=204, headers={"Allow": ALLOW})
        made = self.cache.get(self._key(request, self._now()))
        return None if made is None else reply(request, made, JSON)

    def _answering(self, operation: Operation, answer: Answer) -> Callable[[Request], Response]:
        return lambda request: self._answer(request, operation, answer)

    def _now(self) -> datetime:
        return self.clock().replace(second=0, microsecond=0)

    def _key(self, request: Request, now: datetime) -> Hashable:
        """What an answer is made from: address, minute and data."""
        return request.scope["path"], request.scope["query_string"], now, self.reader.mark()

    def _answer(self, request: Request, operation: Operation, answer: Answer) -> Response:
        """The object made for the question."""
        query, now = ApiQuery(request, operation.names), self._now()
        key, name = self._key(request, now), request.path_params.get("name", "")
        at = query.at(now, self.settings.timezone)
        with self.reader.ask() as questions:
            told = answer(Asked(questions, query, name, at, self.settings))
        links = ", ".join(_links(operation, query, told, name))
        made = Made.of(_text(told.value), {"Link": links} if links else {})
        self.cache.put(key, made)
        return reply(request, made, JSON)


def _top(asked: Asked) -> Told:
    answer = top(asked.questions, asked.query.listed(), asked.at, asked.settings.heat)
    return Told(objects.top(answer), more=answer.more)


def _story(asked: Asked) -> Told:
    answer = story(asked.questions, asked.name, asked.query.period(), asked.at, asked.settings.heat)
    return Told(objects.story(answer, asked.query.zone(asked.settings.timezone)), answer.story.id)


def _heat(asked: Asked) -> Told:
    answer = heat(asked.questions, asked.name, asked.query.period(), asked.at, asked.settings.heat)
    return Told(objects.heat(answer), answer.story.id)


def _explain(asked: Asked) -> Told:
    answer = explain(asked.questions, asked.name, asked.at, asked.settings.heat)
    return Told(objects.explain(answer), answer.story.id)


def _history(asked: Asked) -> Told:
    answer = history(asked.questions, asked.name, asked.query.limit())
    return Told(corrections.history(answer), answer.story)


def _explain_item(asked: Asked) -> Told:
    answer = explain_item(asked.questions, asked.name)
    return Told(objects.explain_item(answer), answer.item.id)


def _search(asked: Asked) -> Told:
    words, limit = asked.query.words(), asked.query.limit()
    if not question(words).wanted:  # signs alone are no mistake of a program: nothing has them
        return Told(objects.search(SearchAnswer(words, asked.at, (), (), {})))
    return Told(objects.search(search(asked.questions, words, limit, asked.at, asked.settings.heat)))


def _sources(asked: Asked) -> Told:
    configured = None if asked.settings.config is None else asked.settings.sources
    only = [asked.name] if asked.name else None
    return Told(objects.sources(sources(asked.questions, configured, asked.at, asked.settings.polling, only)))


ANSWERS: dict[str, Answer] = {
    "top": _top,
    "story": _story,
    "heat": _heat,
    "explain": _explain,
    "history": _history,
    "explain-item": _explain_item,
    "search": _search,
    "sources": _sources,
    "source": _sources,
}


def _text(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def _links(operation: Operation, query: ApiQuery, told: Told, name: str) -> Iterator[str]:
    """The parts of a Link header: the whole id, where less was given, and the parts of the list around this one.

    These name the instant, so that they fit together.
    """
    if told.name is not None and told.name != name:
        path = operation.path.replace("{name}", quote(told.name))
        yield f'<{_address(path, query.asked)}>; rel="canonical"'
    if not operation.paged:
        return
    limit, offset = query.limit(), query.offset()
    fixed = (*(one for one in query.asked if one[0] not in ("at", "offset")), ("at", told.value["at"]))

    def part(start: int, relation: str) -> str:
        return f'<{_address(operation.path, (*fixed, ("offset", str(start))))}>; rel="{relation}"'

    if told.more and offset + limit <= MOST_SKIPPED:
        yield part(offset + limit, "next")
    if offset:
        yield part(max(0, offset - limit), "prev")
        yield part(0, "first")


def _address(path: str, asked: tuple[tuple[str, ...], ...]) -> str:
    given = urlencode([(name, value) for name, *values in sorted(asked) for value in values])
    return f"{PREFIX}{path}{'?' if given else ''}{given}"
