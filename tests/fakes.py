"""Stand-ins for what the shell promises: a fetcher and an encoder that answer from a dictionary."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from storyheat.core.model import Failure, FailureKind, FetchOutcome, FetchReply, FetchRequest, Url

NOT_MODIFIED = "304"

Answer = str | bytes | Failure | Mapping[str, Any]
"""A body; a failure; `NOT_MODIFIED`; or fields of `FetchReply`, such as a body with its validators."""


class ScriptedFetcher:
    """A `ports.Fetcher` that answers each address with what the test says at that time.

    `asked` holds every request. `backwards`: replies come in the opposite order of the requests.
    """

    def __init__(self, answers: Mapping[str, Answer] | None = None, *, backwards: bool = False) -> None:
        self.answers: dict[str, Answer] = dict(answers or {})
        self.backwards = backwards
        self.asked: list[FetchRequest] = []

    def fetch(self, requests: Sequence[FetchRequest], now: datetime, on_reply: Callable[[FetchReply], None]) -> None:
        """See `ports.Fetcher`; an address without an answer has no host. Of the rules of sites the first hop's."""
        for request in reversed(requests) if self.backwards else requests:
            objection = None
            if request.rules is not None:
                if (robots := request.rules.unread(request.url)) is not None:
                    request.rules.learn(robots, self._reply(FetchRequest(request.key, robots)))
                objection = request.rules.objection(request.url)
            on_reply(self._reply(request) if objection is None else reply(request, objection))

    def _reply(self, request: FetchRequest) -> FetchReply:
        self.asked.append(request)
        return reply(request, self.answers.get(request.url, no_host(request.url)))

    @property
    def asked_urls(self) -> list[Url]:
        """The addresses asked, in order."""
        return [request.url for request in self.asked]


def reply(request: FetchRequest, answer: Answer) -> FetchReply:
    """The reply that `answer` stands for."""
    fields: dict[str, Any] = {"key": request.key, "final_url": request.url}
    if isinstance(answer, Failure):
        return FetchReply(outcome=FetchOutcome.FAILED, failure=answer, **fields)
    if answer == NOT_MODIFIED:
        return FetchReply(outcome=FetchOutcome.NOT_MODIFIED, status=304, **fields)
    if isinstance(answer, Mapping):
        given = dict(answer)
        if isinstance(given.get("body"), str):
            given["body"] = given["body"].encode()
        if "failure" in given:
            return FetchReply(outcome=FetchOutcome.FAILED, **{**fields, **given})
        kind = FetchOutcome.BODY if "body" in given else FetchOutcome.NOT_MODIFIED
        return FetchReply(outcome=kind, **{**fields, **given})
    body = answer.encode() if isinstance(answer, str) else answer
    return FetchReply(outcome=FetchOutcome.BODY, status=200, body=body, **fields)


def no_host(url: str) -> Failure:
    """The failure of an address that does not resolve."""
    return Failure(FailureKind.DNS, f"{url} does not resolve")


def too_often(seconds: int | None) -> dict[str, Any]:
    """A 429, with Retry-After if seconds are given."""
    rest = None if seconds is None else timedelta(seconds=seconds)
    return {"status": 429, "retry_after": rest, "failure": Failure(FailureKind.RATE_LIMITED, "asked too often")}


@dataclass
class ConceptEmbedder:
    """A `ports.Embedder` that knows some words in several languages: one dimension for what each means.

    `asked` holds every text.
    """

    concepts: Mapping[str, int]  # word, in lower case → dimension
    version: str = "1"
    model: str = "concepts"
    dimensions: int = 16
    asked: list[str] = field(default_factory=list)

    def embed(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        """See `ports.Embedder`; a text without any known word has a vector of zeros."""
        self.asked += texts
        vectors = []
        for text in texts:
            vector = np.zeros(self.dimensions, np.float32)
            for word, dimension in self.concepts.items():
                vector[dimension] += text.lower().count(word)
            vectors.append(vector / (np.linalg.norm(vector) or 1.0))
        return vectors
