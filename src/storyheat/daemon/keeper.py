"""When a run is made, never what it does: our tables are the plan, and each run tells when the next feed is due.

Knows neither scheduler nor process, so that a simulated clock can drive it.
"""

import os
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from threading import Lock
from typing import Any

from storyheat import __version__
from storyheat.core.feeds.waking import WakeParams, clock_jumped, next_wake, wake_after_errors
from storyheat.daemon.order import Broken, Busy, CutOff, Done, Failed, Order, Outcome
from storyheat.errors import ConfigError, DatabaseError
from storyheat.present.words import count
from storyheat.settings import Settings
from storyheat.store.columns import instant_text
from storyheat.store.database import database_name, open_database
from storyheat.store.heartbeat import Heartbeat, write_heartbeat

BEAT_EVERY = timedelta(minutes=1)  # of the heartbeat


class Daemon:
    """What the daemon does at each wake, and what it plans then.

    `read_settings` reads feeds.yaml and raises ConfigError; `make_run` makes a run and waits for its end; `clock`
    tells the instant, aware, whole seconds; `log` writes one line.
    """

    def __init__(
        self,
        read_settings: Callable[[], Settings],
        make_run: Callable[[Order], Outcome],
        clock: Callable[[], datetime],
        log: Callable[[str], None],
        params: WakeParams = WakeParams(),
    ) -> None:
        """Raises ConfigError where there are no settings to begin with."""
        self._read_settings, self._make_run, self._clock, self._log = read_settings, make_run, clock, log
        self._params = params
        self.settings = read_settings()
        self._seen = _mark(self.settings.config)
        now = clock()
        self._beat, self._beating = Heartbeat(socket.gethostname(), os.getpid(), now, now), Lock()
        self._planned_at, self._wake_at = now, now
        self._bugs = 0
        self._reload = False
        self._stopping, self._at_work, self._cut_off = False, False, False

    # -- the job ----------------------------------------------------------------------------------

    def run(self) -> datetime:
        """One wake: reads the settings again if they changed, has a run made, and gives the instant of the next."""
        self._read_again()
        now = self._clock()
        self._heart(next_wake_at=None)
        self._at_work = True
        try:
            outcome = self._make_run(Order(self.settings, now))
        finally:
            self._at_work = False
        match outcome:
            case Done():
                return self._done(outcome, now)
            case Busy():
                name = database_name(self.settings.database)
                self._say(f"another run is at work on {name}: waiting for its end", now)
                return self._plan(self._clock() + self._params.busy)
            case Failed(words):
                return self._trouble(words)
            case Broken(words, trace):
                return self.broken(words, trace)
            case CutOff():
                self._cut_off = True
                return self._wake_at

    def _done(self, done: Done, now: datetime) -> datetime:
        self._bugs = 0
        at = next_wake(done.due, self._clock(), self._params)
        self._plan(at, last_run_at=now, errors_in_row=0, last_error=None)
        self._log(f"{done.line}; took {done.seconds:.1f} s, next {instant_text(at)}")
        if done.briefs is not None:
            self._say(done.briefs, now)
        return at

    def broken(self, words: str, trace: str) -> datetime:
        """Notes what nobody expected, with the lines that tell where it came from; the instant of the next try.

        After too many in a row the daemon gives up: a fresh process may know better.
        """
        self._bugs += 1
        for line in trace.splitlines():
            self._log(f"  {line.rstrip()}")
        return self._trouble(f"a bug: {words}; what was stored before it stays")

    def _trouble(self, words: str) -> datetime:
        errors = self._beat.errors_in_row + 1
        now = self._clock()
        at = self._plan(wake_after_errors(errors, now, self._params), errors_in_row=errors, last_error=words)
        self._say(f"failed: {words}; next {instant_text(at)}", now)
        return at

    def _plan(self, at: datetime, **changes: Any) -> datetime:
        self._planned_at, self._wake_at = self._clock(), at
        self._heart(next_wake_at=at, **changes)
        return at

    # -- the look ---------------------------------------------------------------------------------

    def look(self) -> datetime | None:
        """Looks at clock and settings: the instant to plan anew for, or None. Writes the heartbeat now and then."""
        now = self._clock()
        if abs(now - self._beat.last_beat_at) >= BEAT_EVERY:
            self._heart()
        if self._at_work:
            return None
        if clock_jumped(self._planned_at, self._wake_at, now, self._params):
            self._say("the clock jumped, or the machine slept: looking at once", now)
        elif not (self._reload or _mark(self.settings.config) != self._seen):
            return None
        self._planned_at, self._wake_at = now, now
        return now

    def stop(self) -> None:
        """Has it end at the next look."""
        self._stopping = True

    def reload(self) -> None:
        """Has the settings read again at the next look, changed or not."""
        self._reload = True

    @property
    def given_up(self) -> bool:
        """Whether there were too many bugs in a row."""
        return self._bugs >= self._params.most_errors

    @property
    def ending(self) -> bool:
        """Whether nothing more is to be planned."""
        return self._stopping or self.given_up

    def _read_again(self) -> None:
        """Reads the settings if the file changed; a mistake in it leaves the old ones in force, and is said once."""
        mark = _mark(self.settings.config)
        if mark == self._seen and not self._reload:
            return
        self._seen, self._reload = mark, False
        try:
            self.settings = self._read_settings()
        except ConfigError as error:
            self._say(f"the settings stay as they were: {error}", self._clock())
            return
        self._say(f"the settings were read again: {_followed(self.settings)}", self._clock())

    def _heart(self, **changes: Any) -> None:
        """Writes the heartbeat with what changed in it, unless the database cannot be written just now."""
        with self._beating, suppress(DatabaseError):
            self._beat = replace(self._beat, last_beat_at=self._clock(), **changes)
            with open_database(self.settings.database, busy_seconds=1) as database, database.write() as connection:
                write_heartbeat(connection, self._beat)

    def _say(self, words: str, at: datetime) -> None:
        self._log(f"{instant_text(at)}  {words}")

    # -- begin and end ----------------------------------------------------------------------------

    def begin(self) -> None:
        """Makes the database if it is missing, and says that the daemon lives. Raises DatabaseError."""
        open_database(self.settings.database, create=True).close()
        self._heart(next_wake_at=self._clock())
        name, pid = database_name(self.settings.database), self._beat.pid
        followed = _followed(self.settings)
        self._say(f"storyheat {__version__} looks after {name}: {followed}, process {pid}", self._beat.started_at)

    def end(self) -> None:
        """Says that it ends, and how."""
        why = "ended in the middle of a run; the next one makes up for it" if self._cut_off else "ended"
        if self.given_up:
            why = "gave up after too many bugs in a row: what is printed above belongs into a report"
        now = self._clock()
        self._heart(next_wake_at=None, ended_at=None if self.given_up else now)
        self._say(why, now)


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
