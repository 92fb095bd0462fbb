"""One variant of an exam: what a student sees, and the same with its answers."""

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Any, Literal, TypeAlias

from grader.base.canonical_json import canonical_json
from grader.base.catalogues import OwnCatalogue, language_record
from grader.base.json_records import OPTIONAL, JsonRecord
from grader.base.numbers import Number, normalize_number
from grader.base.phrases import Language
from grader.exercises.exercise import Exercise, PublicExercise
from grader.trees.tree import Tree

PaperSize: TypeAlias = Literal["a4", "us-letter"]
ScanMode: TypeAlias = Literal["", "written", "choice", "bubbles"]
"""How numbers are entered on papers that a scanner reads; empty for papers that are marked by hand."""


TreeLayout: TypeAlias = Literal["auto", "down", "right"]
"""The direction in which a tree is drawn; `auto`: downwards, unless that is wider than a page."""


def part_letter(part: int, parts: int) -> str:
    """Return the letter of a part, counted from 0: `a`, `b`, ...; empty if it is the only one."""
    return chr(ord("a") + part) if parts > 1 else ""


@dataclass(frozen=True, slots=True)
class Heading(JsonRecord):
    """The heading of every variant of an exam: plain text, no markup.

    - `language_code`: of the text, as in HTML: `en`, `de-CH`.
    - `size`: of the pages.
    - `scan`: whether papers have boxes that a scanner reads, and how numbers are entered there.
    - `own_catalogue`: the teacher's own catalogue of sentences, if there is one.
    """

    title: Annotated[str, "title"]
    course: Annotated[str, "course"] = ""
    date: Annotated[str, "date"] = ""
    instructions: Annotated[str, "instructions"] = ""
    language_code: Annotated[str, "language"] = "en"
    size: Annotated[PaperSize, "size"] = "a4"
    scan: Annotated[ScanMode, "scan", OPTIONAL] = ""
    own_catalogue: OwnCatalogue | None = None

    def to_json(self) -> dict[str, Any]:
        """The heading, as a JSON object."""
        return JsonRecord.to_json(self) | language_record(self.language_code, self.own_catalogue)

    def language(self, comma: bool) -> Language:
        """Return the language of the papers, with a decimal comma or without."""
        return Language(self.language_code, comma, self.own_catalogue)


@dataclass(frozen=True, slots=True)
class PublicQuestion:
    """One numbered question as a student sees it: a tree, and one part or several that ask about it.

    `label` is `1`, `2`, ...; parts are lettered `a`, `b`, ... where there are several.
    With `follow_through`, later parts are marked from what the student wrote in earlier ones.
    """

    label: str
    title: str
    parts: tuple[PublicExercise, ...]
    layout: TreeLayout = "auto"
    follow_through: bool = False

    @property
    def tree(self) -> Tree:
        """The tree that all parts ask about."""
        return self.parts[0].tree

    @property
    def part_names(self) -> tuple[str, ...]:
        """The names of the parts: `2a`, `2b`, or `2` if there is one only."""
        count = len(self.parts)
        return tuple(f"{self.label}{part_letter(place, count)}" for place in range(count))

    @property
    def points(self) -> Number:
        """The full mark of all parts together."""
        return normalize_number(sum(part.terms.points for part in self.parts))

    @property
    def language(self) -> Language:
        """The language of the question: numbers have a comma if those of some part do."""
        terms = [part.terms for part in self.parts]
        return replace(terms[0].language, comma=any(each.decimal_comma for each in terms))


# No slots: the checksum is made once, and every format asks for it.
@dataclass(frozen=True)
class PublicPaper:
    """One variant as a student sees it. Publishing code takes only this.

    `code` is printed on every page and names the variant; it tells nothing of the key.
    """

    heading: Heading
    code: str
    questions: tuple[PublicQuestion, ...]

    @property
    def points(self) -> Number:
        """The full mark of the paper."""
        return normalize_number(sum(question.points for question in self.questions))

    @property
    def language(self) -> Language:
        """The language of the paper: numbers have a comma if those of some question do."""
        return self.heading.language(any(each.language.comma for each in self.questions))

    @cached_property
    def checksum(self) -> str:
        """SHA-256 over everything the student sees, as 64 hex digits; its first digits are in the footer."""
        return hashlib.sha256(canonical_json(self.to_json()).encode()).hexdigest()

    def to_json(self) -> dict[str, Any]:
        """The public record, as a JSON object."""
        return {
            "code": self.code,
            **self.heading.to_json(),
            "questions": [
                {
                    "label": question.label,
                    "title": question.title,
                    "parts": [part.to_json() for part in question.parts],
                    # Records of version 0.1.0 have no layout.
                    **({} if question.layout == "auto" else {"layout": question.layout}),
                }
                for question in self.questions
            ],
        }


@dataclass(frozen=True, slots=True)
class Question:
    """One numbered question with its answers: the exercises of its parts, all about one tree.

    - `follow_through`: later parts are marked from what the student wrote in earlier ones.
    - `grown_for`: the part for which the tree was grown, counted from 0; None for a given tree.
    - `alike`: the fields of that part's profile in which all variants agree.
    - `plan`: the number of the question in the blueprint, counted from 0, if it is one of a pool's.
    - `dropped`: the parts that do not count since a regrade, counted from 0; they keep their points in print.
    """

    label: str
    title: str
    parts: tuple[Exercise, ...]
    follow_through: bool = False
    grown_for: int | None = None
    alike: tuple[str, ...] = ()
    layout: TreeLayout = "auto"
    plan: int | None = None
    dropped: tuple[int, ...] = ()

    @property
    def public(self) -> PublicQuestion:
        """What a student sees of it."""
        parts = tuple(part.public for part in self.parts)
        return PublicQuestion(self.label, self.title, parts, self.layout, self.follow_through)


@dataclass(frozen=True, slots=True)
class Paper:
    """One variant with its answers, for the instructor only."""

    heading: Heading
    code: str
    questions: tuple[Question, ...]

    @property
    def public(self) -> PublicPaper:
        """What a student sees of it."""
        return PublicPaper(self.heading, self.code, tuple(question.public for question in self.questions))
