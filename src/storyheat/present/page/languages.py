"""Languages as readers of them write their names."""

from collections.abc import Iterable
from functools import lru_cache

from storyheat.core.text.language import language_of, primary

PAGE = "en"  # the language of our own words

# By primary subtag; the two scripts of Chinese are named apart.
_NAMES = {
    "ar": "العربية", "bg": "Български", "ca": "Català", "cs": "Čeština", "da": "Dansk", "de": "Deutsch",
    "el": "Ελληνικά", "en": "English", "es": "Español", "et": "Eesti", "fa": "فارسی", "fi": "Suomi",
    "fr": "Français", "he": "עברית", "hi": "हिन्दी", "hr": "Hrvatski", "hu": "Magyar",
    "id": "Bahasa Indonesia", "it": "Italiano", "ja": "日本語", "ko": "한국어", "lt": "Lietuvių",
    "lv": "Latviešu", "nb": "Norsk bokmål", "nl": "Nederlands", "no": "Norsk", "pl": "Polski",
    "pt": "Português", "ro": "Română", "ru": "Русский", "sk": "Slovenčina", "sl": "Slovenščina",
    "sr": "Српски", "sv": "Svenska", "th": "ไทย", "tr": "Türkçe", "uk": "Українська", "vi": "Tiếng Việt",
    "zh": "中文",
}  # fmt: skip


def name(tag: str) -> str:
    """The language's own name for itself; the tag where we do not know it."""
    return _NAMES.get(primary(tag), tag)


def primaries(tags: Iterable[str]) -> list[str]:
    """The primary subtags, each once, sorted."""
    return sorted({primary(tag) for tag in tags})


@lru_cache(maxsize=2_000)  # the same names and titles stand in many places of a page, and on page after page
def foreign(text: str, declared: str | None) -> str | None:
    """What to mark a text with: its language where that is another than the page's; None: nothing to mark."""
    language = language_of(text, declared)
    return None if language is None or primary(language) == PAGE else language.replace("_", "-")
