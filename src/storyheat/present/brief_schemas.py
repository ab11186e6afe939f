"""The JSON Schemas of what a language model wrote, and of the command that has it write."""

from storyheat.present.notation import COUNT, FLAG, INSTANT, TEXT, Schema, each, fields, maybe, one_of

SENTENCE = fields({"text": TEXT, "items": each(TEXT)})
SUMMARY = fields(
    {"sentences": each(SENTENCE), "made_by": {**TEXT, "description": "extractive, or the name of a language model"}}
)
BRIEF = fields(
    {
        "made_by": {**TEXT, "description": "name of the language model"},
        "made_at": INSTANT,
        "language": TEXT,
        "stale": {**FLAG, "description": "its reports are no longer those that the model was shown"},
        "newer_reports": COUNT,
        "withheld": {**COUNT, "description": "sentences left out, since what they cite changed"},
        "why_it_matters": each(SENTENCE),
        "details": each(SENTENCE),
        "takeaway": each(SENTENCE),
        "players": each(fields({"name": TEXT, "role": TEXT, "items": each(TEXT)})),
        "timeline": each(fields({"at": INSTANT, "text": TEXT, "items": each(TEXT)})),
    },
    "by a language model, as far as the reports bear it out",
)

SUMMARISING: dict[str, dict[str, Schema]] = {
    "summarise/1": {
        "at": INSTANT,
        "model": TEXT,
        "dry_run": FLAG,
        "stories": each(
            fields(
                {
                    "story": TEXT,
                    "title": TEXT,
                    "outcome": one_of("written", "up_to_date", "would_ask", "nothing_to_tell", "failed", "left"),
                    "because": {**maybe(TEXT), "description": "why it failed or was left"},
                    "reports": {**COUNT, "description": "that the model is shown"},
                    "sentences": {**COUNT, "description": "kept"},
                    "dropped": {**COUNT, "description": "sentences that the reports did not bear out"},
                    "tokens": {**COUNT, "description": "spent; in a dry run the most it could take"},
                }
            )
        ),
        "spent_today": fields({"requests": COUNT, "of_requests": COUNT, "tokens": COUNT, "of_tokens": COUNT}),
    },
}
