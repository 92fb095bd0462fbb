"""The laws of verifying: a good exam passes, and nothing that is wrong with one does."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.exam.blueprint import Blueprint
from grader.exam.blueprint_file import read_blueprint
from grader.exam.folders import EXAM_FILE, LOCK_FILE, digest_of, exam_files
from grader.exam.manifest import Exam, open_exam
from grader.exam.roster import Roster
from grader.publishing import verification
from grader.publishing.exam_build import build_exam
from grader.publishing.exam_lock import read_lock, seal, write_lock
from grader.publishing.variant_likeness import QuestionCheck, check_paper, common_answers
from grader.publishing.verification import verify_exam
from grader.tables.student_directory import Student
from tests.exam.test_manifest import in_lines
from tests.publishing.conftest import STUDENTS, Site, example
from tests.publishing.test_building import small

SECRET = "change me before the exam"

WITHOUT_TREE = """
title = "Quiz"
secret = "kept in a safe"
forms = 3
[[question]]
kind = "uct.phase"
"""


@pytest.fixture
def copy(site: Site, tmp_path: Path) -> Path:
    """A copy of the exam, to be spoiled."""
    shutil.copytree(site.folder, tmp_path / "midterm")
    return tmp_path / "midterm"


def lock_again(folder: Path) -> None:
    """Make the lock fit what is there now, as a forger would who knows the secret."""
    lock = read_lock(folder / LOCK_FILE)
    assert lock is not None
    files = {name: digest_of(folder / name) for name in exam_files(folder)}
    (folder / LOCK_FILE).write_text(write_lock(seal(replace(lock, files=files), SECRET)), encoding="utf-8")


def rewrite(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change `exam.json`."""
    record = json.loads((folder / EXAM_FILE).read_text(encoding="utf-8"))
    change(record)
    (folder / EXAM_FILE).write_text(in_lines(record), encoding="utf-8")


def test_a_quiz_for_anybody_is_checked(tmp_path: Path) -> None:
    """An exam without a class list passes, its paper is set again, and a class list is not its own."""
    quiz = replace(small(), forms=1)
    build_exam(quiz, None, tmp_path, formats=("text",), exports=())
    verdict = verify_exam(tmp_path, blueprint=quiz)
    assert (verdict.findings, verdict.unchecked) == ((), ())
    (told,) = verify_exam(tmp_path, roster=Roster((Student("7", "Ada"),))).findings
    assert "another class list" in told.message
    (paper,) = (tmp_path / "publish" / "papers").iterdir()
    paper.write_text("nothing to do", encoding="utf-8")
    lock_again(tmp_path)
    (told,) = verify_exam(tmp_path).findings
    assert "is not what the questions" in told.message


def test_several_variants_need_students(copy: Path) -> None:
    """Without students there is one variant only: with several, nobody could tell who has which."""
    rewrite(copy, lambda record: record["students"].clear())
    assert any("no students" in finding.message for finding in verify_exam(copy).findings)


def test_a_good_exam_passes(site: Site) -> None:
    """An exam as it was built has nothing wrong, by one process or two."""
    for jobs in (1, 2):
        verdict = verify_exam(site.folder, blueprint=site.blueprint, roster=site.roster, jobs=jobs)
        assert verdict.findings == ()
        assert verdict.unchecked == ()
        assert (verdict.variants, verdict.answers) == (STUDENTS, 5 * STUDENTS)


def test_what_was_not_checked_is_told(site: Site) -> None:
    """Without the blueprint and the class list the verdict says what it cannot know."""
    assert len(verify_exam(site.folder).unchecked) == 2


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "pattern",
    [
        "publish/papers/*.pdf",
        "publish/papers/*.html",
        "publish/papers/*.md",
        "publish/print.pdf",
        "instructor/keys/*.pdf",
        "instructor/assignment.csv",
        EXAM_FILE,
    ],
)
def test_every_byte_counts(copy: Path, pattern: str) -> None:
    """One byte more in any file is found, and so is a file that is missing."""
    victim = sorted(copy.glob(pattern))[0]
    victim.write_bytes(victim.read_bytes() + b" ")
    name = victim.relative_to(copy).as_posix()
    assert name in {finding.place for finding in verify_exam(copy).findings}
    if pattern != EXAM_FILE:
        victim.unlink()
        assert name in {finding.place for finding in verify_exam(copy).findings}


def test_a_file_too_many_is_found(copy: Path) -> None:
    """A file that was put into the folder is found: it may be a key in the wrong place."""
    shutil.copy(next((copy / "instructor" / "keys").iterdir()), copy / "publish" / "papers" / "key.pdf")
    assert "publish/papers/key.pdf" in {finding.place for finding in verify_exam(copy).findings}


