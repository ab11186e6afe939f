"""The pages over two recorded weeks of Chinese feeds: every block by its name, keys, widths, axe, and no script."""

import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect
from tests.browser.conftest import serving
from tests.browser.test_pages import PICTURES, SCHEMES, WIDTHS, opened
from tests.command import storyheat
from tests.make import utc

from storyheat.settings import load_settings
from storyheat.web.app import make_app

SNAPSHOTS = 25  # of each feed, the newest
END = utc("2026-08-22 12:00")
BLOCKS = (
    "Heat", "Summary", "Developments", "Reports and discussion", "Why it matters, the takeaway", "Source note",
)  # fmt: skip


@pytest.fixture(scope="module")
def base_and_story(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """The address of a server over the replayed weeks, and the id of their largest hot story."""
    folder = tmp_path_factory.mktemp("series")
    for path in sorted((shared / "feeds" / "series").glob("*.tar.xz")):
        with tarfile.open(path) as archive:
            newest = sorted(one for one in archive.getnames() if one.endswith(".xml"))[-SNAPSHOTS:]
            archive.extractall(folder / "recorded", [archive.getmember(name) for name in newest], filter="data")
    database = f"sqlite:///{folder / 'series.db'}"
    ran = storyheat("replay", folder / "recorded", f"--until={END.isoformat()}", f"--db={database}")
    assert ran.code in (0, 3), ran.err
    at = f"--at={END.isoformat()}"
    listed = storyheat("top", "-n", "50", "--json", at, f"--db={database}").json["stories"]
    story = max(listed, key=lambda one: (int(one["reports"]), str(one["id"])))["id"]
    settings = load_settings({}, database=database, timezone="Asia/Shanghai", config_required=False)
    with serving(make_app(settings, lambda: END, print)) as address:
        yield address, str(story)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_chinese_pages_fit_every_width_and_have_no_barrier(
    browser: Browser, base_and_story: tuple[str, str], shots: Path, scheme: Any
) -> None:
    base, story = base_and_story
    with opened(browser, color_scheme=scheme, reduced_motion="reduce") as page:
        for name, path in (("hot", "/"), ("story", f"/story/{story}")):
            page.goto(base + path)
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 900})
                over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
                assert over <= 0, f"{name} at {width}"
                if width in PICTURES:
                    page.screenshot(path=shots / f"series-{name}-{width}-{scheme}.png", full_page=True)
                if width in (400, 1400):
                    found = Axe().run(page)
                    assert found.violations_count == 0, f"{name}: {found.generate_report()}"


@pytest.mark.parametrize("script", [True, False])
def test_every_block_is_found_by_its_name(browser: Browser, base_and_story: tuple[str, str], script: bool) -> None:
    base, story = base_and_story
    with opened(browser, java_script_enabled=script, timezone_id="UTC") as page:
        page.goto(f"{base}/story/{story}")
        for name in BLOCKS:
            expect(page.get_by_role("region", name=name, exact=True)).to_have_count(1)
        assert page.locator("h1").get_attribute("lang") in ("zh", "zh-Hans")
        assert "UTC+08:00" in page.locator(".asof").inner_text()
        assert page.get_by_role("slider").count() == (1 if script else 0)
        change = page.locator(".widget > div", has_text="24-hour change")
        if change.locator(".none").count():
            assert len(change.locator(".sub").inner_text()) > 3  # a dash has its reason
        if script:
            slider = page.get_by_role("slider")
            for key in ("Home", "ArrowRight", "End", "ArrowLeft", "Escape"):
                slider.press(key)
            expect(page.locator(".readout output")).to_contain_text("Heat")
