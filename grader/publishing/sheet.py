"""The content of a paper in reading order, without markup; every format renders the same sheet."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Annotated, Any

from grader.answers.form import AnswerSpace, all_or_nothing
from grader.base.json_records import JsonRecord
from grader.base.numbers import Number
from grader.base.phrases import Language, Phrase, paragraph
from grader.base.safe_text import safe_paragraph
from grader.exam.paper import PublicPaper, PublicQuestion, part_letter
from grader.exercises.exercise import PublicExercise
from grader.exercises.follow_through import CONSISTENCY_LEFT_OUT, earlier_sources
from grader.pictures.label_options import label_options
from grader.pictures.picture_options import Options
from grader.pictures.placement import Direction
from grader.pictures.svg import Picture, picture
from grader.pictures.text import text_picture
from grader.pictures.view import View
from grader.questions import kind_by_code
from grader.questions.given_table import merge_tables
from grader.questions.wording import (
    CHANCE_WINDOWS,
    LEAF_NUMBER_RULE,
    PAYOFFS,
    PRUNED_DEFINITION,
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
        "identifier": Phrase("Student ID"),
        "variant": Phrase("Variant"),
        "conventions": Phrase("Conventions"),
        "marking": Phrase("Grading"),
        "answer": Phrase("Answer"),
        "node": Phrase("Node"),
        "value": Phrase("Value"),
        "alpha": Phrase("alpha"),
        "beta": Phrase("beta"),
        "returned": Phrase("Returned value"),
        "total": Phrase("Total"),
        "pages": Phrase("Pages"),
        "section": Phrase("Section"),
        "cover": Phrase("This paper is for"),
        "checksum": Phrase("Checksum"),
    }
)
"""The fixed words of a paper, by the names that templates use."""

FOLLOWS_FROM_PARTS = Phrase(
    "An answer that is consistent with your own incorrect answer to {parts} earns the same fraction of the "
    "points as that answer."
)
"""How a part is marked that takes over the answers to earlier parts, and is correct or not as a whole."""

ITEMS_FOLLOW_FROM_PARTS = Phrase(
    "Items that are consistent with your own incorrect answer to {parts} also earn credit. "
    "In total, they earn at most as much as your correct items."
)
"""The same of a part whose answer has items, such as leaves."""

RIGHTWARD_TREE_NOTE = Phrase(
    "In a tree that grows to the right, from left to right means from top to bottom."
)
"""A note for papers with such a tree, because questions speak of trees as if they were drawn downwards."""

LABELS = ("name", "identifier", "section", "pages", "answer", "checksum")
"""The words that are printed in front of a value, with a colon."""

_NUMBER = "\x1f"
"""A placeholder for page numbers."""

MAX_ROW_NODES = 11
"""The most nodes in one row of a table to fill in."""


@dataclass(frozen=True)
class Space(JsonRecord):
    """The space for an answer: its shape, the nodes of a table in rows, and the boxes if it is scanned."""

    shape: Annotated[str, "shape"]
    rows: Annotated[tuple[tuple[str, ...], ...], "rows"] = ()
    boxes: Annotated[tuple[Mapping[str, Any], ...], "boxes"] = ()


@dataclass(frozen=True)
class PartSheet(JsonRecord):
    """One part: its letter (empty if there is only one), its text, and the space for an answer.

    `instruction` says how to write an answer, as far as a table does not show it; `marking` says how it is
    marked.
    """

    letter: Annotated[str, "letter"]
    points: Annotated[str, "points"]
    question: Annotated[str, "question"]
    instruction: Annotated[str, "instruction"]
    demands: Annotated[str, "demands"]
    marking: Annotated[str, "marking"]
    box: Annotated[Space, "box"]

    @property
    def how_to_answer(self) -> str:
        """How to answer: how to write it, and what it has to observe."""
        return paragraph(self.instruction, self.demands)


@dataclass(frozen=True)
class QuestionSheet(JsonRecord):
    """One question: the conventions of its tree, a table of what is given, and its parts.

    The points are there as a number and with the word, `4 points`, as in a sheet.
    """

    label: Annotated[str, "label"]
    title: Annotated[str, "title"]
    heading: Annotated[str, "heading"]
    number: Annotated[str, "number"]
    points: Annotated[str, "points"]
    conventions: Annotated[tuple[str, ...], "conventions"]
    table: Annotated[tuple[tuple[str, ...], ...], "table"]
    parts: Annotated[tuple[PartSheet, ...], "parts"]


@dataclass(frozen=True)
class Sheet(JsonRecord):
    """A paper, ready to be rendered: instructions as paragraphs, each convention as one sentence.

    `marking` has every rule of marking once, after the parts that it holds for.
    """

    title: Annotated[str, "title"]
    course: Annotated[str, "course"]
    date: Annotated[str, "date"]
    language: Annotated[str, "language"]
    size: Annotated[str, "size"]
    instructions: Annotated[tuple[str, ...], "instructions"]
    code: Annotated[str, "code"]
    checksum: Annotated[str, "checksum"]
    number: Annotated[str, "number"]
    points: Annotated[str, "points"]
    conventions: Annotated[tuple[str, ...], "conventions"]
    marking: Annotated[tuple[str, ...], "marking"]
    questions: Annotated[tuple[QuestionSheet, ...], "questions"]
    words: Annotated[dict[str, str], "words"]


@lru_cache(maxsize=4)
def lay_out(paper: PublicPaper) -> Sheet:
    """Return the sheet of a paper; a convention that holds for all questions is stated once, at the top.

    What a table shows is not said in words too.

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
        marking=_marking_rules(questions, paper.language),
        questions=tuple(map(_with_table, questions, paper.questions)),
        words=sheet_words(paper.language),
    )


