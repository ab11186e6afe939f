"""The JSON Schema of every object that commands print, from one short notation.

`python -m storyheat.present.schemas docs/schemas` renews the files. More fields may come within a version,
so the schemas allow them; none goes, so all that is listed is required.
"""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from storyheat.core.doctor import FindingKind

Schema = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "number"}
COUNT: Schema = {"type": "integer", "minimum": 0}
FLAG: Schema = {"type": "boolean"}
INSTANT: Schema = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$", "description": "UTC"}
DATE: Schema = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\d$"}
RECORD: Schema = {"type": "object"}


def one_of(*words: str) -> Schema:
    """One of some words."""
    return {"enum": list(words)}


def maybe(schema: Schema) -> Schema:
    """The value, or null for unknown."""
    return {"anyOf": [schema, {"type": "null"}]}


def each(schema: Schema) -> Schema:
    """A list of values of one kind."""
    return {"type": "array", "items": schema}


def fields(properties: Mapping[str, Schema], note: str = "") -> Schema:
    """An object that has at least these fields."""
    made: Schema = {"type": "object", "properties": dict(properties), "required": list(properties)}
    return made | ({"description": note} if note else {})


LEVEL = one_of("first_party", "press", "discussion")
ROLE = one_of("report", "mention", "copy")
STANDING = one_of("observed", "partial", "rebuilt", "unknown")
PERIOD = one_of("24h", "3d", "7d", "30d", "all")
HEALTH = one_of("gone", "failing", "behind", "new", "dates_move", "ok", "paused")
REASON = fields({"item": TEXT, "because": TEXT})

CHANGE = fields(
    {
        "points": maybe(NUMBER),
        "percent": maybe(NUMBER),
        "standing": one_of("ok", "young", "unobserved", "zero"),
        "reason": maybe(TEXT),
    },
    "heat now against heat 24 hours ago; null where it cannot be told, with the reason",
)
PEAK: dict[str, Schema] = {"value": NUMBER, "at": INSTANT, "standing": STANDING}
TERM = fields({"voice": TEXT, "item": TEXT, "points": NUMBER})


def heat_with(peak: Mapping[str, Schema]) -> Schema:
    """The three figures of a story."""
    unit = "points: 10 is one independent voice speaking right now"
    return fields({"current": NUMBER, "peak": fields(peak), "change_24h": CHANGE}, unit)


STORY: dict[str, Schema] = {
    "id": TEXT,
    "title": TEXT,
    "url": maybe(TEXT),
    "topics": each(TEXT),
    "languages": each(TEXT),
    "first_at": INSTANT,
    "last_at": INSTANT,
    "voices": COUNT,
    "reports": COUNT,
    "mentions": COUNT,
    "copies": COUNT,
    "heat": heat_with(PEAK),
}
ITEM = fields(
    {
        "id": TEXT,
        "title": TEXT,
        "url": maybe(TEXT),
        "source": TEXT,
        "voice": TEXT,
        "level": LEVEL,
        "role": ROLE,
        "copy_of": maybe(TEXT),
        "published_at": maybe(INSTANT),
        "first_seen_at": INSTANT,
        "effective_at": INSTANT,
        "weight": NUMBER,
        "counted": FLAG,
        "not_counted_because": maybe(TEXT),
        "summary": TEXT,
        "language": maybe(TEXT),
        "selected": FLAG,
    }
)
DEVELOPMENT = fields(
    {
        "title": TEXT,
        "at": INSTANT,
        "item": TEXT,
        "source": TEXT,
        "level": LEVEL,
        "confirmed": FLAG,
        "because": TEXT,
    }
)
HOUR: dict[str, Schema] = {
    "at": INSTANT,
    "heat": NUMBER,
    "voices": COUNT,
    "new_reports": COUNT,
    "standing": STANDING,
    "behind": each(TEXT),
}
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

