"""XML for platforms: elements, documents, and packages whose manifest names all their files."""

from collections.abc import Callable, Iterator
from typing import BinaryIO
from xml.etree import ElementTree as ET
from zipfile import ZipFile

from grader.publishing.lms.zipping import faults_of

MANIFEST = "imsmanifest.xml"


def element(tag: str, /, *inside: ET.Element | str, **attributes: str) -> ET.Element:
    """An element with a text or with other elements in it; in names `_` is `-`, and is dropped at the end."""
    made = ET.Element(tag, {name.rstrip("_").replace("_", "-"): text for name, text in attributes.items()})
    for each in inside:
        if isinstance(each, str):
            made.text = each
        else:
            made.append(each)
    return made


def document(root: ET.Element) -> bytes:
    """An element as a whole document, in lines."""
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'.encode()


def resource(name: str, kind: str, path: str, *about: ET.Element) -> ET.Element:
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
