"""Who speaks in an item of a story: the subject itself, a publication, or a person or community."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from storyheat.core.model import Level, Source
from storyheat.core.stories.statements import Statements
from storyheat.core.text.terms import read

SUBJECT_SHARE = 1 / 3  # of a story's reports in whose title or lead a name stands, from which the story is about it
SPEAKING_SENTENCES = 3  # in which whoever speaks for itself says "we"; own choice

# Words in the names of sources that name nobody.
_NOBODY = frozenset(
    """
    ai app blog channel daily engineering feed group inc lab labs magazine media new newsletter newsroom official online
    org press release report research review site team tech technology the update weekly world www com net io dev
    """.split()  # noqa: SIM905 - a block of words reads better
)
_WE = re.compile(
    r"\b(?:we|our|us|wir|unser\w*|nous|notre|nos|nosotros|nuestr\w+|nosso|nossa|noi|nostr\w+|мы|наш\w*)\b"
    r"|我们|我們|本公司|我司|当社|弊社|私たち|우리|저희",
    re.IGNORECASE,
)
_SHORTEST = 3  # letters of a name; shorter ones are found in any text


@dataclass(frozen=True, slots=True)
class Speaker:
    """The names that a source speaks for."""

    level: Level
    names: frozenset[str]  # terms


def speaker(source: Source) -> Speaker:
    """A source speaks for its name, its owner, its host and whatever `speaks_for` adds."""
    host = (urlsplit(source.site).hostname or "") if source.site else ""
    own = [source.name, source.owner.replace("-", " "), " ".join(host.split(".")[:-1])]
    terms = {term for text in own for term in read(text, "").title if len(term) >= _SHORTEST and term not in _NOBODY}
    terms |= {term for text in source.speaks_for for term in read(text, "").title}
    return Speaker(source.level, frozenset(terms))


def subjects(reports: Sequence[Statements]) -> frozenset[str]:
    """The terms that a story is about: in title or lead of a third of its reports, and of two where it has more."""
    counts = Counter(term for says in reports for term in says.title | says.lead)
    least = max(min(len(reports), 2), SUBJECT_SHARE * len(reports))
    return frozenset(term for term, count in counts.items() if count >= least)


def level_in_story(who: Speaker, says: Statements, about: Iterable[str]) -> Level:
    """The level of an item in a story that is about `about`.

    A first-party source is the subject where the story is about a name it speaks for, where its own title or
    lead has one, or where it says "we". Otherwise it is somebody who comments on others: discussion.
    """
    if who.level is not Level.FIRST_PARTY:
        return who.level
    if who.names & (says.title | says.lead) or not who.names.isdisjoint(about):
        return Level.FIRST_PARTY
    if any(_WE.search(sentence.text) for sentence in says.sentences[:SPEAKING_SENTENCES]):
        return Level.FIRST_PARTY
    return Level.DISCUSSION
