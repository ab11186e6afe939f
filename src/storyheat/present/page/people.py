"""Who speaks, as the pages name them: speakers, levels, roles, and addresses that may be followed."""

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from storyheat.core.addresses.urls import without_login
from storyheat.core.model import Level, Role, Source, Voice
from storyheat.core.text.markup import one_line
from storyheat.present.page.languages import foreign
from storyheat.present.words import LEVELS, ROLES


@dataclass(frozen=True, slots=True)
class Name:
    """A text of another's, with its language where that is not the page's."""

    text: str
    lang: str | None


@dataclass(frozen=True, slots=True)
class Badge:
    """A sign and its word. `sign` names the symbol; `filled`: drawn as an area."""

    sign: str
    filled: bool
    word: str


_LEVEL_SIGNS = {Level.FIRST_PARTY: "lv-first", Level.PRESS: "lv-press", Level.DISCUSSION: "lv-discussion"}


def named(text: str, language: str | None = None) -> Name:
    """A text as one clean line."""
    line = one_line(text)
    return Name(line, foreign(line, language))


def source_name(source: Source) -> Name:
    """The name of a source."""
    return named(source.name)


def speaker(source: Source, voice: Voice) -> Name:
    """Who an item is by: the source, its author in a community, its publisher in a feed of links."""
    if source.community and voice.startswith(f"{source.id}/"):
        return named(f"{source.name} / {voice.removeprefix(f'{source.id}/')}")
    if source.aggregator and voice != source.owner:
        return named(f"{voice}, via {source.name}")
    return source_name(source)


def level_badge(level: Level) -> Badge:
    """A level: filled signs for those who publish, a ring for those who discuss."""
    return Badge(_LEVEL_SIGNS[level], level is not Level.DISCUSSION, LEVELS[level])


def role_badge(role: Role) -> Badge:
    """A role: lines for a report, dashes for a mention."""
    return Badge("r-mention" if role is Role.MENTION else "r-report", role is not Role.MENTION, ROLES[role])


def level_counts(levels: Iterable[Level]) -> tuple[tuple[Badge, int], ...]:
    """How often each level occurs, those that do."""
    found = list(levels)
    return tuple((level_badge(level), found.count(level)) for level in Level if level in found)


def web_link(url: str | None) -> str | None:
    """An address that a page may lead to: http or https, without a login; None for every other."""
    if url is None:
        return None
    try:
        parts = urlsplit(url)
        fits = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return None
    return without_login(url) if fits else None
