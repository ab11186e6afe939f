"""Hours of heat as small charts out of text."""

from collections.abc import Sequence

from storyheat.core.heat.rule import half_up
from storyheat.core.heat.series import Hour
from storyheat.core.model import Standing

_BARS = "▁▂▃▄▅▆▇█"
GAP = "·"


def spark(hours: Sequence[Hour], cells: int) -> str:
    """The hours as a row of bars, the highest of each cell; the lowest bar is zero, a blank means unknown."""
    parts = [_highest(part) for part in split(hours, cells)]
    top = max((part.heat for part in parts if part is not None), default=0.0)
    steps = len(_BARS) - 1
    return "".join(
        " " if part is None else _BARS[max(_step(part.heat, top, steps), 1 if part.heat > 0 else 0)] for part in parts
    )


_FILLS = {Standing.OBSERVED: "█", Standing.PARTIAL: "▒", Standing.REBUILT: "░"}


def highest(hours: Sequence[Hour]) -> float:
    """The largest heat of the hours we know something about; 0 without any."""
    return max((hour.heat for hour in hours if hour.standing is not Standing.UNKNOWN), default=0.0)


def bar(hour: Hour, top: float, cells: int) -> str:
    """One hour as a bar of at most so many cells, filled as in `chart`; nothing where nothing is known."""
    return "" if hour.standing is Standing.UNKNOWN else _FILLS[hour.standing] * _step(hour.heat, top, cells)


def chart(hours: Sequence[Hour], cells: int, rows: int) -> list[str]:
    """The hours as columns, the top row first; rebuilt ones lighter, a dot where nothing is known.

    A column that is not zero is at least one row high; the lowest row of a zero is `_`.
    """
    parts = [_highest(part) for part in split(hours, cells)]
    top = max((part.heat for part in parts if part is not None), default=0.0)
    heights = [0 if part is None or part.heat <= 0 else max(1, _step(part.heat, top, rows)) for part in parts]
    lines = []
    for row in range(rows, 0, -1):
        line = ""
        for part, height in zip(parts, heights, strict=True):
            if part is None:
                line += GAP if row == 1 else " "
            elif height >= row:
                line += _FILLS[part.standing]
            else:
                line += "_" if row == 1 else " "
        lines.append(line)
    return lines


def split(hours: Sequence[Hour], cells: int) -> list[Sequence[Hour]]:
    """The hours in groups of one size, at most `cells` of them; the newest group is full."""
    size = max(1, -(-len(hours) // cells))
    first = len(hours) % size
    groups = [hours[:first]] if first else []
    return groups + [hours[start : start + size] for start in range(first, len(hours), size)]


def _highest(hours: Sequence[Hour]) -> Hour | None:
    """The hour that stands for a group: the highest of those we know something about."""
    known = [hour for hour in hours if hour.standing is not Standing.UNKNOWN]
    return max(known, key=lambda hour: hour.heat, default=None)


def _step(value: float, top: float, steps: int) -> int:
    return 0 if top <= 0 else int(half_up(steps * value / top))
