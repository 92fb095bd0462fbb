"""QTI 1.2 as Canvas imports it: a quiz for every variant, in one file, made with the library text2qti."""

import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from grader.exam.manifest import Exam
from grader.exam.paper import Paper
from grader.numerals import write_number
from grader.publishing.lms.blanks import Blank, Box, Choice
from grader.publishing.lms.packing import packed, unpacked
from grader.publishing.lms.page import Page, PagePart, page_of
from grader.publishing.sheet import plain

if TYPE_CHECKING:
    from text2qti.quiz import Quiz

FILE = "canvas.zip"

LONGEST = 200
"""The most characters of a title."""

PACKAGE = "http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1"
ITEMS = "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"
METADATA = "http://www.imsglobal.org/xsd/imsmd_v1p2"

_INDENT = " " * 4


def write(exam: Exam) -> Iterator[tuple[str, bytes]]:
    """One file to import; Canvas makes a quiz of every variant in it.

    Canvas has no question with several blanks here, so every blank is an item; what they are
    about stands above them, with the picture.
    """
    members: dict[str, bytes] = {}
    manifest: ET.Element | None = None
    for paper in exam.papers:
        made = _quiz(paper)
        own = ET.fromstring(made.pop("imsmanifest.xml"))
        members |= made
        if manifest is None:
            manifest = own
            for date in own.iter(f"{{{METADATA}}}dateTime"):
                date.text = "1980-01-01"  # the library writes the day on which it runs
        else:
            _resources(manifest).extend(_resources(own))
    if manifest is not None:
        ET.register_namespace("", PACKAGE)
        ET.register_namespace("imsmd", METADATA)
        members["imsmanifest.xml"] = ET.tostring(manifest, encoding="UTF-8", xml_declaration=True)
    yield FILE, packed(members)


def _resources(manifest: ET.Element) -> ET.Element:
    found = manifest.find(f"{{{PACKAGE}}}resources")
    if found is None:
        raise AssertionError("text2qti wrote a manifest without resources")
    return found


def _quiz(paper: Paper) -> dict[str, bytes]:
    """The members of the package of one variant."""
    from text2qti.config import Config
    from text2qti.qti import QTI
    from text2qti.quiz import Quiz

    pages = [page_of(paper, question, boxed=True) for question in paper.questions]
    points: list[Fraction] = []
    with tempfile.TemporaryDirectory() as folder:
        lines = [f"Quiz title: {plain(paper.heading.title)[:LONGEST]} ({paper.code})"]
        if paper.heading.instructions.strip():
            lines.append(f"Quiz description: {marked(paper.heading.instructions)}")
        lines += ["Show correct answers: false", ""]
        for page in pages:
            picture = Path(folder, f"{page.name}.svg")
            picture.write_text(page.picture.svg, encoding="utf-8")
            lines += _intro(page, picture)
            for part in page.parts:
                points += _points(part)
                lines += _part(page, part)
        quiz = Quiz("\n".join(lines), config=Config())
    _weigh(quiz, points)
    return unpacked(QTI(quiz).zip_bytes())


def _weigh(quiz: "Quiz", points: Sequence[Fraction]) -> None:
    """Give every item its points: the text the library reads has whole and half points only."""
    from text2qti.quiz import Question

    items = [each for each in quiz.questions_and_delims if isinstance(each, Question)]
    for item, worth in zip(items, points, strict=True):
        item.points_possible = _Points(worth)
    quiz.points_possible = _Points(sum(points, Fraction()))


class _Points(Fraction):
    """Points as Canvas reads them: to four decimals, whatever the library asks for."""

    __slots__ = ()

    def __str__(self) -> str:
        return write_number(Fraction(round(self * 10**4), 10**4))

    def __format__(self, specification: str, /) -> str:
        return str(self)


def marked(words: str) -> str:
    """Words as the library reads them back: whatever could be markup or formula is a reference."""
    return "".join(
        sign if sign.isalnum() or sign == " " or ord(sign) > 127 else f"&#{ord(sign)};"
        for sign in plain(words)
    )


def _intro(page: Page, picture: Path) -> list[str]:
    """What stands above the items of a question."""
    alt = page.picture.description.translate({ord(sign): " " for sign in "[]()!\\`*_<>\"'&$~^{}"})
    return [
        f"Text title: {page.heading[:LONGEST]}",
        f"Text: {marked(' '.join(page.conventions)) or marked(page.heading)}",
        "",
        f"{_INDENT}  ![{alt}](<{picture}>)",
        "",
    ]


