"""The daemon: when a run is made, never what it does. APScheduler waits and keeps runs apart; our tables are the plan.

Each run plans the next one from the feeds' own rhythm. The scheduler runs it in a thread of its own, one at a time,
late rather than never, and once however much was missed. Meanwhile the main thread looks every second for what a
timer cannot see: signals, a clock that was set, a machine that slept, settings that were changed.
"""

import ctypes
import logging
import os
import socket
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any

from apscheduler.events import EVENT_JOB_ERROR, EVENT_JOB_EXECUTED, JobExecutionEvent
from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.schedulers.background import BackgroundScheduler

from storyheat import __version__
from storyheat.core.feeds.waking import WakeParams, clock_jumped, next_wake, wake_after_errors
from storyheat.errors import ConfigError, DatabaseError, RunAtWork, StoryheatError
from storyheat.ports import Fetcher
from storyheat.present.objects import instant
from storyheat.present.report import short_line
from storyheat.present.words import count
from storyheat.settings import Settings
from storyheat.store.database import database_name, open_database
from storyheat.store.feeds import next_poll
from storyheat.store.heartbeat import Heartbeat, write_heartbeat
from storyheat.store.runlock import daemon_lock, run_lock
from storyheat.wiring import automatic_briefs, make_pipeline

LOOK_SECONDS = 1.0  # between two looks at signals, clock and settings
BEAT_EVERY = timedelta(minutes=1)  # of the heartbeat
GRACE_SECONDS = 5.0  # for a run that is at work when the daemon is to end


class Stopped(BaseException):
    """Raised inside a run that is to end before it stores anything more."""


class Daemon:
    """What the daemon does at each wake, and what it plans then. Knows no scheduler.

    `read_settings` reads feeds.yaml and raises ConfigError; `fetcher_of` makes the fetcher of these settings;
    `clock` tells the instant, aware, whole seconds; `log` writes one line.
    """

    def __init__(
        self,
        read_settings: Callable[[], Settings],
        fetcher_of: Callable[[Settings], Fetcher],
        clock: Callable[[], datetime],
        log: Callable[[str], None],
        params: WakeParams = WakeParams(),
    ) -> None:
        """Raises ConfigError where there are no settings to begin with."""
        self._read_settings, self._fetcher_of, self._clock, self._log = read_settings, fetcher_of, clock, log
        self._params = params
        self.settings = read_settings()
        self._fetcher = fetcher_of(self.settings)
        self._seen = _mark(self.settings.config)
        now = clock()
        self._beat, self._beating = Heartbeat(socket.gethostname(), os.getpid(), now, now), Lock()
        self._planned_at, self._wake_at = now, now
        self._bugs = 0
        self._reload = False
        self.stopping = False
        self.given_up = False

    # -- the job ----------------------------------------------------------------------------------

    def run(self) -> datetime:
        """One wake: reads the settings again if they changed, makes a run, and gives the instant of the next.

        What is expected to go wrong is a line in the log; any other exception passes, see `failed`.
        """
        self._read_again()
        now, began = self._clock(), monotonic()
        url = self.settings.database
        try:
            with run_lock(url), open_database(url, create=True) as database:
                pipeline = make_pipeline(self.settings, database, self._fetcher, self.settings.sources)
                self._heart(next_wake_at=None)
                report = pipeline.run(now, progress=self._go_on)
                with database.read() as connection:
                    due = next_poll(connection, self.settings.sources, self._clock(), self.settings.polling)
        except RunAtWork:
            self._log(f"{instant(now)}  another run is at work on {database_name(url)}: waiting for its end")
            return self._plan(self._clock() + self._params.busy)
        except StoryheatError as error:
            return self._trouble(str(error))
        self._bugs = 0
        at = next_wake(due, self._clock(), self._params)
        self._plan(at, last_run_at=now, errors_in_row=0, last_error=None)
        self._log(short_line(report, monotonic() - began, at))
        briefs = automatic_briefs(self.settings, now, lambda: not self.stopping)
        if briefs is not None:
            self._log(f"{instant(now)}  {briefs}")
        return at

    def failed(self, error: BaseException, trace: str) -> datetime:
        """Notes an exception that nobody expected, with where it came from; the instant of the next try.

        After too many in a row the daemon gives up: a fresh process may know better.
        """
        if isinstance(error, Stopped):
            return self._wake_at
        self._bugs += 1
        self.given_up = self._bugs >= self._params.most_errors
        for line in (*trace.splitlines(), *traceback.format_exception_only(error)):
            self._log(f"  {line.rstrip()}")
        return self._trouble(f"a bug: {type(error).__name__}; what was stored before it stays")

    def _trouble(self, words: str) -> datetime:
        errors = self._beat.errors_in_row + 1
        now = self._clock()
        at = self._plan(wake_after_errors(errors, now, self._params), errors_in_row=errors, last_error=words)
        self._log(f"{instant(now)}  failed: {words}; next {instant(at)}")
        return at

    def _plan(self, at: datetime, **changes: Any) -> datetime:
        self._planned_at, self._wake_at = self._clock(), at
        self._heart(next_wake_at=at, **changes)
        return at

    def _go_on(self, done: int, total: int) -> None:
        """Told after each reply; ends the requests that are still under way if the daemon is to end."""
        if self.stopping:
            raise Stopped

    # -- the look ---------------------------------------------------------------------------------

    def look(self, *, at_work: bool) -> datetime | None:
        """Looks at clock and settings: the instant to plan anew for, or None. Writes the heartbeat now and then."""
        now = self._clock()
        if abs(now - self._beat.last_beat_at) >= BEAT_EVERY:
            self._heart()
        if at_work:
            return None
        if clock_jumped(self._planned_at, self._wake_at, now, self._params):
            self._log(f"{instant(now)}  the clock jumped, or the machine slept: looking at once")
        elif not (self._reload or _mark(self.settings.config) != self._seen):
            return None
        self._planned_at, self._wake_at = now, now
        return now

    def stop(self) -> None:
        """Has it end at the next look, and a run give up what is under way at the next reply."""
        self.stopping = True

    def reload(self) -> None:
        """Has the settings read again at the next look, changed or not."""
        self._reload = True

    def _read_again(self) -> None:
        """Reads the settings if the file changed; a mistake in it leaves the old ones in force, and is said once."""
        mark = _mark(self.settings.config)
        if mark == self._seen and not self._reload:
            return
        self._seen, self._reload = mark, False
        now = instant(self._clock())
        try:
            self.settings = self._read_settings()
        except ConfigError as error:
            self._log(f"{now}  the settings stay as they were: {error}")
            return
        self._fetcher = self._fetcher_of(self.settings)
        self._log(f"{now}  the settings were read again: {_followed(self.settings)}")

    def _heart(self, **changes: Any) -> None:
        """Writes the heartbeat with what changed in it, unless the database cannot be written just now."""
        with self._beating, suppress(DatabaseError):
            self._beat = replace(self._beat, last_beat_at=self._clock(), **changes)
            with open_database(self.settings.database, busy_seconds=1) as database, database.write() as connection:
                write_heartbeat(connection, self._beat)

    # -- begin and end ----------------------------------------------------------------------------

    def begin(self) -> None:
        """Makes the database if it is missing, and says that the daemon lives. Raises DatabaseError."""
        open_database(self.settings.database, create=True).close()
        self._heart(next_wake_at=self._clock())
        name = database_name(self.settings.database)
        self._log(
            f"{instant(self._beat.started_at)}  storyheat {__version__} looks after {name}: "
            f"{_followed(self.settings)}, process {self._beat.pid}"
        )

    def end(self, why: str) -> None:
        """Says that it ends, and why."""
        self._heart(next_wake_at=None, ended_at=None if self.given_up else self._clock())
        self._log(f"{instant(self._clock())}  {why}")


