"""The command that marks an item to be read first: select."""

from typing import Annotated

import typer

from storyheat.cli import common
from storyheat.cli.common import UsualJson
from storyheat.cli.correct import By, Item, name_of
from storyheat.cli.screen import show, show_json
from storyheat.errors import UsageError


def register(app: typer.Typer) -> None:
    """Adds the command."""
    common.add(app, select, "storyheat select i4fu")


def select(
    usual: UsualJson,
    item: Item,
    remove: Annotated[bool, typer.Option("--remove", help="It is not selected, even if the rule says so.")] = False,
    by_rule: Annotated[bool, typer.Option("--by-rule", help="Leave it to the rule again.")] = False,
    by: By = None,
) -> None:
    """Mark an item to be read first.

    It is shown as selected in every story it stands in, whatever the rule says.
    """
    from storyheat.core.stories.selection import Mark
    from storyheat.editorial import select_item
    from storyheat.present import words
    from storyheat.present.objects import instant
    from storyheat.store.database import open_database
    from storyheat.store.queries import Questions

    if remove and by_rule:
        raise UsageError("--remove and --by-rule: choose one")
    mark = Mark.REMOVED if remove else Mark.RULE if by_rule else Mark.SELECTED
    who, at, settings = name_of(by), common.present_instant(), usual.settings()
    with open_database(settings.database) as database, database.write() as connection:
        marked = select_item(connection, item, mark, at, who)
        title = Questions(connection).items_titled([marked])[marked]
    if usual.as_json:
        told = {"item": marked, "title": title, "mark": mark.value, "at": instant(at), "who": who}
        show_json({"schema": "storyheat.selection/1", **told})
    elif not usual.quiet:
        said = {Mark.SELECTED: "is selected", Mark.REMOVED: "is not selected", Mark.RULE: "is left to the rule again"}
        show(f"{marked} {words.quoted(title)} {said[mark]}")
