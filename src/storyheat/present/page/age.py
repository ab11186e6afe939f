"""The age of the data in words: the notice under the masthead, and the foot of each page."""

from dataclasses import dataclass
from datetime import tzinfo

from storyheat.answers.age import Age, Behind
from storyheat.core.text.markup import one_line
from storyheat.present import words
from storyheat.present.page import times
from storyheat.present.page.people import Name, source_name

NAMED = 3  # sources in the notice


@dataclass(frozen=True, slots=True)
class BehindView:
    """One source that is behind. `since`: for the notice; `told`: the rest of the line in the foot."""

    name: Name
    since: str
    told: str


@dataclass(frozen=True, slots=True)
class AgeView:
    """How old the data are. `more`: sources behind beyond those that the notice names."""

    is_stale: bool
    head: str
    rest: str
    behind: tuple[BehindView, ...]
    named: tuple[BehindView, ...]
    more: int

    @property
    def is_known(self) -> bool:
        """Whether any source was ever polled."""
        return bool(self.rest)


def age_view(age: Age, zone: tzinfo, *, of_story: bool) -> AgeView:
    """The age in words. `of_story`: it tells of the sources of one story."""
    behind = tuple(_behind(one, age, zone) for one in age.behind)
    whose = " of this story" if of_story else ""
    named = behind[:NAMED]
    if behind:
        fine = age.followed - len(behind)
        head = f"Data are stale: {words.count(len(behind), 'source')} behind."
        rest = f"{fine} of {age.followed} sources{whose} are up to date"
        rest += "." if age.last_success_at is None else f", as of {_polled(age, zone)}."
        return AgeView(True, head, rest, behind, named, len(behind) - len(named))
    if age.last_success_at is None:
        return AgeView(False, "No source was polled yet.", "", (), (), 0)
    old = words.ago(age.last_success_at, age.at).removesuffix(" ago")
    head = "Data are up to date." if old == "now" else f"Data are {old} old."
    all_sources = f"All {age.followed} sources" if age.followed > 1 else "The source"
    due = "they were" if age.followed > 1 else "it was"
    rest = f"{all_sources}{whose} answered when {due} due; last poll {_polled(age, zone)}."
    return AgeView(False, head, rest, (), (), 0)


def _polled(age: Age, zone: tzinfo) -> str:
    assert age.last_success_at is not None
    when = times.clock(age.last_success_at, zone, age.at)
    return f"{when} {words.zone_name(zone, age.at)} ({words.ago(age.last_success_at, age.at)})"


def _behind(one: Behind, age: Age, zone: tzinfo) -> BehindView:
    every = words.span(one.interval)
    since = "never answered" if one.since is None else f"since {times.clock(one.since, zone, age.at)}"
    last = "no answer yet" if one.since is None else f"last answer {times.clock(one.since, zone, age.at)}"
    why = "" if one.failure is None else f"; now: {one_line(one.failure)}"
    return BehindView(source_name(one.source), since, f"{last}, due every {every}{why}")
