"""How a language model is asked for briefs: where it is, the tunable numbers, and what became of each story."""

from dataclasses import dataclass, field
from enum import StrEnum

from storyheat.core.model import StoryId


@dataclass(frozen=True, slots=True)
class SummaryParams:
    """The `summaries:` part of feeds.yaml. Defaults are our own choice, for a small model at an ordinary price."""

    enabled: bool = True  # False: no model is asked, whatever the environment names
    automatic: bool = False  # ask after each run, for the hottest stories
    stories_per_run: int = 5  # that an automatic run asks for; those that are up to date cost nothing
    language: str | None = None  # BCP 47, of what is written; None: the language of most reports of a story
    daily_requests: int = 200  # a UTC day, repeated ones included
    daily_tokens: int = 500_000  # a UTC day, of prompts and answers; some 100 stories
    timeout_seconds: float = 120.0  # for one reply, whole: local models are slow
    retries: int = 2  # after a busy or broken reply
    most_wait_seconds: float = 60.0  # before a retry, whatever Retry-After says; a longer one ends the asking
    max_items: int = 20  # reports in one prompt; more say the same again
    max_item_chars: int = 1500  # of one report; news stands in front
    max_chars: int = 24_000  # of all reports in one prompt, some 6,000 English tokens
    max_answer_tokens: int = 2000  # a brief has some 600
    max_answer_bytes: int = 1_000_000  # of one reply


@dataclass(frozen=True, slots=True)
class ModelAccess:
    """What the environment says of a model; url and model are both needed."""

    url: str | None = None
    model: str | None = None
    key: str | None = field(default=None, repr=False)


class Fate(StrEnum):
    """What became of one story."""

    WRITTEN = "written"
    CURRENT = "up_to_date"
    WOULD_ASK = "would_ask"  # in a dry run
    NOTHING = "nothing_to_tell"  # its reports hold hardly more than titles
    FAILED = "failed"
    LEFT = "left"  # not asked for: the budget is spent, or the endpoint answers nobody


@dataclass(frozen=True, slots=True)
class Line:
    """The report on one story. `because`: why it failed or was left."""

    story: StoryId
    title: str
    fate: Fate
    because: str | None = None
    reports: int = 0  # shown to the model
    sentences: int = 0  # kept
    dropped: int = 0
    tokens: int = 0  # spent, or in a dry run the most it would take
