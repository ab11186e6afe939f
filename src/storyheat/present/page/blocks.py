"""The blocks of a story that are made from its reports: developments, summary, brief, related stories, poll.

Each may be missing: `None` shows nothing at all, `Absent` shows that it was left out and why.
"""

from dataclasses import dataclass

from storyheat.present.page.people import Badge, Name


@dataclass(frozen=True, slots=True)
class Absent:
    """A block that was left out. `because`: one sentence for people."""

    because: str


@dataclass(frozen=True, slots=True)
class Cite:
    """An item that a sentence rests on. `number`: as shown on the timeline."""

    item: str
    number: int
    speaker: str


@dataclass(frozen=True, slots=True)
class By:
    """By whom and when: a time, a speaker with the item, a level."""

    iso: str
    moment: str
    item: str
    speaker: Name
    level: Badge


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and what it rests on."""

    text: Name
    cites: tuple[Cite, ...]


@dataclass(frozen=True, slots=True)
class Made:
    """How a text was made: a lead in bold, and the rest of the line."""

    lead: str
    rest: str


@dataclass(frozen=True, slots=True)
class Side:
    """One of two figures that do not agree. `claim`: the sentence it stands in."""

    figure: Name
    claim: Name
    by: By


@dataclass(frozen=True, slots=True)
class Versus:
    """Two figures of one thing, side by side. `closing`: that nothing is decided here."""

    sides: tuple[Side, Side]
    closing: str


@dataclass(frozen=True, slots=True)
class DevelopmentView:
    """One development. `number`: as on the chart; `because`: the rest of the sentence that says why."""

    number: int
    title: Name
    by: By
    confirmed: bool
    because: str
    versus: tuple[Versus, ...] = ()


@dataclass(frozen=True, slots=True)
class DevelopmentsView:
    """The developments, newest first. `counts`: `5 confirmed, 1 not yet`; `rule`: what confirmed means; `versus`:
    figures that contradict each other in other reports."""

    counts: str
    rule: str
    latest_age: str
    items: tuple[DevelopmentView, ...]
    versus: tuple[Versus, ...] = ()


@dataclass(frozen=True, slots=True)
class SummaryView:
    """A summary, sentence by sentence."""

    sentences: tuple[Sentence, ...]
    made: Made


@dataclass(frozen=True, slots=True)
class Player:
    """Who takes part, and what of them."""

    name: Name
    what: Sentence


@dataclass(frozen=True, slots=True)
class PlayersView:
    """The players of a story."""

    players: tuple[Player, ...]
    made: Made


@dataclass(frozen=True, slots=True)
class DetailsView:
    """The details of a story."""

    details: tuple[Sentence, ...]
    made: Made


@dataclass(frozen=True, slots=True)
class Point:
    """What happened on a day. `day`: in words."""

    iso: str
    day: str
    what: Sentence


@dataclass(frozen=True, slots=True)
class CourseView:
    """What happened when, oldest first."""

    points: tuple[Point, ...]
    made: Made


@dataclass(frozen=True, slots=True)
class ProseView:
    """Why it matters, or the takeaway, in sentences."""

    sentences: tuple[Sentence, ...]
    made: Made


@dataclass(frozen=True, slots=True)
class RelatedView:
    """A related story. `why`: in words; `heat`: as shown."""

    story: str
    title: Name
    why: str
    heat: str


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer of the poll. `key`: as the form sends it; `count`, `share` in per cent: for the results."""

    key: str
    text: Name
    count: str = "0"
    share: int = 0
    mine: bool = False


@dataclass(frozen=True, slots=True)
class PollView:
    """The poll. `open_to`: the form is shown and its answer goes there; None: the results are shown.

    `number`, `token`: sent along with the answer; `note`: the line below.
    """

    number: int
    question: Name
    answers: tuple[Answer, ...]
    open_to: str | None
    token: str
    note: str


@dataclass(frozen=True, slots=True)
class Blocks:
    """All blocks of a story page that are made from its reports."""

    developments: DevelopmentsView | Absent | None = None
    summary: SummaryView | Absent | None = None
    players: PlayersView | Absent | None = None
    details: DetailsView | Absent | None = None
    course: CourseView | Absent | None = None
    why: ProseView | Absent | None = None
    takeaway: ProseView | Absent | None = None
    related: tuple[RelatedView, ...] | Absent | None = None
    dek: Sentence | None = None  # what happened, in the first sentence of the summary

    @property
    def has_brief(self) -> bool:
        """Whether any part of the brief is shown."""
        return any(part is not None for part in (self.players, self.details, self.course, self.why, self.takeaway))

    @property
    def pinned(self) -> tuple[DevelopmentView, ...]:
        """The developments that a chart marks, newest first."""
        return self.developments.items if isinstance(self.developments, DevelopmentsView) else ()
