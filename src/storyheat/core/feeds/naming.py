"""Gives a new source its id and name, from what its feed or a list says."""

import re
import unicodedata
from collections.abc import Set
from dataclasses import dataclass

from storyheat.core.addresses.urls import host_of
from storyheat.core.text.markup import one_line


@dataclass(frozen=True, slots=True)
class NamingParams:
    """How long names may be."""

    max_id: int = 40  # characters, before a number that makes it unique; the longest shipped id has 26
    max_name: int = 200  # characters, as in feeds.yaml


DEFAULT_PARAMS = NamingParams()

_NOT_IN_IDS = re.compile(r"[^a-z0-9]+")


def source_name(text: str | None, params: NamingParams = DEFAULT_PARAMS) -> str | None:
    """A name or topic as feeds.yaml takes it: one line, cut; None if nothing is to be seen."""
    name = "".join(sign for sign in one_line(text or "") if sign.isprintable())
    return name[: params.max_name].strip() or None


def source_id(name: str | None, address: str, taken: Set[str], params: NamingParams = DEFAULT_PARAMS) -> str:
    """An id that no source has: the name in ASCII, or the host where the name is in another script.

    `taken`: the ids that there are, case folded, since case makes no difference. A taken one gets
    a number from 2 on, one that is free where the one before it is taken.
    """
    base = _from_name(name or "", params) or _from_host(host_of(address) or "") or "source"
    if base not in taken:
        return base
    low, high = 1, 2  # by doubling and halving, as a list may hold thousands of one name
    while f"{base}-{high}" in taken:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if f"{base}-{middle}" in taken else (low, middle)
    return f"{base}-{high}"


def _from_name(name: str, params: NamingParams) -> str:
    folded = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    letters = sum(sign.isalnum() for sign in name)
    if 2 * sum(sign.isalnum() for sign in folded) < letters:  # mostly in a script that has no ASCII form
        return ""
    return _slug(folded, params)


def _from_host(host: str) -> str:
    labels = host.split(".")
    return _slug("-".join(labels if labels[-1].isdigit() else labels[:-1] or labels), DEFAULT_PARAMS)


def _slug(text: str, params: NamingParams) -> str:
    slug = _NOT_IN_IDS.sub("-", text).strip("-")
    if len(slug) > params.max_id:
        whole = slug[: params.max_id + 1].rpartition("-")[0]  # no half words, unless it is one long word
        slug = whole or slug[: params.max_id]
    return slug
