"""What those who follow stories in a feed reader want to know: what became known, and when that last changed."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from storyheat.answers.developments import DevelopmentAnswer, developments_of
from storyheat.answers.story import summary_named
from storyheat.answers.summary import Summary
from storyheat.answers.top import TopWish, top
from storyheat.core.heat.rule import HeatRule
from storyheat.core.heat.series import DEFAULT_PERIOD
from storyheat.store.queries import Questions


@dataclass(frozen=True, slots=True)
class Update:
    """A story, and when it last changed: when a report joined or left it, or the title of one was edited.

    Its own title and its developments are made of these. Heat that moves with time alone changes nothing. At an instant
    before it was first polled it is as old as its newest report then.
    """

    story: Summary
    changed_at: datetime
    developments: tuple[DevelopmentAnswer, ...]  # oldest first


@dataclass(frozen=True, slots=True)
class TopUpdates:
    """The stories of the hot list, that which changed last first. `since`: when that was; of an empty list, the time
    of the newest item of all, or else of the question."""

    wish: TopWish
    stories: tuple[Update, ...]
    since: datetime


def top_updates(questions: Questions, wish: TopWish, at: datetime, rule: HeatRule) -> TopUpdates:
    """The hot list as those see it who follow it."""
    answer = top(questions, wish, at, rule)
    stories = _updates(questions, [one.story for one in answer.stories], at)
    return TopUpdates(wish, stories, stories[0].changed_at if stories else min(answer.newest or at, at))


def story_update(questions: Questions, name: str, at: datetime, rule: HeatRule) -> Update:
    """The story that `name` means. Raises NotFound or Ambiguous."""
    return _updates(questions, [summary_named(questions, name, DEFAULT_PERIOD, at, rule)], at)[0]


def _updates(questions: Questions, stories: Sequence[Summary], at: datetime) -> tuple[Update, ...]:
    """The stories as of `at`, that which changed last first, ties by id."""
    names = [one.id for one in stories]
    changed, known = questions.report_changes(names, at), developments_of(questions, names, at)
    made = [Update(one, changed.get(one.id, one.figures.last_at), known.get(one.id, ())) for one in stories]
    made.sort(key=lambda one: one.story.id)
    return tuple(sorted(made, key=lambda one: one.changed_at, reverse=True))
