"""What is selected by rule, and what a person changes about it."""

from dataclasses import replace

from tests.make import utc

from storyheat.core.heat.evidence import StoryItem
from storyheat.core.model import ItemId, Level, Role, SourceId, Voice
from storyheat.core.stories.selection import Mark, SelectionParams, by_rule, reasons
from storyheat.core.stories.told import Development

AT = utc("2026-11-10 12:00")
NAMES = [ItemId(f"i{number}") for number in range(5)]
REPORTS = [StoryItem(name, SourceId(name), Voice(name), Role.REPORT, AT) for name in NAMES]
PRESS = dict.fromkeys(NAMES, Level.PRESS)


def told(number: int, *, confirmed: bool) -> Development:
    return Development(NAMES[number], AT, said_by=(NAMES[0],) if confirmed else ())


def test_the_opening_the_subject_and_what_was_confirmed() -> None:
    levels = PRESS | {NAMES[2]: Level.FIRST_PARTY, NAMES[3]: Level.FIRST_PARTY}
    found = [told(0, confirmed=False), told(1, confirmed=True), told(2, confirmed=True), told(4, confirmed=False)]
    chosen = by_rule(REPORTS, levels, found)
    assert list(chosen) == [NAMES[0], NAMES[2], NAMES[1]]
    assert chosen[NAMES[2]] == "the subject itself speaks, for the first time"


def test_of_few_reports_none_and_of_many_developments_the_newest() -> None:
    assert by_rule(REPORTS[:2], PRESS, [told(0, confirmed=True)]) == {}
    found = [told(number, confirmed=True) for number in range(1, 5)]
    params = replace(SelectionParams(), developments=2)
    assert list(by_rule(REPORTS, PRESS, found, params)) == [NAMES[0], NAMES[3], NAMES[4]]


def test_a_person_decides_otherwise() -> None:
    rule = {NAMES[0]: "it opened the story", NAMES[1]: "it was the first to tell a confirmed development"}
    marks = {NAMES[0]: Mark.REMOVED, NAMES[1]: Mark.RULE, NAMES[4]: Mark.SELECTED}
    assert reasons(rule, marks) == {NAMES[1]: rule[NAMES[1]], NAMES[4]: "selected by hand"}
