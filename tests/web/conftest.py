"""A database with every kind of item, made by `replay`, and the application over it at a fixed instant."""

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from starlette.types import ASGIApp
from tests.command import storyheat
from tests.make import Post, rss, utc, write_recording
from tests.web.client import Client

from storyheat.settings import Settings, load_settings
from storyheat.web.app import make_app

NOW = utc("2026-11-12 14:35")
ENGINE = (
    "Quuxcorp showed release seven of its Zorblat engine in Torvik. The Zorblat engine now compiles twice as fast, "
    "and Quuxcorp says that the old plugin format of Zorblat goes away in spring."
)
HINTS = (
    "Quuxcorp hints that release seven of the Zorblat engine comes this week in Torvik. Its developers promised "
    "faster compiling, and asked authors of plugins for Zorblat to try the new format before spring."
)
AGAIN = (
    "Release seven of the Zorblat engine is out, Quuxcorp announced in Torvik. Plugins for Zorblat in the old format "
    "stop working in spring; compiling with the engine takes half the time."
)
WEEKLY = (
    "Our week in short. Quuxcorp released the seventh Zorblat engine in Torvik, with faster compiling. "
    "Harlund closed its bridge over the Osmer. And three recipes with pears."
)
CHINESE = "托尔维克市政府宣布，哈伦德大桥将于下周一起封闭维修，市民可以乘坐渡轮过河，票价由奥斯默县补贴一半。"
HOSTILE = '<script>alert("x")</script> Zorblat engine seven\u202e & "quotes" \'n\' {{ 7 * 7 }} by Quuxcorp'
CONFIG = """\
web: {allowed_hosts: [news.example.org]}
topics: {bridges: [bridge, 大桥], Engines: [compiler]}
sources:
  - {id: alpha, name: Alpha Post, language: en, topics: [engines], feeds: [{url: "https://alpha.example/feed"}]}
  - {id: maker, name: Quuxcorp, level: first_party, language: en, topics: [engines], feeds: [{url: "https://maker.example/feed"}]}
  - {id: agora, name: "Agora <b>", community: true, level: discussion, language: en, feeds: [{url: "https://agora.example/feed"}]}
  - {id: copier, name: Copier, language: en, feeds: [{url: "https://copier.example/feed"}]}
  - {id: weekly, name: Weekly, digest: true, language: en, feeds: [{url: "https://weekly.example/feed"}]}
  - {id: zh, name: 河报, language: zh-Hans, topics: [cities], feeds: [{url: "https://zh.example/feed"}]}
"""


def post(name: str, title: str, text: str, at: str, link: str | None = None, author: str | None = None) -> Post:
    """One post of a source of the recording."""
    return Post(title, link or f"https://{name}.example/{at[5:13]}", utc(at), text=text, author=author)


@pytest.fixture(scope="session")
def news(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Settings over a database with reports, a copy, a mention, Chinese, and a hostile title and link."""
    folder = tmp_path_factory.mktemp("news")
    start, later = utc("2026-11-10 00:00"), utc("2026-11-12 13:00")
    engine = "Zorblat engine seven released by Quuxcorp"
    bridge = "哈伦德大桥封闭维修，市民改乘渡轮过奥斯默河，票价补贴一半，工程预计持续到三月"
    old = {
        "alpha": post("alpha", "What Quuxcorp hints about the seventh Zorblat engine", HINTS, "2026-11-09 20:00"),
        "maker": post("maker", "Pears in our canteen", "", "2026-11-01 09:00"),
        "agora": post("agora", "Pears, anyone", "", "2026-11-01 10:00"),
        "copier": post("copier", "Pears on sale", "", "2026-11-01 11:00"),
        "weekly": post("weekly", "Pears of the week", "", "2026-11-01 12:00"),
        "zh": post("zh", "梨子丰收", "", "2026-11-01 13:00"),
    }
    new = {
        "alpha": post("alpha", engine, ENGINE, "2026-11-12 09:00"),
        "maker": post("maker", "Zorblat engine seven is here, with half the compile time", AGAIN, "2026-11-12 08:00"),
        "agora": post("agora", HOSTILE, AGAIN, "2026-11-12 10:30", "https://agora.example/a?x=%22%3E&y=1", "o<i>lga"),
        "copier": post("copier", engine, ENGINE, "2026-11-12 11:00"),
        "weekly": post("weekly", "The week in short", WEEKLY, "2026-11-12 11:30"),
        "zh": post("zh", bridge, CHINESE, "2026-11-12 08:00"),
    }
    snapshots: dict[str, dict[datetime, str]] = {
        name: {start: rss(old[name]), later: rss(old[name], new[name])} for name in old
    }
    recording = write_recording(folder / "recorded", snapshots)
    config = folder / "feeds.yaml"
    config.write_text(CONFIG, "utf-8")
    options = [f"--db=sqlite:///{folder / 'storyheat.db'}", f"--config={config}"]
    ran = storyheat("replay", recording, "--every", "1h", "--until", "2026-11-12T14:00:00Z", *options)
    assert (ran.code, ran.err) == (0, "")
    return load_settings({}, config=config, database=f"sqlite:///{folder / 'storyheat.db'}", timezone="UTC")


@pytest.fixture(scope="session")
def logged() -> list[str]:
    """The lines that the application logs."""
    return []


@pytest.fixture(scope="session")
def app(news: Settings, logged: list[str]) -> ASGIApp:
    """The application at a fixed instant."""
    return make_app(news, lambda: NOW, logged.append)


@pytest.fixture(scope="session")
def client(app: ASGIApp) -> Client:
    """A browser in front of it."""
    return Client(app)


@pytest.fixture(scope="session")
def engine(news: Settings) -> str:
    """The id of the story with an item of every role."""
    shown = storyheat("top", "--json", f"--db={news.database}", f"--config={news.config}", f"--at={NOW.isoformat()}")
    return str(max(shown.json["stories"], key=lambda one: int(one["voices"]))["id"])


@pytest.fixture
def empty(tmp_path: Path) -> Settings:
    """Settings over a database that is not there."""
    return Settings(f"sqlite:///{tmp_path / 'none.db'}", ZoneInfo("UTC"))
