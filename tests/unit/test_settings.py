"""feeds.yaml and the environment: what is read, and the one line that each kind of mistake gives."""

from datetime import timedelta
from importlib.util import find_spec
from pathlib import Path

import pytest

from storyheat.core.feeds.network import NetworkParams
from storyheat.core.feeds.polling import PollParams
from storyheat.core.heat.rule import HeatRule
from storyheat.core.model import Level, Selectors
from storyheat.errors import ConfigError
from storyheat.settings import Settings, load_settings
from storyheat.settings.schema import FeedsFile
from storyheat.settings.shipped import shipped_feeds_yaml


def load(tmp_path: Path, text: str | bytes, **environment: str) -> Settings:
    path = tmp_path / "feeds.yaml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return load_settings(environment, config=path)


def mistake(tmp_path: Path, text: str | bytes, **environment: str) -> str:
    """The error line without the folder it names."""
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, text, **environment)
    line = str(caught.value).replace(f"{tmp_path}/", "")
    assert "\n" not in line
    return line


FULL = """
defaults:
  language: en
  topics: [news]
  poll_minutes: 45
polling: {default_minutes: 20, min_minutes: 5, max_minutes: 600}
heat: {half_life_hours: 12, window_hours: null}
network:
  user_agent_contact: https://example.org/about
  concurrency: ${AT_ONCE}
  allow_hosts: ["127.0.0.1:8000", "[::1]:80"]
  proxy: http://${WHO}:pw@proxy.example:3128
sources:
  - id: plain
  - id: gazette
    name: The Gazette
    owner: gazette-group
    site: https://gazette.example/
    enabled: false
    level: discussion
    digest: true
    community: true
    language: de
    timezone: Europe/Berlin
    topics: [local, sport]
    weight: 0.5
    poll_minutes: 15
    feeds:
      - url: https://gazette.example/feed.xml
        fulltext: true
      - url: https://gazette.example/news
        kind: html
        select: {item: "li.news", date: time, date_regex: '\\d{4}-\\d\\d-\\d\\d'}
"""


def test_everything_that_may_be_said_arrives(tmp_path: Path) -> None:
    settings = load(tmp_path, FULL, AT_ONCE="8", WHO="reader")
    plain, gazette = settings.sources
    assert (plain.name, plain.owner, plain.level, plain.language) == ("plain", "plain", Level.PRESS, "en")
    assert (plain.topics, plain.weight, plain.feeds) == (("news",), 1.0, ())
    assert plain.poll_interval == timedelta(minutes=45)
    assert (gazette.name, gazette.owner, gazette.site) == (
        "The Gazette",
        "gazette-group",
        "https://gazette.example/",
    )
    assert (gazette.enabled, gazette.digest, gazette.community, gazette.aggregator) == (
        False,
        True,
        True,
        False,
    )
    assert (gazette.level, gazette.language, gazette.timezone) == (Level.DISCUSSION, "de", "Europe/Berlin")
    assert (gazette.topics, gazette.weight) == (("local", "sport"), 0.5)
    assert gazette.poll_interval == timedelta(minutes=15)
    first, second = gazette.feeds
    assert (first.url, first.kind, first.fulltext) == ("https://gazette.example/feed.xml", "auto", True)
    assert second.select == Selectors(item="li.news", date="time", date_regex=r"\d{4}-\d\d-\d\d")
    assert settings.heat == HeatRule(half_life_hours=12, window_hours=None)
    assert settings.polling.default_interval == timedelta(minutes=20)
    assert settings.polling.min_interval == timedelta(minutes=5)
    assert settings.polling.max_interval == timedelta(hours=10)
    assert settings.network.concurrency == 8
    assert settings.network.allow_hosts == ("127.0.0.1:8000", "[::1]:80")
    assert settings.network.proxy == "http://reader:pw@proxy.example:3128"


@pytest.mark.parametrize("text", ["", "# nothing yet\n", "sources:\n", "\ufeffsources: []\r\n"])
def test_an_empty_file_means_the_defaults(tmp_path: Path, text: str) -> None:
    settings = load(tmp_path, text)
    assert settings.sources == ()
    assert (settings.heat, settings.network, settings.polling) == (HeatRule(), NetworkParams(), PollParams())


