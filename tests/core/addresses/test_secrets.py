"""What of an address is a secret, how it is shown, and where it is hidden."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.make import entry

from storyheat.core.addresses.secrets import (
    Filled,
    Secret,
    Secrets,
    holds_hidden,
    public_form,
    secrets_in,
    without_keys,
)
from storyheat.core.model import Failure, FailureKind, ParsedFeed, Url

VALUES = {
    "HOST": "wire.example:8080",
    "WWW": "www.wire.example",
    "TENANT": "acme",
    "KEY": "geheim",
    "WORD": "opensesame",
    "LOGIN": "me:hunter2",
    "PASSWORD": "p%40ss word",
    "CODE": "9f8a7b6c",
    "SECTION": "world",
    "SHORT": "abc",
    "SIGNS": "!ab12!",
    "PART": "n=5&token=zz11yy22",
    "URL": "https://me:hunter2@wire.example/private/9f8a7b6c/rss.xml?auth=sesame99&n=5",
}


def filled(template: str) -> tuple[str, list[Filled]]:
    """A text with the values of its variables, and where they stand."""
    found, places, at = "", [], 0
    for match in re.finditer(r"\$\{(\w+)\}", template):
        found, at = found + template[at : match.start()], match.end()
        value = VALUES[match[1]]
        places.append(Filled(match[1], len(found), len(found) + len(value)))
        found += value
    return found + template[at:], places


def secrets(*templates: str) -> Secrets:
    return Secrets(tuple(secret for template in templates for secret in secrets_in(*filled(template))))


@pytest.mark.parametrize(
    ("template", "public", "keys", "hosts"),
    [
        ("https://wire.example/feed?n=5", "https://wire.example/feed?n=5", set(), set()),
        ("https://wire.example/feed?key=sports", "https://wire.example/feed?key=sports", set(), set()),
        ("https://wire.example/feed?key=a1b2c3&n=5", "https://wire.example/feed?key=…&n=5", {"a1b2c3"}, set()),
        ("https://wire.example/feed?keyword=gpt4ai&x", "https://wire.example/feed?keyword=gpt4ai&x", set(), set()),
        ("https://me:hunter2@wire.example/", "https://wire.example/", {"hunter2", "bWU6aHVudGVyMg=="}, set()),
        ("https://9f8a7b6c@wire.example/", "https://wire.example/", {"9f8a7b6c"}, set()),
        (
            "https://${LOGIN}@wire.example/",
            "https://wire.example/",
            {"hunter2", "me:hunter2", "bWU6aHVudGVyMg=="},
            set(),
        ),
        ("https://${HOST}/feed", "https://${HOST}/feed", set(), {"wire.example:8080", "wire.example"}),
        ("https://${WWW}/feed", "https://${WWW}/feed", set(), {"www.wire.example", "wire.example"}),
        ("https://${TENANT}.example/feed", "https://${TENANT}.example/feed", set(), {"acme.example"}),
        ("https://${CODE}.example/feed", "https://${CODE}.example/feed", {"9f8a7b6c"}, {"9f8a7b6c.example"}),
        ("https://wire.example/${SECTION}/feed", "https://wire.example/${SECTION}/feed", set(), set()),
        ("https://wire.example/${CODE}/feed", "https://wire.example/${CODE}/feed", {"9f8a7b6c"}, set()),
        ("https://wire.example/?a=x${CODE}", "https://wire.example/?a=x${CODE}", {"x9f8a7b6c", "9f8a7b6c"}, set()),
        ("https://wire.example/?a=${KEY}", "https://wire.example/?a=${KEY}", {"geheim"}, set()),
        ("https://wire.example/?token=${WORD}", "https://wire.example/?token=${WORD}", {"opensesame"}, set()),
        ("https://wire.example/?${KEY}", "https://wire.example/?${KEY}", {"geheim"}, set()),
        ("https://wire.example/#${KEY}", "https://wire.example/#${KEY}", {"geheim"}, set()),
        ("https://wire.example/?${PART}", "https://wire.example/?${PART}", {"zz11yy22", "n=5&token=zz11yy22"}, set()),
        ("${KEY}", "${KEY}", {"geheim"}, set()),
        ("https://wire.example/feed?token=", "https://wire.example/feed?token=", set(), set()),
    ],
)
def test_what_of_an_address_is_a_secret(template: str, public: str, keys: set[str], hosts: set[str]) -> None:
    address, places = filled(template)
    assert public_form(address, places) == public
    found = list(secrets_in(address, places))
    assert {secret.value for secret in found if secret.key} == keys
    assert {secret.value for secret in found if not secret.key} == hosts


def test_a_whole_address_that_is_secret() -> None:
    address, places = filled("${URL}")
    assert public_form(address, places) == "${URL}"
    hidden = secrets("${URL}")
    assert hidden.in_text("Read /private/9f8a7b6c/rss.xml, hunter2 and SESAME99.") == (
        "Read /private/${URL}/rss.xml, ${URL} and ${URL}."
    )
    assert hidden.in_words("wire.example has no address") == "${URL} has no address"
    assert hidden.in_text(f"<{address}>") == "<${URL}>"


def test_a_login_stays_where_only_keys_are_to_go() -> None:
    assert without_keys("https://me:hunter2@a.example/?token=a1b2c3") == "https://me:hunter2@a.example/?token=…"
    assert Secrets().shown("https://me:hunter2@a.example/?token=a1b2c3") == "https://…@a.example/?token=…"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("The key is geheim.", "The key is ${KEY}."),
        ("GEHEIM und Geheimnis", "${KEY} und Geheimnis"),
        ("钥匙geheim在此", "钥匙${KEY}在此"),
        ("a%3Dgeheim%26", "a%3D${KEY}%26"),
        ("p@ss word, p%40ss%20word, p%40ss+word", "${PASSWORD}, ${PASSWORD}, ${PASSWORD}"),
        ("x!ab12!y", "x${SIGNS}y"),
        ("abc stands everywhere", "abc stands everywhere"),
        ("wire.example/world stays", "wire.example/world stays"),
        ("", ""),
    ],
)
def test_keys_are_found_in_any_spelling_and_words_are_kept(text: str, shown: str) -> None:
    hidden = secrets("https://${HOST}/${SECTION}?key=${KEY}&token=${SHORT}&pw=${PASSWORD}&sig=${SIGNS}")
    assert hidden.in_text(text) == shown


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("https://wire.example:8080/a?key=geheim&id=7#top", "https://wire.example:8080/a?id=7#top"),
        ("https://wire.example/a?key=geheim", "https://wire.example/a"),
        ("https://wire.example/geheim/a?id=7", "https://wire.example/${KEY}/a?id=7"),
        ("https://wire.example/a?id=7", "https://wire.example/a?id=7"),
    ],
)
def test_an_address_that_repeats_a_key_does_without_the_parameter(address: str, shown: str) -> None:
    assert secrets("https://${HOST}/feed?key=${KEY}").in_address(address) == shown
    assert holds_hidden(shown) is ("${KEY}" in shown)


def test_a_document_holds_no_secret() -> None:
    hidden = secrets("https://${HOST}/feed?key=${KEY}")
    one = entry(
        "On geheim",
        "https://wire.example:8080/a?key=geheim",
        guid="https://wire.example:8080/a?key=geheim",
        summary="geheim",
        author="geheim",
        text="say geheim",
        html='<a href="https://a.example/?x=geheim">geheim</a>',
        publisher="geheim",
        publisher_url=Url("https://a.example/geheim"),
        remarks=("link geheim at wire.example",),
    )
    feed = ParsedFeed("rss20", "geheim", Url("https://me:pw@wire.example:8080/?key=geheim"), None, (one,), ("geheim",))
    found = hidden.in_document(feed)
    assert "geheim" not in repr(found)
    assert found.site == "https://${HOST}/"
    assert (found.entries[0].link, found.entries[0].guid) == ("https://wire.example:8080/a",) * 2
    assert found.entries[0].remarks == ("link ${KEY} at ${HOST}",)
    assert Secrets().in_document(feed) is feed
    bare = hidden.in_document(ParsedFeed("rss20", None, None, None, (entry(),)))
    assert (bare.title, bare.site, bare.entries[0].link, bare.entries[0].author) == (None,) * 4


def test_failures_and_what_is_missing() -> None:
    hidden = secrets("https://${HOST}/")
    failure = Failure(FailureKind.DNS, "wire.example has no address")
    assert hidden.in_failure(failure) == Failure(FailureKind.DNS, "${HOST} has no address")
    assert (hidden.in_failure(None), hidden.in_site(None), hidden.in_url(None)) == (None, None, None)


@given(st.lists(st.sampled_from([*VALUES.values(), "${KEY}", "${HOST}", "…", "a", "/", "?key=", "&", " "]), max_size=8))
def test_hiding_twice_is_hiding_once_and_leaves_no_key(parts: list[str]) -> None:
    hidden = secrets("https://${HOST}/feed?key=${KEY}", "https://me:hunter2@a.example/", "${URL}")
    text = "|".join(parts)
    for hide in (hidden.in_words, hidden.in_text, hidden.in_address):
        once = hide(text)
        assert hide(once) == once
        assert not re.search("geheim|hunter2|9f8a7b6c|sesame99", once)
    assert "wire.example" not in hidden.in_words(text)


def test_the_name_that_was_given_goes_before_a_mere_mark() -> None:
    twice = Secrets((Secret("geheim", "…", True), Secret("geheim", "${KEY}", True), Secret("geheim", "${A}", False)))
    assert twice.in_words("geheim") == "${KEY}"
