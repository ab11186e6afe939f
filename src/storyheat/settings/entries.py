"""Checks a source that is to be added, before it stands in any file."""

from collections.abc import Mapping

from pydantic import ValidationError

from storyheat.settings.document import Document
from storyheat.settings.edit import Entry
from storyheat.settings.mistakes import first_mistake
from storyheat.settings.schema import FeedSection, SourceSection

KEYS = frozenset(SourceSection.model_fields)
FEED_KEYS = frozenset(FeedSection.model_fields)


def mistake_in(entry: Entry) -> str | None:
    """What is wrong with an entry of `sources`, in words that begin with its key; None if it may be added."""
    document = Document("", dict(entry))
    document.written.update({(key,): value for key, value in entry.items() if isinstance(value, str)})
    try:
        SourceSection.model_validate(entry)
    except ValidationError as error:
        return str(first_mistake(error, document, SourceSection)).removeprefix(":1: ")
    named = next((key for key, value in _texts(entry) if "${" in value), None)
    return f'{named}: "${{" would name a variable of the environment' if named else None


def without_mistakes(entry: Entry, essential: frozenset[str]) -> tuple[Entry, list[str]]:
    """The entry without the keys that are wrong, and what was wrong with each; essential keys are kept."""
    kept, wrong = dict(entry), []
    for key in [key for key in entry if key not in essential]:
        alone = {name: entry[name] for name in (*sorted(essential), key) if name in entry}
        if (mistake := mistake_in(alone)) is not None:
            wrong.append(mistake)
            del kept[key]
    return kept, wrong


def _texts(value: object, key: str = "") -> list[tuple[str, str]]:
    """Every text in an entry with the outermost key that it is under."""
    if isinstance(value, str):
        return [(key, value)]
    if isinstance(value, Mapping):
        return [found for inner, each in value.items() for found in _texts(each, key or str(inner))]
    if isinstance(value, list | tuple):
        return [found for each in value for found in _texts(each, key)]
    return []
