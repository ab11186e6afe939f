"""One run as the daemon orders it: under its lock, from feeds to briefs, with its outcome as a value."""

from collections.abc import Callable
from time import monotonic

from storyheat.daemon.order import Busy, Done, Failed, Order, Outcome
from storyheat.errors import RunAtWork, StoryheatError
from storyheat.ports import Fetcher
from storyheat.present.report import short_line
from storyheat.settings import Settings
from storyheat.store.database import open_database
from storyheat.store.feeds import next_poll
from storyheat.store.runlock import run_lock
from storyheat.wiring import automatic_briefs, make_pipeline


def make_run(order: Order, fetcher_of: Callable[[Settings], Fetcher]) -> Outcome:
    """Makes a run in this process. What is expected to go wrong is an outcome; any other exception is a bug."""
    settings, began = order.settings, monotonic()
    try:
        with run_lock(settings.database), open_database(settings.database, create=True) as database:
            pipeline = make_pipeline(settings, database, fetcher_of(settings), settings.sources)
            report = pipeline.run(order.now)
            with database.read() as connection:
                due = next_poll(connection, settings.sources, order.now, settings.polling)
    except RunAtWork:
        return Busy()
    except StoryheatError as error:
        return Failed(str(error))
    return Done(short_line(report), monotonic() - began, due, automatic_briefs(settings, order.now))
