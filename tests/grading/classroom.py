"""A class for the tests: an exam of a few variants, students, and the plain script that marks them."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from grader.answers.form import Terms
from grader.answers.policies import read_policy
from grader.exam.manifest import Exam, Origin, Seat, write_exam
from grader.exam.paper import Heading, Paper, Question
from grader.exercises.exercise import Exercise, make_exercise
from grader.grading.exam_keys import ExamKeys, read_exam_keys
from grader.questions import find_kind
from grader.tables.student_directory import Student
from grader.trees.notation.diagnostics import Diagnostics
from grader.trees.notation.reading import read_tree
from grader.trees.rules import Rules
from tests.exam.written import write_paper

TREES = {
    "A": "MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))",
    "B": "MAX A (MIN B (7 9 5) MIN C (4 8 1) MIN D (6 2 11))",
    "C": "MAX A (MIN B (6 4 13) MIN C (9 3 7) MIN D (1 12 10))",
}
"""One tree for each variant: three MIN nodes with three leaves each."""

LEAVES = {
    "A": (3, 12, 8, 2, 4, 6, 14, 5, 2),
    "B": (7, 9, 5, 4, 8, 1, 6, 2, 11),
    "C": (6, 4, 13, 9, 3, 7, 1, 12, 10),
}
"""The same payoffs as numbers, typed apart for the script that marks."""

POINTS = {"1": 2, "2a": 4, "2b": 1, "3": 3}


@cache
def exercise(kind: str, code: str, points: int, policy: str = "net") -> Exercise:
    """An exercise about the tree of a variant."""
    found, tree = find_kind(kind), read_tree(TREES[code])
    assert found is not None
    assert not isinstance(tree, Diagnostics)
    return make_exercise(found, tree, Rules(), Terms(points=points, policy=read_policy(policy)))


@cache
def paper(code: str) -> Paper:
    """One variant: a value, values with the move that follows, and crosses."""
    return Paper(
        Heading("Midterm"),
        code,
        (
            Question("1", "The value", (exercise("root-value", code, 2),)),
            Question(
                "2",
                "Values",
                (exercise("node-values", code, 4), exercise("best-move", code, 1)),
                follow_through=True,
            ),
            Question("3", "Cuts", (exercise("pruned-paths", code, 3),)),
        ),
    )


def student(number: int) -> Student:
    """A student with leading zeros in the identifier."""
    return Student(f"{number:05d}", f"Student {number}", f"s{number}@example.org", f"login{number}")


def build(folder: Path, students: Sequence[Student], codes: Sequence[str] = ("A", "B", "C")) -> ExamKeys:
    """The folder of an exam, with its variants dealt in turn."""
    seats = tuple(
        Seat(each, codes[number % len(codes)], f"paper-{number}") for number, each in enumerate(students)
    )
    variants = tuple(write_paper(paper(code)) for code in codes)
    return sat(folder, Exam(Origin("0" * 64, "0" * 64), Heading("Midterm"), seats, variants))


def sat(folder: Path, exam: Exam) -> ExamKeys:
    """The folder of an exam, ready for replies."""
    (folder / "instructor").mkdir(parents=True, exist_ok=True)
    (folder / "grades").mkdir(exist_ok=True)
    (folder / "instructor" / "exam.json").write_text("".join(write_exam(exam)), encoding="utf-8")
    return read_exam_keys(folder)


def change_exam(folder: Path, change: Any) -> ExamKeys:
    """Apply a change to the record of an exam, as a teacher who mends a key does."""
    path = folder / "instructor" / "exam.json"
    record = json.loads(path.read_text(encoding="utf-8"))
    change(record)
    path.write_text(json.dumps(record), encoding="utf-8")
    return read_exam_keys(folder)


# The plain script ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Truth:
    """What is right in one variant, worked out by hand-written loops over nine numbers."""

    root: int
    table: tuple[int, int, int, int]
    best: str
    pruned: frozenset[int]


@cache
def truth(code: str) -> Truth:
    """The answers for a variant: a maximum of three minima, and a search with equality cutting."""
    leaves = LEAVES[code]
    minima = [min(leaves[3 * at : 3 * at + 3]) for at in range(3)]
    pruned, best = set[int](), -1000
    for at in range(3):
        value = 1000
        for place in range(3):
            if value <= best:
                pruned.add(3 * at + place + 1)
            else:
                value = min(value, leaves[3 * at + place])
        best = max(best, value)
    root = max(minima)
    return Truth(root, (root, *minima), "BCD"[minima.index(root)], frozenset(pruned))


def marks_by_hand(
    code: str, root: int | None, table: Iterable[int] | None, move: str, crosses: Iterable[int] | None
) -> dict[str, Fraction | None]:
    """The points of a student, None for a blank; follow-through inside the table and to the move.

    The root, the only MAX node, carries half of the table; what follows earns no more than what is right.
    """
    right = truth(code)
    points: dict[str, Fraction | None] = {
        "1": None if root is None else Fraction(2 if root == right.root else 0),
        "2a": None,
        "2b": None,
        "3": None,
    }
    own: tuple[int, ...] | None = None
    if table is not None:
        own = tuple(table)
        root_right, *others_right = (own[at] == right.table[at] for at in range(4))
        itself = Fraction(int(root_right), 2) + Fraction(sum(others_right), 6)
        follows = Fraction(int(not root_right and own[0] == max(own[1:])), 2)
        points["2a"] = 4 * (itself + min(follows, itself))
    if move:
        points["2b"] = Fraction(int(move == right.best))
        if own is not None and own["BCD".index(move) + 1] == max(own[1:]):
            points["2b"] = max(points["2b"], itself)
    if crosses is not None:
        said = frozenset(crosses)
        net = len(said & right.pruned) - len(said - right.pruned)
        share = Fraction(max(0, net), len(right.pruned)) if right.pruned else Fraction(int(not said))
        points["3"] = 3 * share
    return points
