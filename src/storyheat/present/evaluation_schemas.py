"""The JSON Schemas of the clusterer on files and of its evaluation."""

from storyheat.present.notation import COUNT, FLAG, NUMBER, RECORD, TEXT, Schema, each, fields, maybe, one_of

RATES = fields({"p": NUMBER, "r": NUMBER, "f1": NUMBER}, "precision, recall, and their harmonic mean")
NUMBERS: Schema = {
    **RECORD,
    "additionalProperties": fields({"now": NUMBER, "then": NUMBER}),
    "description": "what was tried: each number by its name",
}
GROUP = fields(
    {"id": TEXT, "title": TEXT, "first": TEXT, "stored": maybe(TEXT), "reports": COUNT},
    "a story by its first report; `stored`: the story in which that report stands",
)

EVALUATION: dict[str, dict[str, Schema]] = {
    "cluster/1": {"items": COUNT, "stories": COUNT, "mentions": COUNT},
    "eval/1": {
        "n": COUNT,
        "bcubed": RATES,
        "pairwise": fields({**RATES["properties"], "tp": COUNT, "pred_pairs": COUNT, "gold_pairs": COUNT}),
        "ami": NUMBER,
        "nmi_geometric": NUMBER,
        "clusters": fields(
            dict.fromkeys(("gold", "pred", "gold_multi", "pred_multi", "gold_max", "pred_max"), COUNT),
            "stories, those of several items, and the items of the largest: labelled and predicted",
        ),
        "floor": fields({"bcubed_f1_singletons": NUMBER, "bcubed_f1_one_cluster": NUMBER}),
        "gain_over_floor": {**maybe(NUMBER), "description": "null where singletons are perfect"},
        "missing": {**COUNT, "description": "labelled items without a predicted story; each counts as alone"},
        "extra": {**COUNT, "description": "predictions about items that are not labelled; left out"},
        "items_per_second": {**maybe(NUMBER), "description": "on one core; null where nothing was clustered"},
    },
    "eval-corrections/1": {
        "numbers": NUMBERS,
        "pairs": {**COUNT, "description": "looked at"},
        "right": COUNT,
        "unseen": {**COUNT, "description": "with an item too old to be looked at"},
        "wrong": each(fields({"items": each(TEXT), "titles": each(TEXT), "same_story": FLAG, "correction": COUNT})),
    },
    "what-if/1": {
        "numbers": NUMBERS,
        "items": {**COUNT, "description": "looked at: the newest"},
        "stored": COUNT,
        "stories": fields({"now": COUNT, "then": COUNT}),
        "changes": each(
            fields(
                {
                    "kind": one_of("merge", "split", "regroup"),
                    "reports": COUNT,
                    "now": each(GROUP),
                    "then": each(GROUP),
                    "flows": each(fields({"now": TEXT, "then": TEXT, "reports": COUNT})),
                }
            )
        ),
    },
}
