"""The reader poll on the page: one answer a browser, from our own form only, without a script, and its states."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import httpx
import pytest
from starlette.requests import Request
from tests.command import storyheat
from tests.web.client import Client
from tests.web.conftest import NOW
from tests.web.markup import Element, complaints, read, unsafe

from storyheat.core.model import StoryId
from storyheat.errors import DatabaseBusy, WorkError
from storyheat.settings import Settings
from storyheat.store.database import open_database
from storyheat.web import brake
from storyheat.web.app import make_app
from storyheat.web.assets import Assets
from storyheat.web.ballots import Ballot, Ballots
from storyheat.web.brake import Brake
from storyheat.web.failures import Failures
from storyheat.web.pages import Pages
from storyheat.web.seal import Seal

HOSTILE = '<script>alert("q")</script>\u202e 会吗?'


class Browser:
    """A browser with its cookies, before an application of its own over one database."""

    def __init__(self, settings: Settings, story: str, clock: Callable[[], datetime] = lambda: NOW) -> None:
        self.client, self.story = Client(make_app(settings, clock, lambda line: None)), story
        self.cookie: str | None = None

    def page(self) -> Element:
        """The block of the poll."""
        reply = self.client.get(f"/story/{self.story}", self._own())
        self._keep(reply)
        root = read(reply.text)
        assert [*complaints(root), *unsafe(root)] == []
        return next(iter(root.all("section", id="poll")), Element("none", {}, None))

    def form(self) -> dict[str, str]:
        """What the form sends beside the answer."""
        hidden = self.page().all("input", type="hidden")
        return {str(one.attributes["name"]): str(one.attributes["value"]) for one in hidden}

    def answer(self, answer: int = 0, headers: dict[str, str] | None = None, **form: str) -> httpx.Response:
        """Loads the page and answers."""
        return self.send({**self.form(), "answer": str(answer), **form}, headers)

    def send(self, form: dict[str, str] | bytes, headers: dict[str, str] | None = None) -> httpx.Response:
        """Sends a form."""
        reply = self.client.post(f"/story/{self.story}/poll", form, {**self._own(), **(headers or {})})
        self._keep(reply)
        return reply

    def results(self) -> list[str]:
        """The lines of the results."""
        return [one.text for one in self.page().all("li")]

    def _own(self) -> dict[str, str]:
        return {} if self.cookie is None else {"Cookie": f"other={{}}; {self.cookie}"}

    def _keep(self, reply: httpx.Response) -> None:
        if given := reply.headers.get("set-cookie"):
            self.cookie = given.partition(";")[0]


@pytest.fixture
def asked(news: Settings, engine: str, tmp_path: Path) -> Settings:
    """Settings over a copy of the news, in which the readers of a story are asked."""
    original = open_database(news.database)
    original.copy_to(tmp_path / "copy.db")
    original.close()
    settings = replace(news, database=f"sqlite:///{tmp_path / 'copy.db'}")
    run(settings, "set", engine, HOSTILE, "--answers", "Yes", "--answers", "不会, <b>no</b>")
    return settings


def run(settings: Settings, *arguments: str) -> None:
    assert storyheat("poll", *arguments, f"--db={settings.database}").code == 0


def test_the_form_then_the_results_and_never_a_second_answer(asked: Settings, engine: str) -> None:
    ada, bob = Browser(asked, engine), Browser(asked, engine)
    block = ada.page()
    assert block.all("legend")[0].text == '<script>alert("q")</script> 会吗?'
    assert [one.text for one in block.all("label")] == ["Yes", "不会, <b>no</b>"]
    assert "%" not in block.text
    reply = ada.answer(1)
    assert (reply.status_code, reply.headers["location"]) == (303, f"/story/{engine}#poll")
    assert "HttpOnly; SameSite=Lax" in reply.headers["set-cookie"]
    assert ada.results() == ["Yes0, 0%", "不会, <b>no</b> (your answer)1, 100%"]
    assert bob.page().all("form")
    assert bob.answer(0).status_code == 303
    form = {**bob.form(), **Browser(asked, engine).form()}
    assert bob.send({**form, "answer": "1"}).status_code == 403
    assert bob.results() == ["Yes (your answer)1, 50%", "不会, <b>no</b>1, 50%"]
    assert "2 answers, one for each browser. Your first answer is the one that counts." in bob.page().text


def test_the_same_form_sent_twice_counts_once(asked: Settings, engine: str) -> None:
    ada = Browser(asked, engine)
    form = {**ada.form(), "answer": "0"}
    assert [ada.send(form).status_code, ada.send({**form, "answer": "1"}).status_code] == [303, 303]
    assert ada.results() == ["Yes (your answer)1, 100%", "不会, <b>no</b>0, 0%"]


def test_two_servers_of_one_database_know_each_others_readers(asked: Settings, engine: str) -> None:
    first, second = Browser(asked, engine), Browser(asked, engine)
    first.answer()
    second.cookie = first.cookie
    assert second.results()[0] == "Yes (your answer)1, 100%"
    key = Path(asked.database.removeprefix("sqlite:///") + ".key")
    assert key.stat().st_mode & 0o777 == 0o600
    other = Browser(replace(asked, secret="another"), engine)
    other.cookie = first.cookie
    assert other.page().all("form")


def test_a_closed_poll_shows_how_it_ended_and_takes_nothing(asked: Settings, engine: str) -> None:
    ada, bob = Browser(asked, engine), Browser(asked, engine)
    form = {**bob.form(), "answer": "0"}
    ada.answer()
    run(asked, "close", engine)
    late = bob.send(form)
    assert late.status_code == 409
    assert "This poll takes no more answers" in read(late.text).text
    assert bob.results() == ["Yes1, 100%", "不会, <b>no</b>0, 0%"]
    assert "1 answer, one for each browser. Closed" in bob.page().text
    run(asked, "remove", engine)
    assert bob.page().tag == "none"
    assert "set-cookie" not in bob.client.get(f"/story/{engine}").headers


def test_only_our_own_form_is_counted(asked: Settings, engine: str) -> None:
    ada = Browser(asked, engine)
    foreign = [
        {"Origin": "https://elsewhere.example"}, {"Origin": "null"}, {"Origin": "http://localhost:81"},
        {"Origin": "http://[broken"}, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"},
    ]  # fmt: skip
    assert {ada.answer(headers=one).status_code for one in foreign} == {403}
    assert ada.answer(token="x").status_code == 403
    assert ada.answer(poll="99").status_code == 403
    assert ada.answer(headers={"Cookie": "storyheat-reader=me.signed"}).status_code == 403
    assert ada.answer(headers={"Content-Type": "text/plain"}).status_code == 415
    assert {ada.send(one).status_code for one in (b"", b"\xff", b"poll=1&answer=x&token=t", b"a=1&" * 20)} == {400}
    assert ada.send(b"token=" + b"x" * 3000).status_code == 413
    assert ada.answer(7).status_code == 400
    refused = ada.answer(token="x")
    assert "Your answer was not counted" in refused.text
    [back] = [one.attributes["href"] for one in read(refused.text).all("a") if one.text == "Back to the page"]
    assert ada.client.get(str(back)).headers["location"] == f"/story/{engine}#poll"
    for origin in ("http://localhost", "https://localhost"):
        assert Browser(asked, engine).answer(headers={"Origin": origin, "Sec-Fetch-Site": "same-origin"}).is_redirect
    assert ada.client.get(f"/story/{engine}/poll?tz=Asia/Shanghai").headers["location"].endswith("Shanghai#poll")


def test_a_page_with_a_poll_is_kept_for_nobody_else(asked: Settings, engine: str) -> None:
    ada = Browser(asked, engine)
    first = ada.client.get(f"/story/{engine}")
    assert first.headers["cache-control"] == "private, no-cache"
    assert first.headers["vary"] == "Cookie"
    assert ada.client.get(f"/story/{engine}").headers["set-cookie"] != first.headers["set-cookie"]
    assert "set-cookie" not in ada.client.get("/").headers


def test_what_is_kept_of_a_page_is_the_same_for_all_but_the_poll(asked: Settings, engine: str) -> None:
    ada, bob = Browser(asked, engine), Browser(asked, engine)
    bob.client = ada.client
    ada.answer(1)
    assert ada.results() == ["Yes0, 0%", "不会, <b>no</b> (your answer)1, 100%"]
    hers, his = (one.client.get(f"/story/{engine}", one._own()).text for one in (ada, bob))
    assert bob.page().all("form")
    assert bob.form()["token"] not in hers
    outside = [re.sub(r'<section class="block poll".*?</section>', "", page, flags=re.DOTALL) for page in (hers, his)]
    assert outside[0] == outside[1] != his


def test_too_many_answers_from_one_address_wait(asked: Settings, engine: str) -> None:
    ada = Browser(asked, engine)
    sent = [ada.send({"poll": "1"}).status_code for _ in range(int(brake.BURST) + 2)]
    assert sent[-1] == 429
    assert set(sent[:-2]) == {400}
    assert ada.send({"poll": "1"}).headers["retry-after"] == "10"


def test_the_brake_lets_go_with_time() -> None:
    now = [NOW]
    slow = Brake(lambda: now[0], burst=2, per_second=0.5)
    assert [slow.lets("a"), slow.lets("a"), slow.lets("a"), slow.lets("b")] == [True, True, False, True]
    now[0] += timedelta(seconds=2)
    assert [slow.lets("a"), slow.lets("a")] == [True, False]


def test_a_database_that_is_held_says_so_and_counts_later(asked: Settings, engine: str) -> None:
    ada = Browser(asked, engine)
    form = ada.form()
    seal = Seal(None, Path(asked.database.removeprefix("sqlite:///")))
    ballots = Ballots(asked.database, seal, lambda: NOW, Brake(lambda: NOW), wait_seconds=0.05)
    request = Request({"type": "http", "method": "POST", "headers": [(b"cookie", str(ada.cookie).encode())]})
    ballot = Ballot(int(form["poll"]), 0, form["token"])
    holder = open_database(asked.database)
    with holder.write(), pytest.raises(DatabaseBusy):
        ballots.take(request, StoryId(engine), ballot)
    holder.close()
    ballots.take(request, StoryId(engine), ballot)
    assert ada.results()[0] == "Yes (your answer)1, 100%"
    page = Failures(Pages(Assets()), lambda line: None).answer(
        Request({"type": "http", "method": "POST", "path": "/story/x/poll", "query_string": b"", "headers": []}),
        DatabaseBusy("held"),
    )
    assert (page.status_code, page.headers["retry-after"]) == (503, "10")
    assert b"Your answer was not counted" in bytes(page.body)


def test_without_a_place_for_a_key_the_results_say_why(asked: Settings, engine: str) -> None:
    key = Path(asked.database.removeprefix("sqlite:///") + ".key")
    key.write_bytes(b"short")
    block = Browser(asked, engine).page()
    assert not block.all("form")
    assert re.search(r"It cannot be answered here: .* holds no whole key", block.text)
    with pytest.raises(WorkError, match="no key can be kept"):
        Seal(None, key / "below.db").sign("x")
    assert Seal(None, None).sign("x") != Seal(None, None).sign("x")


def test_the_terminal_and_its_json_tell_the_same(asked: Settings, engine: str) -> None:
    Browser(asked, engine).answer(1)
    options = [f"--db={asked.database}", f"--at={NOW.isoformat()}"]
    poll = storyheat("story", engine, "--json", *options).json["poll"]
    assert [one["count"] for one in poll["answers"]] == [0, 1]
    assert (poll["total"], poll["closed_at"]) == (1, None)
    lines = storyheat("story", engine, *options).out.splitlines()
    start = lines.index("Poll")
    assert lines[start + 1 : start + 5] == [
        '  <script>alert("q")</script> 会吗?', "  Yes", "         0    0%", "  不会, <b>no</b>",
    ]  # fmt: skip
    assert json.loads(storyheat("poll", "show", engine, "--json", options[0]).out)["polls"][0]["story"] == engine
