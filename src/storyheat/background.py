"""Loads the background table that ships with storyheat: in which share of ordinary texts a term occurs."""

import gzip
from collections.abc import Mapping
from functools import cache
from importlib.resources import files


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
