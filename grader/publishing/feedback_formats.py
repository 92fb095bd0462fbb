"""Feedback pages as files: HTML, Markdown and PDF, one page for every student."""

import errno
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache, partial
from itertools import filterfalse
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment
from markupsafe import Markup

from grader.base.files import HeldError, holding, write_file
from grader.base.templating import as_it_is, letters, markup
from grader.exam.assigning import slug
from grader.grading.exam_keys import ExamKeys, digest
from grader.grading.gradebook import Gradebook
from grader.grading.gradebook_exports import Rounding
from grader.grading.records import Blank
from grader.grading.results import Result, results
from grader.publishing.feedback_pages import make_page
from grader.publishing.missing_fonts import boxed, called, sample
from grader.publishing.paper_formats import Format, markdown_words
from grader.publishing.parallel import Run, batches, in_turn
from grader.publishing.printed_picture import printed
from grader.publishing.typesetting import typeset
from grader.scanning.crops import Scans
from grader.tables.whose_row import Student

SHARD = 10
"""The students whose pages a process writes in one go."""

PAGE_SECONDS = 0.02
"""How long one process takes for a page in one format."""


def html(page: dict[str, Any]) -> bytes:
    """One HTML page that needs nothing else."""
    pictures = {each["label"]: Markup(each["drawing"].svg) for each in page["questions"] if each["drawing"]}
    template = markup().get_template("feedback/page.html.j2")
    return template.render(page=page, pictures=pictures, style=as_it_is("feedback/page.css")).encode()


def markdown(page: dict[str, Any]) -> bytes:
    """The same as Markdown, with the trees in characters."""
    # None of the characters can end the fence that they stand in.
    outlines = {each["label"]: Markup(each["outline"].replace("```", "'''")) for each in page["questions"]}
    return _words().get_template("feedback/page.md.j2").render(page=page, outlines=outlines).encode()


def pdf(page: dict[str, Any]) -> bytes:
    """The same as PDF/UA-1."""
    questions = [
        {**question, "drawing": question["drawing"] and printed(question["drawing"])}
        for question in page["questions"]
    ]
    return typeset("feedback", {**page, "questions": questions})


@cache
def _words() -> Environment:
    return letters(markdown_words, keep_trailing_newline=True)


FORMATS = (Format("html", ".html", html), Format("markdown", ".md", markdown), Format("pdf", ".pdf", pdf))
"""Every format; another one is one function and one line here."""


@dataclass(frozen=True, slots=True)
class Written:
    """Whose pages were written.

    - `count`: how many students have a page.
    - `absent`: the identifiers of those who have none since they have handed in nothing.
    - `unresolved`: how many parts of how many of these students have no points yet.
    - `notes`: what prints as boxes for want of a font on this machine.
    """

    count: int
    absent: tuple[str, ...]
    unresolved: tuple[int, int]
    notes: tuple[str, ...] = ()


