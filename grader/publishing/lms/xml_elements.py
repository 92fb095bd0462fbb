"""XML for platforms: elements, documents, and packages with a manifest of all their files."""

from collections.abc import Iterable
from functools import lru_cache
from xml.etree import ElementTree as ET
from xml.parsers.expat import ParserCreate

MANIFEST = "imsmanifest.xml"


class Element(str):
    """The text of an element, on one line; everything special in its texts is escaped."""

    __slots__ = ()


def element(tag: str, /, *inside: Element | str, **attributes: str) -> Element:
    """Write an XML element with texts and other elements inside.

    In the name of an attribute `_` becomes `-`; one at the end, as in `class_`, is dropped.
    """
    start = f"<{tag}{''.join([_attribute(*attribute) for attribute in attributes.items()])}"
    content = _content(inside)
    return Element(f"{start}>{content}</{tag}>" if content else f"{start} />")


def html_element(tag: str, /, *inside: Element | str, **attributes: str) -> Element:
    """Write an HTML element: an empty one has an end tag too, unless it is a picture."""
    # In quotes HTML takes a `<` as it is.
    start = tag + "".join([_attribute(*attribute).replace("&lt;", "<") for attribute in attributes.items()])
    content = _content(inside)
    return Element(f"<{start}>{content}" if tag == "img" else f"<{start}>{content}</{tag}>")


def _content(inside: Iterable[Element | str]) -> str:
    return "".join([each if isinstance(each, Element) else _escaped(each) for each in inside])


@lru_cache(maxsize=1024)
def _attribute(name: str, value: str) -> str:
    """Write an attribute; cached, since most occur many times."""
    text = _escaped(value).replace('"', "&quot;")
    if not text.isprintable():
        text = text.replace("\r", "&#13;").replace("\n", "&#10;").replace("\t", "&#09;")
    return f' {name.rstrip("_").replace("_", "-")}="{text}"'


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def document(root: Element) -> bytes:
    """Return an element as an indented XML document."""
    tree = ET.TreeBuilder()
    parser = ParserCreate()  # unlike `ET.XMLParser` it leaves the prefixes of namespaces as they are
    parser.StartElementHandler, parser.EndElementHandler = tree.start, tree.end
    parser.CharacterDataHandler = tree.data
    parser.Parse(root, True)
    parsed = tree.close()
    ET.indent(parsed)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(parsed, encoding="unicode")}\n'.encode()


def manifest_resource(name: str, kind: str, path: str, *about: Element) -> Element:
    """Return the entry of a file in a manifest; `about` is what else the entry holds."""
    file = element("file", href=path)
    return element("resource", file, *about, identifier=name, type=kind, href=path)
