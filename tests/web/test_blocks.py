"""The blocks of a story page that are made from its reports: shown, left out with a reason, and missing."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.web.conftest import NOW
from tests.web.markup import Element, complaints, read, unsafe

from storyheat.answers.explain import explain_at
from storyheat.answers.story import story
from storyheat.core.model import Level
from storyheat.present.page.blocks import (
    Absent,
    Answer,
    Blocks,
    By,
    Cite,
    CourseView,
    DetailsView,
    DevelopmentsView,
    DevelopmentView,
    Made,
    Player,
    PlayersView,
    Point,
    PollView,
    ProseView,
    RelatedView,
    Sentence,
    Side,
    SummaryView,
    Versus,
)
from storyheat.present.page.hot import period_choices
from storyheat.present.page.people import Name, level_badge
from storyheat.present.page.story import StoryView, story_view
from storyheat.present.page.timeline import TimelineWish
from storyheat.settings import Settings
from storyheat.store.database import open_database
from storyheat.store.queries import ask
from storyheat.web.assets import Assets
from storyheat.web.links import Links
from storyheat.web.pages import Pages


@pytest.fixture(scope="module")
def plain(news: Settings, engine: str) -> StoryView:
    """The page of a story as it is."""
    database = open_database(news.database)
    with ask(database) as questions:
        answer = story(questions, engine, "7d", NOW, news.heat)
        explained = explain_at(questions, answer.story, NOW, news.heat)
        view = story_view(answer, explained, TimelineWish(), news.timezone, hour_asked=False)
    database.close()
    return view


@pytest.fixture(scope="module")
def item(plain: StoryView) -> str:
    """An item that the timeline shows."""
    return plain.timeline.days[0].items[0].id


Shown = Callable[[Blocks], Element]


@pytest.fixture(scope="module")
def shown(plain: StoryView) -> Shown:
    """Renders the page with other blocks, and checks it."""
    pages = Pages(Assets())

    def render(blocks: Blocks) -> Element:
        view = replace(plain, blocks=blocks)
        links = Links(f"/story/{view.id}", {}, view.timeline.ids)
        values = {
            "story": view,
            "links": links,
            "periods": period_choices(),
            "merged": None,
            "age": None,
            "poll_slot": None,
        }
        root = read(pages.render("story.html", values).decode())
        assert list(complaints(root)) == []
        assert list(unsafe(root)) == []
        return root

    return render


def everything(item: str) -> Blocks:
    """Every block with something in it."""
    by = By("2026-11-12T09:00:00Z", "Thu 12 Nov, 09:00", item, Name("Alpha Post", None), level_badge(Level.PRESS))
    sentence = Sentence(Name("托尔维克市宣布。", "zh-Hans"), (Cite(item, 3, "Alpha Post"), Cite("igone", 9, "Gone")))
    made = Made("Extracted, without a language model,", "from 2 of 3 reports.")
    sides = (
        Side(Name("4.1 million", None), Name("all requests", None), by),
        Side(Name("3.4 million", None), Name("without a cache", None), by),
    )
    versus = Versus(sides, "Both are kept. Which one holds is not decided here.")
    developments = DevelopmentsView(
        "1 confirmed, 1 not yet",
        "the subject itself says it, or two independent voices do.",
        "3 hours ago",
        (
            DevelopmentView(2, Name("A second test", None), by, False, "only Alpha Post says so", (versus,)),
            DevelopmentView(1, Name("发布", "zh"), by, True, "Quuxcorp speaks for itself"),
        ),
    )
    return Blocks(
        developments=developments,
        summary=SummaryView((sentence, sentence), made),
        players=PlayersView((Player(Name("Quuxcorp", None), sentence),), made),
        details=DetailsView((sentence,), made),
        course=CourseView((Point("2026-11-12T09:00:00Z", "Thu Nov 12 2026", sentence),), made),
        why=ProseView((sentence,), made),
        takeaway=Absent("No report says this in words that could be quoted."),
        related=(RelatedView("sother", Name("Another", None), "shares Zorblat", "31"),),
    )


def test_every_block_has_its_heading_and_its_words(shown: Shown, item: str) -> None:
    page = shown(everything(item))
    headings = [one.text for one in page.all("h2")]
    for heading in ("Latest development, 3 hours ago", "Summary", "Developments", "The players", "The details",
                    "What happened when", "Why it matters", "The takeaway", "Related stories",
                    "Source note"):  # fmt: skip
        assert heading in headings
    [second] = page.all("li", id="dev-2")
    assert "Not confirmed: only Alpha Post says so." in second.text
    assert [one.text for one in second.all("p", class_="fig")] == ["4.1 million", "3.4 million"]
    assert "Confirmed because Quuxcorp speaks for itself." in page.all("li", id="dev-1")[0].text
    cites = page.all("section", id="summary")[0].all("span", class_="cite")[0].all("a")
    assert [one.attributes["href"] for one in cites] == [f"#item-{item}", f"{_path(page)}?items=all#item-igone"]
    assert cites[0].attributes["aria-label"] == "item 3, Alpha Post"
    assert page.all("section", id="summary")[0].all("span", lang="zh-Hans")


def _path(page: Element) -> str:
    return str(page.all("link", rel="canonical")[0].attributes["href"])


def test_a_block_that_was_left_out_says_why_and_a_missing_one_says_nothing(shown: Shown) -> None:
    absent = Absent("No report says so.")
    left = shown(Blocks(*(absent,) * 8))
    assert [one.text for one in left.all("p", class_="absent")] == ["Left out. No report says so."] * 7
    missing = shown(Blocks())
    assert not missing.all("p", class_="absent")
    assert [one.text for one in missing.all("h2")] == ["Heat", "Reports and discussion", "Source note"]


def poll_block(poll: PollView) -> Element:
    root = read(Pages(Assets()).render("poll.html", {"poll": poll}).decode())
    assert list(unsafe(root)) == []
    return root.all("section", id="poll")[0]


def test_the_poll_before_and_after() -> None:
    before = poll_block(
        PollView(
            number=7,
            question=Name("Will you?", None),
            answers=(Answer("0", Name("Yes", None)), Answer("1", Name("不会", "zh"))),
            open_to="/story/x/poll",
            token="t0ken",
            note="One answer.",
        )
    )
    assert before.all("form")[0].attributes["action"] == "/story/x/poll"
    assert len(before.all("input", type="radio")) == 2
    assert not before.all("ul", class_="result")
    answers = (Answer("0", Name("Yes", None), "93", 44, mine=True), Answer("1", Name("不会", "zh"), "119", 56))
    after = poll_block(PollView(7, Name("Will you?", None), answers, None, "", "212 answers."))
    assert not after.all("form")
    assert [one.text for one in after.all("li")] == ["Yes (your answer)93, 44%", "不会119, 56%"]
