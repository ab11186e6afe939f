"""The JSON Schema of every object that commands print, from one short notation.

`python -m storyheat.present.schemas docs/schemas` renews the files. More fields may come within a version,
so the schemas allow them; none goes, so all that is listed is required.
"""

import json
import sys
from collections.abc import Mapping
from pathlib import Path

from storyheat.present.brief_schemas import BRIEF, SENTENCE, SUMMARISING, SUMMARY
from storyheat.present.evaluation_schemas import EVALUATION
from storyheat.present.notation import (
    COUNT,
    DATE,
    DIALECT,
    FLAG,
    INSTANT,
    LEVEL,
    NUMBER,
    RECORD,
    TEXT,
    Schema,
    each,
    fields,
    maybe,
    one_of,
)
from storyheat.present.source_schemas import FOLLOWING

ROLE = one_of("report", "mention", "copy")
STANDING = one_of("observed", "partial", "rebuilt", "unknown")
PERIOD = one_of("24h", "3d", "7d", "30d", "all")
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
ITEM_FIELDS: dict[str, Schema] = {
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
    "selected_because": maybe(TEXT),
}
ITEM = fields(ITEM_FIELDS)
DEVELOPMENT = fields(
    {
        "title": TEXT,
        "at": INSTANT,
        "item": TEXT,
        "source": TEXT,
        "level": LEVEL,
        "confirmed": FLAG,
        "because": TEXT,
        "new_figures": {**each(TEXT), "description": "as printed"},
        "said_by": {**each(TEXT), "description": "items of other voices that say it too"},
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
DECISION: dict[str, Schema] = {
    "because": {**RECORD, "description": "as stored"},
    "reasons": {**each(TEXT), "description": "the same in sentences"},
    "features": {
        **each(fields({"name": TEXT, "meaning": TEXT, "value": NUMBER, "weight": NUMBER, "adds": NUMBER})),
        "description": "what moved the score most first; the sum of `adds` is the score",
    },
}

CHANGE_OF_ROLE = fields({"item": TEXT, "story": TEXT, "role": maybe(ROLE)}, "null: not in that story any more")
CORRECTION: dict[str, Schema] = {
    "id": COUNT,
    "kind": one_of("merge", "move", "split", "pin", "unpin", "undo"),
    "at": INSTANT,
    "who": TEXT,
    "why": maybe(TEXT),
    "arguments": {**RECORD, "description": "the stories and items it names, by whole ids"},
    "words": TEXT,
}
PROPOSED: dict[str, Schema] = {
    "because": {**RECORD, "description": "what was measured"},
    "reason": TEXT,
    "command": {**TEXT, "description": "accepts it"},
}

CLAIM = fields({"item": TEXT, "figure": {**TEXT, "description": "as printed"}, "sentence": TEXT})
POLL: dict[str, Schema] = {
    "question": TEXT,
    "asked_at": INSTANT,
    "closed_at": {**maybe(INSTANT), "description": "null: it takes answers"},
    "total": {**COUNT, "description": "browsers that answered"},
    "answers": each(fields({"text": TEXT, "count": COUNT, "percent": maybe(NUMBER)})),
}

STAGES = ("fetch", "parse", "store", "cluster", "tell", "heat", "index", "house")  # of a run

OBJECTS: dict[str, dict[str, Schema]] = {
    "top/1": {
        "at": INSTANT,
        "period": PERIOD,
        "sort": one_of("heat", "rising", "peak", "new"),
        "stories": each(
            fields(
                {
                    **STORY,
                    "hours": each(fields({"at": INSTANT, "heat": NUMBER, "standing": STANDING})),
                    "latest_development": maybe(DEVELOPMENT),
                }
            )
        ),
    },
    "search/1": {
        "words": TEXT,
        "at": INSTANT,
        "stories": each(fields({**STORY, "hits": {**COUNT, "description": "its items among the best hits"}})),
        "items": each(
            fields(
                {
                    **{name: ITEM_FIELDS[name] for name in ("id", "title", "url", "source")},
                    **{name: ITEM_FIELDS[name] for name in ("effective_at", "summary", "language")},
                    "stories": {**each(TEXT), "description": "those that it reports before those that it mentions"},
                }
            )
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
        "summary": maybe(SUMMARY),
        "details": {
            **each(SENTENCE),
            "description": "sentences of reports with figures that the extracted summary lacks",
        },
        "players": {
            **each(fields({"name": TEXT, "text": TEXT, "items": each(TEXT)})),
            "description": "names that two voices or more print, each with a sentence of a report that has it",
        },
        "brief": maybe(BRIEF),
        "timeline": each(fields({"date": DATE, "items": each(ITEM)})),
        "related": each(fields({"id": TEXT, "title": TEXT, "why": TEXT, "heat": NUMBER})),
        "disagreements": each(
            fields({"first": CLAIM, "second": CLAIM}, "two voices count one thing with two results; none is preferred")
        ),
        "poll": maybe(fields(POLL)),
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
                    **DECISION,
                }
            )
        ),
        "alone": maybe(fields({"decided_at": INSTANT, "decided_by": TEXT, **DECISION})),
        "earlier": each(
            fields(
                {"story": TEXT, "title": TEXT, "role": ROLE, "decided_at": INSTANT, "decided_by": TEXT, **DECISION},
                "a decision that a later one overtook, newest first",
            )
        ),
    },
    "correction/1": {
        **CORRECTION,
        "changes": each(CHANGE_OF_ROLE),
        "leads": {**RECORD, "description": "where ids lead now; null: to a story of their own"},
        "stories": each(fields(STORY, "as they are now; one that is left without items is not here")),
    },
    "history/1": {
        "story": TEXT,
        "title": TEXT,
        "aliases": each(TEXT),
        "events": each(
            fields(
                {
                    "at": INSTANT,
                    "who": TEXT,
                    "words": TEXT,
                    "correction": maybe(fields(CORRECTION)),
                    "undone_by": maybe(COUNT),
                    "changes": each(CHANGE_OF_ROLE),
                },
                "newest first; what the machine decided has no correction",
            )
        ),
        "more": {**FLAG, "description": "there are older events"},
    },
    "selection/1": {
        "item": TEXT,
        "title": TEXT,
        "mark": {**one_of("selected", "removed", "rule"), "description": "rule: the rule decides again"},
        "at": INSTANT,
        "who": TEXT,
    },
    "polls/1": {"polls": each(fields({"story": TEXT, **POLL}, "newest first"))},
    "proposals/1": {
        "merges": each(fields({"story": TEXT, "into": TEXT, "z": NUMBER, "least": NUMBER, **PROPOSED})),
        "splits": each(fields({"story": TEXT, "items": each(TEXT), "z": NUMBER, **PROPOSED})),
    },
    "run/1": {
        "started_at": INSTANT,
        "feeds": fields({"updated": COUNT, "unchanged": COUNT, "failed": COUNT, "skipped": COUNT}),
        "failures": each(fields({"source": TEXT, "url": TEXT, "kind": TEXT, "message": TEXT})),
        "items": fields({"new": COUNT, "revised": COUNT, "copies": COUNT}),
        "articles": fields({"read": COUNT, "failed": COUNT}),
        "stories": fields({"new": COUNT, "grown": COUNT, "merged": COUNT}),
        "let_go": fields(
            {
                "html": COUNT,
                "texts": COUNT,
                "items": COUNT,
                "stories": COUNT,
                "hours": COUNT,
                "fetches": COUNT,
                "runs": COUNT,
            },
            "what was older than it is kept",
        ),
        "seconds": fields(dict.fromkeys(STAGES, NUMBER)),
    },
    "replay/1": {
        "runs": COUNT,
        "first_at": maybe(INSTANT),
        "last_at": maybe(INSTANT),
        "feeds": fields({"updated": COUNT, "unchanged": COUNT, "failed": COUNT}),
        "items": fields({"new": COUNT, "revised": COUNT, "copies": COUNT}),
        "stories": fields({"new": COUNT, "merged": COUNT}),
    },
    "demo/1": {
        "database": TEXT,
        **{name: {**RECORD, "description": f"storyheat.{name}/1"} for name in ("replay", "top", "story", "sources")},
    },
    **FOLLOWING,
    **EVALUATION,
    **SUMMARISING,
    "rebuild/1": {"checked_only": FLAG, "differences": each(TEXT), "unfinished": FLAG},
    "check/1": {"problems": each(TEXT), "digest": maybe(TEXT)},
    "upgrade/1": {"version": TEXT, "steps": each(TEXT)},
    "backup/1": {"file": TEXT, "bytes": COUNT, "items": COUNT, "schema_version": TEXT},
    "restore/1": {"file": TEXT, "kept": maybe(TEXT), "items": COUNT, "schema_version": TEXT},
    "stats/1": {
        "bytes": COUNT,
        "free_bytes": COUNT,
        "log_bytes": COUNT,
        "items": COUNT,
        "bytes_per_item": maybe(NUMBER),
        "body_bytes_per_item": maybe(NUMBER),
        "oldest_item_at": maybe(INSTANT),
        "newest_item_at": maybe(INSTANT),
        "horizons": {**RECORD, "additionalProperties": INSTANT, "description": "what was let go, up to when"},
        "tables": each(fields({"name": TEXT, "rows": COUNT, "bytes": maybe(COUNT), "index_bytes": maybe(COUNT)})),
    },
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