def test_a_forged_paper_is_found(copy: Path) -> None:
    """A paper that is not what its questions make is found even when the lock was forged with it."""
    victim = sorted((copy / "publish" / "papers").glob("*.html"))[0]
    victim.write_text(
        victim.read_text(encoding="utf-8").replace("Question 1", "Question l"), encoding="utf-8"
    )
    lock_again(copy)
    messages = [str(finding) for finding in verify_exam(copy).findings]
    assert len(messages) == 1
    assert "is not what the questions of its variant make" in messages[0]


def test_a_forged_export_is_found(tmp_path: Path) -> None:
    """A platform's file that is not what the exam makes is found even when the lock was forged with it."""
    blueprint, roster = example(1)
    build_exam(blueprint, roster, tmp_path / "exam", formats=("text",), exports=("moodle", "gradescope"))
    victim = tmp_path / "exam" / "instructor" / "moodle.xml"
    victim.write_bytes(victim.read_bytes().replace(b"A game for two", b"A game for you"))
    lock_again(tmp_path / "exam")
    (finding,) = verify_exam(tmp_path / "exam").findings
    assert str(finding.place) == "instructor/moodle.xml"
    assert "is not what the exam makes" in finding.message


def test_exports_of_another_version_are_held_to_the_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another version makes other files for platforms: they are not called wrong, and the verdict says so."""
    blueprint, roster = example(3)
    build_exam(blueprint, roster, tmp_path / "exam", formats=("text",), exports=("gradescope",))
    monkeypatch.setattr(verification, "PROGRAM", "gametree-grader 9.0")
    verdict = verify_exam(tmp_path / "exam", blueprint=blueprint, roster=roster)
    assert verdict.findings == ()
    assert [each for each in verdict.unchecked if "files for platforms" in each]
    (tmp_path / "exam" / "instructor" / "gradescope.zip").write_bytes(b"")
    assert verify_exam(tmp_path / "exam").findings != ()


def test_papers_of_another_version_are_not_called_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What another version set and this one sets otherwise is good; what was changed since then is not."""
    blueprint, roster = example(3)
    build_exam(blueprint, roster, tmp_path / "exam", formats=("text",), exports=())
    papers = sorted((tmp_path / "exam" / "publish" / "papers").iterdir())
    monkeypatch.setattr(verification, "PROGRAM", "gametree-grader 9.0")
    assert verify_exam(tmp_path / "exam").notes == ()
    for paper in papers:  # as the other version had them
        paper.write_text(paper.read_text(encoding="utf-8").replace("game", "play"), encoding="utf-8")
    changed = [finding.message for finding in verify_exam(tmp_path / "exam").findings]
    assert changed == ["was changed after the exam was built"] * 3
    lock_again(tmp_path / "exam")
    verdict = verify_exam(tmp_path / "exam", blueprint=blueprint, roster=roster)
    assert (verdict.findings, len(verdict.notes)) == ((), 1)
    note = verdict.notes[0]
    assert note.startswith("3 files were set by gametree-grader 0.")
    assert note.endswith("gametree-grader 9.0 sets them differently")


def test_a_variant_that_breaks_off_is_found(copy: Path) -> None:
    """A record with a variant that cannot be read is a finding, not a traceback, by one process or two."""
    text = (copy / EXAM_FILE).read_text(encoding="utf-8")
    (copy / EXAM_FILE).write_text(text.replace('"parts":[{"', '"parts":[{', 1), encoding="utf-8")
    for jobs in (1, 2):
        assert any(
            "variants[0]: this is not JSON" in str(found) for found in verify_exam(copy, jobs=jobs).findings
        )


def test_a_key_in_a_paper_is_found(copy: Path) -> None:
    """The seed of a question, or a note code, in a published file is told as what it is."""
    record = json.loads((copy / EXAM_FILE).read_text(encoding="utf-8"))
    part = record["variants"][0]["questions"][0]["parts"][0]
    stem = next(
        seat["file"] for seat in record["students"] if seat["variant"] == record["variants"][0]["code"]
    )
    victim = copy / "publish" / "papers" / f"{stem}.txt"
    for secret, name in (
        (part["seed"], "a seed"),
        (next(iter(part["beliefs"])), "a note code"),
        (part["key"]["reply"], "an answer"),
    ):
        before = victim.read_text(encoding="utf-8")
        victim.write_text(before + secret, encoding="utf-8")
        assert any(f"shows {name}" in finding.message for finding in verify_exam(copy).findings)
        victim.write_text(before, encoding="utf-8")


def test_a_wrong_key_is_found(copy: Path) -> None:
    """A key that solving does not give is found, even when its hash was forged."""

    def change(record: dict[str, Any]) -> None:
        record["variants"][0]["questions"][1]["parts"][0]["key"]["reply"] = record["variants"][1][
            "questions"
        ][1]["parts"][0]["key"]["reply"]

    rewrite(copy, change)
    lock_again(copy)
    messages = " ".join(finding.message for finding in verify_exam(copy).findings)
    assert "is not what the second computation gives" in messages
    assert "is not what solving gives" in messages
    assert "its key is not the one that was locked" in messages


