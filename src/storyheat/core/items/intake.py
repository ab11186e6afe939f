"""From the entries of one run to facts: new items, edits, earlier dates, holes, the next poll of each feed.

Pure: what the store knows goes in, what it must write comes out. Feeds are worked through in the order of
(source, address), entries in document order, so the outcome does not depend on which reply came first.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import compress

from storyheat.core.addresses.urls import host_of
from storyheat.core.feeds.listings import hole_before, hurry_after, stamped, strikes_after
from storyheat.core.feeds.polling import FeedState, Polled, PollParams, after_failure, after_success
from storyheat.core.feeds.rhythm import remembered
from storyheat.core.items.aggregators import relayed
from storyheat.core.items.effective import Effective, effective_time
from storyheat.core.items.faces import face_key, face_of
from storyheat.core.items.facts import Hole, Intake, Item, Known, Revision, StoredEntry
from storyheat.core.items.identity import Claim, Recognised, claims, content_sha, entry_id, item_id, recognise
from storyheat.core.items.tombstones import keys_of_claim
from storyheat.core.model import Entry, ItemId, Source, SourceId, Url
from storyheat.core.text.language import language_of


@dataclass(frozen=True, slots=True)
class _Appearance:
    """A new item as one feed shows it."""

    feed: FeedState
    claim: Claim
    effective: Effective


def read_claims(polls: Sequence[Polled]) -> dict[int, tuple[Claim, ...]]:
    """The claims of every parsed feed by its id: what the store must be asked about."""
    found: dict[int, tuple[Claim, ...]] = {}
    for polled in polls:
        if polled.parsed is not None:
            feed = polled.feed
            homes = [home for home in (polled.parsed.site, feed.source.site, feed.site, feed.url) if home]
            entries = polled.parsed.entries
            if feed.source.aggregator:
                entries = tuple(relayed(entry) for entry in entries)
            found[feed.id] = claims(entries, feed.source.id, homes)
    return found


def tombstone_keys(polls: Sequence[Polled], claimed: Mapping[int, tuple[Claim, ...]]) -> frozenset[int]:
    """The keys of all claims by which they may mean items that were let go."""
    feeds = {polled.feed.id: polled.feed for polled in polls}
    return frozenset(
        key
        for number, own in claimed.items()
        for claim in own
        for key in keys_of_claim(claim, feeds[number].url, feeds[number].source.id)
    )


def take_in(
    polls: Sequence[Polled],
    claimed: Mapping[int, tuple[Claim, ...]],
    known: Known,
    sources: Mapping[SourceId, Source],
    now: datetime,
    params: PollParams,
) -> Intake:
    """Decides what a run's polls add to the facts. `claimed` comes from `read_claims`, `known` from the store."""
    return _Taking(known, sources, now, params).run(polls, claimed)


