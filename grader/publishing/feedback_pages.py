"""Feedback pages: the questions of one student with the answers in the tree, and the points."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from grader.base.numbers import Number
from grader.base.phrases import Language, Phrase, paragraph
from grader.exam.paper import Heading, PublicPaper, PublicQuestion
from grader.exercises.exercise import Exercise
from grader.exercises.feedback import count_beliefs, most_frequent_notes
from grader.exercises.marking import Mark, State
from grader.grading.exam_keys import ExamKeys, ExamKeysError, PartKey, QuestionKey
from grader.grading.gradebook_exports import Rounding
from grader.grading.records import UNKNOWN_VARIANT, Standing
from grader.grading.results import Result
from grader.pictures.label_options import label_options
from grader.pictures.svg import picture
from grader.pictures.text import text_picture
from grader.pictures.view import View
from grader.publishing.feedback_parts import (
    contested_reason,
    part_fields,
    points_label,
    practice_link,
    shown_text,
)
from grader.publishing.feedback_tree import answers_in_tree
from grader.publishing.scan_fields import scan_fields
from grader.publishing.sheet import (
    QuestionSheet,
    Sheet,
    direction_of,
    drawing_options,
    question_heading,
    shared_and_questions,
    sheet_as_drawn,
)
from grader.scanning.crops import Scans
from grader.trees.notation.diagnostics import Diagnostics
from grader.trees.tree import Tree
from grader.trees.tree_builder import HIDDEN_PAYOFF

PAGE_PHRASES: Mapping[str, Phrase] = {
    "characters": Phrase("Text version of the tree"),
    "pieces": Phrase("Your answer in detail"),
    "looks": Phrase("Likely mistake."),
    "goes wrong": Phrase("Location of the mistake."),
    "answer": Phrase("The answer:"),
    "more": Phrase("More reasons"),
    "overview": Phrase("Your questions"),
    "crop": Phrase("Your answer on the scanned paper"),
    "practise": Phrase("Practise this mistake"),
}
"""The words on every page."""


def feedback_page(
    exam_keys: ExamKeys,
    result: Result,
    rounding: Rounding,
    *,
    released: bool,
    scans: Scans | None = None,
    practice: str = "",
) -> dict[str, Any]:
    """Return the content of one student's page as JSON values, in whole sentences.

    Before release it reveals nothing of the key except which entries are correct. `stem` has the conventions
    that the parts of a question share; for its tree see `_tree_fields`, for a part `part_fields`.
    `practice` is the address of a practice page, to which parts with a misconception link.
    """
    language = exam_keys.language
    rounding = replace(rounding, language=language)
    standings = {standing.question: standing for standing in result.standings}
    worth = dict(zip(standings, rounding.points(result), strict=True))
    marks = {name: mark for name, each in standings.items() if (mark := _points_mark(each)) is not None}
    belief_counts = count_beliefs(marks.values())
    marks = {
        name: replace(mark, notes=most_frequent_notes(mark.notes, belief_counts))
        for name, mark in marks.items()
    }
    questions = []
    for question, public_question, sheet in _taken_questions(exam_keys, result):
        names = [key.part for key in question.parts]
        is_contested = any(contested_reason(standings[name]).startswith(UNKNOWN_VARIANT) for name in names)
        shows_key = released and not is_contested  # it may be the question of another student
        parts = list(zip(names, map(_read_exercise, question.parts), sheet.parts, strict=True))
        points = [worth[name] for name in names]
        total = None if None in points else sum(each for each in points if each is not None)
        maximum = sum(part.public.terms.points for name, part, _ in parts if not standings[name].is_dropped)
        marked_parts = [
            (part, marks.get(name)) for name, part, _ in parts if part.public.tree == public_question.tree
        ]
        view = answers_in_tree(marked_parts, public_question.language, shows_key)
        tree = public_question.tree
        if shows_key:
            tree = next(filter(None, (_tree_with_payoffs(part) for part, _ in marked_parts)), tree)
        questions.append(
            {
                "label": question.label,
                "heading": question_heading(question.label, shown_text(question.title), language),
                "worth": points_label(total, maximum, rounding),
                "stem": paragraph(*sheet.conventions),
                **_tree_fields(public_question, tree, view, language),
                "parts": [
                    part_fields(
                        standings[name], marks.get(name), part, part_sheet, worth[name], rounding, shows_key
                    )
                    | scan_fields(standings[name], scans, language)
                    | {"practise": practice and practice_link(practice, marks.get(name), part, shows_key)}
                    for name, part, part_sheet in parts
                ],
            }
        )
    exam, name = shown_text(exam_keys.heading.title), shown_text(result.student.name)
    return {
        "exam": exam,
        "title": language.say("{exam}: feedback for {name}", exam=exam, name=name),
        "language": language.code,
        "size": exam_keys.heading.size,
        "name": name,
        "who": _student_line(
            name, shown_text(result.student.identifier), shown_text(result.variant_taken), language
        ),
        "total": _total_label(
            rounding.total(result), exam_keys.points, rounding, adds_up=_adds_up(exam_keys, worth, rounding)
        ),
        "closing": paragraph(
            rounding.rule_sentences,
            "" if released else language.say("The answers have not been released yet."),
        ),
        "words": {name: language.say(words) for name, words in PAGE_PHRASES.items()},
        "questions": questions,
    }


def _tree_with_payoffs(part: Exercise) -> Tree | None:
    """Return the tree with the payoffs that a student had to work out; None if the question shows them."""
    tree = part.public.tree
    if HIDDEN_PAYOFF not in tree.payoffs or part.kind.key_picture is None:
        return None
    key_picture = part.kind.key_picture(part.solved())
    return key_picture.tree if key_picture and key_picture.tree.parents == tree.parents else None


def _tree_fields(question: PublicQuestion, tree: Tree, view: View, language: Language) -> dict[str, Any]:
    """Return a question's tree with the student's answers, as `drawing` and as `outline` in characters.

    `tree` is the one of the question, perhaps with payoffs that it hides. Without a tree both are empty.
    """
    if not len(tree):
        return {"drawing": None, "outline": ""}
    options, label = drawing_options(question), question.label
    options["title"] = language.say("Your answers in the tree")
    options["direction"] = direction_of(question)
    return {
        "drawing_label": language.say("The tree of question {question} with your answers", question=label),
        "outline_label": language.say("Text version of the tree of question {question}", question=label),
        "drawing": picture(tree, view=view, identity=f"tree-{label}", **options),
        "outline": text_picture(tree, view=view, width=1, **label_options(*question.parts)),
    }


def _student_line(name: str, identifier: str, variant: str, language: Language) -> str:
    """Return the heading of a page; an identifier that is also the name is written once."""
    if identifier == name:
        return language.say("{name}, variant {variant}", name=name, variant=variant)
    return language.say(
        "{name}, {identifier}, variant {variant}", name=name, identifier=identifier, variant=variant
    )


def _adds_up(exam_keys: ExamKeys, worth: Mapping[str, Number | None], rounding: Rounding) -> bool:
    """Return whether the rounded points of all parts and questions add up to the rounded sums above them.

    `worth` has the points of every part. Parts without points are left out.
    """
    by_question: dict[str, list[Number]] = {}
    for part, points in worth.items():
        if points is not None:
            by_question.setdefault(exam_keys.labels[part], []).append(points)
    sums = [sum(parts) for parts in by_question.values()]
    return all(
        sum(map(rounding.rounded, parts)) == rounding.rounded(sum(parts))
        for parts in (*by_question.values(), sums)
    )


def _total_label(points: Number | None, maximum: Number, rounding: Rounding, *, adds_up: bool) -> str:
    """Format the points of the exam; if the rounded points of its parts have another sum, say why."""
    full_mark, say = rounding.format_points(maximum), rounding.language.say
    if points is None:
        return say(
            "Some answers have not been graded yet. The maximum score is {maximum}.", maximum=full_mark
        )
    label = say(
        "{points} of {maximum} point",
        "{points} of {maximum} points",
        1 if maximum == 1 else 2,
        points=rounding.format_points(points),
        maximum=full_mark,
    )
    if adds_up:
        return label
    return rounding.language.with_note(label, rounding.language.term("the points of its parts are rounded"))


def _taken_questions(
    exam_keys: ExamKeys, result: Result
) -> Iterator[tuple[QuestionKey, PublicQuestion, QuestionSheet]]:
    """Return a student's questions, each part in the variant that the student answered.

    After two attempts with different variants on a platform, the parts of a question may be of both;
    the tree is that of the first part, and a part with other conventions states them itself.
    """
    variants = {standing.question: standing.variant for standing in result.standings}
    for place, question in enumerate(exam_keys.variants.get(result.variant, ())):
        papers = [exam_keys.variants[variants[key.part]] for key in question.parts]
        keys = tuple(paper[place].parts[number] for number, paper in enumerate(papers))
        printed = [_printed_sheet(paper) for paper in papers]
        sheets = [sheet.questions[place] for _, sheet in printed]
        first = sheets[0]
        parts = []
        for number, sheet in enumerate(sheets):
            part = sheet.parts[number]
            if sheet.conventions != first.conventions:
                part = replace(part, question=paragraph(part.question, *sheet.conventions))
            parts.append(part)
        yield (
            replace(question, parts=keys),
            printed[0][0].questions[place],
            replace(first, parts=tuple(parts)),
        )


def _points_mark(standing: Standing) -> Mark | None:
    """Return the mark that gives points; None if there is none or a later reply is not marked yet."""
    entry = standing.entry
    return entry.mark if entry is not None and standing.state is State.GRADED else None


@lru_cache(maxsize=64)
def _printed_sheet(questions: tuple[QuestionKey, ...]) -> tuple[PublicPaper, Sheet]:
    """Return a variant as a paper and its sheet, where no part repeats the conventions and all is words."""
    public = tuple(
        PublicQuestion(
            question.label,
            question.title,
            tuple(_read_exercise(key).public for key in question.parts),
            question.layout,
        )
        for question in questions
    )
    paper = PublicPaper(Heading(""), "", public)
    return paper, replace(sheet_as_drawn(paper), questions=shared_and_questions(paper)[1])


def _read_exercise(key: PartKey) -> Exercise:
    """Return the exercise of a key. Raises `ExamKeysError` if it cannot be read."""
    read = key.read_exercise()
    if isinstance(read, Diagnostics):
        raise ExamKeysError(f"the key of {key.part} cannot be read: {read.items[0].message}")
    return read
