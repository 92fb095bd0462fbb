"""The laws of the Gradescope autograder: it marks as this program does, and no error becomes a score."""

import json
import os
import re
import shutil
import stat
import subprocess
import sys
import zipfile
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import lark
import pytest

from grader.exam.manifest import Exam
from grader.exercises.marking import Mark, Marker
from grader.publishing.lms.autograding import AutogradingError, grade_submission
from grader.publishing.lms.vendoring import REQUIRED_PACKAGES
from tests.publishing.lms.exams import (
    PRUNING,
    exam_of_kind,
    exam_of_variants,
    exam_with,
    exercise_of,
    faults,
    unpacked,
    written,
)

ADA = {"users": [{"email": "ADA@example.org", "id": 1, "name": "Ada"}]}
BEN = {"users": [{"email": "somebody@else.org", "sid": "0043", "id": 2, "name": "Ben"}]}

TWO_PARTS = (exercise_of("node-values", PRUNING), exercise_of("best-move", PRUNING))


def made(exam: Exam) -> bytes:
    """The autograder of an exam."""
    return written("gradescope", exam)


def unpack_autograder(exam: Exam, folder: Path) -> None:
    """Write the files of the autograder of an exam into a folder."""
    for name, data in unpacked(made(exam)).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def judged(
    exam: Exam, submission: str, tmp_path: Path, metadata: Any = ADA, encoding: str = "utf-8"
) -> dict[str, Any]:
    """The results of a submission of one text file."""
    unpack_autograder(exam, tmp_path / "source")
    (tmp_path / "submission").mkdir(exist_ok=True)
    (tmp_path / "submission" / "answers.txt").write_text(submission, encoding=encoding)
    return grade_submission(tmp_path / "source" / "exam", metadata, tmp_path / "submission")


def scores(results: dict[str, Any]) -> dict[str, float | None]:
    """The score of every part, None where there is none."""
    return {
        test["number"]: test.get("score")
        for test in results["tests"]
        if test.get("visibility") == "after_published"
    }


