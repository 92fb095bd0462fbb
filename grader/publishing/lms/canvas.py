"""QTI 1.2 as Canvas imports it: a quiz for every variant, in one file, made with the library text2qti."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import TYPE_CHECKING, BinaryIO
from xml.etree import ElementTree as ET
from zipfile import ZipFile

from grader.answers.blank import Blank, Box, Choice
from grader.base.numbers import write_number
from grader.exam.manifest import Exam
from grader.exam.paper import Paper
from grader.publishing.lms.page import Page, PagePart
from grader.publishing.lms.zipping import Package, faults_of
from grader.publishing.sheet import plain

if TYPE_CHECKING:
    from text2qti.quiz import Quiz

FILE = "canvas.zip"

LONGEST = 200
"""The most characters of a title."""

PACKAGE = "http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1"
ITEMS = "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"

_RESOURCES = re.compile("(?<=<resources>)|(?=</resources>)")
_DATE = re.compile("<imsmd:dateTime>[^<]*<")

TICKS = "A wrong tick takes away as much as a right one earns (never below 0)."
"""How Canvas marks boxes to tick, whatever the policy."""

_INDENT = " " * 4


@dataclass(frozen=True, slots=True)
class Variant:
    """The quiz of a variant: its manifest, and the members of its package beside that."""

    manifest: str
    members: tuple[tuple[str, bytes], ...]


def pieces(paper: Paper, pages: Sequence[Page]) -> Variant:
    """The quiz of a paper."""
    from text2qti.config import Config
    from text2qti.qti import QTI
    from text2qti.quiz import Quiz

    points: list[Fraction] = []
    with TemporaryDirectory() as folder:
        lines = [f"Quiz title: {plain(paper.heading.title)[:LONGEST]} ({paper.code})"]
        if paper.heading.instructions.strip():
            lines.append(f"Quiz description: {marked(paper.heading.instructions)}")
        lines += ["Show correct answers: false", ""]
        for page in (page.boxed for page in pages):
            picture = Path(folder, f"{page.name}.svg")
            picture.write_text(page.picture.svg, encoding="utf-8")
            lines += _intro(page, picture)
            for part in page.parts:
                points += _points(part)
                lines += _part(page, part)
        quiz = Quiz("\n".join(lines), config=Config())
    _weigh(quiz, points)
    made = QTI(quiz)
    name = made.assessment_identifier
    members = [
        (f"{name}/assessment_meta.xml", made.assessment_meta.encode()),
        (f"{name}/{name}.xml", made.assessment.encode()),
        *((image.qti_zip_path, image.data) for image in quiz.images.values()),
    ]
    return Variant(made.imsmanifest_xml, tuple(members))


@contextmanager
def joined(exam: Exam, file: BinaryIO) -> Iterator[Callable[[Variant], None]]:
    """One file to import; Canvas makes a quiz of every variant in it.

    Canvas has no question with several blanks here, so every blank is an item; what they are
    about stands above them, with the picture.
    """
    del exam
    head = tail = ""
    with Package(file) as package, TemporaryFile() as resources:
        package.add("non_cc_assessments/", b"")

        def add(made: Variant) -> None:
            nonlocal head, tail
            head, own, tail = _RESOURCES.split(made.manifest)
            resources.write(own.encode())
            for name, data in made.members:
                package.add(name, data)

        yield add
        resources.seek(0)
        # The library writes the day on which it runs.
        head = _DATE.sub("<imsmd:dateTime>1980-01-01<", head)
        package.add("imsmanifest.xml", chain((head.encode(),), resources, (tail.encode(),)))


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
    blanks = part.blanks.blanks
    ticks = any(isinstance(blank, Choice) and blank.several for blank in blanks)
    asked = f"({called}, {page.code}) {part.filled(TICKS if ticks else '')}"
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


def faults(file: BinaryIO) -> Iterator[str]:
    """What is wrong with the package: missing files, names used twice, items without a right answer."""
    return faults_of(file, _faults)


def _faults(package: ZipFile) -> Iterator[str]:
    members = set(package.namelist())
    if "imsmanifest.xml" not in members:
        yield "there is no manifest"
        return
    names: list[str | None] = []
    for member in package.namelist():
        if not member.endswith((".xml", ".svg")):
            continue
        try:
            root = ET.fromstring(package.read(member))
        except ET.ParseError as error:
            yield f"{member} is not XML: {error}"
            continue
        if member == "imsmanifest.xml":
            names += [each.get("identifier") for each in root.iter(f"{{{PACKAGE}}}resource")]
            hrefs = {file.get("href", "") for file in root.iter(f"{{{PACKAGE}}}file")}
            yield from (f"{missing} is in the manifest only" for missing in sorted(hrefs - members))
        if root.tag == f"{{{ITEMS}}}questestinterop":
            names += [item.get("ident") for item in root.iter(f"{{{ITEMS}}}item")]
            yield from (f"{member}: {wrong}" for wrong in _wrong_items(root))
    if len(names) != len(set(names)):
        yield "a name is used twice, so that Canvas would keep one of the two"


def _wrong_items(quiz: ET.Element) -> Iterator[str]:
    for item in quiz.iter(f"{{{ITEMS}}}item"):
        if item.find(f"{{{ITEMS}}}presentation/{{{ITEMS}}}material/{{{ITEMS}}}mattext") is None:
            yield f"{item.get('title')} asks nothing"
        if _kind(item) != "text_only_question" and item.find(f".//{{{ITEMS}}}varequal") is None:
            yield f"{item.get('title')} has no right answer"


def _kind(item: ET.Element) -> str:
    for field in item.iter(f"{{{ITEMS}}}qtimetadatafield"):
        if field.findtext(f"{{{ITEMS}}}fieldlabel") == "question_type":
            return field.findtext(f"{{{ITEMS}}}fieldentry") or ""
    return ""
