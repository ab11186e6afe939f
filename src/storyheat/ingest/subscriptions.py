"""Makes entries for feeds.yaml of what is to be followed, and knows what is followed already."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from storyheat.core.addresses.secrets import Secrets, secrets_in
from storyheat.core.addresses.urls import feed_address, feed_key, without_login
from storyheat.core.feeds.naming import source_id, source_name
from storyheat.core.model import Source
from storyheat.ingest.lookup import FoundSource
from storyheat.ingest.opml import UNNAMED, OpmlFeed, OpmlList, Skipped
from storyheat.settings.edit import Entry, Template
from storyheat.settings.entries import FEED_KEYS, KEYS, mistake_in, without_mistakes

_ESSENTIAL = frozenset({"id", "feeds"})
_ORDER = (  # of the keys, as the shipped file has them
    "id", "name", "owner", "site", "enabled", "level", "digest", "community", "aggregator", "speaks_for", "language",
    "timezone", "topics", "weight", "poll_minutes", "feeds",
)  # fmt: skip


KEY_IN_PLAIN = "its address holds a secret: write ${NAME} in its place in feeds.yaml, and set NAME in the environment"


@dataclass(frozen=True, slots=True)
class Plan:
    """The entries that a list gives, what of it gives none, and what was left out of the entries."""

    entries: tuple[Entry, ...]
    skipped: tuple[Skipped, ...]
    remarks: tuple[str, ...]


def followed(sources: Iterable[Source]) -> dict[str, str]:
    """The id of the first source that follows a feed, by `feed_key`."""
    known: dict[str, str] = {}
    for source in sources:
        for feed in source.feeds:
            asked = feed.secret_url or feed.url
            known.setdefault(feed_key(feed_address(asked) or asked), source.id)
    return known


def entry_of(found: FoundSource, url: str | Template, given: Entry, taken: Iterable[str]) -> Entry:
    """The entry of a feed that was looked up, at its address as it is to be written.

    What is `given` wins, what else it says is taken if it may stand.
    """
    name = source_name(found.feed.title)
    site = feed_address(found.site)
    said: dict[str, object] = {
        "id": source_id(str(given.get("name") or name or ""), found.address, {each.casefold() for each in taken}),
        "name": name,
        "site": None if site is None else without_login(site),
        "language": found.feed.language,
        "feeds": [{"url": url}],
    }
    kept, _ = without_mistakes({key: value for key, value in said.items() if value is not None}, _ESSENTIAL)
    return _in_order({**kept, **given})


def planned(listed: OpmlList, sources: Iterable[Source], secrets: Secrets) -> Plan:
    """What importing a list does. Feeds of one source in an export of ours become one source again.

    `secrets`: of the configuration that the `sources` come from.
    """
    sources = tuple(sources)
    known = followed(sources)
    taken = {source.id.casefold() for source in sources}
    entries: list[Entry] = []
    skipped = list(listed.skipped)
    remarks = list(listed.remarks)
    ours: dict[str, list[object]] = {}  # the feeds of a new source, by the id in the list
    for feed in listed.feeds:
        shown, key = feed.name or UNNAMED, feed_key(feed.address)
        if key in known:
            skipped.append(Skipped(shown, secrets.shown(feed.address), f'followed already, as "{known[key]}"'))
            continue
        exported = feed.source or {}
        its_id = str(exported.get("id", ""))
        row = {"url": feed.address, **_settings(feed.feed, FEED_KEYS - {"url"})}
        if its_id in ours and mistake_in({"id": "x", "feeds": [row]}) is None:
            ours[its_id].append(row)
            continue
        rows: list[object] = [row]
        entry, wrong = without_mistakes(_entry(feed, rows, taken), _ESSENTIAL)
        mistake = mistake_in(entry)
        if mistake is not None:
            skipped.append(Skipped(shown, secrets.shown(feed.address), mistake))
            continue
        remarks += [f"{entry['id']}: left out: {each}" for each in wrong]
        remarks += [f"{entry['id']}: {KEY_IN_PLAIN}"] if any(secrets_in(feed.address)) else []
        taken.add(str(entry["id"]).casefold())
        entries.append(entry)
        if its_id:
            ours[its_id] = rows
    return Plan(tuple(entries), tuple(skipped), tuple(remarks))


def _entry(feed: OpmlFeed, rows: list[object], taken: set[str]) -> Entry:
    said: dict[str, object] = {"name": feed.name, "site": feed.site, "language": feed.language}
    if feed.topics:
        said["topics"] = list(feed.topics)
    said = {key: value for key, value in said.items() if value is not None}
    said |= _settings(feed.source, KEYS - {"feeds"})
    wanted = said.get("id")
    free = isinstance(wanted, str) and wanted.casefold() not in taken
    if not free or mistake_in({"id": wanted}) is not None:
        said["id"] = source_id(feed.name, feed.address, taken)
    return _in_order({**said, "feeds": rows})


def _settings(given: Mapping[str, object] | None, known: frozenset[str]) -> dict[str, object]:
    return {key: value for key, value in (given or {}).items() if key in known and value is not None}


def _in_order(entry: Entry) -> Entry:
    return {key: entry[key] for key in _ORDER if key in entry}
