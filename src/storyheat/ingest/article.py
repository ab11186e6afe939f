"""The text of an article page, by trafilatura (the only place that knows it), where that is installed."""

from importlib.util import find_spec

from storyheat.core.text.markup import escaped, plain_text
from storyheat.ingest.page import bounded


def can_extract() -> bool:
    """Whether the library is there: it comes with the extra `fulltext`."""
    return find_spec("trafilatura") is not None


def article_text(text: str, url: str | None) -> str:
    """The plain text of the article in a decoded page, a line a paragraph; "" where none is found.

    Comments of readers are left out. Needs the library, see `can_extract`.
    """
    from trafilatura import extract  # takes a second to load

    found = extract(bounded(text), url=url, include_comments=False)
    return plain_text(escaped(found)) if found else ""
