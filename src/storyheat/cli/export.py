"""The command that writes answers for other programs: export."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from storyheat.cli import common
from storyheat.cli.common import Asked, At, Period, Usual
from storyheat.cli.files import refuse_own_files, write_whole
from storyheat.cli.screen import json_text, show, show_raw
from storyheat.cli.show import Languages, MinVoices, Number, Sort, Sources, Topics, top_wish
from storyheat.errors import UsageError

if TYPE_CHECKING:
    from storyheat.answers.top import TopWish
    from storyheat.present.feeds.forms import Form

FEEDS = ("rss", "atom", "jsonfeed")
FORMATS = {"top": ("json", "csv", *FEEDS), "story": ("json", "csv", *FEEDS), "heat": ("json", "csv")}


def register(app: typer.Typer) -> None:
    """Adds the command."""
    common.add(app, export, "storyheat export --format atom --topic science -o science.atom")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be written, and how. `name`: of the story; `base`: see `--base-url`."""

    what: str
    format: str
    name: str
    period: str
    wish: "TopWish"
    base: str | None


def export(
    usual: Usual,
    name: Annotated[str | None, typer.Argument(metavar="[STORY]", help="Id of a story, or its first letters.")] = None,
    format_: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="json, csv, rss, atom or jsonfeed.")
    ] = "json",
    what: Annotated[str, typer.Option("--what", metavar="WHAT", help="top, story or heat.")] = "top",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Where it goes [default: standard output].")
    ] = None,
    base_url: Annotated[
        str | None,
        typer.Option("--base-url", metavar="URL", help="Where the page is served, for links in feeds [web.base_url]."),
    ] = None,
    number: Number = 20,
    period: Period = "7d",
    sort: Sort = "heat",
    topic: Topics = None,
    language: Languages = None,
    source: Sources = None,
    min_voices: MinVoices = 1,
    at: At = None,
) -> None:
    """Write answers for other programs, as a file or a feed.

    The hot list and a story in every format, the hours of a story as json or csv.
    """
    from storyheat.settings.checks import origin

    wish = top_wish(number, period, sort, topic, language, source, min_voices)
    _check(what, format_, name, wish, base_url)
    try:
        base = None if base_url is None else origin(base_url)
    except ValueError as error:
        raise UsageError(f'--base-url: "{base_url}" {error}') from error
    with common.asking(usual, at, period) as asked:
        if output is not None:
            refuse_own_files(output, asked.settings)
        asked.remark_on_rule(usual.quiet)
        wanted = Wanted(what, format_, name or "", period, wish, base or asked.settings.web.base_url)
        text = _feed(asked, wanted) if format_ in FEEDS else _table(asked, wanted)
    if output is None:
        show_raw(text)
        return
    write_whole(output, text)
    if not usual.quiet:
        show(f"{output}: {what} as {format_}, {len(text.encode())} bytes")


def _check(what: str, format_: str, name: str | None, wish: "TopWish", base_url: str | None) -> None:
    """Refuses what does not go together. Raises UsageError."""
    if what not in FORMATS:
        raise UsageError(f'--what: "{what}" is none of {", ".join(FORMATS)}')
    if format_ not in FORMATS["top"]:
        raise UsageError(f'--format: "{format_}" is none of {", ".join(FORMATS["top"])}')
    if format_ not in FORMATS[what]:
        raise UsageError(f"--format: {what} goes as {' or '.join(FORMATS[what])}, not as {format_}")
    if what == "top" and name is not None:
        raise UsageError("export: a story is named with --what story or --what heat")
    if what != "top" and name is None:
        raise UsageError(f"export: --what {what} needs the id of a story")
    if what != "top" and (extra := _chosen(wish)):
        raise UsageError(f"{extra[0]}: only for --what top")
    if base_url is not None and format_ not in FEEDS:
        raise UsageError(f"--base-url: only for {', '.join(FEEDS)}; {format_} has no links to pages")


def _chosen(wish: "TopWish") -> Sequence[str]:
    """The options that choose from the hot list and are not at their default."""
    from storyheat.answers.top import TopWish

    default = replace(TopWish(), period=wish.period)
    options = {
        "--number": "number",
        "--sort": "order",
        "--topic": "topics",
        "--language": "languages",
        "--source": "sources",
        "--min-voices": "min_voices",
    }
    return [option for option, field in options.items() if getattr(wish, field) != getattr(default, field)]


def _table(asked: Asked, wanted: Wanted) -> str:
    """The answer as JSON, just as the command prints it, or as CSV."""
    from storyheat.answers import story as of_story
    from storyheat.answers.top import top
    from storyheat.present import objects, tables

    rule, is_csv = asked.settings.heat, wanted.format == "csv"
    if wanted.what == "top":
        listed = top(asked.questions, wanted.wish, asked.at, rule)
        return tables.top_csv(listed) if is_csv else json_text(objects.top(listed))
    if wanted.what == "heat":
        hours = of_story.heat(asked.questions, wanted.name, wanted.period, asked.at, rule)
        return tables.heat_csv(hours) if is_csv else json_text(objects.heat(hours))
    told = of_story.story(asked.questions, wanted.name, wanted.period, asked.at, rule)
    return tables.story_csv(told) if is_csv else json_text(objects.story(told, asked.settings.timezone))


def _feed(asked: Asked, wanted: Wanted) -> str:
    """The answer as a feed."""
    from storyheat.answers.updates import story_update, top_updates
    from storyheat.present.feeds import forms
    from storyheat.present.feeds.outgoing import Place, feed_of_story, feed_of_top

    by_name: dict[str, Form] = {"rss": forms.RSS, "atom": forms.ATOM, "jsonfeed": forms.JSON_FEED}
    form, rule, zone = by_name[wanted.format], asked.settings.heat, asked.settings.timezone
    place = Place(wanted.base, form.ending)
    if wanted.what == "top":
        return form.write(feed_of_top(top_updates(asked.questions, wanted.wish, asked.at, rule), place, zone))
    return form.write(feed_of_story(story_update(asked.questions, wanted.name, asked.at, rule), place, zone))
