"""Two measurements as one table: what became faster, slower, larger or smaller."""

from collections.abc import Iterator, Mapping
from typing import Any

SECTIONS = ("sizes", "start", "first_poll")  # of a measurement; the others say where and how it was made
NOTED = 0.1  # share of change that gets a mark; less is mostly chance


def figures(measured: Mapping[str, Any]) -> dict[str, float]:
    """All figures of a measurement by a name like `10000 stages cluster`."""
    found = dict[str, float]()
    for section in SECTIONS:
        parts = measured.get(section)
        if section == "sizes":
            for part in parts or ():
                found |= dict(_numbers(f"{part['history'] + part['items']} items", part))
        elif parts is not None:
            found |= dict(_numbers(section, parts))
    return found


def _numbers(name: str, value: object) -> Iterator[tuple[str, float]]:
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from _numbers(f"{name} {key}", part)
    elif isinstance(value, int | float):
        yield name, float(value)


def table(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """One line for each figure that both have: before, after, and how many times as much."""
    old, new = figures(before), figures(after)
    both = [name for name in new if name in old]
    width = max((len(name) for name in both), default=0)
    lines = [f"{'':{width}}  {'before':>14}  {'after':>14}  {'times':>6}"]
    for name in both:
        times = new[name] / old[name] if old[name] else 1.0
        mark = " *" if abs(times - 1) > NOTED else ""
        lines.append(f"{name:{width}}  {old[name]:>14,.3f}  {new[name]:>14,.3f}  {times:>6.2f}{mark}")
    return "\n".join(lines)
