"""Moodle XML: a cloze question for every variant, in a category for each question."""

import base64
import hashlib
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from fractions import Fraction
from functools import lru_cache
from tempfile import TemporaryFile
from typing import IO, BinaryIO

from grader.answers.blank import Blank
from grader.base.numbers import write_number
from grader.exam.manifest import Exam
from grader.exam.paper import Paper
from grader.grading.moodle_cells import signature
from grader.publishing.lms.page import Page, PageTexts, drop_known_pages, page_body, weights_of
from grader.publishing.lms.xml_elements import Element, element, html_element
from grader.publishing.sheet import plain

FILE = "moodle.xml"

MAX_NAME_LENGTH = 200
"""The longest name, in characters: Moodle's column has 255, and some count as two."""

_KNOWN = (
    "1 0.9 0.8333333 0.8 0.75 0.7 0.6666667 0.6 0.5 0.4 0.3333333 "
    "0.3 0.25 0.2 0.1666667 0.1428571 0.125 0.1111111 0.1 0.05"
)
FRACTIONS = tuple(map(Fraction, _KNOWN.split()))
"""The fractions of a grade that Moodle accepts; any other stops the import. Taken from Moodle 4.5."""

BOX_WIDTH = 60
"""The width of every box, Moodle's greatest: a box is as wide as its longest answer, which must not show."""

WHOLE_NUMBER_WIDTH = 12
"""The width of a box for a whole number; Moodle may write a longer number in another way."""

SHARE_TOLERANCE = Fraction(1, 10**6)
"""The tolerance of a share: Moodle's fractions have seven digits."""

ESCAPES = {ord(sign): f"&#{ord(sign)};" for sign in "&<>\"'{}#~=%/\\*:@[]$"}
"""Characters with a meaning in HTML or in a cloze blank -> the HTML reference, which is safe in both.

A reference is better than a backslash: Moodle removes only some backslashes, and it reads
a `~` or `}` after the reference `&amp;` as text.
"""

_MARK = re.compile("\ue000(\\d+)\ue001")
"""The place of a blank; no text has these characters, because `plain` replaces private ones."""


def make_pieces(paper: Paper, pages: Sequence[Page]) -> tuple[PageTexts, ...]:
    """Make the questions of a paper."""
    del paper
    return tuple(PageTexts.of(page, _line(_question(page))) for page in pages)


@contextmanager
def open_export(exam: Exam, file: BinaryIO) -> Iterator[Callable[[Sequence[PageTexts]], None]]:
    """Write one file with all questions; a quiz with random questions of a category draws variants."""
    known = set[tuple[str, str]]()
    with ExitStack() as stack:
        categories: dict[str, IO[bytes]] = {}

        def add(pieces: Sequence[PageTexts]) -> None:
            """Append the pages that are new to the temporary file of their category."""
            for each in drop_known_pages(pieces, known):
                if each.label not in categories:
                    categories[each.label] = stack.enter_context(TemporaryFile())
                    category = _category(exam.heading.title, each.label, each.title)
                    categories[each.label].write(_line(category))
                categories[each.label].write(each.texts[0])

        yield add
        file.write(b'<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n')
        for category in categories.values():
            category.seek(0)
            shutil.copyfileobj(category, file)
        file.write(b"</quiz>\n")


def _line(root: Element) -> bytes:
    return root.encode() + b"\n"


def _category(exam: str, label: str, title: str) -> Element:
    """Return a category below the one of the exam; a slash in a name is doubled."""
    name = plain(f"{label}. {title}" if title else label)
    path = "/".join(plain(part)[:MAX_NAME_LENGTH].replace("/", "//") for part in (exam, name))
    identity = hashlib.sha256(f"{exam}\0{label}".encode()).hexdigest()[:12]
    return element(
        "question",
        element("category", element("text", f"$course$/top/{path}")),
        element("info", element("text"), format="html"),
        element("idnumber", f"gametree-{identity}-{label}"),
        type="category",
    )


