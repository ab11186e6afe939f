"""Whether two texts that are alike are one template filled twice: the same words about another place or person."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from storyheat.core.dates.month_names import MONTHS, WEEKDAYS


@dataclass(frozen=True, slots=True)
class TemplateParams:
    """When names in place of names are another event. Origin: our own choice; scripts/check_copies.py."""

    compared: int = 300  # tokens from the start of both
    lead: int = 40  # tokens; who and where stands there, the names of outlets do not
    most_words: int = 3  # of a name
    spelling: float = 0.8  # names so much alike are two spellings of one (Zelenskiy, Zelensky)


DEFAULT_PARAMS = TemplateParams()


def is_filled_anew(one: Sequence[str], two: Sequence[str], params: TemplateParams = DEFAULT_PARAMS) -> bool:
    """Whether names in the lead of the first text have given way to others in the second.

    Either nothing else differs, or one of them gave way to the same other one again. Tokens as in the texts, with
    capitals; Chinese, Japanese and Korean have none, so that there only what is said again tells.
    """
    least = min(len(one), len(two), params.compared)
    one, two = one[:least], two[:least]
    steps = SequenceMatcher(None, one, two, False).get_opcodes()
    if steps and steps[-1][0] in ("insert", "delete"):  # where both were cut, or one ends
        steps.pop()
    differences = [step[1:] for step in steps if step[0] != "equal"]
    swaps = [swap for place in differences for swap in _swaps(one, two, *place, params)]
    in_lead = {(old, new) for start, old, new in swaps if start < params.lead}
    times = Counter((old, new) for _, old, new in swaps)
    nothing_else = len(swaps) == len(differences) and all(_has_case(old) for _, old, _ in swaps)
    return bool(in_lead) and (nothing_else or any(times[swap] > 1 for swap in in_lead))


def _swaps(
    one: Sequence[str], two: Sequence[str], start: int, end: int, other: int, other_end: int, params: TemplateParams
) -> Iterator[tuple[int, str, str]]:
    """Where a difference puts another name, the name, and that in its place."""
    if max(end - start, other_end - other) > params.most_words:
        return
    texts = f" {' '.join(one)} ", f" {' '.join(two)} "
    for before, behind in _edges(one[start:end], two[other:other_end]):
        old = " ".join(one[max(start - before, 0) : end + behind])
        new = " ".join(two[max(other - before, 0) : other_end + behind])
        if _is_swap(old, new, *texts, params):
            yield start, old, new


def _edges(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """By how many tokens a difference is widened to be a name: single Chinese characters by one on either side."""
    return [(1, 0), (0, 1)] if len(old) == len(new) == 1 and not _has_case(old[0] + new[0]) else [(0, 0)]


def _is_swap(old: str, new: str, one: str, two: str, params: TemplateParams) -> bool:
    """Whether a name gave way to another that its text had not, and is gone."""
    if not (_is_name(old) and _is_name(new)) or f" {old} " in two or f" {new} " in one:
        return False
    first, second = sorted((old.lower(), new.lower()))
    return not _has_case(old) or SequenceMatcher(None, first, second, False).ratio() < params.spelling


def _is_name(words: str) -> bool:
    """Whether each word has a capital, or letters without any; months and weekdays are none. Nothing is none either."""
    return bool(words) and all(
        word[0].isupper() and word.lower() not in MONTHS and word.lower() not in WEEKDAYS
        if _has_case(word)
        else word.isalpha()
        for word in words.split()
    )


def _has_case(word: str) -> bool:
    return word.lower() != word.upper()
