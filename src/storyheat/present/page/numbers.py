"""Numbers as the pages write them: rounded half-up, thousands with a comma, a minus as wide as a plus."""

from storyheat.core.heat.rule import half_up
from storyheat.present.words import MINUS


def grouped(value: float, places: int = 0) -> str:
    """`2,335`; `59.1` with a place."""
    return f"{half_up(value, places):,}".replace("-", MINUS)


def signed(value: float, places: int = 0) -> str:
    """`+1,595`, `−15`; zero has no sign."""
    return f"+{grouped(value, places)}" if half_up(value, places) > 0 else grouped(value, places)


def axis(value: int) -> str:
    """`40`, `1,000`; from 10,000 on `10k`, from a million on `1M`."""
    for size, letter in ((1_000_000, "M"), (1000, "k")):
        if value >= size and (size > 1000 or value >= 10_000):
            return f"{value / size:g}{letter}"
    return f"{value:,}"
