"""Which entries are the same article? Keys that recognise an entry, and the ids made from them.

Order of trust: an address that tells the articles of its feed apart, then a guid that is neither blank nor
shared nor used again for something else, then title and date.
"""

import base64
import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

from storyheat.core.addresses.urls import identity_key
from storyheat.core.items.faces import face_key, face_of, is_lasting
from storyheat.core.model import Entry, ItemId, SourceId, StoryId, Url

ID_LETTERS = 11  # 55 bits: among a million items a clash has a chance of 1 in 70,000


@dataclass(frozen=True, slots=True)
class Claim:
    """How one entry of one document may be recognised.

    `link_key` and `guid` are None where they do not tell the entries of their document apart.
    """

    entry: Entry
    entry_key: str
    identity: str
    link_key: str | None
    guid: str | None


@dataclass(frozen=True, slots=True)
class KnownEntry:
    """What is stored of an entry, as far as recognising it needs."""

    id: int
    feed_id: int
    entry_key: str
    item_id: ItemId
    guid: str | None
    link_key: str | None
    title: str
    claimed_at: datetime | None


Stored = TypeVar("Stored", bound=KnownEntry)


@dataclass(frozen=True, slots=True)
class Recognised(Generic[Stored]):
    """What a claim means: an entry its feed showed before, else an entry new to it of a known item, else news."""

    entry: Stored | None
    item: ItemId | None


def claims(entries: Sequence[Entry], source: SourceId, homes: Iterable[Url]) -> tuple[Claim, ...]:
    """The keys of a document's entries, in its order; an element repeated word for word comes once.

    `homes` are addresses that are no article: the source's site, the feed's own page.
    """
    home_keys = {identity_key(home) for home in homes}
    links = [_link_key(entry) for entry in entries]
    names_of_link: dict[str, set[str]] = defaultdict(set)
    faces_of_link: dict[str, set[str]] = defaultdict(set)
    links_of_guid: dict[str, set[str]] = defaultdict(set)
    for entry, link in zip(entries, links, strict=True):
        if link is not None:
            names_of_link[link].add(_name(entry, link))
            faces_of_link[link].add(_face(entry))
        if entry.guid is not None:
            links_of_guid[entry.guid].add(link or f"title {entry.title}")
    made: dict[str, Claim] = {}
    for entry, link in zip(entries, links, strict=True):
        link_tells = (
            link is not None
            and link not in home_keys
            and (len(names_of_link[link]) == 1 or len(faces_of_link[link]) == 1)
        )
        guid_tells = entry.guid is not None and len(links_of_guid[entry.guid]) == 1
        claim = _claim(entry, source, link if link_tells else None, guid_tells)
        made.setdefault(claim.entry_key, claim)
    return tuple(made.values())


def _claim(entry: Entry, source: SourceId, link_key: str | None, guid_tells: bool) -> Claim:
    guid = entry.guid if guid_tells else None
    if guid is not None:
        entry_key = f"guid {guid}"
    elif link_key is not None:
        entry_key = f"link {link_key}" if entry.guid is None else f"guid {entry.guid} {link_key}"
    else:
        entry_key = f"text {_text_key(entry)}"
    identity = link_key if link_key is not None else f"{source} {entry_key}"
    return Claim(entry, entry_key, identity, link_key, guid)


def _name(entry: Entry, link_key: str) -> str:
    """What tells an entry from others of its address; of a guid that is this address once more only its anchor does."""
    if entry.guid is None:
        return f"title {entry.title}"
    return f"#{entry.guid.partition('#')[2]}" if identity_key(entry.guid) == link_key else entry.guid


def _link_key(entry: Entry) -> str | None:
    address = entry.canonical or entry.link
    return None if address is None else identity_key(address)


def _face(entry: Entry) -> str:
    """What a reader sees of an entry: two elements of one address and one face are one article twice."""
    words = entry.title or entry.summary or f"guid {entry.guid}"
    return f"{words}\n{entry.published.at.isoformat() if entry.published else ''}"


def _text_key(entry: Entry) -> str:
    date = entry.published.at.isoformat() if entry.published else ""
    words = (entry.title or entry.summary, date, entry.guid or "", entry.link or "")
    return hashlib.sha256("\n".join(words).encode()).hexdigest()


