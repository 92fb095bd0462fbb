"""The gradebook for other programs; points are rounded here and nowhere else."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Any

from grader.base.numbers import Number, read_number, write_number
from grader.base.phrases import ENGLISH, Language, paragraph
from grader.base.safe_text import safe_line
from grader.exam.manifest import MissingPolicy
from grader.exercises.marking import Mark, State
from grader.grading.exam_keys import ExamKeys
from grader.grading.records import BlankPolicy
from grader.grading.results import Result
from grader.grading.scale import Scale
from grader.tables.csv_writing import csv_bytes
from grader.tables.formulas import MAX_TABLE_TEXT_LENGTH, guard_formula
from grader.tables.workbook_writing import text_cell, workbook_bytes


@dataclass(frozen=True, slots=True)
class Rounding:
    """How points are rounded: halves up; every cell by itself, and a total from exact points.

    - `decimals`: the number of decimals; with a `step`, such as a half, points are multiples of it instead.
    - `missing`: what students who handed in nothing earn.
    - `scale`: gives the grade for the rounded total.
    - `language`: English, with its decimal point, where programs read the points.
    """

    decimals: int = 2
    blank: BlankPolicy = "zero"
    language: Language = ENGLISH
    step: Number | None = None
    scale: Scale | None = None
    missing: MissingPolicy = "empty"

    def points(self, result: Result) -> tuple[Number | None, ...]:
        """Return the exact points of every part of a student; None where there are none."""
        return result.points(self.blank, self.missing)

    def total(self, result: Result) -> Number | None:
        """Return the exact sum of the points, or None if a part has none."""
        return result.total(self.blank, self.missing)

    def format_points(self, points: Number | None) -> str:
        """Return the rounded points, or an empty string where there are none."""
        return "" if points is None else self.language.points(self._stepped(points), self.decimals)

    def grade(self, total: Number | None) -> str:
        """Return the grade for a rounded total, or an empty string where there is none."""
        if total is None or self.scale is None:
            return ""
        return self.scale.grade(self.rounded(total))

    def rounded(self, points: Number) -> Number:
        """Return the rounded points as a number."""
        return read_number(ENGLISH.points(self._stepped(points), self.decimals))

    def _stepped(self, points: Number) -> Number:
        """Return the nearest multiple of the step, halves up, or the points themselves without a step."""
        if self.step is None:
            return points
        return floor(Fraction(points) / self.step + Fraction(1, 2)) * self.step

    @property
    def rule_sentences(self) -> str:
        """The rounding rule in whole sentences."""
        say = self.language.say
        rule = say(
            "Points are rounded to {count} decimal, halves up, in each cell separately.",
            "Points are rounded to {count} decimals, halves up, in each cell separately.",
            self.decimals,
        )
        if self.step is not None:
            step = self.language.number(self.step)
            rule = say(
                "Points are rounded to multiples of {step}, halves up, in each cell separately.", step=step
            )
        blank_rule = (
            say("A blank reply earns 0 points.")
            if self.blank == "zero"
            else say("A blank reply has no points at all.")
        )
        missing_rule = (
            say("A student who submitted nothing earns 0 points.") if self.missing == "zero" else ""
        )
        grade_rule = say("The grade follows from the rounded total.") if self.scale is not None else ""
        return paragraph(rule, blank_rule, missing_rule, grade_rule)


def csv_export(exam_keys: ExamKeys, results: Iterable[Result], rounding: Rounding) -> bytes:
    """Write a row for each student: name, variant, points of every part, total, unresolved parts."""
    rows = _rows(exam_keys, results, rounding)
    return csv_bytes([_text(cell, rounding) for cell in row] for row in rows)


def xlsx_export(exam_keys: ExamKeys, results: Iterable[Result], rounding: Rounding) -> bytes:
    """Write the same rows as a workbook: its numbers have the decimal sign of the program that opens it."""
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell

    book = Workbook(write_only=True)
    sheet = book.create_sheet("Points")
    for row in _rows(exam_keys, results, rounding):
        cells = []
        for cell in row:
            if isinstance(cell, str):
                cells.append(text_cell(sheet, cell))
            else:
                cells.append(WriteOnlyCell(sheet, _rounded(cell, rounding)))
        sheet.append(cells)
    return workbook_bytes(book)


def _rows(
    exam_keys: ExamKeys, results: Iterable[Result], rounding: Rounding
) -> Iterator[list[str | Number | None]]:
    """Yield the names of the columns, and a row for each student: texts, and points before rounding."""
    names = [part.name for part in exam_keys.parts]
    grade_columns = ["grade"] if rounding.scale is not None else []
    yield ["id", "name", "email", "variant", *names, "total", "maximum", *grade_columns, "unresolved"]
    for result in results:
        student, unresolved = result.student, result.unresolved(rounding.blank)
        total = rounding.total(result)
        reasons = "; ".join(f"{standing.question} {standing.state_label}" for standing in unresolved)
        yield [
            *(student.identifier, student.name, student.email, result.variant_taken),
            *(*rounding.points(result), total, exam_keys.points),
            *(rounding.grade(total) for _ in grade_columns),
            reasons,
        ]


def _text(cell: str | Number | None, rounding: Rounding) -> str:
    return guard_formula(cell) if isinstance(cell, str) else rounding.format_points(cell)


def _rounded(points: Number | None, rounding: Rounding) -> float | None:
    """Return rounded points as a number of JSON or a workbook; None stays None."""
    return None if points is None else json.loads(rounding.format_points(points))


def moodle_export(exam_keys: ExamKeys, results: Iterable[Result], rounding: Rounding) -> bytes:
    """Write a table for Grades > Import > CSV: students by address, an item for each part and the total."""
    title = safe_line(exam_keys.heading.title, 200)
    items = [f"{title}: {part.name}" for part in exam_keys.parts]
    rows = [["ID number", "Email address", *map(guard_formula, (*items, f"{title}: total"))]]
    for result in results:
        points = map(rounding.format_points, (*rounding.points(result), rounding.total(result)))
        rows.append([guard_formula(result.student.identifier), guard_formula(result.student.email), *points])
    return csv_bytes(rows)


def canvas_export(exam_keys: ExamKeys, results: Iterable[Result], rounding: Rounding) -> bytes:
    """Write a table for Grades > Import: Canvas's columns, the points possible, one assignment."""
    title = safe_line(exam_keys.heading.title, 200)
    possible = ["    Points Possible", "", "", "", "", rounding.format_points(exam_keys.points)]
    rows = [["Student", "ID", "SIS User ID", "SIS Login ID", "Section", guard_formula(title)], possible]
    for result in results:
        student = result.student
        texts = (student.name, student.lms, student.identifier, student.login, student.section)
        rows.append([*map(guard_formula, texts), rounding.format_points(rounding.total(result))])
    return csv_bytes(rows)


