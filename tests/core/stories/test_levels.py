"""Who speaks in an item of a story."""

import pytest
from tests.make import source

from storyheat.core.model import Level
from storyheat.core.stories.levels import level_in_story, speaker, subjects
from storyheat.core.stories.statements import statements

LATHE = source("lathe", level=Level.FIRST_PARTY, speaks_for=("SpinServe",), site="https://www.lathe.example/")


@pytest.mark.parametrize(
    ("title", "text", "level"),
    [
        ("Lathe 2.2 is out", "It fixes a crash.", Level.FIRST_PARTY),  # its own name
        ("SpinServe meets its rivals", "A comparison.", Level.FIRST_PARTY),  # a name it speaks for
        ("The next chapter", "Today we open the doors.", Level.FIRST_PARTY),  # "we"
        ("新的开始", "我们今天开源。", Level.FIRST_PARTY),
        ("Fernway looks good", "A fine engine by others.", Level.DISCUSSION),  # a comment on others
    ],
)
def test_a_first_party_source_is_the_subject_only_where_it_speaks_for_itself(
    title: str, text: str, level: Level
) -> None:
    assert level_in_story(speaker(LATHE), statements(title, text), ()) is level


def test_a_first_party_source_is_the_subject_of_a_story_about_it() -> None:
    about = subjects(
        [statements("Lathe cuts prices", ""), statements("Rivals of Lathe react", ""), statements("Other words", "")]
    )
    assert "lath" in about
    assert "rival" not in about
    assert level_in_story(speaker(LATHE), statements("The next chapter", ""), about) is Level.FIRST_PARTY


def test_of_a_single_report_every_word_may_be_the_subject() -> None:
    assert "pric" in subjects([statements("Lathe cuts prices", "")])


@pytest.mark.parametrize("level", [Level.PRESS, Level.DISCUSSION])
def test_other_sources_keep_their_level(level: Level) -> None:
    assert level_in_story(speaker(source("lathe", level=level)), statements("Lathe 2.2", "We did it."), ()) is level


def test_a_source_without_a_page_speaks_for_its_name_and_owner() -> None:
    assert speaker(source("stack", owner="kettle-press")).names >= {"stack", "kettl"}
