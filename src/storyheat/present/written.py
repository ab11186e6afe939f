"""What became of each story that a language model was to sum up, in a line and as JSON."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from storyheat.core.briefs.summarising import Fate, Line, SummaryParams
from storyheat.core.text.markup import one_line
from storyheat.present import words
from storyheat.store.briefs import Spent
from storyheat.store.columns import instant_text

_WORDS = {
    Fate.WRITTEN: "written",
    Fate.CURRENT: "up to date",
    Fate.WOULD_ASK: "would be asked for",
    Fate.NOTHING: "nothing to tell",
    Fate.FAILED: "failed",
    Fate.LEFT: "left",
}


def line_words(line: Line) -> str:
    """`s… written: 9 sentences from 12 reports, 2 dropped, 2,310 tokens. Title`"""
    parts = []
    if line.because is not None:
        parts.append(line.because)
    elif line.fate is not Fate.WOULD_ASK:
        parts.append(f"{words.count(line.sentences, 'sentence')} from {words.count(line.reports, 'report')}")
    else:
        parts.append(f"{words.count(line.reports, 'report')}, at most {line.tokens:,} tokens")
    if line.dropped and line.because is None:
        parts.append(f"{line.dropped} dropped")
    if line.tokens and line.fate is not Fate.WOULD_ASK:
        parts.append(f"{line.tokens:,} tokens")
    return f"{line.story}  {_WORDS[line.fate]}: {', '.join(parts)}.  {words.title(line.title)}"


def lines_in_brief(lines: Sequence[Line]) -> str:
    """`briefs: 2 written, 3 up to date, 1 failed (why)`"""
    counts = Counter(line.fate for line in lines)
    told = [f"{counts[fate]} {_WORDS[fate]}" for fate in Fate if counts[fate]]
    why = next((f" ({line.because})" for line in lines if line.fate in (Fate.FAILED, Fate.LEFT)), "")
    return f"briefs: {', '.join(told) or 'no story is hot'}{why}"


def lines_json(
    lines: Sequence[Line], model: str, spent: Spent, params: SummaryParams, at: datetime, *, dry_run: bool
) -> dict[str, Any]:
    """storyheat.summarise/1"""
    return {
        "schema": "storyheat.summarise/1",
        "at": instant_text(at),
        "model": one_line(model),
        "dry_run": dry_run,
        "stories": [
            {
                "story": line.story,
                "title": line.title,
                "outcome": line.fate.value,
                "because": line.because,
                "reports": line.reports,
                "sentences": line.sentences,
                "dropped": line.dropped,
                "tokens": line.tokens,
            }
            for line in lines
        ],
        "spent_today": {
            "requests": spent.requests,
            "of_requests": params.daily_requests,
            "tokens": spent.tokens,
            "of_tokens": params.daily_tokens,
        },
    }
