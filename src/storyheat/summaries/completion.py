"""Reads the reply of a chat-completions endpoint, and words the request: values in, values out."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import StrEnum
from http import HTTPStatus
from typing import Any

from storyheat.core.text.markup import one_line

SHOWN_CHARS = 200  # of what a server says in words


class Outcome(StrEnum):
    """How one request to a model ended."""

    ANSWERED = "answered"
    REFUSED = "refused"  # the model would not
    CUT_OFF = "cut_off"  # the answer reached its limit of tokens
    MALFORMED = "malformed"  # the reply is none of this interface
    UNSUITED = "unsuited"  # the endpoint does not take the request as it is
    BUSY = "busy"  # 429, 5xx: may be asked again
    BROKEN = "broken"  # the connection broke: may be asked again
    TIMEOUT = "timeout"
    TOO_LARGE = "too_large"
    FORBIDDEN = "forbidden"  # 401, 403
    UNREACHABLE = "unreachable"  # no address, no connection, no trust
    STATUS = "status"  # any other status

    @property
    def may_pass(self) -> bool:
        """Whether the same request may fare better in a moment."""
        return self in (Outcome.BUSY, Outcome.BROKEN)

    @property
    def is_of_the_model(self) -> bool:
        """Whether it is what the model makes of these very reports, so that asking again is of no use."""
        return self in (Outcome.ANSWERED, Outcome.REFUSED, Outcome.CUT_OFF)

    @property
    def holds_for_all(self) -> bool:
        """Whether other requests would end like this one."""
        return self in (Outcome.BUSY, Outcome.FORBIDDEN, Outcome.UNREACHABLE, Outcome.STATUS)


@dataclass(frozen=True, slots=True)
class Exchange:
    """What came of one request. `message`: what went wrong, in words; tokens None: not told."""

    outcome: Outcome
    content: str = ""
    message: str = ""
    tokens: int | None = None  # of prompt and answer together
    retry_after: timedelta | None = None


class Form(StrEnum):
    """How the answer is held to its form."""

    SCHEMA = "json_schema"
    OBJECT = "json_object"
    NONE = ""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What is asked of an endpoint beyond the messages. Not every one takes all of it: see `fewer`."""

    form: Form = Form.SCHEMA
    limit_named: str | None = "max_tokens"  # the parameter that bounds an answer
    temperature: bool = True  # zero, so that an answer changes as little as may be

    def fewer(self, complaint: str) -> "Wishes | None":
        """The wishes without the one that an endpoint complains of, else in a plainer form; None: nothing is left."""
        if self.limit_named == "max_tokens" and "max_completion_tokens" in complaint:
            return replace(self, limit_named="max_completion_tokens")
        if self.limit_named and re.search(r"max_(completion_)?tokens", complaint):
            return replace(self, limit_named=None)
        if self.temperature and "temperature" in complaint:
            return replace(self, temperature=False)
        plainer = {Form.SCHEMA: Form.OBJECT, Form.OBJECT: Form.NONE}.get(self.form)
        return None if plainer is None else replace(self, form=plainer)


def request_body(
    model: str, messages: Sequence[Mapping[str, str]], schema: Mapping[str, Any], wishes: Wishes, most_tokens: int
) -> bytes:
    """The request in JSON."""
    body: dict[str, Any] = {"model": model, "messages": list(messages), "stream": False}
    if wishes.form is Form.SCHEMA:
        named = {"name": "brief", "strict": True, "schema": schema}
        body["response_format"] = {"type": "json_schema", "json_schema": named}
    elif wishes.form is Form.OBJECT:
        body["response_format"] = {"type": "json_object"}
    if wishes.limit_named:
        body[wishes.limit_named] = most_tokens
    if wishes.temperature:
        body["temperature"] = 0
    return json.dumps(body).encode()


def read_completion(body: str) -> Exchange:
    """What a successful reply says. Total for any text."""
    reply = _json(body)
    choices = reply.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
    message = choice.get("message")
    tokens = _tokens(reply.get("usage"))
    if not isinstance(message, dict):
        return Exchange(Outcome.MALFORMED, message="the reply holds no answer of a model", tokens=tokens)
    ended, refusal = choice.get("finish_reason"), message.get("refusal")
    if isinstance(refusal, str) and refusal:
        return Exchange(Outcome.REFUSED, message=f"the model refused: {_shown(refusal)}", tokens=tokens)
    if ended == "content_filter":
        return Exchange(Outcome.REFUSED, message="a filter of the endpoint withheld the answer", tokens=tokens)
    if ended == "length":
        return Exchange(Outcome.CUT_OFF, message="the answer reached its limit (max_answer_tokens)", tokens=tokens)
    return Exchange(Outcome.ANSWERED, _content(message.get("content")), tokens=tokens)


def read_refusal(status: int, body: str, host: str, retry_after: str) -> Exchange:
    """What a reply with any other status than success says."""
    said = _complaint(body)
    if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):  # what the server says may hold half the key
        return Exchange(Outcome.FORBIDDEN, message=f"{host} refuses the key (status {status}): check STORYHEAT_LLM_KEY")
    if status in (HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY, HTTPStatus.NOT_IMPLEMENTED):
        return Exchange(Outcome.UNSUITED, said, f"{host} does not take the request (status {status}){_colon(said)}")
    if (
        status in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.REQUEST_TIMEOUT)
        or status >= HTTPStatus.INTERNAL_SERVER_ERROR
    ):
        message = f"{host} is busy or out of order (status {status}){_colon(said)}"
        return Exchange(Outcome.BUSY, message=message, retry_after=_seconds(retry_after))
    if HTTPStatus.MULTIPLE_CHOICES <= status < HTTPStatus.BAD_REQUEST:
        return Exchange(Outcome.STATUS, message=f"{host} sends elsewhere (status {status}): set STORYHEAT_LLM_URL anew")
    hint = ": check STORYHEAT_LLM_URL and STORYHEAT_LLM_MODEL" if status == HTTPStatus.NOT_FOUND else ""
    return Exchange(Outcome.STATUS, message=f"{host} answered with status {status}{hint}{_colon(said)}")


def _json(body: str) -> Mapping[str, Any]:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _content(content: object) -> str:
    """The text of an answer, which some endpoints give in parts."""
    if isinstance(content, list):
        texts = [part.get("text") for part in content if isinstance(part, dict)]
        return "".join(text for text in texts if isinstance(text, str))
    return content if isinstance(content, str) else ""


def _tokens(usage: object) -> int | None:
    total = usage.get("total_tokens") if isinstance(usage, dict) else None
    return total if isinstance(total, int) and not isinstance(total, bool) and 0 <= total < 1 << 31 else None


def _complaint(body: str) -> str:
    """What a server says is wrong, in its words."""
    error = _json(body).get("error")
    said = error.get("message") if isinstance(error, dict) else error
    return _shown(said) if isinstance(said, str) else ""


def _shown(text: str) -> str:
    return one_line(text[: 2 * SHOWN_CHARS])[:SHOWN_CHARS]


def _colon(said: str) -> str:
    return f': "{said}"' if said else ""


def _seconds(header: str) -> timedelta | None:
    """The seconds of a Retry-After; a date is not read, and then we wait as we would without."""
    text = header.strip()
    return timedelta(seconds=min(float(text), 86_400.0)) if re.fullmatch(r"\d{1,9}(\.\d{1,6})?", text) else None
