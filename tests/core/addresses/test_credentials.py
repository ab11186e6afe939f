"""Addresses are shown without the user and password in them."""

import pytest

from storyheat.core.addresses.urls import without_credentials


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://user:pw@a.example/feed?x=1", "https://…@a.example/feed?x=1"),
        ("https://p@ss@a.example", "https://…@a.example"),
        ("https://a.example/@author/feed", "https://a.example/@author/feed"),
        ("https://a.example?to=b@c.example", "https://a.example?to=b@c.example"),
        ("no address", "no address"),
    ],
)
def test_user_and_password_are_hidden(url: str, shown: str) -> None:
    assert without_credentials(url) == shown