def gradescope_export(exam_keys: ExamKeys, results: Iterable[Result], rounding: Rounding) -> bytes:
    """Write an autograder's `results.json` for every student, by address or identifier."""
    records = {}
    for result in results:
        tests = [
            {
                "name": safe_line(f"{part.name} {part.title}".strip(), 200),
                "max_score": _rounded(part.points, rounding),
                **_score(points, rounding),
                "output": standing.state_label,
                "output_format": "text",
                "visibility": "after_published",
            }
            for part, standing, points in zip(
                exam_keys.parts, result.standings, rounding.points(result), strict=True
            )
        ]
        records[_plain(result.student.email or result.student.identifier)] = {
            **_score(rounding.total(result), rounding),
            "visibility": "after_published",
            "tests": tests,
        }
    return _json({"schema": 1, "results": records})


def _score(points: Number | None, rounding: Rounding) -> dict[str, Any]:
    return {} if points is None else {"score": _rounded(points, rounding)}


def json_export(exam_keys: ExamKeys, results: Iterable[Result], rounding: Rounding) -> bytes:
    """Write everything: exact and rounded points, states, replies as understood, notes, hashes."""
    students = []
    for result in results:
        parts = []
        for standing, points in zip(result.standings, rounding.points(result), strict=True):
            entry = standing.entry
            mark = Mark(State.MISSING, None, 0) if entry is None else entry.mark
            maximum = None if entry is None else 0 if standing.is_dropped else entry.maximum
            parts.append(
                {
                    "question": standing.question,
                    "state": None if standing.state is None else standing.state.value,
                    "points": None if points is None else write_number(points),
                    "rounded": rounding.format_points(points) or None,
                    "maximum": None if maximum is None else write_number(maximum),
                    "late": standing.submission is not None and standing.submission.late,
                    "maker": None if entry is None else entry.maker,
                    "reason": "" if entry is None else _plain(entry.reason),
                    "message": _plain(standing.message),
                    "understood": _plain(mark.understood),
                    "notes": [note.code for note in mark.notes],
                    "follow_through": write_number(mark.follow_through),
                    "key": None if entry is None else entry.key,
                    "policy": None if entry is None else entry.policy,
                    "program": None if entry is None else entry.program,
                    "basis": None if entry is None else entry.basis,
                }
            )
        total = rounding.total(result)
        student = result.student
        students.append(
            {
                "id": _plain(student.identifier),
                "name": _plain(student.name),
                "email": _plain(student.email),
                "variant": result.variant_taken,
                "questions": parts,
                "total": None if total is None else write_number(total),
                "rounded": rounding.format_points(total) or None,
                **({} if rounding.scale is None else {"grade": rounding.grade(total) or None}),
            }
        )
    record = {
        "schema": 1,
        "title": _plain(exam_keys.heading.title),
        "maximum": write_number(exam_keys.points),
        "rounding": rounding.rule_sentences,
        "students": students,
    }
    return _json(record)


def _plain(text: str) -> str:
    return safe_line(text, MAX_TABLE_TEXT_LENGTH)


def _json(record: dict[str, Any]) -> bytes:
    return (json.dumps(record, indent=1) + "\n").encode()


@dataclass(frozen=True, slots=True)
class GradebookFormat:
    """A format to export the gradebook in; `has_grades` tells whether it has a column for grades."""

    name: str
    write: Callable[[ExamKeys, Iterable[Result], Rounding], bytes]
    hint: str = ""
    has_grades: bool = False


GRADEBOOK_FORMATS = (
    GradebookFormat("csv", csv_export, has_grades=True),
    GradebookFormat("xlsx", xlsx_export, has_grades=True),
    GradebookFormat(
        "moodle",
        moodle_export,
        "Moodle gives a new grade item the maximum 100; make the items with their own maximum first.",
    ),
    GradebookFormat(
        "canvas",
        canvas_export,
        "Canvas finds an assignment by its number; write it after the title, as in 'Midterm (123)'.",
    ),
    GradebookFormat("gradescope", gradescope_export),
    GradebookFormat("json", json_export, has_grades=True),
)
"""Every format; another one is one function and one line here."""
