"""The reader poll as a page shows it: the form, or the results."""

from datetime import datetime, tzinfo

from storyheat.core.stories.polls import Poll
from storyheat.present.page import numbers, times
from storyheat.present.page.blocks import Answer, PollView
from storyheat.present.page.people import named
from storyheat.present.polls import percents
from storyheat.present.words import count, zone_name


def poll_view(
    poll: Poll,
    mine: int | None,
    zone: tzinfo,
    now: datetime,
    *,
    open_to: str | None = None,
    token: str = "",
    trouble: str | None = None,
) -> PollView:
    """A poll for one browser. `mine`: the place of its answer; `open_to`: where it may still answer; `trouble`: why
    nobody can."""
    shares = percents(poll)
    return PollView(
        number=poll.number,
        question=named(poll.question),
        answers=tuple(
            Answer(str(place), named(text), numbers.grouped(poll.counts[place]), int(shares[place]), place == mine)
            for place, text in enumerate(poll.answers)
        ),
        open_to=open_to,
        token=token,
        note=_note(poll, mine, zone, now, trouble, is_open=open_to is not None),
    )


def _note(poll: Poll, mine: int | None, zone: tzinfo, now: datetime, trouble: str | None, *, is_open: bool) -> str:
    if is_open:
        return "One answer for each browser; a cookie remembers it. The results are shown after it."
    told = f"{numbers.grouped(poll.total)} {count(poll.total, 'answer').partition(' ')[2]}, one for each browser. "
    if poll.closed_at is not None:
        told += f"Closed {times.moment(poll.closed_at, zone, now)} {zone_name(zone, poll.closed_at)}. "
    elif trouble is not None:
        told += f"It cannot be answered here: {trouble}. "
    elif mine is not None:
        told += "Your first answer is the one that counts. "
    return told + "Whoever came here answered, so this is no survey."