def test_a_default_rhythm_below_the_usual_minimum_lowers_the_minimum(tmp_path: Path) -> None:
    assert load(tmp_path, "polling: {default_minutes: 20}").polling.min_interval == timedelta(minutes=20)
    assert load(tmp_path, "polling: {default_minutes: 200}").polling.min_interval == timedelta(minutes=60)


def test_texts_of_articles_need_an_extra_and_that_is_said(tmp_path: Path) -> None:
    text = "sources: [{id: gazette, feeds: [{url: 'https://gazette.example/feed', fulltext: true}]}]"
    remarks = load(tmp_path, text).remarks
    if find_spec("trafilatura") is None:
        (remark,) = remarks
        assert "feeds.yaml:1: gazette: no article texts without the extra: pip install" in remark
    else:
        assert remarks == ()


def source(line: str) -> str:
    """A file with one source, `line` being its third."""
    return f"sources:\n  - id: a\n    {line}\n"


def feed(line: str) -> str:
    """A file with one feed, `line` being its fifth."""
    return source(f"feeds:\n      - url: https://a.example/\n        {line}")


def at(place: str = "") -> str:
    """A place within the one source, in words."""
    return f'sources[0]{place} (id "a"): '


NO_ADDRESS = "is no address; it must look like https://www.example.org/feed.xml"
NO_ID = "is no id: letters, digits, '-', '_' and '.', 64 at most, the first a letter or digit"
LEVELS = "must be 'first_party', 'press' or 'discussion'"

