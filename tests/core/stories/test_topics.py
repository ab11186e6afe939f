"""Topics by words: what is found in a text, and what becomes one of a story."""

import pytest

from storyheat.core.stories.topics import TopicTable, TopicWords, merged, topics_of_story

TABLE: TopicTable = (
    ("chips", ("chip", "GPU", "芯片", "半導體")),
    ("ai", ("AI", "machine learning", "AI芯片")),
    ("signs", ("C++", "-")),
)


@pytest.mark.parametrize(
    ("text", "topics"),
    [
        ("A Chip from Torvik", {"chips"}),
        ("Chipmunks, said the paint", set()),
        ("ＧＰＵ prices fall", {"chips"}),
        ("Machine-Learning, explained", {"ai", "signs"}),
        ("A machine is learning", set()),
        ("国产芯片发布", {"chips"}),
        ("半导体与半導體", {"chips"}),
        ("新AI芯片亮相", {"ai", "chips"}),
        ("OpenAI芯片亮相", {"chips"}),
        ("Written in c, not b", set()),
        ("Written in C++, not b", {"signs"}),
        ("", set()),
    ],
)
def test_words_are_found_whole_and_chinese_wherever_it_stands(text: str, topics: set[str]) -> None:
    assert TopicWords(TABLE).of(text) == topics


def test_an_empty_table_finds_nothing() -> None:
    assert TopicWords(()).of("A chip 芯片") == frozenset()


def test_a_topic_of_a_quarter_of_the_reports_is_one_of_the_story() -> None:
    assert topics_of_story([["ai", "a"], ["ai"], ["b"], []]) == ("a", "ai", "b")
    assert topics_of_story([["ai"], ["ai"], ["ai"], ["b"], []]) == ("ai",)
    assert topics_of_story([]) == ()


def test_topics_that_differ_in_capitals_are_one() -> None:
    assert merged(["AI", "Rail"], ["ai"], {"ai": "AI"}) == {"AI", "Rail"}
