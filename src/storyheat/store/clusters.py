"""The clusterer's memory in the database: open stories, and in how many stories a term occurs."""

from collections.abc import Iterable

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from storyheat.core.clustering.dormant import Sleeper, remembered
from storyheat.core.clustering.state import StoryState
from storyheat.core.clustering.vectors import Counts
from storyheat.store.conclusions import StoryStateRow, TermRow
from storyheat.store.rows import SOME, batches, rows_of, table

STATE, TERM = table(StoryStateRow), table(TermRow)
ALL_STORIES = ""  # the row of the table `term` that counts the stories themselves
_COUNTS = select(TERM.c.term, TERM.c.stories).where(TERM.c.term.in_(SOME))
_NEW_COUNT = sqlite_insert(TERM)
_COUNTED = _NEW_COUNT.on_conflict_do_update(index_elements=["term"], set_={"stories": _NEW_COUNT.excluded.stories})


def remembered_stories(connection: Connection) -> list[StoryState | Sleeper]:
    """The stories that the clusterer remembers, open and closed."""
    shared: dict[str, str] = {}
    return [remembered(row.state, shared) for row in connection.execute(select(STATE).order_by(STATE.c.story_id))]


def counts_for(connection: Connection, terms: Iterable[str]) -> Counts:
    """The counts of the given terms, and of all stories."""
    found = _counts(connection, {ALL_STORIES, *terms})
    total = found.pop(ALL_STORIES, 0.0)
    return Counts(total=total, df=found)


def add_counts(connection: Connection, counts: Counts, terms: Iterable[str], least: float) -> None:
    """Adds the counts of further terms, as they would be had they been there from the start; `least` as below."""
    for term, stories in _counts(connection, terms).items():
        halved = stories / 2**counts.halvings
        if not counts.halvings or halved >= least:
            counts.df.setdefault(term, halved)


def _counts(connection: Connection, terms: Iterable[str]) -> dict[str, float]:
    return {row.term: row.stories for row in rows_of(connection, _COUNTS, terms)}


def write_states(connection: Connection, changed: Iterable[StoryState | Sleeper], closed: Iterable[str]) -> None:
    """Writes the states that changed and forgets the closed ones."""
    states = sorted(changed, key=lambda state: state.id)
    for batch in batches([*closed, *(state.id for state in states)]):
        connection.execute(delete(STATE).where(STATE.c.story_id.in_(batch)))
    if states:
        connection.execute(insert(STATE), [{"story_id": one.id, "state": one.to_bytes()} for one in states])


def write_counts(connection: Connection, counts: Counts, least: float) -> None:
    """Writes the counts that changed. `least`: a count below it after a halving is forgotten."""
    for _ in range(counts.halvings):
        connection.execute(update(TERM).values(stories=TERM.c.stories / 2))
        connection.execute(delete(TERM).where(TERM.c.stories < least, TERM.c.term != ALL_STORIES))
    rows = [{"term": term, "stories": counts.df[term]} for term in sorted(counts.changed) if term in counts.df]
    connection.execute(_COUNTED, [*rows, {"term": ALL_STORIES, "stories": counts.total}])
    counts.saved()