MISTAKES: list[tuple[str | bytes, int, str]] = [
    # keys
    (source("topcs: [x]"), 3, at() + 'unknown key "topcs"; did you mean "topics"?'),
    ("sourcs: []", 1, 'unknown key "sourcs"; did you mean "sources"?'),
    (
        "zzz: []",
        1,
        f'unknown key "zzz"; known are {", ".join(FeedsFile.model_fields)}',
    ),
    (feed("selekt: {item: a}"), 5, at(".feeds[0]") + 'unknown key "selekt"; did you mean "select"?'),
    ("heat:\n  half_life: 3", 2, 'heat: unknown key "half_life"; did you mean "half_life_hours"?'),
    ("sources: []\nheat: {}\nsources: []", 3, 'the key "sources" stands here twice (first on line 1)'),
    ("sources:\n  - nam: x", 2, 'sources[0]: unknown key "nam"; did you mean "name"?'),
    ("sources:\n  - name: x", 2, 'sources[0]: needs "id"'),
    ("? [a]\n: b", 1, "a key must be a plain word"),
    # ids and addresses
    ("sources:\n  - id: a\n  - id: A", 3, 'sources[1].id (id "A"): "A" is taken (line 2); ids must differ'),
    ("sources:\n  - id: a b", 2, f'sources[0].id (id "a b"): "a b" {NO_ID}'),
    ("sources:\n  - id: 36", 2, 'sources[0].id: must be text, not "36"; put it in quotes'),
    (
        feed("fulltext: true\n      - url: https://a.example/"),
        6,
        at(".feeds[1].url") + "this address is followed already (line 4)",
    ),
    (source("site: ftp://a.example/"), 3, at(".site") + f'"ftp://a.example/" {NO_ADDRESS}'),
    (source("site: https://a b.example/"), 3, at(".site") + f'"https://a b.example/" {NO_ADDRESS}'),
    (source("site: https://a.example:99999"), 3, at(".site") + f'"https://a.example:99999" {NO_ADDRESS}'),
    (source("site: //a.example/"), 3, at(".site") + f'"//a.example/" {NO_ADDRESS}'),
    (source("site: ftp://u:pw@a.example"), 3, at(".site") + f'"ftp://…@a.example" {NO_ADDRESS}'),
    (
        source("feeds: [https://a.example/]"),
        3,
        at(".feeds[0]") + 'must be a group of "key: value" lines, not "https://a.example/"',
    ),
    (
        "network:\n  allow_hosts: [localhost]",
        2,
        'network.allow_hosts[0]: "localhost" is no host with a port; it must look like 127.0.0.1:8000',
    ),
    # values
    (
        source("timezone: Europe/Berlni"),
        3,
        at(".timezone") + '"Europe/Berlni" is no IANA time zone; did you mean "Europe/Berlin"?',
    ),
    (source("timezone: utc"), 3, at(".timezone") + '"utc" is no IANA time zone; did you mean "UTC"?'),
    (
        source("timezone: ../etc"),
        3,
        at(".timezone") + '"../etc" is no IANA time zone, such as "Europe/Berlin" or "UTC"',
    ),
    (source("level: pres"), 3, at(".level") + f'{LEVELS}, not "pres"'),
    (source("language: no"), 3, at(".language") + 'must be text, not "no"; put it in quotes'),
    (
        source("language: english!"),
        3,
        at(".language") + '"english!" is no language tag (BCP 47), such as "en" or "zh-Hans"',
    ),
    (source("topics: ai"), 3, at(".topics") + 'must be a list, such as [a, b], not "ai"'),
    (source("name: ''"), 3, at(".name") + '"" must be 1 to 200 characters on one line'),
    (source("weight: heavy"), 3, at(".weight") + 'must be a number, not "heavy"'),
    (source("weight: .inf"), 3, at(".weight") + 'must be a finite number, not ".inf"'),
    (source("digest: 1"), 3, at(".digest") + 'must be true or false, not "1"'),
    (source("digest: {a: 1}"), 3, at(".digest") + 'must be true or false, not {"a": 1}'),
    ("topics: [a]", 1, 'topics: must be a group of "topic: [word, word]" lines, not ["a"]'),
    ("topics: {ai: []}", 1, 'topics: "ai" needs at least one word: ai: [word, 词]'),
    ('topics: {ai: ["!"]}', 1, 'topics: "ai": no text has a word like "!"'),
    ("topics: {AI: [x], ai: [y]}", 1, 'topics: "AI" stands here twice'),
    ('topics: {"": [a]}', 1, 'topics: the name "" must be 1 to 200 characters on one line'),
    ("heat:\n  half_life_hours: 0", 2, 'heat.half_life_hours: must be above 0, not "0"'),
    ("heat:\n  half_life_hours:", 2, "heat.half_life_hours: is empty; it must be a number"),
    ("network:\n  concurrency: 1.5", 2, 'network.concurrency: must be a whole number, not "1.5"'),
    ("network:\n  concurrency: 0", 2, 'network.concurrency: must be at least 1, not "0"'),
    (
        "network:\n  concurrency: " + "9" * 5000,
        2,
        f'network.concurrency: must be a whole number, not "{"9" * 60}…"',
    ),
    ("network:\n  max_redirects: 99", 2, 'network.max_redirects: must be at most 20, not "99"'),
    (
        'network:\n  user_agent_contact: "a\\nb"',
        2,
        'network.user_agent_contact: "a�b" must be 200 printable ASCII characters at most',
    ),
    (
        "polling:\n  min_minutes: 90",
        1,
        "polling: min_minutes, default_minutes and max_minutes must rise in that order",
    ),
    (
        source("community: true\n    aggregator: true"),
        2,
        at() + '"community" and "aggregator" exclude each other: one says whose voice it is',
    ),
    # selectors
    (
        feed("kind: atom"),
        5,
        at(".feeds[0].kind") + '"atom" is no kind of feed; "auto" finds RSS, Atom, RDF and JSON Feed, '
        '"html" is the other one',
    ),
    (feed("kind: html"), 4, at(".feeds[0]") + 'kind "html" needs "select" with at least "item"'),
    (feed("select: {item: li}"), 4, at(".feeds[0]") + '"select" is read only with kind "html"'),
    (feed("select: {link: a}"), 5, at(".feeds[0].select") + 'needs "item"'),
    (
        feed("select: {item: 'li['}"),
        5,
        at(".feeds[0].select.item") + '"li[" is no CSS selector (Malformed attribute selector at position 2)',
    ),
    (
        feed("select: {item: li, date_regex: '(['}"),
        5,
        at(".feeds[0].select.date_regex") + '"([" is no regular expression (unterminated character set at position 1)',
    ),
    (
        feed(f"select: {{item: li, date_regex: {'a' * 501}}}"),
        5,
        at(".feeds[0].select.date_regex") + f'"{"a" * 60}…" is longer than a regular expression may be here '
        "(500 characters)",
    ),
    # the file itself
    ("- a", 1, 'must hold settings such as "sources:" at its top level'),
    ("sources: 3", 1, 'sources: must be a list, such as [a, b], not "3"'),
    ("heat: [1", 1, "no valid YAML: did not find expected ',' or ']'"),
    (
        "sources:\n\t- id: a",
        2,
        "no valid YAML: found character that cannot start any token; indent with spaces, not tabs",
    ),
    ("heat: {}\n---\nheat: {}", 2, 'a second document starts here; remove the line "---"'),
    ("a: &x [1]\nb: [*x]", 2, 'aliases ("*x") are not read; what sources share goes under "defaults:"'),
    ("a: !!python/name:x y", 1, 'the tag "tag:yaml.org,2002:python/name:x" is not read; remove it'),
    ("a: " + "[" * 40 + "]" * 40, 1, "nested too deep"),
    ("heat: {}\na: \x01", 2, "holds the control character U+0001; remove it"),
    (b"heat: {}\na: \xff", 2, "not UTF-8; save the file with that encoding"),
    # the environment in it
    ("network:\n  proxy: ${GONE}", 2, "the environment variable GONE is not set"),
    ("network:\n  proxy: ${A-B}", 2, '"${A-B}" names no variable; write ${NAME}'),
    ("network:\n  proxy: ${SECRET}", 2, f'network.proxy: "${{SECRET}}" {NO_ADDRESS}'),
]


