"""Dates as feeds write them: what is certain becomes an instant, everything else is unknown."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone
from types import MappingProxyType
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyheat.core.dates.month_names import MONTHS, WEEKDAYS, fold, month_spellings
from storyheat.core.dates.numeric import day_first as is_day_first
from storyheat.core.dates.published import day_first_shown, is_common, read_date
from storyheat.core.dates.zones import iana_zone, read_zone
from storyheat.core.model import Precision

SHANGHAI = ZoneInfo("Asia/Shanghai")
NOON = datetime(2026, 10, 26, 12, 0)  # noqa: DTZ001 - local times beside which a zone is read are naive


def instant(
    text: str,
    zone: ZoneInfo | None = None,
    *,
    day_first: Mapping[str, bool] = MappingProxyType({}),
    language: str | None = None,
) -> str | None:
    published = read_date(text, zone, day_first=day_first, language=language).published
    return published.at.strftime("%Y-%m-%d %H:%M:%S") if published else None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mon, 26 Oct 2026 10:00:00 GMT", "2026-10-26 10:00:00"),
        ("Mon,  26  Oct  2026  10:00:00   +0200", "2026-10-26 08:00:00"),
        ("26 Oct 26 10:00 Z", "2026-10-26 10:00:00"),
        ("26 Oct 76 10:00 Z", "1976-10-26 10:00:00"),
        ("2026-10-26T10:00:00.123456+08:00", "2026-10-26 02:00:00"),
        ("2026-10-26T10:00:00,5Z", "2026-10-26 10:00:00"),
        ("2026-10-26t10:00z", "2026-10-26 10:00:00"),
        ("20261026T100000Z", "2026-10-26 10:00:00"),
        ("20261026100000", "2026-10-26 10:00:00"),
        ("2026-10-26T24:00:00Z", "2026-10-27 00:00:00"),
        ("2026-10-26T23:59:60Z", "2026-10-26 23:59:59"),
        ("Mon Oct 26 10:00:00 2026", "2026-10-26 10:00:00"),
        ("Mon Oct 26 10:00:00 CEST 2026", "2026-10-26 08:00:00"),
        ("Mon Oct 26 2026 10:00:00 GMT+0800 (China Standard Time)", "2026-10-26 02:00:00"),
        ("2026-10-26 10:00:00 +0800 CST", "2026-10-26 02:00:00"),
        ("Mon, 26 Oct 2026 10:00:00 (CEST)", "2026-10-26 08:00:00"),
        ("10:00 PT, 26 Oct 2026", "2026-10-26 17:00:00"),
        ("12:05, 26 Oct 2026", "2026-10-26 12:05:00"),
        ("Saturday, October 24, 2026 04:42 PM", "2026-10-24 16:42:00"),
        ("October 24th, 2026 at 12:05 a.m. EDT", "2026-10-24 04:05:00"),
        ("24 Oct 2026 20:28 PM", "2026-10-24 20:28:00"),
        ("2026-10-26 at 3 PM", "2026-10-26 15:00:00"),
        ("24/10/2026 10:00", "2026-10-24 10:00:00"),
        ("10/24/2026 4:05 pm", "2026-10-24 16:05:00"),
        ("10/10/2026 4:05 pm", "2026-10-10 16:05:00"),
        ("03.04.2026, 16:05 Uhr", "2026-04-03 16:05:00"),
        ("mer., 21 oct. 2026 10:15:00 +0200", "2026-10-21 08:15:00"),
        ("pt., 16 paź 2026 10:00", "2026-10-16 10:00:00"),
        ("26 de octubre de 2026 15:05", "2026-10-26 15:05:00"),
        ("26 октября 2026 г. 15:05", "2026-10-26 15:05:00"),
        ("วันจันทร์, 26 Oct 2026 10:00:00 +0700", "2026-10-26 03:00:00"),
        ("2026 Oct 26 10:00", "2026-10-26 10:00:00"),
        ("2026. 10. 26. 오후 3:05", "2026-10-26 15:05:00"),
        ("2026년 10월 26일 15시 05분", "2026-10-26 15:05:00"),
        ("2026年10月26日（月）15時05分", "2026-10-26 15:05:00"),
        ("2026年10月26日 中午11:30", "2026-10-26 11:30:00"),
        ("2026年10月26日 中午1:30", "2026-10-26 13:30:00"),
        ("2026年10月26日凌晨12:30", "2026-10-26 00:30:00"),
        ("二〇二六年十月二十六日", "2026-10-26 00:00:00"),
        ("1792998000", "2026-10-26 07:00:00"),
        ("1792998000000", "2026-10-26 07:00:00"),
        ("Thu, 19 Nov 1863 19:18:00 +0900", "1863-11-19 10:18:00"),
        ("1792998000000000", "2026-10-26 07:00:00"),
        ("Mo., 26. Okt. 2026 um 15.05 Uhr", "2026-10-26 15:05:00"),
        ("26. Jänner 2026 15:05 MEZ", "2026-01-26 14:05:00"),
        ("lundi 26 octobre 2026 à 15 h 05", "2026-10-26 15:05:00"),
        ("1er févr. 2026 à 8h", "2026-02-01 08:00:00"),
        ("26 juill. 2026", "2026-07-26 00:00:00"),
        ("lunedì 26 ottobre 2026 ore 15:05", "2026-10-26 15:05:00"),
        ("1º de enero de 2026", "2026-01-01 00:00:00"),
        ("26 de octubre del 2026 a las 3:05 p. m.", "2026-10-26 15:05:00"),
        ("segunda-feira, 26 de outubro de 2026 às 15h05", "2026-10-26 15:05:00"),
        ("26/out/2026", "2026-10-26 00:00:00"),
        ("понедельник, 26 октября 2026 года в 15:05", "2026-10-26 15:05:00"),
        ("26 сент. 2026, 15:05 МСК", "2026-09-26 12:05:00"),
        ("26 жовтня 2026 р., 15:05", "2026-10-26 15:05:00"),
        ("٢٦ أكتوبر ٢٠٢٦ ١٥:٠٥", "2026-10-26 15:05:00"),
        ("２０２６年１０月２６日　１５時０５分", "2026-10-26 15:05:00"),
        ("令和8年10月26日(月) 午後3時5分", "2026-10-26 15:05:00"),
        ("令和元年5月1日", "2019-05-01 00:00:00"),
        ("㍻31年4月30日", "2019-04-30 00:00:00"),
        ("中華民國115年10月26日 下午3:05", "2026-10-26 15:05:00"),
        ("2026年10月26日 星期一 15:05", "2026-10-26 15:05:00"),
        ("2026年10月26日周一下午3点半", "2026-10-26 15:30:00"),
        ("2026年十月二十六日", "2026-10-26 00:00:00"),
        ("星期一, 26 十月 2026 15:05:07 +0800", "2026-10-26 07:05:07"),
        ("월, 26 10월 2026 15:05:07 +0900", "2026-10-26 06:05:07"),
        ("10月 26, 2026", "2026-10-26 00:00:00"),
        ("2026년 10월 26일 월요일 오후 3시 5분", "2026-10-26 15:05:00"),
        ("2026년 10월 26일(월) 밤 11시", "2026-10-26 23:00:00"),
        ("2026-10-26 晚上20:05", "2026-10-26 20:05:00"),
        ("2026-10-26 0:05 PM", "2026-10-26 12:05:00"),
        ("2026年10月26日 15:05（北京时间）", "2026-10-26 07:05:00"),
        ("2026-10-26T15:05:07[Asia/Shanghai]", "2026-10-26 07:05:07"),
        ("Oct 26, 2026 3:05 PM Eastern Time", "2026-10-26 19:05:00"),
        ("Mon 26 Oct 2026 15:05 (Mon) (GMT+7)", "2026-10-26 08:05:00"),
        ("Monday, 10/12/2026 3:05 PM", "2026-10-12 15:05:00"),
        ("jeudi 10/12/2026 à 15:05", "2026-12-10 15:05:00"),
        ("星期一 10/12/2026", "2026-10-12 00:00:00"),
        # Han numerals with units, quarters and full hours; eras in words
        ("2026年12月3日零时5分", "2026-12-03 00:05:00"),
        ("二零二六年十二月三日下午三时", "2026-12-03 15:00:00"),
        ("二〇二六年十二月廿三日二十三时五十九分", "2026-12-23 23:59:00"),
        ("2026年12月3日下午两点一刻", "2026-12-03 14:15:00"),
        ("2026年12月3日三点二十", "2026-12-03 03:20:00"),
        ("2026年12月3日15时整", "2026-12-03 15:00:00"),
        ("民國一一五年十二月三日", "2026-12-03 00:00:00"),
        ("中華民國一百一十五年十二月三日", "2026-12-03 00:00:00"),
        ("令和八年十二月三日", "2026-12-03 00:00:00"),
        ("昭和64年1月7日", "1989-01-07 00:00:00"),
        ("公元2026年12月3日", "2026-12-03 00:00:00"),
        ("二○二六年十二月三日", "2026-12-03 00:00:00"),
        ("二O二六年一○月二○日", "2026-10-20 00:00:00"),
        ("二00六年十一月三十日", "2006-11-30 00:00:00"),
        ("民國一○三年十二月三日", "2014-12-03 00:00:00"),
        # parts of the day in one character, and in rarer words
        ("2026年12月3日晚10点15分", "2026-12-03 22:15:00"),
        ("2026年12月3日早8点", "2026-12-03 08:00:00"),
        ("2026-12-03 晨6:30", "2026-12-03 06:30:00"),
        ("2026年12月3日黄昏6点", "2026-12-03 18:00:00"),
        ("2026年12月3日 明け方5時", "2026-12-03 05:00:00"),
        ("2026年12月3日晚十点过五分", "2026-12-03 22:05:00"),
        ("2026년 12월 3일 심야 11시", "2026-12-03 23:00:00"),
        # noon has one reading, also without an hour
        ("2026年12月3日 正午", "2026-12-03 12:00:00"),
        ("2026年12月3日 午后3点", "2026-12-03 15:00:00"),
        ("2026年12月3日夕方5時", "2026-12-03 17:00:00"),
        ("2026년 12월 3일 정오", "2026-12-03 12:00:00"),
        ("Dec 3, 2026 12:00 noon", "2026-12-03 12:00:00"),
        ("3 décembre 2026 à midi", "2026-12-03 12:00:00"),
        ("12 noon EST, 3 Dec 2026", "2026-12-03 17:00:00"),
        ("3 Dec 2026 00:00 midnight", "2026-12-03 00:00:00"),
        ("3 Dec 2026 24:00 midnight", "2026-12-04 00:00:00"),
        # weeks, and days of the year
        ("2026-W49-1", "2026-11-30 00:00:00"),
        ("2026W494T1005Z", "2026-12-03 10:05:00"),
        ("2026-337", "2026-12-03 00:00:00"),
        ("2026337T100500Z", "2026-12-03 10:05:00"),
        ("2024-366", "2024-12-31 00:00:00"),
        # the hour in the words of other languages
        ("3 décembre 2026 à 10 h 05 min", "2026-12-03 10:05:00"),
        ("3 de dezembro de 2026 às 10h05min", "2026-12-03 10:05:00"),
        ("3 de diciembre de 2026 | 10:05 hs", "2026-12-03 10:05:00"),
        ("3 de diciembre de 2026 10:05 h", "2026-12-03 10:05:00"),
        ("3 December 2026 10h05m 07s", "2026-12-03 10:05:07"),
        ("3 dicembre 2026, ore 10", "2026-12-03 10:00:00"),
        ("3 декабря 2026 г. в 10 ч. 05 мин.", "2026-12-03 10:05:00"),
        ("3. Dezember 2026, 10 Uhr 05", "2026-12-03 10:05:00"),
        # words of a language that writes the day first, letters of one that writes the year first
        ("Publié le 03/12/2026 à 10h05", "2026-12-03 10:05:00"),
        ("03.12.26, 10:05 Uhr", "2026-12-03 10:05:00"),
        ("Do., 03.12.26 10:05", "2026-12-03 10:05:00"),
        ("03.12.26 в 10:05", "2026-12-03 10:05:00"),
        ("26.12.03 오후 3:05", "2026-12-03 15:05:00"),
        ("Thursday 12/31/26", "2026-12-31 00:00:00"),
    ],
)
def test_what_is_certain_is_read(text: str, expected: str) -> None:
    assert instant(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "10/12/2026",  # the day or the month first?
        "Mon, 26 Oct 2026 10:00:00 XYZ",
        "Mon, 26 Oct 2026 10:00:00 A",
        "Mon, 26 Oct 2026 10:00:00 +9900",
        "Mon, 26 Oct 2026 10:00:00 +0860",
        "Mon, 26 Oct 2026 10:00:00 Mars/Olympus",
        "Mon, 26 Oct 2026 25:00:00 GMT",
        "2026-10-26T1070Z",
        "2026年10月26日 晚上12:05",
        "Fri, 30 Feb 2026 10:00:00 GMT",
        "32/13/2026",
        "Oct 26, 2026 - Oct 28, 2026",
        "0001-01-01T00:00:00Z",
        "0000-00-00 00:00:00",
        "9999-12-31T23:59:59Z",
        "Thu, 01 Jan 1970 00:00:00 GMT",
        "1899-12-30",
        "3 hours ago",
        "Mon Foo 26 10:00:00 2026",
        "2026-10",
        "26 ต.ค. 2026",
        "on 26 Oct 2026 " + "x" * 100,
        "Saturday 10/12/2026",  # neither of the two is a Saturday
        "mar 10/12/2026",  # Tuesday, or March
        "26 Oct 15 Uhr",  # no year
        "26 octobre 15h05",
        "10月26日 15:05",
        "2026102615",  # an hour of 2026, or seconds since 1970
        "2026年10月26日 晚上1:05",
        "2026年10月26日 早上12:05",
        "2026-10-26 下午25:05",
        "2026-10-26 13:05 AM",
        "2026-10-26 15:05 (somewhere)",
        "农历2026年9月16日",
        "1405/08/04",  # today in a Persian calendar
        "26 ตุลาคม 2569",
        "v2.10.2026",
        "Thu, 03 Dec 2026 10:05:00 CST",  # China, Chicago or Cuba
        "Thu, 03 Dec 2026 10:05:00 IST",
        "Thu, 03 Dec 2026 10:05:00 (AST)",
        "Thu Dec  3 10:05:00 GST 2026",
        "昭和99年1月1日",
        "昭和64年1月8日",  # a day after the era
        "昭和99年",
        "平成31年5月1日",
        "令和0年1月1日",
        "令和2026年12月3日",
        "民國-5年12月3日",
        "民國前5年12月3日",
        "公元前2026年12月3日",
        "2026年12月3日 午前12時5分",  # noon by law, midnight in programs
        "2026年12月3日 午夜12点半",
        "2026年12月3日晚12点",
        "2026年12月3日早1点",
        "○二六年十二月三日",
        "Dec 3, 2026 3:00 noon",
        "Dec 3, 2026 3:00 midnight",
        "2026-02-30",
        "2026-13-01",
        "2026-12-03 25:61",
        "2026-12-03T10:05:61Z",
        "2026-00-10",
        "0000-12-03",
        "2026-W54-1",
        "2026-W49-8",
        "2026-W49",
        "2026-366",
        "2026-000",
        "0000-001",
        "9999999999",  # never
        "0000000000",
        "03.12.26",
        "26.12.03",
        "03.12.26 - 05.12.26",
        "03.12.2026 - 05.12.2026",
        "12/03/26",
        "26/12/03 午後3時",
        "2026-12-03T10:05:00+12:60",
        "2026-12-03T10:05:00+25:00",
        "2199-13-31T23:59:59Z",
    ],
)
def test_what_is_not_certain_is_unknown_and_says_why(text: str) -> None:
    reading = read_date(text)
    assert reading.published is None
    assert reading.remark


def test_nothing_is_nothing() -> None:
    assert read_date(None) == read_date("  ") == (None, None)


def test_the_sources_zone_holds_where_none_is_given() -> None:
    known = read_date("2026-10-26 08:30", SHANGHAI).published
    assumed = read_date("2026-10-26 08:30").published
    assert known is not None
    assert assumed is not None
    assert (known.at, known.zone_known) == (datetime(2026, 10, 26, 0, 30, tzinfo=UTC), True)
    assert (assumed.at, assumed.zone_known) == (datetime(2026, 10, 26, 8, 30, tzinfo=UTC), False)


@pytest.mark.parametrize(
    "text", ["2026年12月3日 凌晨", "Dec 3, 2026, midnight", "2026년 12월 3일 자정", "2026-12-03 12:00 midnight"]
)
def test_a_time_that_may_be_at_either_end_of_a_day_leaves_the_day(text: str) -> None:
    reading = read_date(text)
    assert reading.published is not None
    assert reading.published.precision is Precision.DAY
    assert instant(text) == "2026-12-03 00:00:00"
    assert (reading.remark is None) == ("凌晨" in text)


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("03.12.26", "de", "2026-12-03 00:00:00"),
        ("03.12.26 10:05", "ru-RU", "2026-12-03 10:05:00"),
        ("26.12.03", "ko", "2026-12-03 00:00:00"),
        ("26/12/03", "zh_CN", "2026-12-03 00:00:00"),
        ("08/12/03", "ja-JP", None),  # 2008, or the year 8 of an era
        ("99/12/03", "zh-TW", None),
        ("26/12/03", "zh-Hans-CN", "2026-12-03 00:00:00"),
        ("03/12/26 上午10:05", "zh-SG", None),  # the day first in Singapore, Hong Kong and Macau
        ("03/12/26 上午10:05", "zh-Hans-HK", None),
        ("03/12/26", "zh-Hans-MO", None),
        ("03/12/26", "zh-Hans-MY", None),
        ("03-12-26", "fr-CA", None),
        ("03-12-26 à 10h05", "fr-CA", None),
        ("26-12-03 kl 10.05", None, None),
        ("03.12.26", "en", None),
        ("03/12/26", "de", None),  # programs write the month first in any language
        ("13/12/26", "de", "2026-12-13 00:00:00"),
        ("03/12/2026", "de", None),
    ],
)
def test_the_language_tells_where_a_year_of_two_digits_stands(
    text: str, language: str | None, expected: str | None
) -> None:
    assert instant(text, language=language) == expected


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("de", True),
        ("fr-CH", True),
        ("fr-CA", None),
        ("es-PA", None),
        ("en_GB", True),
        ("en-US", False),
        ("en", None),
        ("zh-Hans", None),
        (None, None),
    ],
)
def test_the_language_tells_the_order_of_day_and_month(language: str | None, expected: bool | None) -> None:
    assert is_day_first(language) is expected


@pytest.mark.parametrize("text", ["2026-10-26", "2026年10月26日", "Oct 26, 2026", "2026-10-26 (Mon)"])
def test_a_bare_day_runs_from_local_midnight_to_its_last_second(text: str) -> None:
    published = read_date(text, SHANGHAI).published
    assert published is not None
    assert published.precision is Precision.DAY
    assert published.at == datetime(2026, 10, 25, 16, tzinfo=UTC)
    assert published.day_end == datetime(2026, 10, 26, 15, 59, 59, tzinfo=UTC)


def test_a_bare_day_may_have_its_own_zone() -> None:
    published = read_date("2026-10-26-07:00", SHANGHAI).published
    assert published is not None
    assert published.at == datetime(2026, 10, 26, 7, tzinfo=UTC)


def test_the_rest_of_a_feed_tells_the_order_of_slash_dates() -> None:
    assert day_first_shown(["10/12/2026", "24/10/2026", "no date"]) == {"/": True}
    assert day_first_shown(["10/24/2026"]) == {"/": False}
    assert day_first_shown(["10/24/2026", "24/10/2026"]) == {}
    assert day_first_shown(["10/12/2026", "10/10/2026", "农历10/24/2026"]) == {}
    assert day_first_shown(["Mon, 10/12/2026"]) == {"/": False}
    assert day_first_shown(["10/12/2026 à 15h05"]) == {"/": True}
    assert day_first_shown(["24.10.26"]) == {}
    assert day_first_shown(["Thứ Hai, 10/08/2026"]) == {}  # a Monday, no Thursday
    assert instant("10/12/2026", day_first={"/": True}) == "2026-12-10 00:00:00"
    assert instant("10/12/2026", day_first={"/": False}) == "2026-10-12 00:00:00"


def test_a_date_with_dots_or_dashes_tells_nothing_about_slashes() -> None:
    shown = day_first_shown(["11/12/2025 10:00 AM", "29.11.2025 10:15", "11-29-2025"])
    assert shown == {".": True, "-": False}
    assert instant("11/12/2025 10:00 AM", day_first=shown) is None
    assert instant("11-12-2025 10:00", day_first=shown) == "2025-11-12 10:00:00"


@pytest.mark.parametrize(
    ("name", "minutes"),
    [
        ("Z", 0), ("GMT", 0), ("BST", 60), ("CEST", 120), ("UTC+0800", 480), ("GMT+8", 480), ("-03:30", -210),
        ("EST", -300), ("E.S.T.", -300), ("ET", -240), ("Europe/Berlin", 60), ("EST5EDT", -240),
    ],
)  # fmt: skip
def test_zone_names(name: str, minutes: int) -> None:
    found = read_zone(name, NOON, None)
    assert found.zone is not None
    assert NOON.replace(tzinfo=found.zone).utcoffset() == timedelta(minutes=minutes)


@pytest.mark.parametrize(
    ("name", "place", "language", "hours"),
    [
        ("CST", None, "zh-CN", 8),
        ("CST", None, "zh_Hant_TW", 8),
        ("CST", None, "zh", 8),
        ("CST", None, "en-us", -6),
        ("CST", None, "es-CU", -5),
        ("CST", None, "en", None),
        ("CST", None, None, None),
        ("CST", "America/New_York", None, -6),
        ("CST", "Asia/Seoul", "en-us", 8),
        ("CST", "Europe/Berlin", "en-us", -6),
        ("IST", None, "hi", 5.5),
        ("IST", None, "he-IL", 2),
        ("IST", None, "en-IE", 1),
        ("IST", None, "en-GB", None),
        ("AST", None, "ar", 3),
        ("AST", None, "en-CA", -4),
        ("GST", None, "en-AE", 4),
        ("BST", None, None, 1),
        ("BST", None, "bn-BD", 6),
        ("EST", None, "en-AU", None),
        ("EST", None, "en", -5),
        ("PST", None, "en-PH", 8),
        ("MST", None, "ms-MY", 8),
    ],
)
def test_what_several_places_call_by_one_name_is_settled_by_the_place_or_unknown(
    name: str, place: str | None, language: str | None, hours: float | None
) -> None:
    found = read_zone(name, NOON, iana_zone(place), language)
    offset = NOON.replace(tzinfo=found.zone).utcoffset() if found.zone else None
    assert offset == (None if hours is None else timedelta(hours=hours))
    assert (found.remark is None) == ((name, language) == ("EST", "en"))


def test_a_remark_says_what_is_wrong_with_an_ambiguous_zone_or_how_it_was_read() -> None:
    assert read_zone("CST", NOON, SHANGHAI) == (timezone(timedelta(hours=8)), None)
    assert read_zone("CST", NOON, None, "zh-CN").remark == "zone CST was read as UTC+8"
    unknown = read_date("Mon, 26 Oct 2026 10:00:00 CST")
    assert unknown.remark is not None
    assert unknown.remark.startswith("zone CST is that of several places; the source's `timezone` would settle it")
    assert instant("Mon, 26 Oct 2026 10:00:00 +0800 CST") == "2026-10-26 02:00:00"
    assert instant("Mon Oct 26 10:00:00 CST 2026", language="zh-CN") == "2026-10-26 02:00:00"


@pytest.mark.parametrize(
    ("name", "place", "hours"),
    [
        ("IST", "Europe/Dublin", 1),
        ("EDT", "Australia/Sydney", 11),
        ("EST", "Australia/Sydney", 10),
        ("EST", "Europe/Berlin", -5),
        ("IST", "Asia/Kolkata", 5.5),
    ],
)
def test_a_zone_of_the_source_goes_before_its_namesakes(name: str, place: str, hours: float) -> None:
    winter = datetime(2026, 12, 1, 12, tzinfo=UTC)
    found = read_zone(name, winter.replace(tzinfo=None), iana_zone(place))
    assert found.zone is not None
    assert winter.replace(tzinfo=found.zone).utcoffset() == timedelta(hours=hours)


@pytest.mark.parametrize(
    ("text", "place", "expected", "is_plain"),
    [
        ("Wed, 01 Jul 2026 10:00 GMT", "Europe/London", "2026-07-01 10:00:00", True),
        ("2026-07-01 10:00 GMT", "Europe/Dublin", "2026-07-01 10:00:00", True),
        ("1 July 2026  10:00 UT", "Europe/London", "2026-07-01 10:00:00", True),
        ("1 July 2026 10:00 UTC", "Asia/Shanghai", "2026-07-01 10:00:00", True),
        ("1 Jul 2026 10:00 WET", "Europe/Lisbon", "2026-07-01 10:00:00", False),
        ("1 Jul 2026 10:00 CEST", "Europe/Berlin", "2026-07-01 08:00:00", True),
        ("1 Jul 2026 10:00 CET", "Europe/Berlin", "2026-07-01 09:00:00", False),
        ("1 Jul 2026 10:00 MEZ", "Europe/Berlin", "2026-07-01 09:00:00", False),
        ("1 Jul 2026 10:00 CET", "America/New_York", "2026-07-01 09:00:00", True),
        ("1 Jul 2026 10:00 EST", "America/New_York", "2026-07-01 15:00:00", False),
        ("1 Jan 2026 10:00 BST", "Europe/London", "2026-01-01 09:00:00", False),
        ("1 Nov 2026 01:30 EDT", "America/New_York", "2026-11-01 05:30:00", True),  # the clocks are put back
        ("1 Nov 2026 01:30 EST", "America/New_York", "2026-11-01 06:30:00", True),
        ("2 Jan 2012 10:00 MSK", "Europe/Moscow", "2012-01-02 06:00:00", True),  # four hours in those years
    ],
)
def test_an_abbreviation_means_one_offset_in_any_season(text: str, place: str, expected: str, is_plain: bool) -> None:
    assert instant(text, iana_zone(place)) == expected
    assert (read_date(text, iana_zone(place)).remark is None) is is_plain


@pytest.mark.parametrize("text", ["30 Nov 2026 10:00 M", "30 Nov 2026 10:00:00 S", "30 Nov 2026 10:00 H"])
def test_a_military_letter_is_no_zone(text: str) -> None:
    reading = read_date(text)
    assert reading.published is None
    assert reading.remark is not None
    assert "military letter" in reading.remark


@pytest.mark.parametrize("offset", ["-13:00", "-1215", "+14:15", "+15:00", "+0517", "+08:60"])
def test_an_offset_that_no_place_has_is_none(offset: str) -> None:
    assert read_date(f"2026-11-30T10:00:00{offset}").published is None
    assert read_date(f"Mon, 30 Nov 2026 10:00:00 {offset}").published is None


@pytest.mark.parametrize(("offset", "hour"), [("-12:00", 22), ("+14:00", 20), ("+05:45", 4), ("-0330", 13)])
def test_the_offsets_of_all_places_are_read(offset: str, hour: int) -> None:
    published = read_date(f"2026-11-30T10:00:00{offset}").published
    assert published is not None
    assert published.at.hour == hour


def test_a_month_that_two_languages_count_differently_is_unknown() -> None:
    assert instant("3 listopada 2026") is None
    assert instant("3. srp 2026") is None


def test_unknown_zone_names() -> None:
    assert read_zone("+15:00", NOON, None) == (None, None)
    assert iana_zone(None) is None
    assert iana_zone("No/Where") is None
    assert iana_zone("../etc/passwd") is None
    assert read_zone("QQQ", NOON, SHANGHAI) == (None, None)


def test_no_spelling_names_two_months_and_all_are_found() -> None:
    for language, spelling, number in month_spellings():
        assert MONTHS[fold(spelling)] == number, (language, spelling)
    assert "mi" in WEEKDAYS


@given(st.text(max_size=60) | st.from_regex(r"[0-9A-Za-z:/., +-]{0,40}", fullmatch=True))
def test_no_text_raises(text: str) -> None:
    reading = read_date(text, SHANGHAI)
    assert reading.published is None or reading.published.at.tzinfo is UTC


@given(
    st.integers(31_536_000, 7_258_118_399).map(lambda seconds: datetime.fromtimestamp(seconds, UTC)),
    st.sampled_from(
        ["%a, %d %b %Y %H:%M:%S GMT", "%Y-%m-%dT%H:%M:%SZ", "%A, %d-%b-%y %H:%M:%S UTC", "%d %B %Y %I:%M:%S %p UTC"]
    ),
)
def test_what_programs_write_is_read_back(moment: datetime, form: str) -> None:
    published = read_date(moment.strftime(form)).published
    assert published is not None
    year = moment.year if "%Y" in form else 1950 + (moment.year - 1950) % 100
    assert published.at == moment.replace(year=year)


@given(
    st.integers(-2_208_988_800, 7_258_118_399).map(lambda seconds: datetime.fromtimestamp(seconds, UTC)),
    st.sampled_from(
        ["%a, %d %b %Y %H:%M:%S {}", "%Y-%m-%dT%H:%M:%S{}", "%Y-02-%dT%H:%M:60{}", "%d Feb %Y 24:00:00 {}"]
    ),
    st.sampled_from(["GMT", "Z", "+0530", "-08:00", "+1400", "+0860"]),
    st.sampled_from([None, SHANGHAI]),
)
def test_the_short_way_of_reading_gives_what_the_long_one_gives(
    moment: datetime, form: str, zone: str, source_zone: ZoneInfo | None
) -> None:
    text = moment.strftime(form).format(zone)
    assert read_date(text, source_zone).published == read_date(f"  {text} ", source_zone).published


def test_a_text_is_as_long_as_it_is_when_each_of_its_signs_is_written_out() -> None:
    ligature = "\ufdfa"  # one character that stands for eighteen
    assert "too long to be a date" in (read_date(f"26 Oct 2026 {ligature * 5}").remark or "")
    assert day_first_shown([f"26/10/2026 {ligature * 5}", "26-10-2026"]) == {"-": True}


def test_a_common_spelling_is_told_from_the_others() -> None:
    assert is_common("Mon, 26 Oct 2026 10:00:00 GMT")
    assert is_common("2026-10-26T10:00:00Z")
    assert not is_common("26 October 2026")
