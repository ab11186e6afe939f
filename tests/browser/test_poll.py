"""The reader poll in a browser: answered once, seen again, closed; with and without a script."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page
from tests.browser.conftest import serving
from tests.browser.test_pages import SCHEMES, opened
from tests.command import storyheat
from tests.web.conftest import NOW

from storyheat.settings import Settings, load_settings
from storyheat.store.database import open_database
from storyheat.web.app import make_app


@pytest.fixture(scope="module")
def asked(news: Settings, engine: str, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Settings over a copy of the news, in which the readers of a story are asked."""
    path = tmp_path_factory.mktemp("poll") / "copy.db"
    original = open_database(news.database)
    original.copy_to(path)
    original.close()
    given = ("Will it hold?", "--answers", "Yes, as it is", "--answers", "不会，要等到春天再说", f"--db={path}")
    assert storyheat("poll", "set", engine, *given).code == 0
    return load_settings({}, config=news.config, database=f"sqlite:///{path}", timezone="UTC")


@pytest.fixture(scope="module")
def polled(asked: Settings) -> Iterator[str]:
    """The address of a server over it."""
    with serving(make_app(asked, lambda: NOW, lambda line: None)) as address:
        yield address


@contextmanager
def reading(browser: Browser, address: str, engine: str, **options: Any) -> Iterator[Page]:
    """A browser of somebody new at the story."""
    with opened(browser, **options) as page:
        page.goto(f"{address}/story/{engine}")
        yield page


@pytest.mark.parametrize("script", [True, False])
def test_an_answer_once_and_its_results_for_good(browser: Browser, polled: str, engine: str, script: bool) -> None:
    with reading(browser, polled, engine, java_script_enabled=script, viewport={"width": 400, "height": 900}) as page:
        page.get_by_role("radio", name="不会，要等到春天再说").check()
        page.get_by_role("button", name="Answer").click()
        page.wait_for_url("**#poll")
        results = page.get_by_role("region", name="Poll").get_by_role("listitem")
        assert "(your answer)" in results.nth(1).inner_text()
        page.goto(f"{polled}/story/{engine}")
        assert page.get_by_role("radio").count() == 0
        assert "Your first answer is the one that counts" in page.get_by_role("region", name="Poll").inner_text()


def test_somebody_else_is_asked_until_it_is_closed(
    browser: Browser, polled: str, asked: Settings, engine: str, shots: Path
) -> None:
    with reading(browser, polled, engine, viewport={"width": 400, "height": 900}) as page:
        block = page.get_by_role("region", name="Poll")
        assert block.get_by_role("radio").count() == 2
        block.screenshot(path=shots / "poll-open.png")
        assert storyheat("poll", "close", engine, f"--db={asked.database}").code == 0
        page.reload()
        assert block.get_by_role("radio").count() == 0
        assert "Closed" in block.inner_text()
        block.screenshot(path=shots / "poll-closed.png")
    given = ("Again?", "--answers", "yes,no", f"--db={asked.database}")
    assert storyheat("poll", "set", engine, *given).code == 0


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", [400, 1400])
def test_axe_finds_nothing_before_and_after(
    browser: Browser, polled: str, engine: str, width: int, scheme: Any
) -> None:
    sizes: Any = {"color_scheme": scheme, "viewport": {"width": width, "height": 900}, "reduced_motion": "reduce"}
    with reading(browser, polled, engine, **sizes) as page:
        for _ in range(2):
            found = Axe().run(page, context="#poll")
            assert found.violations_count == 0, found.generate_report()
            if page.get_by_role("radio").count():
                page.get_by_role("radio").first.check()
                page.get_by_role("button", name="Answer").click()
                page.wait_for_url("**#poll")
