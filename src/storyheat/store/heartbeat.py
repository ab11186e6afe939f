"""The heartbeat of the daemon in the database: what it writes, and what others read of it."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, insert, select

from storyheat.store.rows import table
from storyheat.store.upkeep import DaemonRow

DAEMON = table(DaemonRow)


LATE = timedelta(minutes=15)  # without a beat: it beats every minute, but not while a large run writes


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """What the daemon last said of itself; see the table `daemon`."""

    host: str
    pid: int
    started_at: datetime
    last_beat_at: datetime
    last_run_at: datetime | None = None
    next_wake_at: datetime | None = None  # None: a run is at work
    errors_in_row: int = 0
    last_error: str | None = None
    ended_at: datetime | None = None

    def lives(self, at: datetime) -> bool:
        """Whether it is believed to live at an instant."""
        return self.ended_at is None and at - self.last_beat_at <= LATE


def write_heartbeat(connection: Connection, beat: Heartbeat) -> None:
    """Replaces the heartbeat."""
    connection.execute(delete(DAEMON))
    values = {name: getattr(beat, name) for name in Heartbeat.__dataclass_fields__}
    connection.execute(insert(DAEMON).values(id=1, **values))


def heartbeat(connection: Connection) -> Heartbeat | None:
    """The heartbeat as it stands; None: no daemon ever looked after this database."""
    row = connection.execute(select(DAEMON)).first()
    return None if row is None else Heartbeat(**{name: getattr(row, name) for name in Heartbeat.__dataclass_fields__})