def recognise(
    claimed: Sequence[Claim],
    feed_id: int,
    candidates: Callable[[Claim], Iterable[Stored]],
    listed: Collection[int] = (),
) -> tuple[Recognised[Stored], ...]:
    """What each claim of one document means, in their order.

    `candidates` gives stored entries that share the entry key, the guid or the face (in the same feed) or the link
    key (in any). A guid goes before an address, and no two claims mean one entry: where a document shows both
    the known guid and a new one at one address, the new one is an entry of its own. An entry of the listing before,
    `listed`, that is listed no longer and whose face only one new entry has is that one: guid and query were changed.
    """
    known = [sorted(candidates(claim), key=lambda entry: entry.id) for claim in claimed]
    found: list[Stored | None] = [None] * len(claimed)
    taken: set[int] = set()
    for same in (_same_name, _same_link):
        for place, claim in enumerate(claimed):
            if found[place] is None:
                fitting = [e for e in known[place] if e.feed_id == feed_id and e.id not in taken and same(claim, e)]
                if fitting:
                    best = min(fitting, key=lambda entry: (not _same_link(claim, entry), entry.id))
                    if not _dealt_anew(claim, best, known[place], feed_id):
                        found[place] = best
                        taken.add(best.id)
    faces = Counter(face_of(claim.entry, claim.link_key) for claim in claimed)
    for place, claim in enumerate(claimed):
        face = face_of(claim.entry, claim.link_key)
        if found[place] is None and face is not None and faces[face] == 1:
            gone = [e for e in known[place] if e.feed_id == feed_id and e.id in listed and e.id not in taken]
            same_face = [e for e in gone if face_key(e.link_key, e.title, e.claimed_at) == face]
            if len(same_face) == 1 and not any(_same_link(claim, e) for e in known[place]):
                found[place] = same_face[0]
                taken.add(same_face[0].id)
    return tuple(
        Recognised(entry, next((e.item_id for e in near if _same_link(claim, e)), None) if entry is None else None)
        for claim, near, entry in zip(claimed, known, found, strict=True)
    )


def _same_link(claim: Claim, entry: KnownEntry) -> bool:
    return claim.link_key is not None and claim.link_key == entry.link_key


def _same_name(claim: Claim, entry: KnownEntry) -> bool:
    if claim.guid is None:
        return claim.entry_key == entry.entry_key
    return claim.guid == entry.guid and not _guid_used_again(claim, entry)


def _dealt_anew(claim: Claim, named: KnownEntry, known: Iterable[KnownEntry], feed_id: int) -> bool:
    """Whether guids were dealt anew: not the entry that had this one is the claimed article, but another one."""

    def shown_as(entry: KnownEntry) -> bool:
        if entry.title != (claim.entry.title or ""):
            return False
        face = face_of(claim.entry, claim.link_key)
        own = face_key(entry.link_key, entry.title, entry.claimed_at)
        return _same_link(claim, entry) or (face is not None and own == face)

    if claim.guid is None or is_lasting(claim.guid) or _same_link(claim, named) or shown_as(named):
        return False
    return any(entry.feed_id == feed_id and shown_as(entry) for entry in known)


def _guid_used_again(claim: Claim, entry: KnownEntry) -> bool:
    """A counter such as "3" may name another article tomorrow; an address, a UUID or a hash does not.

    An edit changes address or title, another article changes both and has a date of its own.
    """
    published = claim.entry.published
    if is_lasting(claim.guid or ""):
        return False
    if claim.link_key is None or entry.link_key is None or claim.link_key == entry.link_key:
        return False
    same_date = published is not None and published.at == entry.claimed_at
    return (claim.entry.title or "") != entry.title and not same_date


def item_id(identity: str) -> ItemId:
    """The id of the item with this identity: short, stable, lower case."""
    return ItemId("i" + _letters(identity))


def story_id(founding: ItemId, part: int = 1) -> StoryId:
    """The id of the story that this item founds; `part`: of a further story that it founds when one is split."""
    return StoryId("s" + (founding[1:] if part == 1 else _letters(f"{founding} {part}")))


def founding_item(story: StoryId) -> ItemId:
    """The item that a story of this id is founded by, unless it is a `part`."""
    return ItemId("i" + story[1:])


def entry_id(feed_url: Url, source: SourceId, entry_key: str) -> int:
    """A positive 63-bit number for an entry, the same in every database."""
    digest = hashlib.sha256(f"{source}\n{feed_url}\n{entry_key}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


def content_sha(entry: Entry) -> str:
    """A fingerprint of what an entry says, to see edits; dates are not part of it."""
    return hashlib.sha256(f"{entry.title}\n{entry.summary}\n{entry.text}".encode()).hexdigest()[:32]


def _letters(identity: str) -> str:
    return base64.b32encode(hashlib.sha256(identity.encode()).digest()).decode().lower()[:ID_LETTERS]
