"""The laws of the PrairieLearn folders: a question draws a variant, hides its key, and marks it."""

import json
import subprocess
import sys
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from grader.exam.manifest import Exam
from tests.publishing.lms.exams import (
    PRUNING,
    exam_in_words,
    exam_of_kind,
    exam_of_variants,
    exam_with,
    exercise_of,
    faults,
    unpacked,
    written,
    written_anew,
)
from tests.publishing.papers import NAMES

PARTS = (exercise_of("node-values", PRUNING), exercise_of("best-move", PRUNING))

DRIVER = """
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("server", sys.argv[1])
server = importlib.util.module_from_spec(spec)
spec.loader.exec_module(server)
data = {"variant_seed": int(sys.argv[2]), "params": {}, "correct_answers": {}, "submitted_answers": {},
        "format_errors": {}, "partial_scores": {}, "feedback": {}, "score": 0}
server.generate(data)
data["submitted_answers"] = json.loads(sys.argv[3]) or dict(data["correct_answers"])
server.parse(data)
if not data["format_errors"]:
    server.grade(data)
print(json.dumps(data))
"""


def made(exam: Exam) -> dict[str, bytes]:
    """The files for PrairieLearn."""
    return unpacked(written("prairielearn", exam))


@pytest.fixture
def course(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """The folder of a course in which an exam is unpacked."""
    for name, data in made(request.param).items():
        place = tmp_path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    return tmp_path


def served(course: Path, answers: dict[str, str], seed: int = 7) -> dict[str, Any]:
    """What PrairieLearn's record says after a student has answered; without answers, with the right ones."""
    (server,) = course.glob("questions/*/server.py")
    ran = subprocess.run(
        [sys.executable, "-S", "-c", DRIVER, str(server), str(seed), json.dumps(answers)],
        env={"PYTHONPATH": str(course / "serverFilesCourse")},
        cwd=server.parent,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    record: dict[str, Any] = json.loads(ran.stdout)
    return record


COMMAS = exam_with(exercise_of("node-values", "MAX A (MIN B (0.5 2) MIN C (1.5 3))", decimal_comma=True))


@pytest.mark.parametrize("course", [COMMAS], indirect=True)
def test_answers_have_decimal_commas(course: Path) -> None:
    """In an exam with decimal commas the right answer is shown with commas, and is right as it is shown."""
    data = served(course, {})
    assert data["correct_answers"] == {"parta": "A=1,5 B=0,5 C=1,5"}
    assert data["score"] == 1


@pytest.mark.parametrize("course", [exam_with(*PARTS, follow_through=True)], indirect=True)
def test_it_marks_in_a_clean_place(course: Path) -> None:
    """With what is in the zip and nothing else, right answers earn everything, others what they are worth."""
    right = served(course, {})
    assert right["score"] == 1
    assert {name: each["score"] for name, each in right["partial_scores"].items()} == {"parta": 1, "partb": 1}
    wrong = served(course, {"parta": "A=9 B=8 C=9", "partb": "C"})
    assert wrong["partial_scores"]["partb"]["score"] == 0.25, (
        "the move follows from values of which a quarter is right"
    )
    assert 0.25 <= wrong["score"] < 1
    assert len(wrong["feedback"]["parts"]) == 2
    unreadable = served(course, {"parta": "A=eight", "partb": ""})
    assert list(unreadable["format_errors"]) == ["parta"]
    assert unreadable["partial_scores"] == {}


TWO = exam_of_variants("root-value", "MAX (MIN (1 2) MIN (3 4))", "MAX (MIN (9 8) MIN (3 4))")


@pytest.mark.parametrize("course", [TWO], indirect=True)
def test_seeds_draw_variants(course: Path) -> None:
    """The seed decides which variant is shown, and the one that is shown is marked."""
    for seed, key in ((0, "3"), (1, "8")):
        record = served(course, {"parta": key}, seed)
        assert record["score"] == 1
        assert record["correct_answers"] == {"parta": key}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("kind", NAMES)
def test_what_is_shown_has_no_key(kind: str) -> None:
    """What goes into the page is a function of the public exercise: the key and the beliefs are beside it."""
    (text,) = [data for name, data in made(exam_of_kind(kind)).items() if name.endswith("variants.json")]
    (variant,) = json.loads(text)
    assert set(variant) == {"params", "follow_through", "exercises"}
    shown = json.dumps(variant["params"])
    for exercise in variant["exercises"]:
        assert not any(code in shown for code in exercise["beliefs"])
        assert exercise["key"]["reply"] not in [part["prompt"] for part in variant["params"]["parts"]]


def test_the_page_escapes_words() -> None:
    """Every value but the picture stands in double braces, which Mustache escapes."""
    files = made(exam_in_words("<b>{{run}}</b>", "<b>"))
    (page, *_) = [data.decode() for name, data in files.items() if name.endswith("question.html")]
    assert page.count("{{{") == 1
    assert "{{{params.picture}}}" in page
    (variants, *_) = [data for name, data in files.items() if name.endswith("variants.json")]
    picture = json.loads(variants)[0]["params"]["picture"]
    assert "<b>" not in picture
    assert "<b>" in unescape(picture)


def test_every_question_has_its_uuid() -> None:
    """Each question has a UUID of its own, which is the same whenever the same exam is written."""
    exam = exam_in_words("Words", "Name")
    about = [json.loads(data) for name, data in made(exam).items() if name.endswith("info.json")]
    assert len({each["uuid"] for each in about}) == 2
    again = unpacked(written_anew("prairielearn", exam))
    assert about == [json.loads(data) for name, data in again.items() if name.endswith("info.json")]


def test_faults_are_found() -> None:
    """A damaged zip, missing files, wrong JSON and wrong Python are found."""
    data = written("prairielearn", exam_of_kind("root-value"))
    files = {name: own for name, own in unpacked(data).items() if name.startswith("questions/")}
    assert faults("prairielearn", data) == []
    assert "not a zip" in faults("prairielearn", data[:100])[0]
    assert faults("prairielearn", {}) == ["there is no question"]
    for member in files:
        rest = {each: files[each] for each in files if each != member}
        assert faults("prairielearn", rest) == [f"{member} is missing"]
        if member.endswith((".json", ".py")):
            assert "cannot be read" in faults("prairielearn", files | {member: b"{("})[0]
