"""The queries of the documents answer on the demo week, and the views are what their columns say."""

import re
from pathlib import Path

import pytest
from tests.demo.conftest import Played

from storyheat.store.schema import columns_of, views

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "queries.md").read_text("utf-8")
SECTIONS = [part.partition("\n") for part in re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]]
QUERIES = {title: re.findall(r"^```sql\n(.*?)^```", text, re.MULTILINE | re.DOTALL) for title, _, text in SECTIONS}


def test_there_are_ten_and_each_says_what_it_answers() -> None:
    assert len(QUERIES) == 10
    assert all(title.endswith("?") and len(queries) == 1 for title, queries in QUERIES.items())


@pytest.mark.parametrize("title", QUERIES)
def test_every_query_of_the_documents_has_an_answer(played: Played, title: str) -> None:
    [query] = QUERIES[title]
    assert played.rows(query)


def test_every_column_of_every_view_is_explained(played: Played) -> None:
    for name, statement in views():
        assert [column for column, _ in columns_of(statement)] == played.columns(name)
