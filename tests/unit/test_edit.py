"""Edits of feeds.yaml: the lines of one source change, and not a byte of any other."""

import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyheat.errors import ConfigError, NotFound, WorkError
from storyheat.settings.document import Document, document_of
from storyheat.settings.edit import Edited, Entry, Template, with_enabled, with_sources, without_source
from storyheat.settings.file import checked
from storyheat.settings.rewrite import rewrite
from storyheat.settings.shipped import shipped_feeds_yaml

NEW: Entry = {
    "id": "new",
    "name": 'It\'s "new": 新 #1',
    "enabled": False,
    "topics": ["yes", "1", "a, b", " x ", "c: d"],
    "weight": 1e-05,
    "feeds": [
        {"url": "https://new.example/feed?a=1&b=2#c"},
        {"url": "https://new.example/", "kind": "html", "select": {"item": "li > a[href]", "date": ".d"}},
    ],
}


def read(text: str) -> Document:
    document = document_of("feeds.yaml", text.encode(), {"ON": "true"})
    checked(document)
    return document


def held(edited: Edited | None) -> str:
    """The text of an edit, which says what it should."""
    assert edited is not None
    document = read(edited.text)
    assert {k: v for k, v in document.values.items() if v} == {k: v for k, v in edited.values.items() if v}
    return edited.text


def added(text: str, *entries: Entry) -> str:
    return held(with_sources(read(text), entries or [NEW]))


def removed(text: str, source: str) -> str:
    return held(without_source(read(text), source))


# -- laws -----------------------------------------------------------------------------------------

BODIES = (
    "- id: {0}\n",
    "- id: {0} # beside\n  name: 'It''s {0}'\n  # within\n\n  feeds:\n    - url: https://{0}.example/\n    # below\n",
    "- {{id:  {0},   topics: [ a,b ]}}   # flow\n",
    '- name: >-\n    folded\n    text\n\n  id: "{0}"\n  topics:\n  - x\n\n  - y\n  site:\n    https://{0}.example/\n',
    "-  id: {0}\n   name: two words\n     on two lines\n   enabled:   true   # why\n",
    '-\n  # dash above\n  id: {0}\n  feeds: [{{url: "https://{0}.example/🔥"}},\n    ]\n',
)
ABOVE = ("", "\n", "# head\n", "\n# -- part --\n\n", "\n\n# reason\n# of two lines\n")
INDENTS = ("", "  ", "      ")


@st.composite
def files(draw: st.DrawFn) -> str:
    """A feeds.yaml as a person may write it."""
    indent = draw(st.sampled_from(INDENTS))
    text = draw(st.sampled_from(("", "# top\n\nheat: {half_life_hours: 12} # half\n\n")))
    text += draw(st.sampled_from(("sources:\n", '"sources":   # what we follow\n')))
    for number in range(draw(st.integers(1, 4))):
        block = draw(st.sampled_from(ABOVE)) + draw(st.sampled_from(BODIES)).format(f"s{number}")
        text += "".join(indent + line if line.strip() else line for line in block.splitlines(keepends=True))
    text += draw(st.sampled_from(("", "\n\n", "# end\n", f"{indent}# - id: off\n\n", "\npolling:\n  min_minutes: 5\n")))
    if draw(st.booleans()):
        text = text.rstrip("\n")
    return text.replace("\n", "\r\n") if draw(st.booleans()) else text


def alike(whole: str, part: str) -> int:
    """How many first characters of both are the same."""
    return next((n for n, (a, b) in enumerate(zip(whole, part, strict=False)) if a != b), min(len(whole), len(part)))


def is_one_cut(whole: str, part: str) -> bool:
    """Whether `part` is `whole` without one range of it."""
    return len(part) <= len(whole) and whole.endswith(part[alike(whole, part) :])


@given(files())
def test_adding_and_removing_gives_the_same_file(text: str) -> None:
    assert removed(added(text), "new") == text


