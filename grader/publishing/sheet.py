"""The content of a paper in reading order, without markup; every format renders the same sheet."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from grader.answers.form import AnswerSpace
from grader.base.numbers import Number
from grader.base.phrases import Language, Phrase, paragraph
from grader.base.safe_text import collapse_spaces, safe_paragraph
from grader.exam.paper import PublicPaper, PublicQuestion, part_letter
from grader.exercises.exercise import PublicExercise
from grader.pictures.label_options import label_options
from grader.pictures.picture_options import Options
from grader.pictures.placement import Direction
from grader.pictures.svg import Picture, picture
from grader.pictures.text import text_picture
from grader.pictures.view import View
from grader.questions import kind_by_code
from grader.questions.wording import (
    ASK_ALL_EXPECTED_VALUES,
    ASK_ALL_VALUES,
    FOLLOW_THROUGH_RULE,
    LEAF_NUMBER_RULE,
    PAYOFFS,
    PRUNED_DEFINITION,
    chance_pruning_sentence,
    list_inner_nodes,
    pruning_sentence,
    shape_sentence,
)
from grader.solvers.explaining.node_wording import node_name

MAX_TEXT_LENGTH = 20_000
"""The most characters of one text on a paper."""

SHEET_PHRASES: Mapping[str, Phrase] = MappingProxyType(
    {
        "question": Phrase("Question"),
        "points": Phrase("points"),
        "name": Phrase("Name"),
        "identifier": Phrase("Student number"),
        "variant": Phrase("Variant"),
        "conventions": Phrase("Conventions"),
        "answer": Phrase("Answer"),
        "node": Phrase("Node"),
        "value": Phrase("Value"),
        "alpha": Phrase("alpha"),
        "beta": Phrase("beta"),
        "returned": Phrase("Returned value"),
        "total": Phrase("Total"),
        "pages": Phrase("Pages"),
        "section": Phrase("Group"),
        "cover": Phrase("This paper is for"),
        "checksum": Phrase("Checksum"),
    }
)
"""The fixed words of a paper, by the names that templates use."""

RIGHTWARD_TREE_NOTE = Phrase("In a tree that is drawn to the right, left to right means top to bottom.")
"""A note for papers with such a tree, because questions speak of trees as if they were drawn downwards."""

LABELS = ("name", "identifier", "section", "pages", "answer", "checksum")
"""The words that are printed in front of a value, with a colon."""

_NUMBER = "\x1f"
"""A placeholder for page numbers."""

MAX_ROW_NODES = 8
"""The most nodes in one row of a table to fill in."""


@dataclass(frozen=True)
class BoxRow:
    """The boxes of one entry on a paper for scanning: its label, its place, and the text next to each box.

    `names` are the names of the boxes, column by column. With `nothing`, the last box stands for "none".
    """

    label: str
    place: str
    texts: tuple[str, ...]
    nothing: bool
    names: tuple[tuple[str, ...], ...]

    def to_json(self) -> dict[str, Any]:
        """Return the row as templates take it."""
        return {
            "label": self.label,
            "place": self.place,
            "texts": self.texts,
            "nothing": self.nothing,
            "names": self.names,
        }


@dataclass(frozen=True)
class Space:
    """The space for an answer: its shape, the nodes of a table in rows, and the boxes if it is scanned."""

    shape: str
    rows: tuple[tuple[str, ...], ...] = ()
    boxes: tuple[BoxRow, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the space as templates take it."""
        return {"shape": self.shape, "rows": self.rows, "boxes": [row.to_json() for row in self.boxes]}


@dataclass(frozen=True)
class PartSheet:
    """One part: its letter (empty if there is only one), the prompt, how to answer, and the space for it.

    `ask` says how to write an answer and how it is credited; `credit` has only the latter, for tables.
    """

    letter: str
    points: str
    prompt: str
    ask: str
    credit: str
    box: Space

    def to_json(self) -> dict[str, Any]:
        """Return the part as templates take it."""
        return {
            "letter": self.letter,
            "points": self.points,
            "prompt": self.prompt,
            "ask": self.ask,
            "credit": self.credit,
            "box": self.box.to_json(),
        }