def write_feedback(
    book: Gradebook,
    exam_keys: ExamKeys,
    folder: Path,
    *,
    formats: Sequence[str] = ("html", "markdown"),
    students: frozenset[str] | None = None,
    released: bool = False,
    blank: Blank = "zero",
    scans: Scans | None = None,
    run: Run = in_turn,
    tell: Callable[[int], None] = lambda _pages: None,
) -> Written:
    """Write a page for every student, or for some. Raises `OSError`.

    Who has handed in nothing gets no released page: a resit may ask the same.
    Its name is readable, safe in every file system, and not to be guessed by others. It replaces every page
    that the student has in this folder, so that none is left in another format that tells more than this one.
    Nobody else writes into the folder meanwhile; what a run that was killed has left there is cleared away.
    """
    count, absent, lacking = 0, list[str](), list[int]()
    words: dict[str, set[str]] = {"the language": {sample(exam_keys.heading)}}
    prints, secret = "pdf" in formats, exam_keys.secret

    def shards() -> Iterator[_Shard]:
        wanted = (
            (feedback_stem(secret, result.student), result)
            for result in results(book, exam_keys)
            if students is None or result.student.identifier in students
        )
        for some in batches(wanted, SHARD):
            codes = {code for _, result in some for code in result.variants}
            yield _Shard(exam_keys.needed_for(codes), scans and scans.needed_for(codes), some)

    try:
        with holding(folder / ".writing"):
            left = {path.name[1:].partition(".")[0]: path for path in folder.glob(".*.part")}
            work = partial(_write_shard, folder, formats, released, blank, left)
            for written in run(work, shards()):
                for each in written:
                    tell(1)
                    count += not each.absent
                    absent += [each.student] if each.absent else []
                    lacking += filter(None, [each.unresolved])
                    for name, found in each.words.items():
                        words.setdefault(name, set()).update(found)
    except HeldError:
        raise OSError(errno.EBUSY, "another program is writing pages there", str(folder)) from None
    texts = {name: " ".join(sorted(found)) for name, found in words.items()}
    notes = tuple(boxed(texts, "write the pages again")) if prints else ()
    return Written(count, tuple(absent), (sum(lacking), len(lacking)), notes)


class _Shard(NamedTuple):
    """Some students' results with the names of their files, and what their pages need."""

    exam_keys: ExamKeys
    scans: Scans | None
    results: tuple[tuple[str, Result], ...]


class _WrittenPage(NamedTuple):
    """What became of a student's page: none is written for one who is absent.

    - `unresolved`: how many parts have no points yet.
    - `words`: those that a font may lack, by where they stand; only of what is printed.
    """

    student: str
    absent: bool
    unresolved: int = 0
    words: Mapping[str, Set[str]] = {}


def _write_shard(
    folder: Path,
    formats: Sequence[str],
    released: bool,
    blank: Blank,
    left: Mapping[str, Path],
    shard: _Shard,
) -> list[_WrittenPage]:
    """Write the pages of some students; `left` is what a run that was killed has left of whose page."""
    written = []
    for stem, result in shard.results:
        student = result.student
        if stem in left:
            left[stem].unlink(missing_ok=True)
        if released and result.absent:
            _replace(folder, stem, {}, ())
            written.append(_WrittenPage(student.identifier, True))
            continue
        page = make_page(shard.exam_keys, result, Rounding(blank=blank), released=released, scans=shard.scans)
        _replace(folder, stem, page, formats)
        words: dict[str, set[str]] = {}
        for name, text in _texts(page, student) if "pdf" in formats else ():
            words.setdefault(name, set()).update(filterfalse(str.isascii, text.split()))
        written.append(_WrittenPage(student.identifier, False, len(result.unresolved("zero")), words))
    return written


def _texts(page: dict[str, Any], student: Student) -> Iterator[tuple[str, str]]:
    """What stands on a page that people have written: what to call it, and the text."""
    yield "the title", page["exam"]
    yield called(student), page["name"]
    for question in page["questions"]:
        asked = f"question {question['label']}"
        drawn = question["drawing"].drawing.texts if question["drawing"] else ()
        yield asked, " ".join((question["heading"], *(each.words for each in drawn)))
        for part in question["parts"]:
            yield asked, part["prompt"]
            yield called(student), " ".join((*part["reply"], part["by_hand"]))


def feedback_stem(secret: str, student: Student) -> str:
    """What the files of a student are called, which nobody can guess who does not know the exam's secret."""
    return f"{slug(student.name)}-{digest(secret, student.identifier)[:16]}"


def _replace(folder: Path, stem: str, page: dict[str, Any], formats: Sequence[str]) -> None:
    """Write the page of one student in these formats, after those of all others are gone."""
    for known in FORMATS:
        if known.name not in formats:
            (folder / f"{stem}{known.suffix}").unlink(missing_ok=True)
    for known in FORMATS:
        if known.name in formats:
            write_file(folder / f"{stem}{known.suffix}", known.write(page))
