"""The certificate of fairness: against simulated students, and as a table, a plot and a line."""

import csv
import io
import json
import math
from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from functools import cache
from random import Random

import pytest

from grader.base.json_records import RecordError
from grader.base.phrases import ENGLISH
from grader.exam.composition import compose
from grader.exam.fairness import Certificate, PaperPoints, QuestionPoints
from grader.exam.manifest import Exam, Origin, write_question, write_variant
from grader.exam.population import USUAL_STUDENTS, Population
from grader.grading.exam_keys import exam_keys_of
from grader.grading.shards import PartReply, Shard, Unit, mark_shard
from grader.publishing.fairness_files import certify, fairness_plot, fairness_table
from tests.exam.test_blueprint import EXAMPLES, HEAD, read

EXAMS = {
    "midterm": (EXAMPLES / "midterm.toml").read_text(encoding="utf-8"),
    "quiz": (EXAMPLES / "quiz.toml").read_text(encoding="utf-8"),
    "search and chance": f"{HEAD}[students]\nmistaken = 0.6\nslips = 0.2\nblanks = 0.1\n"
    '[[question]]\nkind = "visiting-order"\npoints = 6\n'
    '[[question]]\nkind = "windows"\npoints = 5\n'
    '[[question]]\nfollow_through = true\n[[question.part]]\nkind = "pruned-paths"\npoints = 3\n'
    '[[question.part]]\nkind = "visited-count"\npoints = 2\n',
}
PAPERS = 4
MAX_STANDARD_ERRORS = 3.5
"""So many standard errors hardly any of these means is from what is expected."""


@cache
def built(name: str) -> Exam:
    """The record of an exam with a few papers, without files."""
    plan = read(EXAMS[name])
    columns = [compose(question, n, plan.secret, PAPERS) for n, question in enumerate(plan.questions)]
    rows = zip("ABCD", zip(*columns, strict=True), strict=True)
    variants = tuple(write_variant(code, map(write_question, row)) for code, row in rows)
    return Exam(Origin("0" * 64, "1" * 64), plan.heading, (), variants, plan.students)


def simulated(exam: Exam, students: int, seed: str) -> dict[str, list[Fraction]]:
    """The points of students on every paper, each with a misconception or none, slips and blanks.

    They write what the record says that their misconception leads to, and are marked as a class is.
    """
    random, papers = Random(seed), [json.loads(line) for line in exam.variants]
    codes = [paper["code"] for paper in papers]
    parts = [part for paper in papers for question in paper["questions"] for part in question["parts"]]
    names = sorted({code.rpartition(".")[2] for part in parts for code in part["beliefs"]})
    keys = {
        code: exam_keys_of(replace(exam, variants=(line,)), "")
        for code, line in zip(codes, exam.variants, strict=True)
    }
    usual = exam.population

    def reply(part: dict, misconception: str) -> str:
        wrong = {code.rpartition(".")[2]: text for code, text in part["beliefs"].items()}
        draw = random.random()
        if draw < usual.blanks:
            return ""
        if draw < usual.blanks + usual.slips:
            return random.choice(sorted(wrong.values()) or [""])
        return wrong.get(misconception, part["key"]["reply"])

    points = defaultdict(list)
    for number in range(students):
        paper = papers[number % len(papers)]
        mistaken = random.random() < usual.mistaken
        misconception = random.choice(names) if mistaken else ""
        units, needed = [], {}
        for question, key in zip(
            paper["questions"], keys[paper["code"]].variants[paper["code"]], strict=True
        ):
            replies = zip(key.parts, question["parts"], strict=True)
            texts = tuple(PartReply(part_key.part, reply(part, misconception)) for part_key, part in replies)
            units.append(Unit(paper["code"], key.label, texts))
            needed[paper["code"], key.label] = key
        outcomes = [outcome for unit in mark_shard(Shard(tuple(units), needed)) for outcome in unit]
        marks = [json.loads(outcome.content)["points"] for outcome in outcomes]
        points[paper["code"]].append(sum((Fraction(mark or 0) for mark in marks), Fraction(0)))
    return points


