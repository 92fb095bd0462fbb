"""XML for platforms: elements, documents, and packages with a manifest of all their files."""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import BinaryIO
from xml.etree import ElementTree as ET
from xml.parsers.expat import ParserCreate
from zipfile import ZipFile

from grader.publishing.lms.zip_package import zip_faults

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


def package_faults(file: BinaryIO, wrong: Callable[[ET.Element], Iterator[str]]) -> Iterator[str]:
    """Find missing files, files that are not XML, and the faults that `wrong` finds in each document.

    A package without a manifest has no other faults; `wrong` does not get the manifest.
    """

    def faults(package: ZipFile) -> Iterator[str]:
        members = set(package.namelist())
        if MANIFEST not in members:
            yield "there is no manifest"
            return
        for member in package.namelist():
            try:
                root = ET.fromstring(package.read(member))
            except ET.ParseError as error:
                yield f"{member} is not XML: {error}"
                continue
            if member == MANIFEST:
                yield from _manifest_faults(root, members - {MANIFEST})
            else:
                yield from (f"{member}: {fault}" for fault in wrong(root))

    return zip_faults(file, faults)


def _manifest_faults(manifest: ET.Element, members: set[str]) -> Iterator[str]:
    """Compare the manifest with the other members of the package."""
    hrefs = {file.get("href", "") for file in manifest.iterfind(".//{*}file")}
    yield from (f"{missing} is in the manifest only" for missing in sorted(hrefs - members))
    yield from (f"{extra} is not in the manifest" for extra in sorted(members - hrefs))
    names = [each.get("identifier", "") for each in manifest.iterfind(".//{*}resource")]
    if len(names) != len(set(names)):
        yield "two resources of the manifest have the same name"
    required = {each.get("identifierref", "") for each in manifest.iterfind(".//{*}dependency")}
    yield from (f"{unknown} is required, but is not a resource" for unknown in sorted(required - set(names)))
