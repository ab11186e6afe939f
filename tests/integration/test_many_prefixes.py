"""Namespace prefixes without number: reading stays linear, and no remark lists them all."""

import time

import pytest

from storyheat.errors import DocumentError
from storyheat.ingest.document import parse_document

ITEM = "<item><title>One</title><link>https://wire.example/1</link></item>"


def rss(inner: str, declared: str = "") -> bytes:
    return f'<rss version="2.0"{declared}><channel>{inner}{ITEM}</channel></rss>'.encode()


def test_undeclared_prefixes_are_bound_and_the_remark_names_some() -> None:
    feed = parse_document(rss("".join(f"<q{number:03}:a/>" for number in range(500))))
    assert [entry.title for entry in feed.entries] == ["One"]
    remark = next(remark for remark in feed.remarks if "undeclared" in remark)
    assert remark.endswith("q009 and 490 more")


def test_a_document_of_nothing_but_prefixes_is_refused() -> None:
    with pytest.raises(DocumentError):
        parse_document(rss("".join(f"<q{number}:a/>" for number in range(2_000))))


def test_many_declared_prefixes_cost_no_time() -> None:
    numbers = range(20_000)
    declared = "".join(f" xmlns:q{number}='urn:{number}'" for number in numbers)
    document = rss("".join(f"<q{number}:a/>" for number in numbers), declared)
    started = time.process_time()
    assert len(parse_document(document).entries) == 1
    assert time.process_time() - started < 4  # half a minute, if every element looked through all of them
