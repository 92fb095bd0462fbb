"""The laws of comparing variants by load: who is in which group, and what is put down to chance."""

import json
from fractions import Fraction
from random import Random

import pytest

from grader.base.phrases import ENGLISH
from grader.base.statistics import kruskal_wallis
from grader.exam.paper import Heading
from grader.grading.analysis import MIN_GROUP_STUDENTS, Analysis
from grader.grading.exam_keys import ExamKeys, Part, PartKey, QuestionKey
from grader.grading.load_groups import MAX_LOAD_GROUPS, compare_by_load
from grader.publishing.class_report import tables


def keys_of(loads: dict[str, list[int | None]]) -> ExamKeys:
    """An exam of one question, whose parts have these loads in each variant; None for no profile."""

    def question(code: str) -> QuestionKey:
        parts = (
            PartKey(f"1{letter}", json.dumps({"profile": {} if load is None else {"load": load}}), "", "", "")
            for letter, load in zip("ab", loads[code], strict=False)
        )
        return QuestionKey("1", "", tuple(parts))

    count = len(next(iter(loads.values())))
    parts = tuple(
        Part(f"1{letter}", "1", "", points, "") for letter, points in zip("ab"[:count], (1, 3), strict=False)
    )
    return ExamKeys(Heading("Quiz"), parts, None, {}, {code: (question(code),) for code in loads})


def test_groups_have_like_loads() -> None:
    """Each load is in one group, the groups ascend, and they have about equally many students."""
    codes = [f"V{number}" for number in range(60)]
    keys = keys_of({code: [number % 9, 1] for number, code in enumerate(codes)})
    shares = {"1a": dict.fromkeys(codes, Fraction(1)), "1b": dict.fromkeys(codes, Fraction(1, 3))}
    (found,) = compare_by_load(keys, shares, {code: code for code in codes}, MIN_GROUP_STUDENTS)
    assert len(found.groups) == MAX_LOAD_GROUPS
    assert [group.min_load for group in found.groups] == sorted(group.min_load for group in found.groups)
    pairs = zip(found.groups, found.groups[1:], strict=False)
    assert all(one.max_load < other.min_load for one, other in pairs)
    assert sum(group.students for group in found.groups) == 60
    assert max(group.students for group in found.groups) <= 60 // MAX_LOAD_GROUPS + 7
    assert {group.facility for group in found.groups} == {Fraction(1, 2)}
    assert found.p is None  # nothing varies


@pytest.mark.parametrize("harder", [0, 30])
def test_chance_is_what_shuffled_marks_show(harder: int) -> None:
    """The probability is about the share of shuffled classes whose groups differ as much or more."""
    random, loads = Random(f"load {harder}"), {"A": [5], "B": [7], "C": [9]}
    students = {str(number): "ABC"[number % 3] for number in range(90)}
    shares = {
        student: Fraction(max(0, random.randrange(100) - harder * (code == "C")), 100)
        for student, code in students.items()
    }
    (found,) = compare_by_load(keys_of(loads), {"1a": shares}, students, MIN_GROUP_STUDENTS)

    def statistic(marks: list[Fraction]) -> float:
        by_code = [
            [mark for mark, code in zip(marks, students.values(), strict=True) if code == each]
            for each in "ABC"
        ]
        return kruskal_wallis(by_code) or 0.0

    marks = list(shares.values())
    reached = statistic(marks)
    shuffled = [statistic(random.sample(marks, len(marks))) >= reached for _ in range(400)]
    assert found.p is not None
    assert abs(found.p - sum(shuffled) / 400) < 0.08
    assert (found.p < 0.01) is bool(harder)
    assert [group.variants for group in found.groups] == [1, 1, 1]


def test_what_is_not_recorded_is_not_compared() -> None:
    """Questions without a recorded load, and students without a mark for some part, are left out."""
    students = {"ada": "A", "ben": "B"}
    shares = {"1a": {"ada": Fraction(1), "ben": Fraction(0)}, "1b": {"ada": Fraction(1)}}
    assert compare_by_load(keys_of({"A": [None, None], "B": [None, None]}), shares, students, 5) == ()
    (found,) = compare_by_load(keys_of({"A": [3, 2], "B": [None, 4]}), shares, students, 5)
    assert [(group.min_load, group.students) for group in found.groups] == [(5, 1)]


def test_the_report_says_it_in_words() -> None:
    """The table has a row for each group, and says once for a question what chance would make of it."""
    students = {str(number): "AB"[number % 2] for number in range(40)}
    shares = {"1a": {student: Fraction(int(student) * 7 % 11, 10) for student in students}}
    loads = compare_by_load(keys_of({"A": [5], "B": [8]}), shares, students, MIN_GROUP_STUDENTS)
    analysis = Analysis("Quiz", 40, 40, 1, (), (), (), (), (), (), (), ENGLISH, loads)
    (table,) = [table for table in tables(analysis) if table.name == "load"]
    assert [row[:4] for row in table.rows] == [("1", "5", "1", "20"), ("1", "8", "1", "20")]
    assert "of 100 classes" in table.rows[0][-1]
    assert table.rows[1][-2:] == ("", "")


def test_one_group_is_no_comparison() -> None:
    """A question whose variants take the same work is not in the table; with no others, it is empty."""
    students = {str(number): "AB"[number % 2] for number in range(40)}
    shares = {"1a": dict.fromkeys(students, Fraction(1))}
    loads = compare_by_load(keys_of({"A": [5], "B": [5]}), shares, students, MIN_GROUP_STUDENTS)
    analysis = Analysis("Quiz", 40, 40, 1, (), (), (), (), (), (), (), ENGLISH, loads)
    (table,) = [table for table in tables(analysis) if table.name == "load"]
    assert (table.rows, table.note) == ((), "")