OBJECTS: dict[str, dict[str, Schema]] = {
    "top/1": {
        "at": INSTANT,
        "period": PERIOD,
        "sort": one_of("heat", "rising", "peak", "new"),
        "stories": each(
            fields({**STORY, "hours": each(fields({"at": INSTANT, "heat": NUMBER, "standing": STANDING}))})
        ),
    },
    "story/1": {
        **STORY,
        "heat": heat_with({**PEAK, "because": each(TERM)}),
        "at": INSTANT,
        "period": PERIOD,
        "aliases": each(TEXT),
        "widget": fields(
            {
                "current": TEXT,
                "peak": TEXT,
                "peak_at": TEXT,
                "change_24h": TEXT,
                "change_reason": maybe(TEXT),
                "timezone": TEXT,
            },
            "the figures as they are shown",
        ),
        "latest_development": maybe(DEVELOPMENT),
        "developments": each(DEVELOPMENT),
        "summary": maybe(fields({"sentences": each(fields({"text": TEXT, "items": each(TEXT)})), "made_by": TEXT})),
        "timeline": each(fields({"date": DATE, "items": each(ITEM)})),
        "related": each(fields({"id": TEXT, "title": TEXT, "why": TEXT})),
    },
    "heat/1": {
        "story": TEXT,
        "at": INSTANT,
        "period": PERIOD,
        "now": fields({"heat": NUMBER, "voices": COUNT, "standing": STANDING, "behind": each(TEXT)}),
        "rule": fields({"name": TEXT, "version": COUNT, "half_life_hours": NUMBER, "window_hours": maybe(NUMBER)}),
        "hours": each(fields(HOUR)),
    },
    "explain/1": {
        "story": TEXT,
        "title": TEXT,
        "at": INSTANT,
        "heat": NUMBER,
        "terms": each(
            fields(
                {
                    "voice": TEXT,
                    "item": TEXT,
                    "source": TEXT,
                    "effective_at": INSTANT,
                    "age_hours": NUMBER,
                    "weight": NUMBER,
                    "points": NUMBER,
                }
            )
        ),
        "spent": each(REASON),
        "not_counted": each(REASON),
    },
    "explain-item/1": {
        "item": TEXT,
        "title": TEXT,
        "url": maybe(TEXT),
        "source": TEXT,
        "published_at": maybe(INSTANT),
        "first_seen_at": INSTANT,
        "effective_at": INSTANT,
        "effective_because": TEXT,
        "stories": each(
            fields(
                {
                    "story": TEXT,
                    "title": TEXT,
                    "role": ROLE,
                    "decided_at": INSTANT,
                    "decided_by": TEXT,
                    "not_counted_because": maybe(TEXT),
                    "because": RECORD,
                }
            )
        ),
        "alone": maybe(fields({"decided_at": INSTANT, "because": RECORD})),
    },
    "sources/1": {
        "at": INSTANT,
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
    "run/1": {
        "started_at": INSTANT,
        "feeds": fields({"updated": COUNT, "unchanged": COUNT, "failed": COUNT, "skipped": COUNT}),
        "failures": each(fields({"source": TEXT, "url": TEXT, "kind": TEXT, "message": TEXT})),
        "items": fields({"new": COUNT, "revised": COUNT, "copies": COUNT}),
        "articles": fields({"read": COUNT, "failed": COUNT}),
        "stories": fields({"new": COUNT, "grown": COUNT, "merged": COUNT}),
        "seconds": fields({"fetch": NUMBER, "parse": NUMBER, "store": NUMBER, "cluster": NUMBER, "heat": NUMBER}),
    },
    "replay/1": {
        "runs": COUNT,
        "first_at": maybe(INSTANT),
        "last_at": maybe(INSTANT),
        "feeds": fields({"updated": COUNT, "unchanged": COUNT, "failed": COUNT}),
        "items": fields({"new": COUNT, "revised": COUNT, "copies": COUNT}),
        "stories": fields({"new": COUNT, "merged": COUNT}),
    },
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
    "cluster/1": {"items": COUNT, "stories": COUNT, "mentions": COUNT},
    "rebuild/1": {"checked_only": FLAG, "differences": each(TEXT), "unfinished": FLAG},
    "check/1": {"problems": each(TEXT), "digest": maybe(TEXT)},
    "upgrade/1": {"version": TEXT, "steps": each(TEXT)},
}


def schema(name: str) -> Schema:
    """The whole schema of an object, such as `top/1`."""
    tag: Schema = {"const": f"storyheat.{name}"}
    return {"$schema": DIALECT, "title": f"storyheat.{name}", **fields({"schema": tag, **OBJECTS[name]})}


def file_name(name: str) -> str:
    """`top-1.json` for `top/1`."""
    return name.replace("/", "-") + ".json"


def file_text(name: str) -> str:
    """The schema as it stands in its file."""
    return json.dumps(schema(name), ensure_ascii=False, indent=2) + "\n"


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(exist_ok=True)
    for each_name in OBJECTS:
        (folder / file_name(each_name)).write_text(file_text(each_name), "utf-8")
