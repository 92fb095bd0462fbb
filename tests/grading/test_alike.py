"""Pairs of papers to look at: planted copies are found, and honest classes have none."""

from pathlib import Path
from random import Random

import pytest

from grader.grading import alike
from grader.grading.alike import MAX_CHANCE
from tests.campaigns.classes import simulated, wrong_classes
from tests.cli.running import gametree
from tests.grading.classroom import student
from tests.grading.simulated_class import exam_of, exercise_of, graded
from tests.grading.test_statistics_collection import trees

KINDS = ("node-values", "pruned-paths")


def test_honest_classes_have_no_pair() -> None:
    """In classes in which nobody copies no pair is listed; the campaign tries 10,000 of them."""
    assert list(wrong_classes("sample", 30)) == []


def test_planted_copies_are_found() -> None:
    """Students who copy the correct answers of another paper are listed with this paper, and nobody else is.

    At most a quarter is missed: answers that are also those of a third paper, or of a misconception on the
    student's own, point to nobody.
    """
    random, found, copies = Random("copies"), 0, 0
    for _ in range(20):
        pairs, planted = simulated(random, copied=2)
        listed = {(pair.student, pair.other) for pair in pairs}
        assert listed <= planted
        found, copies = found + len(listed), copies + len(planted)
        for pair in pairs:
            assert pair.chance <= MAX_CHANCE
            assert len({answer.part for answer in pair.answers}) >= 2
            assert any(answer.is_key for answer in pair.answers)
    assert copies == 40
    assert found >= 30


def test_the_report_says_it_only_when_asked(tmp_path: Path) -> None:
    """Pairs are in the report with --alike alone, as two papers to look at, and in no feedback."""
    texts = trees(12, Random(3))
    exam_keys = exam_of(tmp_path, KINDS, texts, 12)
    rows = {
        student(number).identifier: [exercise_of(kind, texts[number]).key for kind in KINDS]
        for number in range(12)
    }
    rows[student(5).identifier] = list(rows[student(2).identifier])
    analysis = graded(tmp_path, exam_keys, rows, alike=True)
    assert [(pair.student, pair.other) for pair in analysis.alike or ()] == [
        (student(5).identifier, student(2).identifier)
    ]
    folder, report = str(tmp_path), tmp_path / "report"
    gametree("report", folder, "-o", str(report))
    assert not (report / "alike.csv").exists()
    assert "Look at these two papers" not in (report / "report.html").read_text(encoding="utf-8")
    out = gametree("report", folder, "-o", str(report), "--alike").out
    assert "1 pair of papers to look at; this proves nothing" in out
    page = (report / "report.html").read_text(encoding="utf-8")
    assert "Look at these two papers" in page
    assert "no proof" in page
    assert gametree("gradebook", "feedback", folder, "--release").code in (0, 2)
    for path in (tmp_path / "grades").rglob("*.html"):
        assert "two papers" not in path.read_text(encoding="utf-8")


def test_single_or_shared_answers_point_to_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One copied answer, or answers that belong to several papers, make no pair, however improbable."""
    monkeypatch.setattr(alike, "MAX_CHANCE", float("inf"))
    texts = trees(12, Random(4))
    exam_keys = exam_of(tmp_path, KINDS, texts, 24)
    keys = {number: [exercise_of(kind, texts[number % 12]).key for kind in KINDS] for number in range(24)}
    rows = {student(number).identifier: replies for number, replies in keys.items()}
    rows[student(5).identifier] = list(keys[2])  # of two papers: 2 and 14
    assert graded(tmp_path, exam_keys, rows, alike=True).alike == ()
    folder = tmp_path / "single"
    folder.mkdir()
    exam_keys = exam_of(folder, KINDS, texts, 12)
    rows = {student(number).identifier: list(keys[number]) for number in range(12)}
    rows[student(6).identifier][0] = keys[3][0]
    assert graded(folder, exam_keys, rows, alike=True).alike == ()
