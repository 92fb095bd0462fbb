"""A quiz without a class list: open to anybody, from the blueprint to the feedback."""

import csv
import json
from pathlib import Path

import pytest

from grader.base.line_wrapping import display_width
from grader.exam.manifest import Exam, open_exam
from grader.grading.exam_keys import ExamKeysError
from tests.cli.running import Ran, gametree
from tests.grading.classroom import build

QUIZ = """
title = "Quiz"
secret = "kept in a safe"
forms = 1
[[question]]
kind = "root-value"
points = 2
tree = "MAX A (MIN B (3 12 8) MIN C (2 4 6))"
[[question]]
kind = "pruned-paths"
points = 3
tree = "MAX A (MIN B (3 12 8) MIN C (2 4 6))"
"""


@pytest.fixture
def quiz(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The blueprint of a quiz in one form, in the current folder."""
    monkeypatch.chdir(tmp_path)
    Path("quiz.toml").write_text(QUIZ, encoding="utf-8")
    return tmp_path


def built(*options: str) -> Ran:
    """Build the quiz."""
    return gametree("exam", "build", "quiz.toml", "-o", "quiz", "--lms", "none", *options)


def test_from_the_blueprint_to_the_feedback(quiz: Path) -> None:
    """Three strangers hand in, in two formats; all are graded, listed, exported, reported and told."""
    made = built()
    assert (made.code, made.err) == (0, "")
    assert made.out.startswith("open to anybody, 1 variant, ")
    assert "printer" not in made.out
    files = sorted(path.relative_to(quiz / "quiz").parts[:2] for path in (quiz / "quiz").rglob("*.*"))
    assert {("publish", "papers"), ("instructor", "keys"), ("instructor", "exam.json")} <= set(files)
    assert ("publish", "print.pdf") not in files
    exam = open_exam(quiz / "quiz")
    assert isinstance(exam, Exam)
    assert exam.seats == ()
    table = (quiz / "quiz" / "instructor" / "assignment.csv").read_text(encoding="utf-8-sig")
    assert table.splitlines() == ["Identifier,Name,Email,Section,Variant,File"]
    assert gametree("exam", "verify", "quiz", "--blueprint", "quiz.toml").code == 0

    Path("r.jsonl").write_text(
        '{"student": "ada@example.org", "1": "3", "2": "5 6"}\n{"student": "007", "1": "4", "2": "6"}\n',
        encoding="utf-8",
    )
    Path("r.csv").write_text("id,1,2\nEve,3,\n", encoding="utf-8")
    graded = gametree("grade", "quiz", "r.jsonl", "r.csv", "--executor", "here")
    assert graded.code == 0, graded.err
    assert "3 students x 2 question parts = 6: 5 GRADED + 1 BLANK" in graded.out
    shown = gametree("gradebook", "show", "quiz")
    assert shown.code == 0
    assert all(name in shown.out for name in ("ada@example.org", "007", "Eve"))

    exported = gametree("gradebook", "export", "quiz", "-o", "grades.csv")
    assert exported.code == 0, exported.err
    with Path("grades.csv").open(newline="", encoding="utf-8-sig") as file:
        totals = {row["id"]: (row["variant"], row["total"]) for row in csv.DictReader(file)}
    assert totals == {"ada@example.org": ("A", "5"), "007": ("A", "1.5"), "Eve": ("A", "2")}
    assert gametree("report", "quiz", "-o", "report").code == 0
    with Path("report/distribution.csv").open(newline="", encoding="utf-8-sig") as file:
        assert sum(int(row["students"]) for row in csv.DictReader(file)) == 3
    assert gametree("gradebook", "feedback", "quiz", "-o", "feedback").code == 0
    assert len(list(Path("feedback").glob("*.html"))) == 3


def test_the_standings_fit_the_terminal(quiz: Path) -> None:
    """No line is wider than 80 columns, wide letters are two, and equal rows have cells below each other."""
    (quiz / "quiz.toml").write_text(QUIZ + 9 * QUIZ[QUIZ.index("[[question]]") :], encoding="utf-8")
    assert built("--format", "text").code == 0
    people = "eve", "山田太郎" * 4
    Path("r.csv").write_text("id,1,2\n" + "".join(f"{who},3,5 6\n" for who in people), encoding="utf-8")
    assert gametree("grade", "quiz", "r.csv", "--executor", "here").code == 1
    lines = gametree("gradebook", "show", "quiz").out.splitlines()
    eve, yamada = ([display_width(line) for line in lines if line.startswith(who[:3])] for who in people)
    assert eve == yamada
    assert len(eve) == 1
    assert max(eve) < 80


@pytest.mark.usefixtures("quiz")
def test_strangers_are_told_apart_by_hand() -> None:
    """Without a class list `--same` says whose a row is, too, and is refused where no row says so."""
    assert built().code == 0
    Path("r.csv").write_text("id,1,2\nAda,3,\nLovelace,,5 6\n", encoding="utf-8")
    grade = "grade", "quiz", "r.csv", "--executor", "here", "--same"
    wrong = gametree(*grade, "Lovelase=Ada")
    assert (wrong.code, "no row says 'Lovelase'" in wrong.err) == (2, True)
    assert gametree(*grade, "Lovelace=Ada").code == 0
    shown = gametree("gradebook", "show", "quiz").out
    assert ("Lovelace" in shown, "1 student x 2" in shown) == (False, True), shown


@pytest.mark.parametrize("forms", ["forms = 2", 'variants = "per-student"'])
def test_several_variants_need_a_class_list(quiz: Path, forms: str) -> None:
    """Where there are several variants, a build without a class list is refused before anything is made."""
    Path("quiz.toml").write_text(QUIZ.replace("forms = 1", forms), encoding="utf-8")
    refused = built()
    assert (refused.code, refused.out) == (2, "")
    assert "no class list" in refused.err
    assert "--roster" in refused.err
    assert not (quiz / "quiz").exists()
    record = json.loads(built("--json").out)
    assert "--roster" in record["errors"][0]["hint"]


def test_a_record_without_students_has_one_variant(tmp_path: Path) -> None:
    """A record with several variants and no students cannot be graded: nobody knows who had which."""
    with pytest.raises(ExamKeysError, match="several variants"):
        build(tmp_path, (), codes=("A", "B"))
