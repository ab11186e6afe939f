"""The checks of single values in feeds.yaml.

Each takes the text as given and gives it back, or raises ValueError with what is wrong with it, worded to
follow the value: `"Mars/Base" is no IANA time zone`.
"""

import re
from difflib import get_close_matches
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, available_timezones

from pydantic import ValidationInfo

from storyheat.core.addresses.urls import resolve

MAX_WORDS = 200  # characters of a name
MAX_PATTERN = 500  # characters of a regular expression; ours are under 60

UNUSED_SELECTORS = "selectors are not used"  # the context of a validation for those who poll nothing

_SLUG = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*")
_HOST_AND_PORT = re.compile(r"(\[[0-9a-fA-F:.]+\]|[^\s\[\]:/@]+):(\d{1,5})")
_HOST = re.compile(r"(?=.{1,253}$)[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?")
_BLANK = re.compile(r"\s")


def slug(text: str) -> str:
    """A name that is safe in a path, an address and a voice."""
    if not _SLUG.fullmatch(text):
        raise ValueError("is no id: letters, digits, '-', '_' and '.', 64 at most, the first a letter or digit")
    return text


def words(text: str) -> str:
    """A name or topic: something to see, on one line."""
    if not text.strip() or not text.isprintable() or len(text) > MAX_WORDS:
        raise ValueError(f"must be 1 to {MAX_WORDS} characters on one line")
    return text


def name_forms(forms: list[str]) -> list[str]:
    """An English name and its forms in other scripts."""
    from storyheat.core.text.names import names_from  # loads all names that ship, and few files have more

    if len(forms) < 2:
        raise ValueError("needs an English name and at least one form in another script: [DeepInfer, 深推]")
    names_from([forms])
    return forms


def topic_table(topics: dict[str, list[str]]) -> dict[str, list[str]]:
    """Topics with the words that tell them."""
    for topic, told_by in topics.items():
        if not told_by:
            raise ValueError(f'"{topic}" needs at least one word: {topic}: [word, 词]')
        for word in told_by:
            if not any(letter.isalnum() for letter in word):
                raise ValueError(f'"{topic}": no text has a word like "{word}"')
    folded = [topic.casefold() for topic in topics]
    twice = next((topic for topic in topics if folded.count(topic.casefold()) > 1), None)
    if twice is not None:
        raise ValueError(f'"{twice}" stands here twice')
    return topics


def host(text: str) -> str:
    """A host name as browsers send it, without a port."""
    if not _HOST.fullmatch(text):
        raise ValueError("is no host name; write it like news.example.org, without a scheme or port")
    return text.lower()


def kind(text: str) -> str:
    """A kind of feed."""
    if text not in ("auto", "html"):
        raise ValueError('is no kind of feed; "auto" finds RSS, Atom, RDF and JSON Feed, "html" is the other one')
    return text


def address(text: str) -> str:
    """An http or https address with a host that could exist."""
    complaint = "is no address; it must look like https://www.example.org/feed.xml"
    try:
        parts = urlsplit(text)
        if parts.scheme not in ("http", "https"):
            raise ValueError(complaint)
        if parts.port == 0 or _BLANK.search(text) or resolve(text, None) is None:
            raise ValueError(complaint)
    except ValueError as error:  # a port out of range, a broken IPv6 host
        raise ValueError(complaint) from error
    return text


def origin(text: str) -> str:
    """Where the page is served: scheme, host and perhaps a port; given back with a `/` at its end."""
    complaint = "must look like https://news.example.org, without a path: the page is served at the root of a host"
    try:
        parts = urlsplit(address(text))
    except ValueError as error:
        raise ValueError(complaint) from error
    if parts.path not in ("", "/") or parts.query or parts.fragment or "@" in parts.netloc:
        raise ValueError(complaint)
    return f"{parts.scheme}://{parts.netloc.lower()}/"


def host_and_port(text: str) -> str:
    """A pair such as `127.0.0.1:8000`, `localhost:80` or `[::1]:80`."""
    match = _HOST_AND_PORT.fullmatch(text)
    if match is None or not 0 < int(match[2]) < 65536:
        raise ValueError("is no host with a port; it must look like 127.0.0.1:8000")
    return text


def language(text: str) -> str:
    """A language tag by its form."""
    if not _LANGUAGE.fullmatch(text):
        raise ValueError('is no language tag (BCP 47), such as "en" or "zh-Hans"')
    return text


def zone(text: str) -> str:
    """A time zone that this machine, or the package tzdata, knows."""
    try:
        ZoneInfo(text)
    except (ValueError, OSError, LookupError) as error:  # a path, a folder of zones, an unknown name
        known = {name.casefold(): name for name in sorted(available_timezones())}
        folded = text.casefold()
        close = [folded] if folded in known else get_close_matches(folded, known, 1, 0.75)
        hint = f'; did you mean "{known[close[0]]}"?' if close else ', such as "Europe/Berlin" or "UTC"'
        raise ValueError(f"is no IANA time zone{hint}") from error
    return text


def selector(text: str, info: ValidationInfo) -> str:
    """A CSS selector that compiles. Taken as it is where the context says that nobody will use it."""
    if info.context is UNUSED_SELECTORS:
        return text
    import soupsieve  # loads bs4 (0.1 s), and few files have selectors

    try:
        soupsieve.compile(text)
    except (soupsieve.SelectorSyntaxError, ValueError) as error:
        raise ValueError(f"is no CSS selector ({str(error).splitlines()[0]})") from error
    return text


def pattern(text: str) -> str:
    """A regular expression that compiles."""
    if len(text) > MAX_PATTERN:
        raise ValueError(f"is longer than a regular expression may be here ({MAX_PATTERN} characters)")
    try:
        re.compile(text)
    except (re.error, RecursionError, OverflowError) as error:
        raise ValueError(f"is no regular expression ({error})") from error
    return text


def header_text(text: str) -> str:
    """What may stand in a request header."""
    if not text.isascii() or not text.isprintable() or len(text) > 200:
        raise ValueError("must be 200 printable ASCII characters at most")
    return text