def _with_table(sheet: QuestionSheet, question: PublicQuestion) -> QuestionSheet:
    """Replace what a table of the question says by its caption and the table."""
    table = merge_tables(part.wording.table for part in question.parts if part.wording.table)
    if table is None:
        return sheet
    first, *others = (plain(sentence) for sentence in table.sentences)
    conventions = tuple(
        plain(table.caption) if rule == first else rule for rule in sheet.conventions if rule not in others
    )
    return replace(sheet, conventions=conventions, table=tuple(tuple(map(plain, row)) for row in table.rows))


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
    """Return whether a part counts leaves or moves from the left, or visits children in order."""
    kind = kind_by_code(part.kind)
    return part.numbers_leaves or kind.depends_on_search or kind.form.screen_input == "child"


def shared_and_questions(paper: PublicPaper) -> tuple[tuple[str, ...], tuple[QuestionSheet, ...]]:
    """Return the conventions that hold for all questions of a paper, and the questions."""
    stated = [_stated_conventions(question) for question in paper.questions]
    common, known = _common_conventions(paper, stated)
    questions = []
    for question, rules in zip(paper.questions, stated, strict=True):
        language, followed = question.language, _follow_through_rules(question)
        questions.append(
            QuestionSheet(
                label=question.label,
                title=plain(question.title),
                heading=question_heading(question.label, plain(question.title), language),
                number=language.number(question.points),
                points=format_points_label(question.points, language),
                conventions=tuple(plain(rule) for rule in rules if rule not in known),
                table=(),
                parts=tuple(
                    _part(part, part_letter(place, len(question.parts)), followed.get(place, ""))
                    for place, part in enumerate(question.parts)
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
    """Return the drawing options of a question: the names and leaf numbers it mentions, and its layout."""
    options = label_options(*question.parts)
    drawing = Options(
        title=question.tree.header.title or None, names=options["names"], paths=options["paths"]
    )
    if question.layout != "auto":
        drawing["direction"] = question.layout
    return drawing


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


def _stated_conventions(question: PublicQuestion) -> tuple[str, ...]:
    """Return the conventions of all parts of a question, each once."""
    return tuple(dict.fromkeys(rule for part in question.parts for rule in part.wording.conventions))


def _marking_rules(questions: Sequence[QuestionSheet], language: Language) -> tuple[str, ...]:
    """Return every rule of marking once, after the labels of the parts that it holds for."""
    labels: dict[str, list[str]] = {}
    parts = [(question.label, part) for question in questions for part in question.parts]
    for label, part in parts:
        if part.marking:
            labels.setdefault(part.marking, []).append(f"{label}{part.letter}")
    if len(parts) == 1:
        return tuple(labels)
    return tuple(
        plain(language.term("{label}: {rule}", label=language.join(places), rule=rule))
        for rule, places in labels.items()
    )


def _common_conventions(
    paper: PublicPaper, conventions: Sequence[Sequence[str]]
) -> tuple[tuple[str, ...], set[str]]:
    """Return the conventions to state once for the paper, and all sentences that no question has to repeat.

    These are stated if some question needs them, in this order:

    1. How players are drawn: one sentence for all players. The sentences of the questions are dropped.
    2. That leaves have payoffs: only if every question with a tree states it.
    3. How leaves are numbered.
    4. How alpha-beta prunes, and its windows at chance nodes: only if all questions agree.
    5. What "pruned" means.
    """
    language, stated = paper.language, {rule for rules in conventions for rule in rules}
    shapes = {
        shape_sentence(question.tree.movers, language): question.tree.movers for question in paper.questions
    }
    movers = {mover for shape, movers in shapes.items() if shape in stated for mover in movers}
    parts = [part for question in paper.questions for part in question.parts]
    cuts = {pruning_sentence(part.case, language) for part in parts} & stated
    search = [*cuts, language.say(CHANCE_WINDOWS)] if len(cuts) == 1 else []
    payoffs, numbered, pruned = map(language.say, (PAYOFFS, LEAF_NUMBER_RULE, PRUNED_DEFINITION))
    with_trees = zip(paper.questions, conventions, strict=True)
    if not all(payoffs in rules for question, rules in with_trees if len(question.tree)):
        stated.discard(payoffs)
    rules = [rule for rule in (payoffs, numbered, *search, pruned) if rule in stated]
    common = [shape_sentence(movers, language), *rules]
    return tuple(filter(None, common)), {*common, *shapes}


def _follow_through_rules(question: PublicQuestion) -> dict[int, str]:
    """Map the number of every part that takes over an earlier answer, from 0, to the sentence about that."""
    if not question.follow_through:
        return {}
    names, language = question.part_names, question.language
    kinds = [kind_by_code(part.kind) for part in question.parts]
    rules = {}
    for place, sources in earlier_sources(kinds):
        whole = kinds[place].form.share is all_or_nothing
        parts = language.join_or([names[each] for each in sources])
        rules[place] = (
            paragraph(language.say(FOLLOWS_FROM_PARTS, parts=parts), language.say(CONSISTENCY_LEFT_OUT))
            if whole
            else language.say(ITEMS_FOLLOW_FROM_PARTS, parts=parts)
        )
    return rules


def _part(part: PublicExercise, letter: str, follow_through: str) -> PartSheet:
    """Lay out a part; an answer table takes the place of the instruction."""
    kind, text = kind_by_code(part.kind), part.wording
    box = _answer_space(part, kind.form.answer_space, kind.entry_nodes(part.case))
    return PartSheet(
        letter=letter,
        points=format_points_label(part.terms.points, part.terms.language),
        question=plain(text.question),
        instruction="" if box.rows else plain(text.instruction),
        demands=plain(text.demands),
        marking=plain(paragraph(text.marking, follow_through)),
        box=box,
    )


def _answer_space(part: PublicExercise, room: AnswerSpace, nodes: Sequence[int]) -> Space:
    """Return the space for an answer about these nodes of a tree.

    A table has rows of equal length, at most `MAX_ROW_NODES` nodes in each; a line becomes tall if the
    tree has too many leaves for it.
    """
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
