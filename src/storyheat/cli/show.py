"""The commands that answer: top, story, heat, explain."""

from typing import TYPE_CHECKING, Annotated

import typer

from storyheat.cli import common
from storyheat.cli.common import MOST, At, Period, UsualJson
from storyheat.cli.screen import show, show_json, show_raw, width
from storyheat.errors import UsageError

if TYPE_CHECKING:
    from storyheat.answers.top import TopWish

Number = Annotated[int, typer.Option("--number", "-n", metavar="N", min=1, max=MOST, help="How many stories.")]
Sort = Annotated[str, typer.Option("--sort", metavar="ORDER", help="heat, rising (over 24 hours), peak or new.")]
Topics = Annotated[list[str] | None, typer.Option("--topic", metavar="TOPIC", help="Only this topic; may be repeated.")]
Languages = Annotated[
    list[str] | None, typer.Option("--language", metavar="TAG", help="Only this language; may be repeated.")
]
Sources = Annotated[
    list[str] | None, typer.Option("--source", metavar="ID", help="Only stories it tells; may be repeated.")
]
MinVoices = Annotated[
    int, typer.Option("--min-voices", metavar="N", min=1, max=MOST, help="Only stories that so many voices tell.")
]
Story = Annotated[str, typer.Argument(metavar="STORY", help="Id of a story, or its first letters.")]


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    common.add(app, top, "storyheat top -n 5 --sort rising --language zh")
    common.add(app, search, "storyheat search 深度 engine -benchmark")
    common.add(app, story, 'storyheat story squs --at "3h ago"')
    common.add(app, heat, "storyheat heat squs --period 30d --csv > heat.csv")
    common.add(app, explain, "storyheat explain squs --at 2026-10-26T23:00Z")


def top(
    usual: UsualJson,
    number: Number = 20,
    period: Period = "7d",
    sort: Sort = "heat",
    topic: Topics = None,
    language: Languages = None,
    source: Sources = None,
    min_voices: MinVoices = 1,
    at: At = None,
) -> None:
    """The hottest stories.

    Heat, the last 48 hours, 24-hour change, peak with its hour, voices, title, id.
    """
    from storyheat.answers.top import top as answer_top

    wish = top_wish(number, period, sort, topic, language, source, min_voices)
    with common.asking(usual, at, period) as asked:
        asked.remark_on_rule(usual.quiet)
        answer = answer_top(asked.questions, wish, asked.at, asked.settings.heat)
    if usual.as_json:
        from storyheat.present import objects

        show_json(objects.top(answer))
    else:
        from storyheat.cli.hot import top_lines

        show(*top_lines(answer, wish, asked.settings.timezone, width(), quiet=usual.quiet, verbose=usual.verbose))


def top_wish(
    number: int,
    period: str,
    sort: str,
    topics: list[str] | None,
    languages: list[str] | None,
    sources: list[str] | None,
    min_voices: int,
) -> "TopWish":
    """The list that the options ask for. Raises UsageError."""
    from storyheat.answers.top import Order, TopWish

    if sort not in list(Order):
        raise UsageError(f'--sort: "{sort}" is none of {", ".join(Order)}')
    return TopWish(
        number=number,
        period=period,
        order=Order(sort),
        topics=tuple(topics or ()),
        languages=tuple(languages or ()),
        sources=tuple(sources or ()),
        min_voices=min_voices,
    )


def search(
    usual: UsualJson,
    words: Annotated[list[str], typer.Argument(metavar="WORDS", help="All must occur; -WORD must not.")],
    number: Annotated[int, typer.Option("--number", "-n", metavar="N", min=1, max=MOST, help="How many of each.")] = 10,
    at: At = None,
) -> None:
    """Stories and items by their words, English or Chinese, best first.

    Put -- before the words if one of them begins with a dash.
    """
    from storyheat.answers.search import search as answer_search
    from storyheat.cli.lists import search_lines
    from storyheat.present import objects

    with common.asking(usual, at) as asked:
        answer = answer_search(asked.questions, " ".join(words), number, asked.at, asked.settings.heat)
    if usual.as_json:
        show_json(objects.search(answer))
    else:
        show(*search_lines(answer, asked.settings.timezone, width(), quiet=usual.quiet))


def story(
    usual: UsualJson,
    name: Story,
    period: Period = "7d",
    at: At = None,
) -> None:
    """One story whole.

    Its three figures, its hours as a chart, its timeline by day, its sources.
    """
    from storyheat.answers.story import story as answer_story
    from storyheat.cli.pages import story_lines
    from storyheat.present import objects

    with common.asking(usual, at, period) as asked:
        asked.remark_on_rule(usual.quiet)
        answer = answer_story(asked.questions, name, period, asked.at, asked.settings.heat)
    if usual.as_json:
        show_json(objects.story(answer, asked.settings.timezone))
    else:
        show(*story_lines(answer, asked.settings.timezone, width(), quiet=usual.quiet, verbose=usual.verbose))


def heat(
    usual: UsualJson,
    name: Story,
    period: Period = "7d",
    csv: Annotated[bool, typer.Option("--csv", help="Print the hours for a spreadsheet.")] = False,
    at: At = None,
) -> None:
    """The heat of a story hour by hour.

    With what is known about each hour.
    """
    from storyheat.answers.story import heat as answer_heat
    from storyheat.cli.pages import heat_lines
    from storyheat.present import objects
    from storyheat.present.tables import heat_csv

    if csv and usual.as_json:
        raise UsageError("--csv and --json: choose one")
    with common.asking(usual, at, period) as asked:
        asked.remark_on_rule(usual.quiet)
        answer = answer_heat(asked.questions, name, period, asked.at, asked.settings.heat)
    if usual.as_json:
        show_json(objects.heat(answer))
    elif csv:
        show_raw(heat_csv(answer))
    else:
        show(*heat_lines(answer, asked.settings.timezone, width(), quiet=usual.quiet, verbose=usual.verbose))


def explain(
    usual: UsualJson,
    name: Annotated[str | None, typer.Argument(metavar="[STORY]", help="Id of a story, or its first letters.")] = None,
    item: Annotated[
        str | None, typer.Option("--item", metavar="ITEM", help="Tell why this item is where it is.")
    ] = None,
    at: At = None,
) -> None:
    """Why a story is as hot as it is.

    The receipt: who gives how many points, and what does not count and why.
    """
    from storyheat.answers import explain as explaining
    from storyheat.cli.reasons import item_lines, receipt_lines
    from storyheat.present import objects

    if (name is None) == (item is None):
        raise UsageError("explain: name a story, or an item with --item")
    if item is not None and at is not None:
        raise UsageError("--item: a decision about an item has no --at; it holds since it was made")
    with common.asking(usual, at) as asked:
        zone = asked.settings.timezone
        if item is not None:
            about_item = explaining.explain_item(asked.questions, item)
            if usual.as_json:
                show_json(objects.explain_item(about_item))
            else:
                show(*item_lines(about_item, zone, width(), verbose=usual.verbose))
            return
        answer = explaining.explain(asked.questions, name or "", asked.at, asked.settings.heat)
    if usual.as_json:
        show_json(objects.explain(answer))
    else:
        show(*receipt_lines(answer, zone, width(), quiet=usual.quiet))
