"""What a feed of stories says, whichever format it is written in.

An entry is a story. Its id comes from the story's alone, so that news of a story are an update of its entry and never
another one; nothing in it moves with time alone, so that a feed without news is the same text as before.
"""

from dataclasses import dataclass
from datetime import datetime, tzinfo
from html import escape
from urllib.parse import quote, urlencode

from storyheat.answers.developments import DevelopmentAnswer
from storyheat.answers.top import TopWish
from storyheat.answers.updates import TopUpdates, Update
from storyheat.core.model import StoryId
from storyheat.present import words
from storyheat.present.developments import because
from storyheat.present.objects import instant
from storyheat.present.page.hot import story_title, topic_name
from storyheat.present.page.people import Name, named, source_name, web_link

AUTHOR = "storyheat"
LANGUAGE = "en"  # of our own words; what others wrote is marked with its own
# A tag URI (RFC 4151) under a name that can belong to nobody (RFC 2606), so that moving to another host changes no id.
_TAG = "tag:storyheat.invalid,2026:"
MOST_DEVELOPMENTS = 20  # of one story; the newest


@dataclass(frozen=True, slots=True)
class Entry:
    """One story. `link`: its page, else its best source; `source`: that source where `link` is the page."""

    id: str
    title: Name
    link: str | None
    source: str | None
    published: datetime
    updated: datetime
    summary: str  # plain text
    html: str  # made here, with all that others wrote escaped
    topics: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Outgoing:
    """One feed. `home` and `address`: the page it belongs to and where it is served; None: nowhere that is known."""

    id: str
    title: str
    about: str
    home: str | None
    address: str | None
    updated: datetime
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """Where feeds are served. `base`: an address that ends in `/`, or None; `ending`: of the format."""

    base: str | None
    ending: str

    def under(self, path: str) -> str | None:
        """The absolute address of a path without its first slash."""
        return None if self.base is None else self.base + path


def feed_of_top(hot: TopUpdates, place: Place, zone: tzinfo) -> Outgoing:
    """The hot stories that fit a wish."""
    name = _name(hot.wish)
    page, title = "", "Hot stories"
    if is_topic := name.startswith("topic/"):
        topic = hot.wish.topics[0]
        page, title = f"?{urlencode({'topic': topic.casefold()})}", f"Hot stories: {topic_name(topic)}"
    return Outgoing(
        id=_TAG + name,
        title=title,
        about="The hottest stories. An entry is updated when a report joins its story; heat alone changes none.",
        home=place.under(page),
        address=place.under(f"feeds/{name}.{place.ending}") if name == "top" or is_topic else None,
        updated=hot.since,
        entries=tuple(_entry(one, place, zone) for one in hot.stories),
    )


def feed_of_story(story: Update, place: Place, zone: tzinfo) -> Outgoing:
    """One story: a single entry that is updated."""
    entry = _entry(story, place, zone)
    return Outgoing(
        id=f"{_TAG}feed/story/{story.story.id}",
        title=entry.title.text,
        about="One story. Its entry is updated when a report joins it.",
        home=place.under(f"story/{story.story.id}"),
        address=place.under(f"feeds/story/{story.story.id}.{place.ending}"),
        updated=story.changed_at,
        entries=(entry,),
    )


def entry_id(story: StoryId) -> str:
    """The id of a story's entry, in every feed."""
    return f"{_TAG}story/{story}"


def _name(wish: TopWish) -> str:
    """What tells one list from another: `top`, `topic/NAME`, or the filters, in which capitals make no difference.

    The order and the length of a list do not tell it from another.
    """
    chosen = [
        *(("topic", topic) for topic in sorted({topic.casefold() for topic in wish.topics})),
        *(("language", language) for language in sorted({language.casefold() for language in wish.languages})),
        *(("source", source) for source in sorted(wish.sources)),
        *((("voices", str(wish.min_voices)),) if wish.min_voices > 1 else ()),
    ]
    if not chosen:
        return "top"
    if len(chosen) == 1 and wish.topics:
        return f"topic/{quote(wish.topics[0].casefold(), safe='')}"
    return f"top?{urlencode(chosen)}"


def _entry(one: Update, place: Place, zone: tzinfo) -> Entry:
    story = one.story
    source, page = web_link(story.url), place.under(f"story/{story.id}")
    return Entry(
        id=entry_id(story.id),
        title=story_title(story.title, story.languages),
        link=page or source,
        source=source if page else None,
        published=story.figures.first_at,
        updated=one.changed_at,
        summary=_summary(one),
        html=_html(one, zone),
        topics=story.topics,
    )


def _counts(one: Update) -> str:
    figures = one.story.figures
    return f"{words.count(figures.voices, 'voice')}, {words.count(figures.reports, 'report')}"


def _summary(one: Update) -> str:
    """How many speak, and the newest development."""
    if not one.developments:
        return f"{_counts(one)}."
    newest = one.developments[-1]
    return f"{_counts(one)}. Latest, {source_name(newest.source).text}: {words.title(newest.shown_by.title)}"


def _html(one: Update, zone: tzinfo) -> str:
    begun = words.stamp(one.story.figures.first_at, zone)
    parts = [f"<p>{escape(_counts(one))}, since {escape(begun)}.</p>"]
    if one.developments:
        shown = one.developments[: -MOST_DEVELOPMENTS - 1 : -1]
        left = len(one.developments) - len(shown)
        head = "What became known, newest first" + (f" ({left} older left out)" if left else "")
        parts += [f"<p>{head}:</p>", "<ul>", *(_development(told, zone) for told in shown), "</ul>"]
    return "\n".join(parts)


def _development(told: DevelopmentAnswer, zone: tzinfo) -> str:
    title, source = named(words.title(told.shown_by.title), told.shown_by.language), source_name(told.source)
    address = web_link(told.shown_by.url)
    shown = f'<a href="{escape(address)}"{_lang(title)}>{escape(title.text)}</a>' if address else _marked(title)
    at = f'<time datetime="{instant(told.what.at)}">{escape(words.stamp(told.what.at, zone))}</time>'
    confirmed = "Confirmed" if told.what.confirmed else "Not confirmed"
    return (
        f"<li>{at}, {_marked(source)} ({words.LEVELS[told.level]}): {shown}. {confirmed}: {escape(because(told))}.</li>"
    )


def _marked(name: Name) -> str:
    """A text of another's, with its language."""
    return f"<span{_lang(name)}>{escape(name.text)}</span>" if name.lang else escape(name.text)


def _lang(name: Name) -> str:
    return f' lang="{escape(name.lang)}"' if name.lang else ""
