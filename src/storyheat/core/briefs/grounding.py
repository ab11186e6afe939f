"""Whether a sentence states only what given texts hold: every number, name and quotation in it; see docs/summaries.md.

What is compared are forms, not meanings. Case, accents, plural and script may differ, and so may the way a number is
written; its value may not.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache, reduce

from storyheat.core.briefs.number_words import Calendar, blanked, calendar, number_words
from storyheat.core.text import quantities
from storyheat.core.text.names import Names
from storyheat.core.text.quantities import CJK, Quantity
from storyheat.core.text.simplified import simplified
from storyheat.core.text.stems import stem
from storyheat.core.text.stopwords import NO_NAMES, OPENERS, STOP_WORDS

_WORD = re.compile(rf"(?:[^\W\d_{CJK}]\.){{2,}}|[^\W\d_{CJK}]+(?:['’][^\W\d_{CJK}]+)*")
_POSSESSIVE = re.compile(r"['’](?:s|S)?$")
_CODE = re.compile(rf"(?=[^\s{CJK}]*\d)[^\W_{CJK}]+(?:[-–./:][^\W_{CJK}]+)*")
_CODE_PARTS = re.compile(r"[-–/]")
_COUNTED_OFF = re.compile(r"(\d+)(?:st|nd|rd|th)")
_CAMEL = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]+(?![a-z])")
_CJK_RUN = re.compile(rf"[{CJK}]+")
_KATAKANA = re.compile(r"[ァ-ヺー・]{3,}")
_TITLE = re.compile(r"[《「『]([^《》「」『』]{1,60})[》」』]")
_PROPORTION = re.compile(  # what is a figure as well; those with digits are found as such
    r"\b(?:half|halv(?:e[sd]?|ing)|twice|thrice|doubl(?:e[sd]?|ing)|tripl(?:e[sd]?|ing)|quadrupl(?:e[sd]?|ing)|"
    r"[a-z]+fold|quarters?|zero)\b",
    re.IGNORECASE,
)
_QUOTATION = re.compile(r"[“\"„]([^“”\"„]{2,400})[”\"“]")
_OPENS = re.compile(r"(?:^|[.!?:;…。！？：；“\"„(\[—–\n-])[\s“\"„(\[']*$")
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DIGITS = 12  # of a value that are compared: 4.1 million is 4100000 whatever the binary rest
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_YEARS = range(1900, 2101)
_LEAST_PLURAL = 4  # letters of a word whose last s may be its plural
_LONGEST_SMALL_WORD = 2  # letters; longer ones may carry the topic
_LEAST_QUOTED = 2  # words, or Han characters, that make a quotation out of a word in quotes

_NAMELESS = (STOP_WORDS | NO_NAMES) - frozenset(_WEEKDAYS)


@dataclass(frozen=True, slots=True)
class Ground:
    """What texts hold that a sentence may state. Words are folded: case, accents and dots do not count."""

    values: frozenset[float] = frozenset()  # of all numbers, whatever they measure
    measures: frozenset[tuple[float, str]] = frozenset()  # of those with a scale or unit, which may be ""
    codes: frozenset[str] = frozenset()  # what has digits in it and is no number: `gx300`, `1.0.1`
    words: frozenset[str] = frozenset()
    stems: frozenset[str] = frozenset()
    spelled: frozenset[str] = frozenset()  # words as they are spelled, to tell US from us
    dates: Calendar = field(default_factory=Calendar)
    text: str = ""  # folded whole, for what must occur word for word

    def __or__(self, other: "Ground") -> "Ground":
        return Ground(
            self.values | other.values,
            self.measures | other.measures,
            self.codes | other.codes,
            self.words | other.words,
            self.stems | other.stems,
            self.spelled | other.spelled,
            self.dates | other.dates,
            f"{self.text}\n{other.text}",
        )


def ground_of(texts: Iterable[str], day: date, names: Names) -> Ground:
    """What the texts of one item hold; its date is known as well."""
    text = _plain("\n".join(texts))
    numbers = quantities.find(text)
    codes = {match[0].casefold() for match in _CODE.finditer(text)}
    parts = {part for code in codes for part in _CODE_PARTS.split(code)}
    values = {_value(one.value) for one in numbers} | {one.value for one in number_words(text)}
    values |= {float(part) for part in parts if part.isdecimal()}
    values |= {float(match[1]) for code in codes if (match := _COUNTED_OFF.fullmatch(code))}
    spelled = [_bare(match[0]) for match in _WORD.finditer(text)]
    words = {_WEEKDAYS[day.weekday()], *_words_of(spelled)}
    for english in _known(text, names):
        forms = [_bare(match[0]) for match in _WORD.finditer(english)]
        spelled += forms
        words.update(_words_of(forms))
    words |= _also_called(words, names)
    written = calendar(text)
    return Ground(
        frozenset(values),
        frozenset((_value(one.value), one.unit) for one in numbers if one.named),
        frozenset(codes | parts),
        frozenset(words),
        frozenset(stem(word) for word in words),
        frozenset(spelled),
        written | Calendar(frozenset({day.year}), frozenset({day.month}), frozenset({day.day})),
        _as_quoted(text),
    )


def all_of(grounds: Iterable[Ground]) -> Ground:
    """What several items hold together."""
    return reduce(Ground.__or__, grounds, Ground())


def ungrounded(sentence: str, ground: Ground, names: Names) -> str | None:
    """The first number, name or quotation of a sentence that the ground lacks, as printed; None: it holds all."""
    return next(_lacking(_plain(sentence), ground, names), None)


def _lacking(text: str, ground: Ground, names: Names) -> Iterator[str]:
    yield from _lacking_quotations(text, ground)
    dates = calendar(text)
    yield from _lacking_dates(dates, ground)
    text = blanked(text, dates.spans)
    numbers = quantities.find(text)
    yield from (text[one.start : one.end].strip() for one in numbers if not _holds(ground, one))
    text = blanked(text, [(one.start, one.end) for one in numbers])
    yield from _lacking_codes(text, ground)
    yield from (text[one.start : one.end] for one in number_words(text) if one.value not in ground.values)
    yield from _lacking_proportions(text, ground)
    yield from _lacking_names(text, ground, names)
    yield from _lacking_names_of_scripts(text, ground, names)


def share_known(sentence: str, ground: Ground) -> tuple[int, int]:
    """(how many of its words carry the topic, how many of these the ground has), of a sentence in letters."""
    folded = {_folded(_bare(match[0])) for match in _WORD.finditer(_plain(sentence))}
    words = [word for word in folded if word not in STOP_WORDS and len(word) > _LONGEST_SMALL_WORD]
    return len(words), sum(word in ground.words or stem(word) in ground.stems for word in words)


def _lacking_quotations(text: str, ground: Ground) -> Iterator[str]:
    for match in _QUOTATION.finditer(text):
        quoted = _as_quoted(match[1]).strip(" .,;:!?。，；：！？")
        words = len(quoted.split()) + sum(map(len, _CJK_RUN.findall(quoted)))
        if words >= _LEAST_QUOTED and quoted not in ground.text:
            yield match[0]


def _lacking_dates(dates: Calendar, ground: Ground) -> Iterator[str]:
    yield from (str(year) for year in sorted(dates.years - ground.dates.years) if float(year) not in ground.values)
    yield from (_MONTHS[month - 1].title() for month in sorted(dates.months - ground.dates.months))
    yield from (str(day) for day in sorted(dates.days - ground.dates.days) if float(day) not in ground.values)


def _holds(ground: Ground, one: Quantity) -> bool:
    value = _value(one.value)
    if one.unit:  # of which a report may spare itself the repetition: 1.1 billion, after the dollars were named
        named_once = (value, "") in ground.measures and any(unit == one.unit for _, unit in ground.measures)
        return (value, one.unit) in ground.measures or named_once
    return value in ground.values or (not one.named and value in ground.dates.years and value in _YEARS)


def _lacking_codes(text: str, ground: Ground) -> Iterator[str]:
    for match in _CODE.finditer(text):
        code = match[0].casefold()
        parts = _CODE_PARTS.split(code)
        if code not in ground.codes and (len(parts) == 1 or not all(_is_part_of(part, ground) for part in parts)):
            yield match[0]


def _lacking_proportions(text: str, ground: Ground) -> Iterator[str]:
    for match in _PROPORTION.finditer(text):
        if stem(match[0].casefold()) not in ground.stems:
            yield match[0]


def _is_part_of(part: str, ground: Ground) -> bool:
    if part.isdecimal():
        return float(part) in ground.values
    return part in ground.codes or _is_word_of(part, ground)


def _lacking_names(text: str, ground: Ground, names: Names) -> Iterator[str]:
    """Words with a capital. One that opens a sentence need not be a name, but has to be a word that is known."""
    for match in _WORD.finditer(text):
        word = _bare(match[0])
        folded = _folded(word)
        if len(word) > 1 and word.isupper() and folded in _NAMELESS:
            if word not in ground.spelled:  # US where the ground only has us
                yield word
            continue
        if folded in _NAMELESS or _is_word_of(folded, ground) or _is_foreign_form(word, ground, names):
            continue
        capitals = sum(letter.isupper() for letter in word)
        if capitals or names.of_word(word):
            opens = capitals == word[:1].isupper() and _OPENS.search(text, 0, match.start())
            if not (opens and (folded in OPENERS or stem(folded) in ground.stems)):
                yield word


def _lacking_names_of_scripts(text: str, ground: Ground, names: Names) -> Iterator[str]:
    """Names that the table knows, names of works, and words in katakana, which are mostly foreign names."""
    for match in _CJK_RUN.finditer(text):
        place = match.start()
        for characters, english in names.split(match[0]):
            place += len(characters)
            if english:
                form = max((f for f, of in names.forms.items() if of == english and text.startswith(f, place)), key=len)
                place += len(form)
                if form not in ground.text and not _is_called(english, ground):
                    yield form
    for match in (*_TITLE.finditer(text), *_KATAKANA.finditer(text)):
        name = match[match.lastindex or 0]
        if _as_quoted(name) not in ground.text and name not in names.forms:
            yield name


# -- words ----------------------------------------------------------------------------------------


def _plain(text: str) -> str:
    """In one spelling, so that full-width and traditional signs are the ordinary ones."""
    return text if text.isascii() else simplified(unicodedata.normalize("NFKC", text))


def _as_quoted(text: str) -> str:
    return " ".join(text.casefold().replace("’", "'").split())


def _value(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")


def _bare(word: str) -> str:
    """`Maroven’s` → `Maroven`, `U.S.` → `US`."""
    return _POSSESSIVE.sub("", word).replace(".", "")


@lru_cache(maxsize=1 << 14)
def _folded(word: str) -> str:
    """Without case and accents."""
    if word.isascii():
        return word.lower()
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    return "".join(sign for sign in decomposed if not unicodedata.combining(sign))


def _words_of(spelled: Iterable[str]) -> Iterator[str]:
    """The forms in which words may be met again: folded, singular, in parts (DeepInfer), run together (Deep Infer)."""
    before = ""
    for word in spelled:
        folded = _folded(word)
        yield folded
        yield from _singular(folded)
        if before:
            yield before + folded
        if any(letter.isupper() for letter in word[1:]):
            yield from (part.lower() for part in _CAMEL.findall(word))
        before = folded


def _singular(folded: str) -> Iterator[str]:
    if len(folded) >= _LEAST_PLURAL and folded.endswith("s"):
        yield folded[:-1]


def _is_word_of(folded: str, ground: Ground) -> bool:
    return folded in ground.words or any(one in ground.words for one in _singular(folded))


# -- names in more than one script ----------------------------------------------------------------


def _known(text: str, names: Names) -> Iterator[str]:
    """The English forms, with commas between, of each name of the table that a text holds in another script."""
    for run in _CJK_RUN.findall(text):
        yield from (english for _, english in names.split(run) if english)
    for word in _WORD.findall(text):
        if not word.isascii() and (english := names.of_word(word)):
            yield english


def _is_called(english: str, ground: Ground) -> bool:
    """Whether the ground holds all words of one of the English forms."""
    return any(all(_is_word_of(word, ground) for word in _form(form)) for form in english.split(", "))


def _is_foreign_form(word: str, ground: Ground, names: Names) -> bool:
    english = None if word.isascii() else names.of_word(word)
    return english is not None and _is_called(english, ground)


def _also_called(words: set[str], names: Names) -> set[str]:
    """The words of other English forms of names whose words are all there: Fed where the Federal Reserve is."""
    found: set[str] = set()
    for english in set(names.forms.values()):
        forms = [_form(form) for form in english.split(", ")]
        if len(forms) > 1 and any(form <= words for form in forms):
            found.update(*forms)
    return found


@lru_cache(maxsize=1 << 12)
def _form(form: str) -> frozenset[str]:
    return frozenset(_folded(_bare(match[0])) for match in _WORD.finditer(form))
