"""The words for what goes wrong on the network: what happened, and what the reader can do.

Hosts only, never whole addresses: those can carry passwords and keys.
"""

from collections.abc import Mapping
from datetime import timedelta
from http import HTTPStatus

from storyheat.core.model import Failure, FailureKind

# Headers by which protection services say that their reply is a riddle for browsers, not content.
_CHALLENGE_HEADERS = (
    ("cf-mitigated", "challenge"),
    ("x-amzn-waf-action", "challenge"),
    ("x-amzn-waf-action", "captcha"),
    ("x-vercel-mitigated", "challenge"),
)


def no_such_host(host: str) -> Failure:
    return Failure(FailureKind.DNS, f"{host} has no address: check the spelling, or whether the site still exists")


def slow_lookup(host: str) -> Failure:
    return Failure(FailureKind.DNS, f"the name server did not answer for {host}: asked again at the next poll")


def no_connection(host: str, why: str) -> Failure:
    return Failure(FailureKind.CONNECT, f"no connection to {host} ({why}): asked again at the next poll")


def untrusted(host: str, why: str) -> Failure:
    return Failure(
        FailureKind.TLS,
        f"no secure connection to {host} ({why}): the site has to mend it, it is not asked without",
    )


def too_slow(host: str, seconds: float) -> Failure:
    return Failure(
        FailureKind.TIMEOUT,
        f"{host} sent nothing for {seconds:g} seconds (network.timeout_seconds): asked again later",
    )


def too_long(host: str, seconds: float) -> Failure:
    return Failure(
        FailureKind.TIMEOUT,
        f"{host} did not finish its reply in {seconds:g} seconds (network.total_seconds): asked again later",
    )


def too_large(host: str, max_bytes: int) -> Failure:
    return Failure(
        FailureKind.TOO_LARGE,
        f"{host} sent more than {max_bytes} bytes: raise network.max_bytes if this feed really is so large",
    )


def cut_short(host: str) -> Failure:
    return Failure(FailureKind.TRUNCATED, f"the reply of {host} broke off before its end: asked again at the next poll")


def undecodable(host: str, why: str) -> Failure:
    return Failure(FailureKind.ENCODING, f"the reply of {host} is {why}: the site has to mend it")


def bad_redirect(host: str, why: str) -> Failure:
    return Failure(FailureKind.REDIRECT, f"{host} {why}: open the feed's address in a browser and look for a new one")


def never_asked(why: str, redirected: bool) -> Failure:
    """For an address of a form that is never asked, whatever the configuration says."""
    if redirected:
        return _led_astray(why)
    return Failure(FailureKind.REFUSED_ADDRESS, f"{why}: correct the feed's address")


def not_public(why: str, redirected: bool) -> Failure:
    """For a host that is not on the public internet."""
    if redirected:  # no hint at the allow-list: this address is the server's idea, not the operator's
        return _led_astray(why)
    return Failure(
        FailureKind.REFUSED_ADDRESS,
        f"{why}, and only public hosts are asked: if it is yours, add it to network.allow_hosts",
    )


def _led_astray(why: str) -> Failure:
    return Failure(FailureKind.REFUSED_ADDRESS, f"the feed redirects to where we never ask: {why}")


def empty(host: str) -> Failure:
    return Failure(FailureKind.EMPTY, f"{host} reported success but sent nothing: asked again at the next poll")


def challenged(host: str, headers: Mapping[str, str]) -> Failure | None:
    """The failure if the reply is a riddle for browsers (told by its headers, whatever its status)."""
    if any(headers.get(name, "").strip().lower() == value for name, value in _CHALLENGE_HEADERS):
        return challenge(host)
    return None


def challenge(host: str) -> Failure:
    return Failure(
        FailureKind.CHALLENGE,
        f"{host} wants to see a browser and sent no feed: ask the site to let feed readers pass",
    )


def unsuccessful(host: str, status: int, retry_after: timedelta | None) -> Failure:
    """The failure for a status that is neither success nor redirect."""
    when = "asked again later" if retry_after is None else f"left alone for {_span(retry_after)}, as it wishes"
    if status == HTTPStatus.GONE:
        return Failure(FailureKind.GONE, f"{host} says that the feed is gone for good (status 410): not asked again")
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return Failure(FailureKind.RATE_LIMITED, f"{host} was asked too often (status 429): {when}")
    if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
        return Failure(
            FailureKind.FORBIDDEN,
            f"{host} does not let us read the feed (status {status}): {when}, or ask the site",
        )
    if status in (HTTPStatus.NOT_FOUND, HTTPStatus.BAD_REQUEST):
        return Failure(FailureKind.STATUS, f"{host} has no such feed (status {status}): check the feed's address")
    return Failure(FailureKind.STATUS, f"{host} answered with status {status}{_phrase(status)}: {when}")


def host_is_resting(because: Failure) -> Failure:
    """For a request that was not made, because its host cannot be reached or wants to be left alone."""
    return Failure(because.kind, f"not asked, because another request to this host failed: {because.message}")


def _phrase(status: int) -> str:
    try:
        return f" ({HTTPStatus(status).phrase.lower()})"
    except ValueError:
        return ""


def _span(span: timedelta) -> str:
    """A duration in its two largest units."""
    seconds = int(span.total_seconds())
    parts = [
        f"{count} {name}{'' if count == 1 else 's'}"
        for count, name in (
            (seconds // 86_400, "day"),
            (seconds // 3600 % 24, "hour"),
            (seconds // 60 % 60, "minute"),
            (seconds % 60, "second"),
        )
        if count
    ]
    return " ".join(parts[:2]) or "0 seconds"
