"""Words beside a date: those that introduce a publication are passed over, any other makes the date unknown."""

import pytest

from storyheat.core.dates.labels import published_part, says_other, says_published, says_updated, without_lead_in
from storyheat.core.dates.published import read_date


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Do, 20.11.2025", "2025-11-20 00:00"),
        ("do 20 nov. 2025", "2025-11-20 00:00"),
        ("Updated Nov 21, 2025, published Nov 20, 2025", "2025-11-20 00:00"),
        ("Published Nov 20, 2025 | Updated Nov 21, 2025", "2025-11-20 00:00"),
        ("Published: Nov 20, 2025 10:00 GMT - Updated: Nov 21, 2025 11:00 GMT", "2025-11-20 10:00"),
        ("Nov 20, 2025 (Updated Nov 21, 2025)", "2025-11-20 00:00"),
        ("发布时间：2025-11-20 10:00 更新时间：2025-11-21 10:00", "2025-11-20 10:00"),
        ("Last updated: 21 Nov 2025", "2025-11-21 00:00"),
        ("Zuletzt aktualisiert am 21.11.2025", "2025-11-21 00:00"),
        ("Dernière mise à jour le 21 novembre 2025", "2025-11-21 00:00"),
        ("Posted on November 20, 2025", "2025-11-20 00:00"),
        ("Posted by Jane Doe on November 20, 2025", "2025-11-20 00:00"),
        ("By Jane Doe | Nov 20, 2025", "2025-11-20 00:00"),
        ("By JANE DOE and John van der Roe, Nov 20, 2025", "2025-11-20 00:00"),
        ("Von Erika Muster | 20.11.2025, 10:15 Uhr", "2025-11-20 10:15"),
        ("Veröffentlicht am 20.11.2025 um 10:15 Uhr", "2025-11-20 10:15"),
        ("Pressemitteilung vom 20. November 2025", "2025-11-20 00:00"),
        ("Publié le jeudi 20 novembre 2025 à 10h15", "2025-11-20 10:15"),
        ("Mis en ligne le 20 novembre 2025", "2025-11-20 00:00"),
        ("Par Jean Dupont - Publié le 20 novembre 2025", "2025-11-20 00:00"),
        ("Publicado el 20 de noviembre de 2025", "2025-11-20 00:00"),
        ("Publicado em 20/11/2025 às 10h15", "2025-11-20 10:15"),
        ("Pubblicato il 20 novembre 2025 alle 10:15", "2025-11-20 10:15"),
        ("Опубликовано: 20 ноября 2025 г. в 10:15", "2025-11-20 10:15"),
        ("发布时间：2025年11月20日 10:15", "2025-11-20 10:15"),
        ("来源：新华社 2025-11-20 10:15", "2025-11-20 10:15"),
        ("作者：张三 发布于 2025-11-20", "2025-11-20 00:00"),
        ("北京时间2025年11月20日 10:15", "2025-11-20 02:15"),
        ("公開日：2025年11月20日", "2025-11-20 00:00"),
        ("입력 2025.11.20. 오전 10:15", "2025-11-20 10:15"),
        ("기사입력 2025-11-20 10:15", "2025-11-20 10:15"),
        ("News | Nov 20, 2025", "2025-11-20 00:00"),
        ("Politics · 20 Nov 2025", "2025-11-20 00:00"),
        ("Published 10:15 GMT, 20 Nov 2025", "2025-11-20 10:15"),
        ("GMT 2025-11-20 10:15", "2025-11-20 10:15"),
        ("EST 2025-11-20 10:15", "2025-11-20 15:15"),
        ("วันพฤหัสบดี, 20 Nov 2025 10:15:00 +0700", "2025-11-20 03:15"),
        ("Fri, 20 Nov 2026 10:00:00 +0000", "2026-11-20 10:00"),
        ("Stand: 20.11.2025", "2025-11-20 00:00"),
        ("更新于2025年11月20日", "2025-11-20 00:00"),
    ],
)
def test_words_that_introduce_a_publication_or_an_update_are_passed_over(text: str, expected: str) -> None:
    published = read_date(text).published
    assert published is not None
    assert published.at.strftime("%Y-%m-%d %H:%M") == expected


