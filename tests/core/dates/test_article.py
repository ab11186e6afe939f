"""Which of the dates on a page is the article's."""

import pytest
from tests.make import utc

from storyheat.core.dates.article import Hint, Place, dates_in, day_in_address, published


def test_the_most_trustworthy_place_decides() -> None:
    hints = [
        Hint(Place.MARKED, "1 May 2026"),
        Hint(Place.ADDRESS, "2026-05-02"),
        Hint(Place.STRUCTURED, "2026-05-03T10:00:00+02:00"),
    ]
    claim = published(hints)
    assert claim is not None
    assert claim.at == utc("2026-05-03 08:00")


def test_what_cannot_be_read_or_believed_leaves_the_word_to_the_next() -> None:
    hints = [
        Hint(Place.STRUCTURED, "soon"),
        Hint(Place.META, "1970-01-01"),
        Hint(Place.MICRODATA, "1969-07-20"),  # before the web
        Hint(Place.TIME, "2031-01-01"),  # after the fetch
        Hint(Place.ADDRESS, "2026-05-02"),
    ]
    claim = published(hints, fetched_at=utc("2026-05-02 09:00"))
    assert claim is not None
    assert claim.at == utc("2026-05-02 00:00")


@pytest.mark.parametrize("place", [Place.HEAD, Place.MARKED])
def test_several_days_in_a_weak_place_are_none(place: Place) -> None:
    assert published([Hint(place, "1 May 2026"), Hint(place, "2 May 2026")]) is None
    assert published([Hint(place, "1 May 2026"), Hint(place, "2026-05-01")]) is not None


def test_nothing_is_unknown() -> None:
    assert published([]) is None


def test_relative_dates_need_the_time_of_the_fetch() -> None:
    hints = [Hint(Place.TIME, "2 hours ago")]
    assert published(hints) is None
    claim = published(hints, fetched_at=utc("2026-05-02 09:00"))
    assert claim is not None
    assert claim.at == utc("2026-05-02 07:00")


def test_slash_dates_are_read_in_the_order_of_the_page() -> None:
    hints = [Hint(Place.HEAD, "04/05/2026")]
    day = {language: published(hints, language=language) for language in ("it", "en-US", "en")}
    assert (day["it"] and day["it"].at, day["en-US"] and day["en-US"].at, day["en"]) == (
        utc("2026-05-04 00:00"), utc("2026-04-05 00:00"), None,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("By A. Writer | 26 Oct 2026, 10:00", ["26 Oct 2026"]),
        ("October 26th, 2026 in News", ["October 26th, 2026"]),
        ("发布时间：2026年10月26日 来源", ["2026年10月26日"]),
        ("last edited: 26 Oct 2026", []),
        ("Letzte Aktualisierung: 26.10.2026", []),
        ("Answers until 26 Oct 2026", []),
        ("Antworten bis 26.10.2026", []),
        ("2026/10/26-27", []),
        ("2026年10月26日(月)～27日に開催", []),
        ("26.10.2026 - 10:05", ["26.10.2026"]),
        ("am 3. August 2026 von", ["3. August 2026"]),
        ("26.10.2026 · 4 min", ["26.10.2026"]),
        ("Updated 27 Oct 2026", []),
        ("Updated: 2026-10-27 | Published: 2026-10-26", ["2026-10-26"]),
        ("2026-10-20 Posted 2026-10-26", ["2026-10-26", "2026-10-20"]),
        ("5 of them 2026", []),
        ("10 people 2026", []),
        ("no date", []),
    ],
)
def test_dates_are_found_inside_words(text: str, expected: list[str]) -> None:
    assert dates_in(text) == expected


def test_a_date_in_a_sentence_is_none_where_a_byline_is_looked_for() -> None:
    sentence = "The first of our many meetings was on 26 Oct 2026"
    assert dates_in(sentence) == ["26 Oct 2026"]
    assert dates_in(sentence, most_words=5) == []
    assert dates_in("This entry was posted by Ann on 26 Oct 2026", most_words=5) == ["26 Oct 2026"]


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://a.example/2026/10/26/x", "2026-10-26"),
        ("https://a.example/news/2026-1-6/x.html", "2026-01-06"),
        ("https://a.example/20261026/x", "2026-10-26"),
        ("https://a.example/2026/1026/c1.html", "2026-10-26"),
        ("https://a.example/202610/26/c1.html", "2026-10-26"),
        ("https://a.example/2026-10/26/c1.html", "2026-10-26"),
        ("https://a.example/2026/10/26/again/2026/10/26/", "2026-10-26"),
        ("https://a.example/2026/10/26/2025/10/26/", None),
        ("https://a.example/2026/10/x", None),
        ("https://a.example/x?d=2026-10-26", None),
        ("https://a.example/120261026456", None),
    ],
)
def test_the_day_in_an_address(url: str, expected: str | None) -> None:
    assert day_in_address(url) == expected
