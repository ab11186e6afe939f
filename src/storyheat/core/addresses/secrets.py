"""What of the configuration may be neither stored nor shown, and the one place that hides it.

Secrets are keys and hosts that came into an address by `${NAME}`, passwords, and values of parameters such as `token`.
They are hidden at the border: before what a server sent is stored, and before what we say ourselves is.
"""

import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from html import escape
from typing import NamedTuple
from urllib.parse import quote, quote_plus, unquote, urlsplit

from storyheat.core.addresses.urls import feed_address, without_credentials, without_login
from storyheat.core.model import Entry, Failure, ParsedFeed, Url


class Filled(NamedTuple):
    """A value of the environment inside a text: its variable, and where it stands."""

    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Secret:
    """A text to hide, and what stands in its place: `${NAME}`, or `…`.

    A `key` is hidden everywhere. A host, which is none, is hidden in what we say and left in what others publish: the
    addresses of their articles would lead nowhere.
    """

    value: str
    shown: str
    key: bool


@dataclass(frozen=True, slots=True)
class SecretParams:
    """What is taken for a secret. Origin: our own choice."""

    least_chars: int = 4  # what is shorter hides nothing, and stands everywhere
    key_chars: int = 6  # with letters and digits: a key rather than a word
    long_key_chars: int = 16  # of any kind
    whole_chars: int = 8  # a variable that holds several parts of an address is hidden as a whole too
    bare_chars: int = 12  # hidden inside a longer word too


DEFAULT_PARAMS = SecretParams()
HIDDEN = "…"

_ADDRESS = re.compile(
    r"(?:[A-Za-z][A-Za-z0-9+.-]*:)?(?://(?:(?P<login>[^/?#]*)@)?(?P<host>[^/?#]*))?"
    r"(?P<path>[^?#]*)(?:\?(?P<query>[^#]*))?(?:#(?P<fragment>.*))?",
    re.DOTALL,
)
_SEGMENT, _PAIR, _PORT = re.compile(r"[^/;,]+"), re.compile(r"[^&;]+"), re.compile(r":\d*$")
# How parameters of addresses and variables of the environment are named whose value is a key.
_NAMED_SO = re.compile(
    r"(?:^|[_.-]|api|access|auth|private|feed|rss|user)(?:key|token|secret|auth|pass|passwd|password|pwd|pw|sig|sign|"
    r"signature|session|sid|credentials?)_?\d*$",
    re.IGNORECASE,
)
_VARIABLE = r"\$\{\w+\}"


@dataclass(frozen=True, slots=True)
class Secrets:
    """All secrets of a configuration. Hiding twice is hiding once; without secrets nothing is touched."""

    known: tuple[Secret, ...] = ()

    def in_words(self, text: str) -> str:
        """What we say ourselves, and the addresses that we name, without any secret."""
        return _without(text, self.known, keys_only=False)

    def shown(self, address: str) -> str:
        """An address of the configuration, or one that a person gave, as it may be shown."""
        return without_credentials(without_keys(self.in_words(address)))

    def in_text(self, text: str) -> str:
        """A text that a document holds, without keys."""
        return _without(text, self.known, keys_only=True)

    def in_address(self, address: str) -> str:
        """An address that a document holds. A parameter with a key in it is left out: it may do without."""
        if self.in_text(address) == address:
            return address
        front, _, rest = address.partition("?")
        query, sharp, fragment = rest.partition("#")
        kept = "&".join(pair for pair in query.split("&") if pair and self.in_text(pair) == pair)
        return self.in_text(front + (f"?{kept}" if kept else "") + sharp + fragment)

    def in_url(self, address: Url | None) -> Url | None:
        """`in_address` for what may be missing."""
        return None if address is None else Url(self.in_address(address))

    def in_site(self, site: Url | None) -> Url | None:
        """The home page of a source, which we name."""
        return None if site is None else Url(self.in_words(self.in_address(without_login(site))))

    def in_failure(self, failure: Failure | None) -> Failure | None:
        """A failure with its words."""
        return failure and replace(failure, message=self.in_words(failure.message))

    def in_document(self, parsed: ParsedFeed) -> ParsedFeed:
        """What a document says, as it may be stored."""
        if not self.known:
            return parsed
        return replace(
            parsed,
            title=_maybe(self.in_text, parsed.title),
            site=self.in_site(parsed.site),
            entries=tuple(map(self._in_entry, parsed.entries)),
            remarks=tuple(map(self.in_words, parsed.remarks)),
        )

    def _in_entry(self, entry: Entry) -> Entry:
        return replace(
            entry,
            guid=_maybe(self.in_address, entry.guid),
            title=_maybe(self.in_text, entry.title),
            link=self.in_url(entry.link),
            canonical=self.in_url(entry.canonical),
            summary=self.in_text(entry.summary),
            text=self.in_text(entry.text),
            html=self.in_text(entry.html),
            author=_maybe(self.in_text, entry.author),
            publisher=_maybe(self.in_text, entry.publisher),
            publisher_url=self.in_url(entry.publisher_url),
            remarks=tuple(map(self.in_words, entry.remarks)),
        )


