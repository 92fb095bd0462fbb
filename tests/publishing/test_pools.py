"""The laws of pools: alternatives drawn for a student alone, evenly, equally hard, and known everywhere."""

import json
from collections import Counter
from pathlib import Path

import pytest

from grader.exam.assignment import PaperOwner, student_owner
from grader.exam.blueprint import Blueprint
from grader.exam.blueprint_file import read_blueprint
from grader.exam.folders import GRADES_FOLDER
from grader.exam.manifest import Exam, open_exam
from grader.exam.pools import draw_questions, share_of_mistaken
from grader.grading.exam_keys import read_exam_keys
from grader.publishing.exam_addition import add_students
from grader.publishing.exam_build import build_exam
from grader.publishing.exam_folder import BuildError
from grader.publishing.paper_formats import PAPER_FORMATS
from grader.publishing.verification import verify_exam
from grader.tables.student_directory import Student
from tests.cli.running import gametree
from tests.exam.test_class_lists import roster_of, rows_of

POOLED = """
title = "Quiz"
secret = "kept in a safe"
{more}
[[question]]
kind = "visited-count"
tree = "MAX A (MIN B (3 12 8) MIN C (2 4 6) MIN D (14 5 2))"

[[question]]
choose = 1
points = 2
{spread}
[[question.alternative]]
kind = "root-value"
[[question.alternative]]
title = "Where to go"
kind = "best-move"
tree = "MAX A (MIN B (3 12) MIN C (4 6))"
[[question.alternative]]
kind = "node-values"

[[question]]
kind = "root-value"
tree = "MAX A (MIN B (3 12) MIN C (4 6))"
points = {points}
"""


def pooled(more: str = "", spread: str = "spread = 1", points: int = 1) -> Blueprint:
    """A blueprint with a pool between two questions."""
    plan = read_blueprint(POOLED.format(more=more, spread=spread, points=points), Path())
    assert isinstance(plan, Blueprint), str(plan)
    return plan


def test_alternatives_are_drawn_evenly_and_for_the_student_alone() -> None:
    """Each paper has one alternative, each alternative is as likely, and other students decide nothing."""
    plan = pooled()
    assert plan.length == 3
    owners = [student_owner(Student(str(number), "Ada")) for number in range(600)]
    drawn = [draw_questions(plan, owner) for owner in owners]
    counts = Counter(numbers[1] for numbers in drawn)
    assert {(len(numbers), numbers[0], numbers[2]) for numbers in drawn} == {(3, 0, 4)}
    assert counts.keys() == {1, 2, 3}
    assert all(150 < count < 250 for count in counts.values())
    assert draw_questions(plan, owners[7]) == drawn[7]


def test_alternatives_that_are_not_equally_hard_are_refused(tmp_path: Path) -> None:
    """Where the expected points of two alternatives differ by more than the bound, nothing is built."""
    plan, roster = pooled(spread="spread = 0"), roster_of(rows_of(range(2)))
    shares = {share_of_mistaken(plan.questions[number], number, plan.secret) for number in (1, 2, 3)}
    assert len(shares) > 1
    with pytest.raises(BuildError, match="not equally hard"):
        build_exam(plan, roster, tmp_path / "exam", formats=("text",), exports=())
    bound = f'spread = "{max(shares) - min(shares)}"'
    build_exam(pooled(spread=bound), roster, tmp_path / "exam", formats=("text",), exports=())


