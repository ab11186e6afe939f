"""What a language model wrote, on the page of its story: cited, labelled, out of date, and left out with a reason."""

from dataclasses import replace
from pathlib import Path
from shutil import copyfile

import pytest
from tests.model import ScriptedModel, says
from tests.web.client import Client
from tests.web.conftest import NOW
from tests.web.markup import Element, complaints, read, unsafe

from storyheat.core.briefs.summarising import ModelAccess, SummaryParams
from storyheat.core.model import StoryId
from storyheat.core.text.names import NO_NAMES_KNOWN
from storyheat.settings import Settings
from storyheat.store.database import open_database
from storyheat.summaries.asking import Asker
from storyheat.summaries.endpoint import ModelEndpoint
from storyheat.summarise import Writer, summarise
from storyheat.web.app import make_app

SUMMARY = "Quuxcorp says that plugins in the old format stop working in spring."
ANSWER = {
    "summary": [{"text": SUMMARY, "items": [2]}],
    "why_it_matters": [{"text": "Authors of plugins were asked to try the new format.", "items": [1]}],
    "players": [{"name": "Quuxcorp", "role": "It announced the <b>engine</b>.", "items": [2]}],
    "details": [{"text": "Compiling takes half the time.", "items": [2]}],
    "timeline": [{"text": "Quuxcorp hinted at the engine.", "items": [1]}],
    "takeaway": [{"text": "Nvidia will buy it.", "items": [1]}],
}


@pytest.fixture
def own(news: Settings, tmp_path: Path) -> Settings:
    """Settings over a copy of the database, since a brief would show in every other test."""
    copyfile(news.database.removeprefix("sqlite:///"), tmp_path / "own.db")
    return replace(news, database=f"sqlite:///{tmp_path / 'own.db'}")


def page_of(settings: Settings, story: str) -> Element:
    reply = Client(make_app(settings, lambda: NOW, lambda line: None)).get(f"/story/{story}")
    assert reply.status_code == 200
    root = read(reply.text)
    assert list(complaints(root)) == []
    assert list(unsafe(root)) == []
    return root


def test_a_brief_on_the_page(own: Settings, engine: str) -> None:
    params = SummaryParams()
    endpoint = ModelEndpoint(
        ModelAccess("https://models.example/v1", "tiny<i>-1", None), params, transport=ScriptedModel(says(ANSWER))
    )
    writer = Writer(Asker(endpoint, params, lambda _: None), params, NO_NAMES_KNOWN)
    database = open_database(own.database)
    [line] = summarise(database, [StoryId(engine)], writer, NOW)
    database.close()
    assert (line.sentences, line.dropped) == (5, 1)
    page = page_of(own, engine)
    headings = [one.text for one in page.all("h2")]
    for heading in ("Summary", "The players", "The details", "What happened when", "Why it matters", "The takeaway"):
        assert heading in headings
    summary = page.all("section", id="summary")[0]
    assert SUMMARY in summary.text
    assert "Written by the model tiny<i>-1, 2026-11-12 14:35 UTC, from " in summary.text
    [cite] = summary.all("span", class_="cite")[0].all("a")
    assert page.all("li", id=str(cite.attributes["href"]).removeprefix("#"))
    assert "It announced the engine." in page.text
    assert "Nvidia" not in page.text
    assert "The model tiny<i>-1 wrote nothing here that the reports bear out." in page.text


def test_without_a_model_what_only_one_could_write_is_left_out(own: Settings, engine: str) -> None:
    page = page_of(own, engine)
    headings = [one.text for one in page.all("h2")]
    assert "Why it matters, the takeaway" in headings
    assert "What happened when" not in headings
    assert "No language model has written it, and nothing is made up in its place." in page.text
    assert "Extracted, without a language model," in page.text
