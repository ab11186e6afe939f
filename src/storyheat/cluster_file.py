"""The clusterer alone, on a file: reads items as JSON lines, places each once, writes labels as JSON lines."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO

from storyheat.background import background, known_names
from storyheat.core.clustering.clusterer import Clusterer
from storyheat.core.clustering.consolidated import Consolidated
from storyheat.core.clustering.meaning import Meaning, embedded_texts, meaning_of
from storyheat.core.clustering.model import ClusterParams, Doc
from storyheat.core.items.copies import CopyParams, Sketch, sketch
from storyheat.core.items.copy_index import CopyIndex
from storyheat.core.model import ItemId, Role
from storyheat.errors import UsageError, WorkError
from storyheat.json_lines import lines_of, opened, row_of
from storyheat.ports import Embedder

COPIES = CopyParams()
_STRINGS = ("title", "text", "source")
_MEANINGS = 4096  # kept of the items last embedded, as those looked at again are embedded again otherwise


@dataclass(frozen=True, slots=True)
class Summary:
    """What came of one file."""

    items: int
    stories: int
    mentions: int  # items that are only a mention


@dataclass(slots=True)
class _Place:
    """Where a line stands, and when its turn is."""

    at: datetime
    dated: bool
    id: str
    offset: int
    line: int

    def turn(self) -> tuple[datetime, bool, str, int]:
        """Dated items in the order of (published, id); undated ones after what stands before them in the file."""
        return (self.at, not self.dated, self.id if self.dated else "", self.line)


def cluster_file(
    source: Path,
    target: Path,
    params: ClusterParams | None = None,
    progress: Callable[[int, int], None] | None = None,
    embedder: Embedder | None = None,
    *,
    consolidated: bool = False,
) -> Summary:
    """Clusters the items of `source` in one pass and writes one line each to `target`, in the order placed.

    Lines in: {id, published, title, text, source, url, lang}; only `id` must be there; `"digest": true` marks an
    item of a collection. Lines out: {id, story, role, mentions, nearest, z}; a story's id is that of its founding
    item; `nearest` is the story that fits best, joined from a score `z` of 0 on (null: none, or a copy). With an
    embedder items are compared by what they are about as well. Only positions are kept in memory, never the texts.
    With `consolidated` stories that prove to be one are merged as the stream goes by, and labels are written after
    that. `progress` is told (placed, all).

    Raises UsageError naming the line for anything that cannot be read as an item, WorkError if writing fails.
    """
    if source.resolve() == target.resolve():
        raise UsageError(f"{target}: would overwrite its own input; give another name after -o")
    with opened(source) as lines:
        stream = _Stream(lines, source, _survey(lines, source))
        clusterer = make_clusterer(params, embedder)
        merges = Consolidated(clusterer, stream.doc) if consolidated else None
        try:
            with _in_the_making(target) as part:
                with part.open("w", encoding="ascii", newline="\n") as out:
                    summary = _place_all(stream, clusterer, merges, out.write, progress)
                if merges is not None:
                    summary = replace(summary, stories=summary.stories - merges.look_again())
                    online = part.rename(part.with_suffix(".online"))
                    _write_merged(online, part, merges.story)
        except OSError as error:
            raise WorkError(f"{target}: cannot be written: {error.strerror}") from error
    return summary


@contextmanager
def _in_the_making(target: Path) -> Iterator[Path]:
    """A file for what shall stand in `target`: it takes its place in the end, or is copied to a pipe or device."""
    is_plain = target.is_file() or not target.exists()
    with TemporaryDirectory(prefix=".storyheat-", dir=target.parent if is_plain else None) as folder:
        part = Path(folder) / "part"
        yield part
        if is_plain:
            part.replace(target)
        else:
            with part.open("rb") as labels, target.open("wb") as out:
                copyfileobj(labels, out)


def make_clusterer(params: ClusterParams | None = None, embedder: Embedder | None = None) -> Clusterer:
    """A clusterer that knows no story yet. Without names in `params` it knows those that ship."""

    @lru_cache(maxsize=_MEANINGS)
    def meaning(doc: Doc) -> Meaning:
        assert embedder is not None
        return meaning_of(embedded_texts(doc.title, doc.text), embedder.embed)

    numbers = params or ClusterParams()
    known = numbers if numbers.names.forms else replace(numbers, names=known_names())
    return Clusterer(background(), params=known, meaning_of=meaning if embedder else None)


@dataclass(frozen=True, slots=True)
class _Stream:
    """The items of a file, read again where they stand."""

    lines: BinaryIO
    source: Path
    places: dict[str, _Place]  # by id, in the order of their turn

    def doc(self, item: str) -> Doc:
        place = self.places[item]
        self.lines.seek(place.offset)
        where = f"{self.source}:{place.line}"
        return _doc(row_of(self.lines.readline(), where), where)

    def sketch(self, item: ItemId) -> Sketch:
        doc = self.doc(item)
        return sketch(doc.title, doc.text, COPIES)


def _place_all(
    stream: _Stream,
    clusterer: Clusterer,
    merges: Consolidated | None,
    write: Callable[[str], Any],
    progress: Callable[[int, int], None] | None,
) -> Summary:
    copies = CopyIndex(stream.sketch, COPIES)
    labels: dict[str, tuple[str | None, list[str]]] = {}  # story and mentions of what may be copied
    stories = mentions = 0
    for done, place in enumerate(stream.places.values(), start=1):
        doc = stream.doc(place.id)
        if merges is not None:
            merges.before(doc.at)
        drawn = sketch(doc.title, doc.text, COPIES)
        like = copies.find_or_add(ItemId(doc.id), drawn, place.at) if drawn.bands else None
        if like is None:
            placed = clusterer.place(doc, doc.id)
            clusterer.take_changes()
            clusterer.counts.saved()
            stories += placed.founded
            if merges is not None and placed.story is not None:
                merges.placed(doc.id, placed.story)
            near = {name: placed.because.get(name) for name in ("nearest", "z")}
            role, label = placed.role, (placed.story, [mention.story for mention in placed.mentions])
        else:
            label, near = labels[like.like], {"nearest": None, "z": None}
            role = Role.MENTION if label[0] is None else Role.COPY
        if drawn.bands:
            labels[doc.id] = label
        mentions += label[0] is None
        line = {"id": doc.id, "story": label[0], "role": role.value, "mentions": label[1], **near}
        write(json.dumps(line) + "\n")
        if progress is not None:
            progress(done, len(stream.places))
    return Summary(len(stream.places), stories, mentions)


def _write_merged(online: Path, target: Path, story_now: Callable[[str], str]) -> None:
    """Writes lines anew with the stories that merged ids lead to; a report does not mention its own story."""
    with online.open(encoding="ascii") as lines, target.open("w", encoding="ascii", newline="\n") as out:
        for text in lines:
            line = json.loads(text)
            own = None if line["story"] is None else story_now(line["story"])
            mentions = [story for story in dict.fromkeys(map(story_now, line["mentions"])) if story != own]
            nearest = None if line["nearest"] is None else story_now(line["nearest"])
            out.write(json.dumps(line | {"story": own, "mentions": mentions, "nearest": nearest}) + "\n")


def _survey(lines: BinaryIO, source: Path) -> dict[str, _Place]:
    """Checks every line and gives the items by id, in the order of their turn."""
    if not lines.seekable():
        raise UsageError(f"{source}: is read twice and so must be a file, not a pipe")
    places: dict[str, _Place] = {}
    latest = datetime.min.replace(tzinfo=UTC)
    for line in lines_of(lines, source):
        doc = _doc(line.row, line.where)
        if doc.id in places:
            raise UsageError(f"{line.where}: the id {doc.id!a} stands on line {places[doc.id].line} already")
        latest = doc.at or latest
        places[doc.id] = _Place(latest, doc.at is not None, doc.id, line.offset, line.number)
    return {place.id: place for place in sorted(places.values(), key=_Place.turn)}


def _doc(row: dict[str, Any], where: str) -> Doc:
    """One object as an item."""
    item = row.get("id")
    if not isinstance(item, str) or not item:
        raise UsageError(f'{where}: "id" must be a text that is not empty')
    for name in (*_STRINGS, "lang", "url"):
        if not isinstance(row.get(name), str | None):
            raise UsageError(f'{where}: "{name}" must be a text or null')
    if not isinstance(row.get("digest", False), bool):
        raise UsageError(f'{where}: "digest" must be true or false')
    title, text, owner = (row.get(name) or "" for name in _STRINGS)
    return Doc(
        item, _instant(row.get("published"), where), title, text, owner,
        row.get("digest", False), row.get("lang"), row.get("url") or None,
    )  # fmt: skip


def _instant(published: object, where: str) -> datetime | None:
    """A published time; one without a zone is taken as UTC."""
    if published is None:
        return None
    try:
        if not isinstance(published, str):
            raise ValueError
        at = datetime.fromisoformat(published)
        return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        hint = '"published" must be null or an ISO time such as 2026-10-21T08:00:00Z'
        raise UsageError(f"{where}: {hint}") from error
