"""The last stage of a run, once a day: lets go what is older than it is kept.

The order of steps keeps `rebuild` true: before a text or an item goes, all decisions are settled, so that
nothing has to be decided again from what is no longer there.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime

from storyheat.core.heat.figures import memory
from storyheat.core.heat.rule import HeatRule
from storyheat.core.items.retention import DAY, Retention, before, day_of, stride_is_due
from storyheat.store import briefs, horizons, retention
from storyheat.store.database import Database, Transaction

STEP = 1000  # items or stories in one transaction, so that nobody waits long


@dataclass(slots=True)
class LetGo:
    """What was let go, in counts; texts and html are those of items that stay."""

    html: int = 0
    texts: int = 0
    items: int = 0
    stories: int = 0
    hours: int = 0
    fetches: int = 0
    runs: int = 0

    def __bool__(self) -> bool:
        return any(asdict(self).values())


def keep_house(database: Database, now: datetime, rule: HeatRule, params: Retention) -> LetGo:
    """Keeps house if that was not done today, in short transactions; cut off, the next run of the day goes on.

    What is due on a day does not depend on the hour, so an interrupted day ends as any other.
    """
    with database.read() as connection:
        done = horizons.horizon(connection, "house") == day_of(now)
        # A clock that jumped ahead makes everything old at once: it must have been right for a while.
        proven = retention.ran_between(connection, now - 2 * params.proof, now - params.proof)
    if done or not proven:
        return LetGo()
    return _House(database, now, rule, params).keep()


class _House:
    """The working state of one `keep_house`."""

    def __init__(self, database: Database, now: datetime, rule: HeatRule, params: Retention) -> None:
        self.database, self.now, self.params = database, now, params
        # What has heat stays, however short items are kept.
        self.items = None if params.items is None else max(params.items, memory(rule) + DAY)
        self.gone = LetGo()

    def keep(self) -> LetGo:
        """Decides what goes today, and then lets it go step by step."""
        with self.database.write() as connection:
            settled = horizons.horizon(connection, "decisions")
            if settled is None or settled < day_of(self.now):
                self._decide(connection)
            items, texts = (horizons.horizon(connection, what) for what in ("items", "texts"))
        if items is not None:
            self._remove_items(items)
        if texts is not None:
            self.gone.texts = self._empty(retention.empty_texts, texts)
        self._html()
        self._logs()
        with self.database.write() as connection:
            horizons.note_day(connection, day_of(self.now))
        return self.gone

    def _decide(self, connection: Transaction) -> None:
        """Moves the horizons of items and texts if one is due, and settles all decisions with them."""
        ends = {}
        end = before(self.now, self.items)
        if end is not None and stride_is_due(retention.first_item(connection), self.now, self.items, self.params):
            going = retention.going_before(connection, end, remembered=True)
            if stride_is_due(retention.oldest_of(connection, going.items()), self.now, self.items, self.params):
                ends["items"] = ends["texts"] = self._at_most(connection, "items", end)
        end, since = before(self.now, self.params.texts), horizons.horizon(connection, "texts")
        oldest = retention.first_item(connection, since)
        if end is not None and stride_is_due(oldest, self.now, self.params.texts, self.params):
            own = self._at_most(connection, "texts", end)
            ends["texts"] = max(own, ends.get("texts", own))
        if not ends:
            return
        if "items" in ends:
            going = retention.going_before(connection, ends["items"], remembered=True)
            retention.forget_states(connection, going.stories)
        horizons.settle(connection, max(self.now, horizons.horizon(connection, "decisions") or self.now))
        for what, at in ends.items():
            horizons.move_horizon(connection, what, at)
        retention.forget_sketches(connection, ends["texts"])

    def _at_most(self, connection: Transaction, what: str, end: datetime) -> datetime:
        return retention.end_of(connection, horizons.horizon(connection, what), end, self.params.most_items)

    def _remove_items(self, end: datetime) -> None:
        with self.database.read() as connection:
            going = retention.going_before(connection, end, remembered=False)
        for stories, items in going.steps(STEP):
            with self.database.write_trusted() as connection:
                retention.remove(connection, stories, items)
            self.gone.stories += len(stories)
            self.gone.items += len(items)

    def _empty(self, empty: Callable[[Transaction, datetime, int], int], end: datetime) -> int:
        emptied = 0
        while True:
            with self.database.write() as connection:
                step = empty(connection, end, STEP)
            emptied += step
            if step < STEP:
                return emptied

    def _html(self) -> None:
        end = before(self.now, self.params.html)
        with self.database.read() as connection:
            oldest = retention.first_item(connection, horizons.horizon(connection, "html"))
            if end is None or oldest is None or oldest >= end:
                return
            end = self._at_most(connection, "html", end)
        self.gone.html = self._empty(retention.empty_html, end)
        with self.database.write() as connection:
            horizons.move_horizon(connection, "html", end)

    def _logs(self) -> None:
        params, most = self.params, self.params.most_rows
        with self.database.write() as connection:
            if (end := before(self.now, params.hours)) and (gone := retention.forget_hours(connection, end)):
                self.gone.hours = gone
                horizons.move_horizon(connection, "hours", end)
            if (end := before(self.now, params.fetches)) and (gone := retention.forget_fetches(connection, end, most)):
                self.gone.fetches = gone
                horizons.move_horizon(connection, "fetches", end)
            if end := before(self.now, params.runs):
                briefs.forget_requests(connection, end)
            if (end := before(self.now, params.runs)) and (gone := retention.forget_runs(connection, end, most)):
                self.gone.runs = gone
                horizons.move_horizon(connection, "runs", end)
            ends = [horizons.horizon(connection, what) for what in ("items", "hours")]
            if None not in ends:  # whoever looks at an old hour must be told what was missed then
                retention.forget_holes(connection, min(one for one in ends if one is not None))
