"""A QTI 3 package: an item for every variant of a question, and a test that draws one variant of each."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import BinaryIO
from xml.etree import ElementTree as ET
from zipfile import ZipFile

from grader.answers.blank import Blank, Box, Choice
from grader.base.numbers import Number
from grader.exam.manifest import Exam
from grader.exam.paper import Paper
from grader.publishing.lms.page import Distinct, Page, Piece, body, piece, words
from grader.publishing.lms.zipping import Package, faults_of
from grader.publishing.sheet import plain

FILE = "qti3.zip"

SPACE = "http://www.imsglobal.org/xsd/imsqtiasi_v3p0"
PACKAGE = "http://www.imsglobal.org/xsd/qti/qtiv3p0/imscp_v1p1"
INSTANCE = "http://www.w3.org/2001/XMLSchema-instance"
SCHEMAS = "https://purl.imsglobal.org/spec/qti/v3p0/schema/xsd"

PLACES = 9
"""The decimals of a share: QTI has floats, and this many are the same on every platform."""


def pieces(paper: Paper, pages: Sequence[Page]) -> tuple[Piece, ...]:
    """The items of a paper with their pictures."""
    del paper
    return tuple(piece(page, _document(_item(page)), page.picture.svg) for page in pages)


@contextmanager
def joined(exam: Exam, file: BinaryIO) -> Iterator[Callable[[Sequence[Piece]], None]]:
    """One package with the items, their pictures, the test and the manifest."""
    distinct = Distinct()
    sections: dict[str, list[str]] = {}
    with Package(file) as package:

        def add(made: Sequence[Piece]) -> None:
            for each in distinct.new(made):
                title = f"{each.label}. {each.title}" if each.title else each.label
                sections.setdefault(title, []).append(each.name)
                item, picture = each.texts
                package.add(f"items/{each.name}.xml", item.encode())
                package.add(f"items/{each.name}.svg", picture.encode())

        yield add
        names = [name for section in sections.values() for name in section]
        package.add("test.xml", _document(_test(exam, sections)).encode())
        package.add("imsmanifest.xml", _document(_manifest(exam, names)).encode())


def _document(root: ET.Element) -> str:
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _root(tag: str, space: str, schema: str, attributes: dict[str, str]) -> ET.Element:
    """A root element whose children are all in its own namespace."""
    return ET.Element(
        tag,
        {
            "xmlns": space,
            "xmlns:xsi": INSTANCE,
            "xsi:schemaLocation": f"{space} {SCHEMAS}/{schema}",
            **attributes,
        },
    )


# Items --------------------------------------------------------------------------------------------


def _item(page: Page) -> ET.Element:
    item = _root(
        "qti-assessment-item",
        SPACE,
        "imsqti_asiv3p0_v1p0.xsd",
        {
            "identifier": page.name,
            "title": page.heading,
            "adaptive": "false",
            "time-dependent": "false",
            "xml:lang": page.language,
        },
    )
    blanks = [blank for part in page.parts for blank in part.blanks.blanks]
    for number, blank in enumerate(blanks, 1):
        item.append(_declared(blank, f"RESPONSE-{number}"))
    total = sum(Fraction(blank.points) for blank in blanks)
    for name, value in (("SCORE", "0"), ("MAXSCORE", _decimal(total))):
        outcome = ET.SubElement(
            item,
            "qti-outcome-declaration",
            {"identifier": name, "cardinality": "single", "base-type": "float"},
        )
        ET.SubElement(outcome, "qti-default-value").append(words("qti-value", value))
    shown = ET.SubElement(item, "qti-item-body")
    numbers = iter(range(1, len(blanks) + 1))
    shown.extend(body(page, f"{page.name}.svg", lambda blank: _interaction(blank, next(numbers))))
    processing = ET.SubElement(item, "qti-response-processing")
    score = ET.SubElement(processing, "qti-set-outcome-value", {"identifier": "SCORE"})
    earned = ET.SubElement(score, "qti-sum")
    strict = []
    for number, blank in enumerate(blanks, 1):
        if isinstance(blank, Choice) and blank.strict:
            strict.append((number, blank))
        else:
            product = ET.SubElement(earned, "qti-product")
            ET.SubElement(product, "qti-map-response", {"identifier": f"RESPONSE-{number}"})
            product.append(_value("float", _decimal(blank.points)))
    if not len(earned):
        earned.append(_value("float", "0"))
    for number, choice in strict:
        processing.append(_all_or_nothing(number, choice))
    return item


def _declared(blank: Blank, name: str) -> ET.Element:
    """What is right, and what every answer is worth as a share of the points of the blank."""
    several = isinstance(blank, Choice) and blank.several
    declared = ET.Element(
        "qti-response-declaration",
        {
            "identifier": name,
            "cardinality": "multiple" if several else "single",
            "base-type": "string" if isinstance(blank, Box) else "identifier",
        },
    )
    correct = ET.SubElement(declared, "qti-correct-response")
    mapping = ET.SubElement(
        declared, "qti-mapping", {"default-value": "0", "lower-bound": "0", "upper-bound": "1"}
    )
    if isinstance(blank, Box):
        correct.append(words("qti-value", blank.spellings[0]))
        for spelling in blank.spellings:
            entry = {"map-key": spelling, "mapped-value": "1", "case-sensitive": "false"}
            ET.SubElement(mapping, "qti-map-entry", entry)
        return declared
    for number, option in enumerate(blank.options, 1):
        if option.share > 0 and (several or not len(correct)):
            correct.append(words("qti-value", f"OPTION-{number}"))
        entry = {"map-key": f"OPTION-{number}", "mapped-value": _decimal(option.share)}
        ET.SubElement(mapping, "qti-map-entry", entry)
    return declared


def _interaction(blank: Blank, number: int) -> ET.Element:
    name = f"RESPONSE-{number}"
    if isinstance(blank, Box):
        return ET.Element(
            "qti-text-entry-interaction", {"response-identifier": name, "expected-length": "12"}
        )
    interaction = ET.Element(
        "qti-choice-interaction",
        {
            "response-identifier": name,
            "shuffle": "false",
            "max-choices": "0" if blank.several else "1",
            "class": "qti-orientation-horizontal",
        },
    )
    for place, option in enumerate(blank.options, 1):
        choice = ET.SubElement(interaction, "qti-simple-choice", {"identifier": f"OPTION-{place}"})
        choice.text = option.text
    return interaction


def _all_or_nothing(number: int, choice: Choice) -> ET.Element:
    condition = ET.Element("qti-response-condition")
    when = ET.SubElement(condition, "qti-response-if")
    match = ET.SubElement(when, "qti-match")
    ET.SubElement(match, "qti-variable", {"identifier": f"RESPONSE-{number}"})
    ET.SubElement(match, "qti-correct", {"identifier": f"RESPONSE-{number}"})
    score = ET.SubElement(when, "qti-set-outcome-value", {"identifier": "SCORE"})
    earned = ET.SubElement(score, "qti-sum")
    ET.SubElement(earned, "qti-variable", {"identifier": "SCORE"})
    earned.append(_value("float", _decimal(choice.points)))
    return condition


def _value(kind: str, text: str) -> ET.Element:
    value = ET.Element("qti-base-value", {"base-type": kind})
    value.text = text
    return value


def _decimal(value: Number) -> str:
    """A number as a float is written, rounded to `PLACES`."""
    scaled = round(Fraction(value) * 10**PLACES)
    digits = str(abs(scaled)).rjust(PLACES + 1, "0")
    text = f"{digits[:-PLACES]}.{digits[-PLACES:]}".rstrip("0").rstrip(".")
    return f"-{text}" if scaled < 0 else text


# The test and the manifest ------------------------------------------------------------------------


def _test(exam: Exam, sections: Mapping[str, Sequence[str]]) -> ET.Element:
    test = _root(
        "qti-assessment-test",
        SPACE,
        "imsqti_asiv3p0_v1p0.xsd",
        {"identifier": "exam", "title": plain(exam.heading.title)},
    )
    outcome = ET.SubElement(
        test,
        "qti-outcome-declaration",
        {"identifier": "SCORE", "cardinality": "single", "base-type": "float"},
    )
    ET.SubElement(outcome, "qti-default-value").append(words("qti-value", "0"))
    part = ET.SubElement(
        test,
        "qti-test-part",
        {"identifier": "questions", "navigation-mode": "nonlinear", "submission-mode": "simultaneous"},
    )
    for number, (title, names) in enumerate(sections.items(), 1):
        section = ET.SubElement(
            part,
            "qti-assessment-section",
            {"identifier": f"section-{number}", "title": title, "visible": "true"},
        )
        if len(names) > 1:
            ET.SubElement(section, "qti-selection", {"select": "1"})
        for name in names:
            reference = {"identifier": name, "href": f"items/{name}.xml"}
            ET.SubElement(section, "qti-assessment-item-ref", reference)
    processing = ET.SubElement(test, "qti-outcome-processing")
    score = ET.SubElement(processing, "qti-set-outcome-value", {"identifier": "SCORE"})
    ET.SubElement(ET.SubElement(score, "qti-sum"), "qti-test-variables", {"variable-identifier": "SCORE"})
    return test


def _manifest(exam: Exam, names: list[str]) -> ET.Element:
    manifest = _root(
        "manifest",
        PACKAGE,
        "imsqtiv3p0_imscpv1p2_v1p0.xsd",
        {"identifier": f"exam-{exam.origin.blueprint[:12]}"},
    )
    metadata = ET.SubElement(manifest, "metadata")
    metadata.append(words("schema", "QTI Package"))
    metadata.append(words("schemaversion", "3.0.0"))
    ET.SubElement(manifest, "organizations")
    resources = ET.SubElement(manifest, "resources")
    test = _resource(resources, "exam", "imsqti_test_xmlv3p0", "test.xml")
    for name in names:
        ET.SubElement(test, "dependency", {"identifierref": name})
    for name in names:
        item = _resource(resources, name, "imsqti_item_xmlv3p0", f"items/{name}.xml")
        ET.SubElement(item, "file", {"href": f"items/{name}.svg"})
    return manifest


def _resource(resources: ET.Element, name: str, kind: str, path: str) -> ET.Element:
    resource = ET.SubElement(resources, "resource", {"identifier": name, "type": kind, "href": path})
    ET.SubElement(resource, "file", {"href": path})
    return resource


# Reading back -------------------------------------------------------------------------------------


def faults(file: BinaryIO) -> Iterator[str]:
    """What is wrong with the package: files that are missing or not XML, blanks without a right answer."""
    return faults_of(file, _faults)


def _faults(package: ZipFile) -> Iterator[str]:
    members = set(package.namelist())
    if "imsmanifest.xml" not in members:
        yield "there is no manifest"
        return
    for member in package.namelist():
        try:
            root = ET.fromstring(package.read(member))
        except ET.ParseError as error:
            yield f"{member} is not XML: {error}"
            continue
        if root.tag == f"{{{SPACE}}}qti-assessment-item":
            yield from (f"{member}: {wrong}" for wrong in _wrong_item(root))
        if member == "imsmanifest.xml":
            yield from _wrong_manifest(root, members - {member})


def _wrong_manifest(manifest: ET.Element, members: set[str]) -> Iterator[str]:
    """Where the manifest and the other members of the package differ."""
    hrefs = {file.get("href", "") for file in manifest.iter(f"{{{PACKAGE}}}file")}
    for missing in sorted(hrefs - members):
        yield f"{missing} is in the manifest only"
    for extra in sorted(members - hrefs):
        yield f"{extra} is not in the manifest"
    names = [resource.get("identifier", "") for resource in manifest.iter(f"{{{PACKAGE}}}resource")]
    if len(names) != len(set(names)):
        yield "two resources of the manifest have the same name"
    wanted = {each.get("identifierref", "") for each in manifest.iter(f"{{{PACKAGE}}}dependency")}
    yield from (f"{unknown} is wanted, and is no resource" for unknown in sorted(wanted - set(names)))


def _wrong_item(item: ET.Element) -> Iterator[str]:
    declared = {each.get("identifier"): each for each in item.iter(f"{{{SPACE}}}qti-response-declaration")}
    asked = [each.get("response-identifier", "") for each in item.iter()]
    if sorted(filter(None, asked)) != sorted(map(str, declared)):
        yield "what is asked is not what is declared"
    used = {each.get("identifier") for each in item.iter(f"{{{SPACE}}}qti-map-response")}
    used |= {each.get("identifier") for each in item.iter(f"{{{SPACE}}}qti-correct")}
    if used != set(declared):
        yield "what is marked is not what is declared"
    for name, response in declared.items():
        if not len(response.find(f"{{{SPACE}}}qti-correct-response") or ()):
            yield f"{name} has no right answer"
        keys = [each.get("map-key", "").lower() for each in response.iter(f"{{{SPACE}}}qti-map-entry")]
        if len(keys) != len(set(keys)):
            yield f"{name} has an answer twice"
        shares = [each.get("mapped-value", "") for each in response.iter(f"{{{SPACE}}}qti-map-entry")]
        if not all(re.fullmatch(r"-?\d+(\.\d+)?", share) for share in shares):
            yield f"{name} has a share that is no number"
