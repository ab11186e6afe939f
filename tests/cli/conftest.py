"""Two databases made by `replay` from planted recordings: the widget of the design, and one with every role."""

from datetime import datetime

import pytest
from tests.command import storyheat
from tests.make import Post, rss, utc, write_recording

ENGINE = (
    "Quuxcorp showed release seven of its Zorblat engine in Torvik. The Zorblat engine now compiles twice as fast, "
    "and Quuxcorp says that the old plugin format of Zorblat goes away in spring."
)
ENGINE_TOO = (
    "Release seven of the Zorblat engine is out, Quuxcorp announced in Torvik. Plugins for Zorblat in the old format "
    "stop working in spring; compiling with the engine takes half the time."
)
WEEKLY = (
    "Our week in short. Quuxcorp released the seventh Zorblat engine in Torvik, with faster compiling. "
    "Harlund closed its bridge over the Osmer. And three recipes with pears."
)
CHINESE = "托尔维克市政府宣布，哈伦德大桥将于下周一起封闭维修，市民可以乘坐渡轮过河，票价由奥斯默县补贴一半。"

CONFIG = """\
sources:
  - {id: alpha, name: Alpha Post, language: en, topics: [engines, business], feeds: [{url: "https://alpha.example/feed"}]}
  - {id: beta, name: Beta Times, language: en, level: discussion, feeds: [{url: "https://beta.example/feed"}]}
  - {id: copier, name: Copier, language: en, feeds: [{url: "https://copier.example/feed"}]}
  - {id: weekly, name: "=Weekly[bold]", digest: true, language: en, feeds: [{url: "https://weekly.example/feed"}]}
  - {id: zh, name: 河报, language: zh-Hans, topics: [cities], feeds: [{url: "https://zh.example/feed"}]}
"""

UNTIL = utc("2026-10-27 20:00")


@pytest.fixture(scope="session")
def widget(tmp_path_factory: pytest.TempPathFactory) -> str:
    """`--db=…` of two voices whose reports were still listed when the first poll came, polled every ten minutes."""
    folder = tmp_path_factory.mktemp("widget")
    first = utc("2026-10-27 00:10")
    a = Post("Zorblat engine seven released by Quuxcorp", "https://a.example/1", utc("2026-10-26 22:50"), text=ENGINE)
    b = Post("Quuxcorp releases Zorblat engine seven", "https://b.example/1", utc("2026-10-25 23:30"), text=ENGINE_TOO)
    recording = write_recording(folder / "recorded", {"a": {first: rss(a)}, "b": {first: rss(b)}})
    database = f"--db=sqlite:///{folder / 'storyheat.db'}"
    ran = storyheat("replay", recording, "--every", "10m", "--until", "2026-10-27T23:45:00Z", database)
    assert (ran.code, ran.err) == (0, "")
    return database


@pytest.fixture(scope="session")
def planted(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """`--db=…` and `--config=…` of a day with reports, a copy, a digest, Chinese and hostile titles."""
    folder = tmp_path_factory.mktemp("planted")
    start, later = utc("2026-10-26 00:00"), utc("2026-10-27 12:00")

    def post(name: str, title: str, text: str, at: str) -> Post:
        return Post(title, f"https://{name}.example/{at[5:10]}", utc(at), text=text)

    engine = "Zorblat engine seven released by Quuxcorp"
    hostile = "Quuxcorp releases\x1b[31m Zorblat\u202e engine [bold]seven[/bold]"
    bridge = "哈伦德大桥封闭维修，市民改乘渡轮过奥斯默河，票价补贴一半，工程预计持续到三月"
    news = {
        "alpha": post("alpha", engine, ENGINE, "2026-10-27 09:00"),
        "beta": post("beta", hostile, ENGINE_TOO, "2026-10-27 10:30"),
        "copier": post("copier", engine, ENGINE, "2026-10-27 11:00"),
        "weekly": post("weekly", "=HYPERLINK week", WEEKLY, "2026-10-27 11:30"),
        "zh": post("zh", bridge, CHINESE, "2026-10-27 08:00"),
    }
    snapshots: dict[str, dict[datetime, str]] = {}
    for name, newer in news.items():
        older = post(name, f"What {name} wrote about pears", "", "2026-10-20 00:00")
        snapshots[name] = {start: rss(older), later: rss(older, newer)}
    recording = write_recording(folder / "recorded", snapshots)
    config = folder / "feeds.yaml"
    config.write_text(CONFIG, "utf-8")
    options = [f"--db=sqlite:///{folder / 'storyheat.db'}", f"--config={config}"]
    ran = storyheat("replay", recording, "--every", "1h", "--until", "2026-10-27T20:00:00Z", *options)
    assert (ran.code, ran.err) == (0, "")
    return options