def _question(page: Page) -> Element:
    """Return the cloze question of a page, with its picture inside and the keys as feedback."""
    picture = f"tree-{page.question.label}-{page.paper.code}.svg"
    files = []
    if page.picture is not None:
        encoded = base64.b64encode(page.picture.svg.encode()).decode()
        files.append(element("file", encoded, name=picture, path="/", encoding="base64"))
    question_text = element("text", _html(page, f"@@PLUGINFILE@@/{picture}"))
    keys = [(part.sheet.letter, plain(part.exercise.printed_key)) for part in page.parts]
    key_text = " ".join(f"({letter}) {key}" if letter else key for letter, key in keys)
    return element(
        "question",
        element("name", element("text", page.heading[:MAX_NAME_LENGTH])),
        element("questiontext", question_text, *files, format="html"),
        element("generalfeedback", element("text", _escaped(key_text)), format="html"),
        element("penalty", "0"),
        element("hidden", "0"),
        element("idnumber", page.name),
        type="cloze",
    )


def _html(page: Page, picture: str) -> str:
    """Return the text of the question in HTML, with its blanks in cloze notation."""
    blanks: list[Blank] = []

    def mark(blank: Blank) -> Element:
        blanks.append(blank)
        return html_element("span", f"\ue000{len(blanks) - 1}\ue001")

    signature_line = html_element("p", signature(page.question.label, page.paper.code))
    html = "".join([*page_body(page.with_boxes, picture, mark, html_element), signature_line])
    html = html.replace("{", "&#123;").replace("}", "&#125;")
    weights = weights_of([blank.points for blank in blanks])
    clozes = [cloze(*each) for each in zip(blanks, weights, strict=True)]
    return _MARK.sub(lambda mark_found: clozes[int(mark_found[1])], html)


def cloze(blank: Blank, weight: int) -> str:
    """Return a blank in Moodle's notation; an answer that earns nothing gives a box its width."""
    if blank.allows_several:
        options = "~".join(f"{_percent(option.share)}{_option(option.text)}" for option in blank.options)
        return f"{{{weight}:MULTIRESPONSE:{options}}}"
    if blank.options:
        options = "~".join(f"{'=' if option.share else ''}{_option(option.text)}" for option in blank.options)
        return f"{{{weight}:MULTICHOICE:{options}}}"
    if (number := blank.whole_number) is not None:
        return f"{{{weight}:NUMERICAL:={number}:0~%0%{10 ** (WHOLE_NUMBER_WIDTH - 1)}:0}}"
    right = "~".join(f"={_spelling(text)}" for text in blank.spellings)
    return f"{{{weight}:SHORTANSWER:{right}~%0%{'_' * BOX_WIDTH}}}"


def _spelling(text: str) -> str:
    """Escape an answer to type: an asterisk without a backslash is a wildcard.

    Moodle removes one backslash before a `}` or `#`, so it is doubled there.
    """
    for sign in "}#":
        text = text.replace(f"\\{sign}", f"\\\\{sign}")
    return _escaped(text.replace("*", "\\*"))


def _option(text: str) -> str:
    """Escape an option to choose, twice: Moodle resolves one layer of references, and the rest is HTML."""
    return _escaped(_escaped(text))


def _escaped(text: str) -> str:
    return text.translate(ESCAPES)


@lru_cache(maxsize=1024)
def _percent(share: Fraction) -> str:
    """Return what an option earns or costs, as a fraction that Moodle accepts.

    A cost is rounded up, so that it never pays to tick everything. A share without a fraction near enough
    is written as a whole: Moodle, at least from 4.0 on, divides correct options by their sum.
    """
    if not share:
        return ""
    if share < 0:
        return (
            f"%-{write_number(min(known for known in FRACTIONS if known >= -share - SHARE_TOLERANCE) * 100)}%"
        )
    nearest = min(FRACTIONS, key=lambda known: abs(known - share))
    return f"%{write_number(nearest * 100)}%" if abs(nearest - share) <= SHARE_TOLERANCE else "="
