"""A made-up stream of news for measuring: as many items as wanted, in order of time, always the same for one seed.

    python scripts/bench/stream.py 10000 > items.jsonl

What makes it like a real one, with the numbers in `StreamParams`: a few busy sources and many quiet ones; most stories
told once and a few by everybody, over hours or weeks; words as common as in real texts (the counts that ship with
storyheat), and names that only one story has or that many stories share; bare titles, summaries and long texts; several
languages, some stories in two of them; copies, and entries that come again under a newer date.

`items` gives articles one by one. `hours` gives what the feeds would show as new, hour by hour. Both work as they go:
a million items need no more memory than the stories that are open at one time.
"""

import heapq
import json
import math
import random
import sys
from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import accumulate, islice
from typing import Any

from storyheat.background import background
from storyheat.core.text.words import is_cjk_term

START = datetime(2026, 1, 1, tzinfo=UTC)
HOUR = timedelta(hours=1)


@dataclass(frozen=True)
class StreamParams:
    """What the stream is like. Own choices after the labelled sets and a week of the shipped sources."""

    seed: int = 1
    sources: int = 200
    activity: float = 0.9  # source k of the ranks publishes as 1 / k ** activity
    items_per_day: float = 3000.0  # of all sources
    size_exponent: float = 2.2  # a story has k items with a chance of 1 / k ** size_exponent
    largest: int = 300  # items of a story
    half_life: float = 14.0  # hours in which half of a small story is told; a large one takes longer
    languages: tuple[tuple[str, float], ...] = (("en", 0.66), ("zh", 0.18), ("de", 0.1), ("fr", 0.06))  # of sources
    foreign: float = 0.1  # share of a story's items in other languages than its own
    titles_only: float = 0.15  # share of sources that give no text
    long_texts: float = 0.3  # share of sources that give the whole text
    copies: float = 0.04  # share of items that are another one of their story, word for word
    restamps: float = 0.03  # share of entries that come again, up to a day later and under the newer date


@dataclass(frozen=True)
class Source:
    """One feed."""

    id: str
    lang: str
    words: int  # of a text, in the middle; 0: titles only
    weight: float


@dataclass(frozen=True)
class Item:
    """One article. `story` is what it is about, for those who want to know; clusterers do not."""

    id: str
    published: datetime
    title: str
    text: str
    source: str
    url: str
    lang: str
    story: str

    def row(self) -> dict[str, Any]:
        """As an object of a file for `storyheat cluster` or `eval`."""
        return asdict(self) | {"published": self.published.isoformat().replace("+00:00", "Z")}


@dataclass(frozen=True)
class _Story:
    id: str
    lang: str
    names: tuple[str, ...]  # in Latin letters, the rarest first
    figures: tuple[str, ...]
    words: dict[str, tuple[str, ...]]  # language → words of its topic


def items(count: int, params: StreamParams | None = None) -> Iterator[Item]:
    """So many items, in order of (published, id)."""
    return islice(_told(params or StreamParams()), count)


def hours(count: int, params: StreamParams | None = None) -> Iterator[tuple[datetime, dict[str, list[Item]]]]:
    """The same items as feeds show them: (end of the hour, source → its new entries, newest first), no hour left out.

    An entry that is stamped anew comes again with the same id and address, and a later `published`.
    """
    params = params or StreamParams()
    end, fresh = START + HOUR, dict[str, list[Item]]()
    for item in _with_restamps(items(count, params), params):
        while item.published >= end:
            yield end, fresh
            end, fresh = end + HOUR, {}
        fresh.setdefault(item.source, []).insert(0, item)
    yield end, fresh


@cache
def sources(params: StreamParams) -> tuple[Source, ...]:
    """The sources, the busiest first."""
    rng = random.Random(f"{params.seed} sources")
    names, shares = zip(*params.languages, strict=True)
    made = []
    for rank in range(1, params.sources + 1):
        kind = rng.random()
        words = 0 if kind < params.titles_only else 60 if kind < 1.0 - params.long_texts else 320
        made.append(Source(f"s{rank:04}", rng.choices(names, shares)[0], words, rank**-params.activity))
    return tuple(made)


