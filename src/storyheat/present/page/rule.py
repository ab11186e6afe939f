"""The rule of heat in words, with the parameters that hold."""

from dataclasses import dataclass
from math import fsum, inf

from storyheat.core.heat.rule import HOUR, HeatRule
from storyheat.present import words

_EXAMPLES: tuple[tuple[float, ...], ...] = ((0,), (24,), (10, 1), (6, 0), (1, 2, 10), (48,))  # ages of voices in hours


@dataclass(frozen=True, slots=True)
class Example:
    """Voices of some ages, and the heat that they make."""

    ages: str
    exact: str
    shown: str


@dataclass(frozen=True, slots=True)
class RuleView:
    """How heat is counted."""

    name: str
    sentence: str
    half_life: str
    window: str
    examples: tuple[Example, ...]


def in_a_sentence(rule: HeatRule) -> str:
    """What a number of heat means, for the head of the list."""
    fades = f"a voice fades by half in {_hours(rule.half_life_hours)}"
    out = "" if rule.window_hours is None else f" and is out after {rule.window_hours:g}"
    return f"Ten points are one independent voice speaking right now; {fades}{out}."


def rule_view(rule: HeatRule) -> RuleView:
    """The rule with examples that it computes itself."""
    return RuleView(
        name=f"{rule.name}, version {rule.version}",
        sentence=in_a_sentence(rule),
        half_life=_hours(rule.half_life_hours),
        window="for ever, fading" if rule.window_hours is None else f"for {_hours(rule.window_hours)}",
        examples=tuple(_example(ages, rule) for ages in _EXAMPLES),
    )


def _example(ages: tuple[float, ...], rule: HeatRule) -> Example:
    window = inf if rule.window_hours is None else rule.window_hours
    heat = fsum(rule.points(1.0, round(age * HOUR)) for age in ages if age < window)
    told = " and ".join(f"{age:g}" for age in ages)
    return Example(f"{told} h", words.rounded(heat, 3), words.rounded(heat))


def _hours(hours: float) -> str:
    return f"{hours:g} {'hour' if hours == 1 else 'hours'}"