@dataclass(frozen=True)
class QuestionSheet:
    """One question: the conventions of its tree, and its parts.

    The points are there as a number and with the word, `4 points`, as in a sheet.
    """

    label: str
    title: str
    heading: str
    number: str
    points: str
    conventions: tuple[str, ...]
    parts: tuple[PartSheet, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the question as templates take it."""
        return {
            "label": self.label,
            "title": self.title,
            "heading": self.heading,
            "number": self.number,
            "points": self.points,
            "conventions": self.conventions,
            "parts": [part.to_json() for part in self.parts],
        }


@dataclass(frozen=True)
class Sheet:
    """A paper, ready to be rendered: instructions as paragraphs, each convention as one sentence."""

    title: str
    course: str
    date: str
    language: str
    size: str
    instructions: tuple[str, ...]
    code: str
    checksum: str
    number: str
    points: str
    conventions: tuple[str, ...]
    questions: tuple[QuestionSheet, ...]
    words: dict[str, str]

    def to_json(self) -> dict[str, Any]:
        """Return the paper as templates take it."""
        return {
            "title": self.title,
            "course": self.course,
            "date": self.date,
            "language": self.language,
            "size": self.size,
            "instructions": self.instructions,
            "code": self.code,
            "checksum": self.checksum,
            "number": self.number,
            "points": self.points,
            "conventions": self.conventions,
            "questions": [question.to_json() for question in self.questions],
            "words": self.words,
        }


@lru_cache(maxsize=4)
def lay_out(paper: PublicPaper) -> Sheet:
    """Return the sheet of a paper; a convention that holds for all questions is stated once, at the top.

    Cached, because every format of a paper renders the same sheet.
    """
    heading, (conventions, questions) = paper.heading, shared_and_questions(paper)
    return Sheet(
        title=plain(heading.title),
        course=plain(heading.course),
        date=plain(heading.date),
        language=heading.language_code,
        size=heading.size,
        instructions=paragraphs(heading.instructions),
        code=paper.code,
        checksum=paper.checksum[:8],
        number=paper.language.number(paper.points),
        points=format_points_label(paper.points, paper.language),
        conventions=conventions,
        questions=questions,
        words=sheet_words(paper.language),
    )


def sheet_as_drawn(paper: PublicPaper) -> Sheet:
    """Return the sheet of a paper with its trees drawn by `picture_of`."""
    sheet, directions = lay_out(paper), map(direction_of, paper.questions)
    return replace(sheet, conventions=(*sheet.conventions, *rightward_notes(paper, directions)))


def rightward_notes(paper: PublicPaper, directions: Iterable[Direction]) -> tuple[str, ...]:
    """Return the note on trees drawn to the right, if a question depends on the order of leaves or moves.

    `directions` has the direction of the tree of every question.
    """
    to_the_right = zip(paper.questions, directions, strict=True)
    parts = (part for question, to in to_the_right if to == "right" for part in question.parts)
    return (plain(paper.language.say(RIGHTWARD_TREE_NOTE)),) if any(map(_depends_on_order, parts)) else ()


def _depends_on_order(part: PublicExercise) -> bool:
    """Check whether a part counts leaves or moves from the left, or visits children in order."""
    kind = kind_by_code(part.kind)
    return part.numbers_leaves or kind.depends_on_search or kind.form.screen_input == "child"


def shared_and_questions(paper: PublicPaper) -> tuple[tuple[str, ...], tuple[QuestionSheet, ...]]:
    """Return the conventions that hold for all questions of a paper, and the questions."""
    separated = [_separate_conventions(question) for question in paper.questions]
    common, known = _common_conventions(paper, [rules for rules, _ in separated])
    questions = []
    for question, (rules, prompts) in zip(paper.questions, separated, strict=True):
        language, parts = question.language, zip(question.parts, prompts, strict=True)
        questions.append(
            QuestionSheet(
                label=question.label,
                title=plain(question.title),
                heading=question_heading(question.label, plain(question.title), language),
                number=language.number(question.points),
                points=format_points_label(question.points, language),
                conventions=tuple(plain(rule) for rule in rules if rule not in known),
                parts=tuple(
                    _part(part, prompt, part_letter(place, len(question.parts)))
                    for place, (part, prompt) in enumerate(parts)
                ),
            )
        )
    return tuple(map(plain, common)), tuple(questions)


@lru_cache(maxsize=1024)
def plain(text: str) -> str:
    """Return a text on one line without control characters; cached, for most are on every paper."""
    return safe_paragraph(text, MAX_TEXT_LENGTH)


def paragraphs(text: str) -> tuple[str, ...]:
    """Split a text into paragraphs, at blank lines."""
    return tuple(plain(part) for part in re.split(r"\n\s*\n", text) if part.strip())


def format_points_label(points: Number, language: Language) -> str:
    """Format points with the word: `1 point`, `4 points`, `2.5 points`."""
    whole = points if isinstance(points, int) else 2  # catalogues know plurals of whole numbers only
    return language.term("{points} point", "{points} points", whole, points=language.number(points))


def question_heading(label: str, title: str, language: Language) -> str:
    """Return the heading of a question."""
    if title:
        return language.say("Question {label}. {title}", label=label, title=title)
    return language.say("Question {label}", label=label)


def sheet_words(language: Language) -> dict[str, str]:
    """The fixed words of a paper, by the names that templates use.

    `page`, `of` and `close` go before, between and after the number of a page and the number of pages;
    `tree_page` has `{page}` in place of the number of a page;
    `label_name` is the word for `name` in front of a value, with a colon as the language writes it.
    """
    footer = language.say("Page {page} of {pages}", page=_NUMBER, pages=_NUMBER).split(_NUMBER)
    elsewhere = plain(language.say("The tree is on page {page}.", page="{page}"))
    words = {name: plain(language.term(word)) for name, word in SHEET_PHRASES.items()}
    labels = {f"label_{name}": plain(language.term("{label}:", label=words[name])) for name in LABELS}
    pages = dict(zip(("page", "of", "close"), map(plain, footer), strict=True))
    return {**words, **labels, **pages, "tree_page": elsewhere}


def drawing_options(question: PublicQuestion) -> Options:
    """Return the drawing options of a question: the names and leaf numbers that it mentions."""
    options = label_options(*question.parts)
    return Options(title=question.tree.header.title or None, names=options["names"], paths=options["paths"])


def question_view(question: PublicQuestion) -> View:
    """Return the view of a question's tree, with the decimal sign of its language."""
    return View.question(question.tree, question.language)


@lru_cache(maxsize=32)
def picture_of(question: PublicQuestion) -> Picture:
    """Draw the tree of a question, with ids that are unique on the paper; cached like the sheet."""
    identity = f"tree-{question.label}"
    return picture(
        question.tree, view=question_view(question), identity=identity, **drawing_options(question)
    )


def direction_of(question: PublicQuestion) -> Direction:
    """Return the direction in which `picture_of` draws a question; down for a question without a tree."""
    return picture_of(question).drawing.direction if len(question.tree) else "down"


def tree_text(question: PublicQuestion, view: View, width: int) -> str:
    """Draw the tree of a question in characters, in this width."""
    if not len(question.tree):
        return ""
    return text_picture(question.tree, view=view, width=width, **label_options(*question.parts))


def _separate_conventions(question: PublicQuestion) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the conventions in the prompts of a question, and the prompts without them.

    Only sentences that the program wrote are removed; a teacher's words stay as they are.
    """
    rules: dict[str, None] = {}
    prompts = []
    for part in question.parts:
        prompt = part.prompt
        for rule in part.conventions:
            if rule in prompt:
                prompt = remove_words(rule, prompt)
                rules[rule] = None
        prompts.append(prompt)
    return tuple(rules), tuple(prompts)


def remove_words(words: str, prompt: str) -> str:
    """Remove words from a prompt."""
    return collapse_spaces(prompt.replace(words, "", 1))


def _common_conventions(
    paper: PublicPaper, conventions: Sequence[Sequence[str]]
) -> tuple[tuple[str, ...], set[str]]:
    """Return the conventions that are stated once for the paper, and all that no question has to repeat.

    1. How players are drawn is stated once for all players of the paper.
    2. How alpha-beta prunes is stated at the top only if it is the same in all questions.
    3. That leaves have payoffs is stated at the top only if it is true of every tree.
    """
    language, stated = paper.language, {rule for rules in conventions for rule in rules}
    shapes = {
        shape_sentence(question.tree.movers, language): question.tree.movers for question in paper.questions
    }
    movers = {mover for shape, movers in shapes.items() if shape in stated for mover in movers}
    parts = [part for question in paper.questions for part in question.parts]
    cuts = {pruning_sentence(part.rules, language) for part in parts} & stated
    chance_cuts = {chance_pruning_sentence(part.tree, language) for part in parts} & stated
    search = [*cuts, *chance_cuts] if len(cuts) == 1 else []
    payoffs, numbered, pruned = map(language.say, (PAYOFFS, LEAF_NUMBER_RULE, PRUNED_DEFINITION))
    with_trees = zip(paper.questions, conventions, strict=True)
    if not all(payoffs in rules for question, rules in with_trees if len(question.tree)):
        stated.discard(payoffs)
    rules = [rule for rule in (payoffs, numbered, *search, pruned) if rule in stated]
    common = [shape_sentence(movers, language), *rules]
    return tuple(filter(None, common)), {*common, *shapes}


def _part(part: PublicExercise, prompt: str, letter: str) -> PartSheet:
    kind, terms = kind_by_code(part.kind), part.terms
    form, nodes = kind.form, kind.entry_nodes(part.case)
    box, instruction = _answer_space(part, form.answer_space, nodes), form.instruction(terms.language)
    ask, counting = "", []  # how it is credited is not true where another program marks
    if instruction in prompt:
        ask, prompt = instruction, remove_words(instruction, prompt)
        for sentence in (terms.language.say(FOLLOW_THROUGH_RULE), kind.credit_sentence(terms, part.tree)):
            if sentence and sentence in prompt:
                prompt = remove_words(sentence, prompt)
                counting.append(sentence)
    if box.rows:  # the table names the nodes
        for with_nodes, without_nodes in (ASK_ALL_VALUES, ASK_ALL_EXPECTED_VALUES):
            sentence = terms.language.say(with_nodes, nodes=list_inner_nodes(part.tree, terms.language))
            prompt = prompt.replace(sentence, terms.language.say(without_nodes), 1)
    return PartSheet(
        letter=letter,
        points=format_points_label(terms.points, terms.language),
        prompt=plain(prompt),
        ask=plain(paragraph(ask, *counting)),
        credit=plain(paragraph(*counting)),
        box=box,
    )


def _answer_space(part: PublicExercise, room: AnswerSpace, nodes: Sequence[int]) -> Space:
    """Return the space for an answer about these nodes of a tree."""
    names = tuple(plain(node_name(part.tree, node, part.terms.language)) for node in nodes)
    if room.shape == "windows":
        return Space(room.shape, tuple((name,) for name in names))
    if room.shape == "table":
        rows = -(-len(names) // MAX_ROW_NODES)
        width = -(-len(names) // rows)
        return Space(room.shape, tuple(names[at : at + width] for at in range(0, len(names), width)))
    if room.leaves is not None and len(part.tree.leaves) > room.leaves:
        return Space("tall")
    return Space(room.shape)
