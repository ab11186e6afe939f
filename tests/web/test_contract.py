"""The API against its own description: a program that tries what it allows and what it forbids finds no surprise."""

from collections.abc import Iterator
from threading import Thread
from typing import Any

import pytest
import uvicorn
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import BaseSchema, Case, GenerationMode
from schemathesis.openapi import from_dict
from starlette.types import ASGIApp
from tests.web.client import Client

from storyheat.web.operations import OPERATIONS, PREFIX
from storyheat.web.server import address_of, listen

EXAMPLES = 12  # of each address, allowed and forbidden
ASKED = [
    pytest.param(name, mode, id=f"{name} {mode.value}")
    for name, operation in OPERATIONS.items()
    for mode in GenerationMode
    if mode is GenerationMode.POSITIVE or operation.parameters  # else nothing can be asked wrongly
]


@pytest.fixture(scope="module")
def served(app: ASGIApp) -> Iterator[str]:
    """The application on a socket, as programs meet it."""
    server = uvicorn.Server(uvicorn.Config(app, lifespan="off", log_level="error"))
    with listen("127.0.0.1", 0) as listener:
        thread = Thread(target=server.run, args=([listener],))
        thread.start()
        yield address_of(listener)
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="module")
def described(client: Client, engine: str, served: str) -> BaseSchema:
    """The description, with ids that there are."""
    document = client.get("/openapi.json").json()
    [item] = client.get(f"/api/v1/stories/{engine}").json()["timeline"][0]["items"][:1]
    known = {"stories": engine, "items": item["id"], "sources": "alpha"}
    for path, operation in document["paths"].items():
        for parameter in operation["get"]["parameters"]:
            if parameter["in"] == "path":
                parameter["schema"] = {"enum": [known[path.split("/")[3]], "nothing"]}
    found = from_dict(document)
    found.config.update(base_url=served)
    return found


@pytest.mark.parametrize(("name", "mode"), ASKED)
def test_every_answer_is_one_that_is_described(described: BaseSchema, name: str, mode: GenerationMode) -> None:
    operation = described[PREFIX + OPERATIONS[name].path]["GET"]

    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case: Case[Any]) -> None:
        case.call_and_validate()

    ask()
