"""In which language a text is, as far as its script tells."""

import re

_KANA = re.compile(r"[\u3040-\u30ff]")
_HANGUL = re.compile(r"[\uac00-\ud7af]")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
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


def language_of(text: str, declared: str | None) -> str | None:
    """The BCP 47 tag of a text: the declared one unless its script says otherwise; None: unknown.

    Latin script alone names no language, so an undeclared Latin text is unknown.
    """
    script, language = _script_of(text)
    if declared:
        primary = declared.replace("_", "-").split("-")[0].lower()
        if script is None or script in SCRIPTS_OF_LANGUAGE.get(primary, {"latin"}):
            return declared
    return language


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
    return ("cyrillic", "ru") if cyrillic > latin else ("latin", None)
