"""Declared encodings: all names of the Encoding Standard, and none that names no encoding of documents."""

import pytest

from storyheat.ingest.charset import decode
from storyheat.ingest.charset_labels import codec_of


@pytest.mark.parametrize(
    ("label", "codec"),
    [
        ("x-mac-cyrillic", "mac-cyrillic"), ("x-mac-ukrainian", "mac-cyrillic"), ("csmacintosh", "mac-roman"),
        ("dos-874", "cp874"), ("iso-8859-8-i", "iso8859-8"), ("logical", "iso8859-8"), ("sun_eu_greek", "iso8859-7"),
        ("x-cp1251", "cp1251"), ("koi8-ru", "koi8-u"), ("koi", "koi8-r"), ("csiso58gb231280", "gb18030"),
        ("cn-big5", "big5hkscs"), ("x-euc-jp", "euc_jp"), ("ms_kanji", "cp932"), ("iso-ir-149", "cp949"),
        ("l1", "cp1252"), ("ansi_x3.4-1968", "cp1252"), ("latin5", "cp1254"), ("x-unicode20utf8", "utf-8"),
        ("unicode", "utf-16-le"), ("iso-10646-ucs-4", "utf-32"),
        ("latin_1", "cp1252"), ("iso_8859_9", "cp1254"), ("euc_kr", "cp949"),  # Python's own names mean the same
    ],
)  # fmt: skip
def test_a_label_names_what_browsers_take_it_for(label: str, codec: str) -> None:
    assert codec_of(label) == codec


@pytest.mark.parametrize("label", ["utf-7", "hex", "rot13", "idna", "base64", "undefined", "nothing", "x\0y"])
def test_other_names_are_no_encodings_of_documents(label: str) -> None:
    assert codec_of(label) is None


@pytest.mark.parametrize("label", ["x-mac-cyrillic", "X-CP1251", "csIBM866", "koi8-ru", "csISOLatinCyrillic"])
def test_a_document_is_read_as_its_label_says(label: str) -> None:
    codec = codec_of(label.lower())
    assert codec is not None
    title = "Цены на хлеб выросли"
    body = f'<?xml version="1.0" encoding="{label}"?><rss><channel><title>{title}</title></channel></rss>'
    decoded = decode(body.encode(codec), None)
    assert title in decoded.text
    assert decoded.remarks == ()
