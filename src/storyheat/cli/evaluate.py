"""The command that measures: labels against labels, the clusterer against labels, and what another number would do."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from storyheat.cli import common
from storyheat.cli.cluster import Consolidated, Semantic
from storyheat.cli.common import UsualJson
from storyheat.cli.screen import on_terminal, progress, show, show_json
from storyheat.errors import UsageError

if TYPE_CHECKING:
    from storyheat.core.clustering.model import ClusterParams
    from storyheat.present.evaluation import Numbers
    from storyheat.settings import Settings

LEAD = "--lead"
FROM_CORRECTIONS = "--from-corrections"
_SHOWN = 20  # changes that a person is shown unasked


def register(app: typer.Typer) -> None:
    """Adds the command of this module."""
    common.add(app, evaluate, "storyheat eval labelled.jsonl labels.jsonl", name="eval")


def evaluate(
    usual: UsualJson,
    gold: Annotated[
        Path | None, typer.Argument(metavar="[GOLD.jsonl]", help="Lines {id, story}; with texts to cluster them.")
    ] = None,
    predicted: Annotated[
        Path | None,
        typer.Argument(metavar="[PRED.jsonl]", help="Lines {id, story} [default: what our clusterer makes of GOLD]."),
    ] = None,
    numbers: Annotated[
        list[str] | None,
        typer.Option("--what-if", metavar="NAME=X", help="Try another number of the clusterer, such as threshold=0.5."),
    ] = None,
    from_corrections: Annotated[
        bool, typer.Option(FROM_CORRECTIONS, help="How many of the pairs corrected by hand the clusterer gets right.")
    ] = False,
    titles_only: Annotated[bool, typer.Option("--titles-only", help="Cluster GOLD by its titles alone.")] = False,
    lead: Annotated[
        int | None, typer.Option(LEAD, metavar="N", min=1, help="Cluster GOLD by the first N letters of its texts.")
    ] = None,
    semantic: Semantic = False,
    consolidated: Consolidated = False,
) -> None:
    """How well items are grouped into stories.

    Scores against labels, or which stories of the database another number would merge or split. Prints JSON; on a
    terminal, and without --json, lines for people.
    """
    if titles_only and lead is not None:
        raise UsageError(f"--titles-only and {LEAD}: choose one")
    letters = 0 if titles_only else lead
    if gold is not None and from_corrections:
        raise UsageError(f"{FROM_CORRECTIONS} is about your own stories: leave out GOLD.jsonl")
    if gold is not None:
        run = {"semantic": semantic, "consolidated": consolidated, "quiet": usual.quiet, "as_json": usual.as_json}
        _score(gold, predicted, numbers or [], letters, **run)
    elif not numbers and not from_corrections:
        raise UsageError(f"eval: name a file of labelled items, a number with --what-if, or {FROM_CORRECTIONS}")
    elif letters is not None or semantic or consolidated:
        raise UsageError(f"--titles-only, {LEAD}, --semantic and --consolidated are for a file of labelled items")
    else:
        settings, shown = usual.settings(), None if usual.verbose else _SHOWN
        _own_stories(settings, numbers or [], shown, judged=from_corrections, quiet=usual.quiet, as_json=usual.as_json)


def _score(
    gold: Path,
    predicted: Path | None,
    numbers: list[str],
    letters: int | None,
    *,
    semantic: bool,
    consolidated: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    from storyheat import evaluate as evaluating
    from storyheat.cluster_file import cluster_file
    from storyheat.core.clustering.model import ClusterParams
    from storyheat.present import evaluation
    from storyheat.wiring import embedder

    params, _ = _changed(numbers, ClusterParams())
    if predicted is None:
        with progress("Items", quiet or as_json) as told:
            run = partial(
                cluster_file, params=params, progress=told, embedder=embedder(semantic), consolidated=consolidated
            )
            found = evaluating.evaluate_clusterer(gold, run, letters)
    elif numbers or letters is not None or consolidated:
        ours = f"--what-if, --titles-only, {LEAD} and --consolidated"
        raise UsageError(f"{ours} are for our clusterer: leave out PRED.jsonl")
    else:
        found = evaluating.evaluate(gold, predicted)
    if _for_people(as_json):
        show(*evaluation.score_lines(found.scores, found.items_per_second))
    else:
        show_json(evaluation.scores(found.scores, found.items_per_second))


def _own_stories(
    settings: "Settings", numbers: list[str], shown: int | None, *, judged: bool, quiet: bool, as_json: bool
) -> None:
    """What becomes of the stored items with other numbers, or of the pairs among them that were corrected."""
    from storyheat.cluster_file import make_clusterer
    from storyheat.pipeline.what_if import judge, what_if
    from storyheat.present import evaluation
    from storyheat.store.database import open_database
    from storyheat.wiring import place_inputs

    _, placing = place_inputs(settings.clustering)
    then, tried = _changed(numbers, placing.cluster)
    make = partial(make_clusterer, embedder=placing.embedder)
    with open_database(settings.database) as database, progress("Items", quiet or as_json) as told:
        if judged:
            pairs = judge(database, make, then, told)
            lines, value = evaluation.judged_lines(pairs, tried, shown), evaluation.judged(pairs, tried)
        else:
            found = what_if(database, make, placing.cluster, then, told)
            lines, value = evaluation.what_if_lines(found, tried, shown), evaluation.what_if(found, tried)
    if _for_people(as_json):
        show(*lines)
    else:
        show_json(value)


def _changed(numbers: list[str], now: "ClusterParams") -> "tuple[ClusterParams, Numbers]":
    """The parameters with the numbers of `--what-if` changed, and what each was. Raises UsageError."""
    from storyheat.core.evaluation import tuning

    then = now
    names = []
    for given in numbers:
        name, _, value = (part.strip() for part in given.partition("="))
        names.append(name)
        try:
            then = tuning.with_number(then, name, float(value))
        except ValueError as error:
            raise UsageError(f'--what-if: "{given}": {error}; write it like threshold=0.5') from error
    before, after = dict(tuning.numbers(now)), dict(tuning.numbers(then))
    return then, {name: (before[name], after[name]) for name in names}


def _for_people(as_json: bool) -> bool:
    return on_terminal() and not as_json