def _told(params: StreamParams) -> Iterator[Item]:
    """Items without end. Each story is planned whole when it begins, and waits in a heap for the turns of its items."""
    rng = random.Random(f"{params.seed} times")
    sizes = [size**-params.size_exponent for size in range(1, params.largest + 1)]
    mean = sum(size * share for size, share in enumerate(sizes, 1)) / sum(sizes)
    pace = mean * 86_400.0 / params.items_per_day  # seconds from story to story
    cumulated = list(accumulate(sizes))
    waiting: list[tuple[int, str, int]] = []  # (seconds since START, story, number of the item in it)
    open_stories: dict[str, tuple[_Story, int, list[Item]]] = {}  # (story, items to come, those written)
    now, number = 0.0, 0
    while True:
        now += rng.expovariate(1.0 / pace)
        number += 1
        story = _story(f"{number:07}", params)
        size = 1 + bisect(cumulated, rng.random() * cumulated[-1])
        mean_delay = params.half_life * 3600.0 / math.log(2.0) * (1.0 + math.log(size))
        open_stories[story.id] = (story, size, [])
        for part in range(size):
            delay = rng.expovariate(1.0 / mean_delay) if part else 0.0
            heapq.heappush(waiting, (int(now + delay), story.id, part))
        while waiting and waiting[0][0] < int(now):
            second, name, part = heapq.heappop(waiting)
            story, to_come, written = open_stories[name]
            item = _item(story, part, START + timedelta(seconds=second), written, params)
            written.append(item)
            open_stories[name] = (story, to_come - 1, written)
            if to_come == 1:
                del open_stories[name]
            yield item


def _story(ident: str, params: StreamParams) -> _Story:
    rng = random.Random(f"{params.seed} story {ident}")
    lang = rng.choices(*zip(*params.languages, strict=True))[0]
    known = [_name(_zipf(rng, 3000), params.seed) for _ in range(rng.choice((1, 1, 2, 3)))]
    own = [_name(10**6 + rng.randrange(10**9), params.seed) for _ in range(rng.choice((0, 1, 1, 2)))]
    scale = rng.choice(("%", " million", " billion", " people", " km"))
    figures = tuple(f"{rng.choice(('', '$'))}{rng.randrange(2, 990)}{scale}" for _ in range(rng.choice((0, 1, 2))))
    words = {name: tuple(_sample(rng, name, 18)) for name, _ in params.languages}
    return _Story(ident, lang, (*own, *known), figures, words)


def _item(story: _Story, part: int, at: datetime, written: Sequence[Item], params: StreamParams) -> Item:
    ident = f"{story.id}-{part:03}"
    rng = random.Random(f"{params.seed} item {ident}")
    every = sources(params)
    fitting = [one for one in every if one.lang == story.lang] or every
    pool = every if rng.random() < params.foreign else fitting
    source = rng.choices(pool, [one.weight for one in pool])[0]
    if written and rng.random() < params.copies:
        like = rng.choice(written)
        title, text, lang = like.title, like.text, like.lang
    else:
        lang = source.lang
        title = _sentence(rng, story, lang, rng.randint(7, 12), topical=0.5).rstrip(".。")
        left = round(source.words * rng.lognormvariate(0.0, 0.5))
        sentences = []
        while left > 0:
            length = rng.randint(8, 28)
            sentences.append(_sentence(rng, story, lang, length, topical=0.22))
            left -= length
        text = ("" if lang == "zh" else " ").join(sentences)
    url = f"https://{source.id}.example/{at:%Y/%m}/{ident}-{title.split()[0].lower() if lang != 'zh' else 'a'}"
    return Item(ident, at, title, text, source.id, url, lang, story.id)


def _with_restamps(stream: Iterable[Item], params: StreamParams) -> Iterator[Item]:
    """The items, and some of them again in their turn under a newer date."""
    again: list[tuple[datetime, str, Item]] = []
    for item in stream:
        while again and again[0][0] <= item.published:
            yield heapq.heappop(again)[2]
        yield item
        rng = random.Random(f"{params.seed} restamp {item.id}")
        if rng.random() < params.restamps:
            later = item.published + timedelta(seconds=rng.randrange(600, 86_400))
            heapq.heappush(again, (later, item.id, replace(item, published=later)))


