"""XML for platforms: elements, documents, and packages whose manifest names all their files."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import BinaryIO, NamedTuple
from xml.etree import ElementTree as ET
from zipfile import ZipFile

from grader.publishing.lms.zipping import faults_of

MANIFEST = "imsmanifest.xml"


class Element(NamedTuple):
    """An element: its tag, its attributes, its text, and the elements behind the text."""

    tag: str
    attributes: Mapping[str, str]
    text: str
    inside: Sequence["Element"]


def element(tag: str, /, *inside: Element | str, **attributes: str) -> Element:
    """An element with a text or with other elements in it; in names `_` is `-`, and is dropped at the end."""
    text, elements = "", list[Element]()
    for each in inside:
        if isinstance(each, str):
            text = each
        else:
            elements.append(each)
    return Element(tag, {_name(name): value for name, value in attributes.items()}, text, elements)


@lru_cache(maxsize=256)
def _name(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


def written(root: Element) -> str:
    """An element as XML, on one line."""
    put = list[str]()
    _write(root, "", put.append)
    return "".join(put)


def document(root: Element) -> bytes:
    """An element as a whole document, in lines."""
    put = ['<?xml version="1.0" encoding="UTF-8"?>\n']
    _write(root, "\n", put.append)
    put.append("\n")
    return "".join(put).encode()


def _write(element: Element, margin: str, put: Callable[[str], None]) -> None:
    """Write an element; its end, if on a line of its own, stands behind the margin."""
    tag, attributes, text, inside = element
    put(f"<{tag}")
    for name, value in attributes.items():
        put(f' {name}="{_quoted(value)}"')
    if not inside:
        put(f">{_escaped(text)}</{tag}>" if text else " />")
        return
    inner = margin and f"{margin}  "
    put(f">{_escaped(text) if text.strip() else inner or text}")
    for each in inside[:-1]:
        _write(each, inner, put)
        put(inner)
    _write(inside[-1], inner, put)
    put(f"{margin}</{tag}>")


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _quoted(text: str) -> str:
    text = _escaped(text).replace('"', "&quot;")
    if text.isprintable():
        return text
    return text.replace("\r", "&#13;").replace("\n", "&#10;").replace("\t", "&#09;")


def hypertext(element: Element) -> str:
    """An element as HTML, where one that is empty has an end as well, unless it is a picture."""
    tag, attributes, text, inside = element
    # In quotes HTML takes a `<` as it is.
    names = [f' {name}="{_quoted(value).replace("&lt;", "<")}"' for name, value in attributes.items()]
    end = "" if tag == "img" else f"</{tag}>"
    return f"<{tag}{''.join(names)}>{_escaped(text)}{''.join(map(hypertext, inside))}{end}"


def resource(name: str, kind: str, path: str, *about: Element) -> Element:
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

    return faults_of(file, faults)


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
