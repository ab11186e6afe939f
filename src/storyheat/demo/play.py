"""Plays the demo week: polls its servers on a simulated clock, and keeps what they sent if that is wished."""

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from storyheat.core.addresses.urls import host_of
from storyheat.core.feeds.network import NetworkParams
from storyheat.core.model import FetchOutcome, FetchReply, FetchRequest, Role, Source
from storyheat.demo.server import WeekServer
from storyheat.demo.week import FIRST_POLL, LAST_POLL, Post
from storyheat.pipeline.report import RunReport
from storyheat.pipeline.run import Pipeline
from storyheat.ports import Fetcher
from storyheat.store.columns import instant_text

CONFIG = Path(__file__).with_name("feeds.yaml")
EVERY = timedelta(hours=1)  # between two runs, as from cron; each feed is asked in those in which it is due
_SUFFIXES = ((b"{", "json"), (b"<!doctype html", "html"))


def ticks() -> list[datetime]:
    """The instants of the runs, oldest first."""
    return [FIRST_POLL + EVERY * number for number in range((LAST_POLL - FIRST_POLL) // EVERY + 1)]


def through(server: WeekServer, network: NetworkParams) -> NetworkParams:
    """The network settings with which all is asked of the server."""
    return replace(network, proxy=server.address)


def on_loopback(host: str) -> Sequence[str]:
    """Where the hosts of the week are: here. No name is looked up."""
    return ("127.0.0.1",)


def play(pipeline: Pipeline, server: WeekServer) -> Iterator[RunReport]:
    """One run at every tick, yielding each report."""
    for now in ticks():
        server.now = now
        yield pipeline.run(now)


class KeepingFetcher:
    """A `ports.Fetcher` that also writes each document it gets, named as `replay` wants it."""

    def __init__(self, fetcher: Fetcher, sources: Sequence[Source], folder: Path) -> None:
        self._fetcher = fetcher
        self._folders = {host_of(source.site): folder / source.id for source in sources}

    def fetch(self, requests: Sequence[FetchRequest], now: datetime, on_reply: Callable[[FetchReply], None]) -> None:
        """See `ports.Fetcher`."""
        asked = {request.key: request.url for request in requests}

        def keep(reply: FetchReply) -> None:
            url = asked[reply.key]
            if reply.outcome is FetchOutcome.BODY and not url.endswith("/robots.txt"):
                folder = self._folders[host_of(url)]  # a feed that moved has another address, and the same host
                folder.mkdir(parents=True, exist_ok=True)
                suffix = next((suffix for start, suffix in _SUFFIXES if reply.body.startswith(start)), "xml")
                (folder / f"{now:%Y%m%dT%H%M%SZ}.{suffix}").write_bytes(reply.body)
            on_reply(reply)

        self._fetcher.fetch(requests, now, keep)


def gold(posts: Sequence[Post], sources: Sequence[Source]) -> Iterator[dict[str, Any]]:
    """A line a post: what the clusterer reads, and the story and role that a person would give it.

    The `id` is the address. A post in two feeds has one line; one that no other tells of is a story of its own; one
    that is only a mention has none.
    """
    languages = {source.id: source.language for source in sources}
    for post in {post.link: post for post in reversed(posts)}.values():
        text = post.texts[0]
        alone = None if post.role is Role.MENTION else post.link
        yield {
            "id": post.link,
            "published": instant_text(post.published),
            "title": text.title,
            "text": "\n".join(text.paragraphs),
            "source": post.publisher or post.source,
            "url": post.link,
            "lang": languages[post.source],
            "story": post.story or alone,
            "role": post.role.value,
            "mentions": list(post.mentions),
        }


def keep_labels(folder: Path, posts: Sequence[Post], sources: Sequence[Source]) -> None:
    """Writes feeds.yaml and gold.jsonl into a folder that exists."""
    shutil.copyfile(CONFIG, folder / "feeds.yaml")
    lines = (json.dumps(line, ensure_ascii=False) for line in gold(posts, sources))
    (folder / "gold.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