@pytest.mark.parametrize(
    "text",
    [
        "Valid until 20 Nov 2025",
        "Deadline: Nov 20, 2025 10:00",
        "bis 20.11.2025",
        "截止2025年11月20日",
        "Event: 24 December 2026",
        "not 20 Nov 2025",
        "To be published 20 Nov 2025",
        "Not published: 20 Nov 2025",
        "Last date: 20 Nov 2025",
        "Submit by Nov 20, 2025",
        "by Friday, Nov 21, 2025",
        "Apply by Nov 20, 2025",
        "Expires Nov 20, 2025",
        "Starts 20 Nov 2025",
        "Webinar · 20 Nov 2025",
        "gültig bis 20.11.2025",
        "Anmeldeschluss: 20.11.2025",
        "Veranstaltung am 20.11.2025",
        "ab 20.11.2025",
        "jusqu'au 20 novembre 2025",
        "Date limite : 20 novembre 2025",
        "à partir du 20 novembre 2025",
        "hasta el 20 de noviembre de 2025",
        "Fecha límite: 20 de noviembre de 2025",
        "entro il 20 novembre 2025",
        "Scadenza: 20 novembre 2025",
        "até 20 de novembro de 2025",
        "Prazo: 20/11/2025",
        "до 20 ноября 2025",
        "Срок: 20 ноября 2025 г.",
        "с 20 ноября 2025",
        "有效期至2025年11月20日",
        "活动时间：2025年11月20日",
        "报名截止时间：2025-11-20",
        "预计发布时间：2025-11-20",
        "未发布 2025-11-20",
        "締切：2025年11月20日",
        "開催日：2025年11月20日",
        "마감: 2025년 11월 20일",
        "마감일 2025.11.20",
        "(Deadline) 20 Nov 2025",
        "20 Nov 2025 (deadline)",
        "[Event] 24 December 2026 10:00 GMT",
        "20 Nov 2025 10:00 GMT (expires)",
        "2025年11月20日（截止）",
        "2025年11月20日前",
        "2025年11月20日截止",
        "20 Nov 2025 until 21 Nov 2025",
        "vom 20.11. bis 22.11.2025",
        "20.11. – 22.11.2025",
        "20.–22.11.2025",
        "20-22 November 2025",
        "von 20.11.2025",
        "do 20.11.2026",
        "2025-11-20 更新 2025-11-19 发布",
        "2025年11月20日 10時15分 公開",
        "Thứ Hai, 10/08/2026",
        "Sale ends: 20 Nov 2025",
        "Next update: 20 Nov 2025",
        "Release date: 24 December 2026",
        "Order by Dec 20, 2026",
        "Save the date: 24 December 2026",
        "Date of birth: 24 December 1976",
        "Embargo: 20 Nov 2025",
        "Nächster Termin: 20.11.2025",
        "Erscheint am 24.12.2026",
        "A paraître le 24 décembre 2026",
        "Sortie le 24 décembre 2026",
        "上映日期：2026年12月24日",
        "发布会时间：2026年12月24日",
        "将于2026年12月24日发布",
        "20 Nov 2025 by Jane Doe",
        "Copyright 20 Nov 2025",
        "Born 20 Nov 1975",
        "Since 20 Nov 2025",
        "20 Nov 2025 10:00 or later",
        "approx. 20 Nov 2025",
        "circa 20 Nov 2025",
        "early 20 Nov 2025",
        "after 20 Nov 2025",
        "before 20 Nov 2025",
        "nach dem 20.11.2025",
        "vor 20.11.2025",
    ],
)
def test_a_day_of_anything_else_is_no_publication(text: str) -> None:
    reading = read_date(text)
    assert reading.published is None
    assert reading.remark


def test_of_a_publication_and_an_update_the_publication_is_taken() -> None:
    assert published_part("1 May 2026") == "1 May 2026"
    assert published_part("Updated 1 May 2026") == "Updated 1 May 2026"
    assert published_part("1 May 2026 | Updated 2 May 2026") == "1 May 2026"
    assert published_part("Updated 2 May 2026, published 1 May 2026") == "published 1 May 2026"
    both_behind = "2 May 2026 updated, 1 May 2026 published"
    assert published_part(both_behind) == both_behind


def test_what_words_say() -> None:
    assert says_updated("Zuletzt aktualisiert")
    assert not says_updated("发布于2026年5月1日 更新")
    assert says_published("Veröffentlicht am")
    assert not says_published("Stand:")
    assert says_other("报名截止时间")
    assert not says_other("Posted on")


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("First published on Tuesday, ", ""),
        ("Press release – ", ""),
        ("last ", "last"),
        ("By Jane Doe, World News | ", ""),
        ("by someone ", "by someone"),
        ("by ", "by"),
        ("Event by Jane Doe | ", "Event by Jane Doe"),
        ("北京时间", "北京时间"),
        ("\u0130LK Updated New York", "\u0130LK New York"),
        ("活动时间:", "活动"),
    ],
)
def test_what_is_left_without_a_lead_in(text: str, kept: str) -> None:
    assert without_lead_in(text) == kept