def holds_hidden(address: str) -> bool:
    """Whether something was hidden in an address, so that it cannot be asked for."""
    return HIDDEN in address or re.search(_VARIABLE, address) is not None


def public_form(address: str, filled: Sequence[Filled] = ()) -> str:
    """An address of the configuration as it may be stored: without login, with `${NAME}` and `…` for its secrets."""
    shown = without_keys(address, filled)
    match = _match(shown)
    return shown if match["login"] is None else shown[: match.start("login")] + shown[match.end("login") + 1 :]


def without_keys(address: str, filled: Sequence[Filled] = (), params: SecretParams = DEFAULT_PARAMS) -> str:
    """An address with `${NAME}` where values of the environment stand, and `…` for keys; a login stays."""
    masked = [
        Filled(HIDDEN, atom.start, atom.end)
        for atom in _atoms(address)
        if not _inside(atom, filled) and _is_named_key(atom, address, params)
    ]
    return _written(address, 0, len(address), sorted((*filled, *masked), key=lambda one: one.start))


def secrets_in(address: str, filled: Sequence[Filled] = (), params: SecretParams = DEFAULT_PARAMS) -> Iterator[Secret]:
    """The secrets of one address of the configuration; `filled`: where values of the environment stand in it."""
    for atom in _atoms(address):
        text, within = address[atom.start : atom.end], _inside(atom, filled)
        shown = _written(address, atom.start, atom.end, within) if within else HIDDEN
        deliberate = [one for one in within if atom.start <= one.start and one.end <= atom.end]
        named = _NAMED_SO.search(atom.name) or any(_NAMED_SO.search(one.name) for one in deliberate)
        if atom.part == "login" or _is_named_key(atom, address, params):
            yield Secret(text, shown, key=True)
        elif atom.part == "host":
            yield from _of_host(address, text, shown, within, params)
        elif within and (named or _looks_like_key(text, params)):
            yield Secret(text, shown, key=True)
            yield from (Secret(address[one.start : one.end], _name(one), key=True) for one in deliberate)
    login = _match(address)["login"] or ""
    if ":" in login:
        yield Secret(b64encode(unquote(login).encode()).decode(), HIDDEN, key=True)  # as it is sent
    for one in filled:
        several = not any(atom.start <= one.start and one.end <= atom.end for atom in _atoms(address))
        if several and one.end - one.start >= params.whole_chars:
            yield Secret(address[one.start : one.end], _name(one), key=True)


# -- the parts of an address ----------------------------------------------------------------------


class _Atom(NamedTuple):
    """A part of an address that can be a secret by itself."""

    part: str  # login, host, segment, value or fragment
    start: int
    end: int
    name: str = ""  # of the parameter, for a value


def _match(address: str) -> re.Match[str]:
    match = _ADDRESS.match(address)
    assert match is not None, "every part of it may be missing"
    return match


def _atoms(address: str) -> Iterator[_Atom]:
    match = _match(address)
    if match["login"]:
        user, colon, password = match["login"].partition(":")
        start, end = match.span("login")
        # Without a password the user is a token; with one it is but a name.
        yield _Atom("login", *((start + len(user) + len(colon), end) if password else (start, start + len(user))))
    if match["host"]:
        yield _Atom("host", *match.span("host"))
    for segment in _SEGMENT.finditer(match["path"]):
        yield _Atom("segment", match.start("path") + segment.start(), match.start("path") + segment.end())
    for pair in _PAIR.finditer(match["query"] or ""):
        name, equals, value = pair[0].partition("=")
        end = match.start("query") + pair.end()
        if value or not equals:  # `?TOKEN` alone is one, too
            yield _Atom("value", end - len(value or name), end, unquote(name).lower() if equals else "")
    if match["fragment"]:
        yield _Atom("fragment", *match.span("fragment"))


