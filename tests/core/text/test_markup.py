"""Plain text and sanitised HTML out of what feeds put into titles and summaries."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyheat.core.text.markup import (
    MarkupParams,
    TextKind,
    clean,
    escaped,
    one_line,
    plain_text,
    sanitised,
    title_text,
)


@pytest.mark.parametrize(
    ("raw", "kind", "expected"),
    [
        ("Ben&#8217;s R&amp;D caf&eacute;", TextKind.GUESS, "Ben’s R&D café"),
        ("Use &amp;amp; once", TextKind.GUESS, "Use &amp; once"),
        ("<img src=x onerror=alert(1)>Budget", TextKind.GUESS, "Budget"),
        ("<p>One</p><p>two<br/>three <b>four</b></p>", TextKind.GUESS, "One two three four"),
        ("The <dialog> element, a < b", TextKind.GUESS, "The <dialog> element, a < b"),
        ("Use &amp; not <b>", TextKind.PLAIN, "Use &amp; not <b>"),
        ("Joren-&gt;blog &amp; <i>more</i>", TextKind.HTML, "Joren->blog & more"),
        ("\u202eevil\u200b \x07 \u00a0 blanks\n", TextKind.PLAIN, "evil blanks"),
        ("<b></b>", TextKind.GUESS, None),
        ("&#" + "9" * 4500 + "; A&#" + "0" * 4500 + "66;", TextKind.GUESS, "\ufffd AB"),
        (None, TextKind.PLAIN, None),
    ],
)
def test_titles(raw: str | None, kind: TextKind, expected: str | None) -> None:
    assert title_text(raw, kind) == expected


def test_long_titles_are_cut_with_a_mark() -> None:
    assert title_text("word " * 50, TextKind.PLAIN, MarkupParams(max_title_chars=10)) == "word word…"


def test_plain_text_has_a_line_a_block_and_no_script() -> None:
    html = "<h1>Head</h1><p>One &amp; two<br>three</p><ul><li>four</li></ul><script>alert(1)</script><style>x</style>"
    assert plain_text(html) == "Head\nOne & two\nthree\nfour"
    assert plain_text("R&amp;D, no markup") == "R&D, no markup"
    assert plain_text("half \ud800 surrogate <b>x</b>") == "half \ufffd surrogate x"


def test_markup_that_is_built_to_exhaust_a_parser_loses_its_tags() -> None:
    deep = "<div>" * 600 + "text" + "</div>" * 600
    formatting = "".join(f"<b id={number}>" for number in range(300)) + "<p>x" * 5000
    flat = "<p>text <b>bold</b></p>" * 600
    assert sanitised(deep, None) == plain_text(deep) == "text"
    assert "<" not in sanitised(formatting, None)
    assert sanitised(flat, None) == flat


def test_sanitised_html_keeps_text_and_safe_addresses_only() -> None:
    html = (
        '<p onclick="a()">Text <a href="/x">in</a> <a href="JaVaScRiPt:a()">out</a> '
        '<img src="p.png" onerror="a()"><iframe src="//x.example"></iframe></p>'
    )
    assert sanitised(html, "https://wire.example/log/") == (
        '<p>Text <a href="https://wire.example/x" rel="noopener noreferrer nofollow">in</a> '
        '<a rel="noopener noreferrer nofollow">out</a> <img src="https://wire.example/log/p.png"></p>'
    )
    for base in (None, "http://\ufffdwire.example/"):  # a host that the sanitiser calls impossible
        assert sanitised('<a href="/x">in</a>', base) == '<a rel="noopener noreferrer nofollow">in</a>'


def test_plain_text_as_html() -> None:
    assert escaped(" a < b \x00& c ") == "a &lt; b &amp; c"


@given(st.text(max_size=300))
def test_no_control_or_bidi_character_survives(text: str) -> None:
    for kept in (clean(text), one_line(text), plain_text(text), title_text(text, TextKind.GUESS) or ""):
        assert not set(kept) & set("\x00\x07\x1b\x7f\x9f\u200b\u202e\u2066\ufeff")
        kept.encode()


@given(st.text(alphabet='<>"/=abipsvgonload:javascript &;', max_size=120))
def test_sanitising_is_idempotent(text: str) -> None:
    once = sanitised(text, None)
    assert sanitised(once, None) == once
    assert "<script" not in once