def _points(part: PagePart) -> list[Fraction]:
    """The points of every item; all alike where some would have none, because Canvas shows them."""
    points = [Fraction(blank.points) for blank in part.blanks.blanks]
    return points if all(points) else [sum(points, Fraction()) / len(points)] * len(points)


def _part(page: Page, part: PagePart) -> list[str]:
    """The items of a part; where there are several, what is asked stands above them."""
    # The code of the variant: equal words would make equal items, and Canvas would keep one of them.
    called = f"{page.label}{part.letter}"
    asked = f"({called}, {page.code}) {part.prompt} {part.blanks.ask}"
    blanks = part.blanks.blanks
    if len(blanks) == 1:
        return _item(called, asked, blanks[0])
    lines = [f"Text title: {called}", f"Text: {marked(asked)}", ""]
    for number, blank in enumerate(blanks, 1):
        lines += _item(f"{called}.{number}", f"({called}.{number}, {page.code}) {blank.label}:", blank)
    return lines


def _item(called: str, asked: str, blank: Blank) -> list[str]:
    if isinstance(blank, Choice) and not blank.several:
        blank = _answerable(blank)
        asked += f" {blank.label}" if isinstance(blank, Box) else ""
    lines = [f"Title: {called}", f"1.  {marked(asked)}"]
    match blank:
        case Box(whole=int(number)) if number:
            lines.append(f"=   {number}")
        case Box():
            lines += [f"*   {spelling}" for spelling in dict.fromkeys(map(plain, blank.spellings))]
        case Choice(several=True):
            lines += [
                f"[{'*' if option.share > 0 else ' '}] {marked(option.text)}" for option in blank.options
            ]
        case Choice():
            rights = [option for option in blank.options if option.share > 0]
            lines += [
                f"{'*' if option is rights[0] else ''}{_lettered(place)}) {marked(option.text)}"
                for place, option in enumerate(blank.options)
            ]
    return [*lines, ""]


def _answerable(choice: Choice) -> Box | Choice:
    """The choice itself, or a box where several options are right: Canvas takes one of them only."""
    rights = tuple(option.text for option in choice.options if option.share > 0)
    if len(rights) == 1:
        return choice
    offered = ", ".join(option.text for option in choice.options)
    return Box(f"Write one of: {offered}.", rights, choice.points)


def _lettered(place: int) -> str:
    """The letter of an option: the library wants one, and does not look which."""
    return chr(ord("a") + place % 26)


# Reading back -------------------------------------------------------------------------------------


def faults(name: str, data: bytes) -> tuple[str, ...]:
    """What is wrong with the package: missing files, names used twice, items without a right answer."""
    del name
    try:
        return tuple(_faults(unpacked(data)))
    except zipfile.BadZipFile as error:
        return (f"is no zip file: {error}",)


def _faults(members: dict[str, bytes]) -> Iterator[str]:
    parsed = {}
    for member, content in members.items():
        if member.endswith((".xml", ".svg")):
            try:
                parsed[member] = ET.fromstring(content)
            except ET.ParseError as error:
                yield f"{member} is not XML: {error}"
    manifest = parsed.get("imsmanifest.xml")
    if manifest is None:
        yield "there is no manifest"
        return
    hrefs = {file.get("href", "") for file in manifest.iter(f"{{{PACKAGE}}}file")}
    for missing in sorted(hrefs - members.keys()):
        yield f"{missing} is in the manifest only"
    names = [each.get("identifier") for each in manifest.iter(f"{{{PACKAGE}}}resource")]
    roots = [(member, root) for member, root in parsed.items() if root.tag == f"{{{ITEMS}}}questestinterop"]
    names += [item.get("ident") for _, root in roots for item in root.iter(f"{{{ITEMS}}}item")]
    if len(names) != len(set(names)):
        yield "a name is used twice, so that Canvas would keep one of the two"
    for member, root in roots:
        for item in root.iter(f"{{{ITEMS}}}item"):
            if item.find(f"{{{ITEMS}}}presentation/{{{ITEMS}}}material/{{{ITEMS}}}mattext") is None:
                yield f"{member}: {item.get('title')} asks nothing"
            if _kind(item) != "text_only_question" and item.find(f".//{{{ITEMS}}}varequal") is None:
                yield f"{member}: {item.get('title')} has no right answer"


def _kind(item: ET.Element) -> str:
    for field in item.iter(f"{{{ITEMS}}}qtimetadatafield"):
        if field.findtext(f"{{{ITEMS}}}fieldlabel") == "question_type":
            return field.findtext(f"{{{ITEMS}}}fieldentry") or ""
    return ""
