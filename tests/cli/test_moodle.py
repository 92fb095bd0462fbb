"""Moodle's report of the responses, from the quiz that was built to the marks: as on paper, or not at all."""

import csv
import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from grader.exercises.exercise import Exercise
from grader.exercises.exercise_file import read_exercise
from grader.exercises.marking import Marker
from grader.grading.exam_keys import ExamKeys, read_exam_keys
from grader.grading.gradebook_store import Gradebook
from grader.grading.results import results
from grader.trees.notation.diagnostics import Diagnostics
from tests.answers.filling import filled
from tests.cli.running import Ran, gametree
from tests.publishing.lms.moodle_engine import Question, import_quiz, responses, right_answer, summary

HEADER = "Last name,First name,ID number,Email address,Status,Started,Completed,Duration,Grade/10.00"

BLUEPRINT = """
title = "Quiz"
secret = "a secret of ours"
forms = {forms}

[[question]]
title = "Values"
follow_through = true
part = [{{kind = "node-values", points = 4}}, {{kind = "best-move"}}, {{kind = "pruned-paths", points = 4}}]

[[question]]
kind = "windows"
points = 3

[[question]]
kind = "visiting-order"
points = 2

[[question]]
kind = "expected-values"
points = 4

[[question]]
part = [{{kind = "pruned-branches", policy = "exact"}}, {{kind = "root-value"}}]

[[question]]
kind = "best-path"
tree = 'MAX A (MIN B (3 12 "part 2: x; y"=8) MIN C (2 4 6) MIN D (14 5 2))'
"""

STUDENTS = 6


