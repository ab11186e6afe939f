"""Feeds damaged documents, dates, addresses and HTML to the readers and reports crashes, hangs and memory.

Two sources of input: real feeds (or, without the shared material, the fault cases of the tests) damaged at random,
some of them stretched to a megabyte, and texts that hypothesis makes of the pieces formats are made of. It stops after
`--documents` documents; as many dates, addresses and fragments of HTML are read beside them. The input of number N
depends on the seed, N and the documents alone: `--only N` runs it again. Exit code 1 where anything but a
DocumentError came out, an input took more than five seconds (of this process, not of others on the machine), or memory
grew beyond 500 MB.
"""

import argparse
import faulthandler
import os
import random
import resource
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from storyheat.core.addresses.urls import article_address, canonical_url, host_of, identity_key, resolve
from storyheat.core.dates.article import dates_in, day_in_address
from storyheat.core.dates.published import day_first_shown, read_date
from storyheat.core.dates.relative import read_relative
from storyheat.core.items.aggregators import article_behind, headline, own_text
from storyheat.core.model import Selectors
from storyheat.core.text.markup import TextKind, plain_text, sanitised, title_text
from storyheat.errors import DocumentError
from storyheat.ingest.document import parse_document
from storyheat.ingest.page_article import read_article_page
from storyheat.ingest.page_feeds import discover
from storyheat.ingest.page_index import NoItemsError, read_index

ROOT = Path(__file__).resolve().parents[1]
STUCK_SECONDS = 60  # of work on one input without an answer: the stack is printed and the run ends
STRETCHED = 1_000_000  # bytes of a document in which a piece comes again and again
EVERY_STRETCHED = 1_000  # documents for one such
LARGEST_SEED = 40_000  # bytes of a real feed that are damaged; most of its length says the same again
ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 10, 27, 12, tzinfo=UTC)
BASE = "https://wire.example/dir/feed.xml"
HINTS = (None, "application/rss+xml", "text/html; charset=gbk", "text/xml; charset=utf-16", "application/json")
PIECES = (
    "<", ">", "&", "]]>", "<![CDATA[", "<!--", "-->", "<item>", "</item>", "<entry>", "</entry>", "</channel>",
    "</rss>", "<title>", "</title>", "<link>", "<link href=", "<guid isPermaLink='false'>", "<pubDate>", "<image>",
    "<source url='x'>", "<author>", "<name>", "<content type='xhtml'>", "<div>", "</div>", "<b>", "<br>", "<a:b>",
    " xmlns:a='x y'", " xmlns=''", " xml:base='http://['", "xml:base='../'", "<!DOCTYPE x [", "<!ENTITY a '&b;'>",
    "]>", "&a;", "&#0;", "&#xD800;", "&nbsp;", "<?xml version='1.0' encoding='utf-16'?>", "<rdf:RDF>",
    "<feed xmlns='http://www.w3.org/2005/Atom'>", "\x00", "\x1b", "\ufeff", "\u202e", "\ud800", "{", "}", "[", "]",
    '"items":', '"', "'", ",", "\\ud800", "1e999", "NaN", "=", "/", "\n",
    '{"id":"', '"url":5', '"items":[', "\\x", "9" * 5000, "\xed\xa0\xbd", "<content type='image/png' mode='base64'>",
)  # fmt: skip
DATES = (
    "Mon, 26 Oct 2026 10:00:00 GMT", "2026-10-26T10:00:00.123+08:00", "2026年10月26日 下午3:05", "令和8年10月26日",
    "26 de octubre de 2026 a las 3:05 p. m.", "26.10.2026 um 15.05 Uhr (MEZ)", "10/12/2026 4:05 pm", "1792998000",
    "понедельник, 26 октября 2026 г. в 15:05", "2026년 10월 26일 (월) 오후 3시 5분",
    "Oct 26, 2026 3:05 PM Eastern Time", "昭和64年1月7日 正午", "2026-W49-4T10:05Z", "2026-337", "03.12.26, 10 Uhr 05",
    "二〇二六年十二月三日零时五分", "Dec 3, 2026, noon CST", "26/12/03 午後3時", "3 décembre 2026 à 10 h 05 min",
)  # fmt: skip
ADDRESSES = (
    "https://user:pw@www.wire.example:443/a/../b/?utm_source=x&id=1#frag", "//wire.example/a b",
    "http:/wire.example/ä", "https://bücher.example/?q=%E4%BD%A0",
    "https://www.google.com/url?q=https%3A%2F%2Fwire.example%2F1", "javascript:x",
    "https://news.google.com/rss/articles/CBMiGGh0dHBzOi8vd2lyZS5leGFtcGxlL2EvMQ?oc=5", "http://[::1]:80/",
    "../x?y#z", "https://wire-example.cdn.ampproject.org/c/s/wire.example/amp/1",
    "https://www.reddit.com/r/x/comments/1/y/",
)  # fmt: skip
FRAGMENTS = (
    "<p>One <b>two</b> &amp; three<br/>four</p>", "<div><script>x</script><a href='javascript:x'>y</a></div>",
    "<table><tr><td>a</table>", "&lt;b&gt; &#8217; &nbsp;", "<font><font><p>" * 20,
    "<svg><style><img src=x onerror=y>",
    'submitted by <a href="https://reddit.com/u/x"> /u/x </a> <a href="https://wire.example/1">[link]</a> [comments]',
)  # fmt: skip
SELECTORS = Selectors("p, a, tr, div", date_regex=r"\d+", href_date_regex=r"(\d+)", summary="b")


