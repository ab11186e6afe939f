"""Addresses: what resolves, which address an article is known by, and when two are the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyheat.core.addresses.urls import (
    article_address,
    canonical_url,
    feed_address,
    feed_key,
    feed_link,
    host_of,
    identity_key,
    is_relative,
    join_base,
    resolve,
    same_request,
    without_login,
)

BASE = "https://wire.example/log/feed.xml"


@pytest.mark.parametrize(
    ("link", "base", "expected"),
    [
        ("https://wire.example/a b", None, "https://wire.example/a b"),
        (" https://wire.example/\na ", None, "https://wire.example/a"),
        ("../a", BASE, "https://wire.example/a"),
        ("//cdn.example/a", BASE, "https://cdn.example/a"),
        ("a", None, None),
        ("", BASE, None),
        (None, BASE, None),
        ("javascript:alert(1)", BASE, None),
        ("data:text/html,x", BASE, None),
        ("tag:wire.example,2026:1", BASE, None),
        ("https:///a", None, None),
        ("https://[::1/a", None, None),
        ("https://wire.example:x/", None, None),
        ("https://a<b/", None, None),
        ("https://wire.example/" + "a" * 5000, None, None),
    ],
)
def test_resolve(link: str | None, base: str | None, expected: str | None) -> None:
    assert resolve(link, base) == expected


def test_bases_compose() -> None:
    assert join_base(BASE, "2026/") == "https://wire.example/log/2026/"
    assert join_base(BASE, None) == BASE
    assert is_relative("a/b")
    assert not is_relative("mailto:a@wire.example")
    assert not is_relative(" ")


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("HTTPS://Wire.Example:443/n/5?utm_source=rss&id=5&UTM_Medium=x#top", "https://wire.example/n/5?id=5"),
        ("http://wire.example:8080?b=2&a=1&", "http://wire.example:8080/?b=2&a=1"),
        ("https://user:pw@wire.example./%7ea/%e4", "https://wire.example/~a/%E4"),
        ("https://bücher.example/straße/ä?q=ö", "https://xn--bcher-kva.example/stra%C3%9Fe/%C3%A4?q=%C3%B6"),
        ("https://wire.example/标签/a b", "https://wire.example/%E6%A0%87%E7%AD%BE/a%20b"),
        ("https://wire.example/#!/a/1", "https://wire.example/#!/a/1"),
        ("https://[2001:db8::1]:8443/a", "https://[2001:db8::1]:8443/a"),
        ("https://wire.example/a?ref=home&source=rss&source=desk", "https://wire.example/a?source=desk"),
        ("https://github.com/a/b?ref=main", "https://github.com/a/b?ref=main"),
        ("https://www.nytimes.com/a?partner=x&q=1", "https://www.nytimes.com/a?q=1"),
        ("https://www.infzm.com/contents/1?source=133&source_1=1", "https://www.infzm.com/contents/1"),
        ("https://news.qq.com/rain/a/1?adChannelId=news", "https://news.qq.com/rain/a/1"),
        ("https://www.google.com/url?sa=t&url=https://wire.example/a%3Fb%3D1", "https://wire.example/a?b=1"),
        ("https://www.google.com/url?sa=t", "https://www.google.com/url?sa=t"),
        ("https://www.google.com/amp/s/wire.example/a?x=1", "https://wire.example/a?x=1"),
        ("https://www.google.com/amp/", "https://www.google.com/amp/"),
        ("https://wire-example.cdn.ampproject.org/c/wire.example", "http://wire.example/"),
        ("ftp://wire.example/a", None),
        (None, None),
    ],
)
def test_canonical(url: str | None, expected: str | None) -> None:
    assert canonical_url(url) == expected


@pytest.mark.parametrize(
    "url",
    [
        "http://www.wire.example/a/77/",
        "https://m.wire.example/amp/a/77?amp=1",
        "https://wire.example/a/77/amp",
        "https://wire.example/a/77/amp/",
        "https://amp.wire.example/a/77?outputType=amp",
        "https://wire.example/a/77/index.html",
        "https://wire.example/a/77?utm_source=x#c",
    ],
)
def test_forms_of_one_address_have_one_key(url: str) -> None:
    assert identity_key(url) == identity_key("https://wire.example/a/77") == "wire.example/a/77"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://wire.example/a?id=1", "https://wire.example/a?id=2"),
        ("https://wire.example/a", "https://wire.example/A"),
        ("https://wire.example/amp", "https://wire.example/"),
        ("https://wire.example/amp/", "https://wire.example/"),
        ("https://m.example/a", "https://example/a"),
        ("https://wire.example/#!/1", "https://wire.example/#!/2"),
    ],
)
def test_different_addresses_have_different_keys(one: str, other: str) -> None:
    assert identity_key(one) != identity_key(other)


@pytest.mark.parametrize(
    "url",
    [
        "https://wire.example/n/5?PHPSESSID=ab1",
        "https://wire.example/n/5?ASPSESSIONIDQQ=ABC&sid=9f86d081884c7d65",
        "https://wire.example/n/5;jsessionid=AB1.node2",
        "https://wire.example/n/5%3BJSESSIONID%3DAB1",
        "https://wire.example/(S(lit3py55t21z5v55vlm25s55))/n/5",
        "https://wire.example/n/5?_=1732999123&rand=0.75&nocache=x",
        "https://wire.example/n/5?ts=1732999123&timestamp=7",
        "https://wire.example/n/./5",
        "https://wire.example/a/%2e%2e/n/5",
        "https://wire.example/../n/x/../5",
        "https://wire.example/n/5?utm_source=a&amp;amp;utm_medium=b&#38;fbclid=c",
        "https://wire.example:443/n/5?#",
    ],
)
def test_sessions_caches_dots_and_escapes_are_no_part_of_an_address(url: str) -> None:
    assert canonical_url(url) == "https://wire.example/n/5"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://wire.example/n;jsessionid=AB1?id=5", "https://wire.example/n?id=5"),
        ("https://wire.example/n?id=5&amp;amp;page=2", "https://wire.example/n?id=5&page=2"),
        ("https://wire.example/n?id=5&#038;page=2", "https://wire.example/n?id=5&page=2"),
        ("https://wire.example/n?id=5?utm_source=a", "https://wire.example/n?id=5"),
        ("https://wire.example/n?id=5%26utm_source%3Da%20b&c=1", "https://wire.example/n?id=5&c=1"),
        ("https://wire.example/n?q=a%26b%3Dc", "https://wire.example/n?q=a%26b%3Dc"),
        ("https://wire.example/a/b/..", "https://wire.example/a/"),
        ("https://wire.example/a//b/./", "https://wire.example/a//b/"),  # servers differ about double slashes
        ("https://wire.example/.well-known/a", "https://wire.example/.well-known/a"),
        # names that sites use for content as well
        ("https://wire.example/article?sid=1234", "https://wire.example/article?sid=1234"),
        ("https://wire.example/talks?session_id=12&_=de", "https://wire.example/talks?session_id=12&_=de"),
        ("https://wire.example/n?ts=12&p=1", "https://wire.example/n?ts=12&p=1"),
        ("https://wire.example/n;a=1/b", "https://wire.example/n;a=1/b"),
    ],
)
def test_what_may_name_the_article_stays(url: str, expected: str) -> None:
    assert canonical_url(url) == expected


def test_wikipedia_and_amp_file_names() -> None:
    assert identity_key("https://en.m.wikipedia.org/wiki/Heat") == "en.wikipedia.org/wiki/Heat"
    assert identity_key("https://wire.example/a.amp.html") == "wire.example/a.html"
    assert identity_key("mailto:a@wire.example") is None


def test_host() -> None:
    assert host_of("https://WWW.Wire.example:8080/a") == "wire.example"
    assert host_of("no address") is None


@given(st.text(max_size=80).map(lambda tail: "https://wire.example/" + tail) | st.text(max_size=40))
def test_canonical_is_idempotent_and_total(url: str) -> None:
    once = canonical_url(url)
    assert once is None or canonical_url(once) == once
    assert (identity_key(url) is None) == (once is None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (" https://wire.example/feed \n", "https://wire.example/feed"),
        ("https://wire.example/feed?from=rss&utm_source=x", "https://wire.example/feed?from=rss&utm_source=x"),
        ("https://新闻.example/订阅 1.xml", "https://xn--efvy88h.example/%E8%AE%A2%E9%98%85%201.xml"),
        ("feed://wire.example/rss", "http://wire.example/rss"),
        ("Feed:https://wire.example/rss", "https://wire.example/rss"),
        ("https://wire.example/${SECRET}", "https://wire.example/$%7BSECRET%7D"),
        ("https://Wire.example:443/a/./rss.xml#x", "https://wire.example/a/rss.xml"),
        ("HTTPS://u:p@wire.example#x", "https://u:p@wire.example"),
        ("feed", None),
        ("https://wire.example/fe\ned", None),
        ("feed:javascript:alert(1)", None),
        ("/feed.xml", None),
        ("", None),
        (None, None),
    ],
)
def test_the_address_of_a_feed(text: str | None, expected: str | None) -> None:
    assert feed_address(text) == expected


def test_the_key_of_a_feed_folds_spelling_only() -> None:
    spellings = (
        "https://Wire.example:443/%7efeed?b=%2f",
        "http://wire.example/~feed?b=%2F",
        "https://u:p@wire.example/~feed?b=%2F",
    )
    assert len({feed_key(each) for each in spellings}) == 1
    others = (
        "https://wire.example",
        "https://wire.example/",
        "https://wire.example/feed",
        "https://wire.example/feed/",
    )
    assert [feed_key(each) for each in others] == [
        "wire.example/", "wire.example/", "wire.example/feed", "wire.example/feed/"
    ]  # fmt: skip
    assert feed_key("https://wire.example:8443/feed") == "wire.example:8443/feed"


def test_spellings_that_ask_a_server_for_the_same_are_one_request() -> None:
    same = ("https://wire.example/%7erss#x", "HTTPS://Wire.example:443/./~rss", "feed:https://wire.example/~rss")
    assert len({same_request(each) for each in same}) == 1
    others = ("http://wire.example/~rss", "https://u:p@wire.example/~rss", "https://wire.example/~rss?", "no address")
    assert len({same_request(each) for each in (*same, *others)}) == 4  # an empty query asks for the same


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("rss.xml#x", "https://wire.example/log/rss.xml"),
        ("feed://wire.example/rss", "http://wire.example/rss"),
        ("feed:https://wire.example/rss", "https://wire.example/rss"),
        ("feed:/rss", "https://wire.example/rss"),
        ("javascript:feed()", None),
    ],
)
def test_the_feed_that_a_page_links_to(link: str, expected: str | None) -> None:
    assert feed_link(link, BASE) == expected


def test_an_address_without_its_login() -> None:
    assert without_login("https://who:pw@wire.example/a?u=//b@c") == "https://wire.example/a?u=//b@c"
    assert without_login("https://wire.example/@a") == "https://wire.example/@a"


@pytest.mark.parametrize(
    ("url", "told", "expected"),
    [
        ("https://m.wire.example/amp/a", ["https://wire.example/a"], ("https://wire.example/a", None)),
        ("https://edition.wire.example/a", ["https://www.wire.example/a"], ("https://www.wire.example/a", None)),
        ("https://wire.example/a", [None, "https://wire.example/a?utm_id=1"], ("https://wire.example/a", None)),
        ("https://wire.example/a", ["https://wire.example/", "https://wire.example/index.html"], (None, None)),
        ("https://wire.example/", ["https://wire.example/"], ("https://wire.example/", None)),
        ("https://wire.example/a", ["https://agency.example/a", "https://wire.example/a"],
         (None, "https://agency.example/a")),
        (None, ["https://agency.example/a"], ("https://agency.example/a", None)),
        ("https://wire.example/a", ["javascript:x"], (None, None)),
    ],
)  # fmt: skip
def test_the_address_that_a_page_gives_for_its_article(
    url: str | None, told: list[str | None], expected: tuple[str | None, str | None]
) -> None:
    assert article_address(url, told) == expected


@given(
    st.from_regex(r"https?://[a-z]{1,5}(-[a-z0-9]{1,3})?\.[a-z]{2,4}", fullmatch=True),
    (st.text("aZ0.-_~/", max_size=12) | st.sampled_from(["", "./a", "a/../b", "a/.", ".."])).map(
        lambda path: "/" + path
    ),
    st.lists(st.sampled_from(["a=1", "utm_source=x", "ref=2", "", "B=~.", "from=rss", "_=1", "sid=4"]), max_size=4).map(
        lambda pairs: "?" + "&".join(pairs) if pairs else ""
    ),
)
def test_the_short_way_with_ordinary_addresses_gives_what_the_long_one_gives(
    origin: str, path: str, query: str
) -> None:
    port = "443" if origin.startswith("https") else "80"
    address, with_port = origin + path + query, f"{origin}:{port}{path}{query}"
    assert resolve(address, None) == address
    assert canonical_url(address) == canonical_url(with_port)
    assert host_of(address) == host_of(with_port)
