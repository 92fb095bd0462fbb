"""Exams of version 0.1.0: graded, resumed, regraded and verified."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import grader
from tests.cli.running import gametree
from tests.made_by_0_1.frozen import HERE, hold, results_kept, results_now, unpacked


def graded(exam: Path, *arguments: str) -> None:
    """Grade in this process."""
    ran = gametree("grade", str(exam), *arguments, "--executor", "here")
    assert ran.code in (0, 1), ran.err


def test_every_question_and_policy_is_graded_as_by_0_1_0(tmp_path: Path) -> None:
    """An exam with all 90 questions and all policies is graded as version 0.1.0 graded it."""
    desk = unpacked("every_ask", tmp_path)
    graded(desk / "exam", str(desk / "replies.csv"))
    hold(results_kept("every_ask"), results_now("every_ask", desk / "exam"))


def test_a_class_of_220_is_graded_as_by_0_1_0(tmp_path: Path) -> None:
    """An invented class with awkward names and messy replies is graded as version 0.1.0 graded it."""
    desk = unpacked("class_220", tmp_path)
    graded(desk / "exam", str(desk / "replies.csv"))
    hold(results_kept("class_220"), results_now("class_220", desk / "exam"))


def test_a_stopped_run_goes_on(tmp_path: Path) -> None:
    """Replies that version 0.1.0 took in before it was killed are marked without being handed in again."""
    desk = unpacked("gradebook", tmp_path)
    shutil.rmtree(desk / "exam" / "grades")
    (desk / "exam" / "grades").mkdir()
    (desk / "stopped.db").rename(desk / "exam" / "grades" / "gradebook.db")
    graded(desk / "exam")
    graded(desk / "exam", str(desk / "late.csv"), "--duplicates", "last")
    hold(results_kept("gradebook"), results_now("gradebook", desk / "exam"))


@pytest.mark.parametrize("name", [pytest.param("every_ask", marks=pytest.mark.slow), "gradebook", "house"])
def test_an_exam_is_verified(tmp_path: Path, name: str) -> None:
    """The seal of version 0.1.0 holds: the only findings are about files that are not kept here."""
    desk = unpacked(name, tmp_path)
    exam = desk / "exam"
    options = ("--blueprint", str(desk / "exam.toml"), "--roster", str(desk / "class.csv"), "--json")
    found = json.loads(gametree("exam", "verify", str(exam), *options).out)["findings"]
    assert found, "keys and papers are missing, and nothing is said of it"
    wrong = [each for each in found if "/" not in each["place"] or (exam / each["place"]).exists()]
    assert not wrong, f"the exam {name} of version 0.1.0 is found faulty: {wrong}"


def test_a_key_that_was_changed_is_found(tmp_path: Path) -> None:
    """Verifying sees that a record of version 0.1.0 was changed after it was sealed."""
    exam = unpacked("house", tmp_path) / "exam"
    record = exam / "instructor" / "exam.json"
    text = record.read_text(encoding="utf-8")
    assert '"points":"4"' in text
    record.write_text(text.replace('"points":"4"', '"points":"5"', 1), encoding="utf-8")
    found = json.loads(gametree("exam", "verify", str(exam), "--json").out)["findings"]
    assert "instructor/exam.json" in {finding["place"] for finding in found}


def test_own_sentences_and_own_words_are_used(tmp_path: Path) -> None:
    """A catalogue sealed by version 0.1.0 opens its exam, and a table of Dutch words reads replies.

    The program is a copy, for the table lies in its folder of languages.
    """
    desk = unpacked("house", tmp_path)
    source = Path(grader.__file__).resolve().parent
    shutil.copytree(source, tmp_path / "copy" / "grader")
    shutil.copytree(source.parent / "problems", tmp_path / "copy" / "problems")
    shutil.copy(HERE / "house" / "nl.toml", tmp_path / "copy" / "problems" / "languages")
    ran = subprocess.run(
        [sys.executable, "-m", "grader", "grade", str(desk / "exam"), str(desk / "replies.csv")],
        cwd=tmp_path / "copy",
        env=os.environ | {"PYTHONPATH": "."},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert ran.returncode == 1, ran.stderr  # some replies are left for a person
    hold(results_kept("house"), results_now("house", desk / "exam"))
