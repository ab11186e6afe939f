"""Makes the background table: in which share of ordinary texts does a term occur?

    python scripts/make_background.py OUT.tsv.gz SHARED [--without NAME…]

SHARED is a folder with `feeds/` and `eval/` as the tests know them. Only counts leave this script, never texts.
`--without gva_dev` leaves a labelled set out, so that a figure on that set owes nothing to its own words.
"""

import argparse
import gzip
import html
import io
import json
import re
import sys
import tarfile
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import feedparser

from storyheat.background import known_names
from storyheat.core.text.terms import read
from storyheat.core.text.words import is_cjk_term

MIN_TEXTS = 4  # a term of fewer texts is as good as unknown
MAX_TERMS = {"cjk": 15_000, "other": 30_000}
PER_FEED = 40  # entries, so that one large feed does not become the language
LANGUAGES = ("en", "zh")
MIN_CJK_SHARE = 0.2  # of the terms, for a text that counts as Chinese

Text = tuple[str, str]


def labelled(path: Path) -> Iterator[Text]:
    """Texts of a labelled set: stories or pairs."""
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        for item in (row["a"], row["b"]) if "a" in row else (row,):
            yield item["title"], item["text"]


def feed(document: bytes) -> Iterator[Text]:
    """Texts of one feed, without tags."""
    for entry in feedparser.parse(io.BytesIO(document)).entries[:PER_FEED]:
        body = entry.get("content", [{}])[0].get("value") or entry.get("summary", "")
        yield plain(entry.get("title", "")), plain(body)


def plain(markup: str) -> str:
    """Markup as text; rough, which is enough for counting."""
    return html.unescape(re.sub(r"<(script|style).*?</\1>|<[^>]*>", " ", markup, flags=re.DOTALL)).strip()


def series(path: Path, every: int = 10) -> Iterator[Text]:
    """Texts of every tenth snapshot in an archive of one feed's snapshots."""
    with tarfile.open(path) as archive:
        names = sorted(m.name for m in archive.getmembers() if m.isfile())
        for name in names[::every]:
            member = archive.extractfile(name)
            if member is not None:
                yield from feed(member.read())


def texts(shared: Path, without: Iterable[str]) -> Iterator[Text]:
    """All texts at hand, each at most once per (title, text)."""
    seen: set[Text] = set()
    sources: list[Iterator[Text]] = [
        labelled(shared / "eval" / f"{name}.jsonl")
        for name in ("gva_dev", "neus_train", "scoop_ai_202602", "pairs_semeval_zh")
        if name not in without
    ]
    sources += [feed(path.read_bytes()) for path in sorted((shared / "feeds/real").iterdir())]
    sources += [series(path) for path in sorted((shared / "feeds/series").glob("*.tar.xz"))]
    for source in sources:
        for text in source:
            key = (text[0], text[1][:200])
            if key not in seen:
                seen.add(key)
                yield text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("shared", type=Path)
    parser.add_argument("--without", nargs="*", default=[])
    args = parser.parse_args()
    warnings.filterwarnings("ignore")
    counts: dict[str, Counter[str]] = {"cjk": Counter(), "other": Counter(), "other in cjk": Counter()}
    names = known_names()
    totals = Counter[str]()
    for title, text in texts(args.shared, args.without):
        terms = read(title, text, names).terms()
        chinese = sum(map(is_cjk_term, terms)) > MIN_CJK_SHARE * len(terms)
        totals["cjk"] += chinese
        totals["other"] += not chinese
        for term in terms:
            if is_cjk_term(term):
                counts["cjk"][term] += 1
            else:
                counts["other in cjk" if chinese else "other"][term] += 1
    # Names that are read as their English forms too may be commoner in Chinese texts: the larger share holds.
    chinese_share = {term: n / totals["cjk"] for term, n in counts["other in cjk"].items() if n >= MIN_TEXTS}
    lines = []
    for script in ("cjk", "other"):
        common = sorted(counts[script].items(), key=lambda pair: (-pair[1], pair[0]))[: MAX_TERMS[script]]
        shares = {term: n / totals[script] for term, n in common if n >= MIN_TEXTS}
        if script == "other":
            shares |= {term: share for term, share in chinese_share.items() if share > shares.get(term, 0.0)}
        lines += [f"{term}\t{share:.3g}\n" for term, share in shares.items()]
    data = "".join(sorted(lines)).encode()
    args.out.write_bytes(gzip.compress(data, 9, mtime=0))
    print(f"{len(lines)} terms of {dict(totals)} texts, {args.out.stat().st_size} bytes", file=sys.stderr)


if __name__ == "__main__":
    main()
