"""The chart comes alive: keys, pointer and finger read out one hour, and it is announced."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect


@pytest.fixture
def page(browser: Browser, base: str, engine: str) -> Iterator[Page]:
    """The story on a page that may be touched."""
    context = browser.new_context(viewport={"width": 1200, "height": 900}, has_touch=True, reduced_motion="reduce")
    page = context.new_page()
    page.goto(f"{base}/story/{engine}")
    yield page
    context.close()


def when(page: Page) -> str:
    """The instant that is read out."""
    return str(page.locator(".readout .when").get_attribute("datetime"))


def test_it_begins_at_the_peak_and_has_one_tab_stop(page: Page) -> None:
    slider = page.get_by_role("slider", name="Hour of the heat chart")
    expect(slider).to_have_count(1)
    assert when(page) == page.locator(".widget time").get_attribute("datetime")
    assert page.locator(".plot [tabindex], .plot a").count() == 1
    expect(page.locator(".hint")).to_contain_text("Point at the chart")


def test_keys_move_by_hour_day_and_to_the_ends(page: Page) -> None:
    slider, peak = page.get_by_role("slider"), when(page)
    slider.focus()
    for key, expected in (
        ("End", "2026-11-12T14:35:00Z"),
        ("ArrowLeft", "2026-11-12T14:00:00Z"),
        ("ArrowLeft", "2026-11-12T13:00:00Z"),
        ("ArrowUp", "2026-11-12T14:00:00Z"),
        ("PageDown", "2026-11-11T14:00:00Z"),
        ("PageUp", "2026-11-12T14:00:00Z"),
        ("Home", "2026-11-05T15:00:00Z"),
        ("ArrowDown", "2026-11-05T15:00:00Z"),
        ("Escape", peak),
    ):
        slider.press(key)
        assert when(page) == expected, key
    slider.press("End")
    assert slider.get_attribute("aria-valuetext") == "Now, Thu 12 Nov, 14:35"
    expect(page.locator(".readout output")).to_contain_text("voices")
    assert page.locator(".readout output").get_attribute("aria-live") == "polite"


def test_an_hour_without_data_is_read_out_as_such(page: Page) -> None:
    slider = page.get_by_role("slider")
    slider.press("Home")
    expect(page.locator(".readout output")).to_have_text("Heat not known: nothing was watched")


def test_enter_opens_the_receipt_of_the_hour(page: Page) -> None:
    slider = page.get_by_role("slider")
    slider.press("End")
    slider.press("ArrowLeft")
    slider.press("Enter")
    page.wait_for_url("**hour=2026-11-12T14:00:00Z#receipt")
    assert page.locator("details#receipt").get_attribute("open") is not None


def test_the_pointer_reads_leaves_and_holds(page: Page) -> None:
    plot = page.locator(".scrub")
    plot.scroll_into_view_if_needed()
    box, peak = plot.bounding_box(), when(page)
    assert box is not None

    def move(share: float, *, below: float = 100) -> None:
        page.mouse.move(box["x"] + share * box["width"], box["y"] + below)

    move(0.5)
    middle = when(page)
    assert middle.startswith("2026-11-09T")
    move(0.5, below=500)
    assert when(page) == peak
    move(0.5)
    page.mouse.down()
    page.mouse.up()
    move(0.8)
    assert when(page) == middle
    page.mouse.down()
    page.mouse.up()
    assert when(page) != middle
    assert page.locator(".cursor line").get_attribute("x1") is not None


def test_a_finger_taps_and_developments_light_up(page: Page) -> None:
    plot = page.locator(".scrub")
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + 0.25 * box["width"], box["y"] + 120)
    assert when(page).startswith("2026-11-07T")
    row = page.locator("#hours tr[data-dev]").first
    at = row.locator("time").get_attribute("datetime")
    slider = page.get_by_role("slider")
    slider.press("Home")
    for _ in range(200):
        if when(page) == at:
            break
        slider.press("ArrowRight")
    expect(page.locator(".pin.on")).to_have_count(1)
    expect(page.locator(".readout output")).to_contain_text("Development 1:")
