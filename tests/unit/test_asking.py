"""Asking a language model: addresses, keys, what it may do wrong, retries, and fewer wishes."""

import json
import ssl
from dataclasses import replace
from typing import Any

import httpx
import pytest
from tests.model import Reply, ScriptedModel, complains, says

from storyheat.core.briefs.summarising import ModelAccess, SummaryParams
from storyheat.errors import ConfigError
from storyheat.summaries.asking import Asked, Asker
from storyheat.summaries.completion import Exchange, Outcome
from storyheat.summaries.endpoint import ModelEndpoint, completions_url

KEY = "sk-0123456789abcdef"
ACCESS = ModelAccess("https://models.example/v1", "tiny-1", KEY)
PARAMS = SummaryParams(timeout_seconds=5)
ASKED = [{"role": "user", "content": "Sum up."}]
BAD = complains(400, "response_format is not supported")


class Purse:
    """A budget of so many requests."""

    def __init__(self, requests: int = 100) -> None:
        self.left = requests
        self.settled: list[Exchange] = []

    def reserve(self) -> int | None:
        self.left -= 1
        return self.left if self.left >= 0 else None

    def settle(self, number: int, exchange: Exchange) -> None:
        self.settled.append(exchange)


class Asking:
    """One asker over a script; notes how long it would have slept."""

    def __init__(self, *replies: Reply, params: SummaryParams = PARAMS, requests: int = 100) -> None:
        self.script = ScriptedModel(*replies)
        self.slept: list[float] = []
        self.purse = Purse(requests)
        endpoint = ModelEndpoint(ACCESS, params, transport=self.script)
        self._asker = Asker(endpoint, params, self.slept.append)

    def ask(self) -> Asked:
        return self._asker.ask(ASKED, {"type": "object"}, self.purse)

    def outcome(self) -> Exchange:
        exchange = self.ask().exchange
        assert exchange is not None
        assert KEY not in exchange.message
        return exchange


def test_a_request_has_all_that_is_wished() -> None:
    asking = Asking(says("hello"))
    assert asking.ask().content == "hello"
    (request,) = asking.script.requests
    assert str(request.url) == "https://models.example/v1/chat/completions"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    (body,) = asking.script.asked
    assert body["response_format"]["json_schema"] == {"name": "brief", "strict": True, "schema": {"type": "object"}}
    assert (body["model"], body["messages"], body["max_tokens"], body["temperature"]) == ("tiny-1", ASKED, 2000, 0)
    assert [one.tokens for one in asking.purse.settled] == [900]


def test_an_endpoint_that_takes_less_is_asked_for_less_and_remembered() -> None:
    asking = Asking(
        complains(400, "use max_completion_tokens instead of max_tokens"),
        complains(400, "max_completion_tokens is unknown"),
        complains(422, "temperature must be 1"),
        BAD,
        BAD,
        says("hello"),
    )
    assert asking.ask().content == "hello"
    forms = [body.get("response_format", {}).get("type") for body in asking.script.asked]
    assert forms == ["json_schema"] * 4 + ["json_object", None]
    assert {"max_tokens", "max_completion_tokens", "temperature"}.isdisjoint(asking.script.asked[-1])
    assert asking.ask().content == "hello"
    assert len(asking.script.requests) == 7
    assert len(asking.purse.settled) == 7


def test_an_endpoint_that_takes_nothing_ends_it_for_one_story() -> None:
    asking = Asking(BAD)
    ended = asking.ask()
    assert (ended.content, ended.over, len(asking.script.requests)) == (None, False, 3)
    assert asking.script.asked[2].get("response_format") is None
    asking.ask()
    assert asking.script.asked[3]["response_format"]["type"] == "json_schema"


def test_a_busy_endpoint_is_asked_again_after_a_while() -> None:
    asking = Asking(complains(429, "slow down", retry_after="7"), complains(503), says("hello"))
    assert asking.ask().content == "hello"
    assert asking.slept == [7.0, 4.0]


def test_one_that_stays_busy_ends_it_for_all() -> None:
    asking = Asking(complains(429, retry_after="Wed, 21 Oct 2026 07:28:00 GMT"))
    ended = asking.ask()
    assert ended.over
    assert (asking.slept, len(asking.script.requests)) == ([2.0, 4.0], 3)
    assert ended.exchange is not None
    assert ended.exchange.message == "models.example is busy or out of order (status 429)"


def test_nobody_waits_longer_than_is_set() -> None:
    asking = Asking(complains(429, retry_after="3600"))
    assert asking.ask().over
    assert asking.slept == []


def test_a_spent_budget_ends_it() -> None:
    asking = Asking(complains(503), says("hello"), requests=1)
    ended = asking.ask()
    assert (ended.exchange, ended.content, ended.over) == (None, None, True)
    assert len(asking.script.requests) == 1


