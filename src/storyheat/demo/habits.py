"""How the servers of the demo week behave: formats, validators, and what goes wrong on which day."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from storyheat.core.model import SourceId
from storyheat.demo.documents import Format
from storyheat.demo.week import FIRST_DAY, day_and_time


class Trouble(StrEnum):
    """What a server does instead of giving its feed."""

    OUTAGE = "outage"  # 503
    CHALLENGE = "challenge"  # a page for browsers
    GONE = "gone"  # 410
    MOVED = "moved"  # 301 to another path


@dataclass(frozen=True, slots=True)
class Spell:
    """A time of trouble, its end excluded."""

    trouble: Trouble
    since: datetime
    until: datetime = FIRST_DAY + timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Habits:
    """How one server behaves."""

    format: Format
    listed: int = 12  # entries at most, the newest
    etag: bool = True
    last_modified: bool = True
    gzip: bool = False
    moving_dates: bool = False
    new_path: str | None = None  # where the feed is to be found after it moved, and before as well
    spells: tuple[Spell, ...] = ()


HABITS: Mapping[SourceId, Habits] = {
    SourceId("quillon-blog"): Habits(Format.ATOM),
    SourceId("lathe-project"): Habits(Format.JSON, last_modified=False),
    SourceId("tributary"): Habits(Format.HTML, etag=False, last_modified=False),
    SourceId("harbour-wire"): Habits(Format.RSS, listed=20, gzip=True),
    SourceId("lumen-daily"): Habits(
        Format.RSS,
        listed=15,
        etag=False,
        spells=(Spell(Trouble.CHALLENGE, day_and_time("Wed 14:00"), day_and_time("Wed 15:00")),),
    ),
    SourceId("coast-courier"): Habits(Format.RSS, listed=15),
    SourceId("old-mill-gazette"): Habits(
        Format.RSS, last_modified=False, spells=(Spell(Trouble.GONE, day_and_time("Sat 06:00")),)
    ),
    SourceId("tessera"): Habits(
        Format.ATOM,
        listed=4,  # so few that after the outage it lists none of those from before: nobody knows what was missed
        spells=(Spell(Trouble.OUTAGE, day_and_time("Fri 00:00"), day_and_time("Fri 20:00")),),
    ),
    SourceId("northern-ledger"): Habits(
        Format.RSS, new_path="/feed.xml", spells=(Spell(Trouble.MOVED, day_and_time("Thu 12:00")),)
    ),
    SourceId("chenxi-tech"): Habits(Format.RSS, gzip=True),
    SourceId("lanbo-caijing"): Habits(Format.ATOM),
    SourceId("qinghe-daily"): Habits(Format.RSS, moving_dates=True),
    SourceId("stack-notes"): Habits(Format.ATOM, etag=False),
    SourceId("parcel-board"): Habits(Format.RSS, listed=20),
    SourceId("newsloom"): Habits(Format.RSS),
    SourceId("circuit-weekly"): Habits(Format.JSON),
}
