"""Feedback pages as files: HTML, Markdown and PDF, one page for every student."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path

from jinja2 import Environment
from markupsafe import Markup

from grader.base.files import write_file
from grader.base.shipped import shipped
from grader.base.templating import letters, markup
from grader.exam.assigning import slug
from grader.grading.exam_keys import ExamKeys, digest
from grader.grading.gradebook import Gradebook
from grader.grading.gradebook_exports import Rounding
from grader.grading.records import Blank
from grader.grading.results import Result, results
from grader.publishing.feedback_pages import Page, make_page
from grader.publishing.pages import markdown_words
from grader.publishing.typesetting import typeset
from grader.tables.whose_row import Student


def html(page: Page) -> bytes:
    """One HTML page that needs nothing else."""
    style = (shipped("templates") / "feedback" / "page.css").read_text(encoding="utf-8")
    pictures = {question.label: Markup(question.drawing.svg) for question in page.questions}
    template = markup().get_template("feedback/page.html.j2")
    return template.render(page=page, pictures=pictures, style=Markup(style)).encode()


def markdown(page: Page) -> bytes:
    """The same as Markdown, with the trees in characters."""
    outlines = {question.label: Markup(_fenced(question.outline)) for question in page.questions}
    return _words().get_template("feedback/page.md.j2").render(page=page, outlines=outlines).encode()


def pdf(page: Page) -> bytes:
    """The same as PDF/UA-1."""
    data = asdict(replace(page, questions=()))
    data["questions"] = [
        {
            **{name: getattr(question, name) for name in ("label", "heading", "worth")},
            "picture": {
                "svg": question.drawing.svg,
                "alt": question.drawing.description,
                "width": question.drawing.width,
                "height": question.drawing.height,
            },
            "parts": [asdict(part) for part in question.parts],
        }
        for question in page.questions
    ]
    return typeset("feedback", data)


def _fenced(text: str) -> str:
    """Characters inside a fence of Markdown; none of them can end it."""
    return text.replace("```", "'''")


@cache
def _words() -> Environment:
    return letters(markdown_words, keep_trailing_newline=True)


@dataclass(frozen=True, slots=True)
class Format:
    """A format in which feedback is written."""

    name: str
    suffix: str
    write: Callable[[Page], bytes]


FORMATS = (Format("html", ".html", html), Format("markdown", ".md", markdown), Format("pdf", ".pdf", pdf))
"""Every format; another one is one function and one line here."""


def file_stem(student: Student, secret: str) -> str:
    """The name of a student's files: readable, safe in every file system, not to be guessed by others."""
    return f"{slug(student.name)}-{digest(secret, student.identifier)[:16]}"


def write_feedback(
    book: Gradebook,
    exam_keys: ExamKeys,
    folder: Path,
    *,
    formats: Sequence[str] = ("html", "markdown"),
    students: frozenset[str] | None = None,
    released: bool = False,
    blank: Blank = "zero",
    tell: Callable[[int], None] = lambda _pages: None,
) -> int:
    """Write a page for every student, or for some; returns how many. Raises `OSError`.

    It replaces every page that the student has in this folder, so that none is left in another format
    that tells more than this one does.
    """
    rounding = Rounding(blank=blank)
    count, secret = 0, exam_keys.secret
    for result in _wanted(results(book, exam_keys), students):
        page = make_page(exam_keys, result, rounding, released=released)
        stem = file_stem(result.student, secret)
        for known in FORMATS:
            if known.name not in formats:
                (folder / f"{stem}{known.suffix}").unlink(missing_ok=True)
        for known in FORMATS:
            if known.name in formats:
                write_file(folder / f"{stem}{known.suffix}", known.write(page))
        count += 1
        tell(1)
    return count


def _wanted(found: Iterator[Result], students: frozenset[str] | None) -> Iterator[Result]:
    for result in found:
        if students is None or result.student.identifier in students:
            yield result