def _mark(config: Path | None) -> tuple[int, int, int] | None:
    """What changes with a file; None where there is none to look at."""
    try:
        found = config.stat() if config is not None else None
    except OSError:
        return None
    return None if found is None else (found.st_mtime_ns, found.st_size, found.st_ino)


def _followed(settings: Settings) -> str:
    sources = [source for source in settings.sources if source.enabled and source.feeds]
    feeds = sum(len(source.feeds) for source in sources)
    return f"{count(feeds, 'feed')} of {count(len(sources), 'source')}"


def give_back() -> None:
    """Gives the memory that only a run needed back to the machine, where the C library can do so (glibc)."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if os.name == "posix" else None
    if trim is not None:
        trim(0)


# -- the scheduler --------------------------------------------------------------------------------


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
        self.at_work = False
        self._scheduler.start()

    def plan(self, at: datetime) -> None:
        """Plans the next run; an earlier plan is forgotten."""
        self._scheduler.add_job(self._run, "date", run_date=at, id="run", replace_existing=True)

    def _run(self) -> datetime:
        self.at_work = True
        try:
            return self._daemon.run()
        finally:
            give_back()

    def _ended(self, event: JobExecutionEvent) -> None:
        self.at_work = False
        at = event.retval if event.exception is None else self._daemon.failed(event.exception, event.traceback)
        if not (self._daemon.stopping or self._daemon.given_up):
            self.plan(at)

    def stop(self) -> None:
        """Plans nothing more; a run that is at work goes on."""
        self._scheduler.shutdown(wait=False)


@dataclass(frozen=True, slots=True)
class Ending:
    """How the daemon ended. `at_work`: in the middle of a run, which goes on in its thread."""

    given_up: bool
    at_work: bool

    def __str__(self) -> str:
        if self.given_up:
            return "gave up after too many bugs in a row: what is printed above belongs into a report"
        return "ended in the middle of a run; the next one makes up for it" if self.at_work else "ended"


def serve(daemon: Daemon, sleep: Callable[[float], None]) -> Ending:
    """Looks after the database until `daemon.stopping` is set, or it gives up after too many bugs.

    A run that is at work then has a few seconds; if it needs longer, the caller should end the process: nothing is
    half-written, since each stage lands whole or not at all. Raises DatabaseError.
    """
    with daemon_lock(daemon.settings.database):
        daemon.begin()
        scheduler = Scheduler(daemon)
        scheduler.plan(datetime.now(UTC))
        while not (daemon.stopping or daemon.given_up):
            sleep(LOOK_SECONDS)
            at = daemon.look(at_work=scheduler.at_work)
            if at is not None:
                scheduler.plan(at)
        scheduler.stop()
        for _ in range(round(GRACE_SECONDS / LOOK_SECONDS * 10)):
            if scheduler.at_work:
                sleep(LOOK_SECONDS / 10)
        ending = Ending(daemon.given_up, scheduler.at_work)
        daemon.end(str(ending))
    return ending
