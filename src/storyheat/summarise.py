"""Has a language model write the briefs of stories: what it would be shown, the asking, the check, and the keeping.

What is written goes into a table of its own that nothing but the pages reads.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from storyheat.answers.brief import Prepared, prepared
from storyheat.answers.top import TopWish, top
from storyheat.core.briefs.brief import BriefParams, Checked, checked, read_answer
from storyheat.core.briefs.prompt import ANSWER_SCHEMA, messages, most_tokens
from storyheat.core.briefs.summarising import Fate, Line, SummaryParams
from storyheat.core.heat.rule import HeatRule
from storyheat.core.model import StoryId
from storyheat.core.text.names import Names
from storyheat.store.briefs import Brief, close_request, open_request, spent_on, write_brief
from storyheat.store.database import Database
from storyheat.store.queries import Questions, ask
from storyheat.summaries.asking import Asker
from storyheat.summaries.completion import Exchange, Outcome

LEAST_LETTERS = 200  # of all reports together; of less there is nothing to sum up


@dataclass(frozen=True, slots=True)
class Writer:
    """All that writing briefs takes besides the database."""

    asker: Asker
    params: SummaryParams
    names: Names

    @property
    def model(self) -> str:
        return self.asker.endpoint.name


def hottest(questions: Questions, number: int, at: datetime, rule: HeatRule) -> list[StoryId]:
    """The ids of so many stories of the hot list."""
    return [one.story.id for one in top(questions, TopWish(number=number), at, rule).stories]


def summarise(
    database: Database,
    stories: Sequence[StoryId],
    writer: Writer,
    now: datetime,
    *,
    dry_run: bool = False,
    again: bool = False,
) -> Iterator[Line]:
    """Has the briefs of stories written that are not up to date, one after the other, and tells of each.

    `again`: those that are, too. What fails leaves what was written before as it is.
    """
    over: str | None = None
    for story in stories:
        with ask(database) as questions:
            found = prepared(questions, [story], writer.model, writer.params, now)
            known = None if again or not found else questions.brief_with(found[0].key)
        if not found:
            continue
        one = found[0]
        line = Line(story, one.title, Fate.NOTHING, reports=len(one.reports))
        if known is not None:
            yield _known(line, known)
        elif one.letters < LEAST_LETTERS:
            yield replace(line, because="its reports hold hardly more than titles")
        elif dry_run:
            most = most_tokens(messages(one.reports, one.language), writer.params)
            yield replace(line, fate=Fate.WOULD_ASK, tokens=most)
        elif over is not None:
            yield replace(line, fate=Fate.LEFT, because=over)
        else:
            line, over = _asked(database, one, line, writer, now)
            yield line


def _known(line: Line, known: Brief) -> Line:
    """A story whose reports are those that an answer is stored for; one that was of no use is not asked for again."""
    line = replace(line, sentences=len(known.statements), dropped=len(known.dropped))
    if known.trouble is None:
        return replace(line, fate=Fate.CURRENT)
    return replace(line, fate=Fate.FAILED, because=f"{known.trouble}; not asked again until its reports change")


def _asked(database: Database, one: Prepared, line: Line, writer: Writer, now: datetime) -> tuple[Line, str | None]:
    """Asks for one brief, checks it and stores what came of it; with why no other story need be asked for."""
    asked = messages(one.reports, one.language)
    purse = _DayPurse(database, one.story, writer, now, most_tokens(asked, writer.params))
    ended = writer.asker.ask(asked, ANSWER_SCHEMA, purse)
    if ended.exchange is None:
        return replace(line, fate=Fate.LEFT, because=purse.empty, tokens=purse.spent), purse.empty
    line = replace(line, fate=Fate.FAILED, because=ended.exchange.message, tokens=purse.spent)
    if not ended.exchange.outcome.is_of_the_model:
        return line, ended.exchange.message if ended.over else None
    result = _result(ended.exchange, one, writer)
    brief = Brief(
        key=one.key,
        story=one.story,
        model=writer.model,
        language=one.language,
        made_at=now,
        reports=one.marks,
        statements=result.statements,
        dropped=result.dropped,
        trouble=result.trouble,
    )
    with database.write() as connection:
        write_brief(connection, brief)
    fate = Fate.WRITTEN if result.trouble is None else Fate.FAILED
    kept, dropped = len(result.statements), len(result.dropped)
    return replace(line, fate=fate, because=result.trouble, sentences=kept, dropped=dropped), None


def _result(exchange: Exchange, one: Prepared, writer: Writer) -> Checked:
    """What is left of an answer of the model."""
    if exchange.outcome is not Outcome.ANSWERED:
        return Checked(trouble=exchange.message)
    answer = read_answer(exchange.content)
    if answer is None:
        return Checked(trouble="the answer is no JSON object")
    return checked(answer, one.reports, one.language, writer.names, BriefParams())


class _DayPurse:
    """The budget of a UTC day, in the database: every request is noted there before it is made.

    So it holds across restarts, and for several programs at once.
    """

    def __init__(self, database: Database, story: StoryId, writer: Writer, now: datetime, most: int) -> None:
        self._database, self._story, self._writer, self._now, self._most = database, story, writer, now, most
        self.spent = 0  # tokens, for this story
        self.empty: str | None = None  # why nothing is left

    def reserve(self) -> int | None:
        params = self._writer.params
        with self._database.write() as connection:
            today = spent_on(connection, self._now)
            if today.requests >= params.daily_requests:
                self.empty = f"the budget of today is spent: {today.requests} requests (daily_requests)"
            elif today.tokens + self._most > params.daily_tokens:
                self.empty = f"the budget of today does not suffice: {today.tokens} tokens are spent (daily_tokens)"
            else:
                return open_request(connection, self._now, self._story, self._writer.model, self._most)
        return None

    def settle(self, number: int, exchange: Exchange) -> None:
        self.spent += self._most if exchange.tokens is None else exchange.tokens
        with self._database.write() as connection:
            close_request(connection, number, exchange.outcome.value, exchange.message or None, exchange.tokens)
