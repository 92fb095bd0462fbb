"""The laws of `exam.json`: what is written reads back, and what is damaged is told."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from grader.base.json_records import RecordError
from grader.exam.amendment import amend_exam
from grader.exam.composition import compose
from grader.exam.folders import EXAM_FILE, REBUILD_ADVICE
from grader.exam.manifest import (
    Exam,
    Origin,
    Seat,
    code_faults,
    open_whole_exam,
    read_exam,
    read_paper,
    write_exam,
    write_question,
    write_variant,
)
from grader.exam.paper import Heading, Paper
from grader.exam.population import Population
from grader.publishing.sheet import direction_of
from grader.tables.student_directory import Student
from grader.trees.notation.diagnostics import Diagnostics
from tests.exam.test_blueprint import HEAD, TREE, read
from tests.exam.written import write_paper


@pytest.fixture(scope="module")
def exam() -> Exam:
    """Two variants of an exam with a question in two parts and one about a given tree."""
    plan = read(
        f'{HEAD}[[question]]\nrecipe = {{variants = {{same = ["visited"]}}}}\n'
        '[[question.part]]\nkind = "node-values"\n'
        f'[[question.part]]\nkind = "pruned-branches"\n[[question]]\nkind = "pruned-paths"\n{TREE}'
    )
    questions = [replace(plan.questions[0], follow_through=True), *plan.questions[1:]]
    columns = [tuple(compose(question, n, plan.secret, 2)) for n, question in enumerate(questions)]
    papers = tuple(
        Paper(Heading("Quiz", instructions="One.\n\nTwo."), code, questions)
        for code, questions in zip("AB", zip(*columns, strict=True), strict=True)
    )
    seats = (Seat(Student("007", "Ada"), "B", "ada-1"), Seat(Student("008", "Ben"), "A", "ben-2"))
    variants = tuple(map(write_paper, papers))
    return Exam(Origin("0" * 64, "1" * 64), seats=seats, heading=papers[0].heading, variants=variants)


def in_lines(record: Mapping[str, Any]) -> str:
    """The record of an exam as text, in the lines in which this program writes it."""
    head = json.dumps({name: record[name] for name in record if name not in ("students", "variants")})
    students, variants = (",\n".join(map(json.dumps, record[name])) for name in ("students", "variants"))
    return f'{head[:-1]},"students":[\n{students}\n],"variants":[\n{variants}\n]}}\n'


def test_a_record_that_breaks_off_says_so(exam: Exam, tmp_path: Path) -> None:
    """Wherever a record is cut off it is said to be empty or to break off, not to be damaged."""
    whole = "".join(write_exam(exam))
    (tmp_path / "instructor").mkdir()
    for end in (*range(0, 400, 7), *range(400, len(whole) - 2, 211), len(whole) - 2):
        (tmp_path / EXAM_FILE).write_text(whole[:end], encoding="utf-8")
        found = open_whole_exam(tmp_path)
        assert isinstance(found, Diagnostics)
        assert re.search("it is empty|breaks off", str(found)), (end, str(found))
        assert REBUILD_ADVICE in str(found)
    (tmp_path / EXAM_FILE).write_text(whole.replace('"students":', '"students"=', 1), encoding="utf-8")
    assert re.search("it is damaged in line 1, column [0-9]+", str(open_whole_exam(tmp_path)))


def wrong(text: str) -> bool:
    """Whether something is found wrong with the record of an exam."""
    exam = read_exam(text.split("\n"))
    if isinstance(exam, Diagnostics):
        return True
    try:
        codes = [paper.code for paper in exam.papers]
    except RecordError:
        return True
    return bool(list(code_faults(exam.seats, codes)))


def test_exams_read_back(exam: Exam) -> None:
    """Reading what was written gives the same exam, keys, profiles and seats included, again and again."""
    back = read_exam(list(write_exam(exam)))
    assert isinstance(back, Exam)
    assert replace(back, variants=exam.variants) == exam
    for _ in range(2):
        assert tuple(back.variants) == exam.variants
        assert tuple(map(write_paper, back.papers)) == exam.variants


def test_what_absent_students_earn_is_recorded(exam: Exam) -> None:
    """A blueprint, or an amended one, says it; records of exams that do not say it are as they were."""
    question = f'[[question]]\nkind = "pruned-paths"\n{TREE}'
    plan = read(f'missing = "zero"\n{HEAD}{question}')
    assert (plan.missing, read(f"{HEAD}{question}").missing) == ("zero", "empty")
    assert amend_exam(exam, plan).missing == "zero"
    back = read_exam(list(write_exam(replace(exam, missing="zero"))))
    assert isinstance(back, Exam)
    assert back.missing == "zero"
    assert "missing" not in next(iter(write_exam(exam)))


def test_assumptions_about_students_are_recorded(exam: Exam) -> None:
    """What a blueprint assumes of students reads back; the usual assumptions leave the record as it was."""
    assert not any("population" in line for line in write_exam(exam))
    assumed = replace(exam, population=Population(Fraction(1, 2), 0, Fraction(1, 3)))
    back = read_exam(list(write_exam(assumed)))
    assert isinstance(back, Exam)
    assert replace(back, variants=exam.variants) == assumed
    assert not wrong("".join(write_exam(assumed)))
    assert wrong("".join(write_exam(assumed)).replace('"1/3"', '"a third"'))


def test_variants_are_read_when_they_are_wanted(exam: Exam) -> None:
    """Of a file no more lines are read than variants are asked for."""
    told: list[str] = []

    class Lines:
        def __iter__(self) -> Iterator[str]:
            for line in write_exam(exam):
                told.append(line)
                yield line

    back = read_exam(Lines())
    assert isinstance(back, Exam)
    assert not any(variant in line for line in told for variant in exam.variants)
    assert next(back.papers).code == "A"
    assert exam.variants[0] in told[-1]


def test_variants_differ_and_are_alike(exam: Exam) -> None:
    """Two variants have different trees of the same difficulty; a given tree is the same in both."""
    (first, second), (same, other) = zip(*(paper.questions for paper in exam.papers), strict=True)
    assert first.public.tree != second.public.tree
    assert first.grown_for == 1
    one, two = (question.parts[1].profile for question in (first, second))
    assert first.alike == ("visited",)
    assert all(one[field] == two[field] for field in first.alike)
    assert same == other
    assert same.grown_for is None


def test_more_students_keep_the_papers() -> None:
    """The first variants do not depend on how many there are."""
    plan = read(f'{HEAD}[[question]]\nkind = "node-values"\n').questions[0]
    few, many = (tuple(compose(plan, 0, "a secret", count)) for count in (2, 4))
    assert many[:2] == few


@pytest.mark.parametrize(
    "damage",
    [
        lambda record: record.pop("schema"),
        lambda record: record.pop("heading"),
        lambda record: record["heading"].update(size="a5"),
        lambda record: record["students"][0].update(variant="Z"),
        lambda record: record["students"][0].pop("identifier"),
        lambda record: record["variants"].append(record["variants"][0]),
        lambda record: record["variants"][0]["questions"][0].update(parts=[]),
        lambda record: record["variants"][0]["questions"][0].update(grown_for=7),
        lambda record: record["variants"][0]["questions"][0]["parts"][0].pop("key"),
        lambda record: record["variants"][0]["questions"][0]["parts"][0].update(prompt="another"),
        lambda record: record["variants"][0]["questions"][0]["parts"][0]["key"].update(reply="no such name"),
    ],
    ids=lambda _damage: "damage",
)
def test_damage_is_told(exam: Exam, damage: Any) -> None:
    """A record that was changed by hand is refused with its place, never read as something else."""
    record = json.loads("".join(write_exam(exam)))
    damage(record)
    assert wrong(in_lines(record))


@pytest.mark.parametrize("text", ["", "[]", "{}", "null", "[" * 100_000])
def test_other_texts_are_refused(text: str) -> None:
    """What is no exam is refused, not a traceback."""
    assert isinstance(read_exam([text]), Diagnostics)


def test_a_record_that_breaks_off_is_told(exam: Exam) -> None:
    """A file without its end, or with something behind it, is no exam: a variant may be missing."""
    lines = list(write_exam(exam))
    assert not wrong("".join(lines))
    for end in range(len(lines)):
        assert wrong("".join(lines[:end]))
    assert wrong("".join([*lines, lines[-2]]))


def test_a_layout_is_drawn_and_recorded(tmp_path: Path) -> None:
    """`layout` decides how a tree is drawn, is read back from the record, and is omitted there for `auto`."""
    for layout in ("auto", "down", "right"):
        text = (
            'title = "Quiz"\nsecret = "kept in a safe"\nforms = 1\n[[question]]\nkind = "root-value"\n'
            f'tree = "MAX A (MIN B (3 12 8) MIN C (2 4 6))"\nlayout = "{layout}"\n'
        )
        blueprint = read(text, tmp_path)
        (question,) = compose(blueprint.questions[0], 0, blueprint.secret, 1)
        line = write_variant("A", [write_question(question)])
        assert ('"layout"' in line) == (layout != "auto")
        (again,) = read_paper(line, blueprint.heading).public.questions
        assert again == question.public
        assert direction_of(again) == ("right" if layout == "right" else "down")
    with pytest.raises(RecordError, match="layout"):
        read_paper(line.replace('"layout":"right"', '"layout":"up"'), blueprint.heading)
