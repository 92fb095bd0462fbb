"""The laws of all exports: one exam gives the same bytes, and one variant of each kind stays as it is."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from grader.publishing.exports import EXPORTS, Export
from grader.publishing.lms import canvas, moodle, prairielearn, qti3
from grader.publishing.lms.packing import unpacked
from tests.conftest import Golden
from tests.publishing.lms.exams import PRUNING, exam_of_kind, exam_with, exercise_of
from tests.publishing.papers import NAMES

GOLDEN = Path(__file__).parent / "golden"
NAMED = [export.name for export in EXPORTS]


@pytest.mark.parametrize("export", EXPORTS, ids=NAMED)
def test_same_bytes(export: Export) -> None:
    """An export written twice has the same bytes, and no file of it has the name of another export's."""
    exam = exam_with(exercise_of("node-values", PRUNING), exercise_of("pruned-paths", PRUNING))
    first, second = dict(export.write(exam)), dict(export.write(exam))
    assert first == second
    others = {name for other in EXPORTS if other is not export for name, _ in other.write(exam)}
    assert not others & set(first)


@pytest.mark.parametrize("export", EXPORTS, ids=NAMED)
def test_no_day_in_the_bytes(export: Export) -> None:
    """The bytes do not hold the day: every member of a zip has the earliest time there is."""
    for name, data in export.write(exam_of_kind("root-value")):
        if name.endswith(".zip"):
            local = re.findall(rb"PK\x03\x04.{6}(.{4})", data, re.DOTALL)
            assert set(local) == {b"\x00\x00\x21\x00"}
        assert export.faults(name, data) == ()


@pytest.mark.parametrize("kind", NAMES)
def test_golden(kind: str, golden: Golden) -> None:
    """One variant of each kind is written for each platform as it was before, pictures aside."""
    exam = exam_of_kind(kind)
    ((_, data),) = moodle.write(exam)
    question = ET.fromstring(data).findtext("question[@type='cloze']/questiontext/text", "")
    golden.hold(
        GOLDEN / f"{kind}.moodle.html", re.sub(r"(?<=>)(?=<(?:p|ul|li|div)\b)", "\n", question) + "\n"
    )
    ((_, data),) = qti3.write(exam)
    golden.hold(GOLDEN / f"{kind}.qti3.xml", unpacked(data)["items/question-1-A.xml"].decode())
    ((_, data),) = canvas.write(exam)
    (quiz,) = [text.decode() for text in unpacked(data).values() if b"<questestinterop" in text]
    golden.hold(GOLDEN / f"{kind}.canvas.xml", quiz)
    ((_, data),) = prairielearn.write(exam)
    (variant,) = json.loads(unpacked(data)["questions/a-quiz-1/variants.json"])
    shown = {name: value for name, value in variant["params"].items() if name != "picture"}
    golden.hold(GOLDEN / f"{kind}.prairielearn.json", json.dumps(shown, indent=2, ensure_ascii=False) + "\n")


def test_no_golden_file_is_left_over() -> None:
    """Every golden file belongs to a kind."""
    assert {path.name.split(".")[0] for path in GOLDEN.iterdir()} == set(NAMES)
