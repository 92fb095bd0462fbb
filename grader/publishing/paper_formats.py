"""The formats of papers: one function for each, from the public record to bytes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Generic, TypeVar

from jinja2 import Environment
from markupsafe import Markup

from grader.base.canonical_json import canonical_json
from grader.base.line_wrapping import display_width, wrap_line
from grader.base.punctuation import punctuation
from grader.base.templating import csp_hash, html_environment, raw_template, text_environment
from grader.exam.paper import PublicPaper, PublicQuestion
from grader.pictures.latex import missing_in_tex, tex_markup, tex_tree
from grader.pictures.typesetting import typeset
from grader.publishing.printed_picture import printed_picture
from grader.publishing.scan_sheet import scanned_paper
from grader.publishing.sheet import (
    drawing_options,
    lay_out,
    picture_of,
    plain,
    question_view,
    sheet_as_drawn,
    tree_text,
)
from grader.publishing.walkable_tree import walkable_tree

TEXT_COLUMNS = 79
"""The width of a paper in plain text, in characters."""


def _with_tree(paper: PublicPaper) -> list[PublicQuestion]:
    """Return the questions that have a tree."""
    return [question for question in paper.questions if len(question.tree)]


@lru_cache(maxsize=32)
def _tree_in_print(question: PublicQuestion) -> dict[str, Any]:
    """Return the tree of a question for the typesetter; cached, since some trees are on every paper."""
    return printed_picture(picture_of(question))


@lru_cache(maxsize=32)
def _tree_on_screen(question: PublicQuestion) -> dict[str, Any]:
    """Return the tree of a question for an HTML page: as a picture, in characters, and as a table."""
    picture = picture_of(question)
    return {
        "svg": Markup(picture.svg),
        "width": round(picture.width),
        "text": tree_text(question, question_view(question), 1),
        **walkable_tree(question),
    }


def paper_pdf(paper: PublicPaper) -> bytes:
    """Render the paper as PDF/UA-1, ready to print."""
    if paper.heading.scan:
        return scanned_paper(paper).pdf
    pictures = {question.label: _tree_in_print(question) for question in _with_tree(paper)}
    return typeset("paper", sheet_as_drawn(paper).to_json() | {"pictures": pictures})


def paper_html(paper: PublicPaper) -> bytes:
    """Render the paper as a self-contained HTML page, for screens, screen readers and printers."""
    sheet = sheet_as_drawn(paper)
    trees = {question.label: _tree_on_screen(question) for question in _with_tree(paper)}
    style, script = raw_template("html/paper.css"), raw_template("html/walk.js")
    page = html_environment().get_template("html/paper.html.j2")
    return page.render(
        sheet=sheet,
        words=sheet.words,
        say=paper.language.say,
        trees=trees,
        style=style,
        script=script,
        script_hash=csp_hash(script),
    ).encode()


def paper_markdown(paper: PublicPaper) -> bytes:
    """Render the paper as Markdown, with the trees in characters."""
    return _render_text("markdown/paper.md.j2", paper, escape_markdown)


def paper_text(paper: PublicPaper) -> bytes:
    """Render the paper as plain text, with the trees in characters."""
    return _render_text("text/paper.txt.j2", paper, plain)


def paper_latex(paper: PublicPaper) -> bytes:
    """Render the paper as LaTeX source that compiles as it is, with the trees in the `forest` package."""
    sheet = sheet_as_drawn(paper)
    trees = {
        question.label: tex_tree(question.tree, question_view(question), **drawing_options(question))
        for question in _with_tree(paper)
    }
    sheet_text = canonical_json(sheet.to_json())
    marks = {mark for tree in trees.values() for mark in tree.foreign} | set(missing_in_tex(sheet_text))
    page = tex_markup().get_template("latex/paper.tex.j2")
    return page.render(sheet=sheet, words=sheet.words, trees=trees, foreign=sorted(marks)).encode()


@cache
def _environment(finish: Callable[[str], str]) -> Environment:
    """Return the environment of text templates, in which every value goes through `finish`."""
    environment = text_environment(finish, keep_trailing_newline=True)
    environment.globals["line"] = _line
    environment.filters["wrapped"] = _wrapped
    environment.filters["indented"] = _indented
    environment.filters["aligned"] = _aligned
    return environment


def _line(shape: str) -> Markup:
    """Return a line to write an answer on."""
    return Markup("_" * (30 if shape == "short" else 60))


def _wrapped(words: str, indent: int = 0) -> Markup:
    """Wrap words to the width of a page; indent every line except the first."""
    margin = " " * indent
    return Markup("\n".join(wrap_line(plain(words), TEXT_COLUMNS, margin, margin))[indent:])


def _aligned(rows: Sequence[Sequence[str]]) -> list[Markup]:
    """Return the rows of a table as lines with aligned columns."""
    widths = [max(map(display_width, column)) for column in zip(*rows, strict=True)]
    padded = [
        [cell + " " * (width - display_width(cell)) for cell, width in zip(row, widths, strict=True)]
        for row in rows
    ]
    return [Markup("   ".join(row).rstrip()) for row in padded]


def _indented(words: str, wanted: str) -> Markup:
    """Indent the words if `wanted` is not empty."""
    text = words if isinstance(words, Markup) else Markup(plain(words))
    return Markup("   " if wanted else "") + text


def _render_text(template: str, paper: PublicPaper, finish: Callable[[str], str]) -> bytes:
    """Return a paper as text by a template, its trees drawn with characters; `finish` changes every value."""
    sheet = lay_out(paper)
    trees = {
        question.label: Markup(tree_text(question, question_view(question), TEXT_COLUMNS))
        for question in _with_tree(paper)
    }
    page = _environment(finish).get_template(template)
    signs = punctuation(sheet.language)
    return page.render(sheet=sheet, words=sheet.words, trees=trees, signs=signs).encode()


_MARKED = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_[]<>#&|~$!^{}@"})


def escape_markdown(words: str) -> str:
    """Escape words so that Markdown shows them literally."""
    line = plain(words).translate(_MARKED).replace("://", "\\://").replace("www.", "www\\.")
    head = line[:1]
    if head in "-+=":
        return f"\\{line}"
    number, dot, rest = line.partition(".")
    return f"{number}\\.{rest}" if dot and number.isdigit() else line


Published = TypeVar("Published")


@dataclass(frozen=True, slots=True)
class Format(Generic[Published]):
    """A format for papers or feedback."""

    name: str
    suffix: str
    write: Callable[[Published], bytes]


PAPER_FORMATS = (
    Format("pdf", ".pdf", paper_pdf),
    Format("html", ".html", paper_html),
    Format("markdown", ".md", paper_markdown),
    Format("text", ".txt", paper_text),
    Format("latex", ".tex", paper_latex),
)
"""Every format; a new one is one function and one line here."""
