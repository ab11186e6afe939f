"""What the clusterer remembers of one story, bounded, and as bytes for the database."""

import json
from dataclasses import dataclass, field, replace
from itertools import accumulate, pairwise
from struct import Struct, pack, unpack_from

from storyheat.core.clustering.meaning import Meaning, StoryMeaning
from storyheat.core.clustering.vectors import SCALE, Vector, norm, rounded, weights_of

VERSION = 4
_HEAD = Struct("<BBI")  # version, width of the numbers, length of the record
_CODES = "HIQ"  # numbers by their width, 0 to 2: 16, 32 or 64 bits


@dataclass(frozen=True, slots=True)
class StateParams:
    """Bounds of a story's memory."""

    centroid_terms: int = 150  # prototype
    anchors: int = 120  # own choice
    sources: int = 50  # own choice
    references: int = 100  # own choice
    editions: int = 20  # own choice
    headline: int = 24  # terms of the first report's title; own choice
    restated: int = 200  # reports that a corrected story is remembered by: its first and its newest; for time


@dataclass(slots=True)
class StoryState:
    """The clusterer's memory of one story. Times are whole seconds since 1970 UTC, None without times.

    Everything that a decision looks at is in these fields, so a story read back from its bytes decides alike.
    """

    id: str
    size: int  # reports placed in it
    first: int | None
    last: int | None
    touched: int  # rank of the last change among all changes of the clusterer
    centroid: Vector  # sum of the members' unit vectors, heaviest terms
    repeated: dict[str, int]  # term of the centroid that several members have → how many
    anchors: dict[str, int]  # name → members that have it
    root: Vector  # first member
    headline: Vector  # terms of the first member's title → their shares of its weight
    sources: dict[str, None]
    periodic: bool
    dormant: bool  # closed, and shortened
    languages: dict[str | None, None]  # of members with vectors, as primary subtags; None: unknown, in Latin letters
    editions: dict[str, None]  # what the members' titles say of series, the first ones
    references: dict[str, None]  # what the members point to, the first ones
    meaning: StoryMeaning | None = field(default=None, compare=False)  # None: without vectors
    length: float = field(default=1.0, compare=False)  # of the centroid; derived

    def __post_init__(self) -> None:
        self.length = norm(self.centroid) or 1.0

    def to_bytes(self) -> bytes:
        """This state as bytes, the same for equal states: a record in JSON, and numbers behind it."""
        alone = self.size == 1 and self.root == self.centroid
        root = {} if alone else self.root
        terms = list(dict.fromkeys([*self.centroid, *self.anchors, *root, *self.headline]))
        place = {term: i for i, term in enumerate(terms)}
        numbers = [round(weight * SCALE) for weight in self.centroid.values()]
        repeated = {term: self.repeated[term] for term in self.centroid if term in self.repeated}
        for counts in (repeated, self.anchors):
            numbers += [n for term, count in counts.items() for n in (place[term], count)]
        for vector in (root, self.headline):
            numbers += [n for term, weight in vector.items() for n in (place[term], round(weight * SCALE))]
        record: dict[str, object] = {
            "id": self.id,
            "n": self.size,
            "at": [self.first, self.last],
            "touched": self.touched,
            "terms": terms,
            "lengths": [len(one) for one in (self.centroid, repeated, self.anchors, root, self.headline)],
            "alone": alone,
            "sources": list(self.sources),
            "periodic": self.periodic,
            "dormant": self.dormant,
            "editions": list(self.editions),
            "languages": list(self.languages),
            "references": list(self.references),
        }
        if self.meaning is not None:
            record["meaning"] = self.meaning.packed()
        told = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
        width = next(width for width in range(len(_CODES)) if not max(numbers, default=0) >> (16 << width))
        return _HEAD.pack(VERSION, width, len(told)) + told + pack(f"<{len(numbers)}{_CODES[width]}", *numbers)


