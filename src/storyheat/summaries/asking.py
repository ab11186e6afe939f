"""Asks a model until it answers: for less where an endpoint takes less, again where it was busy, and never past the
budget."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from storyheat.core.briefs.summarising import SummaryParams
from storyheat.summaries.completion import Exchange, Outcome, Wishes
from storyheat.summaries.endpoint import ModelEndpoint

_FIRST_WAIT = 2.0  # seconds before the first retry, doubled before each further one


class Purse(Protocol):
    """What may still be spent today. Every request is paid before it is made."""

    def reserve(self) -> int | None:
        """Takes one request out of the budget; its number, or None: nothing is left."""
        ...

    def settle(self, number: int, exchange: Exchange) -> None:
        """Notes how a request ended."""
        ...


@dataclass(frozen=True, slots=True)
class Asked:
    """How asking ended. `exchange` None: the budget was spent. `over`: others need not be asked for either."""

    exchange: Exchange | None
    over: bool = False

    @property
    def content(self) -> str | None:
        """The answer; None: there is none."""
        answered = self.exchange is not None and self.exchange.outcome is Outcome.ANSWERED
        return self.exchange.content if self.exchange is not None and answered else None


class Asker:
    """Asks one endpoint, and remembers which wishes it takes. `sleep` waits so many seconds."""

    def __init__(self, endpoint: ModelEndpoint, params: SummaryParams, sleep: Callable[[float], None]) -> None:
        self.endpoint = endpoint
        self._params, self._sleep = params, sleep
        self._wishes = Wishes()

    def ask(self, messages: Sequence[Mapping[str, str]], schema: Mapping[str, Any], purse: Purse) -> Asked:
        """Asks for one brief."""
        retries, wishes = 0, self._wishes
        while True:
            number = purse.reserve()
            if number is None:
                return Asked(None, over=True)
            exchange = self.endpoint.send(messages, schema, wishes)
            purse.settle(number, exchange)
            if exchange.outcome is Outcome.UNSUITED and (fewer := wishes.fewer(exchange.content)) is not None:
                wishes = fewer
            elif exchange.outcome.may_pass and retries < self._params.retries:
                asked_for = exchange.retry_after
                wait = _FIRST_WAIT * 2**retries if asked_for is None else asked_for.total_seconds()
                if wait > self._params.most_wait_seconds:
                    return Asked(exchange, over=True)
                self._sleep(wait)
                retries += 1
            else:
                if exchange.outcome is Outcome.ANSWERED:
                    self._wishes = wishes
                return Asked(exchange, over=exchange.outcome.holds_for_all)