def _inside(atom: _Atom, filled: Iterable[Filled]) -> list[Filled]:
    return [one for one in filled if one.start < atom.end and atom.start < one.end]


def _is_named_key(atom: _Atom, address: str, params: SecretParams) -> bool:
    """Whether it is the value of a parameter that is named for a key, and looks like one."""
    text = address[atom.start : atom.end]
    return bool(_NAMED_SO.search(atom.name)) and _looks_like_key(text, params) and not holds_hidden(text)


def _looks_like_key(text: str, params: SecretParams) -> bool:
    mixed = any(sign.isdigit() for sign in text) and any(sign.isalpha() for sign in text)
    return len(text) >= (params.key_chars if mixed else params.long_key_chars)


def _of_host(address: str, text: str, shown: str, within: Sequence[Filled], params: SecretParams) -> Iterator[Secret]:
    """The host that a variable stands in: a place, unless a label of it looks like a key."""
    if not within:
        return
    host, bare = urlsplit(feed_address(address) or "").hostname or _PORT.sub("", text), _PORT.sub("", shown)
    for value, written in ((text, shown), (host, bare), (host.removeprefix("www."), bare.removeprefix("www."))):
        yield Secret(value, written, key=False)
    for one in within:
        value = address[one.start : one.end]
        if "." not in value and ":" not in value and _looks_like_key(value, params):
            yield Secret(value, _name(one), key=True)


def _name(one: Filled) -> str:
    return HIDDEN if one.name == HIDDEN else f"${{{one.name}}}"


def _written(address: str, start: int, end: int, filled: Iterable[Filled]) -> str:
    """A part of an address with the names of variables where their values stand."""
    found, at = "", start
    for one in filled:
        found += address[at : max(at, one.start)] + _name(one)
        at = max(at, min(one.end, end))
    return found + address[at:end]


# -- hiding ---------------------------------------------------------------------------------------


def _without(text: str, known: tuple[Secret, ...], *, keys_only: bool) -> str:
    if not known or not text:
        return text
    shown, folded = _shown_by_spelling(known, keys_only), text.lower()
    found = tuple(spelling for spelling in shown if spelling in folded)  # nearly always none, and quick to tell
    return _pattern(found).sub(lambda match: shown.get(match[0].lower(), match[0]), text) if found else text


@lru_cache(maxsize=16)
def _shown_by_spelling(known: tuple[Secret, ...], keys_only: bool) -> Mapping[str, str]:
    """What is shown in place of the secrets, by each of their spellings in small letters, the longest first."""
    shown: dict[str, str] = {}
    for secret in sorted(known, key=lambda one: (not one.key, one.shown == HIDDEN, one.value, one.shown)):
        if secret.key or not keys_only:
            for spelling in _spellings(secret.value):
                shown.setdefault(spelling.lower(), secret.shown)
    return {spelling: shown[spelling] for spelling in sorted(shown, key=lambda spelling: (-len(spelling), spelling))}


@lru_cache(maxsize=64)
def _pattern(spellings: tuple[str, ...]) -> re.Pattern[str]:
    """What finds these spellings, the first of them first."""
    # The name of a variable goes before all, and stays: what is hidden already holds no secret.
    return re.compile("|".join((_VARIABLE, *map(_bounded, spellings))), re.IGNORECASE)


def _spellings(value: str, params: SecretParams = DEFAULT_PARAMS) -> set[str]:
    """A value as addresses and documents spell it."""
    plain = unquote(value)
    found = {value, plain, quote(plain, safe=""), quote_plus(plain), escape(plain)}
    return {spelling for spelling in found if len(spelling) >= params.least_chars}


def _bounded(spelling: str, params: SecretParams = DEFAULT_PARAMS) -> str:
    """Finds a spelling where it is no part of a longer word."""
    found = re.escape(spelling)
    if len(spelling) < params.bare_chars:
        if _is_word(spelling[0]):
            found = r"(?:(?<![A-Za-z0-9])|(?<=%[0-9A-Fa-f]{2}))" + found
        if _is_word(spelling[-1]):
            found += r"(?![A-Za-z0-9])"
    return found


def _is_word(sign: str) -> bool:
    return sign.isascii() and sign.isalnum()


def _maybe(hide: Callable[[str], str], text: str | None) -> str | None:
    return None if text is None else hide(text)
