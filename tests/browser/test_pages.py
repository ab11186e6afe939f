"""The pages in a browser: at every width, light and dark, by axe, without a script, and printed."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

WIDTHS = (320, 360, 400, 768, 1056, 1400, 1600)
PICTURED, PICTURES = ("hot", "story"), (360, 400, 768, 1056, 1400)  # to be looked at after a change of the style
SCHEMES = ("light", "dark")


@contextmanager
def opened(browser: Browser, **options: Any) -> Iterator[Page]:
    """A page whose console stays silent."""
    context = browser.new_context(**options)
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: None if "//127.0.0.1:" in request.url else said.append(request.url))
    yield page
    context.close()
    assert said == []


@pytest.fixture
def paths(engine: str) -> dict[str, str]:
    """Each page, the story with an open receipt and a stale one too."""
    return {
        "hot": "/",
        "story": f"/story/{engine}?hour=2026-11-12T12:00Z",
        "stale": f"/story/{engine}?at=2026-11-13&period=30d",
        "sources": "/sources?at=2026-11-13",
        "search": "/search?q=zorblat",
        "about": "/about",
        "docs": "/docs",
    }


@pytest.mark.parametrize("scheme", SCHEMES)
def test_nothing_scrolls_sideways_at_any_width(
    browser: Browser, base: str, paths: dict[str, str], shots: Path, scheme: Any
) -> None:
    with opened(browser, color_scheme=scheme) as page:
        for name, path in paths.items():
            page.goto(base + path)
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 900})
                over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
                assert over <= 0, f"{name} at {width}"
                if name in PICTURED and width in PICTURES:
                    page.screenshot(path=shots / f"{name}-{width}-{scheme}.png", full_page=True)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", [400, 1400])
def test_axe_finds_nothing(browser: Browser, base: str, paths: dict[str, str], width: int, scheme: Any) -> None:
    with opened(
        browser, color_scheme=scheme, viewport={"width": width, "height": 900}, reduced_motion="reduce"
    ) as page:
        for name, path in paths.items():
            page.goto(base + path)
            found = Axe().run(page)
            assert found.violations_count == 0, f"{name}: {found.generate_report()}"


def test_controls_are_large_enough_for_a_finger(browser: Browser, base: str, paths: dict[str, str]) -> None:
    with opened(browser, viewport={"width": 360, "height": 900}) as page:
        for path in paths.values():
            page.goto(base + path)
            page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
            for selector, least in (("nav a, summary, button", 44), (".cite a", 20)):
                heights = page.locator(selector).evaluate_all(
                    "all => all.map(one => [one.innerText, one.getBoundingClientRect().height])"
                )
                assert [text for text, height in heights if height < least] == [], path


def test_without_a_script_every_text_is_there(browser: Browser, base: str, engine: str) -> None:
    with opened(browser, java_script_enabled=False) as page:
        page.goto(f"{base}/story/{engine}")
        assert page.locator(".scrub").count() == 0
        assert "Heat" in page.locator(".readout output").inner_text()
        assert "every other hour is in the table" in page.locator(".hint").inner_text()
        page.locator("summary", has_text="values").click()
        page.locator("#hours a").nth(150).click()
        assert page.locator("details#receipt").get_attribute("open") is not None
        assert "hour=" in page.url


def test_a_printed_story_unfolds_and_has_no_controls(browser: Browser, base: str, engine: str) -> None:
    with opened(browser) as page:
        page.goto(f"{base}/story/{engine}")
        page.emulate_media(media="print")
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert page.locator("details:not([open])").count() == 0
        assert not page.locator("nav[aria-label=Period]").is_visible()
        assert page.locator("#hours").is_visible()
        assert len(page.pdf()) > 10_000
