"""Papers and exports as they were: a few papers over all formats, held by golden files.

Which sentences stand there `test_complete.py` holds; golden files hold how they are set, with a stand-in
for each. One paper is there in English as well, as plain text.
"""

import io
import json
import re
import textwrap
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pypdf
import pytest

from grader.exam.paper import Paper
from grader.publishing.keys import key_pdf
from grader.publishing.lms.page import pages_of
from grader.publishing.paper_formats import PAPER_FORMATS, paper_pdf, paper_text
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


def on_paper(name: str) -> Iterator[tuple[str, str]]:
    """A paper in every format, and its key."""
    for known in PAPER_FORMATS:
        if known.name != "pdf":
            yield known.suffix, known.write(paper(name).public).decode()
    yield ".pdf.txt", printed_words(paper_pdf(paper(name).public))
    yield ".key.txt", printed_words(key_pdf(paper(name)))


_JOINED = re.compile(
    r"\n\s*(?=</?(?:qti-map-entry|qti-value|qti-variable|qti-base-value|varequal|fieldlabel|fieldentry|mattext)\b"
    r"|</(?:qti-mapping|qti-correct-response|qtimetadatafield|material|response_label|not|qti-default-value)>"
    r"|<material>)"
)
"""Where a line ends before what is short: accepted answers, fields and options stand on one line."""


def on_platforms(name: str) -> Iterator[tuple[str, str]]:
    """A paper as every platform imports it, pictures aside."""
    exam = exam_of(paper(name))
    moodle = re.sub("<file [^>]*>[^<]*</file>", "", written("moodle", exam).decode())
    yield ".moodle.xml", re.sub(r"(?<=>)(?=<(?:p|ul|li|div|text|question|name)\b)", "\n", moodle)
    items = [
        data for name, data in sorted(unpacked(written("qti3", exam)).items()) if name.startswith("items/")
    ]
    items_joined = b"\n".join(data for data in items if data.startswith(b"<?xml")).decode()
    yield ".qti3.xml", _JOINED.sub("", items_joined)
    (quiz,) = [data for data in unpacked(written("canvas", exam)).values() if b"<questestinterop" in data]
    yield ".canvas.xml", _JOINED.sub("", quiz.decode())
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
