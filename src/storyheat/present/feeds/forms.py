"""The formats of feeds: how each is called, served and written."""

from collections.abc import Callable
from dataclasses import dataclass

from storyheat.present.feeds import atom, jsonfeed, rss
from storyheat.present.feeds.outgoing import Outgoing


@dataclass(frozen=True, slots=True)
class Form:
    """One format. `ending`: of its addresses; `name`: for people."""

    ending: str
    name: str
    media_type: str
    write: Callable[[Outgoing], str]


ATOM = Form("atom", "Atom", atom.MEDIA_TYPE, atom.atom)
RSS = Form("rss", "RSS", rss.MEDIA_TYPE, rss.rss)
JSON_FEED = Form("json", "JSON Feed", jsonfeed.MEDIA_TYPE, jsonfeed.json_feed)
FORMS = (ATOM, RSS, JSON_FEED)
