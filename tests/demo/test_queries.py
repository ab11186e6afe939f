"""The queries of the documents answer on the demo week, and the views are what their columns say."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from tests.demo.conftest import AT, Played

from storyheat.store.database import open_database
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


@pytest.mark.parametrize("later_subject", [False, True])
def test_the_view_of_selected_items_says_what_the_story_says(
    played: Played, tmp_path: Path, later_subject: bool
) -> None:
    copied = replace(played, database=tmp_path / "copy.db")
    with open_database(f"sqlite:///{played.database}") as database:
        database.copy_to(copied.database)
    if later_subject:  # in the week whoever a story is about opens it
        with open_database(f"sqlite:///{copied.database}") as database, database.write() as connection:
            connection.exec_driver_sql("UPDATE source SET level = iif(level = 'discussion', 'first_party', 'press')")
    found = copied.rows("SELECT story_id, item_id, because FROM selected_items")
    stories = {story for story, _, _ in found}
    stories |= {story for (story,) in copied.rows("SELECT story_id FROM measure WHERE reports < 3 LIMIT 3")}
    assert ("the subject itself speaks, for the first time" in {why for _, _, why in found}) is later_subject
    for story in sorted(stories):
        days = copied.json("story", story, AT)["timeline"]
        shown = {item["id"]: item["selected_because"] for day in days for item in day["items"] if item["selected"]}
        assert {item: why for one, item, why in found if one == story} == shown
