"""Where one request stands on its way through redirects, and where it may go from there."""

from dataclasses import dataclass, field
from http import HTTPStatus

import httpx

from storyheat.core.model import FetchRequest, Url
from storyheat.ingest.headers import basic_authorization

PERMANENT = frozenset({HTTPStatus.MOVED_PERMANENTLY, HTTPStatus.PERMANENT_REDIRECT})
TEMPORARY = frozenset({HTTPStatus.FOUND, HTTPStatus.SEE_OTHER, HTTPStatus.TEMPORARY_REDIRECT})


class AstrayError(Exception):
    """A redirect that is not followed; `str()` is a part of a sentence that says why."""


@dataclass(slots=True)
class Chain:
    """One request and the hops it has come. `url` is what is asked next, without credentials and fragment."""

    request: FetchRequest
    url: httpx.URL
    authorization: bytes | None = None  # Basic credentials, kept only while the origin stays
    may_move: bool = True  # all hops so far were permanent
    led: bool = False  # a server's idea from its first hop on: for the rules of a page that was redirected to
    local: bool = False  # begun at an exempt host: a feed from outside cannot redirect to one
    moved_to: httpx.URL | None = None
    seen: list[httpx.URL] = field(default_factory=list)
    seconds: float = 0.0  # spent on asking, without waiting for turns

    @property
    def redirected(self) -> bool:
        """Whether a server led here, not the operator."""
        return self.led or bool(self.seen)

    @property
    def final_url(self) -> Url:
        """As stored, where nothing was followed and nothing is secret; else the address reached."""
        if self.seen or self.authorization is not None:
            return Url(str(self.url))
        return self.request.url

    def follow(self, status: int, location: str, max_redirects: int) -> None:
        """Goes on to where a reply redirects to. Raises `AstrayError` where the chain must end."""
        if not location.strip():
            raise AstrayError("redirects to nowhere")
        self.seen.append(self.url)
        if len(self.seen) > max_redirects:
            raise AstrayError(f"redirects more than {max_redirects} times")
        try:
            # Credentials that a server writes into a target are not used: they are not the operator's.
            target = _bare(self.url.join(location.strip()))
        except httpx.InvalidURL:
            raise AstrayError("redirects to no valid address") from None
        if target in self.seen:
            raise AstrayError("redirects in a circle")
        if not _keeps_credentials(self.url, target):
            self.authorization = None
        # Never from https to http for good: the stored address would lose its protection.
        downgrade = self.url.scheme == "https" and target.scheme != "https"
        self.may_move = self.may_move and status in PERMANENT and not downgrade
        if self.may_move:
            self.moved_to = target
        self.url = target


def begin(request: FetchRequest) -> Chain:
    """The chain of a request before its first hop. Raises httpx.InvalidURL."""
    url = httpx.URL(request.url)
    authorization = basic_authorization(url.username, url.password) if url.userinfo else None
    # An address with credentials stays where it is: its new form would have to carry them along.
    return Chain(request, _bare(url), authorization, may_move=authorization is None)


def _bare(url: httpx.URL) -> httpx.URL:
    """The address without credentials and fragment."""
    return url.copy_with(userinfo=b"", fragment=None)


def _keeps_credentials(old: httpx.URL, new: httpx.URL) -> bool:
    """Same origin, or the same host gone from http to https on the usual ports."""
    if old.raw_host != new.raw_host:
        return False
    upgraded = old.scheme == "http" and new.scheme == "https" and old.port is None and new.port is None
    return upgraded or (old.scheme == new.scheme and old.port == new.port)
