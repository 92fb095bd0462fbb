"""Feedback pages as files: HTML, Markdown and PDF, one page for every student."""

import errno
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache, partial
from itertools import filterfalse
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment
from markupsafe import Markup

from grader.base.files import FileLockedError, lock_file, write_file
from grader.base.progress import OnProgress
from grader.base.punctuation import punctuation
from grader.base.templating import html_environment, raw_template, text_environment
from grader.exam.assignment import slug
from grader.grading.exam_keys import ExamKeys, hash_texts
from grader.grading.gradebook_exports import Rounding
from grader.grading.gradebook_store import Gradebook
from grader.grading.records import BlankPolicy
from grader.grading.results import Result, results
from grader.pictures.typesetting import typeset
from grader.publishing.feedback_pages import feedback_page
from grader.publishing.missing_fonts import sample_sentence, student_label, unprintable_warnings
from grader.publishing.paper_formats import Format, escape_markdown
from grader.publishing.parallel import ParallelMap, batches, in_turn
from grader.publishing.printed_picture import printed_picture
from grader.scanning.crops import Scans
from grader.tables.csv_writing import csv_bytes
from grader.tables.formulas import guard_formula
from grader.tables.student_directory import Student

SHARD = 10
"""The students in one task of a process."""

PAGE_SECONDS = 0.02
"""The time one process needs for a page in one format."""


def feedback_html(page: dict[str, Any]) -> bytes:
    """Render a self-contained HTML page."""
    pictures = {each["label"]: Markup(each["drawing"].svg) for each in page["questions"] if each["drawing"]}
    template = html_environment().get_template("feedback/page.html.j2")
    return template.render(page=page, pictures=pictures, style=raw_template("feedback/page.css")).encode()


def feedback_markdown(page: dict[str, Any]) -> bytes:
    """Render the page as Markdown, with the trees in characters."""
    # An outline must not end the fence around it.
    outlines = {each["label"]: Markup(each["outline"].replace("```", "'''")) for each in page["questions"]}
    template = _words().get_template("feedback/page.md.j2")
    signs = punctuation(page["language"])
    return template.render(page=page, outlines=outlines, signs=signs, as_address=Markup).encode()


def feedback_pdf(page: dict[str, Any]) -> bytes:
    """Render the page as PDF/UA-1."""
    questions = [
        {**question, "drawing": question["drawing"] and printed_picture(question["drawing"])}
        for question in page["questions"]
    ]
    return typeset("feedback", {**page, "questions": questions})


@cache
def _words() -> Environment:
    return text_environment(escape_markdown, keep_trailing_newline=True)


FEEDBACK_FORMATS = (
    Format("html", ".html", feedback_html),
    Format("markdown", ".md", feedback_markdown),
    Format("pdf", ".pdf", feedback_pdf),
)
"""Every format; a new one is one function and one line here, and its place in `_MAIL_ORDER`."""

_MAIL_ORDER = (".html", ".pdf", ".md")
"""The suffixes of the formats, the one that students can open best first."""