def standard_errors(points: list[Fraction], expected: Fraction) -> float:
    """How many standard errors a mean is from what is expected."""
    count, mean = len(points), sum(points, Fraction(0)) / len(points)
    variance = sum((each - mean) ** 2 for each in points) / (count - 1)
    return abs(mean - expected) / math.sqrt(variance / count)


@pytest.mark.parametrize("students", [800, pytest.param(10_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", EXAMS)
def test_simulated_students_earn_what_is_expected(name: str, students: int) -> None:
    """On every paper, and on all, the mean of simulated students is the expected one, within sampling."""
    exam = built(name)
    certificate, points = certify(exam), simulated(exam, students, f"{name} {students}")
    expected = {code: sum(row, Fraction(0)) for code, row in certificate.rows.items()}
    for code, row in points.items():
        assert standard_errors(row, expected[code]) < MAX_STANDARD_ERRORS, code
    together = [each - expected[code] for code, row in points.items() for each in row]
    assert standard_errors(together, Fraction(0)) < MAX_STANDARD_ERRORS


def test_a_certificate_that_forgets_blanks_is_found() -> None:
    """Students of a population with other blanks earn another mean than the certificate expects."""
    exam = built("midterm")
    points = simulated(exam, 800, "blanks")
    forgetful = certify(replace(exam, population=replace(exam.population, blanks=0)))
    together = [each - sum(forgetful.rows[code], Fraction(0)) for code, row in points.items() for each in row]
    assert standard_errors(together, Fraction(0)) > MAX_STANDARD_ERRORS


def test_papers_of_the_default_exam_are_alike() -> None:
    """Between the papers of the default exam the standard deviation is at most 1 of 100 points."""
    assert certify(built("midterm")).deviation <= 1
    assert built("midterm").population == USUAL_STUDENTS


def _paper(code: str, *points: dict[str, int]) -> PaperPoints:
    return PaperPoints(
        code,
        tuple(
            QuestionPoints(str(label), Fraction(10), {name: Fraction(each) for name, each in row.items()})
            for label, row in enumerate(points, 1)
        ),
    )


def test_the_causes_of_an_extreme_paper_are_named() -> None:
    """What makes a paper differ is named, the largest effect first, and nothing that works against it."""
    certificate = Certificate(
        Population(Fraction(1, 2), 0, 0),
        (
            _paper("A", {"": 10, "ties": 4, "order": 6}, {"": 10, "order": 0}),
            _paper("B", {"": 10, "ties": 8, "order": 4}, {"": 10, "order": 8}),
        ),
    )
    assert certificate.misconceptions == ("order", "ties")
    assert certificate.rows["A"] == (Fraction(15, 2), Fraction(15, 2))
    assert certificate.percents == {"A": 75, "B": Fraction(175, 2)}
    assert (certificate.mean, certificate.deviation) == (Fraction(325, 4), 6.25)
    assert (certificate.lowest, certificate.highest) == ("A", "B")
    causes = [(each.label, each.misconception, each.points, each.effect) for each in certificate.causes("A")]
    assert causes == [("2", "order", 0, -1), ("1", "ties", 4, Fraction(-1, 2))]


def test_an_exam_without_a_variant_is_refused() -> None:
    """Of no paper nothing can be expected, and the record that has none is refused with the place."""
    with pytest.raises(RecordError, match="the exam has no variant"):
        certify(replace(built("search and chance"), variants=()))


def test_table_and_plot_have_every_paper() -> None:
    """The table has a row for each paper, whose questions add up; the bars of the plot count all papers."""
    certificate = certify(built("search and chance"))
    header, *rows = csv.reader(io.StringIO(fairness_table(certificate).decode("utf-8-sig")))
    assert header[3:] == ["Question 1", "Question 2", "Question 3"]
    assert [row[0] for row in rows] == list(certificate.rows)
    for _, percent, points, *questions in rows:
        assert abs(float(points) - sum(map(float, questions))) < 0.01
        assert abs(float(percent) - 100 * float(points) / float(certificate.maximum)) < 0.02
    plot = fairness_plot(certificate, ENGLISH).decode()
    assert "of 100 points" in plot
