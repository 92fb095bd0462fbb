"""XML as this program writes it, against the XML library."""

from collections.abc import Callable
from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from grader.publishing.lms.xml_elements import Element, document, element, html_element

TEXTS = st.text(st.sampled_from("ab /&<>\"'é中"), max_size=6)
ATTRIBUTES = st.dictionaries(
    st.sampled_from(["ident", "xml:lang", "a-b"]), TEXTS | st.just("\n\t\r"), max_size=2
)


def leaves(attributes: st.SearchStrategy[dict[str, str]]) -> st.SearchStrategy[ET.Element]:
    """Elements of the library with nothing but a text, and pictures."""
    return st.builds(lambda said: ET.Element("img", said), attributes) | st.builds(
        made, st.sampled_from(["p", "div", "qti-item"]), attributes, TEXTS, st.just(())
    )


def made(tag: str, attributes: dict[str, str], text: str, inside: list[ET.Element]) -> ET.Element:
    """An element of the library; before other elements there is no text that is blank."""
    found = ET.Element(tag, attributes)
    found.text = (text if text.strip() or not inside else "") or None
    found.extend(inside)
    return found


def elements(attributes: st.SearchStrategy[dict[str, str]]) -> st.SearchStrategy[ET.Element]:
    """Elements of the library with a few attributes, a text and others in them."""
    tags = st.sampled_from(["p", "div", "qti-item"])
    return st.recursive(
        leaves(attributes),
        lambda inside: st.builds(made, tags, attributes, TEXTS, st.lists(inside, max_size=3)),
    )


def ours(root: ET.Element, put: Callable[..., Element]) -> Element:
    """The same element as this program writes it."""
    text = [root.text] if root.text else []
    return put(root.tag, *text, *(ours(each, put) for each in root), **root.attrib)


@given(elements(ATTRIBUTES))
def test_xml(root: ET.Element) -> None:
    """On one line and in many, an element is written as the XML library writes it."""
    written = ours(root, element)
    assert written == ET.tostring(root, encoding="unicode")
    ET.indent(root)
    lines = ET.tostring(root, encoding="unicode")
    assert document(written) == f'<?xml version="1.0" encoding="UTF-8"?>\n{lines}\n'.encode()


@given(elements(st.dictionaries(st.sampled_from(["class", "a-b"]), TEXTS, max_size=2)))
def test_html(root: ET.Element) -> None:
    """An element is written as the library writes HTML."""
    assert ours(root, html_element) == ET.tostring(root, encoding="unicode", method="html")
