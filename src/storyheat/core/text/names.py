"""Names that are written in more than one script: 英伟达 is read as Nvidia.

A table has one line for a name: its English forms, then its forms in other scripts, separated by tabs; several forms
of one kind are separated by "/". Lines that open with "#" are remarks.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import pairwise

from storyheat.core.text.quantities import CJK
from storyheat.core.text.simplified import simplified

_RUN = re.compile(rf"[{CJK}]{{2,}}")
_SIGN = re.compile(rf"[{CJK}]")
_OTHER_WORD = re.compile(r"(?![A-Za-z]+$)[^\W\d_]+")
_KATAKANA = re.compile(r"[゠-ヿ]")
_HANGUL = re.compile(r"[가-힯]")
_RUSSIAN = re.compile(r"[а-яё]")
_RUSSIAN_ENDING = re.compile(r"(?:ами|ями|ого|его|ому|ему|ым|им|ой|ей|ом|ем|ам|ям|ах|ях|[ыиаяуюеоьй])$")
_SECTION = "# -- "
_START = 2  # characters by which a name is looked up, and of which every name has as many
_STEM = 4  # letters of a Russian word that must be left without its ending


@dataclass(frozen=True, slots=True, eq=False)
class Names:
    """Forms of names with the English ones that they stand for, such as {"美联储": "Federal Reserve, Fed"}.

    Equal only to itself, so that what is read with it can be remembered.
    """

    forms: dict[str, str] = field(default_factory=dict)
    _starts: dict[str, tuple[str, ...]] = field(init=False)  # first characters → forms in CJK scripts, longest first
    _words: dict[str, str] = field(init=False)  # word without ending → English forms

    def __post_init__(self) -> None:
        starts: dict[str, list[str]] = {}
        words: dict[str, str] = {}
        for form, english in self.forms.items():
            if _RUN.fullmatch(form):
                starts.setdefault(form[:_START], []).append(form)
            else:
                words[_stem(form)] = english
        ordered = {start: tuple(sorted(same, key=lambda form: (-len(form), form))) for start, same in starts.items()}
        object.__setattr__(self, "_starts", ordered)
        object.__setattr__(self, "_words", words)

    def may_be_among(self, pairs: Iterable[str]) -> bool:
        """False where a run of CJK characters (simplified) with these pairs of neighbours holds none of the names."""
        return not self._starts.keys().isdisjoint(pairs)

    def split(self, run: str) -> list[tuple[str, str]]:
        """A run of CJK characters (simplified) as (characters that are no name, English forms behind them), in order.

        Either may be empty.
        """
        found = []
        place = 0
        for start, end in self.spans(run):
            found.append((run[place:start], self.forms[run[start:end]]))
            place = end
        return [*found, (run[place:], "")]

    def spans(self, run: str) -> list[tuple[int, int]]:
        """(start, end) of each name in a run of CJK characters (simplified), in order.

        Of two names that begin at one place the longer one stands.
        """
        if not self.may_be_among([one + other for one, other in pairwise(run)]):
            return []  # as in nearly every run, in a tenth of the time
        found = []
        place = 0
        while place < len(run) - 1:
            forms = self._starts.get(run[place : place + _START])
            form = next((f for f in forms if _stands(f, run, place)), None) if forms else None
            if form is None:
                place += 1
            else:
                found.append((place, place + len(form)))
                place += len(form)
        return found

    def of_word(self, word: str) -> str | None:
        """The English forms of a name in other letters."""
        return self._words.get(_stem(word.lower()))

    @property
    def mark(self) -> str:
        """A short fingerprint: conclusions made with other names may differ."""
        return sha256(repr(sorted(self.forms.items())).encode()).hexdigest()[:12]


NO_NAMES_KNOWN = Names()


def names_from(rows: Iterable[Sequence[str]]) -> Names:
    """The names of rows of cells, see the head of this module. Raises ValueError naming the first bad form.

    Of two rows with one form the later holds, so that an operator's rows can follow those that ship.
    """
    forms: dict[str, str] = {}
    for row in rows:
        english, *others = ([form.strip() for form in cell.split("/") if form.strip()] for cell in row)
        if not english:
            raise ValueError("a name needs an English form")
        for form in (form for cell in others for form in cell):
            plain = simplified(unicodedata.normalize("NFKC", form))
            if not (_RUN if _SIGN.search(plain) else _OTHER_WORD).fullmatch(plain):
                raise ValueError(
                    f'"{form}" must be two or more Chinese, Japanese or Korean characters, or a word of another script'
                )
            forms[plain if _RUN.fullmatch(plain) else plain.lower()] = ", ".join(english)
    return Names(forms)


def rows_of(table: str, sections: Collection[str] | None = None) -> list[list[str]]:
    """The rows of a table of names; `sections`: only of those under such a remark (`# -- companies`)."""
    rows = []
    section = ""
    for line in table.splitlines():
        if line.startswith(_SECTION):
            section = line.removeprefix(_SECTION)
        elif line and not line.startswith("#") and (sections is None or section in sections):
            rows.append(line.split("\t"))
    return rows


def _stands(form: str, run: str, place: int) -> bool:
    """Whether a form stands there as a word: what runs on in the same syllables is another word."""
    end = place + len(form)
    if not run.startswith(form, place):
        return False
    before, behind = run[place - 1 : place], run[end : end + 1]
    if _KATAKANA.match(form):
        return not _KATAKANA.match(before) and not _KATAKANA.match(behind)
    return not (_HANGUL.match(form) and _HANGUL.match(before))


def _stem(word: str) -> str:
    if not _RUSSIAN.search(word):
        return word
    stem = _RUSSIAN_ENDING.sub("", word)
    return stem if len(stem) >= _STEM else word
