"""Papers and exports as they were: a few papers over all formats, held by golden files.

Which sentences stand there `test_complete.py` holds; golden files hold how they are set, with a stand-in
for each. One paper is there in English as well, as plain text.
"""

import html
import io
import json
import re
import textwrap
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pypdf
import pytest

from grader.base.templating import raw_template
from grader.exam.paper import Paper
from grader.publishing.keys import key_pdf
from grader.publishing.lms.page import pages_of
from grader.publishing.paper_formats import PAPER_FORMATS, paper_pdf, paper_text
from grader.publishing.sheet import picture_of
from tests.conftest import Golden
from tests.publishing.lms.exams import exam_of, export_named, unpacked, written
from tests.publishing.papers import paper_of_forms, paper_of_layouts, paper_with_commas
from tests.stand_ins import NUMBERED, numbered, standing_in

GOLDEN = Path(__file__).parent / "golden"

PAPERS: dict[str, Callable[[str], Paper]] = {
    "forms": paper_of_forms,
    "layouts": paper_of_layouts,
    "commas": paper_with_commas,
}


@cache
def paper(name: str) -> Paper:
    """A paper in stand-ins."""
    return PAPERS[name](NUMBERED)


def without_digests(written_as: str, paper: Paper) -> str:
    """A text without what any other wording changes: the checksum of the paper, the name of its quiz."""
    plainly = written_as.replace(paper.public.checksum[:8], "checksum")
    return re.sub("quiz-[0-9a-f]{32}", "quiz", plainly)


def printed_words(data: bytes) -> str:
    """The words of a PDF, page by page."""
    read = (page.extract_text() for page in pypdf.PdfReader(io.BytesIO(data)).pages)
    return "\n\n".join(textwrap.fill(" ".join(page.split()), 100) for page in read) + "\n"


PAPER_WITH_PICTURES = "layouts"
"""The paper whose golden page has its pictures in full: it has every layout."""


def page_in_short(text: str, name: str) -> str:
    """A page with a stand-in for each text that is copied into it: style, script, and most pictures.

    Only what is the same as its source has one; anything else stays.
    """
    for copied in ("html/paper.css", "html/walk.js"):
        text = text.replace(raw_template(copied), f"[{copied}]")
    for question in paper(name).public.questions if name != PAPER_WITH_PICTURES else ():
        if len(question.tree):
            text = text.replace(picture_of(question).svg, f"[picture of question {question.label}]", 1)
    return text


def on_paper(name: str) -> Iterator[tuple[str, str]]:
    """A paper in every format, and its key."""
    for known in PAPER_FORMATS:
        if known.name != "pdf":
            text = known.write(paper(name).public).decode()
            yield known.suffix, page_in_short(text, name) if known.name == "html" else text
    yield ".pdf.txt", printed_words(paper_pdf(paper(name).public))
    yield ".key.txt", printed_words(key_pdf(paper(name)))


_JOINED = re.compile(
    r"\n\s*(?=</?(?:qti-map-entry|qti-value|qti-variable|qti-base-value|qti-map-response|qti-is-null|qti-sum"
    r"|qti-product|qti-default-value|qti-not|qti-outcome-declaration|varequal|field\w+|mattext|outcomes|decvar"
    r"|qtimetadata\w*|conditionvar|setvar|respcondition|render_\w+|response_label|not|material)\b"
    r"|</(?:qti-mapping|qti-correct-response|itemmetadata|response_\w+|presentation|qti-response-declaration"
    r"|qti-response-if|qti-response-condition|qti-set-outcome-value)>)"
)
"""Where a line ends before what is short: metadata, answers and rules of an item have a line each."""

_ANSWERS = re.compile(
    r'(?P<first>(?:<varequal respident="[^"]*">|<qti-map-entry map-key=")(?P<text>[^<"]*)(?P<end>[^>]*>))'
    r'(?:(?:<varequal respident="[^"]*">|<qti-map-entry map-key=")[^<"]*(?P=end))*'
)
"""The accepted answers of one box, one after the other, if they are all worth the same."""