@pytest.fixture(scope="session")
def exams(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    """The exam with one form and with three, not to be changed."""
    return {forms: build(tmp_path_factory.mktemp("moodle"), forms) for forms in (1, 3)}


def copied(exam: Path, folder: Path) -> Path:
    """An exam of one's own."""
    return Path(shutil.copytree(exam, folder / "exam"))


def build(folder: Path, forms: int) -> Path:
    """An exam as a teacher builds it for Moodle."""
    (folder / "quiz.toml").write_text(
        BLUEPRINT.format(forms=forms).replace("'part 2: x; y'", '\\"part 2: x; y\\"')
    )
    rows = "".join(f"{number:04d},Student {number},s{number}@example.org\n" for number in range(STUDENTS))
    (folder / "class.csv").write_text(f"id,name,email\n{rows}")
    made = gametree(
        "exam", "build", str(folder / "quiz.toml"), "--roster", str(folder / "class.csv"),
        "-o", str(folder / "exam"), "--format", "text", "--lms", "moodle",
    )  # fmt: skip
    assert made.code == 0, made.err
    return folder / "exam"


class Quiz:
    """A quiz in Moodle that was imported from an exam, and the attempts at it."""

    def __init__(self, exam: Path, drawn: Callable[[int, int, Sequence[str]], str]) -> None:
        self.exam = exam
        self.exam_keys: ExamKeys = read_exam_keys(exam)
        questions = import_quiz((exam / "instructor" / "moodle.xml").read_bytes())
        self.bank: dict[str, Question] = {question.identity: question for question in questions}
        self.labels = list(dict.fromkeys(part.question for part in self.exam_keys.parts))
        self.drawn = drawn

    def code(self, student: int, label: str) -> str:
        """The variant of a question that Moodle has drawn for a student."""
        known = [name.rpartition("-")[2] for name in self.bank if name.startswith(f"question-{label}-")]
        return self.drawn(student, int(label), known)

    def parts(self, student: int, label: str) -> dict[str, Exercise]:
        """The parts of that question."""
        return {
            key.part: read(key.exercise)
            for key in self.exam_keys.question(self.code(student, label), label).parts
        }

    def reply(self, student: int, part: str, exercise: Exercise) -> str:
        """What a student answers: all sorts of things, right and wrong."""
        replies = list(dict.fromkeys((exercise.key, *exercise.beliefs.values())))
        return "" if student == 0 else replies[(student + len(part)) % len(replies)]

    def cell(self, student: int, label: str) -> str:
        """A student's responses to one question."""
        texts: list[str] = []
        for name, exercise in self.parts(student, label).items():
            reply = self.reply(student, name, exercise)
            said = filled(exercise, exercise.answer(reply or exercise.key))
            texts += said if reply else [""] * len(said)
        return responses(texts) if any(texts) else "-"

    def key_texts(self, student: int, label: str) -> list[str]:
        """The texts of all boxes of one question, filled in as its keys say."""
        exercises = self.parts(student, label).values()
        return [text for each in exercises for text in filled(each, each.answer(each.key))]

    def export(self, path: Path, *columns: str, cell: Any = None) -> Path:
        """The report of the responses, with these columns: Question, Response, Right answer."""
        head = [f"{column} {number}" for number in self.labels for column in columns]
        rows = []
        for student in range(STUDENTS):
            row = ["Smith", f"Student {student}", "", f"s{student}@example.org", "Finished"]
            row += ["1 May 2027  9:00 AM", "1 May 2027  9:30 AM", "30 mins", "7.25"]
            for label in self.labels:
                question = self.bank[f"question-{label}-{self.code(student, label)}"]
                said = {
                    "Question": summary(question),
                    "Response": (cell or self.cell)(student, label),
                    "Right answer": right_answer(question),
                }
                row += [said[column] for column in columns]
            rows.append(row)
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([[*HEADER.split(","), *head], *rows])
        return path

    def grade(self, *files: Path) -> Ran:
        """Grade these files."""
        return gametree("grade", str(self.exam), *map(str, files), "--executor", "here", "--json")

    def standings(self) -> dict[tuple[int, str], Any]:
        """Where everybody stands with every part."""
        with Gradebook.open(self.exam / "grades" / "gradebook.db") as book:
            return {
                (int(result.student.identifier), standing.question): standing
                for result in results(book, self.exam_keys)
                for standing in result.standings
            }


def read(record: str) -> Exercise:
    """The exercise of a record."""
    exercise = read_exercise(record)
    assert not isinstance(exercise, Diagnostics)
    return exercise


def test_one_form_is_marked_as_on_paper(exams: dict[int, Path], tmp_path: Path) -> None:
    """With one form, marks and notes are those of the same replies typed into a table."""
    quiz = Quiz(copied(exams[1], tmp_path), lambda _student, _label, known: known[0])
    assert quiz.grade(quiz.export(tmp_path / "responses.csv", "Response")).code == 0
    marks = {at: standing.entry.content for at, standing in quiz.standings().items()}
    names = [part.name for part in quiz.exam_keys.parts]
    lines = []
    for student in range(STUDENTS):
        replies = {
            name: quiz.reply(student, name, exercise)
            for label in quiz.labels
            for name, exercise in quiz.parts(student, label).items()
        }
        lines.append([f"{student:04d}", *(replies[name] for name in names)])
    with (tmp_path / "plain.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["id", *names], *lines])
    (quiz.exam / "grades" / "gradebook.db").unlink()
    assert quiz.grade(tmp_path / "plain.csv").code == 0
    assert {at: standing.entry.content for at, standing in quiz.standings().items()} == marks
    assert any("follows" in content for content in marks.values())


@pytest.fixture
def drawn(exams: dict[int, Path], tmp_path: Path) -> Quiz:
    """A quiz of three forms in which Moodle draws a variant for every question."""
    exam = copied(exams[3], tmp_path)
    return Quiz(exam, lambda student, label, known: known[(student + label) % len(known)])


def check(quiz: Quiz, *, marked: Callable[[int, str], bool] = lambda _student, _label: True) -> None:
    """What is to be marked is, with the key of the variant that was drawn; the rest is AMBIGUOUS."""
    for (student, part), standing in quiz.standings().items():
        label = quiz.exam_keys.labels[part]
        if not marked(student, label):
            blank = not quiz.reply(student, part, quiz.parts(student, label)[part])
            assert standing.state.value == ("BLANK" if blank else "AMBIGUOUS"), (student, part)
            continue
        exercise = quiz.parts(student, label)[part]
        right = Marker(exercise).mark(quiz.reply(student, part, exercise))
        assert standing.state is right.state, (student, part)
        if part in ("1b", "1c") and right.points is not None:
            assert standing.points >= right.points  # they follow from what was said before
        else:
            assert standing.points == right.points, (student, part)


def test_the_text_of_a_question_tells_its_variant(drawn: Quiz, tmp_path: Path) -> None:
    """With the column Question N every reply is marked with the key of the variant that Moodle drew."""
    ran = drawn.grade(drawn.export(tmp_path / "r.csv", "Question", "Response", "Right answer"))
    assert ran.code == 0, ran.err
    check(drawn)
    folder = str(drawn.exam)
    assert gametree("gradebook", "feedback", folder, "--release").code == 0
    assert gametree("report", folder).code == 0
    again = gametree("gradebook", "regrade", folder)
    assert again.code == 0
    assert json.loads(ran.out)["stale"] == 0
    table = tmp_path / "points.csv"
    assert gametree("gradebook", "export", folder, "--format", "csv", "-o", str(table)).code == 0
    variants = " ".join(f"{part.name}:{drawn.code(1, part.question)}" for part in drawn.exam_keys.parts[:5])
    assert variants in table.read_text(encoding="utf-8")


def test_right_answers_tell_the_variant_where_they_differ(drawn: Quiz, tmp_path: Path) -> None:
    """With the column Right answer N alone, what only one variant has as its key is marked with that key."""
    drawn.grade(drawn.export(tmp_path / "r.csv", "Response", "Right answer"))
    keys = {
        (code, label): tuple(key.reply for key in drawn.exam_keys.question(code, label).parts)
        for code in drawn.exam_keys.variants
        for label in drawn.labels
    }

    def alone(student: int, label: str) -> bool:
        own = keys[drawn.code(student, label), label]
        return label == "6" or [keys[code, label] for code in drawn.exam_keys.variants].count(own) == 1

    assert alone(1, "2")
    check(drawn, marked=alone)


def test_nobody_guesses_a_variant(drawn: Quiz, tmp_path: Path) -> None:
    """Without a column that tells, only a question that is the same for all is marked; with it, the rest."""
    bare = drawn.export(tmp_path / "bare.csv", "Response")
    ran = drawn.grade(bare)
    assert ran.code == 1
    check(drawn, marked=lambda _student, label: label == "6")
    message = drawn.standings()[1, "2"].message
    assert message.startswith("it cannot be told which variant this answers")
    assert "tick 'question text'" in message
    assert any("tick 'question text'" in warning for warning in json.loads(ran.out)["warnings"])
    assert gametree("gradebook", "feedback", str(drawn.exam), "--release").code == 0
    full = drawn.export(tmp_path / "full.csv", "Question", "Response")
    assert drawn.grade(full).code == 0
    check(drawn)
    again = drawn.grade(bare)
    assert (again.code, json.loads(again.out)["warnings"]) == (0, [])
    check(drawn)


def test_the_order_of_the_quiz_does_not_matter(drawn: Quiz, tmp_path: Path) -> None:
    """With the text of the questions, a quiz that has them in another order is marked as that of the exam."""
    drawn.labels.reverse()
    path = drawn.export(tmp_path / "r.csv", "Question", "Response")
    head, _, rows = path.read_text(encoding="utf-8").partition("\n")
    names = ",".join(f"Question {number},Response {number}" for number in range(1, len(drawn.labels) + 1))
    path.write_text(f"{HEADER},{names}\n{rows}", encoding="utf-8")
    assert head != f"{HEADER},{names}"
    assert drawn.grade(path).code == 0
    check(drawn)


def test_a_question_that_is_there_twice_is_noticed(drawn: Quiz, tmp_path: Path) -> None:
    """Where a quiz draws two variants of one question, neither is marked."""
    drawn.labels[1] = "3"
    drawn.export(tmp_path / "r.csv", "Question", "Response")
    text = (tmp_path / "r.csv").read_text(encoding="utf-8")
    (tmp_path / "r.csv").write_text(text.replace(" 3,", " 2,", 2), encoding="utf-8")
    assert drawn.grade(tmp_path / "r.csv").code == 1
    assert drawn.standings()[1, "3"].state.value == "AMBIGUOUS"
    assert drawn.standings()[1, "1a"].state.value == "GRADED"
    assert drawn.standings()[1, "2"].state.value == "MISSING"


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("label", "place", "typed", "told"),
    [
        ("1", 1, "six", "box 'B': 'six' is not a number"),
        ("1", 1, "6 C=7", "box 'B': '6 C=7' is not a number"),
        ("2", 10, "", "box 'M, beta': '' says nothing"),
        ("2", 11, "inf", "box 'M, value returned': 'inf' is not a number"),
        ("2", 4, "5", 'means "none", but other boxes of this node are filled in'),
        ("3", 1, "2 3", "box '2': '2 3' is not one leaf"),
        ("3", 1, "none", "comes after box '2'"),
        ("4", 0, "x; part 2: 3", "does not contain the"),
    ],
)
def test_nonsense_in_a_box_is_named(
    exams: dict[int, Path], tmp_path: Path, label: str, place: int, typed: str, told: str
) -> None:
    """What cannot be read makes its part UNPARSEABLE and says which box it is in; other parts are marked."""
    quiz = Quiz(copied(exams[1], tmp_path), lambda _student, _label, known: known[0])

    def cell(student: int, asked: str) -> str:
        if (student, asked) != (1, label):
            return "-"
        texts = quiz.key_texts(student, asked)
        texts[place] = typed
        return responses(texts)

    assert quiz.grade(quiz.export(tmp_path / "r.csv", "Response", cell=cell)).code == 1
    parts = [part.name for part in quiz.exam_keys.parts if part.question == label]
    first, *others = (quiz.standings()[1, part] for part in parts)
    assert first.state.value == "UNPARSEABLE"
    assert told in first.message
    assert all(other.state.value == "GRADED" for other in others)
    page = gametree("gradebook", "feedback", str(quiz.exam))
    assert page.code == 0, page.err


def test_two_attempts_with_two_variants(drawn: Quiz, tmp_path: Path) -> None:
    """An attempt at another variant counts as a whole: no blank in it is filled from the one before."""
    first = drawn.export(tmp_path / "first.csv", "Question", "Response")
    assert drawn.grade(first).code == 0
    before = drawn.drawn
    drawn.drawn = lambda student, label, known: before(student + 1, label, known)

    def some(student: int, label: str) -> str:
        texts: list[str] = []
        for name, exercise in drawn.parts(student, label).items():
            said = filled(exercise, exercise.answer(exercise.key))
            texts += said if name in ("1b", "2") else [""] * len(said)
        return responses(texts) if any(texts) else "-"

    second = drawn.export(tmp_path / "second.csv", "Question", "Response", cell=some)
    second.write_text(second.read_text(encoding="utf-8").replace("9:30 AM", "9:45 AM"), encoding="utf-8")
    assert drawn.grade(second).code == 0
    known = tuple(drawn.exam_keys.variants)
    for (student, part), standing in drawn.standings().items():
        label = drawn.exam_keys.labels[part]
        then, now = (
            drawn.exam_keys.question(draw(student, int(label), known), label)
            for draw in (before, drawn.drawn)
        )
        if part in ("1b", "2"):
            assert standing.points == drawn.parts(student, label)[part].public.terms.points
        elif then != now:
            assert standing.state.value == "BLANK"
        if standing.state.value != "BLANK":
            assert drawn.exam_keys.question(standing.submission.variant, label) == now
    folder = str(drawn.exam)
    assert gametree("gradebook", "feedback", folder, "--release").code == 0
    assert gametree("report", folder).code == 0
    assert gametree("gradebook", "override", folder, "0001", "1a", "0", "--reason", "asked").code == 0
    assert drawn.grade().code == 0


@pytest.mark.slow
def test_an_attempt_at_another_variant_after_a_changed_key(drawn: Quiz, tmp_path: Path) -> None:
    """What is handed in after a key was changed is marked by the new key of the variant that it answers."""

    def right(student: int, label: str) -> str:
        return responses(drawn.key_texts(student, label))

    assert drawn.grade(drawn.export(tmp_path / "first.csv", "Question", "Response", cell=right)).code == 0
    changed = BLUEPRINT.format(forms=3).replace("'part 2: x; y'", '\\"part 2: x; y\\"').replace(
        'kind = "visiting-order"', 'kind = "visiting-order"\nrules = {order = "right-to-left"}'
    )  # fmt: skip
    (tmp_path / "changed.toml").write_text(changed)
    folder = str(drawn.exam)
    regrade = (
        "gradebook",
        "regrade",
        folder,
        "--blueprint",
        str(tmp_path / "changed.toml"),
        "--executor",
        "here",
    )
    assert gametree(*regrade, "--apply").out.count("(key changed)") == STUDENTS
    old, drawn.exam_keys = drawn.exam_keys, read_exam_keys(drawn.exam)
    assert all(standing.points < 2 for (_, part), standing in drawn.standings().items() if part == "3")

    before = drawn.drawn
    drawn.drawn = lambda student, label, known: before(student + 1, label, known)
    second = drawn.export(tmp_path / "second.csv", "Question", "Response", cell=right)
    second.write_text(second.read_text(encoding="utf-8").replace("9:30 AM", "9:45 AM"), encoding="utf-8")
    assert drawn.grade(second).code == 0
    known = tuple(drawn.exam_keys.variants)
    for (student, part), standing in drawn.standings().items():
        label = drawn.exam_keys.labels[part]
        now = drawn.exam_keys.question(drawn.drawn(student, int(label), known), label)
        assert drawn.exam_keys.question(standing.submission.variant, label) == now
        assert standing.points == drawn.parts(student, label)[part].public.terms.points
    assert old.variants != drawn.exam_keys.variants
    again = gametree(*regrade)
    assert "(key changed)" not in again.out
    assert gametree("gradebook", "feedback", folder, "--release").code == 0
