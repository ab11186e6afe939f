"""Copies in a stream: found while they are near enough in time, and forgotten after that."""

import re
from datetime import UTC, datetime, timedelta

from storyheat.core.items.copies import CopyParams, sketch
from storyheat.core.items.copy_index import CopyIndex
from storyheat.core.model import ItemId

PARAMS = CopyParams()
START = datetime(2026, 11, 1, tzinfo=UTC)
SENTENCE = "the harbour board of Port Selwyn accepts a limit of four night shifts a week from January on"
WORDS = re.findall(r"\w+", SENTENCE)
NOTICE = " ".join(f"{word}{number}" for number in range(4) for word in WORDS)
OTHER = " ".join(f"{word}-{number}" for number in range(4) for word in reversed(WORDS))


def stream(*items: tuple[str, str, int]) -> dict[str, tuple[str, str] | None]:
    """What becomes of (id, text, day) in this order: the set and the like item, or None."""
    texts = {ItemId(name): text for name, text, _ in items}
    index = CopyIndex(lambda item: sketch("", texts[item], PARAMS), PARAMS)
    found: dict[str, tuple[str, str] | None] = {}
    for name, text, day in items:
        like = index.find_or_add(ItemId(name), sketch("", text, PARAMS), START + timedelta(days=day))
        found[name] = None if like is None else (like.copy_set, like.like)
    return found


def test_a_copy_of_a_copy_belongs_to_the_set_of_the_original() -> None:
    found = stream(("c", NOTICE, 0), ("x", OTHER, 0), ("b", NOTICE + " " + "more", 1), ("a", NOTICE, 2))
    assert found == {"c": None, "x": None, "b": ("c", "c"), "a": ("c", "c")}


def test_what_is_too_long_ago_is_forgotten() -> None:
    days = PARAMS.apart.days + 1
    assert stream(("a", NOTICE, 0), ("b", OTHER, days), ("c", NOTICE, days)) == {"a": None, "b": None, "c": None}


def test_a_forgotten_item_leaves_its_band_to_others() -> None:
    days = PARAMS.apart.days
    found = stream(("a", NOTICE, 0), ("b", NOTICE, days), ("c", NOTICE, days + 5))
    assert found == {"a": None, "b": ("a", "a"), "c": ("a", "b")}
