"""In which language a text is, as far as its script and its small words tell."""

import re
from collections import Counter

_KANA = re.compile(r"[\u3040-\u30ff]")
_HANGUL = re.compile(r"[\uac00-\ud7af]")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_WORD = re.compile(r"[^\W\d_]+")
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]")

# Of a text in Han, kana or hangul even a few letters weigh as much as a word of Latin ones.
LETTERS_PER_HAN = 3
# In which scripts a declared language is believable. One that is not listed is written in Latin letters, or in
# a script that is not looked at.
SCRIPTS_OF_LANGUAGE = {
    "zh": {"han"},
    "ja": {"kana", "han"},  # a short title may have no kana
    "ko": {"hangul"},
    "sr": {"cyrillic", "latin"},
    **{language: {"cyrillic"} for language in ("be", "bg", "kk", "ky", "mk", "mn", "ru", "tg", "uk")},
}


# The small words that hardly any sentence of a language does without; words that two of them share are left out.
SMALL_WORDS = {
    "en": "the and of to is are was with for on that this from by it at has have will its after over new how what",
    "de": "der die das und ist mit von den dem ein eine nicht auf für im zu sich auch wird nach bei aus wie zur",
    "fr": "le les des et est une dans pour pas sur qui avec au aux ce cette sont après du ses ont plus leur",
    "es": "el los las y una por con del se su más como pero sobre entre hasta desde según ha tras está",
    "pt": "o os as e um uma não com do da dos das em ao pela pelo mais como foi são também após à",
    "it": "il lo gli è di che un della del nel per con sono alla dalla dei delle anche dopo più ha tra",
    "nl": "het een van en niet met voor zijn op aan ook naar bij uit wordt heeft maar nog dan door",
}
_VOTES = {
    word: language
    for language, words in SMALL_WORDS.items()
    for word in words.split()
    if sum(word in others.split() for others in SMALL_WORDS.values()) == 1
}
LEAST_VOTES = 3  # words of one language; a headline alone seldom has them, and then the language is unknown
LEAST_LEAD = 2  # times the votes of the next language


def language_of(text: str, declared: str | None) -> str | None:
    """The BCP 47 tag of a text: the declared one unless its script says otherwise; None: unknown.

    An undeclared text in Latin letters is told by its small words; where these are few it is unknown.
    """
    script, language = _script_of(text)
    if declared and (script is None or script in SCRIPTS_OF_LANGUAGE.get(primary(declared), {"latin"})):
        return declared
    return language


def primary(language: str) -> str:
    """The primary subtag of a BCP 47 tag: `zh` of `zh-Hant`."""
    return language.replace("_", "-").split("-")[0].lower()


def differ(one: str | None, other: str | None) -> bool:
    """True where two primary subtags are sure to be two languages. None: some language in Latin letters."""
    if one is None or other is None:
        known = one or other
        return known is not None and "latin" not in SCRIPTS_OF_LANGUAGE.get(known, {"latin"})
    return one != other


def _script_of(text: str) -> tuple[str | None, str | None]:
    """The script most of a text is in, and the language it stands for."""
    kana, hangul, han = len(_KANA.findall(text)), len(_HANGUL.findall(text)), len(_HAN.findall(text))
    cyrillic, latin = len(_CYRILLIC.findall(text)), len(_LATIN.findall(text))
    east = (kana + hangul + han) * LETTERS_PER_HAN
    if max(east, cyrillic, latin) == 0:
        return None, None
    if east >= max(cyrillic, latin):
        if hangul >= max(kana, han):
            return "hangul", "ko"
        # Japanese writes Han too, so a fair share of kana decides.
        return ("kana", "ja") if kana * 5 >= han else ("han", "zh")
    return ("cyrillic", "ru") if cyrillic > latin else ("latin", _by_small_words(text))


def _by_small_words(text: str) -> str | None:
    votes = Counter(_VOTES[word] for word in _WORD.findall(text.lower()) if word in _VOTES)
    (first, most), (_, next_most) = [*votes.most_common(2), ("", 0), ("", 0)][:2]
    return first if most >= LEAST_VOTES and most >= LEAST_LEAD * next_most else None
