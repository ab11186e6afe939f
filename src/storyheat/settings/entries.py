"""Checks a source that is to be added, before it stands in any file."""

from pydantic import ValidationError

from storyheat.settings.document import Document
from storyheat.settings.edit import Entry, given
from storyheat.settings.mistakes import first_mistake
from storyheat.settings.schema import FeedSection, SourceSection

KEYS = frozenset(SourceSection.model_fields)
FEED_KEYS = frozenset(FeedSection.model_fields)


def mistake_in(entry: Entry) -> str | None:
    """What is wrong with an entry of `sources`, in words that begin with its key; None if it may be added."""
    document = Document("", dict(entry))
    document.written.update({(key,): value for key, value in entry.items() if isinstance(value, str)})
    try:
        SourceSection.model_validate(given(entry))
    except ValidationError as error:
        return str(first_mistake(error, document, SourceSection)).removeprefix(":1: ")
    return None


def without_mistakes(entry: Entry, essential: frozenset[str]) -> tuple[Entry, list[str]]:
    """The entry without the keys that are wrong, and what was wrong with each; essential keys are kept."""
    kept, wrong = dict(entry), []
    for key in [key for key in entry if key not in essential]:
        alone = {name: entry[name] for name in (*sorted(essential), key) if name in entry}
        if (mistake := mistake_in(alone)) is not None:
            wrong.append(mistake)
            del kept[key]
    return kept, wrong