@pytest.mark.parametrize(("text", "line", "words"), MISTAKES, ids=range(len(MISTAKES)))
def test_a_mistake_is_one_line_with_its_place(tmp_path: Path, text: str | bytes, line: int, words: str) -> None:
    assert mistake(tmp_path, text, SECRET="hush") == f"feeds.yaml:{line}: {words}"


def test_a_file_that_cannot_be_read_says_so(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.yaml: there is no such file"):
        load_settings({}, config=tmp_path / "nowhere.yaml")
    with pytest.raises(ConfigError, match="is a folder; name the file in it"):
        load_settings({"STORYHEAT_CONFIG": str(tmp_path)})
    assert mistake(tmp_path, b"#" * 4_000_001).endswith("are more than a feeds.yaml may have (4000000)")


def test_quotes_and_tags_keep_text_as_text(tmp_path: Path) -> None:
    (source,) = load(tmp_path, "sources:\n  - id: '36'\n    name: !!str 12\n    topics: ['${N}']", N="7").sources
    assert (source.id, source.name, source.topics) == ("36", "12", ("7",))


def test_an_address_may_begin_with_feed(tmp_path: Path) -> None:
    text = "sources:\n  - id: a\n    feeds:\n      - url: {}\n"
    for written, address in (
        ("feed://wire.example/rss", "http://wire.example/rss"),
        ("feed:https://wire.example/rss", "https://wire.example/rss"),
    ):
        assert load(tmp_path, text.format(written)).sources[0].feeds[0].url == address
    (feed,) = (
        load(tmp_path, text.format("feed:https://me:${WORD}@wire.example/rss"), WORD="opensesame").sources[0].feeds
    )
    assert (feed.url, feed.secret_url) == ("https://wire.example/rss", "https://me:opensesame@wire.example/rss")
    (feed,) = load(tmp_path, text.format("feed:https://wire.example/${KEY}/rss"), KEY="k3y0fth3r34d3r").sources[0].feeds
    assert feed.url == "https://wire.example/${KEY}/rss"
    assert "is no address" in mistake(tmp_path, text.format("feed:javascript:alert"))


def test_the_signs_that_begin_a_variable_can_be_written(tmp_path: Path) -> None:
    (source,) = load(tmp_path, "sources:\n  - {id: a, name: '$${N} costs $5 {or ${N}}'}", N="7").sources
    assert source.name == "${N} costs $5 {or 7}"


PRIVATE = """
network: {proxy: "http://me:hunter2@proxy.example:3128"}
sources:
  - id: a
    site: https://${HOST}/?token=${TOKEN}
    feeds:
      - url: https://${HOST}/feed?token=${TOKEN}&n=1
      - url: https://me:${TOKEN}@${HOST}/two
      - url: https://other.example/sesame/feed?api_key=zz11yy22
"""


def test_secrets_stay_out_of_what_is_stored(tmp_path: Path) -> None:
    settings = load(tmp_path, PRIVATE, HOST="wire.example", TOKEN="sesame")
    (source,) = settings.sources
    assert [feed.url for feed in source.feeds] == [
        "https://${HOST}/feed?token=${TOKEN}&n=1",
        "https://${HOST}/two",
        "https://other.example/${TOKEN}/feed?api_key=…",
    ]
    assert source.feeds[0].secret_url == "https://wire.example/feed?token=sesame&n=1"
    assert source.site == "https://${HOST}/"
    said = "no connection to wire.example (sesame, hunter2, zz11yy22)"
    assert settings.secrets.in_words(said) == "no connection to ${HOST} (${TOKEN}, …, …)"


def test_two_feeds_of_a_source_differ_in_more_than_a_secret(tmp_path: Path) -> None:
    two = "sources:\n  - id: a\n    feeds:\n      - url: https://a:b@a.example/\n      - url: https://c:d@a.example/\n"
    assert mistake(tmp_path, two) == (
        'feeds.yaml:5: sources[0].feeds[1].url (id "a"): this address differs in nothing but a secret; '
        "give it a source of its own (line 4)"
    )
    assert (
        len(
            load(
                tmp_path, two.replace("      - url: https://c", "  - id: b\n    feeds:\n      - url: https://c")
            ).sources
        )
        == 2
    )


def test_without_a_file_there_are_no_sources_or_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    settings = load_settings({}, config_required=False)
    assert (settings.config, settings.sources) == (None, ())
    with pytest.raises(ConfigError, match=r'there is no feeds\.yaml here; "storyheat init" writes one'):
        load_settings({})
    Path("feeds.yaml").write_text("sources: [{id: here}]")
    assert [source.id for source in load_settings({}).sources] == ["here"]


def test_an_argument_wins_over_the_environment() -> None:
    environment = {"STORYHEAT_DB": "sqlite:///env.db", "STORYHEAT_TZ": "Asia/Tokyo"}
    by_environment = load_settings(environment, config_required=False)
    assert (by_environment.database, by_environment.timezone.key) == ("sqlite:///env.db", "Asia/Tokyo")
    by_argument = load_settings(environment, database="own.db", timezone="Europe/Paris", config_required=False)
    assert (by_argument.database, by_argument.timezone.key) == ("sqlite:///own.db", "Europe/Paris")
    assert load_settings({}, config_required=False).database == "sqlite:///storyheat.db"


def test_a_bad_database_or_zone_names_where_it_was_given() -> None:
    with pytest.raises(ConfigError, match=r"^STORYHEAT_DB: .* write sqlite:///PATH$"):
        load_settings({"STORYHEAT_DB": "mysql://u:pw@host/x"})
    with pytest.raises(ConfigError, match=r'^--tz: "Mars/Base" is no IANA time zone'):
        load_settings({}, timezone="Mars/Base")


@pytest.mark.parametrize(("machine", "zone"), [(":Asia/Tokyo", "Asia/Tokyo"), ("Mars/Base", "UTC"), ("Etc/UTC", "UTC")])
def test_else_the_zone_is_the_machines_or_utc(machine: str, zone: str) -> None:
    assert load_settings({"TZ": machine}, config_required=False).timezone.key == zone


def test_the_shipped_file_is_the_one_at_the_top(root: Path) -> None:
    assert shipped_feeds_yaml() == (root / "feeds.yaml").read_text("utf-8")


def test_the_shipped_file_is_in_order(root: Path) -> None:
    settings = load_settings({}, config=root / "feeds.yaml")
    assert len([source for source in settings.sources if source.enabled]) >= 60
    assert all(source.feeds and source.site and source.language and source.topics for source in settings.sources)
    assert {source.level for source in settings.sources} == set(Level)
    assert settings.remarks == ()
    assert (settings.heat, settings.network, settings.polling) == (HeatRule(), NetworkParams(), PollParams())