# -- words ----------------------------------------------------------------------------------------------------------

_GLUE = {  # words that every text has
    lang: words.split()
    for lang, words in {
        "en": "the of and to in a for on with that is was by at as from it said has have after will be its an are",
        "de": "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden",
        "fr": "le de la les et des en un une du que est pour dans qui par sur au il plus ne pas avec ce son",
        "zh": "的 了 在 和 是 将 为 对 与 也",
    }.items()
}
_GLUE_SHARE = 0.42  # of all words
_STARTS = ["b", "br", "c", "ch", "d", "f", "g", "gr", "h", "k", "l", "m", "n", "p", "r", "s", "st", "t", "v", "z"]
_VOWELS = ["a", "e", "i", "o", "u", "ai", "ei", "ou"]
_ENDS = ["", "", "l", "m", "n", "r", "s", "t", "nd", "rk"]
_COINED = 12_000  # words of a language of which nothing is known
_FLATTER = 0.8  # exponent of a word's share among those that a story is about: topics are rarer words


def _coined(number: int, salt: str) -> str:
    """A word that nobody ever said, always the same for one number."""
    rng = random.Random(f"{salt} {number}")
    return "".join(rng.choice(_STARTS) + rng.choice(_VOWELS) + rng.choice(_ENDS) for _ in range(rng.choice((2, 2, 3))))


@cache
def _vocabulary(lang: str) -> tuple[tuple[str, ...], list[float], list[float]]:
    """(words, their cumulated shares in running text, the same for words that make a topic)."""
    known = [(share, word) for word, share in background().items() if len(word) > 1]
    if lang == "en":
        found = [(share, word) for share, word in known if word.isascii() and word.isalpha()]
    elif lang == "zh":
        found = [(share, word) for share, word in known if is_cjk_term(word)]
    else:
        found = [(1.0 / (rank + 3.0), _coined(rank, lang)) for rank in range(_COINED)]
    found.sort(key=lambda pair: (-pair[0], pair[1]))
    shares = [share for share, _ in found]
    topical = [share**_FLATTER if rank > 100 else 0.0 for rank, share in enumerate(shares)]
    return tuple([word for _, word in found]), list(accumulate(shares)), list(accumulate(topical))


def _sample(rng: random.Random, lang: str, number: int) -> list[str]:
    words, _, topical = _vocabulary(lang)
    return rng.choices(words, cum_weights=topical, k=number)


def _zipf(rng: random.Random, ranks: int) -> int:
    """A rank from 0 on, each half as likely as one of half its size."""
    return int(ranks ** rng.random()) - 1


@cache
def _name(number: int, seed: int) -> str:
    return _coined(number, f"{seed} name").capitalize()


def _sentence(rng: random.Random, story: _Story, lang: str, length: int, topical: float) -> str:
    """A sentence: names and words of the story among words that everybody uses."""
    words, shares, _ = _vocabulary(lang)
    glue = iter(rng.choices(_GLUE[lang], k=length))
    common = iter(rng.choices(words, cum_weights=shares, k=length))
    said = []
    for _ in range(length):
        chance = rng.random()
        if chance < _GLUE_SHARE * (1.0 - topical):
            said.append(next(glue))
        elif chance < 1.0 - topical:
            said.append(next(common))
        elif rng.random() < 0.3:
            figure = story.figures and rng.random() < 0.25
            said.append(rng.choice(story.figures) if figure else rng.choice(story.names))
        else:
            said.append(story.words[lang][min(_zipf(rng, 19), 17)])
    if lang == "zh":
        return "".join(said) + "。"
    said[0] = said[0][:1].upper() + said[0][1:]
    return " ".join(said) + "."


if __name__ == "__main__":
    for one in items(int(sys.argv[1])):
        print(json.dumps(one.row(), ensure_ascii=False))
