"""The commands of the reader poll: poll set, close, remove and show."""

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from storyheat.cli import common
from storyheat.cli.common import UsualJson
from storyheat.cli.screen import Line, show, show_json, width, wrapped
from storyheat.cli.show import Story

if TYPE_CHECKING:
    from datetime import tzinfo

    from storyheat.core.model import StoryId
    from storyheat.core.stories.polls import Poll
    from storyheat.store.database import Transaction

BAR_CELLS = 20


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    group = typer.Typer(help="A question to the readers of a story.", rich_markup_mode=None, no_args_is_help=True)
    common.add(group, set_poll, 'storyheat poll set squs "Will it hold?" --answers yes,no', name="set")
    common.add(group, close, "storyheat poll close squs", name="close")
    common.add(group, remove, "storyheat poll remove squs", name="remove")
    common.add(group, show_polls, "storyheat poll show squs", name="show")
    app.add_typer(group, name="poll")


def set_poll(
    usual: UsualJson,
    story: Story,
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="One line.")],
    answers: Annotated[
        list[str], typer.Option("--answers", metavar="A,B,…", help="With commas between; repeated: each one whole.")
    ],
) -> None:
    """Ask the readers of a story.

    Its page shows the question with one answer for each browser, and the results after it. A poll it has gives way.
    """
    from storyheat.editorial import set_poll as ask

    _change(lambda connection, at: ask(connection, story, question, answers, at), usual)


def close(
    usual: UsualJson,
    story: Story,
) -> None:
    """Take no more answers.

    The page goes on showing the results.
    """
    from storyheat.editorial import close_poll

    _change(lambda connection, at: close_poll(connection, story, at), usual)


def remove(
    usual: UsualJson,
    story: Story,
) -> None:
    """Show the poll of a story no more.

    What was answered stays in the database.
    """
    from storyheat.editorial import remove_poll

    _change(lambda connection, at: remove_poll(connection, story, at), usual)


def show_polls(
    usual: UsualJson,
    story: Annotated[str | None, typer.Argument(metavar="[STORY]", help="Only that of this story.")] = None,
) -> None:
    """The polls and how they stand.

    Newest first; of one story with its id.
    """
    from storyheat.present import polls as presenting

    with common.asking(usual) as asked:
        found = asked.questions.polls()
        if story is not None:
            named = asked.questions.story_named(story)
            found = [one for one in found if one.story == named]
        zone, at = asked.settings.timezone, asked.at
    if usual.as_json:
        show_json(presenting.polls(found))
    elif found:
        for number, one in enumerate(found):
            show(*([""] if number else []), one.story, *poll_lines(one, zone, at, width()))
    elif not usual.quiet:
        show("There is no poll: `storyheat poll set` asks one.")


def _change(
    act: "Callable[[Transaction, datetime], StoryId]",
    usual: UsualJson,
) -> None:
    """Changes a poll in a transaction of its own, and shows what is asked in that story then."""
    from storyheat.present import polls as presenting
    from storyheat.store.database import open_database
    from storyheat.store.queries import Questions

    settings, at = usual.settings(), common.present_instant()
    with open_database(settings.database) as database, database.write() as connection:
        story = act(connection, at)
        left = Questions(connection).poll_of(story)
    found = [] if left is None else [left]
    if usual.as_json:
        show_json(presenting.polls(found))
    elif not usual.quiet:
        head = story if found else f"{story} has no poll now"
        show(head, *(line for one in found for line in poll_lines(one, settings.timezone, at, width())))


def poll_lines(poll: "Poll", zone: "tzinfo", now: datetime, columns: int | None) -> Iterator[Line]:
    """The question, a line and a bar for each answer, and how it stands."""
    from storyheat.present import words
    from storyheat.present.polls import counted, percents

    yield from wrapped(poll.question, columns, "  ")
    for place, (answer, share) in enumerate(zip(poll.answers, percents(poll), strict=True)):
        yield from wrapped(answer, columns, "  ")
        bar = "█" * round(BAR_CELLS * (poll.percent(place) or 0.0) / 100)
        yield f"    {poll.counts[place]:>6} {share:>4}%  {bar}".rstrip()
    since = f"asked {words.clock(poll.asked_at, zone, now)}"
    if poll.closed_at is not None:
        since += f", closed {words.clock(poll.closed_at, zone, now)}"
    yield from wrapped(f"{counted(poll)}; {since} ({words.zone_name(zone, now)})", columns, "  ")