def read_document(body: bytes, hint: str | None = None) -> None:
    """Parses one document; our own error is a right answer."""
    with suppress(DocumentError):
        parse_document(body, url=BASE, content_type=hint, source_timezone="Asia/Shanghai", fetched_at=NOW)


def read_dates(text: str) -> None:
    """Reads one date in every way."""
    read_date(text, ZONE)
    read_date(text, None, day_first=day_first_shown([text]), language="de-DE")
    read_date(text, None, language="zh")
    read_relative(text, NOW, ZONE)
    dates_in(text)


def read_address(text: str) -> None:
    """Takes one address through all that is done with addresses."""
    absolute = resolve(text, BASE)
    canonical = canonical_url(absolute)
    identity_key(absolute)
    host_of(canonical)
    day_in_address(text)
    article_address(absolute, [canonical, text])
    headline("Title - Publisher", None, absolute)
    article_behind(absolute, FRAGMENTS[-1])


def read_html(text: str) -> None:
    """Takes one fragment through all that cleans text."""
    for kind in TextKind:
        title_text(text, kind)
    own_text(ADDRESSES[-1], plain_text(text))
    sanitised(text, BASE)
    discover(text, BASE)
    read_article_page(text, BASE, fetched_at=NOW)
    with suppress(NoItemsError):
        read_index(text, BASE, SELECTORS)


@dataclass
class Meter:
    """What was run, how long it took, and what went wrong."""

    until: float
    documents: int  # that are to be run
    most_seconds: float = 5.0  # of one input
    runs: Counter[str] = field(default_factory=Counter)
    slowest: dict[str, tuple[float, str]] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def run(self, name: str, number: str, call: Callable[[], None]) -> None:
        """Runs one input under the watch."""
        signal.setitimer(signal.ITIMER_PROF, STUCK_SECONDS)
        started = time.process_time()
        try:
            call()
        except Exception:  # noqa: BLE001 - finding these is what this program is for
            self.wrong.append(f"{name} {number}: {traceback.format_exc(limit=-1)}")
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        seconds = time.process_time() - started
        self.runs[name] += 1
        if seconds > self.most_seconds:
            self.wrong.append(f"{name} {number}: took {seconds:.1f} s")
        self.slowest[name] = max(self.slowest.get(name, (0.0, "")), (seconds, number))

    def is_over(self) -> bool:
        """Whether the time is used up, or all is done."""
        return time.monotonic() > self.until or self.runs["document"] >= self.documents


def corpus() -> list[bytes]:
    """The documents to damage, smallest first."""
    shared = Path(os.environ.get("STORYHEAT_SHARED") or ROOT.parent / "shared")
    folders = [shared / "feeds" / "real", ROOT / "tests" / "faults"]
    files = [path for folder in folders if folder.is_dir() for path in folder.rglob("*") if path.is_file()]
    bodies = {path.read_bytes()[:LARGEST_SEED] for path in files if path.suffix not in (".md", ".tsv")}
    return sorted(bodies, key=lambda body: (len(body), body))


def damaged(rng: random.Random, body: bytes, other: bytes) -> bytes:
    """The body with one to eight slips: cuts, repeats, pieces of the formats, bytes, pieces of another document."""
    for _ in range(rng.randint(1, 8)):
        at = rng.randrange(len(body) + 1)
        length = rng.choice((0, 0, 1, 3, 20, 200, 2000))
        piece = rng.choice(PIECES).encode("utf-8", "surrogatepass")
        begin = rng.randrange(len(other) + 1)
        inserted = rng.choice(
            (b"", piece, piece * rng.randint(1, 50), bytes([rng.randrange(256)]), other[begin : begin + 300])
        )
        body = body[:at] + inserted + body[at + length :]
    return body