def test_it_runs_in_a_clean_place(tmp_path: Path) -> None:
    """Unpacked, with its wheel and the one library that it needs, and nothing else, it writes the results."""
    unpack_autograder(exam_with(*TWO_PARTS), tmp_path / "source")
    (wheel,) = (tmp_path / "source").glob("*.whl")
    site = tmp_path / "site"
    with zipfile.ZipFile(wheel) as file:
        file.extractall(site)
    shutil.copytree(Path(lark.__file__).parent, site / "lark", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "submission_metadata.json").write_text(json.dumps(ADA))
    (tmp_path / "submission").mkdir()
    (tmp_path / "submission" / "mine.txt").write_text("1a: A=8 B=8 D=12 E=8 C=6 F=6 G=5\n1b: B\n")
    ran = subprocess.run(
        [sys.executable, "-S", str(tmp_path / "source" / "autograder.py"), str(tmp_path)],
        env={"PYTHONPATH": str(site), "PATH": os.environ["PATH"]},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    results = json.loads((tmp_path / "results" / "results.json").read_text())
    marks = {number: score for number, score in scores(results).items() if score is not None}
    assert marks == {"1a": pytest.approx(4 * 9 / 10, abs=1e-4), "1b": 4}


def test_nobody_gets_a_score_for_an_error(tmp_path: Path) -> None:
    """Somebody who is not on the class list gets no results, and the program fails so that staff see it."""
    for users in ([], [{"email": "eve@example.org"}], "Ada", [{"email": ""}], [None]):
        with pytest.raises(AutogradingError):
            judged(exam_with(*TWO_PARTS), "1a: A=8\n1b: B", tmp_path, {"users": users})
    with pytest.raises(AutogradingError):
        grade_submission(tmp_path / "nowhere", ADA, tmp_path)


def test_everybody_has_the_assigned_variant(tmp_path: Path) -> None:
    """The address, or else the student number, tells whose variant is marked; what a file says does not."""
    exam = exam_of_variants("root-value", "MAX (MIN (1 2) MIN (3 4))", "MAX (MIN (9 8) MIN (3 4))")
    assert scores(judged(exam, "3", tmp_path, ADA)) == {"1": 4}
    assert scores(judged(exam, "8", tmp_path, BEN)) == {"1": 4}
    assert scores(judged(exam, "student: 0043\n1: 8", tmp_path, ADA)) == {"1": 0}
    together = {"users": ADA["users"] + BEN["users"]}
    with pytest.raises(AutogradingError, match="different variants"):
        judged(exam, "3", tmp_path, together)


def test_anybody_has_the_only_variant(tmp_path: Path) -> None:
    """In an exam without a class list everybody is marked, whoever it is."""
    exam = replace(exam_of_variants("root-value", "MAX (MIN (1 2) MIN (3 4))"), seats=())
    for users in (ADA["users"], BEN["users"], [{"email": "eve@example.org"}]):
        assert scores(judged(exam, "3", tmp_path, {"users": users})) == {"1": 4}


def test_unreadable_is_no_zero(tmp_path: Path) -> None:
    """What cannot be read has no score, and is told at once; what is blank has no points."""
    results = judged(exam_with(*TWO_PARTS), "1a: A=8 B=eight\n1b:", tmp_path)
    assert scores(results) == {"1a": None, "1b": 0}
    reading = [test for test in results["tests"] if test["visibility"] == "visible"]
    assert [test["status"] for test in reading] == ["failed", "failed"]
    assert "cannot be read" in reading[0]["output"]
    assert all(test["score"] == test["max_score"] == 0 for test in reading)


def test_points_wait_for_publication(tmp_path: Path) -> None:
    """At once a student sees how the answers were read, and nothing of what is right."""
    results = judged(exam_with(*TWO_PARTS), "1a: A=2 B=2\n1b: C", tmp_path)
    at_once = json.dumps([test for test in results["tests"] if test.get("visibility") != "after_published"])
    later = json.dumps([test for test in results["tests"] if test.get("visibility") == "after_published"])
    assert "the largest" in later
    assert "the largest" not in at_once
    assert {test["output_format"] for test in results["tests"]} == {"text"}


def test_what_is_told_has_decimal_commas(tmp_path: Path) -> None:
    """In an exam with decimal commas a student reads of an answer and of points with commas."""
    tree = "MAX A (CHANCE B (0.5 2) MIN C (1 2.25))"
    parts = [exercise_of(kind, tree, decimal_comma=True) for kind in ("expected-values", "root-value")]
    results = judged(exam_with(*parts), "1a: A=2,25 B=1,25 C=2,25\n1b: 2,25", tmp_path)
    told = " ".join(test["output"] for test in results["tests"])
    assert "A=2,25 B=1,25 C=2,25" in told
    assert "MIN takes the smaller of 1 and 2,25" in told
    assert not re.search(r"\d\.\d", told)


def test_later_parts_follow_through(tmp_path: Path) -> None:
    """A move that follows counts as far as the values it follows from, where the exam follows through."""
    reply = "1a: A=9 B=8 C=9\n1b: C"
    for follow_through, points in ((True, 1), (False, 0)):
        exam = exam_with(*TWO_PARTS, follow_through=follow_through)
        assert scores(judged(exam, reply, tmp_path))["1b"] == points


@pytest.mark.parametrize(
    "text", ["", "hello there", "student: 1\n1a: A=8\nstudent: 2\n1a: A=9", "1a: B\n1a: C"]
)
def test_files_that_say_nothing(text: str, tmp_path: Path) -> None:
    """A file that cannot be told apart into answers is not marked at all, and the student learns why."""
    results = judged(exam_with(*TWO_PARTS), text, tmp_path)
    assert [score for score in scores(results).values() if score] == []
    assert text == "" or "Nothing was graded" in results["output"]


def test_one_file_is_wanted(tmp_path: Path) -> None:
    """Two text files are as unclear as none."""
    (tmp_path / "submission").mkdir()
    (tmp_path / "submission" / "more.txt").write_text("1a: A=8")
    assert "you submitted 2" in judged(exam_with(*TWO_PARTS), "1a: A=8", tmp_path)["output"]


def test_one_failing_part_is_an_error_and_the_others_are_marked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A part that cannot be marked has no score, the student learns no reason, and the others have theirs."""
    marked = Marker.mark_with_answer

    def fails(marker: Marker, reply: str) -> tuple[Mark, object, str]:
        if marker.exercise.kind.name == "node-values":
            raise ZeroDivisionError("the key is 8")
        return marked(marker, reply)

    monkeypatch.setattr(Marker, "mark_with_answer", fails)
    results = judged(exam_with(*TWO_PARTS), "1a: A=8\n1b: B", tmp_path)
    assert scores(results) == {"1b": 4}
    (error,) = (test for test in results["tests"] if test["visibility"] == "hidden")
    assert error["number"] == "1a"
    assert "score" not in error
    assert error["extra_data"]["state"] == "ERROR"
    shown = [test for test in results["tests"] if test["visibility"] == "visible"]
    assert "could not be graded" in shown[0]["output"]
    assert "the key is 8" not in json.dumps(shown)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
@pytest.mark.parametrize("lead", ["", "student: 0042\n"])
def test_a_file_of_any_editor_and_any_packer(tmp_path: Path, encoding: str, lead: str) -> None:
    """Notepad's UTF-16 is read, and what a Mac packs beside a file is no file."""
    place = tmp_path / "submission" / "__MACOSX"
    place.mkdir(parents=True)
    (place / "._answers.txt").write_bytes(b"\0\5\26\7")
    (place.parent / "._answers.txt").write_bytes(b"\0\5\26\7")
    text = f"{lead}name: Zo\xe9\n1a: A=8\n1b: B"
    assert scores(judged(exam_with(*TWO_PARTS), text, tmp_path, encoding=encoding))["1b"] == 4


def test_links_are_not_followed(tmp_path: Path) -> None:
    """A link may lead to the keys, of which nothing is told."""
    judged(exam_with(*TWO_PARTS), "", tmp_path)
    handed = tmp_path / "submission" / "answers.txt"
    handed.unlink()
    handed.symlink_to(tmp_path / "source" / "exam" / "instructor" / "exam.json")
    results = grade_submission(tmp_path / "source" / "exam", ADA, tmp_path / "submission")
    assert "not a file but a link or a device" in results["output"]
    assert scores(results) == {}
    handed.unlink()
    handed.write_text("1a: A=8\n1b: B")
    (tmp_path / "submission" / "more").symlink_to(tmp_path / "source")
    assert scores(grade_submission(tmp_path / "source" / "exam", ADA, tmp_path / "submission"))["1b"] == 4


def test_scripts_can_be_run() -> None:
    """Gradescope runs two of the files, so they are programs, with Unix line ends, as bash reads them."""
    with zipfile.ZipFile(BytesIO(made(exam_of_kind("root-value")))) as file:
        rights = {member.filename: member.external_attr >> 16 for member in file.infolist()}
        scripts = {name: file.read(name) for name in ("setup.sh", "run_autograder")}
    for name, text in scripts.items():
        assert rights[name] & stat.S_IXUSR, name
        assert text.startswith(b"#!/usr/bin/env bash\n")
        assert b"\r" not in text
        if shutil.which("bash"):
            assert subprocess.run(["bash", "-n"], input=text, check=False, timeout=30).returncode == 0


def test_the_wheel_needs_what_marking_needs() -> None:
    """What the wheel asks for is what this project asks for under the same name."""
    project = (Path(__file__).parents[3] / "pyproject.toml").read_text(encoding="utf-8")
    assert all(f'"{need}"' in project for need in REQUIRED_PACKAGES)


def test_faults_are_found() -> None:
    """A damaged zip, a missing script, a broken exam and a missing wheel are found."""
    data = made(exam_of_kind("root-value"))
    files = unpacked(data)
    assert "not a zip" in faults("gradescope", data[:100])[0]
    for name in files:
        found = faults("gradescope", {each: files[each] for each in files if each != name})
        assert len(found) == 1, name


def autograded(tmp_path: Path, metadata: str | None, *files: str) -> dict[str, Any]:
    """What the autograder writes about a submission of these files with these metadata."""
    unpack_autograder(exam_with(*TWO_PARTS), tmp_path / "source")
    (tmp_path / "submission").mkdir()
    for name in files:
        (tmp_path / "submission" / name).write_text("1a: A=8", encoding="utf-8")
    if metadata is not None:
        (tmp_path / "submission_metadata.json").write_text(metadata, encoding="utf-8")
    command = [sys.executable, str(tmp_path / "source" / "autograder.py"), str(tmp_path)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    results: dict[str, Any] = json.loads((tmp_path / "results" / "results.json").read_text())
    return results


@pytest.mark.parametrize("metadata", [None, "", "{", "[]", '{"users": 3}', "[" * 100_000])
def test_broken_metadata_get_a_sentence(tmp_path: Path, metadata: str | None) -> None:
    """Metadata that cannot be read give results with a sentence and without points."""
    results = autograded(tmp_path, metadata, "mine.txt")
    assert results["output"] == "This submission was not marked: the metadata name no student."
    assert [(test["score"], test["max_score"], test["status"]) for test in results["tests"]] == [
        (0, 0, "failed")
    ]


def test_an_empty_folder_gets_a_sentence(tmp_path: Path) -> None:
    """A submission without any file gives results with a sentence and without points."""
    results = autograded(tmp_path, json.dumps(ADA))
    assert "you submitted 0" in results["output"]
    assert [test["max_score"] for test in results["tests"]] == [0]
