"""Links between the pages: they keep what was chosen, and change what they are for."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from urllib.parse import quote, urlencode

KEPT = ("tz", "at", "period")  # from page to page; all else belongs to one page
Parameters = Mapping[str, Sequence[str]]


class Links:
    """Makes the links of one page. `chosen`: the parameters that it was asked with, those it knows."""

    def __init__(self, path: str, chosen: Parameters, items: Collection[str] = ()) -> None:
        """`items`: the ids of those that stand on the page."""
        self.path = path
        self._items = items
        self._chosen = {name: tuple(values) for name, values in chosen.items() if values}

    def to(self, path: str, anchor: str = "", **changes: str | None) -> str:
        """To another page; time, zone and period are kept."""
        kept = {name: values for name, values in self._chosen.items() if name in KEPT}
        return _address(path, kept, changes, anchor)

    def here(self, anchor: str = "", **changes: str | None) -> str:
        """To this page with other choices; None drops one. A list begins at its first page again."""
        kept = {name: values for name, values in self._chosen.items() if name != "page"}
        return _address(self.path, kept, changes, anchor)

    def here_at(self, name: str) -> str:
        """The beginning of links to this page with one more choice; its value, which needs no quoting, comes last."""
        kept = {known: values for known, values in self._chosen.items() if known not in ("page", name)}
        begun = _address(self.path, kept, {}, "")
        return f"{begun}{'&' if '?' in begun else '?'}{name}="

    def item(self, item: str) -> str:
        """To an item of the story: on this page, or where all of them are shown."""
        anchor = f"item-{item}"
        return f"#{anchor}" if item in self._items else self.here(anchor, show=None, items="all")

    def is_chosen(self, name: str, value: str | None) -> bool:
        """Whether this page was asked with just this value; None: without any."""
        return self._chosen.get(name, ()) == (() if value is None else (value,))

    def fields(self, *without: str) -> list[tuple[str, str]]:
        """The choices of this page as fields of a form."""
        return [(name, value) for name, values in self._chosen.items() if name not in without for value in values]


def _address(path: str, kept: Mapping[str, Iterable[str]], changes: Mapping[str, str | None], anchor: str) -> str:
    wanted = {name: tuple(values) for name, values in kept.items()}
    for name, value in changes.items():
        wanted[name] = () if value is None else (value,)
    query = urlencode([(name, value) for name, values in wanted.items() for value in values])
    return quote(path) + (f"?{query}" if query else "") + (f"#{anchor}" if anchor else "")
