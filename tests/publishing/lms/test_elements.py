"""XML as this program writes it, against the XML library."""

from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from grader.publishing.lms.elements import Element, document, hypertext, written

TEXTS = st.text(st.sampled_from("ab &<>\"'\n\té中"), max_size=6)
LINES = TEXTS.map(lambda text: text.replace("\n", " ").replace("\t", " "))


def elements(texts: st.SearchStrategy[str]) -> st.SearchStrategy[Element]:
    """Elements with a few attributes, a text and others in them."""
    attributes = st.dictionaries(st.sampled_from(["ident", "xml:lang", "a-b"]), texts, max_size=2)
    picture = st.builds(Element, st.just("img"), attributes, st.just(""), st.just(()))
    tags = st.sampled_from(["p", "div", "qti-item"])
    leaf = picture | st.builds(Element, tags, attributes, texts, st.just(()))
    return st.recursive(
        leaf, lambda inside: st.builds(Element, tags, attributes, texts, st.lists(inside, max_size=3))
    )


def library(made: Element) -> ET.Element:
    """The same element of the XML library."""
    element = ET.Element(made.tag, dict(made.attributes))
    element.text = made.text or None
    element.extend(map(library, made.inside))
    return element


@given(elements(TEXTS))
def test_xml(made: Element) -> None:
    """On one line and in many, an element is written as the XML library writes it."""
    root = library(made)
    assert written(made) == ET.tostring(root, encoding="unicode")
    ET.indent(root)
    lines = ET.tostring(root, encoding="unicode")
    assert document(made) == f'<?xml version="1.0" encoding="UTF-8"?>\n{lines}\n'.encode()


@given(elements(LINES))
def test_html(made: Element) -> None:
    """An element is written as the library writes HTML."""
    assert hypertext(made) == ET.tostring(library(made), encoding="unicode", method="html")