def stretched(rng: random.Random, body: bytes) -> bytes:
    """The body with a piece of it so often that it has a megabyte."""
    begin = rng.randrange(len(body) + 1)
    piece = body[begin : begin + rng.choice((1, 2, 10, 100, 2_000, 20_000))] or b"<"
    return body[:begin] + piece * (STRETCHED // len(piece)) + body[begin:]


def damaged_text(rng: random.Random, texts: Sequence[str]) -> str:
    """One of the texts with slips like those of `damaged`, or two of them run together."""
    text = rng.choice(texts)
    for _ in range(rng.randint(1, 5)):
        at = rng.randrange(len(text) + 1)
        inserted = rng.choice(
            (rng.choice(PIECES), rng.choice(texts), chr(rng.randrange(0x110000)), str(rng.randrange(10**6)))
        )
        text = text[:at] + inserted + text[at + rng.choice((0, 1, 4)) :]
    return text


def run_number(number: int, seed: int, bodies: Sequence[bytes], meter: Meter) -> None:
    """Makes the input of a number and runs it: half of them documents, the others dates, addresses, HTML."""
    rng = random.Random(f"{seed}/{number}")
    kind = number % 6
    if kind < 3:
        body = damaged(rng, rng.choice(bodies), rng.choice(bodies))
        if number % (2 * EVERY_STRETCHED) == 0:
            body = stretched(rng, body)
        meter.run("document", str(number), lambda: read_document(body, rng.choice(HINTS)))
        return
    name, texts, call = (
        ("date", DATES, read_dates), ("address", ADDRESSES, read_address), ("html", FRAGMENTS, read_html),
    )[kind - 3]  # fmt: skip
    text = damaged_text(rng, texts)
    meter.run(name, str(number), lambda: call(text))


def run_hypothesis(meter: Meter, examples: int) -> None:
    """Runs texts that hypothesis makes of the pieces."""
    soup = st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=40).map("".join)
    roots = st.sampled_from(("<rss><channel>", "<feed>", "<item>", '{"version":"https://jsonfeed.org/version/1",'))
    documents = st.tuples(roots, soup).map(lambda parts: "".join(parts).encode("utf-8", "surrogatepass")) | st.binary()
    dates = st.lists(st.sampled_from(DATES).map(str.split).flatmap(st.sampled_from) | st.text(max_size=3), max_size=9)
    addresses = st.lists(st.sampled_from([*ADDRESSES, "/", "?", "#", "%", "@", ":"]) | st.text(max_size=4), max_size=5)
    targets: tuple[tuple[str, st.SearchStrategy[object], Callable[..., None]], ...] = (
        ("document", documents, read_document),
        ("date", dates.map(" ".join), read_dates),
        ("address", addresses.map("".join), read_address),
        ("html", soup, read_html),
    )
    for name, strategy, call in targets:
        _explore(meter, name, strategy, call, max(1, examples // len(targets)))


def _explore(
    meter: Meter, name: str, strategy: st.SearchStrategy[object], call: Callable[..., None], examples: int
) -> None:
    @settings(
        max_examples=examples, deadline=None, database=None, derandomize=True, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(strategy)
    def run_one(value: object) -> None:
        if not meter.is_over():
            meter.run(name, f"hypothesis: {value!r:.200}", lambda: call(value))

    run_one()


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the inputs and prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=200_000, help="stop after so many (default: 200,000)")
    parser.add_argument("--minutes", type=float, default=60.0, help="stop after so long (default: 60)")
    parser.add_argument("--megabytes", type=int, default=500, help="most memory (default: 500)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="run this one number again")
    options = parser.parse_args(arguments)
    meter = Meter(time.monotonic() + 60 * options.minutes, options.documents)
    bodies = corpus()
    started = time.monotonic()
    faulthandler.register(signal.SIGPROF, file=sys.__stderr__ or 2, chain=True)  # the default after it ends the run
    if options.only is not None:
        run_number(options.only, options.seed, bodies, meter)
    else:
        run_hypothesis(meter, options.documents // 5)
        number = 0
        while not meter.is_over():
            run_number(number, options.seed, bodies, meter)
            number += 1
    faulthandler.unregister(signal.SIGPROF)
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    if megabytes > options.megabytes:
        meter.wrong.append(f"memory grew to {megabytes:.0f} MB")
    seconds = time.monotonic() - started
    print(f"{meter.runs['document']:,} documents among {meter.runs.total():,} inputs in {seconds:.0f} s")
    for name, count in sorted(meter.runs.items()):
        longest, of_what = meter.slowest[name]
        print(f"  {name}: {count:,}, the slowest took {longest:.2f} s ({of_what:.60})")
    print(f"  memory: at most {megabytes:.0f} MB")
    print(f"  wrong: {len(meter.wrong)}", *meter.wrong[:20], sep="\n")
    return 1 if meter.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