@given(files(), st.integers(0, 3))
def test_every_other_line_stays(text: str, number: int) -> None:
    ids = [source["id"] for source in read(text).values["sources"]]  # type: ignore[attr-defined]
    name = ids[number % len(ids)]
    more = added(text)
    assert is_one_cut(more, text)
    less = removed(text, name)
    assert is_one_cut(text, less)
    gone = text[alike(text, less) :][: len(text) - len(less)]
    assert not any(f"{mark}{other}" in gone for other in ids for mark in ("id: ", 'id: "', "id:  ") if other != name)
    assert not any(mark in less for mark in (f"{name}.example", f"'It''s {name}'"))
    paused = with_enabled(read(text), name, False)
    changed = held(paused)
    before, after = text.splitlines(), changed.splitlines()
    rest = [line for line in after if line not in before]
    assert len(rest) == 1
    assert "enabled: " in rest[0]
    assert "false" in rest[0]
    assert len(after) - len(before) in (0, 1)
    assert with_enabled(read(changed), name, False) is None
    assert read(held(with_enabled(read(changed), name, True))).values["sources"][ids.index(name)]["enabled"] is True  # type: ignore[index]


SIGNS_OF_VARIABLES = st.lists(st.sampled_from(["$", "${", "$${", "}", "NAME", " "]), max_size=8).map("".join)


@given(st.text(max_size=30) | SIGNS_OF_VARIABLES, st.floats(0, 100))
def test_every_text_and_number_is_read_as_it_was_meant(text: str, weight: float) -> None:
    name = "".join(sign for sign in text if sign.isprintable()).strip() or "x"
    added("", {"id": "a", "name": name, "topics": [name], "weight": weight})


# -- cases ----------------------------------------------------------------------------------------


def test_a_template_is_written_as_it_stands_and_read_with_its_value() -> None:
    entry = {"id": "a", "feeds": [{"url": Template("https://a.example/?key=${KEY}", "https://a.example/?key=one")}]}
    edited = with_sources(document_of("", b"sources:\n", {}), [entry])
    assert edited.text == 'sources:\n  - id: a\n    feeds:\n      - url: "https://a.example/?key=${KEY}"\n'
    assert document_of("", edited.text.encode(), {"KEY": "one"}).values == edited.values


def test_the_shipped_file_survives_every_edit() -> None:
    text = shipped_feeds_yaml()
    ids = [source["id"] for source in read(text).values["sources"]]  # type: ignore[attr-defined]
    assert removed(added(text), "new") == text
    for name in ids:
        less = removed(text, name)
        assert is_one_cut(text, less)
        assert "\n\n\n" not in less
        assert less.count("# -- ") == text.count("# -- ")
    without_comment = removed(text, "arxiv-cs-lg")
    assert "as cs.CL" not in without_comment
    assert without_comment.endswith("cs.CL\n")


def test_a_new_source_is_written_like_the_others() -> None:
    spaced, dense = "sources:\n  - id: a\n    name: A\n", "sources:\n- id: a\n- id: b\n"
    rows = "  - id: b\n    feeds:\n      - url: https://b.example/\n"
    one: Entry = {"id": "b", "feeds": [{"url": "https://b.example/"}]}
    assert added(spaced + "heat: {}\n", one) == f"{spaced}\n{rows}heat: {{}}\n"
    assert added(dense, {"id": "c"}, {"id": "d"}) == dense + "- id: c\n- id: d\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "sources:\n  - id: x\n"),
        ("heat: {}", "heat: {}\n\nsources:\n  - id: x\n"),
        ("sources: [] # none yet\nheat: {}\n", "sources: # none yet\n  - id: x\nheat: {}\n"),
        ("sources: null\n", "sources:\n  - id: x\n"),
        ("sources:\n    # none yet\n", "sources:\n    - id: x\n    # none yet\n"),
    ],
)
def test_a_file_without_sources(text: str, expected: str) -> None:
    assert added(text, {"id": "x"}) == expected