_ANSWER = re.compile(r'(?:<varequal respident="[^"]*">|<qti-map-entry map-key=")([^<"]*)')

_NUMBERED = re.compile(r"([\w.-]+)-0(?:,\1-\d+)+")
"""The identifiers of the answers of a question."""


def item_in_short(text: str, name: str) -> str:
    """Items of a platform on fewer lines, with the first of the answers that a box accepts and their number.

    That platforms accept all of them, `lms/test_complete.py` holds.
    """
    accepted = {
        tuple(map(html.escape, blank.spellings))
        for question in paper(name).questions
        for part in question.parts
        for blank in part.blanks.blanks
    }

    def answers(found: re.Match[str]) -> str:
        texts = tuple(_ANSWER.findall(found[0]))
        is_box = len(texts) > 1 and texts in accepted
        return f"{found['first']} and its other {len(texts) - 1} spellings" if is_box else found[0]

    def identifiers(found: re.Match[str]) -> str:
        every = found[0].split(",")
        counted = [f"{found[1]}-{number}" for number in range(len(every))]
        return f"{every[0]} to {every[-1]}" if every == counted else found[0]

    return _NUMBERED.sub(identifiers, _ANSWERS.sub(answers, _JOINED.sub("", text)))


def on_platforms(name: str) -> Iterator[tuple[str, str]]:
    """A paper as every platform imports it, pictures aside."""
    exam = exam_of(paper(name))
    moodle = re.sub("<file [^>]*>[^<]*</file>", "", written("moodle", exam).decode())
    yield ".moodle.xml", re.sub(r"(?<=>)(?=<(?:p|ul|li|div|text|question|name)\b)", "\n", moodle)
    items = [
        data for name, data in sorted(unpacked(written("qti3", exam)).items()) if name.startswith("items/")
    ]
    items_joined = b"\n".join(data for data in items if data.startswith(b"<?xml")).decode()
    yield ".qti3.xml", item_in_short(items_joined, name)
    (quiz,) = [data for data in unpacked(written("canvas", exam)).values() if b"<questestinterop" in data]
    yield ".canvas.xml", item_in_short(quiz.decode(), name)
    variants = [
        json.loads(piece.texts[0])["params"]
        for piece in export_named("prairielearn").make_pieces(paper(name), pages_of(paper(name)))
    ]
    shown = [{field: value for field, value in each.items() if field != "picture"} for each in variants]
    yield ".prairielearn.json", json.dumps(shown, indent=1, ensure_ascii=False) + "\n"


CASES = [(name, on_paper) for name in PAPERS] + [(name, on_platforms) for name in ("forms", "commas")]
"""Papers and how they are set; platforms lay nothing out."""


ON_PAPER = (*(known.suffix for known in PAPER_FORMATS if known.name != "pdf"), ".pdf.txt", ".key.txt")
ON_PLATFORMS = (".moodle.xml", ".qti3.xml", ".canvas.xml", ".prairielearn.json")
ENGLISH = "english.txt"

FILES = [
    ENGLISH,
    *(
        f"{name}{suffix}"
        for name, made in CASES
        for suffix in (ON_PAPER if made is on_paper else ON_PLATFORMS)
    ),
]
"""Every golden file."""


@pytest.mark.parametrize(("name", "made"), CASES)
def test_papers_are_set_as_they_were(
    name: str, made: Callable[[str], Iterator[tuple[str, str]]], golden: Golden
) -> None:
    """Papers with every form of answers, every layout and decimal commas are set as their files have it."""
    with standing_in():
        for suffix, written_as in made(name):
            golden.hold(GOLDEN / f"{name}{suffix}", numbered(without_digests(written_as, paper(name))))


def test_a_paper_in_english(golden: Golden) -> None:
    """A paper with every form of answers reads in English as its file does."""
    golden.hold(GOLDEN / ENGLISH, paper_text(paper_of_forms().public).decode())