class _Taking:
    """The working state of one `take_in`."""

    def __init__(self, known: Known, sources: Mapping[SourceId, Source], now: datetime, params: PollParams) -> None:
        self.known, self.now, self.params = known, now, params
        self.intake = Intake()
        self.appearances: dict[ItemId, list[_Appearance]] = {}
        self.new_by_link: dict[str, ItemId] = {}
        self.hosts = {source.id: {host_of(source.site)} for source in sources.values()}
        self.candidates: dict[str, list[StoredEntry]] = defaultdict(list)
        for entry in known.entries:
            face = face_key(entry.link_key, entry.title, entry.claimed_at)
            for key in _lookup_keys(entry.feed_id, entry.entry_key, entry.guid, entry.link_key, face):
                self.candidates[key].append(entry)

    def run(self, polls: Sequence[Polled], claimed: Mapping[int, tuple[Claim, ...]]) -> Intake:
        ordered = sorted(polls, key=lambda polled: (polled.feed.source.id, polled.feed.url))
        for polled in ordered:  # a site that a feed names for the first time counts at once
            if polled.parsed is not None and polled.parsed.site and polled.feed.source.site is None:
                self.hosts.setdefault(polled.feed.source.id, set()).add(host_of(polled.parsed.site))
        for polled in ordered:
            if polled.failure is not None:
                self.intake.feeds.append(after_failure(polled.feed, polled, self.now, self.params))
            else:
                self._take_feed(polled, claimed.get(polled.feed.id, ()))
        for identifier, shown in self.appearances.items():
            item = self._new_item(identifier, shown)
            self.intake.items.append(item)
            owner = self._belongs_to(shown).feed.id
            self.intake.new_items_of[owner] = self.intake.new_items_of.get(owner, 0) + 1
        return self.intake

    def _take_feed(self, polled: Polled, claimed: tuple[Claim, ...]) -> None:
        feed = polled.feed
        meant = recognise(claimed, feed.id, lambda claim: self._near(claim, feed.id), feed.listing)
        strikes = self._strikes(feed, claimed, meant)
        feed = replace(feed, restamp_strikes=strikes)  # from this poll on
        known_or_new = [not self._was_let_go(feed, claim, one) for claim, one in zip(claimed, meant, strict=True)]
        # What was let go and is still listed, or again, is no news; it only shows that nothing was missed.
        listing = [
            entry_id(feed.url, feed.source.id, claim.entry_key)
            for claim, kept in zip(claimed, known_or_new, strict=True)
            if not kept
        ]
        pairs = list(compress(zip(claimed, meant, strict=True), known_or_new))
        news = self._news(feed, [claim.entry for claim, known in pairs if known.entry is None])
        feed = replace(feed, news_hours=remembered(feed.news_hours, news, self.params.rhythm))
        for claim, known in pairs:
            if known.entry is not None:
                listing.append(known.entry.id)
                self._seen_again(feed, claim, known.entry)
            else:
                listing.append(self._new_entry(feed, claim, known.item))
        if all(one.entry and one.entry.content_sha == content_sha(claim.entry) for claim, one in pairs):
            self.intake.quiet.add(feed.id)
        if (from_at := hole_before(feed, listing)) is not None and from_at < self.now:
            self.intake.holes.append(Hole(feed.id, from_at, self.now))
        still = listing if polled.parsed is not None else feed.listing
        feed = replace(feed, hurry=hurry_after(feed, still, self.now, self.params))
        self.intake.feeds.append(after_success(feed, polled, listing, strikes, self.now, self.params))

    def _was_let_go(self, feed: FeedState, claim: Claim, known: Recognised[StoredEntry]) -> bool:
        if not self.known.let_go or known.entry or known.item or claim.identity in self.known.by_identity:
            return False
        return not self.known.let_go.isdisjoint(keys_of_claim(claim, feed.url, feed.source.id))

    def _near(self, claim: Claim, feed_id: int) -> list[StoredEntry]:
        """The stored entries that a claim may mean."""
        face = face_of(claim.entry, claim.link_key)
        keys = _lookup_keys(feed_id, claim.entry_key, claim.guid, claim.link_key, face)
        return list({entry.id: entry for key in keys for entry in self.candidates.get(key, ())}.values())

    def _strikes(self, feed: FeedState, claimed: Sequence[Claim], meant: Sequence[Recognised[StoredEntry]]) -> int:
        dates = {
            claim.entry_key: claim.entry.published.at
            for claim in claimed
            if claim.entry.published and not claim.entry.published.relative  # "3 hours ago" moves by its nature
        }
        if not feed.listing:
            fresh = stamped(dates.values(), self.now, self.params)
            return self.params.restamp_strikes if fresh else feed.restamp_strikes
        before_and_now = [
            (known.entry.claimed_at, dates[claim.entry_key])
            for claim, known in zip(claimed, meant, strict=True)
            if known.entry is not None and known.entry.claimed_at is not None and claim.entry_key in dates
        ]
        later = sum(now > before for before, now in before_and_now)
        return strikes_after(feed, len(before_and_now), later, self.params)

    def _seen_again(self, feed: FeedState, claim: Claim, stored: StoredEntry) -> None:
        """An entry its feed showed before: an edit is a revision, a later date is only noted."""
        entry, sha = claim.entry, content_sha(claim.entry)
        item = self._item(stored.item_id)
        if feed.source.id == item.source:
            if sha != stored.content_sha:
                item = self._revised(item, entry)
            if _elsewhere(claim.link_key, stored.link_key):
                moved = replace(item, url=entry.canonical or entry.link)
                item = self._change(item, moved, "moved by its source", "url")
        self._earlier(item, feed, entry)
        changed = replace(
            stored,
            guid=stored.guid if entry.guid is None else claim.guid,  # one that proved to be shared is forgotten
            link_key=claim.link_key or stored.link_key,
            title=entry.title or stored.title,
            claimed_at=entry.published.at if entry.published else stored.claimed_at,
            content_sha=sha,
        )
        if changed != stored:
            self.intake.changed_entries[stored.id] = changed

    def _new_entry(self, feed: FeedState, claim: Claim, twin: ItemId | None) -> int:
        """An entry its feed never showed: of an item known from elsewhere, met in this run, or new."""
        entry = claim.entry
        known_item = twin or self.known.by_identity.get(claim.identity)
        identifier = known_item or self.new_by_link.get(claim.link_key or "") or item_id(claim.identity)
        key = self._free_key(feed.id, claim)
        number = entry_id(feed.url, feed.source.id, key)
        self.intake.entries.append(
            StoredEntry(
                id=number,
                feed_id=feed.id,
                entry_key=key,
                item_id=identifier,
                guid=claim.guid,
                link_key=claim.link_key,
                title=entry.title or "",
                claimed_at=entry.published.at if entry.published else None,
                content_sha=content_sha(entry),
            )
        )
        self.intake.links[number] = entry.link
        if known_item is not None:
            self._earlier(self._attributed(self._item(known_item), feed, entry), feed, entry)
        else:
            shown = _Appearance(feed, claim, self._effective(feed, entry, self.now))
            self.appearances.setdefault(identifier, []).append(shown)
            if claim.link_key is not None:
                self.new_by_link.setdefault(claim.link_key, identifier)
        return number

    def _free_key(self, feed_id: int, claim: Claim) -> str:
        """The entry key, made longer where its feed used it before for another article."""
        if all(entry.entry_key != claim.entry_key for entry in self._near(claim, feed_id) if entry.feed_id == feed_id):
            return claim.entry_key
        return f"{claim.entry_key} {claim.link_key or claim.entry.title}"

    def _effective(self, feed: FeedState, entry: Entry, first_seen: datetime) -> Effective:
        if feed.dates_move(self.params):
            return Effective(first_seen, False, "its feed stamps what it lists anew, so the time we first saw it")
        return effective_time(entry.published, first_seen)

    def _news(self, feed: FeedState, entries: Sequence[Entry]) -> list[datetime]:
        """When entries new to their feed were news; of a first listing only dated ones can tell."""
        found = [self._effective(feed, entry, self.now) for entry in entries]
        return [one.at for one in found if one.dated or feed.first_success_at is not None]

    def _item(self, identifier: ItemId) -> Item:
        return self.intake.changed_items.get(identifier) or self.known.items[identifier]

    def _change(self, item: Item, changed: Item, because: str, *fields: str) -> Item:
        for name in fields:
            before, after = _written(getattr(item, name)), _written(getattr(changed, name))
            if before != after:
                self.intake.revisions.append(Revision(item.id, _COLUMN.get(name, name), before, after, because))
        self.intake.changed_items[item.id] = changed
        return changed

    def _revised(self, item: Item, entry: Entry) -> Item:
        """The item with what its own source now says; what the source leaves out stays."""
        changed = replace(
            item,
            title=entry.title or item.title,
            summary=entry.summary or item.summary,
            text=entry.text or item.text,
            html=entry.html or item.html,
        )
        return self._change(item, changed, "edited by its source", "title", "summary", "text")

    def _earlier(self, item: Item, feed: FeedState, entry: Entry) -> None:
        """Moves the effective time back when a feed claims an earlier one that can be believed; never forward.

        A backlog item counts once it has a date; one after we first saw it is none.
        """
        claim = self._effective(feed, entry, item.first_seen_at)
        believed = claim.dated and entry.published is not None and entry.published.at <= item.first_seen_at
        if not believed or not (claim.at < item.effective_at or item.backlog):
            return
        changed = replace(
            item,
            effective_at=min(claim.at, item.effective_at),
            effective_because=f"{feed.source.id}: {claim.because}",
            published=item.published or entry.published,
            backlog=False,
        )
        because = f"{feed.source.id} gave " + ("a date" if item.backlog else "an earlier date")
        self._change(item, changed, because, "effective_at", "backlog")

    def _attributed(self, item: Item, feed: FeedState, entry: Entry) -> Item:
        """An article first met elsewhere goes to the source on whose site it stands."""
        source = feed.source.id
        if item.source == source or not self._stands_on(item.url, source) or self._stands_on(item.url, item.source):
            return item
        changed = replace(
            item,
            source=feed.source.id,
            author=entry.author,
            publisher=entry.publisher,
            publisher_url=entry.publisher_url,
        )
        return self._change(item, changed, f"stands on the site of {feed.source.id}", "source")

    def _new_item(self, identifier: ItemId, shown: Sequence[_Appearance]) -> Item:
        """The item of these appearances: attributed to one, dated by the earliest believable claim of all."""
        home = self._belongs_to(shown)
        entry, source = home.claim.entry, home.feed.source
        dated = [one for one in shown if one.effective.dated]
        dating = min(dated, key=lambda one: (one.effective.at, one is not home)) if dated else home
        because = dating.effective.because
        first_fetch = all(one.feed.first_success_at is None for one in shown)
        return Item(
            id=identifier,
            identity=home.claim.identity,
            url=entry.canonical or entry.link,
            title=entry.title or "",
            summary=entry.summary,
            text=entry.text,
            html=entry.html,
            language=language_of(f"{entry.title or ''} {entry.summary}", entry.language or source.language),
            source=source.id,
            author=entry.author,
            publisher=entry.publisher,
            publisher_url=entry.publisher_url,
            published=home.claim.entry.published or dating.claim.entry.published,
            first_seen_at=self.now,
            effective_at=dating.effective.at,
            effective_because=because if dating is home else f"{dating.feed.source.id}: {because}",
            backlog=not dated and first_fetch,
        )

    def _belongs_to(self, shown: Sequence[_Appearance]) -> _Appearance:
        """The appearance whose source owns the item: on its own site first, else the earliest, then the source's id."""

        def rank(one: _Appearance) -> tuple[bool, datetime, SourceId, str]:
            url = one.claim.entry.canonical or one.claim.entry.link
            at_home = self._stands_on(url, one.feed.source.id)
            return (not at_home, one.effective.at, one.feed.source.id, one.feed.url)

        return min(shown, key=rank)

    def _stands_on(self, url: Url | None, source: SourceId) -> bool:
        """Whether the address is on the source's own site (the hosts are equal but for www)."""
        host = host_of(url)
        return host is not None and host in self.hosts.get(source, ())


def _lookup_keys(feed_id: int, entry_key: str, guid: str | None, link_key: str | None, face: str | None) -> list[str]:
    keys = [f"{feed_id} key {entry_key}"]
    if guid is not None:
        keys.append(f"{feed_id} guid {guid}")
    if link_key is not None:
        keys.append(f"link {link_key}")
    if face is not None:
        keys.append(f"{feed_id} face {face}")
    return keys


def _elsewhere(one: str | None, two: str | None) -> bool:
    """Whether two link keys name different pages; a query that changes from poll to poll is none."""
    return one is not None and two is not None and one.split("?")[0] != two.split("?")[0]


def _written(value: object) -> str | None:
    """A field's value as the revision log spells it."""
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, bool):
        return str(int(value))
    return None if value is None else str(value)


_COLUMN = {"source": "source_id"}  # fields whose column has another name