def test_the_comment_of_several_sources_stays() -> None:
    text = "sources:\n  # Chinese\n  - id: a\n  - id: b\n\n  # alone\n  - id: c\n"
    assert removed(text, "a") == "sources:\n  # Chinese\n  - id: b\n\n  # alone\n  - id: c\n"
    assert removed(text, "c") == "sources:\n  # Chinese\n  - id: a\n  - id: b\n"
    assert removed(removed(removed(text, "a"), "b"), "c") == "sources:\n"


@pytest.mark.parametrize("text", ["sources: [{id: a}]\n", "{sources: []}\n", "sources: [ # none\n  ]\n", "{}\n"])
def test_a_list_in_brackets_is_left_to_people(text: str) -> None:
    with pytest.raises(ConfigError, match="is written in brackets"):
        with_sources(read(text), [NEW])


@pytest.mark.parametrize(
    "text",
    ["sources:\r  - id: a\r    feeds: [{url: https://a.example/f}]\r", "? sources\n: - id: a\n    enabled: false\n"],
)
def test_a_source_that_begins_no_line_is_left_to_people(text: str) -> None:
    with pytest.raises(ConfigError, match="edit it by hand"):
        without_source(read(text), "a")


def test_the_last_line_of_a_file_may_have_no_end() -> None:
    text = "sources:\r\n  - id: a"
    assert held(with_enabled(read(text), "a", False)) == text + "\r\n    enabled: false"
    assert added(text, {"id": "b"}) == text + "\r\n  - id: b"


def test_what_cannot_be_switched_or_removed() -> None:
    with pytest.raises(ConfigError, match="is set by the environment"):
        with_enabled(read("sources:\n  - id: a\n    enabled: ${ON}\n"), "a", False)
    with pytest.raises(ConfigError, match="in brackets"):
        without_source(read("sources: [{id: a}]\n"), "a")
    with pytest.raises(NotFound, match='did you mean "Alpha"'):
        without_source(read("sources:\n  - id: Alpha\n"), "alpha")
    with pytest.raises(NotFound, match='"storyheat sources" lists them'):
        with_enabled(read(""), "a", True)


# -- the file -------------------------------------------------------------------------------------

TEXT = "sources:\n  - id: a\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "feeds.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + TEXT.encode())
    path.chmod(0o640)
    return path


def append(document: Document) -> Edited:
    return with_sources(document, [{"id": "b"}])


def test_the_file_is_replaced_whole(file: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.yaml"
    link.symlink_to(file)
    assert rewrite(link, {}, append)
    assert file.read_bytes() == b"\xef\xbb\xbf" + TEXT.encode() + b"  - id: b\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert link.is_symlink()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["feeds.yaml", "link.yaml"]


def test_a_dry_run_and_an_edit_of_nothing_write_nothing(file: Path) -> None:
    before = file.stat()
    assert rewrite(file, {}, append, dry_run=True)
    assert not rewrite(file, {}, lambda document: None)
    assert not rewrite(file, {}, lambda document: Edited(document.text, document.values))
    after = file.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (lambda document: Edited(document.text + "  - id: A\n", {}), '"A" is taken'),
        (lambda document: Edited(document.text + "  - id: b\n", document.values), "edit it by hand"),
    ],
)
def test_a_wrong_edit_is_not_written(file: Path, edit: object, words: str, tmp_path: Path) -> None:
    before = file.read_bytes()
    with pytest.raises(ConfigError, match=words):
        rewrite(file, {"HOME": "/home/who"}, edit)  # type: ignore[arg-type]
    assert file.read_bytes() == before
    assert list(tmp_path.iterdir()) == [file]


def test_the_change_of_another_program_is_kept(file: Path, tmp_path: Path) -> None:
    def slow(document: Document) -> Edited:
        file.write_text("sources: []\n")
        return append(document)

    with pytest.raises(WorkError, match="changed by another program"):
        rewrite(file, {}, slow)
    assert file.read_text() == "sources: []\n"
    assert list(tmp_path.iterdir()) == [file]


def test_a_file_that_goes_away_is_one_line(file: Path) -> None:
    def slow(document: Document) -> Edited:
        file.unlink()
        return append(document)

    with pytest.raises(WorkError, match=r"cannot write .* nothing was changed"):
        rewrite(file, {}, slow)
