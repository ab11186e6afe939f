"""Reads the demo week: who publishes what and when, with the story each post belongs to.

`week/<source id>.txt` holds the posts of a source, blocks parted by an empty line:

    Wed 08:50 story=fernway        when it is published (UTC), and what else is said of it
    The title
    Its text, a line a paragraph

What may be said: `story`, `copies` or `mentions` with the label of a story (mentions: several, parted by commas);
`author`; `publisher` (in an aggregator); `link`, where it is not the source's own; `shown`, when the feed first lists
it, if later; `undated`; `release`, for a text of `releases.txt`. A block with `revises` gives a post a new text.
"""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from storyheat.core.model import Role, Source, SourceId

FOLDER = Path(__file__).parent / "week"
FIRST_DAY = datetime(2026, 11, 9, tzinfo=UTC)  # a Monday
FIRST_POLL = FIRST_DAY + timedelta(hours=9)  # so that the feeds list some hours that nobody watched
LAST_POLL = FIRST_DAY + timedelta(days=6, hours=22)
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_TIME = re.compile(rf"({'|'.join(_DAYS)}) (\d\d):(\d\d)")
_RELEASES = "releases"


@dataclass(frozen=True, slots=True)
class Text:
    """Title and paragraphs of a post from an instant on."""

    since: datetime
    title: str
    paragraphs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Post:
    """One post with all its texts, oldest first. `story` is the label of the story that it reports or copies."""

    source: SourceId
    published: datetime
    shown: datetime
    link: str
    texts: tuple[Text, ...]
    dated: bool = True
    author: str | None = None
    publisher: str | None = None
    role: Role = Role.REPORT
    story: str | None = None
    mentions: tuple[str, ...] = ()

    def text_at(self, now: datetime) -> Text:
        """The text that a reader sees at `now`, which is not before it was published."""
        return [text for text in self.texts if text.since <= now or text is self.texts[0]][-1]


def day_and_time(text: str) -> datetime:
    """The instant of the week that `Wed 08:50` names. Raises ValueError."""
    match = _TIME.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is no time of the week, such as Wed 08:50")
    return FIRST_DAY + timedelta(days=_DAYS.index(match[1]), hours=int(match[2]), minutes=int(match[3]))


def read_week(sources: Sequence[Source], folder: Path = FOLDER) -> tuple[Post, ...]:
    """All posts of the sources, by time, source and link."""
    releases = {block[0]: tuple(block[1:]) for block in _blocks(folder / f"{_RELEASES}.txt")}
    posts = [post for source in sources for post in _posts_of(source, folder, releases)]
    return tuple(sorted(posts, key=lambda post: (post.published, post.source, post.link)))


def _posts_of(source: Source, folder: Path, releases: Mapping[str, tuple[str, ...]]) -> Iterator[Post]:
    posts: dict[datetime, Post] = {}
    for head, title, *paragraphs in _blocks(folder / f"{source.id}.txt"):
        at, said = day_and_time(head[:9]), _said(head[9:])
        text = Text(at, title, releases[said["release"]] if "release" in said else tuple(paragraphs))
        if "revises" in said:
            first = day_and_time(said["revises"])
            posts[first] = replace(posts[first], texts=(*posts[first].texts, text))
            continue
        mentions = tuple(said["mentions"].split(",")) if "mentions" in said else ()
        story = said.get("story") or said.get("copies")
        role = Role.COPY if "copies" in said else Role.MENTION if mentions and story is None else Role.REPORT
        posts[at] = Post(
            source=source.id,
            published=at,
            shown=day_and_time(said["shown"]) if "shown" in said else at,
            link=said.get("link") or _link(source, at, said.get("publisher")),
            texts=(text,),
            dated="undated" not in said,
            author=said.get("author"),
            publisher=said.get("publisher"),
            role=role,
            story=story,
            mentions=mentions,
        )
    yield from posts.values()


def _blocks(path: Path) -> Iterator[list[str]]:
    for block in path.read_text("utf-8").split("\n\n"):
        if block.strip():
            yield block.strip("\n").split("\n")


def _said(options: str) -> dict[str, str]:
    """`story=fernway undated` as a mapping."""
    return {name: value for name, _, value in (word.partition("=") for word in shlex.split(options))}


def _link(source: Source, at: datetime, publisher: str | None) -> str:
    """The address of a post; what an aggregator lists stands at its publisher's."""
    site = source.site if publisher is None else f"https://{publisher.lower().replace(' ', '')}.example/"
    return f"{site}{at:%Y/%m/%d/%H%M}"
