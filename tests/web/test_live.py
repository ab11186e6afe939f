"""The server follows feeds.yaml, and lives through mistakes in it."""

import os
from pathlib import Path

import pytest
from starlette.types import ASGIApp
from tests.web.client import Client
from tests.web.conftest import NOW

from storyheat.errors import ConfigError
from storyheat.settings import Settings, load_settings
from storyheat.web.app import make_app
from storyheat.web.live import Live


def test_a_change_of_the_file_shows_at_once_and_a_mistake_only_in_the_log(news: Settings, tmp_path: Path) -> None:
    path, log, made = tmp_path / "feeds.yaml", list[str](), list[int]()

    def write(text: str) -> None:
        path.write_text(text, "utf-8")
        os.utime(path, ns=(len(made), len(made)))  # however coarse the clock of the file system is

    def make() -> ASGIApp:
        made.append(1)
        settings = load_settings({}, config=path, database=news.database, timezone="UTC")
        return make_app(settings, lambda: NOW, log.append)

    write("sources: []\n")
    client = Client(Live(path, make, log.append))
    assert "Bridges" not in client.get("/").text
    write("topics: {bridges: [大桥]}\nsources: []\n")
    assert "Bridges" in client.get("/").text
    assert client.get("/feeds/topic/bridges.rss").status_code == 200
    write("topics: {bridges: []}\nsources: []\n")
    assert [client.get("/").status_code for _ in range(2)] == [200, 200]
    assert len(log) == 1
    assert 'topics: "bridges" needs at least one word' in log[0]
    path.unlink()
    assert "Bridges" in client.get("/").text
    assert len(made) == 4
    with pytest.raises(ConfigError):
        Live(path, make, log.append)
