"""Small makers of XML: elements with clean text, and the document they make."""

from xml.etree.ElementTree import Element, SubElement, indent, tostring

from storyheat.core.text.markup import clean


def add(parent: Element, name: str, text: str | None = None, **attributes: str) -> Element:
    """A new last child. Signs that XML cannot hold are left out; the rest is escaped when it is written."""
    made = SubElement(parent, name, {key: clean(value) for key, value in attributes.items()})
    made.text = None if text is None else clean(text)
    return made


def written(root: Element) -> str:
    """The document as text, indented, to be stored as UTF-8."""
    indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{tostring(root, encoding="unicode")}\n'
