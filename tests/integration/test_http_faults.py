"""The fetcher against the fault cases of tests/faults, one poll after the other."""

from typing import Any

import pytest
from tests.scripted import FAULTS, ScriptedTransport, expectation, fetched, kind, names, script, step

from storyheat.core.feeds.network import NetworkParams
from storyheat.core.model import FailureKind, FetchOutcome, FetchRequest, Url
from storyheat.ingest.http import HttpFetcher

AT_ONCE = NetworkParams(pause_seconds=0)

POLLED_CASES = sorted(
    path.parent.name for path in FAULTS.glob("*/http.json") if "per_poll" in expectation(path.parent.name)
)
# Words of the cases → what the fetcher itself answers. Whether a body is news is for others to find.
OUTCOMES = {
    "updated": FetchOutcome.BODY,
    "unchanged": FetchOutcome.BODY,
    "not_modified": FetchOutcome.NOT_MODIFIED,
    "error": FetchOutcome.FAILED,
    "gone": FetchOutcome.FAILED,
    "rate_limited": FetchOutcome.FAILED,
}
KINDS = {
    "gone": FailureKind.GONE,
    "rate_limited": FailureKind.RATE_LIMITED,
    "blocked": FailureKind.CHALLENGE,
    "blocked_address": FailureKind.REFUSED_ADDRESS,
    "bad_scheme": FailureKind.REFUSED_ADDRESS,
    "bad_encoding": FailureKind.ENCODING,
    "redirect_loop": FailureKind.REDIRECT,
    "too_large": FailureKind.TOO_LARGE,
    "timeout": FailureKind.TIMEOUT,
    "dns": FailureKind.DNS,
    "empty": FailureKind.EMPTY,
}


def any_of(value: Any) -> list[str]:
    return value["any_of"] if isinstance(value, dict) else [value]


@pytest.mark.parametrize("case", POLLED_CASES)
def test_fault_case(case: str) -> None:
    played = script(case)
    contact = played["config"].get("user_agent_contact", "")
    for poll, expected in zip(played["polls"], expectation(case)["per_poll"], strict=True):
        if not poll["exchange"] or "outcome" not in expected:
            continue
        first = poll["exchange"][0]
        sent = first["request"].get("headers", {})
        missing = ["wire.example"] if first["response"].get("error") == "dns" else []
        transport = ScriptedTransport(poll["exchange"])
        drips = first["response"].get("body_gen", {}).get("kind") == "slow_drip"
        params = NetworkParams(
            user_agent_contact=contact,
            pause_seconds=0,
            total_seconds=0.05 if drips else 60,
            max_bytes=6_000_000,
        )
        fetcher = HttpFetcher(params, resolve=names(played.get("dns", {}), missing), transport=transport)
        request = FetchRequest(
            7, Url(first["request"]["url"]), sent.get("If-None-Match"), sent.get("If-Modified-Since")
        )
        (reply,) = fetched(fetcher, request)
        assert transport.violations == []
        assert reply.outcome in {OUTCOMES[word] for word in any_of(expected["outcome"]) if word in OUTCOMES}
        words = any_of(expected.get("error_kind", expected["outcome"]))
        if reply.failure is not None and set(words) & set(KINDS):
            assert reply.failure.kind in {KINDS[word] for word in words if word in KINDS}
        assert len(transport.requests) <= expected.get("requests_max", 6)
        forbidden = expectation(case).get("must_not", {}).get("requests_to", [])
        assert not {asked.url.host for asked in transport.requests} & set(forbidden)


def test_addresses_of_a_source_list() -> None:
    played, expected = script("68-ssrf-source-list"), expectation("68-ssrf-source-list")
    for address in played["candidates"]:
        transport = ScriptedTransport([step("https://wire.example/feed.xml", 200, body="<rss/>")])
        fetcher = HttpFetcher(AT_ONCE, resolve=names(played["dns"]), transport=transport)
        (reply,) = fetched(fetcher, FetchRequest(1, Url(address)))
        if address in expected["accepted"] + expected["either"]:
            assert reply.body == b"<rss/>"
        else:
            assert kind(reply) is FailureKind.REFUSED_ADDRESS
            assert transport.requests == []