def test_an_exam_with_a_pool_goes_all_the_way(tmp_path: Path) -> None:
    """Every format and platform has its papers; they are verified, graded, regraded, told and reported."""
    text, folder, rows = tmp_path / "quiz.toml", tmp_path / "exam", rows_of(range(6))
    text.write_text(POOLED.format(more="", spread="spread = 1", points=1), encoding="utf-8")
    plan = pooled()
    formats = tuple(known.name for known in PAPER_FORMATS)
    result = build_exam(plan, roster_of(rows), folder, formats=formats)
    (note,) = (each for each in result.notes if each.startswith("question 2: "))
    exam = open_exam(folder)
    assert isinstance(exam, Exam)
    papers = list(exam.papers)
    counts = Counter(paper.questions[1].parts[0].public.kind for paper in papers)
    assert note == (
        f"question 2: root-value on {counts['root-value']}, best-move on {counts['best-move']}, "
        f"node-values on {counts['node-values']} of {len(papers)} papers"
    )
    assert all([question.label for question in paper.questions] == ["1", "2", "3"] for paper in papers)
    assert verify_exam(folder, blueprint=plan, roster=roster_of(rows)).findings == ()
    keys = read_exam_keys(folder)
    assert {*keys.parts[1].kind.split(" or ")} == {kind for kind, count in counts.items() if count}
    replies = [
        [seat.student.identifier, *(question.parts[0].key for question in paper.questions)]
        for seat, paper in zip(exam.seats, papers, strict=True)
    ]
    lines = [",".join(f'"{cell}"' for cell in row) for row in [["id", "1", "2", "3"], *replies]]
    (tmp_path / "replies.csv").write_text("\n".join(lines), encoding="utf-8")
    graded = gametree("grade", str(folder), str(tmp_path / "replies.csv"), "--executor", "here")
    assert graded.code == 0, graded.err
    exported = json.loads(gametree("gradebook", "export", str(folder), "--format", "json", "-o", "-").out)
    assert {each["total"] for each in exported["students"]} == {"4"}
    changed = tmp_path / "changed.toml"
    changed.write_text(POOLED.format(more="", spread="spread = 1", points=3), encoding="utf-8")
    regraded = gametree("gradebook", "regrade", str(folder), "--blueprint", str(changed), "--apply")
    assert regraded.code == 0, regraded.err
    exported = json.loads(gametree("gradebook", "export", str(folder), "--format", "json", "-o", "-").out)
    assert {each["total"] for each in exported["students"]} == {"6"}
    assert gametree("gradebook", "feedback", str(folder), "--format", "html").code == 0
    assert gametree("report", str(folder)).code == 0
    assert any((folder / GRADES_FOLDER / "report").iterdir())


def test_replies_to_alternatives_are_typed_into_the_workbook(tmp_path: Path) -> None:
    """The workbook for entry has the boxes of every alternative, and grading reads it back."""
    folder = tmp_path / "exam"
    build_exam(pooled(), roster_of(rows_of(range(4))), folder, formats=("text",), exports=())
    ran = gametree("grade", str(folder), str(folder / "instructor" / "entry.xlsx"), "--executor", "here")
    assert ran.code in (0, 1), ran.err
    assert "4 rows" in ran.out


def test_forms_have_pools_too(tmp_path: Path) -> None:
    """A form draws its alternatives like a student, and the exam passes verification."""
    plan = pooled("forms = 5")
    build_exam(plan, roster_of(rows_of(range(5))), tmp_path / "exam", formats=("text",), exports=())
    exam = open_exam(tmp_path / "exam")
    assert isinstance(exam, Exam)
    numbers = [paper.questions[1].plan for paper in exam.papers]
    assert numbers == [draw_questions(plan, PaperOwner("form", code))[1] for code in "ABCDE"]
    assert verify_exam(tmp_path / "exam").findings == ()


def test_pools_are_scanned_and_added_to(tmp_path: Path) -> None:
    """Papers for scanning have the boxes of their own alternatives, and so have those that are added."""
    plan, rows, folder = pooled("scan = true\nspare = 1"), rows_of(range(3)), tmp_path / "exam"
    build_exam(plan, roster_of(rows[:2]), folder, formats=("pdf",), exports=())
    add_students(folder, plan, roster_of(rows))
    assert verify_exam(folder, blueprint=plan, roster=roster_of(rows)).findings == ()
    exam = open_exam(folder)
    assert isinstance(exam, Exam)
    last = list(exam.papers)[-1]
    owner = student_owner(exam.seats[-1].student)
    assert last.code == exam.seats[-1].code
    assert last.questions[1].plan == draw_questions(plan, owner)[1]
