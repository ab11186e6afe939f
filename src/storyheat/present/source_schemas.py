"""The JSON Schemas of sources, of lists of them, and of what one document of a feed holds."""

from storyheat.core.feeds.doctor import FindingKind
from storyheat.present.notation import COUNT, FLAG, INSTANT, LEVEL, NUMBER, TEXT, Schema, each, fields, maybe, one_of

HEALTH = one_of("gone", "failing", "behind", "new", "dates_move", "ok", "paused")
FINDING = fields(
    {"kind": one_of(*(kind.value for kind in FindingKind)), "seen": TEXT, "todo": TEXT},
    "what is wrong, the worst first, and what to do",
)
FEED = fields(
    {
        "url": TEXT,
        "health": HEALTH,
        "failures_in_row": COUNT,
        "failure": maybe(fields({"kind": TEXT, "message": TEXT})),
        "findings": each(FINDING),
        "moved_url": maybe(TEXT),
        "usual_gap_seconds": maybe(COUNT),
        "last_poll_at": maybe(INSTANT),
        "last_success_at": maybe(INSTANT),
        "next_poll_at": maybe(INSTANT),
        "left_alone_until": maybe(INSTANT),
        "interval_seconds": COUNT,
        "entries": maybe(COUNT),
        "remarks": each(TEXT),
    }
)

DAEMON = fields(
    {
        "lives": FLAG,
        "host": TEXT,
        "pid": COUNT,
        "started_at": INSTANT,
        "last_beat_at": INSTANT,
        "last_run_at": maybe(INSTANT),
        "next_wake_at": maybe(INSTANT),
        "errors_in_row": COUNT,
        "last_error": maybe(TEXT),
        "ended_at": maybe(INSTANT),
    },
    "what the daemon last said of itself; null: there never was one",
)

FOLLOWING: dict[str, dict[str, Schema]] = {
    "sources/1": {
        "at": INSTANT,
        "daemon": maybe(DAEMON),
        "sources": each(
            fields(
                {
                    "id": TEXT,
                    "name": TEXT,
                    "owner": TEXT,
                    "site": maybe(TEXT),
                    "enabled": FLAG,
                    "level": LEVEL,
                    "digest": FLAG,
                    "language": maybe(TEXT),
                    "topics": each(TEXT),
                    "weight": NUMBER,
                    "health": HEALTH,
                    "items": COUNT,
                    "newest_at": maybe(INSTANT),
                    "feeds": each(FEED),
                }
            )
        ),
    },
    "edit/1": {
        "file": TEXT,
        "written": FLAG,
        "added": each(
            fields(
                {
                    "id": TEXT,
                    "name": maybe(TEXT),
                    "site": maybe(TEXT),
                    "language": maybe(TEXT),
                    "topics": each(TEXT),
                    "feeds": each(TEXT),
                }
            )
        ),
        "removed": each(TEXT),
        "switched": each(fields({"id": TEXT, "enabled": FLAG})),
        "skipped": each(fields({"name": TEXT, "address": TEXT, "reason": TEXT})),
        "remarks": each(TEXT),
    },
    "export-opml/1": {"file": TEXT, "sources": COUNT, "feeds": COUNT, "remarks": each(TEXT)},
    "parse/1": {
        "format": maybe(TEXT),
        "title": maybe(TEXT),
        "site": maybe(TEXT),
        "language": maybe(TEXT),
        "count": COUNT,
        "entries": each(
            fields(
                {
                    "id": maybe(TEXT),
                    "title": maybe(TEXT),
                    "link": maybe(TEXT),
                    "canonical": maybe(TEXT),
                    "published": maybe(INSTANT),
                    "precision": maybe(one_of("time", "day")),
                    "effective": INSTANT,
                    "effective_because": TEXT,
                    "updated": maybe(INSTANT),
                    "summary": TEXT,
                    "author": maybe(TEXT),
                    "language": maybe(TEXT),
                }
            )
        ),
        "remarks": each(TEXT),
        "error": maybe(fields({"kind": TEXT, "message": TEXT})),
    },
}
