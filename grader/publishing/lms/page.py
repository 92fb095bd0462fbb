"""A question on its own, as platforms show it: conventions, picture, parts and blanks."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from typing import Any

from grader.answers.blank import Blank, Blanks
from grader.base.phrases import Language, Phrase, paragraph
from grader.exam.paper import Heading, Paper, PublicPaper, Question
from grader.exercises.exercise import Exercise
from grader.pictures.svg import Picture
from grader.publishing.lms.xml_elements import Element, element
from grader.publishing.sheet import (
    PartSheet,
    direction_of,
    picture_of,
    plain,
    rightward_notes,
    shared_and_questions,
)
from grader.questions.wording import ANY_ANSWER_RULES, NEVER_ENTERED_RULE

NUMBERS = Phrase("A box accepts numbers such as -9, {decimal}, or 17/2. Write fractions in lowest terms.")

ONE_ANSWER_RULE = Phrase("There are several correct answers, but only one of them is accepted here.")
"""What holds in place of `ANY_ANSWER_RULES` where a platform marks by the key alone."""


@dataclass(frozen=True, slots=True)
class PagePart:
    """One part: its sheet as on paper, the blanks to fill in instead, and the exercise with its key."""

    sheet: PartSheet
    blanks: Blanks
    exercise: Exercise

    def instructions(self, language: Language, counts: str = "") -> str:
        """Return the prompt with the instruction for the blanks and the marking rule of the platform.

        `counts` replaces the rule for platforms that add up the shares of the blanks.
        """
        sheet = self.sheet
        # Nodes that are never visited have boxes too, which are not left empty: their instruction says so.
        demands = sheet.demands.replace(plain(language.say(NEVER_ENTERED_RULE)), "")
        for rule in map(language.say, ANY_ANSWER_RULES):
            demands = demands.replace(plain(rule), language.say(ONE_ANSWER_RULE))
        # Not every spelling counts that is correct on paper.
        rounds = self.exercise.kind.form.allows_rounding and self.blanks.blanks[0].numbers is not None
        written = language.say(NUMBERS, decimal=language.reply("8.5")) if rounds else ""
        return paragraph(
            sheet.question,
            plain(demands),
            self.blanks.instruction,
            written,
            counts or self.blanks.counting_rule,
        )


@dataclass(frozen=True, slots=True)
class Page:
    """One variant of one question; `name` is unique in the exam.

    `content` is a hash of everything in the question: variants with the same content are the same.
    `picture` is None for a question without a tree.
    """

    paper: Paper
    question: Question
    name: str
    content: str
    title: str
    conventions: tuple[str, ...]
    picture: Picture | None
    parts: tuple[PagePart, ...]

    @property
    def with_boxes(self) -> "Page":
        """Replace every choice that only an exact platform can mark by a box."""
        if not any(part.blanks.box_instruction for part in self.parts):
            return self
        return replace(self, parts=tuple(replace(part, blanks=part.blanks.with_boxes) for part in self.parts))

    @property
    def heading(self) -> str:
        """The title in a list of questions: its number, its title and its variant."""
        label, code = self.question.label, self.paper.code
        name = f"{label}. {self.title}" if self.title else label
        return self.question.public.language.with_note(name, code)


@dataclass(frozen=True, slots=True)
class PageTexts:
    """The texts that an export writes for one page, and the names of the page."""

    name: str
    content: str
    label: str
    title: str
    texts: tuple[bytes, ...]

    @classmethod
    def of(cls, page: Page, *texts: bytes) -> "PageTexts":
        """Return the texts of a page with its names."""
        return cls(page.name, page.content, page.question.label, page.title, texts)


def drop_known_pages(pieces: Iterable[PageTexts], known: set[tuple[str, str]]) -> Iterator[PageTexts]:
    """Yield the pieces that are not in `known` and add them: the variants of a given tree are all alike."""
    for each in pieces:
        if (each.label, each.content) not in known:
            known.add((each.label, each.content))
            yield each


def pages_of(paper: Paper) -> tuple[Page, ...]:
    """Return the pages of all questions of a paper."""
    return tuple(_page(paper, question) for question in paper.questions)


def _page(paper: Paper, question: Question) -> Page:
    """Return the page of a question without its parts; without a tree it has no picture."""
    name = f"question-{question.label}-{paper.code}"
    public = question.public
    picture = replace(picture_of(public), identity=name) if len(public.tree) else None
    return Page(paper, question, name, picture=picture, **_shared_fields(paper.heading, question))


@lru_cache(maxsize=32)
def _shared_fields(heading: Heading, question: Question) -> dict[str, Any]:
    """Return the fields of a page that do not depend on the variant's code; cached, for given trees."""
    paper = PublicPaper(heading, "", (question.public,))
    conventions, (question_sheet,) = shared_and_questions(paper)
    parts = zip(question_sheet.parts, question.parts, strict=True)
    return {
        "content": sha256("".join(part.public.checksum for part in question.parts).encode()).hexdigest(),
        "title": question_sheet.title,
        "conventions": (
            *conventions,
            *rightward_notes(paper, [direction_of(question.public)]),
            *question_sheet.conventions,
        ),
        "parts": tuple(PagePart(sheet, part.blanks, part) for sheet, part in parts),
    }


def page_body(
    page: Page,
    source: str,
    blank: Callable[[Blank], Element],
    put: Callable[..., Element] = element,
    rule: Callable[[PagePart], str] = lambda _part: "",
) -> Iterator[Element]:
    """Yield the page as HTML elements; `source` is the address of the picture, `blank` makes a field.

    `put` writes an element: `element` as XML, `html_element` as HTML. `rule` gives the marking rule of a part
    on a platform that does not just add up shares.
    """
    if page.conventions:
        yield put("p", paragraph(*page.conventions))
    if page.picture is not None:
        width, height = (str(round(size)) for size in (page.picture.width, page.picture.height))
        alt = page.picture.description
        yield put("p", put("img", src=source, alt=alt, width=width, height=height))
    language = page.question.public.language
    for part in page.parts:
        lead = f"({part.sheet.letter}) " if part.sheet.letter else ""
        instructions = language.with_note(part.instructions(language, rule(part)), part.sheet.points)
        yield put("p", lead + instructions)
        blanks = part.blanks.blanks
        if len(blanks) == 1:
            yield put("div", blank(blanks[0]))
        else:
            yield put("ul", *(put("li", f"{each.label}: ", blank(each)) for each in blanks))


def weights_of(points: Sequence[Fraction | int]) -> list[int]:
    """Scale points to whole numbers, the only ones that all platforms add up exactly."""
    common = math.lcm(*(Fraction(each).denominator for each in points))
    whole = [int(each * common) for each in points]
    divisor = math.gcd(*whole) or 1
    return [each // divisor for each in whole]
