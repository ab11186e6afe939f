"""From raw entries to clean ones: links, dates, texts, and a remark on everything doubtful."""

from datetime import UTC, datetime
from typing import Any

from storyheat.core.items.normalise import NormaliseParams, RawEntry, RawLink, RawText, is_blank, normalise
from storyheat.core.model import Entry
from storyheat.core.text.markup import TextKind

BASE = "https://wire.example/feed.xml"


def entry(base: str | None = BASE, **fields: Any) -> Entry:
    return normalise(RawEntry(**fields), base=base)


def test_a_page_is_preferred_to_other_alternates() -> None:
    links = (
        RawLink("https://wire.example/api/1", "self"),
        RawLink("https://wire.example/p.pdf", "alternate", "application/pdf"),
        RawLink("/a/1", "alternate", "text/html; charset=utf-8"),
        RawLink("https://img.example/1.jpg", "enclosure", "image/jpeg"),
    )
    assert entry(links=links).link == "https://wire.example/a/1"
    assert entry(links=links[:2]).link == "https://wire.example/p.pdf"
    assert entry(links=links[:1]).link is None


def test_an_unusable_link_is_dropped_with_a_remark() -> None:
    script = entry(links=(RawLink("javascript:alert(1)"),))
    relative = entry(base=None, links=(RawLink("/a/1"),))
    assert (script.link, script.remarks) == (None, ("link is no http(s) address: javascript:alert(1)",))
    assert (relative.link, relative.remarks) == (None, ("link is relative and no base is known: /a/1",))


def test_no_login_is_kept_of_an_address_that_a_feed_gives() -> None:
    login = "https://me:hunter2@wire.example"
    html = f'<p>At <a href="{login}/a?to=b@c.example">a@b.example</a> <img src="{login}/b"></p>'
    raw = RawEntry(
        guid=f"{login}/1",
        guid_is_link=True,
        links=(RawLink("ftp://me:hunter2@wire.example/x"),),
        content=RawText(html, TextKind.HTML),
        publisher_url=login,
    )
    entry = normalise(raw)
    assert "hunter2" not in repr(entry)
    assert (entry.link, entry.publisher_url) == ("https://wire.example/1", "https://wire.example")
    assert 'href="https://wire.example/a?to=b@c.example"' in entry.html
    assert ">a@b.example</a>" in entry.html
    assert normalise(RawEntry(links=(RawLink(f"{login}/2"),))).link == "https://wire.example/2"


def test_the_guid_is_the_link_only_where_it_may_be() -> None:
    assert entry(guid="https://wire.example/p/1", guid_is_link=True).link == "https://wire.example/p/1"
    assert entry(guid="https://wire.example/p/1").link is None
    assert entry(guid="p/1", guid_is_link=True).link is None
    assert entry(guid=" \n ").guid is None


def test_the_original_address_is_canonical_and_never_the_link() -> None:
    found = entry(links=(RawLink("http://proxy.example/~3/x"),), original_link="https://wire.example/a?utm_source=x")
    assert (found.link, found.canonical) == ("http://proxy.example/~3/x", "https://wire.example/a")


def test_updated_alone_is_the_published_time() -> None:
    found = entry(updated="2026-10-25T09:00:00Z")
    assert found.published == found.updated
    assert found.published is not None
    assert found.published.at == datetime(2026, 10, 25, 9, tzinfo=UTC)


def test_the_first_readable_date_counts_and_updated_does_not_stand_in_for_a_broken_one() -> None:
    second = entry(published=("soon", "2026-10-26T08:00:00Z", "2026-10-27"))
    broken = entry(published=("soon",), updated="later")
    assert second.published is not None
    assert second.published.at.day == 26
    assert second.remarks == ("published: date could not be read: “soon”",)
    assert broken.published is None
    assert len(broken.remarks) == 2


def test_texts() -> None:
    html = RawText('<p>One <a href="x">two</a></p>', TextKind.HTML, "https://wire.example/log/")
    plain = RawText("a < b", TextKind.PLAIN)
    both = entry(summary=plain, content=html)
    assert (both.summary, both.text) == ("a < b", "One two")
    assert 'href="https://wire.example/log/x"' in both.html
    only_summary = entry(summary=plain)
    assert (only_summary.summary, only_summary.text, only_summary.html) == ("a < b", "", "a &lt; b")
    assert entry(content=html).summary == "One two"
    assert (entry().summary, entry().text, entry().html) == ("", "", "")


def test_a_long_summary_is_an_article() -> None:
    raw = RawEntry(summary=RawText("word " * 20, TextKind.HTML))
    found = normalise(raw, params=NormaliseParams(max_summary_chars=10))
    assert found.summary == "word word…"
    assert found.text == ("word " * 20).strip()


def test_names_and_titles_are_plain_text() -> None:
    found = entry(
        title=RawText("A &amp; B", TextKind.GUESS),
        author='"><svg onload=alert(2)>Ann',
        publisher="The Paper",
        publisher_url="//paper.example",
        language="de",
    )
    assert (found.title, found.author, found.publisher) == ("A & B", '">Ann', "The Paper")
    assert (found.publisher_url, found.language) == ("https://paper.example", "de")
    assert entry().title is None


def test_blank_entries() -> None:
    assert is_blank(RawEntry(guid=" ", title=RawText(" ", TextKind.PLAIN)))
    assert not is_blank(RawEntry(published=("2026-10-26",)))
    assert not is_blank(RawEntry(links=(RawLink("/a"),)))


def test_dates_that_count_back_need_the_time_of_the_fetch() -> None:
    at = datetime(2026, 10, 26, 12, tzinfo=UTC)
    raw = RawEntry(published=("40 days ago", "3 hours ago"))
    assert normalise(raw).published is None
    entry = normalise(raw, fetched_at=at)
    assert entry.published is not None
    assert (entry.published.at, entry.published.relative) == (at.replace(hour=9), True)
    assert entry.remarks == ("published: too long ago to name a day",)
    assert normalise(RawEntry(published=("soon",)), fetched_at=at).remarks == (
        "published: date could not be read: “soon”",
    )
