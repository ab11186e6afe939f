"""The command that has a language model write: summarise."""

from typing import TYPE_CHECKING, Annotated

import typer

from storyheat.cli import common
from storyheat.cli.common import MOST, SOME_FAILED, UsualJson
from storyheat.cli.screen import progress, show, show_json
from storyheat.errors import UsageError, WorkError

if TYPE_CHECKING:
    from storyheat.core.briefs.summarising import Line


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    common.add(app, summarise, "storyheat summarise --limit 5 --dry-run")


def summarise(
    usual: UsualJson,
    stories: Annotated[
        list[str] | None, typer.Argument(metavar="[STORY]...", help="Ids or their beginnings [default: the hottest].")
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", metavar="N", min=1, max=MOST, help="How many of the hottest [default: 10].")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Ask nobody; tell what would be asked for.")] = False,
    again: Annotated[
        bool, typer.Option("--again", help="Ask as well where an answer to the same reports is stored.")
    ] = False,
) -> None:
    """Have a language model write the briefs of stories.

    The one that STORYHEAT_LLM_URL, STORYHEAT_LLM_MODEL and STORYHEAT_LLM_KEY name.
    What the reports do not bear out is dropped.
    """
    from storyheat.core.briefs.summarising import Fate
    from storyheat.present.written import line_words, lines_json
    from storyheat.store.database import open_database
    from storyheat.store.queries import ask
    from storyheat.summarise import hottest
    from storyheat.summarise import summarise as run
    from storyheat.wiring import make_writer

    if stories and limit is not None:
        raise UsageError("--limit and ids: choose one")
    settings = usual.settings()
    writer = make_writer(settings)
    now = common.present_instant()
    lines: list[Line] = []
    with open_database(settings.database) as database:
        with ask(database) as questions:
            if stories:
                wanted = list(dict.fromkeys(questions.story_named(name) for name in stories))
            else:
                wanted = hottest(questions, limit or 10, now, settings.heat)
        with common.running(), progress("Stories", usual.quiet or usual.as_json) as told:
            for line in run(database, wanted, writer, now, dry_run=dry_run, again=again):
                lines.append(line)
                told(len(lines), len(wanted))
                if not usual.as_json and not (usual.quiet and line.fate is not Fate.FAILED):
                    show(line_words(line))
        with ask(database) as questions:
            spent = questions.spent_on(now)
    if usual.as_json:
        show_json(lines_json(lines, writer.model, spent, settings.summaries, now, dry_run=dry_run))
    elif not lines and not usual.quiet:
        show("No story has heat now; name one by its id to have its brief written.")
    _end(lines)


def _end(lines: "list[Line]") -> None:
    """The exit code: 3 where some of the stories were not done, 1 where none was."""
    from storyheat.core.briefs.summarising import Fate

    undone = [line for line in lines if line.fate in (Fate.FAILED, Fate.LEFT)]
    if undone and len(undone) == len(lines):
        raise WorkError(f"no brief was written: {undone[0].because}")
    if undone:
        raise typer.Exit(SOME_FAILED)
