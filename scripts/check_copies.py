"""Measures how copies are recognised: in labelled stories, and in copies made from them in the ways that outlets make.

A pair of items with different labels is wrong. A pair with one label is shown with --pairs, to be read: two articles
of one story are no copies unless one says what the other says.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from check_gold import shared_folder

from storyheat.core.items.copies import Candidate, CopyParams, Likeness, Sketch, find_copy, sketch
from storyheat.core.model import ItemId

PARAMS = CopyParams()
LABELLED = ("gva_dev", "neus_train", "scoop_ai_202602", "seed")
START = datetime(2026, 1, 1, tzinfo=UTC)
BOILERPLATE = (
    "Read the full report on our site and follow us for more. All rights reserved. This material may not be "
    "published, broadcast or rewritten without permission. Sign up for our newsletter to get such news each morning."
)
BOILERPLATE_ZH = "本文来自合作媒体授权发布，未经许可不得转载。更多精彩内容请关注我们的公众号并点击阅读原文。"


class Text(NamedTuple):
    """One item of a set: what is compared, when, and under which label."""

    ident: str
    title: str
    body: str
    at: datetime
    label: str


class Found(NamedTuple):
    """A text that was taken for a copy of another."""

    copy: Text
    original: Text
    likeness: Likeness


def texts_of(path: Path) -> list[Text]:
    """The items of a labelled set; those without a date stand at one instant."""
    found = []
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        at = datetime.fromisoformat(row["published"]) if row.get("published") else START
        found.append(Text(row["id"], row["title"], row["text"], at, str(row.get("story"))))
    return sorted(found, key=lambda text: (text.at, text.ident))


def copies_in(texts: list[Text]) -> Iterator[Found]:
    """The copies that are found when the texts come one after the other."""
    index: dict[int, list[Text]] = defaultdict(list)
    sketches: dict[str, Sketch] = {}
    by_id = {text.ident: text for text in texts}
    for text in texts:
        sketches[text.ident] = mine = sketch(text.title, text.body, PARAMS)
        met = {other.ident: other for band in mine.bands for other in index[band]}
        candidates = [
            Candidate(ItemId(ident), ItemId(ident), other.at, sketches[ident]) for ident, other in met.items()
        ]
        like = find_copy(ItemId(text.ident), mine, text.at, candidates, PARAMS)
        if like:
            yield Found(text, by_id[like.like], like)
        for band in mine.bands:
            index[band].append(text)


@dataclass(frozen=True)
class Way:
    """One way in which an outlet changes what it takes over, and the share of copies that must be found."""

    name: str
    change: Callable[[list[str], str], list[str]]
    other_title: bool = False


def changed_words(number: int) -> Callable[[list[str], str], list[str]]:
    """Changes so many words, spread over the text."""

    def change(words: list[str], _: str) -> list[str]:
        places = {round((place + 0.5) * len(words) / number) for place in range(number)}
        return ["otherwise" if at in places else word for at, word in enumerate(words)]

    return change


def _start(share: float) -> Callable[[list[str], str], list[str]]:
    return lambda words, tail: words[: max(45, round(share * len(words)))] + tail.split()[:6]


WAYS = (
    Way("as it is", lambda words, _: words),
    Way("another headline", lambda words, _: words, other_title=True),
    Way("one word changed", changed_words(1)),
    Way("three words changed", changed_words(3)),
    Way("a dateline before it", lambda words, _: ["SPRINGFIELD", "(Wire)", "-", *words]),
    Way("boilerplate after it", lambda words, tail: words + tail.split()),
    Way("dateline and boilerplate", lambda words, tail: ["SPRINGFIELD", "(Wire)", "-", *words, *tail.split()]),
    Way("the first half of it", _start(0.5)),
    Way("the first third of it", _start(0.34)),
)


def made_copies(texts: list[Text], way: Way, chinese: bool) -> tuple[int, int]:
    """(copies made, copies found) from the texts that are long enough to be changed."""
    made = found = 0
    glue, tail = ("", " ".join(BOILERPLATE_ZH)) if chinese else (" ", BOILERPLATE)
    for text in texts:
        words = list(text.body) if chinese else text.body.split()
        original = Candidate(ItemId("a"), ItemId("a"), text.at, sketch(text.title, text.body, PARAMS))
        title = "" if way.other_title else text.title
        copied = sketch(title, glue.join(way.change(words, tail)), PARAMS)
        bands = set(sketch(text.title, text.body, PARAMS).bands)
        made += 1
        met = bool(bands & set(copied.bands))
        if met and find_copy(ItemId("b"), copied, text.at + timedelta(hours=1), [original], PARAMS):
            found += 1
    return made, found


def graded_pairs(path: Path) -> tuple[int, int, int]:
    """(pairs of Chinese texts, pairs called copies, of these graded as other than the same) of the graded set."""
    pairs = called = wrong = 0
    for number, line in enumerate(path.read_text("utf-8").splitlines()):
        row = json.loads(line)
        pairs += 1
        texts = [Text(f"{number}{side}", row[side]["title"], row[side]["text"], START, "") for side in "ab"]
        if next(copies_in(texts), None):
            called += 1
            wrong += not row["same_story"]
    return pairs, called, wrong


def main() -> int:
    """Prints the figures and, with --pairs, every pair whose texts are not equal."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--pairs", action="store_true", help="show each pair that is not equal to the letter")
    arguments.add_argument("--sample", type=int, default=300, help="texts from which copies are made")
    options = arguments.parse_args()
    folder = shared_folder() / "eval"
    if not folder.is_dir():
        print(f"no material at {folder}; set STORYHEAT_SHARED", file=sys.stderr)
        return 1
    for name in LABELLED:
        texts = texts_of(folder / f"{name}.jsonl")
        found = list(copies_in(texts))
        wrong = sum(pair.copy.label != pair.original.label for pair in found)
        print(f"{name}: {len(texts)} texts, {len(found)} copies found, {wrong} of another label")
        for pair in found if options.pairs else ():
            if pair.likeness.similarity < 1 or pair.copy.label != pair.original.label:
                mark = " " if pair.copy.label == pair.original.label else "!"
                print(f"  {mark} {pair.likeness.similarity:.2f} {pair.copy.title[:70]} | {pair.original.title[:70]}")
    pairs, called, graded_wrong = graded_pairs(folder / "pairs_semeval_zh.jsonl")
    print(f"pairs_semeval_zh: {pairs} pairs, {called} called copies, {graded_wrong} of them graded as another story")
    for language, texts in samples(folder, options.sample):
        for way in WAYS:
            made, got = made_copies(texts, way, language == "Chinese")
            print(f"made copies, {language}, {way.name}: {100 * got / max(1, made):.1f} % of {made}")
    return 0


def samples(folder: Path, size: int) -> Iterator[tuple[str, list[Text]]]:
    """Texts from which copies are made: long enough, and with a title that they are about."""
    english = texts_of(folder / "gva_dev.jsonl")
    rows = [json.loads(line) for line in (folder / "pairs_semeval_zh.jsonl").read_text("utf-8").splitlines()]
    chinese = [
        Text(f"{number}{side}", row[side]["title"], row[side]["text"], START, "")
        for number, row in enumerate(rows)
        for side in "ab"
        if sum("\u4e00" <= c <= "\u9fff" for c in row[side]["text"]) > len(row[side]["text"]) / 2
    ]
    for language, texts in (("English", english), ("Chinese", chinese)):
        usable = [text for text in texts if len(sketch(text.title, text.body, PARAMS).tokens) >= 110]
        usable = [text for text in usable if len(sketch(text.title, text.body, PARAMS).bands) > 1]
        yield language, usable[:: max(1, len(usable) // size)][:size]


if __name__ == "__main__":
    sys.exit(main())
