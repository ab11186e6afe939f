"""What the daemon asks of a run, and what may become of it, as values that go from process to process."""

import json
from dataclasses import asdict, dataclass
from datetime import datetime

from storyheat.settings import Settings


@dataclass(frozen=True, slots=True)
class Order:
    """What a run is told. `now`: its instant, aware, whole seconds."""

    settings: Settings
    now: datetime


@dataclass(frozen=True, slots=True)
class Done:
    """It came to its end. `line`: what it did; `due`: when the first feed is; `briefs`: a line, None: none were due."""

    line: str
    seconds: float
    due: datetime | None
    briefs: str | None


@dataclass(frozen=True, slots=True)
class Busy:
    """Another run is at work on the database."""


@dataclass(frozen=True, slots=True)
class Failed:
    """It could not be made, or not to its end, for a reason that is no bug of ours: `words`, one line."""

    words: str


@dataclass(frozen=True, slots=True)
class Broken:
    """It ended by what nobody expected: `words` name it, `trace` tells in lines where it came from."""

    words: str
    trace: str = ""


@dataclass(frozen=True, slots=True)
class CutOff:
    """It was ended because the daemon ends."""


Outcome = Done | Busy | Failed | Broken | CutOff
_TOLD = {kind.__name__: kind for kind in (Done, Busy, Failed, Broken)}


def told(outcome: Outcome) -> str:
    """An outcome as one line of JSON: what a run has to do with strangers' texts hands over words, never objects."""
    values = {"kind": type(outcome).__name__, **asdict(outcome)}
    return json.dumps(values, default=datetime.isoformat) + "\n"


def outcome_of(line: str) -> Outcome:
    """The outcome that `told` made this line of."""
    values = json.loads(line)
    kind = _TOLD[values.pop("kind")]
    if values.get("due") is not None:
        values["due"] = datetime.fromisoformat(values["due"])
    return kind(**values)
