"""Writes a feed as Atom 1.0 (RFC 4287)."""

from xml.etree.ElementTree import Element

from storyheat import __version__
from storyheat.present.feeds.outgoing import AUTHOR, LANGUAGE, Entry, Outgoing
from storyheat.present.feeds.xml import add, written
from storyheat.present.objects import instant

NAMESPACE = "http://www.w3.org/2005/Atom"
MEDIA_TYPE = "application/atom+xml"


def atom(feed: Outgoing) -> str:
    """The document."""
    root = Element("feed", {"xmlns": NAMESPACE, "xml:lang": LANGUAGE})
    add(root, "id", feed.id)
    add(root, "title", feed.title)
    add(root, "subtitle", feed.about)
    add(root, "updated", instant(feed.updated))
    add(add(root, "author"), "name", AUTHOR)
    add(root, "generator", "storyheat", version=__version__)
    if feed.address is not None:
        add(root, "link", rel="self", type=MEDIA_TYPE, href=feed.address)
    if feed.home is not None:
        add(root, "link", rel="alternate", type="text/html", href=feed.home)
    for entry in feed.entries:
        _add_entry(root, entry)
    return written(root)


def _add_entry(root: Element, entry: Entry) -> None:
    made = add(root, "entry")
    add(made, "id", entry.id)
    add(made, "title", entry.title.text, **({"xml:lang": entry.title.lang} if entry.title.lang else {}))
    add(made, "published", instant(entry.published))
    add(made, "updated", instant(entry.updated))
    if entry.link is not None:
        add(made, "link", rel="alternate", type="text/html", href=entry.link)
    if entry.source is not None:
        add(made, "link", rel="related", type="text/html", href=entry.source)
    for topic in entry.topics:
        add(made, "category", term=topic)
    add(made, "summary", entry.summary)
    add(made, "content", entry.html, type="html")
