"""The commands that correct stories by hand: merge, move, split, pin, unpin, undo; and history."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from storyheat.cli import common
from storyheat.cli.common import MOST, UsualJson
from storyheat.cli.screen import Line, show, show_json, width, wrapped
from storyheat.cli.show import Story
from storyheat.errors import UsageError

if TYPE_CHECKING:
    from datetime import tzinfo

    from storyheat.answers.corrections import Corrected, HistoryAnswer
    from storyheat.core.corrections.rules import Order
    from storyheat.corrections import Desk

By = Annotated[str | None, typer.Option("--by", metavar="NAME", help="Who corrects [default: your login name].")]
Why = Annotated[str | None, typer.Option("--why", metavar="TEXT", help="Kept with the correction.")]
Item = Annotated[str, typer.Argument(metavar="ITEM", help="Id of an item, or its first letters.")]
_OUT = "none"


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    common.add(app, merge, 'storyheat merge s4fu squs --why "the same bridge"')
    common.add(app, move, "storyheat move i4fu squs --as mention")
    common.add(app, split, "storyheat split squs i4fu i7ab")
    common.add(app, pin, "storyheat pin i4fu")
    common.add(app, unpin, "storyheat unpin i4fu")
    common.add(app, undo, "storyheat undo c12")
    common.add(app, history, "storyheat history squs")
    common.add(app, proposals, "storyheat proposals")


def merge(
    usual: UsualJson,
    first: Annotated[str, typer.Argument(metavar="STORY", help="Id of a story, or its first letters.")],
    second: Annotated[str, typer.Argument(metavar="STORY", help="The other one; their order does not matter.")],
    by: By = None,
    why: Why = None,
) -> None:
    """Make two stories one.

    The older keeps its id; the younger's id leads to it from then on.
    """
    _correct(lambda desk: desk.merge(first, second), by, why, usual)


def move(
    usual: UsualJson,
    item: Item,
    story: Annotated[str | None, typer.Argument(metavar="[STORY]", help="Where to; none with --alone.")] = None,
    role: Annotated[
        str, typer.Option("--as", metavar="ROLE", help="report, mention, or none: out of that story.")
    ] = "report",
    alone: Annotated[bool, typer.Option("--alone", help="To a story of its own.")] = False,
    by: By = None,
    why: Why = None,
) -> None:
    """Say what an item is in a story.

    As a report it leaves the story it was a report of. Its copies go with it, its mentions stay.
    """
    from storyheat.core.model import Role

    if (story is None) != alone:
        raise UsageError("move: name a story, or --alone for one of its own")
    if role not in (Role.REPORT, Role.MENTION, _OUT) or (alone and role != Role.REPORT):
        raise UsageError(f'--as: "{role}" is none of report, mention, none; with --alone it is a report')
    wanted = None if role == _OUT else Role(role)
    _correct(
        lambda desk: desk.alone(item) if story is None else desk.move(item, story, wanted),
        by, why, usual,
    )  # fmt: skip


def split(
    usual: UsualJson,
    story: Story,
    items: Annotated[list[str], typer.Argument(metavar="ITEM…", help="The items of the new story.")],
    by: By = None,
    why: Why = None,
) -> None:
    """Make some items of a story one of their own.

    Its id comes from their earliest report. Copies go with their originals.
    """
    _correct(lambda desk: desk.split(story, items), by, why, usual)


def pin(
    usual: UsualJson,
    item: Item,
    story: Annotated[str | None, typer.Argument(metavar="[STORY]", help="In which, if it is in several.")] = None,
    by: By = None,
    why: Why = None,
) -> None:
    """Confirm that an item is where it belongs.

    The machine never takes it out again, not even when all is rebuilt by other rules.
    """
    _correct(lambda desk: desk.pin(item, story), by, why, usual)


def unpin(
    usual: UsualJson,
    item: Item,
    by: By = None,
    why: Why = None,
) -> None:
    """Leave an item to the machine again.

    It stays where it is.
    """
    _correct(lambda desk: desk.unpin(item), by, why, usual)


def undo(
    usual: UsualJson,
    which: Annotated[
        str | None,
        typer.Argument(metavar="[N]", help="3: the third last that holds; c12: that of number 12 [default: the last]."),
    ] = None,
    by: By = None,
    why: Why = None,
) -> None:
    """Take a correction back.

    Members, roles, ids and heat are as if it had not been made. An undo can be undone by its number.
    """
    _correct(lambda desk: desk.undo(which), by, why, usual)


def history(
    usual: UsualJson,
    name: Story,
    number: Annotated[int, typer.Option("--number", "-n", metavar="N", min=1, max=MOST, help="How many events.")] = 50,
) -> None:
    """What was decided about a story, when, and by whom.

    The newest first, with what was decided about the stories that were merged into it.
    """
    from storyheat.answers.corrections import history as answer_history
    from storyheat.present import corrections as presenting

    with common.asking(usual) as asked:
        answer = answer_history(asked.questions, name, number)
        zone = asked.settings.timezone
    if usual.as_json:
        show_json(presenting.history(answer))
    else:
        show(*_history_lines(answer, zone, width()))


def proposals(usual: UsualJson) -> None:
    """What the machine would merge or split.

    It looks at the open stories again and changes nothing; each proposal has the command that accepts it.
    """
    from storyheat.pipeline.proposals import propose
    from storyheat.present import proposals as presenting
    from storyheat.store.database import open_database
    from storyheat.store.queries import Questions
    from storyheat.wiring import place_inputs

    settings = usual.settings()
    background, params = place_inputs(settings.clustering)
    with open_database(settings.database) as database, database.read() as connection:
        found = propose(connection, background, params)
        merges, splits = presenting.told(found, Questions(connection))
    if usual.as_json:
        show_json(presenting.as_json(found, merges, splits))
        return
    for head, told in (("May be one story", merges), ("May not belong together", splits)):
        for one in told:
            show(f"{head}: {one.reason}", *(f"  {name}" for name in one.names), f"  accept: {one.command}")
    if not (merges or splits or usual.quiet):
        show("Nothing to propose: the open stories look right.")


def _history_lines(answer: "HistoryAnswer", zone: "tzinfo", columns: int | None) -> Iterator[Line]:
    from storyheat.core.text.markup import one_line
    from storyheat.present import words
    from storyheat.present.corrections import event_in_words

    yield f"{answer.story}  {words.title(answer.title)}"
    if answer.aliases:
        yield from wrapped(f"With what was decided about {', '.join(answer.aliases)}", columns, "")
    for event in answer.events:
        told = f"{words.stamp(event.at, zone)}  {one_line(event.who)}  {event_in_words(event, answer)}"
        if event.correction is not None and event.correction.why is not None:
            told += f" ({one_line(event.correction.why)})"
        if event.undone_by is not None:
            told += f"; undone by c{event.undone_by}"
        yield told
    if answer.more:
        yield "… and older; -n shows more"


def _correct(
    take: Callable[["Desk"], "Order"],
    by: str | None,
    why: str | None,
    usual: UsualJson,
) -> None:
    """Takes an order, applies it in one transaction while no run is at work, and shows what became of it."""
    from storyheat.answers.corrections import corrected
    from storyheat.core.corrections.rules import Correction
    from storyheat.corrections import desk
    from storyheat.pipeline.correct import correct
    from storyheat.present import corrections as presenting
    from storyheat.store.database import open_database
    from storyheat.store.queries import ask
    from storyheat.store.runlock import run_lock
    from storyheat.wiring import place_inputs

    who, reason = name_of(by), None if why is None else _said(why, "--why")
    settings = usual.settings()
    background, params = place_inputs(settings.clustering)
    at = common.present_instant()
    with run_lock(settings.database), open_database(settings.database) as database:
        with database.write() as connection:
            at_desk = desk(connection)
            asked = Correction(0, at, at_desk.after, who, take(at_desk), reason)
            correction = correct(connection, asked, background, params, settings.heat)
        with ask(database, topics=settings.topics) as questions:
            answer = corrected(questions, correction, at, settings.heat)
    if usual.as_json:
        show_json(presenting.corrected(answer))
    elif not usual.quiet:
        show(*_corrected_lines(answer))


def _corrected_lines(answer: "Corrected") -> Iterator[Line]:
    from storyheat.core.model import Role
    from storyheat.present import words
    from storyheat.present.corrections import in_words

    yield f"c{answer.correction.number}: {in_words(answer.correction, answer.names)}"
    copies = sorted({line.item for line in answer.lines if line.role is Role.COPY})
    if copies:
        yield f"  with {words.count(len(copies), 'copy', 'copies')}: {', '.join(copies)}"
    for one in answer.stories:
        figures = one.figures
        yield (
            f"  {one.id}  heat {words.rounded(figures.trend.current)}, {words.count(figures.voices, 'voice')}, "
            f"{words.count(figures.reports, 'report')}, {words.count(figures.mentions, 'mention')}, "
            f"{words.count(figures.copies, 'copy', 'copies')}: {words.title(one.title)}"
        )
    for story, into in answer.leads.items():
        yield f"  {story} leads to {into} now" if into else f"  {story} is a story of its own now"
    yield f"  `storyheat undo c{answer.correction.number}` takes it back"


def name_of(by: str | None) -> str:
    """Who is at work: as --by says, else by the login name. Raises UsageError."""
    return _login() if by is None else _said(by, "--by")


def _said(text: str, option: str) -> str:
    from storyheat.core.text.markup import one_line

    if not (said := one_line(text)):
        raise UsageError(f"{option}: there is nothing in it")
    return said


def _login() -> str:
    """The login name; `unknown` where the system has none for this user."""
    import getpass

    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return "unknown"
