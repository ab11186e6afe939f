"""Loads the tables that ship with storyheat: how common a term is, and names in more than one script."""

import gzip
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files

from storyheat.core.text.names import Names, names_from, rows_of

ACTORS = frozenset(["companies", "offices, bodies", "persons in office or often named"])  # sections of the table


@cache
def background() -> Mapping[str, float]:
    """term → share (0–1) of the English or Chinese texts counted by `scripts/make_background.py`.

    Read once, at the first call (about 30 ms, 4 MB).
    """
    table = files("storyheat.core").joinpath("data", "background.tsv.gz").read_bytes()
    shares = {}
    for line in gzip.decompress(table).decode("utf-8").split("\n"):
        term, tab, share = line.partition("\t")
        if tab:
            shares[term] = float(share)
    return shares


@cache
def _shipped_rows(sections: frozenset[str] | None = None) -> tuple[Sequence[str], ...]:
    return tuple(rows_of(files("storyheat.core").joinpath("data", "names.tsv").read_text("utf-8"), sections))


def known_names(more: Iterable[Sequence[str]] = ()) -> Names:
    """The names that ship, and those of the operator; where both know a form, the operator's holds."""
    return names_from([*_shipped_rows(), *more])


@lru_cache(maxsize=2)
def known_actors(more: tuple[tuple[str, ...], ...] = ()) -> Names:
    """Those of the known names that can take part in a story: no countries, cities and other places."""
    return names_from([*_shipped_rows(ACTORS), *more])