@pytest.mark.parametrize(
    ("reply", "outcome", "words"),
    [
        (says("", refusal="I will not."), Outcome.REFUSED, "the model refused: I will not."),
        (says("", ended="content_filter"), Outcome.REFUSED, "a filter of the endpoint withheld the answer"),
        (says("{", ended="length"), Outcome.CUT_OFF, "the answer reached its limit (max_answer_tokens)"),
        (Reply(body=b"<html>"), Outcome.MALFORMED, "the reply holds no answer of a model"),
        (Reply(body=b"[" * 200_000), Outcome.MALFORMED, "the reply holds no answer of a model"),
        (Reply(body=b'{"choices": [7]}'), Outcome.MALFORMED, "the reply holds no answer of a model"),
        (complains(401, f"wrong key {KEY}"), Outcome.FORBIDDEN, "HOST refuses the key (status 401): check NAME_KEY"),
        (
            complains(404, "no model"),
            Outcome.STATUS,
            'HOST answered with status 404: check NAME_URL and NAME_MODEL: "no model"',
        ),
        (complains(409, f"it is {KEY}"), Outcome.STATUS, 'HOST answered with status 409: "it is ${NAME_KEY}"'),
        (
            Reply(301, headers={"location": "https://evil.example/"}),
            Outcome.STATUS,
            "HOST sends elsewhere (status 301): set NAME_URL anew",
        ),
        (Reply(body=b"x" * 2_000_000), Outcome.TOO_LARGE, "HOST sent more than 1000000 bytes (max_answer_bytes)"),
        (
            Reply(body=b"x", headers={"content-encoding": "gzip"}),
            Outcome.MALFORMED,
            "HOST sent an encoding that was not asked for",
        ),
        (Reply(error=httpx.ReadError("reset")), Outcome.BROKEN, "the connection to HOST broke"),
        (
            Reply(error=httpx.ConnectError("refused")),
            Outcome.UNREACHABLE,
            "no connection to HOST: check NAME_URL, and whether it runs",
        ),
    ],
)
def test_what_an_endpoint_may_do_wrong(reply: Reply, outcome: Outcome, words: str) -> None:
    exchange = Asking(reply).outcome()
    assert exchange.outcome is outcome
    assert exchange.message == words.replace("HOST", "models.example").replace("NAME_", "STORYHEAT_LLM_")


def test_one_that_says_nothing_is_given_up() -> None:
    exchange = Asking(Reply(stalls=True), params=replace(PARAMS, timeout_seconds=0.05)).outcome()
    assert (exchange.outcome, exchange.message) == (
        Outcome.TIMEOUT, "models.example did not answer in 0.05 seconds (timeout_seconds)",
    )  # fmt: skip


def test_one_without_a_trusted_certificate_is_not_asked() -> None:
    error = httpx.ConnectError("tls")
    error.__cause__ = ssl.SSLCertVerificationError("expired")
    exchange = Asking(Reply(error=error)).outcome()
    assert exchange.message == "no secure connection to models.example: its certificate is not trusted here"


def test_texts_in_parts_and_tokens_that_are_none() -> None:
    parts = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}, 7, {"text": 7}]
    body: dict[str, Any] = {"choices": [{"message": {"content": parts}}], "usage": {"total_tokens": True}}
    exchange = Asking(Reply(body=json.dumps(body).encode())).outcome()
    assert (exchange.content, exchange.tokens) == ("ab", None)
    body = {"choices": [{"message": {"content": None}}], "usage": 7}
    assert Asking(Reply(body=json.dumps(body).encode())).ask().content == ""


def test_a_reply_that_holds_the_key_is_read_without() -> None:
    assert Asking(says(f"the key is {KEY}")).ask().content == "the key is ${STORYHEAT_LLM_KEY}"


@pytest.mark.parametrize(
    ("base", "asked"),
    [
        ("https://m.example/v1", "https://m.example/v1/chat/completions"),
        ("https://m.example/v1/", "https://m.example/v1/chat/completions"),
        ("https://m.example/chat/completions?api-version=2", "https://m.example/chat/completions?api-version=2"),
        ("http://localhost:11434/v1", "http://localhost:11434/v1/chat/completions"),
        ("http://[::1]:8080", "http://[::1]:8080/chat/completions"),
        ("http://192.168.1.7/v1", "http://192.168.1.7/v1/chat/completions"),
        ("http://ollama:11434", "http://ollama:11434/chat/completions"),
        ("http://box.local/v1#x", "http://box.local/v1/chat/completions"),
    ],
)
def test_which_address_is_asked(base: str, asked: str) -> None:
    assert completions_url(base) == asked


@pytest.mark.parametrize(
    ("base", "words"),
    [
        ("models", "is no address"),
        ("ftp://m.example", "is no address"),
        ("https://", "is no address"),
        ("https://m.example:99999x", "is no address"),
        ("https://me:pass@m.example/v1", "holds a login"),
        ("http://m.example/v1", "use https"),
        ("http://93.184.216.34/v1", "use https"),
    ],
)
def test_addresses_that_cannot_be_used(base: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words) as raised:
        completions_url(base)
    assert "pass" not in str(raised.value)


@pytest.mark.parametrize(
    ("access", "words"),
    [
        (ModelAccess(), "set STORYHEAT_LLM_URL and STORYHEAT_LLM_MODEL"),
        (ModelAccess(model="m"), r"set STORYHEAT_LLM_URL \("),
        (ModelAccess(url="https://m.example"), r"set STORYHEAT_LLM_MODEL \("),
        (ModelAccess("https://m.example", "m", "two words"), "STORYHEAT_LLM_KEY holds blanks"),
        (ModelAccess("https://m.example", "m", "schlüssel"), "STORYHEAT_LLM_KEY holds blanks"),
    ],
)
def test_what_is_not_set_up_is_said(access: ModelAccess, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        ModelEndpoint(access, PARAMS)


def test_a_model_may_have_no_key() -> None:
    script = ScriptedModel(says("hello"))
    endpoint = ModelEndpoint(ModelAccess("http://localhost:1/v1", "m"), PARAMS, transport=script)
    assert Asker(endpoint, PARAMS, lambda _: None).ask(ASKED, {}, Purse()).content == "hello"
    assert "authorization" not in script.requests[0].headers


def test_over_a_real_socket_nobody_listens() -> None:
    endpoint = ModelEndpoint(ModelAccess("http://127.0.0.1:9/v1", "m"), PARAMS)
    assert Asker(endpoint, PARAMS, lambda _: None).ask(ASKED, {}, Purse()).over
