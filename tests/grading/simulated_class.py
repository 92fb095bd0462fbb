"""Small exams about given trees, and classes that answer them, for the tests of the report."""

import csv
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import Path

from grader.answers.form import Terms
from grader.exam.manifest import Exam, Origin, Seat
from grader.exam.paper import Heading, Paper, Question
from grader.exercises.exercise import Exercise, make_exercise
from grader.grading.analysis import Analysis, analyse
from grader.grading.class_marking import mark_pending
from grader.grading.exam_keys import ExamKeys
from grader.grading.executors import executor_named
from grader.grading.results import results
from grader.questions import find_kind
from grader.trees.notation.diagnostics import Diagnostics
from grader.trees.notation.reading import read_tree
from grader.trees.rules import Rules
from tests.exam.written import write_paper
from tests.grading.classroom import sat, student
from tests.grading.test_grading import taken


@cache
def exercise_of(kind: str, text: str) -> Exercise:
    """An exercise about a tree, for three points."""
    found, tree = find_kind(kind), read_tree(text)
    assert found is not None
    assert not isinstance(tree, Diagnostics)
    return make_exercise(found, tree, Rules(), Terms(points=3))


def exam_of(
    folder: Path, kinds: Sequence[str], texts: Sequence[str], students: int, grown: Collection[int] = ()
) -> ExamKeys:
    """An exam with a question of each kind and a variant for each tree, dealt in turn.

    A question of two parts has both kinds in one text. The trees of the questions `grown`, counted from 1,
    are recorded as grown for their first part.
    """
    variants = []
    for number, text in enumerate(texts):
        questions = tuple(
            Question(
                str(place),
                "",
                tuple(exercise_of(kind, text) for kind in parts.split()),
                grown_for=0 if place in grown else None,
            )
            for place, parts in enumerate(kinds, 1)
        )
        variants.append(write_paper(Paper(Heading("Quiz"), f"V{number}", questions)))
    seats = tuple(
        Seat(student(number), f"V{number % len(texts)}", f"paper-{number}") for number in range(students)
    )
    return sat(folder, Exam(Origin("0" * 64, "0" * 64), Heading("Quiz"), seats, tuple(variants)))


def graded(
    folder: Path, exam_keys: ExamKeys, rows: Mapping[str, Sequence[str]], *, alike: bool = False
) -> Analysis:
    """The analysis of a class: student -> the replies to all parts."""
    path = folder / "replies.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        header = ["Student", *exam_keys.labels]
        csv.writer(file).writerows([header, *([who, *replies] for who, replies in rows.items())])
    with taken(folder, exam_keys, path) as book:
        mark_pending(book, exam_keys, executor_named("here", 1))
        return analyse(exam_keys, results(book, exam_keys), alike=alike)
