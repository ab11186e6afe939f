"""What can be counted for those who watch over storyheat itself."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, func, select

from storyheat.store.conclusions import MeasureRow, StoryRow
from storyheat.store.facts import FetchRow, RunRow
from storyheat.store.rows import table

FETCH, RUN, STORY, MEASURE = table(FetchRow), table(RunRow), table(StoryRow), table(MeasureRow)
MOST_FETCHES = 20_000  # looked at; older ones are not counted


@dataclass(frozen=True, slots=True)
class Tally:
    """Stories ever founded, those with heat at the last run, when that was, and polls of a span by outcome.

    Seconds are measured; those of fetches are of all of them together.
    """

    stories: int
    hot: int
    last_run_at: datetime | None
    last_run_seconds: float | None
    fetches: Mapping[str, int]
    fetch_seconds: float


def tally(connection: Connection, at: datetime, span: timedelta) -> Tally:
    """Counts; the polls in the `span` before `at`."""
    newest = connection.execute(select(func.max(FETCH.c.id))).scalar() or 0
    recent = (FETCH.c.id > newest - MOST_FETCHES, FETCH.c.at > at - span, FETCH.c.at <= at)
    polls = select(FETCH.c.outcome, func.count(), func.sum(FETCH.c.seconds)).where(*recent).group_by(FETCH.c.outcome)
    rows = sorted((str(row[0]), int(row[1]), float(row[2])) for row in connection.execute(polls))
    run = connection.execute(select(RUN.c.started_at, RUN.c.seconds).order_by(RUN.c.id.desc()).limit(1)).first()
    return Tally(
        stories=int(connection.execute(select(func.count()).select_from(STORY)).scalar_one()),
        hot=int(connection.execute(select(func.count()).select_from(MEASURE)).scalar_one()),
        last_run_at=None if run is None else run.started_at,
        last_run_seconds=None if run is None else run.seconds,
        fetches={outcome: count for outcome, count, _ in rows},
        fetch_seconds=sum(seconds for _, _, seconds in rows),
    )
