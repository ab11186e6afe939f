"""The command that runs the clusterer alone, on a file."""

from pathlib import Path
from typing import Annotated

import typer

from storyheat.cli import common
from storyheat.cli.common import UsualJson
from storyheat.cli.screen import progress, show, show_json

Semantic = Annotated[
    bool,
    typer.Option(
        "--semantic/--lexical",
        help="Compare meaning as well as words, across languages too (needs the extra semantic), or words only.",
    ),
]
Consolidated = Annotated[
    bool,
    typer.Option("--consolidated", help="Merge stories that prove to be one as items go by; labels come after that."),
]


def register(app: typer.Typer) -> None:
    """Adds the command of this module."""
    common.add(app, cluster, "storyheat cluster items.jsonl -o labels.jsonl")


def cluster(
    usual: UsualJson,
    items: Annotated[
        Path, typer.Argument(metavar="IN.jsonl", help="Lines {id, published, title, text, source, url, lang}.")
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="OUT.jsonl", help="Gets {id, story, role, mentions}.")
    ],
    semantic: Semantic = False,
    consolidated: Consolidated = False,
) -> None:
    """Group the items of a file into stories.

    One pass; each label is final when written. With --consolidated labels are written when all items are placed.
    """
    from storyheat.cluster_file import cluster_file
    from storyheat.present.words import count
    from storyheat.wiring import embedder

    with progress("Items", usual.quiet or usual.as_json) as told:
        summary = cluster_file(items, output, progress=told, embedder=embedder(semantic), consolidated=consolidated)
    if usual.as_json:
        show_json(
            {
                "schema": "storyheat.cluster/1",
                "items": summary.items,
                "stories": summary.stories,
                "mentions": summary.mentions,
            }
        )
    elif not usual.quiet:
        stories = count(summary.stories, "story", "stories")
        show(f"{output}: {count(summary.items, 'item')}, {stories}, {summary.mentions} only mentions")
