"""Links and quotations by which items of any language meet."""

from hypothesis import given
from hypothesis import strategies as st

from storyheat.core.clustering.references import MAX_REFERENCES, links_of, references

OWN = "https://wire.example/2026/lantern-opens"


def test_an_item_is_met_at_its_own_address_and_where_it_points() -> None:
    text = "As https://www.orbix.example/blog/lantern/?utm_source=x shows (see https://wire.example/2026/old-story)."
    assert references(OWN, text, ["http://lab.example/p/7"]) == (
        ">wire.example/2026/lantern-opens", ">lab.example/p/7", ">orbix.example/blog/lantern"
    )  # fmt: skip


def test_front_pages_and_profiles_say_nothing() -> None:
    text = (
        "https://orbix.example/ https://social.example/orbix https://orbix.example/news-of-lantern https://o.example/42"
    )
    assert references(None, text, []) == (">orbix.example/news-of-lantern", ">o.example/42")


def test_longer_quotations_are_kept_in_one_spelling() -> None:
    assert references(None, "He said: “We were NOT told, of the fog.” And “no way out”.", []) == (
        '"we were not told of the fog',
    )
    assert references(None, "他说：“我们从来没有被告知有大雾。”", []) == ('"我们从来没有被告知有大雾',)
    assert references(None, 'the "brand new and hot"', []) == ()


def test_links_are_read_off_sanitised_markup() -> None:
    html = '<p><a href="https://a.example/x?y=1&amp;z=2" rel="x">a</a> <a title="t" href="https://b.example/">b</a></p>'
    assert links_of(html) == ("https://a.example/x?y=1&z=2", "https://b.example/")


@given(st.text(max_size=300), st.lists(st.text(max_size=40), max_size=60))
def test_any_text_has_a_bounded_number_of_references(text: str, links: list[str]) -> None:
    found = references(None, text, links)
    assert len(found) <= MAX_REFERENCES
    assert len(set(found)) == len(found)