@dataclass(frozen=True, slots=True)
class FeedbackResult:
    """The pages that were written.

    - `count`: the number of students with a page.
    - `absent`: the identifiers of students without a page, because they handed in nothing.
    - `unresolved`: the number of parts without points yet, and of students with such parts.
    - `notes`: warnings about characters that no font can print.
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
    blank: BlankPolicy = "zero",
    scans: Scans | None = None,
    practice: str = "",
    run: ParallelMap = in_turn,
    tell: OnProgress = lambda _pages: None,
) -> FeedbackResult:
    """Write a page for every student, or for those given. Raises `OSError`.

    `practice` is the address of a practice page, to which misconceptions link.

    A student who handed in nothing gets no released page: a resit may ask the same.
    Its name is readable, safe in every file system, and hard to guess. It replaces all pages of the student
    in this folder, so that none is left in another format that reveals more.
    The folder is locked meanwhile; files left by a run that was killed are removed.
    """
    count, absent, lacking = 0, list[str](), list[int]()
    words: dict[str, set[str]] = {"the language": {sample_sentence(exam_keys.heading)}}
    prints, secret = "pdf" in formats, exam_keys.keys_hash

    def shards() -> Iterator[_Shard]:
        """Yield the chosen students in groups, each with the keys and scans that it needs."""
        wanted = (
            (feedback_stem(secret, result.student), result)
            for result in results(book, exam_keys)
            if students is None or result.student.identifier in students
        )
        for batch in batches(wanted, SHARD):
            codes = {code for _, result in batch for code in result.variants}
            yield _Shard(exam_keys.needed_for(codes), scans and scans.needed_for(codes), batch)

    try:
        with lock_file(folder / ".writing"):
            unfinished = {path.name[1:].partition(".")[0]: path for path in folder.glob(".*.part")}
            work = partial(_write_shard, folder, formats, released, blank, practice, unfinished)
            for written in run(work, shards()):
                for each in written:
                    tell(1)
                    count += not each.absent
                    absent += [each.student] if each.absent else []
                    lacking += filter(None, [each.unresolved])
                    for name, found in each.words.items():
                        words.setdefault(name, set()).update(found)
    except FileLockedError:
        raise OSError(errno.EBUSY, "another program is writing pages there", str(folder)) from None
    texts = {name: " ".join(sorted(found)) for name, found in words.items()}
    notes = tuple(unprintable_warnings(texts, "write the pages again")) if prints else ()
    return FeedbackResult(count, tuple(absent), (sum(lacking), len(lacking)), notes)


class _Shard(NamedTuple):
    """A batch of results with the names of their files, and the data for their pages."""

    exam_keys: ExamKeys
    scans: Scans | None
    results: tuple[tuple[str, Result], ...]


class _WrittenPage(NamedTuple):
    """The outcome for one student; an absent one has no page.

    - `unresolved`: the number of parts without points yet.
    - `words`: where they are -> words that a font may lack; only if the page is printed.
    """

    student: str
    absent: bool
    unresolved: int = 0
    words: Mapping[str, Set[str]] = {}


def _write_shard(
    folder: Path,
    formats: Sequence[str],
    released: bool,
    blank: BlankPolicy,
    practice: str,
    unfinished: Mapping[str, Path],
    shard: _Shard,
) -> list[_WrittenPage]:
    """Write the pages of a batch; `unfinished` has the files of a run that was killed, by stem.

    After release a student who handed in nothing has no page, and an earlier one is removed.
    """
    written = []
    for stem, result in shard.results:
        student = result.student
        if stem in unfinished:
            unfinished[stem].unlink(missing_ok=True)
        if released and result.is_absent:
            _replace(folder, stem, {}, ())
            written.append(_WrittenPage(student.identifier, True))
            continue
        rounding = Rounding(blank=blank, missing=shard.exam_keys.missing)
        page = feedback_page(
            shard.exam_keys, result, rounding, released=released, scans=shard.scans, practice=practice
        )
        _replace(folder, stem, page, formats)
        words: dict[str, set[str]] = {}
        for name, text in _texts(page, student) if "pdf" in formats else ():
            words.setdefault(name, set()).update(filterfalse(str.isascii, text.split()))
        written.append(_WrittenPage(student.identifier, False, len(result.unresolved("zero")), words))
    return written


def _texts(page: dict[str, Any], student: Student) -> Iterator[tuple[str, str]]:
    """Yield the texts on a page that people wrote, each with its label in warnings."""
    yield "the title", page["exam"]
    yield student_label(student), page["name"]
    for question in page["questions"]:
        question_name = f"question {question['label']}"
        drawn_texts = question["drawing"].drawing.texts if question["drawing"] else ()
        yield question_name, " ".join((question["heading"], *(each.words for each in drawn_texts)))
        for part in question["parts"]:
            yield question_name, part["prompt"]
            yield student_label(student), " ".join((*part["reply"], part["read_as"], part["by_hand"]))


def feedback_stem(secret: str, student: Student) -> str:
    """Return the stem of a student's files, which cannot be guessed without the secret of the exam."""
    return f"{slug(student.name)}-{hash_texts(secret, student.identifier)[:16]}"


def feedback_files(book: Gradebook, exam_keys: ExamKeys, folder: Path) -> Mapping[Path, Student]:
    """Return the pages in a folder, in all formats, each with its student, in the order of the class list."""
    files = {}
    for result in results(book, exam_keys):
        stem = feedback_stem(exam_keys.keys_hash, result.student)
        for known in FEEDBACK_FORMATS:
            if (path := folder / f"{stem}{known.suffix}").is_file():
                files[path] = result.student
    return files


def feedback_list(files: Mapping[Path, Student]) -> bytes:
    """Return the table of students with a page, a row for each: it belongs to the grades, not to the pages.

    `file` is the page to send: HTML if there is one, otherwise PDF, otherwise Markdown. Pages in other
    formats have a column for each, named like the format.
    """
    names: dict[Student, dict[str, str]] = {}
    for path, student in files.items():
        names.setdefault(student, {})[path.suffix] = path.name
    main = {student: min(found, key=_MAIL_ORDER.index) for student, found in names.items()}
    others = [
        known
        for known in FEEDBACK_FORMATS
        if any(known.suffix in found and known.suffix != main[student] for student, found in names.items())
    ]
    rows: list[list[str]] = []
    for student, found in names.items():
        further = {suffix: name for suffix, name in found.items() if suffix != main[student]}
        cells = [student.identifier, student.name, student.email, found[main[student]]]
        cells += [further.get(known.suffix, "") for known in others]
        rows.append([*map(guard_formula, cells)])
    return csv_bytes([("id", "name", "email", "file", *(known.name for known in others)), *rows])


def _replace(folder: Path, stem: str, page: dict[str, Any], formats: Sequence[str]) -> None:
    """Write the page of one student in these formats, after removing it in all others."""
    for known in FEEDBACK_FORMATS:
        if known.name not in formats:
            (folder / f"{stem}{known.suffix}").unlink(missing_ok=True)
    for known in FEEDBACK_FORMATS:
        if known.name in formats:
            write_file(folder / f"{stem}{known.suffix}", known.write(page))