@pytest.mark.parametrize("drawn_by", ["row", "student"])
def test_doubles_and_other_profiles_are_found(copy: Path, drawn_by: str) -> None:
    """Two variants with one tree are a fault if they were drawn to differ, and a note if not.

    A variant of another difficulty is always a fault.
    """

    def change(record: dict[str, Any]) -> None:
        record["drawn_by"] = drawn_by
        first, second, third = record["variants"][:3]
        for variant in record["variants"]:
            variant["questions"][0]["alike"] = ["visited"]
        second["questions"][0] = first["questions"][0]
        part = third["questions"][0]["parts"][2]
        part["profile"]["visited"] += 10

    rewrite(copy, change)
    verdict = verify_exam(copy)
    messages = [f"{finding.place}: {finding.message}" for finding in verdict.findings]
    assert any("has the order of payoffs of variant" in each for each in messages) == (drawn_by == "row")
    note = "question 1: on 2 of 3 papers the payoffs have the same order"
    assert any(each.startswith(note) for each in verdict.notes) == (drawn_by == "student")
    assert any("visited is" in message for message in messages)


def test_questions_without_payoffs_are_no_doubles(tmp_path: Path) -> None:
    """Where there is no tree, nobody has the payoffs of another variant."""
    quiz = read_blueprint(WITHOUT_TREE, Path())
    assert isinstance(quiz, Blueprint)
    class_list = Roster(tuple(Student(str(number), f"Student {number}") for number in range(3)))
    build_exam(quiz, class_list, tmp_path, formats=("text",), exports=())
    verdict = verify_exam(tmp_path, blueprint=quiz, roster=class_list)
    assert verdict.variants == 3
    assert verdict.findings == ()


def test_positions_without_payoffs_are_no_doubles(tmp_path: Path) -> None:
    """Two positions that have equally many moves are other questions, though neither shows a payoff."""
    quiz = read_blueprint(
        WITHOUT_TREE.replace("uct.phase", "board-position.values").replace("forms = 3", ""), Path()
    )
    assert isinstance(quiz, Blueprint)
    class_list = Roster(tuple(Student(str(number), f"Student {number}") for number in range(12)))
    build_exam(quiz, class_list, tmp_path, formats=("text",), exports=())
    assert verify_exam(tmp_path, blueprint=quiz, roster=class_list).findings == ()


def _answered(question: QuestionCheck, answer: str) -> QuestionCheck:
    return replace(question, answers=tuple(answer for _ in question.answers))


def test_an_answer_that_most_papers_have_is_told(site: Site) -> None:
    """An answer of more than half of the variants is no fault, and is told with its question."""
    exam = open_exam(site.folder)
    assert isinstance(exam, Exam)
    first, *others = map(check_paper, exam.papers)
    others = [
        replace(other, questions=tuple(_answered(each, f"other {number}") for each in other.questions))
        for number, other in enumerate(others)
    ]
    looks = [first, first, *others]  # each answer of the first in half of them, which is not most
    assert not list(common_answers(looks))
    alike = [looks[0]] * 3 + looks[3:]
    assert {note.partition(" has")[0] for note in common_answers(alike)} == {
        "question 1a",
        "question 1b",
        "question 1c",
        "question 2",
    }


def test_doubled_students_are_found(copy: Path) -> None:
    """A student who is there twice, or almost twice, is found."""

    def change(record: dict[str, Any]) -> None:
        record["students"][1]["identifier"] = "0" + record["students"][0]["identifier"]

    rewrite(copy, change)
    assert any("students have the identifier" in finding.message for finding in verify_exam(copy).findings)


def test_the_seal_needs_the_secret(site: Site, copy: Path) -> None:
    """A lock that was changed without the secret has a broken seal; so has one of another blueprint."""
    lock = read_lock(copy / LOCK_FILE)
    assert lock is not None
    (copy / LOCK_FILE).write_text(write_lock(seal(lock, "another secret")), encoding="utf-8")
    found = verify_exam(copy, blueprint=site.blueprint).findings
    assert [finding.message for finding in found] == [
        "the seal is broken: the lock was changed, or made with another secret"
    ]
    found = verify_exam(site.folder, blueprint=replace(site.blueprint, digest="0" * 64)).findings
    assert [finding.message for finding in found] == ["the exam was built from another blueprint"]


def test_another_class_is_found(site: Site) -> None:
    """A class list with one name spelt otherwise is another class list."""
    first, *others = site.roster.students
    roster = Roster((Student(first.identifier, first.name + "e", first.email), *others))
    assert len(verify_exam(site.folder, roster=roster).findings) == 1


@pytest.mark.parametrize("name", [LOCK_FILE, EXAM_FILE])
@pytest.mark.parametrize("text", ["", "{}", "[]", "\x00"])
def test_what_is_no_exam_is_told(copy: Path, name: str, text: str) -> None:
    """A folder without a lock or without an exam is one finding, not a traceback."""
    (copy / name).write_text(text, encoding="utf-8")
    assert [finding.place for finding in verify_exam(copy).findings] == [name]
