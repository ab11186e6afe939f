"""Waits for the daemon's plans and keeps its runs apart; the home of APScheduler.

The scheduler has each run made in a thread that waits for it, one at a time, late rather than never, and once however
much was missed. Meanwhile the main thread looks every second for what a timer cannot see.
"""

import logging
import traceback
from collections.abc import Callable
from datetime import UTC, datetime

from apscheduler.events import EVENT_JOB_ERROR, EVENT_JOB_EXECUTED, JobExecutionEvent
from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.schedulers.background import BackgroundScheduler

from storyheat.daemon.keeper import Daemon
from storyheat.store.runlock import daemon_lock

LOOK_SECONDS = 1.0  # between two looks at signals, clock and settings


class Scheduler:
    """Calls `Daemon.run` at planned instants: APScheduler in memory, with one job and one thread for it."""

    def __init__(self, daemon: Daemon) -> None:
        logging.getLogger("apscheduler").addHandler(logging.NullHandler())  # what it would say, we say ourselves
        self._daemon = daemon
        self._scheduler = BackgroundScheduler(
            timezone=UTC,
            executors={"default": ThreadPoolExecutor(1)},
            # late rather than never, once for all that was missed, never two at a time
            job_defaults={"misfire_grace_time": None, "coalesce": True, "max_instances": 1},
        )
        self._scheduler.add_listener(self._ended, EVENT_JOB_EXECUTED | EVENT_JOB_ERROR)
        self._scheduler.start()

    def plan(self, at: datetime) -> None:
        """Plans the next run; an earlier plan is forgotten."""
        self._scheduler.add_job(self._daemon.run, "date", run_date=at, id="run", replace_existing=True)

    def _ended(self, event: JobExecutionEvent) -> None:
        at = event.retval
        if event.exception is not None:
            words = traceback.format_exception_only(event.exception)
            at = self._daemon.broken(type(event.exception).__name__, event.traceback + "".join(words))
        if not self._daemon.ending:
            self.plan(at)

    def stop(self) -> None:
        """Plans nothing more, and waits for the end of a run that is at work."""
        self._scheduler.shutdown()


def serve(daemon: Daemon, sleep: Callable[[float], None], end_run: Callable[[], None]) -> None:
    """Looks after the database until the daemon is told to stop, or gives up.

    `end_run` cuts off a run that is at work: nothing is half-written, since each stage lands whole or not at all.
    Raises DatabaseError.
    """
    with daemon_lock(daemon.settings.database):
        daemon.begin()
        scheduler = Scheduler(daemon)
        try:
            scheduler.plan(datetime.now(UTC))
            while not daemon.ending:
                sleep(LOOK_SECONDS)
                at = daemon.look()
                if at is not None:
                    scheduler.plan(at)
        finally:
            daemon.stop()
            end_run()
            scheduler.stop()
        daemon.end()
