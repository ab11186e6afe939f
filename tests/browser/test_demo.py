"""The demo week in a browser: every block of a story page by role and name, the reason of a dash, and a finger."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, expect
from tests.browser.conftest import serving
from tests.browser.test_pages import opened
from tests.command import storyheat
from tests.demo.conftest import AT, Played, played  # noqa: F401 - a fixture

from storyheat.demo.week import LAST_POLL
from storyheat.settings import load_settings
from storyheat.store.database import open_database
from storyheat.web.app import make_app

BLOCKS = (
    re.compile("^Latest development, "), "Heat", "Summary", "Developments", "Reports and discussion", "The players",
    "The details", "Why it matters, the takeaway", "Poll", "Related stories", "Source note",
)  # fmt: skip


@pytest.fixture(scope="module")
def week(played: Played, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:  # noqa: F811
    """The address of a server over a copy of the week, and its story of most voices, with a poll."""
    path = tmp_path_factory.mktemp("demo") / "copy.db"
    with open_database(f"sqlite:///{played.database}") as database:
        database.copy_to(path)
    story = max(played.json("top", AT, "-n", "20")["stories"], key=lambda one: (int(one["voices"]), str(one["id"])))[
        "id"
    ]
    asked = ("poll", "set", story, "Will it hold?", "--answers", "yes,no", f"--db=sqlite:///{path}")
    assert storyheat(*asked).code == 0
    settings = load_settings({}, database=f"sqlite:///{path}", timezone="UTC", config_required=False)
    with serving(make_app(settings, lambda: LAST_POLL, print)) as address:
        yield address, str(story)


@pytest.mark.parametrize("script", [True, False])
def test_every_block_of_a_story_is_found_by_role_and_name(
    browser: Browser, week: tuple[str, str], script: bool
) -> None:
    base, story = week
    with opened(browser, java_script_enabled=script) as page:
        page.goto(f"{base}/story/{story}")
        for name in BLOCKS:
            exact = isinstance(name, str)
            block = page.get_by_role("region", name=name, exact=exact)
            expect(block).to_have_count(1)
            assert len(block.inner_text().splitlines()) > 1, name  # more than a heading
        expect(page.get_by_role("heading", level=1)).to_have_count(1)
        developments = page.get_by_role("region", name="Developments")
        for one in developments.get_by_role("listitem").filter(has=page.get_by_role("heading")).all():
            expect(one.get_by_role("heading")).not_to_be_empty()
            expect(one.locator("time").first).to_be_visible()
            expect(one).to_contain_text(re.compile("Confirmed because|Not confirmed:"))
        summary = page.get_by_role("region", name="Summary")
        assert summary.get_by_role("link", name=re.compile(r"^item \d+, ")).count() > 0
        expect(summary).to_contain_text("Extracted, without a language model")
        assert "UTC" in page.locator(".asof").inner_text()


def test_a_dash_has_its_reason_in_the_list(browser: Browser, week: tuple[str, str]) -> None:
    with opened(browser, java_script_enabled=False) as page:
        page.goto(week[0])
        changes = page.locator(".f-change").filter(has_text="—")
        assert changes.count() > 0
        for reason in changes.locator("small").all_inner_texts():
            assert re.search(r"^new in the last|^not watched|^was at zero", reason)
        assert changes.locator("small").count() == changes.count()


def finger(plot: Locator, *shares: float) -> None:
    """Draws a finger over the plot, from share to share of its width."""
    session, box = plot.page.context.new_cdp_session(plot.page), plot.bounding_box()
    assert box is not None
    for number, share in enumerate(shares):
        point = {"x": box["x"] + share * box["width"], "y": box["y"] + 100}
        kind = "touchMove" if number else "touchStart"
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_a_finger_drawn_sideways_reads_on_and_stays(browser: Browser, week: tuple[str, str]) -> None:
    base, story = week
    with opened(browser, has_touch=True, is_mobile=True, viewport={"width": 400, "height": 800}) as page:
        page.goto(f"{base}/story/{story}")
        plot, read = page.locator(".scrub"), page.locator(".readout .when")
        plot.scroll_into_view_if_needed()
        finger(plot, 0.3)
        first = read.get_attribute("datetime")
        finger(plot, 0.3, 0.4, 0.5, 0.6, 0.7)
        drawn = read.get_attribute("datetime")
        assert str(first) < str(drawn)
        assert page.evaluate("window.scrollX") == 0
