"""XML for platforms: elements, documents, and packages whose manifest names all their files."""

from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import BinaryIO
from xml.etree import ElementTree as ET
from zipfile import ZipFile

from grader.publishing.lms.zip_package import zip_faults

MANIFEST = "imsmanifest.xml"


class Element(str):
    """An element as it is written on one line: in it `><` stands between two tags and nowhere else."""

    __slots__ = ()


def element(tag: str, /, *inside: Element | str, **attributes: str) -> Element:
    """An element with a text or with other elements in it; in names `_` is `-`, and is dropped at the end."""
    start = f"<{tag}"
    for attribute in attributes.items():
        start += _said(*attribute)
    within = "".join([each if isinstance(each, Element) else _escaped(each) for each in inside])
    return Element(f"{start}>{within}</{tag}>" if within else f"{start} />")


def html_element(tag: str, /, *inside: Element | str, **attributes: str) -> Element:
    """The same in HTML, where an empty one has an end as well, unless it is a picture."""
    # In quotes HTML takes a `<` as it is.
    said = "".join([_said(name, value).replace("&lt;", "<") for name, value in attributes.items()])
    within = "".join([each if isinstance(each, Element) else _escaped(each) for each in inside])
    return Element(f"<{tag}{said}>{within}" if tag == "img" else f"<{tag}{said}>{within}</{tag}>")


@lru_cache(maxsize=1024)
def _said(name: str, value: str) -> str:
    """An attribute as it is written; remembered, for most are said again and again."""
    text = _escaped(value).replace('"', "&quot;")
    if not text.isprintable():
        text = text.replace("\r", "&#13;").replace("\n", "&#10;").replace("\t", "&#09;")
    return f' {_called(name)}="{text}"'


@cache
def _called(name: str) -> str:
    """What an attribute is called in XML."""
    return name.rstrip("_").replace("_", "-")


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


_MARGINS = tuple(f">\n{'  ' * depth}<" for depth in range(32))
"""From the end of a line to the tag of the next, by how deep that is: no platform has documents so deep."""


def document(root: Element) -> bytes:
    """An element as a whole document, in lines: where a tag follows a tag, each by how deep it is."""
    made, depth = ['<?xml version="1.0" encoding="UTF-8"?'], 0
    put = made.append
    for piece in root[1:-1].split("><"):
        if piece[0] == "/":
            depth -= 1
            put(_MARGINS[depth])
        else:  # of the tags in it some may be closed again
            put(_MARGINS[depth])
            if "<" in piece:
                depth += piece.count("<") - 2 * piece.count("</")
            if piece[-1] != "/":
                depth += 1
        put(piece)
    put(">\n")
    return "".join(made).encode()


def manifest_resource(name: str, kind: str, path: str, *about: Element) -> Element:
    """A file as a manifest names it, and what else it names with it."""
    file = element("file", href=path)
    return element("resource", file, *about, identifier=name, type=kind, href=path)


def package_faults(file: BinaryIO, wrong: Callable[[ET.Element], Iterator[str]]) -> Iterator[str]:
    """What is wrong with a package: files that are missing or not XML, and what `wrong` says of documents."""

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
                yield from _wrong_manifest(root, members - {MANIFEST})
            else:
                yield from (f"{member}: {fault}" for fault in wrong(root))

    return zip_faults(file, faults)


def _wrong_manifest(manifest: ET.Element, members: set[str]) -> Iterator[str]:
    """Where the manifest and the other members of the package differ."""
    hrefs = {file.get("href", "") for file in manifest.iterfind(".//{*}file")}
    yield from (f"{missing} is in the manifest only" for missing in sorted(hrefs - members))
    yield from (f"{extra} is not in the manifest" for extra in sorted(members - hrefs))
    names = [each.get("identifier", "") for each in manifest.iterfind(".//{*}resource")]
    if len(names) != len(set(names)):
        yield "two resources of the manifest have the same name"
    wanted = {each.get("identifierref", "") for each in manifest.iterfind(".//{*}dependency")}
    yield from (f"{unknown} is wanted, and is no resource" for unknown in sorted(wanted - set(names)))