def from_bytes(data: bytes, shared: dict[str, str] | None = None) -> StoryState:
    """The state that `StoryState.to_bytes` wrote. Raises ValueError for another version or no state at all.

    `shared`: the terms of all states that are read together, so that one that many have takes memory once.
    """
    if len(data) < _HEAD.size or data[0] != VERSION:
        raise ValueError("not a story state of this version")
    _, width, length = _HEAD.unpack_from(data)
    record = json.loads(data[_HEAD.size : _HEAD.size + length].decode("utf-8", "surrogatepass"))
    count = (len(data) - _HEAD.size - length) // (2 << width)
    numbers = unpack_from(f"<{count}{_CODES[width]}", data, _HEAD.size + length)
    shared = {} if shared is None else shared
    terms = [shared.setdefault(term, term) for term in record["terms"]]
    size, *pairs = record["lengths"]
    centroid = dict(zip(terms, weights_of(numbers[:size]), strict=False))
    bounds = pairwise(accumulate(pairs, lambda start, number: start + 2 * number, initial=size))
    repeated, anchors, root, headline = (
        ([terms[i] for i in numbers[start:end:2]], numbers[start + 1 : end : 2]) for start, end in bounds
    )
    return StoryState(
        id=record["id"],
        size=record["n"],
        first=record["at"][0],
        last=record["at"][1],
        touched=record["touched"],
        centroid=centroid,
        repeated=dict(zip(*repeated, strict=True)),
        anchors=dict(zip(*anchors, strict=True)),
        root=centroid if record["alone"] else dict(zip(root[0], weights_of(root[1]), strict=True)),
        headline=dict(zip(headline[0], weights_of(headline[1]), strict=True)),
        sources=dict.fromkeys(record["sources"]),
        periodic=record["periodic"],
        dormant=record["dormant"],
        editions=dict.fromkeys(record["editions"]),
        languages=dict.fromkeys(record["languages"]),
        references=dict.fromkeys(record["references"]),
        meaning=StoryMeaning.unpacked(record["meaning"]) if "meaning" in record else None,
    )


@dataclass(frozen=True, slots=True)
class Member:
    """What a story remembers of one report."""

    at: int | None
    source: str  # "": unknown
    vector: Vector
    headline: Vector  # terms of the title → their shares of its weight
    anchors: tuple[str, ...]
    periodic: bool
    editions: tuple[str, ...] = ()
    language: str | None = None  # primary subtag; None: unknown, in Latin letters
    meaning: Meaning | None = None
    references: tuple[str, ...] = ()


def found(story: str, member: Member, touched: int, params: StateParams) -> StoryState:
    """The state of a story of one member."""
    return StoryState(
        id=story,
        size=1,
        first=member.at,
        last=member.at,
        touched=touched,
        centroid=member.vector,
        repeated={},
        anchors=dict.fromkeys(member.anchors[: params.anchors], 1),
        root=member.vector,
        headline=dict(list(member.headline.items())[: params.headline]),
        sources={member.source: None} if member.source else {},
        periodic=member.periodic,
        dormant=False,
        editions=dict.fromkeys(member.editions[: params.editions]),
        languages={member.language: None} if member.meaning else {},
        references=dict.fromkeys(member.references),
        meaning=StoryMeaning.of([member.meaning]) if member.meaning else None,
    )


def grow(state: StoryState, member: Member, touched: int, params: StateParams) -> None:
    """Adds one member to a state. `state` changes in place; the vector it had as centroid does not."""
    state.size += 1
    state.touched = touched
    state.periodic = state.periodic or member.periodic
    if member.at is not None:
        state.first = member.at if state.first is None else min(state.first, member.at)
        state.last = member.at if state.last is None else max(state.last, member.at)
    centroid = dict(state.centroid)
    for term, weight in member.vector.items():
        if term in centroid:
            centroid[term] = rounded(centroid[term] + weight)
            state.repeated[term] = state.repeated.get(term, 1) + 1
        else:
            centroid[term] = weight
    kept = sorted([(-weight, term) for term, weight in centroid.items()])[: params.centroid_terms]
    state.centroid = {term: -weight for weight, term in kept}
    state.repeated = {term: n for term, n in state.repeated.items() if term in state.centroid}
    state.length = norm(state.centroid) or 1.0
    for name in member.anchors:
        state.anchors[name] = state.anchors.get(name, 0) + 1
    ranked = sorted(state.anchors.items(), key=lambda pair: (-pair[1], pair[0]))
    state.anchors = dict(ranked[: params.anchors])
    state.editions = dict.fromkeys(list(dict.fromkeys([*state.editions, *member.editions]))[: params.editions])
    state.references = dict.fromkeys([*state.references, *member.references][: params.references])
    if member.meaning and state.meaning:
        state.meaning.add(member.meaning)
        state.languages[member.language] = None
    if member.source and len(state.sources) < params.sources:
        state.sources[member.source] = None


def shortened(state: StoryState, terms: int) -> StoryState:
    """What is kept of a story that closes: so many terms of each kind, no references, and no meaning."""
    centroid = dict(list(state.centroid.items())[:terms])
    return replace(
        state,
        centroid=centroid,
        repeated={term: n for term, n in state.repeated.items() if term in centroid},
        anchors=dict(list(state.anchors.items())[:terms]),
        root=dict(list(state.root.items())[:terms]),
        dormant=True,
        references={},
        meaning=None,
    )
